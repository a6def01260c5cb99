"""Keys for a command: found on this machine, the passphrase asked for on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.playing import reader
from referee.playing.reader import KeyOptions
from referee.render.text import prompt, terminal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from referee.crypto.keys import PrivateKey
    from referee.playing.reader import Ask


def passphrase() -> Ask:
    """Return a function that asks for a passphrase; None if there is no terminal."""
    return prompt.ask_secret if prompt.can_ask_secret() else None


def keys(
    key: Path | None = None,
    seat: str | None = None,
    identity: Path | None = None,
    game: Path | None = None,
) -> KeyOptions:
    """Return the options about a player's key, beside the file of a `game`."""
    which = _which if terminal.asks() else None
    return KeyOptions(key, seat, identity, passphrase(), which, game)


def _which(question: str, names: Sequence[str]) -> int | None:
    """Ask which of several seats or keys is meant."""
    return prompt.choose(question, [(name, "") for name in names])


def referee_key(explicit: Path | None, *, to_open: bool = False) -> PrivateKey:
    """Return the key with which games are refereed. Raises NoKey."""
    return reader.referee_key(explicit, passphrase(), to_open=to_open)
