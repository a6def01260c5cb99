"""`games`: every game below some folders, those that wait for the reader first."""

from __future__ import annotations

from pathlib import Path
from time import sleep
from typing import Annotated

import typer

from referee.cli import options as opt
from referee.render.text import terminal

app = typer.Typer(rich_markup_mode=None)


@app.command()
def games(
    folders: Annotated[
        list[Path] | None,
        opt.argument("DIR", "Folders in which, or below which, games lie (default: this one)."),
    ] = None,
    key: Annotated[
        list[Path] | None,
        opt.option(
            "--key",
            "FILE",
            "Your private keys (default: $SANJUAN_KEY, or those in ~/.config/sanjuan-ref and "
            "~/.ssh/id_ed25519).",
        ),
    ] = None,
    watch: Annotated[
        bool, opt.switch("--watch", "Keep looking; in git clones, fetch what others pushed.")
    ] = False,
    every: Annotated[
        int, opt.option("--every", "SECONDS", "How often to look, with --watch.", min=1)
    ] = 60,
    notify: Annotated[
        str | None,
        opt.option(
            "--notify",
            "CMD",
            "A shell command to run for each new question to you; see `sanjuan-ref help playing`.",
        ),
    ] = None,
    now: opt.NowOpt = None,
    json: opt.JsonOpt = False,
) -> int:
    """All your games: what is asked of you, who else is waited for, or who won.

    Nothing is checked but that the files can be read. Ends with 0 if something waits for you, and
    with 1 if nothing does.
    """
    from referee.cli import gamelist
    from referee.playing.shelf import list_games
    from referee.table.times import current_time

    keys = gamelist.own_keys(key)
    told: set[tuple[str, str]] | None = None
    silent: set[Path] = set()
    while True:
        found, faults = list_games(folders or [Path()], keys)
        waits = {(game.game, str(one)): (game, one) for game in found for one in game.for_me()}
        new = [waits[one] for one in waits if told is None or one not in told]
        if told is None or new:
            gamelist.tell(found, faults, now or current_time(), keys_known=bool(keys), json=json)
        for game, question in new if notify is not None else ():
            gamelist.notify(str(notify), game, question)
        told = set(waits)
        if not watch:
            return 0 if waits else gamelist.NOTHING_WAITS
        terminal.flush()
        try:
            sleep(every)
            gamelist.fetch(found, silent)
        except KeyboardInterrupt:
            return 0 if waits else gamelist.NOTHING_WAITS
