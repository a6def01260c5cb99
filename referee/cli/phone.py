"""`phone …`: the app for players with nothing but a phone."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import options as opt
from referee.render.text import terminal

app = typer.Typer(rich_markup_mode=None)
phone = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="The app for players with nothing but a phone.",
)
app.add_typer(phone, name="phone")


@phone.command()
def fetch(json: opt.JsonOpt = False) -> None:
    """Get the parts of others that the app is built of, by npm, and check their hashes."""
    from referee.phone import parts

    got = parts.fetch()
    if json:
        terminal.document({"folder": str(parts.place()), "fetched": [part.name for part in got]})
        return
    for part in got:
        terminal.say(f"{part.name} {part.version} is fetched, and is what it should be.")
    if not got:
        terminal.say("All parts are there already, and are what they should be.")


@phone.command()
def build(
    folder: Annotated[Path, opt.place_argument("DIR", "A new folder, or that of an older build.")],
    json: opt.JsonOpt = False,
) -> None:
    """Build the app into a folder, for any host of static files that has https.

    The same program builds the same files, byte for byte: compare their hashes with those that
    others publish. `phone fetch` gets what it is built of; node compiles it.
    """
    from referee.phone.build import build as make

    built = make(folder)
    if json:
        terminal.document(built._asdict() | {"folder": str(folder)})
        return
    size = -(-built.size // 100_000) / 10
    terminal.say(
        f"{folder} is built: {len(built.hashes)} files, {size} MB, version {built.version}."
    )
    terminal.say(f"files.json  {built.hashes['files.json']}")
    terminal.say("Put it on a host with https; `sanjuan-ref help phone.md` says which, and why.")


@phone.command()
def serve(
    folder: Annotated[Path, opt.argument("DIR", "The folder of a build.")],
    port: Annotated[
        int, opt.option("--port", "N", "The port (0: any that is free).", min=0, max=65535)
    ] = 8017,
) -> None:
    """Serve a build to this machine alone, for a look."""
    from referee.phone.serve import server

    with server(folder, port) as found:
        terminal.say(f"http://localhost:{found.server_port}/ (Ctrl-C ends it)")
        terminal.flush()
        found.serve_forever()
