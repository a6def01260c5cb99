"""Questions to somebody at the terminal: menus, lines, passphrases."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from referee.render.text.terminal import clean, rows, say, warn
from referee.system import has_terminal

_gone = False
MAX_DIGITS = 9
"""The length from which on a number is none of a menu's."""


def offer(question: str, cells: Sequence[tuple[str, str]]) -> None:
    """Print numbered answers, each with a note, to choose from."""
    say(("bold", question), error=True)
    rows(
        [(f"{number:>2}  {text}", note) for number, (text, note) in enumerate(cells, 1)], error=True
    )


def ended() -> bool:
    """Return True if the input has ended."""
    return _gone


def ask(question: str) -> str:
    """Return the answer to a question, typed on the terminal; empty at its end."""
    global _gone
    sys.stderr.write(clean(question))
    sys.stderr.flush()
    said = sys.stdin.readline()
    _gone = not said
    if not said.endswith("\n"):
        sys.stderr.write("\n")
    return said.strip()


def choose(question: str, cells: Sequence[tuple[str, str]]) -> int | None:
    """Return the place of one of some answers, each with a note, by its number or in full.

    None for who types nothing or q. What is neither is asked again.
    """
    offer(question, cells)
    names = [name for name, _ in cells]
    while True:
        said = ask("> ")
        if ended() or said.lower() in ("", "q", "quit"):
            return None
        if said in names:
            return names.index(said)
        if said.isdecimal() and len(said) < MAX_DIGITS and 1 <= int(said) <= len(cells):
            return int(said) - 1
        warn("hint", f"type a number from 1 to {len(cells)}; q leaves")


def ask_among(question: str, offers: Sequence[str], words: Sequence[str]) -> str:
    """Ask with the help of keys: up and down go through `offers`, Tab completes words.

    `words` are what Tab completes, besides the offers.
    """
    try:
        import readline
    except ImportError:
        return ask(question)
    if not sys.stdout.isatty():
        return ask(question)
    global _gone
    readline.set_auto_history(False)
    readline.clear_history()
    # Up begins with the newest entry.
    for offer_ in reversed(offers):
        readline.add_history(offer_)
    known = sorted({*words, *" ".join(offers).split()})

    def complete(text: str, state: int) -> str | None:
        return [*(f"{word} " for word in known if word.startswith(text)), None][state]

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    readline.parse_and_bind("tab: complete")
    sys.stderr.flush()
    try:
        said = input(clean(question))
    except EOFError:
        _gone = True
        sys.stdout.write("\n")
        return ""
    _gone = False
    return said.strip()


def ask_secret(question: str) -> str:
    """Return a passphrase, typed on the terminal and not shown."""
    from getpass import getpass

    # Whoever types nothing, or what is no text, has not typed the passphrase.
    try:
        return getpass(clean(question))
    except (EOFError, UnicodeDecodeError):
        return ""


def can_ask_secret() -> bool:
    """Return True if there is a terminal, even where standard input is a file."""
    return has_terminal()
