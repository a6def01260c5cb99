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
    from referee.games.values import Word
    from referee.playing.reviewing import Reviewed


class Mark(NamedTuple):
    """One decision, numbered from 1 among those of its seat."""

    number: int
    reviewed: Reviewed

    @property
    def step(self) -> int:
        """Return the step of the answer."""
        return self.reviewed.made.step

    @property
    def round(self) -> int:
        """Return the round of the question."""
        return DecisionId.parse(self.reviewed.made.decision).round


Marks = Mapping[str, Sequence[Mark]]
"""The decisions that are marked, by the seats that were looked at."""


def marks_of(reviews: Mapping[str, Sequence[Reviewed]]) -> Marks:
    """Return marks for what mattered most to each seat, the worst first."""
    return {
        seat: [Mark(number, one) for number, one in enumerate(found, 1)]
        for seat, found in reviews.items()
    }


def told(marks: Marks, language: Language, words: Mapping[str, Word]) -> list[str]:
    """Return all that is said of marks, in the order in which it stands in `section`."""
    said = []
    for seat, found in marks.items():
        said.append(_heading(seat, found, language))
        said += [line for mark in found for line in sentences(mark.reviewed, language, words)]
    return said


def _heading(seat: str, found: Sequence[Mark], language: Language) -> str:
    return language.text["marks-of" if found else "marks-none"].format(seat=seat)


def sentences(one: Reviewed, language: Language, words: Mapping[str, Word]) -> list[str]:
    """Return where a decision was taken, what was played, and what a bot would have played."""
    (made, judgement), text = one, language.text
    asked = DecisionId.parse(made.decision)
    say = Speaker(language, words, asked.seat, made.names, made.city)
    where = text["mark"].format(round=asked.round, kind=language.kind(asked.kind), step=made.step)
    if judgement.better == made.play:
        return [where, text["mark-same"].format(play=say.title(made.play))]
    gain = "mark-gain" if judgement.wins > 1 else f"mark-gain-{judgement.wins}"
    return [
        where,
        text["mark-played"].format(play=say.title(made.play)),
        text["mark-better"].format(play=say.title(judgement.better)),
        text[gain if judgement.loss else "mark-equal"].format(count=judgement.wins),
    ]


def section(marks: Marks, language: Language, words: Mapping[str, Word]) -> list[Markup]:
    """Return the sentences; each decision is a button that leads to its step."""
    parts = [spoken("marks-how", language, "p", {"class": "hint"})]
    for seat, found in marks.items():
        parts.append(element("p", {"data-mark": True}, _heading(seat, found, language)))
        items = []
        for mark in found:
            inside = _inside(mark, sentences(mark.reviewed, language, words))
            button = element("button", {"type": "button", "data-go": mark.step}, *inside)
            items.append(element("li", {}, button))
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
            before = rounds.get(mark.round)
            number = str(mark.number)
            rounds[mark.round] = f"{before}, {number}" if before else number
    return found
