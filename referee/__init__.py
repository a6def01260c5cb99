"""A referee for card games played by email, by git or by handing files around.

Open a game file, look at it as a seat does, sign a play, judge notes, audit a finished game, or
play in memory; `sanjuan-ref help library` shows all of it at work.
"""

from __future__ import annotations

# Not from `typing`: commands switch the garbage collector off before they import so much.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from referee.crypto.keys import PrivateKey as PrivateKey
    from referee.crypto.keys import PublicKey as PublicKey
    from referee.crypto.sealing import AgeIdentity as AgeIdentity
    from referee.errors import AlreadyApplied as AlreadyApplied
    from referee.errors import BadSignature as BadSignature
    from referee.errors import Damaged as Damaged
    from referee.errors import Fork as Fork
    from referee.errors import Newer as Newer
    from referee.errors import NoKey as NoKey
    from referee.errors import NotYours as NotYours
    from referee.errors import OtherRules as OtherRules
    from referee.errors import Stale as Stale
    from referee.games.errors import GameError as GameError
    from referee.games.errors import Illegal as Illegal
    from referee.games.errors import Incomplete as Incomplete
    from referee.games.errors import NotUnderstood as NotUnderstood
    from referee.games.interface import Rules as Rules
    from referee.games.interface import View as View
    from referee.games.match import Match as Match
    from referee.games.values import Choice as Choice
    from referee.games.values import Decision as Decision
    from referee.library import Applied as Applied
    from referee.library import Table as Table
    from referee.library import apply_notes as apply_notes
    from referee.library import deal as deal
    from referee.library import open as open  # noqa: A004 - as people say it
    from referee.library import position as position
    from referee.library import rules as rules

_HOMES = {
    "referee.library": (*("Applied", "Table", "apply_notes", "deal", "open", "position", "rules"),),
    "referee.games.interface": ("Rules", "View"),
    "referee.games.values": ("Choice", "Decision"),
    "referee.games.errors": ("GameError", "Illegal", "Incomplete", "NotUnderstood"),
    "referee.games.match": ("Match",),
    "referee.errors": (
        *("AlreadyApplied", "BadSignature", "Damaged", "Fork", "Newer", "NoKey", "NotYours"),
        *("OtherRules", "Stale"),
    ),
    "referee.crypto.keys": ("PrivateKey", "PublicKey"),
    "referee.crypto.sealing": ("AgeIdentity",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    # The commands import this package first, and must start fast: what a program asks for is
    # loaded when it is.
    if name not in _HOME:
        raise AttributeError(f"module 'referee' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *_HOME]
