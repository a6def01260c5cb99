"""A whole game at one table, played through the real commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from shutil import copyfile

from referee.cli.app import execute
from referee.cli.flags import flags_of
from referee.playing.reader import KeyOptions, player_of
from referee.render.text import terminal
from referee.storage import NotWritten, not_written
from referee.table.decisions import DecisionId
from referee.table.gamefile import GameFile
from referee.table.rules import rules_for
from referee.table.signing import load
from referee.table.views import view_of

GAME = Path("game.toml")
LEDGER = "referee.ledger"
COMMANDS = Path("commands.txt")
EVERY = 50


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise NotWritten for files that cannot be written, and say what to do in a new folder."""
    try:
        try:
            yield
        except OSError as error:
            raise not_written(error.filename2 or error.filename or path, error) from None
    except NotWritten as error:
        raise NotWritten(error.message, "make room, then give another folder") from None


def succeed(*words: str) -> str:
    """Run a command that has to succeed, note it down, and return its output.

    Raises what stops it, NotWritten among them.
    """
    with writing(COMMANDS), COMMANDS.open("a", encoding="utf-8", newline="\n") as record:
        record.write(" ".join(["sanjuan-ref", *words]) + "\n")
    with writing(Path()), redirect_stdout(StringIO()) as said:
        code = execute(list(words))
    if code:
        raise RuntimeError(f"{words[0]} ended with {code}")
    return said.getvalue()


class DemoTable:
    """A table of players and a referee, and the file between them."""

    def __init__(self, names: list[str], rules: list[str], *, quiet: bool) -> None:
        self.names = names
        self.rules = rules
        self.quiet = quiet
        self.notes = 0
        self.round = ""

    def load(self) -> GameFile:
        """Read the game file."""
        return load(GAME)[0]

    def sit_down(self) -> None:
        """Make the keys, open the table, and let everybody join."""
        for folder in map(Path, ("keys", "notes", "steps")):
            with writing(folder):
                folder.mkdir()
        for name in ("referee", *self.names):
            succeed("key", "--make", f"keys/{name}")
        seats = [word for name in self.names for word in ("--seat", name)]
        title = ["--title", "Demo"]
        mine = ["--referee-key", "keys/referee", "--ledger", LEDGER]
        succeed("new", str(GAME), *self.rules, *seats, *title, *mine)
        joins = []
        for name in self.names:
            joins.append(self._note(f"{name}.join"))
            succeed("join", str(GAME), "--seat", name, "--key", f"keys/{name}", "-o", joins[-1])
        self._apply(joins)

    def _note(self, name: str) -> str:
        self.notes += 1
        return f"notes/{self.notes:04}-{name}"

    def _apply(self, notes: list[str]) -> None:
        succeed("apply", str(GAME), *notes, "--referee-key", "keys/referee", "--ledger", LEDGER)

    def play(self) -> None:
        """Let everybody answer what is asked, until nothing is."""
        kept = 0
        while (file := self.load()).asked:
            if not kept or file.step >= kept + EVERY:
                kept = file.step
                step = Path(f"steps/{file.step:04}.toml")
                with writing(step):
                    copyfile(GAME, step)
            self._tell(file)
            self._apply([self._answer(file, one.id, one.seat) for one in file.asked])

    def _tell(self, file: GameFile) -> None:
        now = str(DecisionId.parse(file.asked[0].id).round)
        if now != self.round and not self.quiet:
            terminal.say(f"round {now}, step {file.step}")
        self.round = now

    def _answer(self, file: GameFile, decision: str, seat: str) -> str:
        key = f"keys/{seat}"
        hand = player_of(file, KeyOptions(Path(key))).hand
        assert hand is not None
        words = {word.name: word for word in rules_for(file).words}
        play = view_of(file, hand).suggest()
        note = self._note(f"{decision}.move")
        succeed("move", str(GAME), *flags_of(play, words), "--key", key, "-o", note)
        return note
