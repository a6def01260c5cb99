"""`page`: a game file as something to look at in a browser, or as a picture."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import completing
from referee.cli import options as opt
from referee.cli.languages import ENGLISH, LangOpt, check
from referee.cli.outputs import check_output
from referee.cli.usage import Usage
from referee.render.text import terminal

if TYPE_CHECKING:
    from referee.playing.reviewing import Reviewed
    from referee.table.gamefile import GameFile

app = typer.Typer(rich_markup_mode=None)

PICTURES = (".svg", ".png")
BEGINNINGS = (b"<!doctype html>", b"<svg ", b"\x89PNG")
"""Beginnings of files that may be replaced; any other file is somebody's work and stays."""


@app.command()
def page(
    game: opt.GameArg,
    output: Annotated[
        Path | None,
        opt.place(
            "-o --output",
            "FILE",
            "Write the page to FILE; - for standard output (default: beside the game).",
        ),
    ] = None,
    image: Annotated[
        Path | None, opt.place("--image", "FILE", "A picture instead: .svg or .png.")
    ] = None,
    public: Annotated[
        bool, opt.switch("--public", "Leave your hand out, so that anybody may see it.")
    ] = False,
    review: Annotated[
        list[str] | None,
        opt.option(
            "--review",
            "SEAT",
            "After the game: mark what mattered most of its decisions (repeat for several).",
            autocompletion=completing.seats,
        ),
    ] = None,
    lang: LangOpt = ENGLISH,
    key: opt.KeyOpt = None,
    seat: opt.SeatOpt = None,
    identity: opt.IdentityOpt = None,
    json: opt.JsonOpt = False,
) -> None:
    """One HTML file to look at the table, step through the game, and put an answer together.

    It shows your hand if your key is found, and otherwise what everybody sees.
    """
    from referee.cli import keyring
    from referee.cli.flags import key_options, sending, shell_join
    from referee.cli.newest import tell_newer
    from referee.playing.reader import reader_of
    from referee.render.page.model import Album, model_of
    from referee.render.page.write import page as write
    from referee.storage import write_named
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
    if image is not None and review:
        raise Usage("--review marks what mattered on a page, and not in a picture")
    album = Album()
    file, _ = load(game, album.see)
    reviews = {name: _mattered_most(file, name) for name in review or ()}
    tell_newer(game, file, json=json)
    hand, ahead = None, None
    if not (public or image):
        reader = reader_of(file, keyring.keys(key, seat, identity, game))
        reader.check_seat()
        hand = reader.hand
        if hand and reader.key and file.plan_language and file.status == "playing":
            # Not every table takes plans.
            from referee.playing.planning import Planner
            from referee.render.page.planned import ahead_of

            planner = Planner(file, reader, identity)
            ahead = ahead_of(planner, shell_join(["sanjuan-ref", "plan", str(game)]))
    # Where somebody keeps a key is nobody else's business.
    begun, more = (
        (
            shell_join(["sanjuan-ref", "move", str(game)]),
            shell_join(sending(game, key_options(key, identity))),
        )
        if hand
        else ("", "")
    )
    model = model_of(file, hand, begun, more, ahead, reviews, album=album)
    path = image or output or game.with_suffix(".html")
    if image is None:
        data = write(model, lang).encode()
    else:
        # Pages are made far more often than pictures.
        from referee.render.page import image as images

        text = images.svg(model, lang)
        data = images.png(text) if image.suffix == ".png" else text.encode()
    if path == Path("-"):
        terminal.verbatim(data.decode())
        return
    if not (image or output):
        check_output(path.parent)
    write_named(
        path,
        data,
        "page or picture",
        lambda old: old.startswith(BEGINNINGS),
        named=bool(image or output),
        private=hand is not None,
    )
    _tell(path, len(data), hand.seat if hand else None, json)


def _mattered_most(file: "GameFile", seat: str) -> "list[Reviewed]":
    """Return the decisions of a seat that gave away most."""
    # Bots are slow to import, and few pages are reviews.
    from referee.cli.reviewtext import looked_back
    from referee.playing.reviewing import mattered_most

    return mattered_most(looked_back(file, seat))


def _is_page(path: Path) -> bool:
    """Return True if a name may be that of a page: it is not known to say anything else."""
    if path.suffix.lower() == ".html":
        return True
    # Reads what the machine knows of endings, which takes a while.
    from mimetypes import MimeTypes

    kind, packed = MimeTypes().guess_type(path.name)
    return packed is None and kind in (None, "text/html", "application/xhtml+xml")


def _tell(path: Path, size: int, seat: str | None, json: bool) -> None:
    if json:
        terminal.document({"file": str(path), "bytes": size, "seat": seat})
        return
    terminal.say(f"{path} is written, {-(-size // 1000)} kB.")
    if seat is not None:
        terminal.say(f"It holds the hand of {seat}; for a page that others may see: --public")
