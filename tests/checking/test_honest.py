"""No honest referee is accused: every file of whole games holds, alone and beside others."""

from __future__ import annotations

import itertools

import pytest

from referee.checking.audit import audit
from referee.checking.compare import NEWER, OLDER, compare
from referee.checking.verify import verify
from referee.games import rules_of
from referee.games.interface import Rules
from referee.table import chain, opening
from referee.table.gamefile import GameFile
from referee.table.times import Clock
from tests.table.tables import REFEREE, load
from tests.table.walks import TERMS, Walk
from tests.toys import toy_rules


def sanjuan(*expansions: str) -> Rules:
    return rules_of("sanjuan").choose("2004" if expansions else None, expansions, [], {})


def xanadu() -> Rules:
    return rules_of("xanadu").choose(None, [], [], {})


WALKS = [
    ("2014", 3, sanjuan(), TERMS),
    ("2004", 4, sanjuan("new-buildings", "events"), TERMS._replace(late="pass")),
    ("two", 2, sanjuan(), None),
    ("xanadu", 3, xanadu(), TERMS),
    ("leaving", 3, sanjuan(), Clock(60, "bot", 12, 28, hourly=True, skip="weekends", offset=-300)),
    ("leaving, too", 4, xanadu(), None),
    ("six", 6, xanadu(), None),
    *((name, 3, newest.choose(None, [], [], {}), TERMS) for name, newest in toy_rules().items()),
]


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(("seed", "seats", "rules", "clock"), WALKS, ids=[one[0] for one in WALKS])
def test_every_file_holds_and_continues_all_before_it(
    seed: str, seats: int, rules: Rules, clock: Clock | None
) -> None:
    leaving = seed.startswith("leaving")
    walk = Walk(seed, seats, rules, clock, leaving=leaving).go(48 if leaving else 32)
    files = [load(text) for text in walk.table.texts]
    lines = [chain.heads(file) for file in files]
    for file, heads in zip(files, lines, strict=True):
        verify(file, heads)
    every = list(zip(files, lines, strict=True))
    for apart in (1, 2, 4, 8, 16, len(files) - 1):
        for older, newer in zip(every, every[apart:], strict=False):
            assert compare(*older, *newer).relation == NEWER
            assert compare(*newer, *older).relation == OLDER
    for before, after in itertools.pairwise(files):
        assert_hands_follow(walk, before, after)
    assert_hands_follow(walk, files[len(files) // 2], files[-1])
    last = files[-1]
    assert any(".transfer." in entry.decision for entry in last.log)
    assert any(".leave." in entry.decision for entry in last.log) == leaving
    assert clock is None or any(entry.by == chain.REFEREE for entry in last.log[1:])
    audit(last, lines[-1], opening.deal_secret(last, REFEREE))


def assert_hands_follow(walk: Walk, before: GameFile, after: GameFile) -> None:
    for name in walk.keys:
        hands = {file.step: walk.hand(file, name) for file in (before, after)}
        known = {step: hand for step, hand in hands.items() if hand is not None}
        done = compare(before, chain.heads(before), after, chain.heads(after), known).done
        assert len(known) < 2 or done[-1].startswith("your hand")
