"""The door of the program in the app: a request by its name goes in, one document comes out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from referee.errors import Mistake, attempt
from referee.games.errors import GameError, Illegal
from referee.phone import desk, seats

Document = dict[str, Any]

REQUESTS: Mapping[str, Callable[[Document], Document]] = {**desk.REQUESTS, **seats.REQUESTS}
LATER = ("practice_", "review_")
"""The beginnings of requests that are imported when one of them comes."""


def answers() -> Mapping[str, Callable[[Document], Document]]:
    """Return all requests, by their names."""
    # The app starts sooner without what only games against bots, and looks back, need.
    from referee.phone import practice, review

    return {**REQUESTS, **practice.REQUESTS, **review.REQUESTS}


def call(name: str, request: str) -> str:
    """Answer a request: its result as `done`, or what is wrong as `error`."""
    try:
        known = answers() if name.startswith(LATER) else REQUESTS
        found = attempt(lambda: known[name](json.loads(request)), known=(GameError,))
        if isinstance(found, Mistake):
            raise found
    except GameError as error:
        return json.dumps({"error": _failure(error)})
    return json.dumps({"done": found})


def _failure(error: GameError) -> Document:
    choices = error.choices if isinstance(error, Illegal) else ()
    return {
        "reason": error.reason,
        "code": error.exit_code,
        "message": error.message,
        # A hint at a command is no help here.
        "hint": "" if "`" in error.hint or "--" in error.hint else error.hint,
        "choices": [choice.play for choice in choices or ()],
    }
