"""Decisions of a finished game that mattered most, as a page marks and tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from referee.records import NamedTuple
from referee.render.page.language import Language, spoken
from referee.render.page.markup import Markup, element, joined
from referee.render.page.saying import Speaker
from referee.table.decisions import DecisionId

if TYPE_CHECKING:
    from referee.games.board import Board
    from referee.games.values import Word
    from referee.playing.reviewing import Reviewed


class Mark(NamedTuple):
    """One decision, numbered from 1 among those of its seat.

    `held` are the cards of its author by letter, `board` is the table before the answer.
    """

    number: int
    step: int
    decision: DecisionId
    play: str
    better: str
    wins: int
    held: Mapping[str, str]
    board: Board


Marks = Mapping[str, Sequence[Mark]]
"""The decisions that are marked, by the seats that were looked at."""


def marks_of(reviews: Mapping[str, Sequence[Reviewed]], boards: Sequence[Board]) -> Marks:
    """Return marks for what mattered most to each seat; `boards` are the tables after each step."""
    return {
        seat: [
            Mark(
                number,
                made.step,
                DecisionId.parse(made.decision),
                made.play,
                judgement.better,
                judgement.wins,
                made.names,
                boards[made.step - 2],
            )
            for number, (made, judgement) in enumerate(found, 1)
        ]
        for seat, found in reviews.items()
    }


def told(marks: Marks, language: Language, words: Mapping[str, Word]) -> list[str]:
    """Return all that is said of marks, in the order in which it stands in `section`."""
    said = []
    for seat, found in marks.items():
        said.append(language.text["marks-of" if found else "marks-none"].format(seat=seat))
        said += [line for mark in found for line in _lines(mark, language, words)]
    return said


def _lines(mark: Mark, language: Language, words: Mapping[str, Word]) -> list[str]:
    text, seat = language.text, mark.decision.seat
    city = {
        (place.seat, str(building.plot)): building.card
        for place in mark.board.places
        for building in place.city
    }
    say = Speaker(language, words, seat, mark.held, city)
    gain = text["mark-gain" if mark.wins > 1 else f"mark-gain-{mark.wins}"]
    kind = language.kind(mark.decision.kind)
    return [
        text["mark"].format(round=mark.decision.round, kind=kind, step=mark.step),
        text["mark-played"].format(play=say.title(mark.play)),
        text["mark-better"].format(play=say.title(mark.better)),
        gain.format(count=mark.wins),
    ]


def section(marks: Marks, language: Language, words: Mapping[str, Word]) -> list[Markup]:
    """Return the sentences; each decision is a button that leads to its step."""
    lines = iter(told(marks, language, words))
    parts = [spoken("marks-how", language, "p", {"class": "hint"})]
    for found in marks.values():
        parts.append(element("p", {"data-mark": True}, next(lines)))
        items = [
            element("li", {}, element("button", {"type": "button", "data-go": mark.step}, *inside))
            for mark in found
            for inside in [_inside(mark, [next(lines) for _ in range(4)])]
        ]
        parts += [element("ol", {}, *items)] if items else []
    return parts


def _inside(mark: Mark, lines: Sequence[str]) -> list[Markup]:
    where, *rest = [element("span", {"data-mark": True}, line) for line in lines]
    head = element("b", {}, f"{mark.number}. ", where)
    return [head, *[joined([" ", line]) for line in rest]]


def badge(marks: Marks, step: int, language: Language) -> Markup:
    """Return the mark of a step of the timeline; nothing where it has none."""
    numbers = [mark.number for found in marks.values() for mark in found if mark.step == step]
    return joined(
        element("span", {"class": "badge turn"}, spoken("turning", language), f" {number}")
        for number in numbers
    )


def by_round(marks: Marks) -> dict[str, dict[int, str]]:
    """Return the numbers of marks, by seat and round."""
    found: dict[str, dict[int, str]] = {}
    for seat, rows in marks.items():
        rounds = found.setdefault(seat, {})
        for mark in rows:
            before = rounds.get(mark.decision.round)
            number = str(mark.number)
            rounds[mark.decision.round] = f"{before}, {number}" if before else number
    return found
