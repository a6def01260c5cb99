"""`review`: after the game, where a seat could have done better."""

from typing import Annotated

import typer

from referee.cli import completing
from referee.cli import options as opt
from referee.cli.usage import Usage
from referee.render.text import terminal

app = typer.Typer(rich_markup_mode=None)


@app.command()
def review(
    game: opt.GameArg,
    seat: Annotated[
        str | None,
        opt.option(
            "--seat",
            "NAME",
            "The seat to look at, anybody's (default: the seat of your key).",
            autocompletion=completing.seats,
        ),
    ] = None,
    key: opt.KeyOpt = None,
    every: Annotated[
        bool, opt.switch("--all", "All decisions, not only those that mattered most.")
    ] = False,
    jobs: Annotated[
        int | None,
        opt.option("--jobs", "N", "Decisions at once (default: one per processor).", min=1),
    ] = None,
    plain: opt.PlainOpt = False,
    json: opt.JsonOpt = False,
) -> None:
    """After the game: what a hard bot would have done in a seat's place, and what mattered most.

    It looks at each decision from what the seat saw then. Where its own answer is better by more
    than chance, it says by how much: how many more of a hundred games that wins. `page --review`
    marks the same in a browser.
    """
    from referee.cli import keyring, reviewtext
    from referee.playing.reader import reader_of
    from referee.table.rules import rules_for
    from referee.table.signing import load

    if plain:
        terminal.read_out()
    file, _ = load(game)
    if seat is None:
        own = reader_of(file, keyring.keys(key)).seat
        if own is None:
            names = ", ".join(one.name for one in file.seats)
            raise Usage("whose decisions? say --seat NAME", hint=f"seats: {names}")
        seat = own.name
    found = reviewtext.looked_back(file, seat, jobs)
    if json:
        terminal.document(reviewtext.document(file, seat, found))
    else:
        reviewtext.tell(rules_for(file), seat, found, every=every)
