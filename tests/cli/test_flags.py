"""Flags and plays say the same, for every play of whole games."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.app import Commands
from referee.cli.commands import COMMANDS
from referee.cli.flags import as_flags, command, flags_of
from referee.cli.move import MoveCommand
from referee.games import words
from referee.games.phrases import phrases_of
from tests.cli.saying import phrases
from tests.cli.world import story
from tests.table.tables import load


def test_every_play_of_a_game() -> None:
    log = load(story().text).log
    assert len({entry.play for entry in log}) > 30
    for entry in log:
        if entry.by != "referee":
            flags = flags_of(entry.play, words())
            assert flags[0] != "--play"
            assert phrases(flags) == phrases_of(entry.play, words())


@pytest.mark.parametrize(
    ("play", "flags"),
    [
        ("build chapel pay a", ["--build", "chapel", "--pay", "a"]),
        ("chapel a discard b c", ["--chapel", "a", "--discard", "b", "--discard", "c"]),
        ("role builder no-library", ["--role", "builder", "--no-library"]),
        ("sell PLOT…", ["--sell", "PLOT…"]),
        ("pass", ["--pass"]),
        ("dance wildly", ["--play", "dance wildly"]),
    ],
)
def test_flags_of(play: str, flags: list[str]) -> None:
    assert flags_of(play, words()) == flags


def test_names_are_quoted_for_the_shell() -> None:
    told = command(Path("my game.toml"), "pass", words(), ["--key", "my key"])
    assert told == "sanjuan-ref move 'my game.toml' --pass --key 'my key'"


def test_what_a_referee_calls_a_card_is_no_command_of_a_shell() -> None:
    told = command(Path("game.toml"), "build well pay $(rm) A;B PLOT…", words())
    assert told == ("sanjuan-ref move game.toml --build well --pay '$(rm)' --pay 'A;B' --pay PLOT…")


@pytest.mark.parametrize(
    ("usage", "flags"),
    [
        ("role ROLE [no-library]", "--role ROLE [--no-library]"),
        ("build CARD [pay LETTER…], or pass", "--build CARD [--pay CARD…], or --pass"),
        ("keep LETTER… or discard LETTER…", "--keep CARD… or --discard CARD…"),
    ],
)
def test_how_plays_are_formed_is_told_in_flags(usage: str, flags: str) -> None:
    assert as_flags(usage, words()) == flags


def test_a_word_that_takes_several_is_one_flag() -> None:
    flags = flags_of("sell 1 work a ben 2 work d ana 1 build barracks", words())
    assert flags == ["--sell", "1", "--work", "a ben 2", "--work", "d ana 1", "--build", "barracks"]
    assert flags_of("work LETTER ben 7", words()) == ["--work", "CARD ben 7"]


def test_every_command_is_found_and_described() -> None:
    group = Commands(name="sanjuan-ref")
    for name in COMMANDS:
        found = group.get_command(None, name)
        assert found.name == name
        assert found.help


def test_no_word_of_a_game_hides_an_option() -> None:
    move = Commands(name="sanjuan-ref").get_command(None, "move")
    assert isinstance(move, MoveCommand)
    assert set(move.words.values()) == set(words())
