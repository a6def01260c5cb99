"""A shell completes from the game file, and never asks, fails or complains."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from referee.cli import candidates, completing
from referee.table import chain
from referee.table.gamefile import GameFile
from referee.table.opening import sign_join
from referee.table.signing import signed_text
from tests.cli.world import lay_out, locked, text_of
from tests.ready import program
from tests.table.tables import REFEREE, Table, key_of, load

ROOT = str(Path(__file__).parents[2])


def completed(place: Path, line: str, shell: str = "bash", **more: str) -> list[str]:
    """Return what the shell gets for a command line that ends where the cursor is."""
    words = line.split(" ")
    env = {
        "PATH": os.defpath,
        "HOME": str(place),
        "PYTHONPATH": ROOT,
        "_SANJUAN_REF_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        **more,
    }
    done = subprocess.run(
        [str(program())],
        cwd=place,
        env=env,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=30,
        check=False,
        start_new_session=True,
    )
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


def test_roles_that_are_free(place: Path) -> None:
    lay_out(place, "dealt")
    roles = ["builder", "producer", "trader", "councillor", "prospector"]
    assert completed(place, "sanjuan-ref move game.toml --role ") == roles
    assert completed(place, "sanjuan-ref move game.toml --key ana.key --role p") == roles[1::3]
    fish = completed(place, "sanjuan-ref move game.toml --key ana.key --role ", "fish")
    assert fish[0] == "builder\tbuild for 1 less"
    zsh = completed(place, "sanjuan-ref move game.toml --key ana.key --role ", "zsh")
    assert "producer" in "".join(zsh)


def test_cards_in_your_hand(place: Path) -> None:
    lay_out(place, "building")
    build = "sanjuan-ref move game.toml --key {} --build "
    mine = sorted(["chapel", "smithy", "coffee-roaster", "quarry"])
    assert sorted(completed(place, build.format("ana.key"))) == mine
    pay = completed(place, build.format("ana.key") + "chapel --pay ")
    assert sorted(pay) == mine
    assert completed(place, build.format("ana.key").replace("--key ana.key ", "")) == []
    assert completed(place, build.format("referee.key")) == []
    after = completed(place, build.format("ana.key") + "chapel --pay quarry,")
    assert sorted(after) == [f"quarry,{name}" for name in mine if name != "quarry"]
    assert completed(place, build.format("ana.key") + "chapel --pay quarry,smithy,cha") == [
        "quarry,smithy,chapel"
    ]
    assert completed(place, build.format("ana.key") + "chapel --pay '$(x),") == []
    # In this answer a chapel is a card, and no word that takes one.
    assert completed(place, "sanjuan-ref move game.toml --key ana.key --chapel ") == []


def test_a_passphrase_is_not_asked_for(place: Path) -> None:
    lay_out(place, "building")
    (place / "locked.key").write_bytes(locked("ana", "secret"))
    assert completed(place, "sanjuan-ref move game.toml --key locked.key --build ") == []
    (place / "game.toml").write_text(text_of("dealt"))
    role = "sanjuan-ref move game.toml --key locked.key --role t"
    assert completed(place, role) == ["trader"]


def test_plots_with_goods(place: Path) -> None:
    lay_out(place, "selling")
    assert completed(place, "sanjuan-ref move game.toml --sell ") == ["1", "3"]
    assert completed(place, "sanjuan-ref move game.toml --key ben.key --sell ") == ["1"]


def test_other_games_complete_too(place: Path) -> None:
    lay_out(place, "xanadu")
    assert completed(place, "sanjuan-ref move game.toml --key ana.key --sell ") == [
        "1",
        "2",
        "3",
        "4",
    ]
    named = completed(place, "sanjuan-ref move game.toml --key ana.key --build g")
    assert "great-bronze-bell" in named


def test_seats_cards_and_commands(place: Path) -> None:
    lay_out(place, "dealt")
    assert completed(place, "sanjuan-ref show game.toml --seat ") == ["ana", "ben"]
    assert completed(place, "sanjuan-ref show game.toml --card lib") == ["library"]
    assert completed(place, "sanjuan-ref pl") == ["play", "plan"]


@pytest.mark.parametrize("text", [None, "", "nothing", "[table]\n"])
def test_what_is_wrong_is_not_said(place: Path, text: str | None) -> None:
    if text is not None:
        (place / "game.toml").write_text(text)
    assert completed(place, "sanjuan-ref move game.toml --role ") == []
    assert completed(place, "sanjuan-ref move --role ") == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("log game.toml --seat ", ["ana", "ben"]),
        ("rules cr", ["crane"]),
        ("rules --lang ", ["en", "de"]),
        ("new game.toml --late ", ["wait", "pass", "bot", "easy", "medium", "hard", "expert"]),
        ("new game.toml --expansion ", ["new-buildings", "events"]),
        ("help ma", ["mail"]),
        ("help ho", ["hosting"]),
        ("help g", ["games", "git", "greedy"]),
        ("help mail ", ["in", "out", "remind"]),
        ("help mail out ", []),
        ("practice --game ", ["sanjuan", "xanadu"]),
        ("new x.toml --game x", ["xanadu"]),
        ("new x.toml --edition ", ["2004", "2014"]),
        ("new x.toml --variant ", ["advanced", "draft-start"]),
        ("new x.toml --game xanadu --edition ", []),
        ("new --game xanadu --variant ", ["advanced"]),
        ("new --game=sanjuan x.toml --variant ", ["draft-start"]),
        ("practice --game xanadu --variant ", ["advanced"]),
        ("join open.toml --seat ", ["ben"]),
        ("leave game.toml --seat a", ["ana"]),
        ("vote game.toml --seat ", ["ana", "ben"]),
        ("transfer game.toml --seat ", ["ana", "ben"]),
        ("mail out game.toml --again b", ["ben"]),
        ("page game.toml --review ", ["ana", "ben"]),
    ],
)
def test_what_else_has_names(place: Path, line: str, found: list[str]) -> None:
    lay_out(place, "dealt")
    half = Table(2, "half")
    half.apply(sign_join(half.file, "ana", key_of("ana")).armoured)
    (place / "open.toml").write_text(half.text)
    assert sorted(completed(place, f"sanjuan-ref {line}")) == sorted(found)


COMMANDS = (
    "$(id>pwned)",
    "`id>pwned`",
    "';id>pwned;'",
    '";id>pwned;"',
    "x\nid>pwned",
    "-o",
    "a|id>x",
)
SHELLS = [shell for shell in ("bash", "zsh") if shutil.which(shell)]


@pytest.mark.parametrize("command", COMMANDS)
def test_only_words_are_offered(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = load(text_of("dealt"))
    file.asked[0] = file.asked[0]._replace(may=(f"role {command}", "role trader"))
    file.seats[1].name = command
    monkeypatch.setattr(candidates, "_file", lambda ctx: file)
    ctx = SimpleNamespace(params={}, args=[])
    assert completing.values_of("role", "ROLE")(ctx, [], "") == [("trader", "")]
    assert completing.seats(ctx, [], "") == [("ana", "")]
    assert completing.listed(lambda: (command, "late"))(ctx, [], "") == [("late", "")]


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_said_of_a_word_means_nothing_to_a_shell(command: str) -> None:
    [(word, note)] = completing._silently(lambda: [("crane", f"1/2 (a {command})")])
    assert word == "crane"
    assert not set(note) & set("$`'\"\\;|&<>\n!*?~#[]{}")


def test_what_zsh_evaluates_is_words_in_quotes(place: Path) -> None:
    lay_out(place, "building")
    for line in ("--build ", "--key ana.key --build ", "--key ana.key --pay "):
        out = completed(place, f"sanjuan-ref move game.toml {line}", "zsh")
        word = r'"[a-z0-9-]+"(:"(\\[$`]|\\\\:|[^"$`\'\\])*")?'
        form = re.compile(rf"_arguments '\*: :\(\({word}(\n{word})*\)\)'|_files")
        assert form.fullmatch("\n".join(out)), out


def bent(file: GameFile, may: str) -> str:
    """A file whose referee has signed this as the only answer."""
    file.asked[0] = file.asked[0]._replace(may=(may,))
    commitments = [file.hands[name].commitment for name in file.seating]
    file.log[-1].root = chain.step_root(file.table, file.asked, chain.deal_hash(file), commitments)
    file.head = chain.heads(file)[-1]
    return signed_text(file, REFEREE)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_file_runs_nothing_at_tab_and_nothing_at_enter(place: Path, shell: str) -> None:
    lay_out(place, "dealt")
    file = load(text_of("dealt"))
    lines = []
    for number, may in enumerate(("role $(id>pwned)", "role `id>pwned`", "role a;id>pwned")):
        (place / f"{number}.toml").write_text(bent(file, may))
        options = "--seat ana " if number == 0 else ""
        lines.append(f"sanjuan-ref move {number}.toml {options}--role \t\n")
    typed(place, shell, "".join(lines))
    assert not (place / "pwned").exists()


def typed(place: Path, shell: str, line: str) -> str:
    """Return what stands on a terminal after a line was typed to a shell that completes."""
    env = {
        "PATH": f"{place / 'bin'}{os.pathsep}{os.defpath}",
        "HOME": str(place),
        "PYTHONPATH": ROOT,
        "TERM": "dumb",
    }
    program = place / "bin" / "sanjuan-ref"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m referee "$@"\n')
    program.chmod(0o755)
    script = subprocess.run(
        [program], env={**env, "_SANJUAN_REF_COMPLETE": f"source_{shell}"}, capture_output=True
    ).stdout.decode()
    begin = "autoload -Uz compinit && compinit -u\n" if shell == "zsh" else ""
    (place / f".{shell}rc").write_text(begin + script)
    words = {"bash": ["bash", "--noprofile", "-i"], "zsh": ["zsh", "-i"]}[shell]
    child, handle = pty.fork()
    if not child:
        os.chdir(place)
        os.execvpe(words[0], words, env)
    os.write(handle, f"{line}exit\n".encode())
    said = b""
    while select.select([handle], [], [], 60)[0]:
        try:
            data = os.read(handle, 4096)
        except OSError:
            break
        if not data:
            break
        said += data
    os.close(handle)
    os.waitpid(child, 0)
    return said.decode()


CLAUSES = {
    'plan game.toml "builder: libr': "builder: library",
    'plan game.toml "bui': "builder:",
    'plan game.toml "always builder: library palace pay wo': (
        "always builder: library palace pay worst"
    ),
    "plan game.toml 'builder: library, else p' --key": "--key",
    "plan game.toml --clause 'role: builder, else tra": "role: builder, else trader",
    'plan game.toml --builder "library smi': "library smithy",
    "plan game.toml --builder smi": "smithy",
    "plan game.toml --trader 'sell dearest mo": "sell dearest most",
    'move game.toml --role builder --then "builder: library goo': "builder: library goods",
    'plan game.toml "builder: $(id) li': "",
    'plan game.toml "builder: *': "",
    'plan game.toml "earthquake: lo': "",
}
EVERY_SHELL = ("bash", "zsh", "fish")


@pytest.mark.parametrize(
    ("line", "shell"),
    [
        *((next(iter(CLAUSES)), shell) for shell in EVERY_SHELL),
        *((line, EVERY_SHELL[at % 3]) for at, line in enumerate(CLAUSES) if at),
    ],
)
def test_words_of_clauses(place: Path, line: str, shell: str) -> None:
    lay_out(place, "planning")
    words = len(re.findall(r"'[^']*'?|\"[^\"]*\"?|\S+", line))
    out = completed(place, f"sanjuan-ref {line}", shell, COMP_CWORD=str(words))
    text = "\n".join(out).replace(r"\\:", ":")
    found = re.findall('"([^"]*)"(?::"[^"]*")?', text) if shell == "zsh" else text.splitlines()
    assert "".join(found[:1]).partition("\t")[0] == CLAUSES[line]
    # What may follow keeps a quote open, and comes behind the same beginning.
    assert all(one.startswith(CLAUSES[line]) for one in found)
    is_open = sum(line.count(quote) for quote in "'\"") % 2
    assert len(found) > 1 or not is_open or not CLAUSES[line]


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_words_that_follow_in_a_quote(place: Path, shell: str) -> None:
    lay_out(place, "planning")
    for line in ('"builder: library ', '--builder "library '):
        words = len(re.findall(r"\"[^\"]*|\S+", f"plan game.toml {line}"))
        text = f"sanjuan-ref plan game.toml {line}"
        out = "\n".join(completed(place, text, shell, COMP_CWORD=str(words)))
        begin = line.partition('"')[2]
        assert f"{begin}pay" in out.replace(r"\\:", ":")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_a_clause_in_quotes(place: Path, shell: str) -> None:
    """And gives the program what stands there."""
    lay_out(place, "planning")
    line = 'sanjuan-ref plan game.toml --key ana.key -o ana.plan "builder: libr\t, else pas\t"\n'
    assert "builder: build library, else pass" in typed(place, shell, line)
