"""The picture of a terminal in `examples/`: `python -m tests.show.example` makes it anew."""

from __future__ import annotations

import os
import re
import sys
from contextlib import chdir
from io import BytesIO, StringIO, TextIOWrapper
from unittest.mock import patch

from referee.cli.main import main as run
from tests.make_examples import EXAMPLES

PICTURE = EXAMPLES / "terminal" / "show.svg"
WORDS = ["show", "game.toml", "--key", "keys/ben"]
WIDE = 92
BACK, FRONT = (22, 24, 28), (236, 236, 230)
COLOURS = [
    *((12, 12, 14), (178, 48, 56), (140, 200, 110), (222, 184, 80)),
    *((48, 96, 190), (142, 72, 160), (110, 195, 205), (240, 240, 236)),
]
"""Like those of terminals: white can be read on red, blue and magenta, black on all others."""
# What rich puts into its pictures otherwise are fonts to be fetched from the network.
FONTS = re.compile(r"@font-face \{\{.*?\}\}\n", re.DOTALL)
SGR = re.compile(r"\x1b\[[0-9;]*m")


class Screen(TextIOWrapper):
    """Standard output that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def shown() -> str:
    """Return what `show` prints in the game in progress on a terminal, colours and all."""
    buffer = BytesIO()
    screen = Screen(buffer, encoding="utf-8")
    kept = {name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ}
    env = {**kept, "TERM": "xterm-256color", "COLUMNS": str(WIDE), "LINES": "60"}
    with (
        chdir(EXAMPLES / "in-progress"),
        patch.dict(os.environ, env, clear=True),
        patch.object(sys, "stdout", screen),
    ):
        assert run(WORDS) == 0
    screen.flush()
    return f"\x1b[1m$ sanjuan-ref {' '.join(WORDS)}\x1b[0m\n{buffer.getvalue().decode()}"


def picture(text: str) -> str:
    """A terminal with this text as SVG."""
    from rich._export_format import CONSOLE_SVG_FORMAT
    from rich.console import Console
    from rich.terminal_theme import TerminalTheme
    from rich.text import Text

    console = Console(record=True, width=WIDE, file=StringIO(), force_terminal=True)
    console.print(Text.from_ansi(text), no_wrap=True, crop=False)
    return console.export_svg(
        title="ben's terminal",
        theme=TerminalTheme(BACK, FRONT, COLOURS),
        unique_id="show",
        code_format=FONTS.sub("", CONSOLE_SVG_FORMAT),
    )


def words(svg: str) -> list[str]:
    """The words in a picture of a terminal."""
    from html import unescape

    return unescape(re.sub(r"<[^>]*>", " ", svg.partition('-matrix">')[2])).split()


def main() -> None:
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(shown()))


if __name__ == "__main__":
    main()
