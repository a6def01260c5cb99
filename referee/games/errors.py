"""The mistakes of players that a game answers: each with its reason and its exit code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from referee.redaction import redact

if TYPE_CHECKING:
    from referee.games.values import Choice


class GameError(Exception):
    """A mistake of the user, not of the program: one sentence, and a hint at what to do.

    Neither ever says a key that somebody gave in the place of something else.
    """

    exit_code: ClassVar[int] = 1
    reason: ClassVar[str] = "error"
    faults: Sequence[str] = ()
    """The faults of a document, one by one; the message ends with them."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__()
        self._message = message
        self._hint = hint

    def __reduce__(self) -> tuple[Any, ...]:
        # Subclasses take other arguments; an error of another process must come over all the same.
        return Exception.__new__, (type(self),), self.__dict__

    @property
    def message(self) -> str:
        return redact(self._message)

    @message.setter
    def message(self, message: str) -> None:
        self._message = message

    @property
    def hint(self) -> str:
        return redact(self._hint)

    @hint.setter
    def hint(self, hint: str) -> None:
        self._hint = hint

    def __str__(self) -> str:
        return self.message

    @classmethod
    def of_document(cls, what: str, faults: Sequence[str], hint: str = "") -> Self:
        """Return the error for a document with which several things may be wrong."""
        error = cls(f"{what}: {'; '.join(faults)}", hint)
        error.faults = faults
        return error


class NotUnderstood(GameError):
    """The text is no play of this game."""

    exit_code = 13
    reason = "not-understood"


class NoSeat(NotUnderstood):
    """The text names a seat that the game does not have."""

    exit_code = 12
    reason = "not-yours"


class Illegal(GameError):
    """The play is understood but not allowed; `choices` are the plays that are."""

    exit_code = 14
    reason = "illegal"

    def __init__(self, message: str, hint: str = "", choices: Sequence[Choice] = ()) -> None:
        super().__init__(message, hint)
        self.choices = tuple(choices)


class NotAsked(Illegal):
    """The play is for a seat that is asked nothing now."""

    exit_code = 11
    reason = "not-asked"


class Incomplete(Illegal):
    """The play leaves something open that only its author can say; `choices` complete it."""

    reason = "incomplete"


class Ambiguous(Incomplete):
    """The text can be read in several ways, each of them a play or the beginning of one."""

    reason = "ambiguous"


class OtherVersion(GameError):
    """The record needs other rules or card data than this program has."""

    exit_code = 16
    reason = "other-rules"
