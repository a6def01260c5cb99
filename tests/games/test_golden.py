"""Recorded games go on as they went: the same plays, public lines and views, to the letter."""

from __future__ import annotations

from importlib import import_module

import pytest

from referee.games import GAMES, part
from tests.games.golden import RAISE, Album, meaning

ALBUMS: list[Album] = [import_module(f"tests.games.{game}.golden").ALBUM for game in GAMES]


@pytest.mark.parametrize(
    ("album", "name"), [(album, name) for album in ALBUMS for name in album.games]
)
def test_a_recorded_game_replays_to_the_letter(album: Album, name: str) -> None:
    text = album.path(name).read_text("utf-8")
    assert album.replay(text).splitlines() == text.splitlines()


@pytest.mark.parametrize(
    ("album", "name"), [(album, name) for album in ALBUMS for name in album.games]
)
def test_a_changed_ruling_has_a_version_of_its_own(album: Album, name: str) -> None:
    """Also where the recording was changed with it, by hand."""
    version = album.games[name].version
    asked = RAISE.format(name=name, version=version, module=album.module)
    for text in (album.path(name).read_text("utf-8"), album.again(name)):
        assert meaning(text) == album.pins[str(version)][name], asked


@pytest.mark.parametrize("album", ALBUMS)
def test_every_version_that_there_is_has_its_recorded_games(album: Album) -> None:
    versions = part(album.module, "rules").VERSIONS
    numbers = [rules.version for rules in versions]
    assert numbers == sorted(set(numbers))
    assert {which.version for which in album.games.values()} == set(numbers)
    assert {str(number) for number in numbers} == set(album.pins)


@pytest.mark.parametrize("album", ALBUMS)
def test_nothing_else_is_recorded(album: Album) -> None:
    assert {path.stem for path in album.folder.glob("*.txt")} == {*album.games}
    for text, which in zip(album.texts(), album.games.values(), strict=True):
        rules, seats = (line.split() for line in text.splitlines()[:2])
        wanted = [str(which.version), *which.rules.split()]
        assert (rules[1:], len(seats[1:])) == (wanted, which.seats)
