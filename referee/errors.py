"""The mistakes that only the protocol can find, one class and one exit code each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from referee.games.errors import GameError, NotUnderstood

T = TypeVar("T")


class TableError(GameError):
    """A GameError whose `reason`, the word for programs, can be told apart case by case."""

    def __init__(self, message: str, hint: str = "", *, reason: str | None = None) -> None:
        super().__init__(message, hint)
        if reason is not None:
            self.reason = reason  # type: ignore[misc] # this one's, not the class's


class AlreadyApplied(TableError):
    """The note was accepted before; nothing changed."""

    exit_code = 10
    reason = "already-applied"


class Stale(TableError):
    """The decision is over, was answered otherwise, or the file is an older one."""

    exit_code = 11
    reason = "stale"


class NotYours(TableError):
    """The decision is not this seat's to answer, or the seat is somebody else's."""

    exit_code = 12
    reason = "not-yours"


class BadSignature(TableError):
    """A signature or a public key is wrong."""

    exit_code = 15
    reason = "bad-signature"


class Damaged(TableError):
    """The file is damaged, or not one of this program's."""

    exit_code = 16
    reason = "damaged"


class OtherRules(Damaged):
    """The file is right, but this program does not have the rules or the bot of its game."""

    reason = "other-rules"


class Newer(Damaged):
    """The file or note was written by a later version of this program."""

    reason = "newer"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} was written by a newer sanjuan-ref", "update sanjuan-ref")


class Fork(TableError):
    """Two files of one game contradict each other."""

    exit_code = 17
    reason = "fork"


class NoKey(TableError):
    """There is no private key that could be used."""

    exit_code = 18
    reason = "no-key"


class Mistake(TableError):
    """A mistake of the program's own, as what it is told of."""

    exit_code = 70
    reason = "bug"

    @classmethod
    def of(cls, error: BaseException, *, public: bool = False) -> Mistake:
        """Return what to say of something that was raised and should not have been.

        `public` leaves out its own words, which may be those of a hand, and where this machine
        keeps the program.
        """
        spot = error.__traceback__
        while spot is not None and spot.tb_next is not None:
            spot = spot.tb_next
        at = f" at {spot.tb_frame.f_code.co_filename}:{spot.tb_lineno}" if spot is not None else ""
        if public:
            at = at.rpartition("/")[2]
            return cls(
                f"the program fails on this note: {type(error).__name__}{at and f' at {at}'}",
                "nothing of it was applied; report this line, and once the program is mended give "
                "the note again, in a file of another name",
            )
        return cls(
            f"this is a bug in sanjuan-ref: {type(error).__name__}{at}: {error}",
            "nothing was half written; please report this line, and what you did. "
            "With SANJUAN_DEBUG=1 set you see more",
        )


def attempt(
    work: Callable[[], T],
    *,
    known: tuple[type[BaseException], ...] = (GameError, OSError),
    public: bool = False,
) -> T | Mistake:
    """Return the result of `work`, or a Mistake if it raises what nobody expects.

    Errors that are `known`, and whatever ends the program, are raised as they are. `public` is that
    of `Mistake.of`.
    """
    ending = (KeyboardInterrupt, SystemExit, GeneratorExit)
    try:
        return work()
    # A stranger may have found a way to make a parser raise anything; a panic of a library in Rust
    # is no Exception.
    except BaseException as error:
        if isinstance(error, (*known, *ending)):
            raise
        return Mistake.of(error, public=public)


class OtherGame(NotUnderstood):
    """The note or file is of another game."""

    reason = "other-game"

    @classmethod
    def note(cls, its: str, here: str) -> OtherGame:
        """Return the error for a note of the game `its` where it was to be applied to another."""
        return cls(
            f"this note is for game {its}, not for {here}",
            "apply it to the file of that game, or send it to the referee of that game",
        )


def sealed_to_another() -> NoKey:
    """Return the error for a sealed note that the referee of a game cannot open."""
    return NoKey(
        "this sealed note is for another game or another referee: the key of this game's referee "
        "does not open it",
        "send it to the referee whom it was written for; if it was meant for this game, it has to "
        "be written again, on a file of this game",
        reason="not-sealed-to-you",
    )


def counted(number: int, what: str) -> str:
    """Return how many there are of something: `1 step`, `2 steps`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def has_left(seat: str, so: str) -> Stale:
    """Return the error for what a seat that has left cannot do."""
    return Stale(
        f"{seat} has left the table, so {so}",
        "`sanjuan-ref leave --back` takes the seat again, from the next question on",
        reason="left",
    )


def was_away(seat: str, decision: str) -> Stale:
    """Return the error for an answer to what was asked of a seat before it came back."""
    return Stale(
        f"{decision} is left to the table's bot, as {seat} had left and came back only since",
        f"there is nothing to do: the next question is {seat}'s own again",
        reason="left",
    )


def not_dealt(reason: str = "open") -> Stale:
    """Return the error for what nobody can do before the cards are dealt."""
    hint = "the cards are dealt when all have joined"
    return Stale("nothing has been dealt yet", hint, reason=reason)


def secret_not_public() -> Stale:
    """Return the error for what needs the deal secret of a game that is not over."""
    return Stale(
        "the game is not over, so its deal secret is not public",
        "its referee can open it with --referee-key; everybody else waits for the end",
        reason="not-over",
    )


def applied_before(what: str) -> AlreadyApplied:
    """Return the error for a note that counts already."""
    return AlreadyApplied(f"{what} was applied before; nothing changed")


def not_the_referee(message: str) -> BadSignature:
    """Return the error for a key that is not that of the referee of a game."""
    hint = "give the file with the referee's key: --referee-key FILE"
    return BadSignature(message, hint, reason="not-the-referee")


def replaced(decision: str, number: int) -> Stale:
    """Return the error for an answer after which the seat has given another one."""
    return Stale(f"{decision}: answer {number} has taken its place", reason="answered-otherwise")


def no_longer_open() -> Stale:
    """Return the error for joining a table at which the cards are dealt."""
    return Stale("this table is no longer open", reason="not-open")


def seat_reserved(seat: str) -> NotYours:
    """Return the error for a seat that is kept for another key."""
    return NotYours(
        f"the seat {seat} is reserved for another key",
        "join with the key whose public half its host was given: --key FILE",
    )


def referees_key() -> BadSignature:
    """Return the error for a referee's key at a seat that was not its own from the beginning."""
    return BadSignature(
        "the referee's own key takes no seat of a table that is open already",
        "join with another key; a referee who plays opens the table with `new --me NAME`",
    )


def backup_key() -> BadSignature:
    """Return the error for a seat whose key opens the deal secret, and with it every hand."""
    return BadSignature(
        "the deal secret is sealed to this key, whose holder could look at every card",
        "a backup is for somebody who does not play; ask the referee for a table without it",
    )


def key_in_use(seat: str) -> BadSignature:
    """Return the error for a key that sits at another seat of the same table."""
    return BadSignature(f"this key already holds the seat {seat}", "each seat needs its own key")
