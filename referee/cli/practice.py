"""`practice`: a game against bots, at once, with everything that a real one has."""

from pathlib import Path
from typing import Annotated

import typer

from referee.bots.names import LEVELS
from referee.cli import completing
from referee.cli import options as opt
from referee.games import DEFAULT
from referee.render.text import terminal

app = typer.Typer(rich_markup_mode=None)


@app.command(cls=opt.ChoosesRules)
def practice(
    folder: Annotated[
        Path | None,
        opt.place_argument(
            "[DIR]",
            "The folder of the game, new or to go on with (default: practice, or this folder if "
            "it is that of such a game).",
        ),
    ] = None,
    against: Annotated[
        opt.Words,
        opt.option(
            "--against",
            "LEVEL",
            f"How well the bots play: {', '.join(LEVELS)} (default: easy); for different ones as "
            "easy,hard.",
            autocompletion=completing.listed(lambda: LEVELS),
        ),
    ] = None,
    seats: Annotated[
        int | None,
        opt.option("--seats", "N", "How many play, you among them (default: 3, or as few as can)."),
    ] = None,
    name: Annotated[
        str | None, opt.option("--name", "NAME", "Your name at the table (default: your login).")
    ] = None,
    seed: Annotated[
        int | None, opt.option("--seed", "N", "The same cards each time that you give this number.")
    ] = None,
    lessons: Annotated[
        bool,
        opt.switch(
            "--lessons/--no-lessons",
            "Explain each thing when it comes up for the first time (the default), or do not.",
        ),
    ] = True,
    game: opt.RulesOpt = DEFAULT,
    edition: opt.EditionOpt = None,
    expansion: opt.ExpansionOpt = None,
    variant: opt.VariantOpt = None,
    option: opt.RuleOpt = None,
    deck: opt.DeckOpt = None,
    plain: opt.PlainOpt = False,
) -> int:
    """Play against bots, now. You answer by choosing from menus, as with `play`.

    The game is a real one, in a folder with its keys: `show`, `log`, `score`, `page` and `audit`
    work on it. Leave with q, and go on with the same command. When it is over, or you choose other
    rules or players, the next game gets a folder beside it.
    """
    from referee.cli import practicetable as tables
    from referee.cli import practiceterms as chosen_by
    from referee.cli import practicing, terms

    if plain:
        terminal.read_out()
    rules = opt.RulesOptions(game, edition, expansion or (), variant or (), option or (), deck)
    fresh = rules != opt.RulesOptions(DEFAULT) or (against, seats, name, seed) != (None,) * 4
    # Typed words are looked at before anything is made.
    levels = chosen_by.levels_of(against or ())
    chosen = terms.choose(rules)
    count = chosen_by.count_of(chosen, seats, len(levels))
    wanted = chosen_by.Wanted(chosen, levels, count, name, seed)
    first = folder or tables.this_folder() or practicing.FOLDER
    table, file, waits = chosen_by.place(first, wanted if fresh else None, named=folder is not None)
    if file is None:
        if waits is not None:
            terminal.say(f"The game in {waits} waits for you until you go on with it.")
        me = name or tables.own_name()
        file = tables.make(table, wanted.rules, me, wanted.bots(me), seed)
        practicing.welcome(table, file)
    else:
        here = folder is None and table.folder == tables.this_folder()
        where = "the folder you are in" if here else str(table.folder)
        terminal.say(f"This is your game in {where}.")
        terminal.say()
    return practicing.go_on(table, lessons=lessons)
