"""Whole processes late in a four-player game, as ratios to one that imports the same libraries.

    python -m tests.bench.startup [RUNS]

The figures are processor time, of user and system together. The process that only imports has the
settings of ours for the garbage collector. `page` and `audit` are of a finished game. The targets
are 1.4 for `show` and `move`, 1.6 for `apply`, 2.0 for `page` and `audit`; fsync is left out of all
of them. For `--help` it is twice the time of `pass`, plus 60 ms. `apply` in the same game when it
was young tells how much each past move costs: less than 0.15 ms is the target.

On two cores, where an import of the libraries took 72 ms and other work kept both busy, `show` was
at 1.55, `move` at 1.51, `apply` at 1.63, `page` at 2.11, `audit` at 2.52, and a past move cost
0.12 ms: of the targets only the last one is met. What remains, in the same unit:

- 0.28 in every command for 110 modules of ours, a fifth of a millisecond each: a third of that is
  to find and read the file, a quarter to take its code apart, the rest to run it and make its
  classes. No module stands out, and those that a command does not need are imported where they are
  needed. A module that is put into another saves 0.06 ms, so that half as many are worth 0.05.
- 0.02 to build the options of the command.
- 0.27 to read a game file: 0.03 to take the TOML apart, 0.08 for its forms (a quarter of it to
  compile regular expressions), 0.03 for its layout, 0.04 for signature and chain, and 0.09 to go
  along its log, which `apply` does with the deal secret instead, for 0.17; in that it works out the
  heads of the log a second time, for 0.01.
- `show`: 0.11 to open the hand, to tell what has happened, and to draw the table.
- `audit`: 0.3 for 170 signatures, nearly all of it in OpenSSL, and 0.7 to work out again with the
  deal secret what every step was, of which tables, hands and their hashes take three quarters.
- `page`: 0.22 for the boards of all steps, 0.35 for the texts in two languages.

So `show` is 0.15 above its target, and no part is left that large alone. The next steps would be to
have fewer modules, and to go along the log of an audit with the deal secret alone, which is worth
0.09; it would have to be shown first that no cheat is found only without it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import referee
from referee.refereeing.ledger import Ledger
from referee.table.decisions import DecisionId
from referee.table.filetext import parse
from referee.table.gamefile import GameFile
from tests.bench.engine import spent
from tests.make_examples import EXAMPLES
from tests.table.tables import NAMES, REFEREE, Table, key_of

LATE, EARLY = 150, 30
FINISHED = EXAMPLES / "finished" / "game.toml"
IMPORTS = (
    "import gc\n"
    "gc.disable()\n"
    "import typer, tomllib, tomli_w, pyrage\n"
    "from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey\n"
)
COMMAND = (
    "import os, sys\n"
    "os.fsync = lambda handle: None\n"
    "from referee.cli.main import main\n"
    "sys.exit(main())\n"
)


def prepared(steps: int = LATE) -> Path:
    """A folder with a game so late, its keys and the next move; made once for these sources.

    The question is asked of one seat alone, so that its answer takes effect at once.
    """

    def late(file: GameFile) -> bool:
        return file.step >= steps and len(file.asked) == 1

    sources = sorted(Path(referee.__file__).parent.rglob("*.py"))
    mark = hashlib.sha256(b"".join([path.read_bytes() for path in sources])).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"sanjuan-ref-bench-{os.getuid()}-{mark}-{steps}"
    if (folder / "next.move").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    table = Table(4).join_all().play(late)
    (folder / "start.toml").write_text(table.text)
    for name in NAMES:
        key_of(name).save(folder / name)
    REFEREE.save(folder / "referee")
    decision = table.file.asked_ids()[0]
    seat = DecisionId.parse(decision).seat
    (folder / "seat").write_text(seat)
    (folder / "play").write_text(table.view(seat).suggest())
    (folder / "next.move").write_text(table.note(decision, table.view(seat).suggest()))
    return folder


def fresh(folder: Path) -> None:
    """The game file and its ledger as they were before the move."""
    for old in folder.glob("ledger*"):
        old.unlink()
    text = (folder / "start.toml").read_text()
    (folder / "game.toml").write_text(text)
    file, _ = parse(text.encode())
    with Ledger.open(file, folder / "ledger") as book:
        book.record(file, text)


def applying(folder: Path) -> list[str]:
    """The arguments of the interpreter that apply the next move in a folder."""
    host = ["--referee-key", str(folder / "referee"), "--ledger", str(folder / "ledger")]
    game, move = str(folder / "game.toml"), str(folder / "next.move")
    return ["-c", COMMAND, "apply", game, move, *host]


def commands(folder: Path, young: Path) -> dict[str, list[str]]:
    """Return the commands to measure: name to arguments of the interpreter."""
    game = str(folder / "game.toml")
    key = ["--key", str(folder / (folder / "seat").read_text())]
    play = ["--play", (folder / "play").read_text()]
    run = ["-c", COMMAND]
    return {
        "pass": ["-c", "pass"],
        "imports": ["-c", IMPORTS],
        "--help": [*run, "--help"],
        "show": [*run, "show", game, *key],
        "move": [*run, "move", game, *play, *key, "-o", str(folder / "out.move")],
        "apply": applying(folder),
        "young": applying(young),
        "page": [*run, "page", str(FINISHED), "-o", str(folder / "page.html")],
        "audit": [*run, "audit", str(FINISHED)],
    }


def step_of(folder: Path) -> int:
    """The number of moves in the game of a folder."""
    return parse((folder / "start.toml").read_bytes())[0].step


def measure(runs: int) -> dict[str, float]:
    """Median seconds of processor time of each command, all of them run in turn."""
    folder, young = prepared(), prepared(EARLY)
    wanted = commands(folder, young)
    # An installed package has its byte code beside it.
    there = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    there["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    found: dict[str, list[float]] = {name: [] for name in wanted}
    for _ in range(runs + 1):
        fresh(folder)
        fresh(young)
        for name, words in wanted.items():
            start = spent()
            done = subprocess.run(
                [sys.executable, *words], capture_output=True, text=True, env=there
            )
            found[name].append(spent() - start)
            if done.returncode:
                raise SystemExit(f"{name}: {done.stderr}")
    return {name: statistics.median(times[1:]) for name, times in found.items()}


def main() -> None:
    times = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 21)
    size = (prepared() / "start.toml").stat().st_size
    print(f"game file of {size / 1000:.0f} kB")
    for name, seconds in times.items():
        print(f"{name:<8} {seconds * 1000:6.1f} ms  {seconds / times['imports']:5.2f}")
    past = step_of(prepared()) - step_of(prepared(EARLY))
    growth = (times["apply"] - times["young"]) / past
    print(f"apply grows by {growth * 1000:.3f} ms for each past move")
    limit = 2 * times["pass"] + 0.06
    print(f"--help is at {times['--help'] / limit:.2f} of its limit")


if __name__ == "__main__":
    main()
