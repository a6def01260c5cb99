"""Recorded games go on as they went: the same plays, public lines and views, to the letter."""

from __future__ import annotations

from importlib import import_module

import pytest

from tests.games.golden import RAISE, Album, meaning
from tests.games.sanjuan.golden import ALBUM as SANJUAN
from tests.games.xanadu.golden import ALBUM as XANADU


@pytest.mark.parametrize(
    ("album", "name"), [(album, name) for album in (SANJUAN, XANADU) for name in album.games]
)
def test_a_recorded_game_replays_to_the_letter(album: Album, name: str) -> None:
    text = album.path(name).read_text("utf-8")
    assert album.replay(text).splitlines() == text.splitlines()


@pytest.mark.parametrize(
    ("album", "name"), [(album, name) for album in (SANJUAN, XANADU) for name in album.games]
)
def test_a_changed_ruling_has_a_version_of_its_own(album: Album, name: str) -> None:
    """Also where the recording was changed with it, by hand."""
    version = album.games[name].version
    asked = RAISE.format(name=name, version=version, module=album.module)
    for text in (album.path(name).read_text("utf-8"), album.again(name)):
        assert meaning(text) == album.pins[str(version)][name], asked


@pytest.mark.parametrize("album", [SANJUAN, XANADU])
def test_every_version_that_there_is_has_its_recorded_games(album: Album) -> None:
    versions = import_module(f"referee.games.{album.module}.rules").VERSIONS
    numbers = [rules.version for rules in versions]
    assert numbers == sorted(set(numbers))
    assert {which.version for which in album.games.values()} == set(numbers)
    assert {str(number) for number in numbers} == set(album.pins)


@pytest.mark.parametrize("album", [SANJUAN, XANADU])
def test_nothing_else_is_recorded(album: Album) -> None:
    assert {path.stem for path in album.folder.glob("*.txt")} == {*album.games}
    for text, which in zip(album.texts(), album.games.values(), strict=True):
        rules, seats = (line.split() for line in text.splitlines()[:2])
        wanted = [str(which.version), *which.rules.split()]
        assert (rules[1:], len(seats[1:])) == (wanted, which.seats)


def test_the_recorded_games_of_san_juan_show_every_kind_of_decision() -> None:
    assert SANJUAN.kinds() == {
        *("role", "build", "produce", "sell", "keep", "tidy", "draft", "office", "mine"),
        *("earthquake", "taxes", "amnesty", "free-build"),
    }


def test_the_recorded_games_of_xanadu_show_what_can_happen() -> None:
    assert XANADU.kinds() == {*XANADU.rules_of(1, ["base"]).kinds}
    lines = [line for text in XANADU.texts() for line in text.splitlines()]
    for said in ("sell", "work", "build", "full", "clear", "reset", "end", "pass 3 of 3", "open"):
        assert any(f"{line} ".startswith(f"  {said} ") for line in lines), said
    tables = {(which.seats, which.rules.split()[0]) for which in XANADU.games.values()}
    assert tables == {
        *((seats, "base") for seats in range(2, 7)),
        *((seats, "advanced") for seats in range(2, 5)),
    }
