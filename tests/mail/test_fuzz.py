"""No damage to a mail raises anything, makes another note of one, or takes much work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from referee.crypto.sealing import unseal
from referee.games.errors import GameError
from referee.notes import mime
from referee.notes.finding import Found, find_in_bytes
from tests.mail.fuzz import variant
from tests.mail.samples import NOTES, name_of
from tests.table.tables import REFEREE


class Work:
    """Counts what is done for one mail: parts that are entered, and bytes that are looked at."""

    def __init__(self) -> None:
        self.parts = 0
        self.bytes = 0


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    counted = Work()
    part = mime._Reader.part

    def counting(reader: mime._Reader, one: mime._Part, body: bytes, depth: int) -> None:
        counted.parts += 1
        counted.bytes += len(body)
        part(reader, one, body, depth)

    monkeypatch.setattr(mime._Reader, "part", counting)
    return counted


def meant(found: list[Found]) -> Iterator[str]:
    """The notes that a referee would take from what was found: those that their seats signed."""
    for one in found:
        assert sum(thing is not None for thing in (one.signed, one.sealed, one.error)) == 1
        if one.error is not None:
            assert one.error.message.isprintable()
        elif one.sealed is None:
            yield name_of(one)
        else:
            try:
                unseal(one.sealed, REFEREE)
            except GameError:
                continue
            yield name_of(one)


def fuzzed(seeds: range, work: Work) -> Counter[str]:
    """Count how often each note came through, and how often none did."""
    through: Counter[str] = Counter()
    for seed in seeds:
        data = variant(seed)
        work.parts = work.bytes = 0
        found = find_in_bytes(data)
        assert found, seed
        notes = set(meant(found))
        # `name_of` finds a note that its seat signed among NOTES or raises; all else is no play.
        assert notes <= {*NOTES, "forged"}, seed
        assert work.parts <= mime.PARTS + 1, seed
        assert work.bytes <= (mime.DEPTH + 2) * len(data), seed
        through.update(notes - {"forged"} or {"none"})
    return through


def test_damaged_mails(work: Work) -> None:
    through = fuzzed(range(500), work)
    # Most of the damage is not so bad, or this would prove nothing.
    assert through["ana"] > 150
    assert through["none"] > 50


@pytest.mark.long
def test_ten_thousand_damaged_mails(work: Work) -> None:
    through = fuzzed(range(10_000), work)
    assert through["ana"] > 3_000
    assert through["none"] > 1_000
    assert set(NOTES) - {"dora"} < set(through)
