"""`results`: who has won how many of the finished games below some folders."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import options as opt
from referee.cli.usage import Usage

app = typer.Typer(rich_markup_mode=None)


@app.command()
def results(
    folders: Annotated[
        list[Path] | None,
        opt.argument("DIR", "Folders in which, or below which, games lie (default: this one)."),
    ] = None,
    aliases: Annotated[
        Path | None,
        opt.option(
            "--aliases", "FILE", 'Names of players and their keys: Ana = ["ssh-ed25519 …"].'
        ),
    ] = None,
    audit: Annotated[
        bool,
        opt.switch(
            "--audit/--no-audit",
            "Check each game by playing it again from its deal, and count those that are right "
            "(the default); or check signatures and plays alone, which is quicker.",
        ),
    ] = True,
    jobs: Annotated[
        int | None,
        opt.option(
            "--jobs", "N", "How many games are checked at once (default: one per processor).", min=1
        ),
    ] = None,
    ratings: Annotated[
        bool,
        opt.switch(
            "--ratings", "Also rate the players by how strong they are, with the library openskill."
        ),
    ] = False,
    practice: Annotated[
        bool,
        opt.switch(
            "--practice",
            "Also count games of one player against bots, as `practice` opens them, and those in "
            "which the referee alone holds keys: nothing is proven of their deals.",
        ),
    ] = False,
    page: Annotated[
        Path | None, opt.place("--page", "FILE", "Write the tables and a chart as an HTML page.")
    ] = None,
    csv: Annotated[bool, opt.switch("--csv", "The table as CSV, a line a player and rule set.")] = (
        False
    ),
    plain: opt.PlainOpt = False,
    json: opt.JsonOpt = False,
) -> None:
    """Count who won how many of the finished games, with points and length, by rule set.

    A player is known by the key that held the seat at the end; a file of names, --aliases, says
    which keys belong to one person. Of several files of a game the newest counts. Games that still
    run, or ended without a winner, do not count; nor do files with which something is wrong, and
    these are named.
    """
    from functools import partial

    from referee.cli import resulttable
    from referee.cli.longwork import shown
    from referee.playing import results as counted
    from referee.playing.shelf import shelve
    from referee.render.text import terminal

    if csv and json:
        raise Usage("--csv and --json do not go together")
    if plain:
        terminal.read_out()
    known = counted.read_aliases(aliases) if aliases is not None else {}
    through = partial(shown, what="files")
    found = counted.find(*shelve(folders or [Path()], through=through))
    judged = resulttable.judged(found.finished, jobs, is_audited=audit)
    played = counted.in_order(one for one in judged if isinstance(one, counted.Played))
    games = [one for one in played if practice or not one.practice]
    faults = [*found.faults, *(one for one in judged if isinstance(one, counted.Fault))]
    names = counted.Names(known, games)
    players = counted.tally(games, names)
    rated = counted.rate(games, names) if ratings else {}
    left_out = len(played) - len(games)
    table = resulttable.Table(games, players, names, rated, found, left_out, faults, audit)
    if page is not None:
        resulttable.write_page(table, page)
    if json:
        terminal.document(resulttable.document(table))
    elif csv:
        resulttable.tell_faults(table)
        terminal.verbatim(resulttable.as_csv(table))
    else:
        resulttable.tell(table, page)
