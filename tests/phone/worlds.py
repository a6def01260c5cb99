"""Games for the app: a file for every kind of question that there is."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from referee.games import rules_of
from referee.notes.finding import find
from referee.notes.kinds import Move
from referee.refereeing.judging import Judge, Verdict
from referee.table import opening
from referee.table.gamefile import GameFile
from referee.table.planreplay import texts_of
from referee.table.replay import Session
from referee.table.signing import signed_text
from tests.once import once
from tests.page.worlds import SETS, Setting
from tests.table.tables import NOON, REFEREE, Table, key_of, load


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
            for asked in _asked(one, seed, frozenset(found)):
                found[asked.kind] = asked
    return found


def _asked(setting: Setting, seed: str, known: frozenset[str]) -> Iterator[Question]:
    module, edition, expansions, variants, seats = setting
    rules = rules_of(module).choose(edition, expansions, variants, {})
    file = Table(seats, seed, rules=rules, plans=True).join_all().file
    session = Session.replay(file, opening.deal_secret(file, REFEREE))
    chance = random.Random(seed)
    kinds = set(known)
    while batch := session.decisions():
        for one in batch:
            view = session.view(one.seat)
            told = file.step > 40 or any(not choice.exact for choice in view.choices())
            if one.kind not in kinds and told:
                kinds.add(one.kind)
                session.refresh()
                yield Question(one.kind, signed_text(session.file, REFEREE), one.seat)
        moves = []
        for one in batch:
            view = session.view(one.seat)
            plays = view.plays()
            play = chance.choice(plays) if plays and chance.random() < 0.6 else view.suggest()
            move = Move(file.game, one.id, file.step, session.head.hex(), play)
            moves.append((one, move, move.sign(key_of(one.seat))))
        seen = file.step
        for one, move, signature in moves:
            session.accept(one.id, one.seat, move.play, seen, signature)


def judged(text: str, *notes: str) -> tuple[list[Verdict], GameFile]:
    """The referee's word about notes to a game file, and the file after them."""
    file = load(text)
    session = Session.replay(file, opening.deal_secret(file, REFEREE), texts_of(file, REFEREE))
    judge = Judge(session, REFEREE, NOON)
    verdicts = judge.apply([("note", found) for note in notes for found in find(note)])
    session.refresh()
    return verdicts, session.file
