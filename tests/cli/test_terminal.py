"""Somebody at a terminal: questions, passphrases, colours, and what must never reach it."""

from __future__ import annotations

import os
import re
import select
import shlex
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.render.text import terminal
from tests.cli.world import lay_out, locked

PATIENCE = 30
ROOT = str(Path(__file__).parents[2])


def typed(
    place: Path,
    words: Sequence[str],
    *dialogue: tuple[str, str],
    otherwise: Mapping[str, str] | None = None,
    **more: str,
) -> str:
    """Return what a command prints on a terminal of its own, where each prompt gets its answer.

    `otherwise` are answers by prompt, given as often as it comes. The exit code stands at the end.
    """
    # Where there is no such terminal, as on Windows, nothing can be typed at it.
    pty = pytest.importorskip("pty")
    env = {"PATH": os.defpath, "HOME": str(place), "PYTHONPATH": ROOT, "TERM": "xterm", **more}
    child, handle = pty.fork()
    if not child:
        # What runs in the background, or under nohup, is born deaf to these.
        for one in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
            signal.signal(one, signal.SIG_DFL)
        os.chdir(place)
        os.execve(sys.executable, [sys.executable, "-m", "referee", *words], env)
    said = b""
    left = list(dialogue)
    while True:
        if not select.select([handle], [], [], PATIENCE)[0]:
            os.kill(child, signal.SIGKILL)
            raise AssertionError(f"it waits for another answer: {said.decode()}")
        try:
            data = os.read(handle, 4096)
        except OSError:
            break
        if not data:
            break
        said += data
        if left and said.endswith(left[0][0].encode()):
            os.write(handle, left.pop(0)[1].encode() + b"\n")
            continue
        for prompt, answer in (otherwise or {}).items():
            if said.endswith(prompt.encode()):
                os.write(handle, answer.encode() + b"\n")
                break
    os.close(handle)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert not left, said.decode()
    return said.decode().replace("\r\n", "\n") + f"[{code}]"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    lay_out(tmp_path, "building")
    (tmp_path / "locked.key").write_bytes(locked("ana", "secret"))
    return tmp_path


BUILD = ["move", "game.toml", "--build", "chapel", "--key", "ana.key", "-o", "ana.move"]
ANY = ["move", "game.toml", "--key", "ana.key", "-o", "ana.move"]
ASKED, SIGN = "q to leave: ", "q leaves: "


def test_what_is_left_open_is_asked(place: Path) -> None:
    said = typed(place, BUILD, (ASKED, "9"), (ASKED, "1"), (SIGN, ""))
    assert "chapel costs 2 here: pay with which cards?" in said
    assert "the numbers go from 1 to 3" in said
    assert "1.1.build.ana: build chapel pay a b" in said
    assert "(smithy, quarry)" in said
    assert said.endswith("[0]")
    assert "\nplay build chapel pay a b\n" in (place / "ana.move").read_text()


@pytest.mark.parametrize("answer", ["a b", "quarry smithy", "smi qua", "build chapel pay b a"])
def test_an_answer_is_what_one_would_say(place: Path, answer: str) -> None:
    assert typed(place, BUILD, (ASKED, answer), (SIGN, "")).endswith("[0]")
    assert "\nplay build chapel pay a b\n" in (place / "ana.move").read_text()


def test_after_a_slip_it_is_asked_again(place: Path) -> None:
    slips = [(ASKED, "x y"), (ASKED, "c"), (ASKED, "dance"), (ASKED, "sell 1")]
    said = typed(place, BUILD, *slips, (ASKED, "a c"), (SIGN, ""), NO_COLOR="1")
    assert "error: you hold no card x" in said
    assert "chapel costs 2 here; you pay 1" in said
    assert "error: there is no card 'dance'" in said
    assert said.endswith("[0]")
    assert "\nplay build chapel pay a c\n" in (place / "ana.move").read_text()


def test_what_a_line_leaves_open_is_asked_next(place: Path) -> None:
    answers = [(ASKED, "4"), (ASKED, ""), (ASKED, "smithy quarry"), (SIGN, "")]
    said = typed(place, ANY, *answers, NO_COLOR="1")
    assert said.endswith("[0]")
    # What all answers have in common is said once, and Enter alone shows them again.
    assert said.count("pay with which cards? (for 2, leaves 1 card)") == 2
    assert "   1  pay a b   pay smithy, quarry" in said
    assert "\nplay build chapel pay a b\n" in (place / "ana.move").read_text()


def test_the_hand_is_shown_before_the_question(place: Path) -> None:
    said = typed(place, ANY, (ASKED, "? d"), (ASKED, "pass"), (SIGN, ""), NO_COLOR="1")
    assert said.index("c coffee-roaster 4/2") < said.index("What do you play?")
    assert "chapel (cost 3, points 2)" in said


@pytest.mark.parametrize(
    ("state", "key", "told"),
    [
        ("building", "ana", "Cards deck 100 discards 0"),
        ("ending", "ana", "cost/points, * came since your last play"),
        ("ending", "stranger", "error: the key stranger.key"),
        ("xanadu", "ana", "Cities price → with one more worker: gain + owner's favour; ● worker"),
        ("xanadu", "ana", "Xanadu substitute Your turn, ana: sell, work and build, or pass"),
        ("building", "ana", "○ has none"),
    ],
)
@pytest.mark.parametrize("wide", [80, 60])
def test_no_word_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str, key: str, told: str, wide: int
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    lay_out(tmp_path, state)
    words = ["show", "game.toml", "--key", f"{key}.key"]
    said = typed(tmp_path, words, COLUMNS=f"{wide}", LINES="24", PYTHONUTF8="1")
    lines = re.sub(r"\x1b\[[0-9;]*m", "", said).split("\n")
    assert [line for line in lines if len(line) > wide] == []
    assert told in " ".join(" ".join(lines).split())
    assert any(re.search("(deck|draw pile) .*discards", line) for line in lines)


def test_a_choice_from_a_menu_is_signed_only_after_enter(place: Path) -> None:
    said = typed(place, ANY, (ASKED, "1"), (SIGN, "q"), NO_COLOR="1")
    assert "  sanjuan-ref move game.toml --build smithy --key ana.key -o ana.move\n" in said
    assert "This question stays open." in said
    assert not (place / "ana.move").exists()


@pytest.mark.parametrize("answer", ["q", "\x04"])
def test_leaving_is_an_answer_too(place: Path, answer: str) -> None:
    said = typed(place, ANY, (ASKED, answer))
    assert "This question stays open." in said
    assert said.endswith("[1]")
    assert not (place / "ana.move").exists()


@pytest.fixture(params=[signal.default_int_handler, signal.SIG_IGN], ids=["front", "background"])
def interrupts(request: pytest.FixtureRequest) -> Iterator[None]:
    """Interrupts as they reach what runs in the foreground, and in the background of a script."""
    before = signal.signal(signal.SIGINT, request.param)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupts")
def test_who_interrupts_a_question_is_told_so(place: Path) -> None:
    said = typed(place, ANY, (ASKED, "\x03"), NO_COLOR="1")
    assert said.endswith("\nerror: interrupted\n[130]")
    assert not (place / "ana.move").exists()


def test_a_passphrase_is_asked_for(place: Path) -> None:
    words = ["show", "game.toml", "--key", "locked.key"]
    said = typed(place, words, ("locked.key: ", "secret"), NO_COLOR="1")
    assert "c coffee-roaster" in said
    assert "secret" not in said
    assert said.endswith("[0]")
    assert typed(place, words, ("locked.key: ", "wrong")).endswith("[18]")


def test_abandoning_is_asked_twice(place: Path) -> None:
    before = (place / "game.toml").read_bytes()
    words = ["abandon", "game.toml", "--referee-key", "referee.key"]
    assert typed(place, words, ("yes: ", "no")).endswith("[1]")
    assert (place / "game.toml").read_bytes() == before


def test_colours_only_where_they_are_wanted(place: Path) -> None:
    words = ["show", "game.toml", "--key", "ana.key"]
    assert "\x1b[1m" in typed(place, words)
    assert "\x1b" not in typed(place, words, NO_COLOR="1")
    assert "\x1b" not in typed(place, words, TERM="dumb")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, é ü", "plain text, é ü"),
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("a\rb\nc\x07\x9b", "a\\rb\\nc\\x07\\x9b"),
        ("\u202eright to left", "\\u202eright to left"),
    ],
)
def test_control_characters_are_escaped(text: str, shown: str) -> None:
    assert terminal.clean(text) == shown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Zo\u00eb", "Zoe"),
        ("\u00dcbung, stra\u00dfe", "Ubung, strasse"),
        ("a \u2192 b\u2026", "a -> b..."),
        ("\U0001f3b2 and \u65e5", "? and ?"),
        ("e\u0301", "e?"),
        ("plain", "plain"),
    ],
)
def test_what_a_terminal_cannot_show_becomes_something_like_it(text: str, said: str) -> None:
    assert text.encode("ascii", terminal.PLAIN) == said.encode()
    assert text.encode("utf-8", terminal.PLAIN) == text.encode()


TYPED = ("zo\u00eb", "\U0001f3b2", "b\u00f6\u65e5", "\u0437\u043e\u044f")


@pytest.mark.parametrize(
    "line",
    [
        "new x.toml --seat @ --seat ben --referee-key ana.key",
        "show game.toml --seat @",
        "show game.toml --key @",
        "show @",
        "show game.toml --card @ --key ana.key",
        "move game.toml --play @ --key ana.key",
        "move game.toml --build @ --key ana.key",
        "move game.toml @ --key ana.key",
        "rules @",
        "help @",
        "@",
        "apply game.toml note --referee-key referee.key",
    ],
)
def test_messages_say_a_text_as_it_was_typed(
    line: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    for name in TYPED:
        begin, end = (f"-----{mark} SSH SIGNATURE-----\n" for mark in ("BEGIN", "END"))
        Path("note").write_text(f"sanjuan-ref/1 move\ngame {name}\n{begin}x\n{end}")
        assert main([word.replace("@", name) for word in line.split()]) not in (0, 70)
        told = capsys.readouterr().err
        assert "\\" not in told
        assert name in told or "@" not in line


def test_a_long_command_goes_on_after_a_backslash(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A shell reads as one command what a terminal shows in several lines."""
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    command = ["sanjuan-ref", "move", "the game.toml", "--work", "c ana 1", "--key", "keys/ana.key"]
    for begin in ("  ", "You can answer ahead: "):
        terminal.say(begin + shlex.join(command))
        said = capsys.readouterr().out
        assert max(map(len, said.splitlines())) <= 40
        assert " \\\n" in said
        assert shlex.split(said.removeprefix(begin).replace("\\\n", "")) == command


@pytest.mark.parametrize(
    ("path", "is_found", "called"),
    [
        (".venv/bin/sanjuan-ref", False, ".venv/bin/sanjuan-ref"),
        ("my games/sanjuan-ref", False, "'my games/sanjuan-ref'"),
        ("/usr/bin/sanjuan-ref", True, "sanjuan-ref"),
        ("/usr/lib/referee/__main__.py", False, "sanjuan-ref"),
    ],
)
def test_commands_are_named_as_the_program_was_called(
    path: str,
    is_found: bool,
    called: str,
    workplace: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that they can be copied; a name is left where others read it, or nothing is called."""
    lay_out(workplace, "building")
    program = workplace / "bin" / "sanjuan-ref"
    program.parent.mkdir()
    program.touch()
    program.chmod(0o755 if is_found else 0o644)
    monkeypatch.setenv("PATH", str(program.parent))
    monkeypatch.setattr("sys.argv", [path])
    try:
        assert main(["show", "game.toml", "--key", "ana.key"]) == 0
        assert f"\n  {called} move game.toml --key ana.key " in capsys.readouterr().out
        assert main(["log", "game.toml", "--note", "99"]) == 2
        assert f"hint: see `{called} log --help`\n" in capsys.readouterr().err
        assert main(["move", "game.toml", "--key", "ana.key", "--pass", "-o", "ana.move"]) == 0
        assert "\n  sanjuan-ref apply game.toml ana.move\n" in capsys.readouterr().out
        assert (workplace / "ana.move").read_text().startswith("sanjuan-ref/1 move\n")
        assert main(["page", "game.toml", "--key", "ana.key", "-o", "-"]) == 0
        assert "sanjuan-ref move game.toml" in capsys.readouterr().out
        with terminal.paper(76) as sheet:
            terminal.paragraph("It is by sanjuan-ref that is new: sanjuan-ref show game.toml")
        assert " sanjuan-ref show " in sheet.getvalue()
        terminal.say("sanjuan-ref has gone, and sanjuan-ref show-case too")
        assert capsys.readouterr().out == "sanjuan-ref has gone, and sanjuan-ref show-case too\n"
    finally:
        terminal.call_as("", ())
