"""The cost of a message among 10, 1,000 and 10,000 tables, in processor time.

    python -m tests.bench.tables [TABLES...]

Each table has a folder with its game file and address book. The messages are answers in games of
four players, halfway through; the other tables have just been dealt. `worker` is the median of a
message in a process that stays, its first two messages left out; `again` that of the next message
in a game that it has written, and so has kept; `process` that of a message for which one is
started, as a mail server does. `stranger` is such a process for a message about which
the index knows nothing, and `first` one that has no index yet. fsync is left out of all.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.refereeing.ledger import Ledger
from referee.table.clock import owed_decisions
from referee.table.decisions import DecisionId
from tests.bench.engine import spent
from tests.bench.startup import COMMAND
from tests.table.tables import NAMES, REFEREE, Table, load

TABLES = (10, 1_000, 10_000)
ANSWERS = 12
STEPS = 75
RUNS = 7
TARGET = 0.020
WORKER = """\
import os, sys, time
os.fsync = lambda handle: None
from referee.cli import mailwatch
from referee.cli.main import main
times, take = [], mailwatch._some
def some(*about):
    times.append(time.process_time())
    return take(*about)
def wait(stop, seconds):
    print(*[after - before for before, after in zip(times, times[1:])], file=sys.stderr)
    stop.wished = True
mailwatch.AT_ONCE, mailwatch._some, mailwatch.Stop.wait = 1, some, wait
sys.exit(main())
"""


class Hosted:
    """A folder with so many tables, a Maildir, and the state folder of their referee."""

    def __init__(self, folder: Path, count: int, played: list[Table]) -> None:
        self._games = folder / "games"
        self._box = folder / "box"
        self._state = folder / "state"
        self._texts = [table.text for table in played]
        answers = [_answers(table, number) for number, table in enumerate(played)]
        self.mails = [first for first, _ in answers]
        self._later = [second for _, second in answers]
        seats = "".join(f'{name} = "{name}@example.org"\n' for name in NAMES)
        book = f'[referee]\naddress = "table@example.org"\n[seats]\n{seats}'
        book += f'[out]\neml = "{folder}/mails"\n'
        for part in ("new", "cur", "tmp"):
            (self._box / part).mkdir(parents=True)
        dealt = Table(4, "crowd").join_all()
        for number in range(count):
            at = self._games / f"t{number:05}"
            at.mkdir(parents=True)
            (at / "addresses.toml").write_text(book)
            if number >= len(played):
                text = dealt.text.replace(dealt.file.game, f"{number:016x}")
                (at / "game.toml").write_text(text)
        self.fresh()
        REFEREE.save(folder / "referee")
        self._words = ["mail", "in", "--games", str(self._games)]
        self._words += ["--referee-key", str(folder / "referee")]
        # What has been written just now is read once more.
        for path in self._games.rglob("*.toml"):
            os.utime(path, (1_700_000_000, 1_700_000_000))

    def fresh(self) -> None:
        """Lay out the games that are played as they were, also in the referee's memory."""
        for left in (
            *self._state.glob("sanjuan-ref/games"),
            *self._state.glob("sanjuan-ref/*.lock"),
        ):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        os.environ["XDG_STATE_HOME"] = str(self._state)
        for number, text in enumerate(self._texts):
            (self._games / f"t{number:05}" / "game.toml").write_text(text)
            file = load(text)
            with Ledger.open(file, None) as ledger:
                ledger.record(file, text)

    def forget_index(self) -> None:
        shutil.rmtree(self._state / "sanjuan-ref" / "index", ignore_errors=True)

    def process(self, mail: bytes) -> float:
        """Seconds of a process that deals with one message."""
        start = spent()
        self._run([sys.executable, "-c", COMMAND, *self._words], mail)
        return spent() - start

    def worker(self) -> tuple[list[float], list[float]]:
        """Seconds of each message but the first two, one by one, in a process that stays.

        Those of the first message in each game, and those of the second.
        """
        mails = [*self.mails, *self._later]
        for number, mail in enumerate(mails):
            (self._box / "new" / f"{number:03}.bench").write_bytes(mail)
        words = [*self._words, "--maildir", str(self._box), "--watch"]
        said = self._run([sys.executable, "-c", WORKER, *words], b"")
        left = list((self._box / "new").iterdir())
        if left:
            raise SystemExit(f"{len(left)} messages were left: {said}")
        times = [float(word) for word in said.splitlines()[-1].split()]
        return times[2 : len(self.mails)], times[len(self.mails) :]

    def _run(self, words: list[str], given: bytes) -> str:
        there = os.environ | {"XDG_STATE_HOME": str(self._state)}
        done = subprocess.run(words, input=given, capture_output=True, env=there, check=False)
        if done.returncode:
            raise SystemExit(done.stderr.decode())
        return done.stderr.decode()


def _answers(table: Table, number: int) -> tuple[bytes, bytes]:
    """The mails of players who answer the first question of a table, and the one after that."""
    begin, mails = table.text, []
    for nth in range(2):
        decision = owed_decisions(table.file)[0]
        name = DecisionId.parse(decision).seat
        note = table.note(decision, table.view(name).suggest())
        table.apply(note)
        id_ = f"{number}.{nth}.{name}@example.org"
        head = f"From: {name}@example.org\nMessage-ID: <{id_}>\nSubject: x\n\n"
        mails.append(head.encode() + note.encode())
    table.text = begin
    return mails[0], mails[1]


@contextmanager
def hosted(count: int, played: list[Table]) -> Iterator[Hosted]:
    with tempfile.TemporaryDirectory(prefix="tables-") as folder:
        yield Hosted(Path(folder), count, played[:count])


def main() -> None:
    counts = [int(word) for word in sys.argv[1:]] or list(TABLES)
    played = [
        Table(4, f"bench {number}").join_all().play(lambda file: file.step >= STEPS)
        for number in range(min(ANSWERS, max(counts)))
    ]
    size = statistics.mean(len(table.text) for table in played)
    print(f"answers in games of {size / 1000:.0f} kB, {STEPS} steps old; milliseconds")
    print(f"{'tables':>7} {'worker':>8} {'again':>8} {'process':>8} {'stranger':>9} {'first':>8}")
    for count in counts:
        with hosted(count, played) as host:
            stranger = b"From: zoe@example.org\nMessage-ID: <1@example.org>\n\nHello\n"
            first = host.process(stranger)
            strange = statistics.median(host.process(stranger) for _ in range(RUNS))
            alone = [host.process(mail) for mail in host.mails[:RUNS]]
            host.fresh()
            worker, again = map(statistics.median, host.worker())
            process = statistics.median(alone[1:])
            figures = [worker, again, process, strange, first]
            print(f"{count:>7} " + " ".join(f"{1000 * one:8.1f}" for one in figures), flush=True)
    print(f"a worker is at {worker / TARGET:.2f} of its limit")


if __name__ == "__main__":
    main()
