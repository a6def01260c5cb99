"""Damaged emails do nothing to a game, or what their authors signed."""

from __future__ import annotations

import base64
import random
from collections import Counter
from pathlib import Path
from shutil import rmtree

import pytest

from referee.cli.main import main
from referee.crypto.sealing import unseal
from referee.notes.finding import Found, find, find_in_bytes
from referee.notes.kinds import Move
from referee.refereeing import commit
from referee.table.decisions import DecisionId
from referee.table.gamefile import GameFile
from tests.cli.world import lay_out, story, text_of
from tests.mail.fuzz import DAMAGES
from tests.table.tables import NOON, REFEREE, Table, load

HEAD = "From: Ana <ana@example.com>\nTo: Dora <dora@example.org>\nMIME-Version: 1.0\n"


@pytest.fixture(scope="module")
def notes() -> list[str]:
    """Good answers to the two questions that are open together in `keeping`."""
    table = Table(len(story().file.seats))
    table.text = text_of("keeping")
    asked = table.file.asked_ids()
    assert len(asked) == 2
    return [table.note(one, table.view(DecisionId.parse(one).seat).suggest()) for one in asked]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    lay_out(tmp_path, "keeping")
    return tmp_path / "game.toml"


def mails(notes: list[str]) -> list[bytes]:
    """Mails with both notes, in several forms."""
    one, other = notes
    parts = [
        f"Content-Type: text/plain; charset=utf-8\n\n{one}\n",
        "Content-Type: application/octet-stream; name=note\nContent-Transfer-Encoding: base64\n\n"
        + base64.encodebytes(other.encode()).decode(),
    ]
    mixed = "Content-Type: multipart/mixed; boundary=b\n\n"
    inner = f"Content-Type: message/rfc822\n\n{HEAD}{parts[1]}"
    return [
        f"{HEAD}\n{one}\n> {other.replace(chr(10), chr(10) + '> ')}\n".encode(),
        f"{HEAD}{mixed}--b\n{parts[0]}--b\n{parts[1]}--b--\n".encode(),
        f"{HEAD}{mixed}--b\n{inner}--b\n{parts[0]}".encode(),
    ]


def plays(file: GameFile) -> set[tuple[str, str]]:
    """The answers in a file, those that wait included."""
    answers = {(entry.decision, entry.play) for entry in file.log}
    for one in file.pending:
        answers |= signed(find(unseal(one.sealed, REFEREE)))
    return answers


def signed(found: list[Found]) -> set[tuple[str, str]]:
    notes = [one.signed.note for one in found if one.signed]
    return {(note.turn, note.play) for note in notes if isinstance(note, Move)}


def applied(seeds: range, game: Path, notes: list[str]) -> Counter[int]:
    """Count how often so many of the two notes came through and were applied."""
    old, books = game.read_bytes(), game.parent / "books"
    before = plays(load(old.decode()))
    meant = set().union(*(signed(find(unseal(note, REFEREE))) for note in notes))
    count: Counter[int] = Counter()
    for seed in seeds:
        rng = random.Random(seed)
        data = rng.choice(mails(notes))
        for _ in range(rng.randint(1, 4)):
            data = rng.choice(DAMAGES)(rng, data)
        # An empty one each time, because to it the old file is one that was overtaken.
        rmtree(books, ignore_errors=True)
        books.mkdir()
        with commit.open_game(game, REFEREE, ledger=books / "ledger") as desk:
            verdicts = commit.apply_notes(
                desk, [("mail", one) for one in find_in_bytes(data)], NOON
            )
        assert verdicts, seed
        good = sum(one.error is None for one in verdicts)
        new = game.read_bytes()
        assert (new == old) == (good == 0), seed
        answers = plays(load(new.decode())) - before
        # What follows when both have answered is the rules' own.
        assert len(answers & meant) == good, seed
        assert answers <= meant, seed
        count[good] += 1
        game.write_bytes(old)
    return count


def test_damaged_mails_are_applied_as_signed_or_not_at_all(game: Path, notes: list[str]) -> None:
    count = applied(range(60), game, notes)
    assert min(count[0], count[1], count[2]) > 4


@pytest.mark.long
def test_ten_thousand_damaged_mails_lose_no_game(game: Path, notes: list[str]) -> None:
    count = applied(range(10_000), game, notes)
    assert min(count[0], count[1], count[2]) > 500


def test_a_mail_far_larger_than_a_note_is_applied(
    game: Path, notes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player attaches the game file, too; so the command reads more than a note is long."""
    monkeypatch.chdir(game.parent)
    attached = f"--b\nContent-Disposition: attachment\n\n{game.read_text()}{'# more' * 100_000}\n"
    start = f"{HEAD}Content-Type: multipart/mixed; boundary=b\n\n"
    Path("mail").write_text(f"{start}{attached}--b\n\n{notes[0]}\n--b--\n")
    assert main(["apply", "game.toml", "mail", "--referee-key", "referee.key"]) == 0
    assert len(load(game.read_text()).pending) == 1
