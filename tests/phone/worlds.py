"""Games for the app: a file for every kind of question that there is."""

from __future__ import annotations

from typing import NamedTuple

from referee.notes.finding import find
from referee.refereeing.judging import Judge, Verdict
from referee.table import opening
from referee.table.gamefile import GameFile
from referee.table.planreplay import texts_of
from referee.table.replay import Session
from referee.table.signing import signed_text
from tests.once import once
from tests.page.worlds import SETS, first_asked
from tests.table.tables import NOON, REFEREE, load


class Question(NamedTuple):
    """A kind of question, a game file in which it is asked, and the seat that is asked."""

    kind: str
    text: str
    seat: str


@once
def questions() -> dict[str, Question]:
    """A question of every kind, where it can be with a pattern among its answers."""
    found: dict[str, Question] = {}
    for one, seeds in SETS:
        for seed in seeds:
            for kind, seat, session in first_asked(one, seed, frozenset(found)):
                found[kind] = Question(kind, signed_text(session.file, REFEREE), seat)
    return found


def judged(text: str, *notes: str) -> tuple[list[Verdict], GameFile]:
    """The referee's word about notes to a game file, and the file after them."""
    file = load(text)
    session = Session.replay(file, opening.deal_secret(file, REFEREE), texts_of(file, REFEREE))
    judge = Judge(session, REFEREE, NOON)
    verdicts = judge.apply([("note", found) for note in notes for found in find(note)])
    session.refresh()
    return verdicts, session.file
