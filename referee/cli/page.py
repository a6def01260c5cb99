"""`page`: a game file as something to look at in a browser, or as a picture."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.languages import ENGLISH, LangOpt, check
from referee.cli.options import GameArg, IdentityOpt, JsonOpt, KeyOpt, SeatOpt
from referee.cli.usage import Usage

if TYPE_CHECKING:
    from referee.table.gamefile import GameFile
    from referee.table.hands import Hand

app = typer.Typer(rich_markup_mode=None)

PICTURES = (".svg", ".png")
BEGINNINGS = (b"<!doctype html>", b"<svg ", b"\x89PNG")
"""What a file begins with that may be replaced; anything else is somebody's work and stays."""


@app.command()
def page(
    game: GameArg,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Else beside the game; - is standard output."
        ),
    ] = None,
    image: Annotated[
        Path | None,
        typer.Option("--image", metavar="FILE", help="A picture instead: .svg or .png."),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="Without your hand, to be shown to anybody.")
    ] = False,
    lang: LangOpt = ENGLISH,
    key: KeyOpt = None,
    seat: SeatOpt = None,
    identity: IdentityOpt = None,
    json: JsonOpt = False,
) -> None:
    """One HTML file to look at the table, step through the game, and put an answer together.

    With your key at hand it holds your hand; without one it is what everybody sees.
    """
    from referee.render.page.model import model_of
    from referee.storage import put
    from referee.table.signing import load

    check(lang)
    if image is not None and output is not None:
        raise Usage("a page goes to -o and a picture to --image, so name one of them")
    if output is not None and output.suffix.lower() in PICTURES:
        name = quote(str(output.with_suffix(output.suffix.lower())))
        raise Usage(f"-o writes a page, and a picture goes to --image: --image {name}")
    if output is not None and not _is_page(output):
        name = quote(str(output.with_suffix(".html")))
        raise Usage(f"-o writes a page, which is HTML: -o {name}", hint="a browser can print it")
    if image is not None and image.suffix not in PICTURES:
        raise Usage("--image: the name must end in .svg or .png")
    file, _ = load(game)
    hand = None if public or image else _hand(file, key, seat, identity)
    # Where somebody keeps a key is nobody else's business.
    model = model_of(file, hand, *(_command(game, key, identity) if hand else ()))
    path = image or output or game.with_suffix(".html")
    if image is None:
        from referee.render.page.write import page as write

        data = write(model, lang).encode()
    else:
        from referee.render.page.image import png, svg

        text = svg(model, lang)
        data = png(text) if image.suffix == ".png" else text.encode()
    if path == Path("-"):
        from referee.render.text import terminal

        terminal.verbatim(data.decode())
        return
    put(
        path,
        data,
        "page or picture",
        lambda old: old.startswith(BEGINNINGS),
        named=bool(image or output),
        private=hand is not None,
    )
    _tell(path, len(data), hand.seat if hand else None, json)


def _is_page(path: Path) -> bool:
    """Return whether a name may be that of a page: it is not known to say anything else."""
    from mimetypes import MimeTypes

    kind, packed = MimeTypes().guess_type(path.name)
    return packed is None and kind in (None, "text/html", "application/xhtml+xml")


def _tell(path: Path, size: int, seat: str | None, json: bool) -> None:
    from referee.render.text import terminal

    if json:
        terminal.document({"file": str(path), "bytes": size, "seat": seat})
        return
    terminal.say(f"{path} is written, {-(-size // 1000)} kB.")
    if seat is not None:
        terminal.say(f"It holds the hand of {seat}; for a page that others may see: --public")


def _hand(file: GameFile, key: Path | None, seat: str | None, identity: Path | None) -> Hand | None:
    from referee.cli import keyring
    from referee.playing.reader import reader_of

    reader = reader_of(file, keyring.keys(key, seat, identity))
    if reader.stranger is not None:
        raise reader.stranger
    return reader.hand


def _command(game: Path, key: Path | None, identity: Path | None) -> tuple[str, str]:
    """What the command of an answer begins with, and what it ends with."""
    from referee.cli.flags import command, given, shown

    return command(game, "", {}), shown(given(key, identity))
