"""What the app asks first: the games that it has kept. It is imported before all else."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.crypto.keys import PublicKey
from referee.games import DEFAULT, rules_of
from referee.games.errors import GameError
from referee.games.texts import FALLBACK

if TYPE_CHECKING:
    from referee.playing.listing import ListedGame

    Document = dict[str, Any]


def listed(given: Document) -> Document:
    """Say of games what a list tells, those that wait for one of the keys first.

    `games` are their texts by id, `keys` public ones; a game that cannot be read is left out.
    """
    if not given["games"]:
        return {"games": []}
    # The app starts sooner for somebody who has no game yet.
    from referee.playing.listing import listed_in

    keys = [PublicKey.parse(one) for one in given["keys"]]
    found = []
    for game, text in given["games"].items():
        with suppress(GameError):
            one = listed_in(text.encode(), Path("game.toml"), keys)
            found.append(
                {
                    "game": game,
                    "title": one.title,
                    "status": one.status,
                    "step": one.step,
                    "mine": one.mine,
                    "asked": _kinds(one, given.get("lang", FALLBACK)),
                    "waits": [question.seat for question in one.asked],
                    "winners": one.winners,
                }
            )
    order = {"playing": 1, "open": 2, "finished": 3, "abandoned": 4}
    found.sort(key=lambda one: (not one["asked"], order.get(str(one["status"]), 5), one["title"]))
    return {"games": found}


def _kinds(one: ListedGame, language: str) -> list[str]:
    """Return what is asked of me, in a language where the game speaks it."""
    kinds = [question.kind for question in one.asked if question.seat in one.mine]
    said: Mapping[str, str] = {}
    # A game that is not here is listed all the same.
    with suppress(GameError):
        said = rules_of(one.module).texts(language).get("kinds", said) if kinds else said
    return [said.get(kind, kind) for kind in kinds]


def prepare(_: Document) -> Document:
    """Import what is asked next, while somebody looks at the first screen."""
    from referee.phone import desk, seats

    rules_of(DEFAULT)
    return {"requests": len(desk.REQUESTS) + len(seats.REQUESTS)}


REQUESTS = {"listed": listed, "prepare": prepare}
