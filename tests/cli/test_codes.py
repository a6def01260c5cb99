"""One exit code for one kind of mistake, whichever command it is made with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.table.filetext import parse
from referee.table.hands import KEEP
from referee.table.signing import signed_text
from tests.cli.world import lay_out, other_game, planning_game
from tests.mail.office import letter
from tests.table.tables import REFEREE

Said = pytest.CaptureFixture[str]
NEW = "new x.toml --seat ana --seat ben --referee-key referee.key"
PLAYER = "--key ana.key"
BOOK = """\
[referee]
address = "table@example.org"
[seats]
ana = "ana@example.org"
[out]
eml = "mails"
"""
ALIKE = {
    "no such seat": (
        12,
        "there is no seat '?zoe",
        *("show game.toml --seat zoe", f"show game.toml --seat zoe {PLAYER}"),
        *("log game.toml --seat zoe", f"page game.toml --seat zoe {PLAYER}"),
        *(f"move game.toml --seat zoe --pass {PLAYER}", f"plan game.toml --seat zoe {PLAYER}"),
        *(f"join game.toml --seat zoe {PLAYER}", f"transfer game.toml --seat zoe {PLAYER}"),
        *(f"leave game.toml --seat zoe {PLAYER}", f"vote game.toml --seat zoe {PLAYER}"),
        *(f"bot game.toml --seat zoe {PLAYER}", f"show game.toml --hint --seat zoe {PLAYER}"),
        *("mail out game.toml --again zoe", "try position.toml --play zoe:pass"),
        "move other.toml --work a|zoe|1 --key ana.key",
    ),
    "unknown or out of range": (
        2,
        "no language|no game|no edition|no expansion|no variant|no option|must be|players, not|"
        "cannot be called|cannot be the name|given twice|takes",
        *("rules well --lang xx", "page game.toml --lang xx", f"{NEW} --game chess"),
        *("rules well --game chess", f"{NEW} --edition 1", "rules well --edition 1"),
        *("demo x --edition 1", "demo x --game chess"),
        *(f"{NEW} --expansion x", f"{NEW} --variant x", f"{NEW} --option x=1"),
        *(f"{NEW} --option round_limit=x", f"{NEW} --days 0", f"{NEW} --days 3 --late x"),
        *("git init git --branch a..b", "git init git --branch x|y"),
        *(f"{NEW} --seat carl --seat dora --seat eve", f"{NEW} --seat Zoe_", f"{NEW} --seat ana"),
    ),
    "no day, no time": (
        2,
        "write the day|write the time|is in the past|is before|takes a number of days",
        *(f"vacation game.toml --until 2026-13-01 {PLAYER}", "due game.toml --now never"),
        *(f"vacation game.toml --until 2020-01-01 {PLAYER}", "due --games . --now 2026-02-30"),
        *(f"vacation game.toml --until 2099-01-01 --from 2099-02-01 {PLAYER}",),
        *(f"{NEW} --days 12x", "mail remind game.toml --now x"),
    ),
    "no such branch": (
        2,
        "there is no branch",
        *(
            "git verify clone --branch no",
            "git referee clone --branch no --referee-key referee.key",
        ),
    ),
    "in the way": (
        1,
        "already exists",
        *("key --make ana.key", f"{NEW.replace('x.toml', 'game.toml')}", "demo keys"),
    ),
    "missing place": (
        2,
        "in no git repository|cannot read|is not a folder|does not exist",
        *("git verify", "git referee --referee-key referee.key", "git setup", "git verify no"),
        *("show no.toml", "compare game.toml no.toml", "mail out --games no"),
    ),
    "of another game": (
        13,
        "different games|another game",
        *("compare game.toml other.toml", "apply game.toml other.move --referee-key referee.key"),
    ),
    "nobody's turn": (
        11,
        "it is ana's turn|cannot play",
        "move game.toml --role trader --key ben.key",
        "try position.toml --play ben:pass",
    ),
    "empty": (
        16,
        "not a game file|is empty|is missing",
        *("show empty.toml", "apply empty.toml ana.key --referee-key referee.key"),
        *("try empty.toml", f"{NEW} --game xanadu --deck empty.toml", "mail out empty/game.toml"),
        "plan plans/game.toml --file empty.toml --key ana.key",
    ),
    "something else": (
        16,
        "is a game file|is an email|is a position|is a note",
        *("try game.toml", f"{NEW} --game xanadu --deck game.toml"),
        *(f"{NEW} --game xanadu --deck position.toml", "try ana.mail"),
    ),
    "no play": (14, "say what you want to play", f"move game.toml {PLAYER}"),
}


@pytest.fixture
def place(workplace: Path) -> Path:
    lay_out(workplace, "dealt")
    Path("other.toml").write_text(other_game().texts[-1])
    Path("addresses.toml").write_text(BOOK)
    Path("keys").mkdir()
    Path("git").mkdir()
    Path("git", "game.toml").write_text(Path("game.toml").read_text())
    Path("empty").mkdir()
    Path("empty", "game.toml").write_text(Path("game.toml").read_text())
    for name in ("empty.toml", "empty/addresses.toml"):
        Path(name).write_text("\n")
    Path("plans").mkdir()
    Path("plans", "game.toml").write_text(planning_game().texts[-1])
    Path("position.toml").write_text('[[seats]]\nname = "ana"\n[[seats]]\nname = "ben"\n')
    Path("ana.mail").write_bytes(letter("ana@example.org", "hello"))
    Path("keys", "game.toml").write_text("")
    return workplace


@pytest.mark.parametrize("kind", ALIKE)
def test_alike(place: Path, capsys: Said, kind: str) -> None:
    code, message, *commands = ALIKE[kind]
    if kind == "of another game":
        assert isinstance(message, str)
        words = ["move", "game.toml", "--role", "trader", "--key", "ana.key", "-o", "other.move"]
        assert main(words) == 0
        note = Path("other.move").read_text()
        Path("other.move").write_text(re.sub("game [0-9a-f]{16}", f"game {'0' * 16}", note))
        message = "different games|for game 0000"
    if kind == "no such branch":
        Path("clone").mkdir()
        assert main(NEW.replace("x.toml", "clone/game.toml").split()) == 0
        assert main(["git", "init", "clone"]) == 0
    capsys.readouterr()
    for command in commands:
        words = [word.replace("|", " ") for word in str(command).split()]
        assert main(words) == code, (command, capsys.readouterr().err)
        said = capsys.readouterr().err
        assert re.search(f"^error: .*({message})", said), (command, said)


def test_days_of_a_vacation(workplace: Path, capsys: Said) -> None:
    lay_out(workplace, "timed")
    until = f"vacation game.toml {PLAYER} --now 2026-03-02T09:00:00Z --until"
    for days in ("2026-03-01", "2026-03-01 --from 2026-02-20", "2026-03-05 --from 2026-03-06"):
        assert main(f"{until} {days}".split()) == 2, days
    assert main(f"{until} yesterday".split()) == 2
    assert "--until is before --from" in capsys.readouterr().err


def test_damage_behind_a_right_signature_has_a_hint(place: Path, capsys: Said) -> None:
    """The referee has signed it: whoever sees it has a proof in hand."""
    file, _ = parse(Path("game.toml").read_bytes())
    file.head = bytes(32)
    Path("game.toml").write_text(signed_text(file, REFEREE))
    assert main(["show", "game.toml"]) == 16
    assert capsys.readouterr().err == (
        f"error: the head does not follow from the log\nhint: {KEEP}\n"
    )


def test_a_default_is_said_once(capsys: Said) -> None:
    for command in ("new", "git verify", "git referee", "mail remind", "rules", "log"):
        assert main([*command.split(), "--help"]) == 0
        said = capsys.readouterr().out
        for part in re.split(r"\n  (?=-|\[)", said):
            assert part.count("default") <= 1, part
