"""`demo`: a whole game through the real commands; its keys, notes and files stay to be read."""

from __future__ import annotations

import sys
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from shlex import quote
from shutil import which
from typing import Annotated, Any

import typer

from referee.cli.options import (
    ChoosesRules,
    DeckOpt,
    EditionOpt,
    ExpansionOpt,
    JsonOpt,
    RuleOpt,
    RulesOpt,
    VariantOpt,
    Words,
)
from referee.cli.usage import PROGRAM, Usage
from referee.games import DEFAULT

app = typer.Typer(rich_markup_mode=None)

NAMES = ("ana", "ben", "carla", "dario", "eva", "felix", "greta", "hugo", "ines", "jon")
GAME = Path("game.toml")
LEDGER = "referee.ledger"
COMMANDS = Path("commands.txt")
DECK = Path("deck.toml")
EVERY = 50


@app.command(cls=ChoosesRules)
def demo(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A directory that does not exist yet.")
    ],
    seats: Annotated[
        int, typer.Option("--seats", metavar="N", help="How many play: 2 to 4 in San Juan.")
    ] = 4,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="N", help="The same names again (never the same cards)."),
    ] = None,
    game: RulesOpt = DEFAULT,
    edition: EditionOpt = None,
    expansion: ExpansionOpt = None,
    variant: VariantOpt = None,
    option: RuleOpt = None,
    deck: DeckOpt = None,
    json: JsonOpt = False,
) -> int:
    """Play a whole game between throw-away keys, in a new directory.

    What is left there: game.toml; keys/; every note as it would be sent in notes/; the game file
    at some steps in steps/; all commands in commands.txt.
    """
    from random import Random
    from shutil import copyfile

    from referee.cli.opening import chosen_rules
    from referee.render.text import overview, terminal
    from referee.storage import NotWritten
    from referee.table.replay import rules_for

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NotWritten(f"{folder} exists already", "name a directory that does not exist yet")
    chosen = chosen_rules(game, edition, expansion, variant, option, deck)
    misfit = chosen.fits(seats)
    if misfit:
        raise Usage(f"--seats: {misfit}", hint="see `sanjuan-ref demo --help`")
    names = sorted(Random(seed).sample(NAMES, seats))
    folder.mkdir(parents=True, exist_ok=True)
    if deck is not None:
        copyfile(deck, folder / DECK)
    flags = _flags(game, edition, expansion, variant, option, deck)
    with chdir(folder):
        table = _Table(names, flags, quiet=json)
        table.sit_down()
        table.play()
        file = table.load()
        checked = _run("audit", str(GAME), *(["--json"] if json else []))
        if json:
            terminal.verbatim(checked)
            return 0
        terminal.verbatim(checked)
        terminal.say()
        rules = rules_for(file)
        overview.table(file, rules, None)
        overview.result(file, rules)
    terminal.say()
    terminal.say(f"Everything lies in {folder}; the commands are in {folder / COMMANDS}. Try:")
    program = _called()
    terminal.say(f"  {program} log {quote(str(folder / GAME))}")
    first, key = (quote(str(folder / name)) for name in ("steps/0001.toml", f"keys/{names[0]}"))
    terminal.say(f"  {program} show {first} --key {key}")
    return 0


def _flags(
    game: str,
    edition: str | None,
    expansion: Words,
    variant: Words,
    option: Words,
    deck: Path | None,
) -> list[str]:
    """The flags of `new` for these rules."""
    said = [
        ("--game", [game]),
        ("--edition", [edition] if edition else []),
        ("--expansion", expansion or []),
        ("--variant", variant or []),
        ("--option", option or []),
        ("--deck", [str(DECK)] if deck is not None else []),
    ]
    return [word for flag, values in said for value in values for word in (flag, value)]


def _called() -> str:
    """How the program is called from here: by its name where a shell finds it."""
    if which(PROGRAM) or Path(sys.argv[0]).name != PROGRAM:
        return PROGRAM
    return quote(sys.argv[0])


def _run(*words: str) -> str:
    """The output of one command, which has to succeed."""
    from referee.cli.app import run

    with COMMANDS.open("a") as record:
        record.write(" ".join(["sanjuan-ref", *words]) + "\n")
    with redirect_stdout(StringIO()) as said:
        code = run(list(words))
    if code:
        raise RuntimeError(f"{words[0]} ended with {code}")
    return said.getvalue()


class _Table:
    """The players, the referee, and the file between them."""

    def __init__(self, names: list[str], rules: list[str], *, quiet: bool) -> None:
        self.names = names
        self.rules = rules
        self.quiet = quiet
        self.notes = 0
        self.round = ""

    def load(self) -> Any:
        from referee.table.signing import load

        return load(GAME)[0]

    def sit_down(self) -> None:
        for folder in ("keys", "notes", "steps"):
            Path(folder).mkdir()
        for name in ("referee", *self.names):
            _run("key", "--make", f"keys/{name}")
        seats = [word for name in self.names for word in ("--seat", name)]
        title = ["--title", "Demo"]
        mine = ["--referee-key", "keys/referee", "--ledger", LEDGER]
        _run("new", str(GAME), *self.rules, *seats, *title, *mine)
        joins = []
        for name in self.names:
            joins.append(self._note(f"{name}.join"))
            _run("join", str(GAME), "--seat", name, "--key", f"keys/{name}", "-o", joins[-1])
        self._apply(joins)

    def _note(self, name: str) -> str:
        self.notes += 1
        return f"notes/{self.notes:04}-{name}"

    def _apply(self, notes: list[str]) -> None:
        _run("apply", str(GAME), *notes, "--referee-key", "keys/referee", "--ledger", LEDGER)

    def play(self) -> None:
        """Everybody answers what is asked, until nothing is."""
        from shutil import copyfile

        kept = 0
        while (file := self.load()).asked:
            if not kept or file.step >= kept + EVERY:
                kept = file.step
                copyfile(GAME, f"steps/{file.step:04}.toml")
            self._tell(file)
            self._apply([self._answer(file, one["id"], one["seat"]) for one in file.asked])

    def _tell(self, file: Any) -> None:
        from referee.render.text import terminal

        now = file.asked[0]["id"].split(".")[0]
        if now != self.round and not self.quiet:
            terminal.say(f"round {now}, step {file.step}")
        self.round = now

    def _answer(self, file: Any, decision: str, seat: str) -> str:
        from referee.cli.flags import flags_of
        from referee.playing.reader import KeyOptions, player_of
        from referee.table.replay import rules_for
        from referee.table.views import view_of

        key = f"keys/{seat}"
        hand = player_of(file, KeyOptions(Path(key))).hand
        assert hand is not None
        words = {word.name: word for word in rules_for(file).words}
        play = view_of(file, hand).suggest()
        note = self._note(f"{decision}.move")
        _run("move", str(GAME), *flags_of(play, words), "--key", key, "-o", note)
        return note
