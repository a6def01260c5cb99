"""`games`: every game below some folders, those that wait for the reader first."""

from pathlib import Path
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
        bool,
        opt.switch(
            "--watch", "Keep the list true until Ctrl-C; in git clones, fetch what others pushed."
        ),
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
    plain: opt.PlainOpt = False,
    now: opt.NowOpt = None,
    json: opt.JsonOpt = False,
) -> int:
    """All your games: what is asked of you, who else is waited for, or who won.

    Nothing is checked but that the files can be read. Ends with 0 if something waits for you, and
    with 1 if nothing does.
    """
    from referee.cli import gamelist

    if plain:
        terminal.read_out()
    look = gamelist.Looks(folders or [Path()], key, now)
    if watch:
        # Most lists are looked at once.
        from referee.cli import gamewatch

        return gamewatch.watch(look, every, notify, json=json)
    found = look()
    gamelist.tell(found, json=json)
    if notify is not None:
        # Few lists call anybody.
        from referee.cli.calling import Caller

        Caller(notify, json=json).call(found, ())
    return found.code
