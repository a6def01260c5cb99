"""A look back at a game that is over, for the app: one decision at a time."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from referee.bots.judging import Judgement
from referee.errors import NoKey
from referee.games.errors import NotUnderstood
from referee.phone import desk
from referee.playing import reviewing
from referee.playing.reviewing import Made, Reviewed
from referee.table.rules import rules_for

if TYPE_CHECKING:
    Document = dict[str, Any]


def begin(given: Document) -> Document:
    """Return how many decisions of the key's seat there are to look at. Raises Stale."""
    return {"count": len(_made(given))}


def one(given: Document) -> Document:
    """Judge the decision of a number: its step, the better play, and by how much it is better."""
    made, at = _made(given), int(given["at"])
    if not 0 <= at < len(made):
        raise NotUnderstood("there is no such decision")
    found = reviewing.review(rules_for(desk.file_of(given["text"])), made[at])
    judgement = found.judgement
    return {"step": made[at].step, "better": judgement.better, "loss": judgement.loss}


def table(given: Document) -> Document:
    """Return the table as always, with marks on what mattered most of all that `one` has said.

    That is in `review`, as it was said.
    """
    made = {each.step: each for each in _made(given)}
    found = [
        Reviewed(made[row["step"]], Judgement(row["better"], row["loss"]))
        for row in given["review"]
        if row["step"] in made
    ]
    return desk.table(given, {_seat(given): reviewing.mattered_most(found)})


def _made(given: Document) -> list[Made]:
    return _decisions(given["text"], _seat(given))


def _seat(given: Document) -> str:
    seat = desk.seat_of(desk.file_of(given["text"]), desk.key_of(given))
    if not seat:
        raise NoKey("no key of yours sits at this table")
    return seat


@lru_cache(maxsize=1)
def _decisions(text: str, seat: str) -> list[Made]:
    return reviewing.decisions_of(desk.file_of(text), seat)


REQUESTS = {"review_begin": begin, "review_one": one, "review_table": table}
