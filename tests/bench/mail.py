"""`mail in` against a bare `apply` of the same note, as whole processes, in processor time.

    python -m tests.bench.mail [RUNS]

They run in turn. The note comes as a mail; it is applied, answered, and the next player is asked,
into a folder. The target is 1.8 times the time of `apply` or less; fsync is left out of both.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from tests.bench.engine import spent
from tests.bench.startup import COMMAND, fresh, prepared
from tests.table.tables import NAMES

TARGET = 1.8


def written(folder: Path) -> bytes:
    """The address book beside the game, and the next note as its player mails it."""
    seats = "".join([f'{name} = "{name}@example.org"\n' for name in NAMES])
    (folder / "addresses.toml").write_text(
        f'[referee]\naddress = "table@example.org"\n[seats]\n{seats}[out]\neml = "{folder}/mails"\n'
    )
    seat = (folder / "seat").read_text()
    head = f"From: {seat}@example.org\nMessage-ID: <1.{seat}@example.org>\nSubject: Mine\n\n"
    return head.encode() + (folder / "next.move").read_bytes()


def measure(runs: int) -> dict[str, float]:
    """Median seconds of processor time of both commands."""
    folder = prepared()
    mail = written(folder)
    there = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    there["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    game = str(folder / "game.toml")
    host = ["--referee-key", str(folder / "referee"), "--ledger", str(folder / "ledger")]
    words = {"apply": ["apply", game, "-", *host], "mail in": ["mail", "in", game, *host]}
    given = {"apply": (folder / "next.move").read_bytes(), "mail in": mail}
    found: dict[str, list[float]] = {name: [] for name in words}
    for _ in range(runs + 1):
        for name, command in words.items():
            fresh(folder)
            shutil.rmtree(folder / "mails", ignore_errors=True)
            start = spent()
            done = subprocess.run(
                [sys.executable, "-c", COMMAND, *command],
                input=given[name],
                capture_output=True,
                env=there,
            )
            found[name].append(spent() - start)
            if done.returncode:
                raise SystemExit(f"{name}: {done.stderr.decode()}")
        if not list((folder / "mails").glob("*.eml")):
            raise SystemExit("no mail was written")
    return {name: statistics.median(times[1:]) for name, times in found.items()}


def main() -> None:
    times = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 21)
    size = (prepared() / "start.toml").stat().st_size
    print(f"game file of {size / 1000:.0f} kB")
    for name, seconds in times.items():
        print(f"{name:<8} {seconds * 1000:6.1f} ms  {seconds / times['apply']:5.2f}")
    print(f"mail in is at {times['mail in'] / times['apply'] / TARGET:.2f} of its limit")


if __name__ == "__main__":
    main()
