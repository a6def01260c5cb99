"""Output: the one place that writes to standard output and standard error."""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import StringIO, UnsupportedOperation
from typing import TYPE_CHECKING, Any, TextIO

from referee.redaction import redact
from referee.system import POSIX, takes_colours

if TYPE_CHECKING:
    from referee.games.errors import GameError

MAX_WIDTH = 100
FOOTLESS = 3
"""With fewer lines than these for what is drawn, what stands below is left out."""
NOTE_COLUMN = 44

# SGR codes. Only these sixteen-colour ones look right on light and dark backgrounds alike.
STYLES = {"bold": "1", "dim": "2", "bad": "1;31", "good": "32", "mine": "1;36"}

ASCII = str.maketrans({"→": "->", "…": "..."})
"""Stand-ins for our own signs where there are no symbols."""

_CODES = r"\x1b\[[0-9;]*m"

PROGRAM = "sanjuan-ref"
_COMMAND = rf"(?:^ *|: )(?=\S*{PROGRAM}'? )|^ *(?=--[a-z])"
"""The place before a command, or flags for one, that is the rest of a line."""
_GOES_ON = " \\" if POSIX else " `"
"""The end of a line of a command that goes on, as the system's shell reads it."""

FORCED = ("FORCE_COLOR", "CLICOLOR_FORCE")

Piece = str | tuple[str, str]
"""A piece of a line: plain text, or (style, text)."""


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Return what people read in place of characters that a stream cannot encode."""
    # Most streams can encode everything.
    from referee.render.text.alike import in_ascii

    if not isinstance(error, UnicodeEncodeError):
        raise error
    return in_ascii(error.object[error.start : error.end]), error.end


PLAIN = "sanjuan-ref-plain"
codecs.register_error(PLAIN, _plain)


def prepare() -> None:
    """Make the streams safe for any text: what they cannot encode becomes something like it.

    What is piped in is UTF-8 on every system, as files are.
    """
    global _aloud
    _aloud = False
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            # Closed by whoever started us.
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 - stays open
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue
        if name != "stdin":
            reconfigure(errors=PLAIN)
        elif not stream.isatty():
            # It cannot be changed once somebody has read from it.
            with suppress(UnsupportedOperation):
                reconfigure(encoding="utf-8", errors="surrogateescape")


def call_as(path: str, commands: Iterable[str]) -> None:
    """Name the program in commands for people by this path, with which it was called, where a
    shell finds no program of its name: then they can be copied as they stand."""
    global _calls, _called
    _calls, _called = "", None
    if POSIX and "/" in path and os.path.basename(path) == PROGRAM:  # noqa: PTH119
        _calls = rf"(?<![\w./-]){PROGRAM}(?= (?:{'|'.join(commands)})(?![\w-]))"
        _called = path


def _callable(text: str) -> str:
    """Return a text with commands as they can be called here; what others get says the name."""
    if _called is None or PROGRAM not in text or _paper or not re.search(_calls, text):
        return text
    # Only who reads a command wants to know.
    from shlex import quote

    places = os.environ.get("PATH", "").split(os.pathsep)
    if any(os.access(os.path.join(place, PROGRAM), os.X_OK) for place in places if place):  # noqa: PTH118
        return text
    said = quote(_called)
    return re.sub(_calls, lambda _: said, text)


_calls = ""
_called: str | None = None


def clean(text: str) -> str:
    """Return a line of foreign text in which everything is escaped that a terminal would obey.

    That is control characters, and those that turn the direction of writing.
    """
    if text.isprintable():
        return text
    return "".join([char if char.isprintable() else _escaped(char) for char in text])


def _escaped(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode()


def say(*pieces: Piece, error: bool = False) -> None:
    """Print one line for people; on standard error where it belongs to a diagnostic.

    A blank line is left out where room is short.
    """
    if not pieces and _tight and not error:
        return
    _write(sys.stderr if error else sys.stdout, pieces)


def pass_on(command: str) -> None:
    """Print a command that somebody else is to run, on a machine of their own."""
    _write(sys.stdout, (f"  {command}",), called=False)


def flush() -> None:
    """Flush the output."""
    sys.stdout.flush()


def warn(label: str, text: str) -> None:
    """Print a diagnostic, `label` being `error`, `hint`, `warning` or `note`."""
    style = "bad" if label in ("error", "bug") else "bold"
    _write(sys.stderr, ((style, f"{label}:"), f" {text}"))


def complain(error: GameError, where: str = "") -> None:
    """Print an error, what is wrong one by one if it is several things, and its hint."""
    faults = error.faults if len(error.faults) > 1 else ()
    what = redact(error.message.removesuffix(" " + redact("; ".join(faults))))
    warn("error", f"{redact(where)}: {what}" if where else what)
    for fault in faults:
        say(f"  {redact(fault)}", error=True)
    if error.hint:
        warn("hint", error.hint)


def verbatim(text: str) -> None:
    """Print a text of our own making as it is: notes, keys, JSON."""
    sys.stdout.write(text)


def verbatim_error(text: str) -> None:
    """Print a text of our own making on standard error."""
    sys.stderr.write(text)


def document(value: dict[str, Any], code: int = 0) -> None:
    """Print one JSON object, which begins with the exit code."""
    import json

    sys.stdout.write(json.dumps({"exit": code} | value, indent=2) + "\n")


def _write(stream: TextIO, pieces: Sequence[Piece], *, called: bool = True) -> None:
    colours = coloured(stream)
    parts = [("", one) if isinstance(one, str) else one for one in pieces]
    styled = [(style, clean(text)) for style, text in parts]
    if called:
        styled = [(style, _callable(text)) for style, text in styled]
    if stream.isatty():
        styled = _folded([(style, _on(stream, text)) for style, text in styled])
    line = "".join(
        [
            f"\x1b[{STYLES[style]}m{text}\x1b[0m" if style and colours else text
            for style, text in styled
        ]
    )
    if not colours:
        line = line.translate(ASCII)
    stream.write(line.rstrip(" ") + "\n")


def _folded(pieces: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Break a line between words where the terminal would break it within one.

    Texts to be copied stay whole, like commands in backquotes and keys, or can be copied as they
    are: a command that ends a line goes on after a sign that a shell reads so.
    """
    whole = "".join([text for _, text in pieces])
    wide = full_width()
    begin = whole.lstrip()
    if len(whole) <= wide or max(map(len, begin.split(" "))) > wide:
        return pieces
    indent = " " * (len(whole) - len(begin) + 2)
    command = re.search(_COMMAND, whole)
    shell = command.end() if command else len(whole)
    breaks, start, last, quote = set[int](), 0, -1, ""
    for at, char in enumerate(whole):
        if char in ("`" if at < shell else "'\"") and quote in ("", char):
            quote = "" if quote else char
        room = wide if at < shell else wide - len(_GOES_ON)
        if at - start >= room and last > start:
            breaks.add(last)
            start, last = last + 1 - len(indent), -1
        if char == " " and not quote and at >= len(indent):
            last = at
    found, at = list[tuple[str, str]](), 0
    for style, text in pieces:
        said = [
            f"{_GOES_ON if at + i >= shell else ''}\n{indent}" if at + i in breaks else char
            for i, char in enumerate(text)
        ]
        found.append((style, "".join(said)))
        at += len(text)
    return found


def coloured(stream: TextIO) -> bool:
    """Return True if a stream takes colours: a terminal that is not dumb, and no $NO_COLOR.

    $FORCE_COLOR and $CLICOLOR_FORCE want them elsewhere too (`0` and empty do not).
    """
    if _aloud or os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "0") not in ("", "0") for name in FORCED):
        return True
    return os.environ.get("TERM") != "dumb" and stream.isatty() and takes_colours()


def as_printed(text: str) -> str:
    """Return a text as a terminal shows it, where letters stand for signs: so it is measured."""
    return _on(sys.stdout, text) if sys.stdout.isatty() else text


def _on(stream: TextIO, text: str) -> str:
    if text.isascii():
        return text
    if not coloured(stream):
        text = text.translate(ASCII)
    encoding = (getattr(stream, "encoding", None) or "utf-8").lower()
    return text if encoding == "utf-8" else text.encode(encoding, PLAIN).decode(encoding)


def graphic() -> bool:
    """Return True if output may have colours and symbols."""
    if _aloud or not coloured(sys.stdout):
        return False
    return (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"


def read_out() -> None:
    """Make all further output suit a screen reader: nothing side by side, no colours."""
    global _aloud
    _aloud = True


def reading() -> bool:
    """Return True if a screen reader reads the output."""
    return _aloud


def full_width() -> int:
    """Return the width of a line of things side by side."""
    from shutil import get_terminal_size

    return _paper or get_terminal_size((80, 24)).columns


def width() -> int:
    """Return the width of lines of text, at most 100."""
    return min(MAX_WIDTH, full_width())


_paper = 0
_aloud = False
_tight = 0


@contextmanager
def paper(wide: int) -> Iterator[StringIO]:
    """Collect the output meanwhile as on paper that is `wide` columns wide."""
    from contextlib import redirect_stdout

    global _paper
    before, _paper = _paper, wide
    try:
        with redirect_stdout(StringIO()) as sheet:
            yield sheet
    finally:
        _paper = before


@contextmanager
def diagnostics() -> Iterator[None]:
    """Send the output meanwhile to standard error."""
    from contextlib import redirect_stdout

    with redirect_stdout(sys.stderr):
        yield


class _Screen(StringIO):
    """A buffer that claims to be a terminal."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return True


TIGHT, BRIEF, BRIEFEST = 1, 2, 3


def fitted(draw: Callable[[], None], spare: int = 1) -> None:
    """Print what `draw` prints, closer together if it is too high for the terminal.

    It leaves room for `spare` lines below. The shortest forms leave things out, so where even those
    are too high, the one before them is printed.
    """
    from contextlib import redirect_stdout
    from shutil import get_terminal_size

    global _tight
    terminal = sys.stdout
    if _aloud or not terminal.isatty():
        draw()
        return
    room = get_terminal_size((80, 24)).lines - spare
    shown = ""
    try:
        for _tight in (0, TIGHT, BRIEF, BRIEFEST):
            screen = _Screen(terminal.encoding)
            try:
                with redirect_stdout(screen):
                    draw()
            except BaseException:
                shown = screen.getvalue()
                raise
            fits = _height(screen.getvalue()) <= room
            shown = screen.getvalue() if fits or _tight < BRIEF else shown
            if fits:
                break
    finally:
        _tight = 0
        terminal.write(shown)


def redraws() -> bool:
    """Return True if what stands on the screen can be drawn anew, and nobody reads it aloud."""
    can = os.environ.get("TERM") != "dumb" and sys.stdout.isatty() and takes_colours()
    return can and not _aloud


def redraw(draw: Callable[[], None], below: str, *, first: bool) -> None:
    """Draw the screen anew: what `draw` prints, diagnostics too, and a line `below`.

    It is cut where the screen ends. The `first` time what stands there is scrolled away.
    """
    from contextlib import redirect_stderr, redirect_stdout
    from shutil import get_terminal_size

    stream = sys.stdout
    screen = _Screen(stream.encoding)
    with redirect_stdout(screen), redirect_stderr(screen):
        draw()
        drawn = screen.getvalue().splitlines()
        say()
        say(("dim", below))
    foot = screen.getvalue().splitlines()[len(drawn) :]
    high = get_terminal_size((80, 24)).lines
    # The cursor stands on a line of its own below.
    room = high - 1 - sum(map(_height, foot))
    if room < FOOTLESS:
        room, foot = high - 1, []
    lines = [*_cut(drawn, room), *foot]
    scrolled = "\n" * high if first else ""
    shown = "".join([f"{line}\x1b[K\n" for line in lines])
    stream.write(f"{scrolled}\x1b[H{shown}\x1b[J")


def _cut(lines: Sequence[str], room: int) -> Sequence[str]:
    """Return the first of some lines, as many as there is room for, and say if that is not all."""
    if sum(map(_height, lines)) <= room:
        return lines
    last = ["and more, for which the window is too low"]
    last = last if _height(last[0]) < room else []
    left, kept = room - sum(map(_height, last)), list[str]()
    for line in lines:
        left -= _height(line)
        if left < 0:
            break
        kept.append(line)
    return [*kept, *last]


def _height(text: str) -> int:
    wide = full_width()
    lines = re.sub(_CODES, "", text).splitlines() or [""]
    return sum([max(1, -(-len(line) // wide)) for line in lines])


def tight() -> bool:
    """Return True if room is short."""
    return _tight >= TIGHT


def brief() -> bool:
    """Return True if room is so short that things are left out which can be looked up."""
    return _tight >= BRIEF


def briefest() -> bool:
    """Return True if nothing is said that need not be."""
    return _tight >= BRIEFEST


def columns(cells: Sequence[str], indent: int = 2, gap: int = 3) -> list[str]:
    """Lay out cells in as many equal columns as fit, filled row by row."""
    if not cells:
        return []
    if _tight:
        return [" " * indent + line for line in packed(cells, full_width() - indent)]
    cells = list(map(as_printed, cells))
    wide = max(map(len, cells)) + gap
    # The gap behind the last cell need not fit.
    across = 1 if _aloud else max(1, (full_width() - indent + gap) // wide)
    rows = [cells[at : at + across] for at in range(0, len(cells), across)]
    return [" " * indent + "".join(cell.ljust(wide) for cell in row).rstrip() for row in rows]


def packed(cells: Sequence[str], wide: int) -> list[str]:
    """Lay out cells one after the other in as few lines as possible."""
    lines: list[str] = []
    for cell in map(str.strip, map(as_printed, cells)):
        if lines and len(lines[-1]) + 2 + len(cell) <= wide:
            lines[-1] += f"  {cell}"
        else:
            lines.append(cell)
    return lines


def wrapped(text: str, indent: int, first: str = "") -> list[str]:
    """Wrap a text to the width; the first line begins with `first`, the others are indented."""
    from textwrap import wrap

    lines = wrap(
        # What stands in parentheses stays with the word before it.
        as_printed(_callable(text)).replace(" (", "\xa0("),
        width(),
        initial_indent=first,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace("\xa0", " ") for line in lines]


def paragraph(text: str, indent: int = 0, first: str = "", style: str = "") -> None:
    """Print a text wrapped to the width; nothing for an empty one."""
    for line in wrapped(text, indent, first):
        say((style, line) if style else line)


def rows(cells: Sequence[tuple[str, str]], *, error: bool = False) -> None:
    """Print texts with a note each: in a column, or else below."""
    if _aloud:
        for text, note in cells:
            say(f"  {text}" + (f": {note}" if note else ""), error=error)
        return
    stream = sys.stderr if error else sys.stdout
    if stream.isatty():
        cells = [(_on(stream, text), _on(stream, note)) for text, note in cells]
    longest = max((len(text) for text, _ in cells), default=0)
    if 2 + longest + 3 + max((len(note) for _, note in cells), default=0) > width():
        longest = max((len(text) for text, _ in cells if len(text) <= NOTE_COLUMN), default=0)
    column = 2 + longest + 3
    for text, note in cells:
        # Beside the others that have one, or else below, so that all notes stand in line.
        if not note or (len(text) <= longest and column + len(note) <= width()):
            say(f"  {text:<{column - 2}}", ("dim", note), error=error)
        else:
            say(f"  {text}", error=error)
            for line in wrapped(note, 6, " " * 6):
                say(("dim", line), error=error)


def asks() -> bool:
    """Return True if there is somebody at a terminal who can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()
