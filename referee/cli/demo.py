"""`demo`: a whole game through the real commands; its keys, notes and files stay to be read."""

from contextlib import chdir
from pathlib import Path
from random import Random
from shlex import quote
from shutil import copyfile
from typing import Annotated

import typer

from referee.cli import options as opt
from referee.cli.usage import Usage
from referee.games import DEFAULT
from referee.render.text import terminal

app = typer.Typer(rich_markup_mode=None)

NAMES = ("ana", "ben", "carla", "dario", "eva", "felix", "greta", "hugo", "ines", "jon")
DECK = Path("deck.toml")


@app.command(cls=opt.ChoosesRules)
def demo(
    folder: Annotated[Path, opt.place_argument("DIR", "A folder that does not exist yet.")],
    seats: Annotated[int, opt.option("--seats", "N", "The number of players.")] = 4,
    seed: Annotated[
        int | None, opt.option("--seed", "N", "Reuse the same names (the cards always differ).")
    ] = None,
    game: opt.RulesOpt = DEFAULT,
    edition: opt.EditionOpt = None,
    expansion: opt.ExpansionOpt = None,
    variant: opt.VariantOpt = None,
    option: opt.RuleOpt = None,
    deck: opt.DeckOpt = None,
    json: opt.JsonOpt = False,
) -> int:
    """Play a whole game with throw-away keys, in a new folder.

    What is left there: game.toml; keys/; every note as it would be sent in notes/; the game file
    at some steps in steps/; all commands in commands.txt.
    """
    from referee.cli import terms
    from referee.cli.demotable import COMMANDS, GAME, DemoTable, succeed, writing
    from referee.render.text import overview
    from referee.storage import NotWritten
    from referee.table.rules import rules_for

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NotWritten(f"{folder} already exists", "name a folder that does not exist yet")
    options = opt.RulesOptions(game, edition, expansion or (), variant or (), option or (), deck)
    chosen = terms.choose(options)
    misfit = chosen.fits(seats)
    if misfit:
        raise Usage(f"--seats: {misfit}", hint="see `sanjuan-ref demo --help`")
    names = sorted(Random(seed).sample(NAMES, seats))
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if deck is not None:
            copyfile(deck, folder / DECK)
    flags = _flags(options)
    with chdir(folder):
        table = DemoTable(names, flags, quiet=json)
        table.sit_down()
        table.play()
        file = table.load()
        checked = succeed("audit", str(GAME), *(["--json"] if json else []))
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
    terminal.say(f"  sanjuan-ref log {quote(str(folder / GAME))}")
    first, key = (quote(str(folder / name)) for name in ("steps/0001.toml", f"keys/{names[0]}"))
    terminal.say(f"  sanjuan-ref show {first} --key {key}")
    return 0


def _flags(options: opt.RulesOptions) -> list[str]:
    """Return the flags of `new` for these rules."""
    said = [
        ("--game", [options.game]),
        ("--edition", [options.edition] if options.edition else []),
        ("--expansion", options.expansions),
        ("--variant", options.variants),
        ("--option", options.options),
        ("--deck", [str(DECK)] if options.deck is not None else []),
    ]
    return [word for flag, values in said for value in values for word in (flag, value)]
