"""Workers that stay: several over one Maildir, none deals with a message that another has."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from referee.cli import mailbag, mailwatch
from referee.cli.mailbag import maildir_messages
from referee.mail.claims import Claims
from referee.table.clock import bots_think, owed_decisions
from tests.mail.conftest import Open
from tests.mail.office import HOST, NOW, Office, names, run
from tests.mail.test_in import another_game
from tests.table.tables import Table, load

WORDS = ("mail", "in", "--games", ".", "--maildir", "box", *HOST, "--now", NOW)


@pytest.fixture
def box(office: Open) -> Office:
    """A game, and a Maildir."""
    for folder in ("new", "cur", "tmp"):
        (Path("box") / folder).mkdir(parents=True)
    return office("keeping")


def put(name: str, mail: bytes) -> None:
    (Path("box/new") / name).write_bytes(mail)


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let a worker be stopped by SIGTERM when it has nothing to do; the waits that it made."""
    waits: list[float] = []

    def wait(stop: mailwatch.Stop, seconds: float) -> None:
        waits.append(seconds)
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(mailwatch.Stop, "wait", wait)
    return waits


def test_a_worker_deals_with_all_and_ends_on_a_signal(box: Office, idle: list[float]) -> None:
    before = signal.getsignal(signal.SIGTERM)
    put("1.a", box.mail("ana", box.note("ana")))
    put("2.a", box.mail("ben", box.note("ben")))
    done = run(*WORDS, "--watch", "--every", "7")
    assert (done.code, idle) == (0, [7]), done.err
    assert names("box/cur") == ["1.a:2,S", "2.a:2,S"]
    assert names("box/new") == []
    assert box.file.step > 2
    assert signal.getsignal(signal.SIGTERM) == before


def test_many_messages_come_in_several_rounds(
    box: Office, idle: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailwatch, "AT_ONCE", 2)
    for number in range(5):
        put(f"{number}.a", box.mail("zoe", "Hello\n"))
    done = run(*WORDS, "--watch")
    assert (done.code, len(names("box/cur"))) == (0, 5)
    assert done.err.count("about no game here") == 5


def test_what_another_run_has_claimed_is_left_to_it(box: Office, idle: list[float]) -> None:
    put("1.a", box.mail("ana", box.note("ana")))
    script = (
        "import sys; from pathlib import Path; from referee.mail.claims import Claims\n"
        "assert Claims(Path('box')).take('1.a'); print('held', flush=True); sys.stdin.read()\n"
    )
    words = [sys.executable, "-c", script]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        for more in ([], ["--watch"]):
            assert run(*WORDS, *more).code == 0
            assert names("box/new") == ["1.a"]
        other.kill()
    # What it had claimed is free again.
    assert run(*WORDS, "--watch").code == 0
    assert names("box/cur") == ["1.a:2,S"]
    assert len(box.file.pending) == 1


def test_a_message_that_another_run_has_dealt_with_meanwhile(box: Office) -> None:
    put("1.a", box.mail("ana", "Hello\n"))
    with closing(Claims(Path("box"))) as claims:
        (message,) = maildir_messages(Path("box"), claims)
        Path("box/new/1.a").rename("box/cur/1.a:2,S")
        assert message.read() == b""


def test_a_message_that_must_wait_rests_and_holds_up_no_other(
    box: Office, idle: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailwatch, "AT_ONCE", 1)
    another_game(box)
    Path("two/game.toml").write_text("#:schema game.schema.json\n")
    put("1.a", box.mail("zoe", "Hello\n"))
    put("2.a", box.mail("ana", box.note("ana")))
    done = run(*WORDS, "--watch")
    assert (done.code, done.err.count("about no game here")) == (0, 1)
    assert (names("box/new"), names("box/cur")) == (["1.a"], ["2.a:2,S"])


def test_a_worker_that_is_killed_loses_nothing(box: Office, idle: list[float]) -> None:
    put("1.a", box.mail("ana", box.note("ana")))
    child = os.fork()
    if not child:
        patch = pytest.MonkeyPatch()
        patch.setattr(mailbag, "move_over", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        run(*WORDS, "--watch")
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert names("box/new") == ["1.a"]
    count = len(names("mails")) if Path("mails").exists() else 0
    assert run(*WORDS, "--watch").code == 0
    assert names("box/cur") == ["1.a:2,S"]
    assert len(box.file.pending) == 1
    assert len(names("mails")) in (count, 1)


@pytest.fixture
def unwatched(office: Open) -> Office:
    """A game with a clock, a game whose bots are to go on, and a Maildir without messages."""
    for folder in ("new", "cur", "tmp"):
        (Path("box") / folder).mkdir(parents=True)
    at = office("timed")
    table = Table(3, "bots", bots={"ben": "easy-1", "carl": "easy-1"}).join_all()
    while not bots_think(table.file):
        decision = owed_decisions(table.file)[0]
        table.apply(table.note(decision, table.view("ana").suggest()), thinking=0)
    Path("bots").mkdir()
    Path("bots/game.toml").write_text(table.text)
    return at


@pytest.mark.parametrize("more", [[], ["--answers-only"]])
def test_a_worker_answers_for_the_late_and_lets_bots_go_on(
    unwatched: Office, idle: list[float], more: list[str]
) -> None:
    words = WORDS[:-1]
    before = Path("game.toml").read_bytes()
    assert run(*words, "2026-03-05T11:00:00Z", "--watch", *more).code == 0
    # The time of grace lasts until noon.
    assert Path("game.toml").read_bytes() == before
    assert not bots_think(load(Path("bots/game.toml").read_text()))
    done = run(*words, "2026-03-05T12:00:01Z", "--watch", *more)
    assert done.code == 0
    assert "game.toml: 1.1.role.ana: role builder (late)" in done.out
    assert unwatched.file.step == 2
    # One question for each game, the second of them with the news of a late answer.
    assert unwatched.kinds() == ([] if more else ["ana prompt"] * 2)
    assert any("answered for you" in text for text in unwatched.texts("ana prompt")) == (not more)
    assert run(*words, "2026-03-05T12:00:01Z", "--watch", *more).out == ""


def test_an_email_of_a_worker_that_could_not_go_out_is_tried_again(
    unwatched: Office, idle: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailwatch, "LOOK", 0.0)
    monkeypatch.setattr(mailwatch, "SHARE", 0)
    Path("addresses.toml").write_text(
        Path("addresses.toml").read_text().replace('eml = "mails"', 'pipe = "false"')
    )
    rounds = []

    def wait(stop: mailwatch.Stop, seconds: float) -> None:
        rounds.append(seconds)
        stop.wished = len(rounds) > 2
        Path("addresses.toml").write_text(
            Path("addresses.toml").read_text().replace('pipe = "false"', 'eml = "mails"')
        )

    monkeypatch.setattr(mailwatch.Stop, "wait", wait)
    done = run(*WORDS[:-1], "2026-03-05T12:00:01Z", "--watch")
    assert unwatched.kinds() == ["ana prompt"] * 2, (done.out, done.err)


def test_what_is_no_maildir_ends_a_worker_at_once(office: Open) -> None:
    office("dealt")
    assert run(*WORDS, "--watch").code == 75
    assert run("mail", "in", "--games", ".", "--watch").code == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_wait_also_one_that_had_not_begun(number: int) -> None:
    with mailwatch.stopped_by_signals() as stop:
        os.kill(os.getpid(), number)
        assert stop.wished
        # Or it would last for ever, as what has been wished is looked at before the wait.
        stop.wished = False
        stop.wait(10**6)
