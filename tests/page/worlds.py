"""Games in memory for pages: every kind of question, with the page of the seat that is asked."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import NamedTuple

from referee.games import rules_of
from referee.games.interface import View
from referee.notes.kinds import Move
from referee.playing.planning import Planner
from referee.playing.reader import Reader
from referee.render.page.model import Model, model_of
from referee.render.page.planned import ahead_of
from referee.render.page.write import page
from referee.table import opening
from referee.table.gamefile import GameFile
from referee.table.replay import Session
from tests.make_examples import EXAMPLES
from tests.table.tables import REFEREE, Table, key_of, load

COMMAND = "sanjuan-ref move game.toml"
PLAN = "sanjuan-ref plan game.toml"

Setting = tuple[str, str | None, tuple[str, ...], tuple[str, ...], int]
# (game, edition, expansions, variants, seats) and seeds that together ask every kind of question.
SETS: tuple[tuple[Setting, tuple[str, ...]], ...] = (
    (("sanjuan", "2014", ("new-buildings", "events"), ("draft-start",), 4), ("a 0 0", "a 0 1")),
    (("sanjuan", "2004", ("new-buildings",), (), 3), ("a 1 4",)),
    (("xanadu", None, (), (), 3), ("a 2 0", "a 2 9")),
)


class Asked(NamedTuple):
    """One question: the page of the seat that is asked it, and what the seat may know."""

    kind: str
    text: str
    view: View
    model: Model


def game_of(name: str) -> GameFile:
    """A game of `examples`."""
    return load((EXAMPLES / name / "game.toml").read_text())


@cache
def all_kinds() -> dict[str, Asked]:
    """A question of every kind there is, the one with most kinds of answers."""
    found: dict[str, Asked] = {}
    for one, seeds in SETS:
        for seed in seeds:
            for asked in _questions(one, seed, known=frozenset(found)):
                found[asked.kind] = asked
    return found


def _questions(setting: Setting, seed: str, known: frozenset[str]) -> Iterator[Asked]:
    for kind, name, session in first_asked(setting, seed, known):
        # The session goes on with its file.
        file, key = deepcopy(session.file), key_of(name)
        hand = session.hand(name, file.step)
        ahead = ahead_of(Planner(file, Reader(file.seat(name), key, hand)), PLAN)
        model = model_of(file, hand, COMMAND, "--key ana.key", ahead)
        yield Asked(kind, page(model), session.view(name), model)


def first_asked(
    setting: Setting, seed: str, known: frozenset[str]
) -> Iterator[tuple[str, str, Session]]:
    """The first questions of each kind in a game of random plays, but for those known: the kind,
    the seat that is asked, and the session as it stands then."""
    module, edition, expansions, variants, seats = setting
    rules = rules_of(module).choose(edition, expansions, variants, {})
    file = Table(seats, seed, rules=rules, plans=True).join_all().file
    session = Session.replay(file, opening.deal_secret(file, REFEREE))
    chance = random.Random(seed)
    kinds = set(known)
    while batch := session.decisions():
        moves = []
        for one in batch:
            view = session.view(one.seat)
            # A question that has a pattern among its answers says more than one that has none.
            if one.kind not in kinds and (
                file.step > 40 or any(not choice.exact for choice in view.choices())
            ):
                kinds.add(one.kind)
                session.refresh()
                yield one.kind, one.seat, session
            plays = view.plays()
            play = chance.choice(plays) if plays and chance.random() < 0.6 else view.suggest()
            move = Move(file.game, one.id, file.step, session.head.hex(), play)
            moves.append((one, move, move.sign(key_of(one.seat))))
        seen = file.step
        for one, move, signature in moves:
            session.accept(one.id, one.seat, move.play, seen, signature)
