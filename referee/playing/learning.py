"""Lessons of a game for the player at a seat: what comes up there for the first time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games.lessons import lessons
from referee.games.rulings import SOURCE
from referee.table.decisions import NO_DECISION, DecisionId
from referee.table.rules import rules_for

if TYPE_CHECKING:
    from referee.games.rulings import Topic
    from referee.playing.reader import Reader
    from referee.table.gamefile import GameFile


def first_lessons(file: GameFile, reader: Reader, language: str = SOURCE) -> dict[str, Topic]:
    """Return the topics that matter for the first time now; none for whoever is asked nothing."""
    hand, seat = reader.hand, reader.seat
    if hand is None or seat is None or hand.decision == NO_DECISION:
        return {}
    # Known is what came before one's last answer, and the question that it was to; what it led to
    # is new.
    last = max((at for at, entry in enumerate(file.log) if entry.by == seat.name), default=0)
    own = [DecisionId.parse(one.decision).kind for one in file.log if one.by == seat.name]
    plays = [entry.play for entry in file.log]
    now = [DecisionId.parse(hand.decision).kind, *plays[last:]]
    return lessons(rules_for(file), [*own, *plays[:last]], now, language)
