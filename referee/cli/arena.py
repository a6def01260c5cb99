"""`arena`: many games between programs, to see which plays better."""

from pathlib import Path
from typing import Annotated

import typer

from referee.bots.names import PLAYERS
from referee.cli import completing
from referee.cli import options as opt
from referee.cli.usage import Usage, typed
from referee.games import DEFAULT

app = typer.Typer(rich_markup_mode=None)

LEAST = 200


@app.command(cls=opt.ChoosesRules)
def arena(
    seat: Annotated[
        opt.Words,
        opt.option(
            "--seat",
            "LEVEL",
            f"A bot at the table (repeat for each seat): {', '.join(PLAYERS)}.",
            autocompletion=completing.listed(lambda: PLAYERS),
        ),
    ] = None,
    engine: Annotated[
        opt.Words,
        opt.option(
            "--engine",
            "[NAME=]CMD",
            "A program of your own at the table (repeat for each seat); `help engine` says what "
            "it reads and writes.",
        ),
    ] = None,
    games: Annotated[int, opt.option("--games", "N", "The number of games.", min=1)] = 1000,
    within: Annotated[
        float | None,
        opt.option(
            "--within",
            "POINTS",
            f"Stop as soon as all shares are known to so many points of a hundred to each side, "
            f"after at least {LEAST} games.",
            min=0.1,
        ),
    ] = None,
    seed: Annotated[int, opt.option("--seed", "N", "Deal other cards.")] = 1,
    limit: Annotated[
        float,
        opt.option("--limit", "SECONDS", "How long an engine may take for an answer.", min=0.01),
    ] = 10.0,
    resume: Annotated[
        Path | None,
        opt.place(
            "--resume", "FILE", "Keep each deal in FILE, and go on from those that it has already."
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        opt.option("--jobs", "N", "Deals at the same time (default: one per processor).", min=1),
    ] = None,
    dask: Annotated[
        str | None,
        opt.option("--dask", "ADDRESS", "Play on the machines of the Dask cluster there."),
    ] = None,
    time: Annotated[
        bool,
        opt.switch("--time", "Also tell how long answers took, in the deals that are played now."),
    ] = False,
    rules: opt.RulesOpt = DEFAULT,
    edition: opt.EditionOpt = None,
    expansion: opt.ExpansionOpt = None,
    variant: opt.VariantOpt = None,
    option: opt.RuleOpt = None,
    deck: opt.DeckOpt = None,
    csv: Annotated[bool, opt.switch("--csv", "Comma-separated values instead of text.")] = False,
    json: opt.JsonOpt = False,
) -> None:
    """Let programs play many games against each other, and count who wins.

    The same cards are dealt once for each way in which the players can sit, so luck is the same for
    all. A win that several share counts in parts. After each share stand two figures: in 95 of 100
    such contests the true share lies between them (Wilson's interval). How many processes or
    machines work changes nothing in the result.
    """
    from referee.bots.contest import Contest, Tally
    from referee.cli import contests, terms

    if csv and json:
        raise Usage("--csv and --json do not go together")
    entrants = contests.entrants(seat or (), engine or ())
    options = opt.RulesOptions(rules, edition, expansion or (), variant or (), option or (), deck)
    chosen = terms.choose(options)
    misfit = chosen.fits(len(entrants))
    if misfit:
        raise Usage(misfit, hint="give --seat LEVEL or --engine CMD for each seat")
    contest = Contest(chosen.module, chosen.terms(), entrants, seed, limit)
    tally = Tally(contest, games, None if within is None else within / 100, LEAST)
    with typed():
        contests.play(tally, resume, contests.Workers(jobs, dask))
    contests.tell(tally, "csv" if csv else "json" if json else "", times=time)
