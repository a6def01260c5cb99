"""The door of the program in the app: a request by its name goes in, one document comes out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from referee.errors import Mistake, attempt
from referee.games import DEFAULT, rules_of
from referee.games.errors import GameError, Illegal
from referee.games.texts import FALLBACK
from referee.phone import shelf
from referee.phone.refusal import told

Document = dict[str, Any]
Answers = Mapping[str, Callable[[Document], Document]]

LATEST = ("practice_", "review_")
"""The beginnings of requests for which games are refereed, or judged."""


def answers() -> Answers:
    """Return all requests, by their names."""
    return {**_answers_to("listed"), **_answers_to("table"), **_answers_to(LATEST[0])}


def _answers_to(name: str) -> Answers:
    """Return the requests of a kind, after importing what they need: the app starts sooner."""
    if name in shelf.REQUESTS:
        return shelf.REQUESTS
    if name.startswith(LATEST):
        from referee.phone import practice, review

        return {**practice.REQUESTS, **review.REQUESTS}
    from referee.phone import desk, seats

    return {**desk.REQUESTS, **seats.REQUESTS}


def call(name: str, request: str) -> str:
    """Answer a request: its result as `done`, or what is wrong as `error`."""
    given = json.loads(request)
    try:
        found = attempt(lambda: _answers_to(name)[name](given), known=(GameError,))
        if isinstance(found, Mistake):
            raise found
    except GameError as error:
        return json.dumps({"error": _failure(error, given)})
    return json.dumps({"done": found})


def _failure(error: GameError, given: Document) -> Document:
    choices = error.choices if isinstance(error, Illegal) else ()
    language = given.get("lang", FALLBACK)
    said = told(error, language, lambda sentence: said_by_game(sentence, language, given))
    return {
        "reason": error.reason,
        "code": error.exit_code,
        **said._asdict(),
        "choices": [choice.play for choice in choices or ()],
    }


def said_by_game(sentence: str, language: str, given: Document) -> str:
    """Return what a game says of a play that is refused; "" for what is not about its rules."""
    from referee.phone.desk import file_of
    from referee.render.page.language import Language
    from referee.table.rules import rules_for

    try:
        if text := given.get("text"):
            rules = rules_for(file_of(str(text)))
        else:
            rules = rules_of(given.get("game") or DEFAULT).choose(None, [], [], {})
    except GameError:
        return ""
    said = Language(language, rules).refusal(sentence)
    return "" if said == sentence else said
