"""The journal: what is in it after any interruption, and where mails are put."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from referee.errors import Damaged
from referee.mail import journal, outbox
from referee.mail.addresses import Way
from referee.mail.journal import Journal, Sent
from referee.storage import NotWritten
from referee.table import times

THEN = times.parse_time("2026-11-28T09:00:00Z")
LATER = times.parse_time("2026-11-29T09:00:00Z")
MAILS = (
    Sent(THEN, "invite", "ana", 0, "join"),
    Sent(LATER, "answer", "ana", 1, "1.1.role.ana", "ab" * 32),
    Sent(LATER, "refusal", "ben-2", 12, "", "cd" * 32),
    Sent(LATER, "refusal", "ben-2", 13, "", "ee" * 32 + ",aa:14,bb:counts"),
    Sent(LATER, "failed", "ben-2", 13, "", "ff" * 8),
)


def filled(path: Path) -> None:
    with Journal.open(path) as memory:
        for one in MAILS:
            memory.record(one)


def test_what_is_recorded_is_known(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "journal"
    filled(path)
    with Journal.open(path) as memory:
        assert tuple(memory.sent) == MAILS
        assert memory.told("ana", "join", "ab" * 8) == THEN
        assert memory.told("ben-2", "join", "") is None
        assert memory.answered("ben-2", "cd" * 32)
        assert not memory.answered("ana", "cd" * 32)
        assert memory.has("answer", "ana", "1.1.role.ana", "")
        assert not memory.has("remind", "ana", "1.1.role.ana", "")
        assert memory.count("refusal", "ben-2", 12) == 1
        for signed in (False, True):
            assert memory.since(THEN, "refusal", "ben-2", signed=signed) == 1
            assert memory.since(LATER, "refusal", "ben-2", signed=signed) == 0
        assert memory.said("ben-2", "aa:14")
        assert not memory.said("ana", "aa:14")
        assert not memory.said("ben-2", "bb:14")
        assert memory.answered("ben-2", "ee" * 32)
        assert memory.failed("ben-2", "ff" * 8, THEN)
        assert not memory.failed("ben-2", "ff" * 8, LATER)


def test_a_line_that_was_cut_off_is_no_line(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    filled(path)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        kept = whole[:size].count(b"\n")
        with Journal.open(path) as memory:
            assert tuple(memory.sent) == MAILS[:kept]
            memory.record(MAILS[2])
        assert path.read_bytes() == b"".join(lines[:kept]) + lines[2]


def test_a_journal_is_not_read_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The older half goes; what is known after that is recorded behind it."""
    path = tmp_path / "journal"
    filled(path)
    size = path.stat().st_size
    monkeypatch.setattr(journal, "MAX_JOURNAL", size)
    filled(path)
    assert path.stat().st_size == 2 * size
    with Journal.open(path) as memory:
        kept = list(memory.sent)
        assert tuple(kept) == MAILS[len(MAILS) - len(kept) :]
        memory.record(MAILS[0])
    with Journal.open(path) as memory:
        assert memory.sent == [*kept, MAILS[0]]


@pytest.mark.parametrize(
    "line", ["x", "2026-11-28T09:00:00Z a b", "yesterday-at-nine-oclock a b 1 - -"]
)
def test_a_foreign_line_is_damage(tmp_path: Path, line: str) -> None:
    path = tmp_path / "journal"
    path.write_text(line + "\n")
    with pytest.raises(Damaged), Journal.open(path):
        pass


def test_a_journal_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotWritten), Journal.open(tmp_path / "file" / "journal"):
        pass


@pytest.mark.parametrize(
    "way",
    [
        Way("pipe", "false"),
        Way("pipe", "/does/not/exist"),
        Way("pipe", "'"),
        Way("pipe", " "),
        Way("eml", "file/x"),
        Way("maildir", "file/x"),
        Way("maildir", "file"),
    ],
)
def test_what_cannot_be_handed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Way
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("in the way")
    with pytest.raises(NotWritten):
        outbox.put(way, "name", "text\n")
    assert Path("file").read_text() == "in the way"


def test_a_command_gets_the_mail_and_no_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert outbox.put(Way("pipe", "tee 'a b; $HOME'"), "name", "text\n") == "tee"
    assert Path("a b; $HOME").read_text() == "text\n"


def test_a_command_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "TIMEOUT", 0.1)
    with pytest.raises(NotWritten, match="took longer"):
        outbox.put(Way("pipe", "sleep 5"), "name", "text\n")


def test_the_same_mail_again_replaces_its_file(tmp_path: Path) -> None:
    way = Way("eml", str(tmp_path / "a" / "b"))
    for text in ("one\n", "two\n"):
        outbox.put(way, "name", text)
    assert os.listdir(tmp_path / "a" / "b") == ["name.eml"]  # noqa: PTH208 - also hidden ones
    assert (tmp_path / "a" / "b" / "name.eml").read_text() == "two\n"
