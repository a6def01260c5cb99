"""The shape of log, questions, table and terms, checked on reading: what every reader relies on.

Whether all of it is right is for `verify` and `audit`. But a referee can sign anything, and what
only looks at a file must not stumble over a seat that is not there or a line that is none. Nor may
a text of a file mean anything to a shell, or to whatever else it comes to.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee.errors import Damaged
from referee.games.errors import GameError
from referee.notes.forms import A_KEY, A_LINE, A_NAME, A_TEXT, A_TURN, A_WORD, AN_ANSWER, Form
from referee.notes.kinds import check_value
from referee.table.capacity import (
    MAX_TRANSFERS_BY_NEW_KEYS,
    MAX_TRANSFERS_SIGNED,
    MAX_VACATIONS_PER_SEAT,
)
from referee.table.chain import (
    ABANDON,
    BY_HOST,
    BY_VOTE,
    DEAL,
    REFEREE,
    Asking,
    Draw,
    Opening,
    Shuffling,
    Taking,
    read_line,
)
from referee.table.decisions import DecisionId
from referee.table.gamefile import Entry, GameFile
from referee.table.plans import is_plan, read_plan
from referee.table.standing import MADE, is_standing
from referee.table.transfer import is_transfer, read_play


def check_shape(file: GameFile, known: int = 0) -> None:
    """Raise Damaged where something that a game writes into a file is malformed.

    So many entries of the log are `known` to be well-formed.
    """
    _check_values(file.terms, "game", A_TEXT)
    _check_values(file.table, "table", A_WORD)
    for asked in file.asked:
        if not all(AN_ANSWER.fits(pattern) for pattern in asked.may):
            raise Damaged("asked.may holds something a game file cannot have there")
        if _seat_of(asked.id, "asked") != asked.seat or asked.seat not in file.seating:
            raise Damaged(f"asked: {asked.id!r} is not a question to a seat that plays")
    _check_numbers(file)
    for move in file.transfers:
        if file.seat(move.seat) is None:
            raise Damaged(f"transfers: there is no seat {move.seat!r}")
    for plan in file.plans:
        if file.seat(plan.seat) is None:
            raise Damaged(f"plans: there is no seat {plan.seat!r}")
    for seal, where in [
        *((seat.seal, f"seats: {seat.name}") for seat in file.seats),
        *((move.seal, "transfers") for move in file.transfers),
    ]:
        if seal:
            _in_form("seal", seal, where)
    actors = {REFEREE, *(seat.name for seat in file.seats)}
    for step, entry in enumerate(file.log[known:], known + 1):
        _check_entry(step, entry, actors)
    if (file.status == "open") == bool(file.log):
        raise Damaged(f"status is {file.status!r}, which does not fit the log")
    if not file.log:
        if file.seating or file.piles or file.table or file.hands or file.asked or file.pending:
            raise Damaged("nothing was dealt, but not all of the file says so")
        return
    if file.log[0].decision == DEAL:
        if not file.seating or any(seat.is_free for seat in file.seats):
            raise Damaged("step 1: the cards are dealt, but not all seats have joined")
    elif file.step > 1 or file.log[0].decision != ABANDON:
        raise Damaged("step 1: the log does not begin with the deal")


def _check_numbers(file: GameFile) -> None:
    """Raise Damaged where there is more of something than a file can have: lists go by these."""
    if len({one.seat for one in file.asked}) < len(file.asked):
        raise Damaged("asked holds two questions to one seat")
    if len({_seat_of(one.decision, "pending") for one in file.pending}) < len(file.pending):
        raise Damaged("pending holds two answers of one seat")
    away = Counter(one.seat for one in file.vacations)
    if any(number > MAX_VACATIONS_PER_SEAT for number in away.values()):
        raise Damaged("time.vacations holds more of a seat than a file can")
    signed = MAX_TRANSFERS_SIGNED * (1 + 2 * len(file.seats))
    if len(file.transfers) > MAX_TRANSFERS_BY_NEW_KEYS + signed:
        raise Damaged("transfers holds more than a file can")


def _check_entry(step: int, entry: Entry, actors: set[str]) -> None:
    where = f"step {step}"
    seat = _seat_of(entry.decision, where)
    own = entry.by == REFEREE and entry.decision in (DEAL, ABANDON)
    if not {seat, entry.by} <= actors or (seat == REFEREE and not own):
        raise Damaged(f"{where}: {entry.decision!r} by {entry.by!r} names no seat of this game")
    if entry.decision.startswith("0.") and not own and seat != entry.by:
        raise Damaged(f"{where}: {entry.decision!r} is by another seat")
    if entry.decision == DEAL and step > 1:
        raise Damaged(f"{where}: the cards were dealt before")
    _in_form("play", entry.play, where)
    try:
        _check_play(entry)
    except GameError as error:
        raise Damaged(f"{where}: {error.message}") from None
    for text in entry.then:
        if not is_line(text):
            raise Damaged(f"{where}: {text[:80]!r} is not understood")


def _check_play(entry: Entry) -> None:
    """Raise GameError where the play of what answers no question is none that it can have."""
    if is_standing(entry.decision):
        check_value("play", entry.play, MADE[DecisionId.parse(entry.decision).kind].forms)
    elif is_transfer(entry.decision):
        read_play(entry.play)
    elif is_plan(entry.decision):
        read_plan(entry.play)
    elif entry.decision == ABANDON and entry.play not in (BY_HOST, BY_VOTE):
        raise Damaged("the play of an ended game says not who has ended it")


def _check_values(value: Any, path: str, form: Form) -> None:
    """Raise Damaged unless all keys in a table are in their form, and all texts in this one."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not A_KEY.fits(key):
                raise Damaged(f"{path} has a key that a game file cannot have there")
            _check_values(inner, f"{path}.{key}", form)
    elif isinstance(value, list):
        for inner in value:
            _check_values(inner, path, form)
    elif isinstance(value, str) and not form.fits(value):
        raise Damaged(f"{path[:80]} holds something a game file cannot have there")


def is_line(text: str) -> bool:
    """Return whether a text is a line of the log: one of the protocol's, or words of a game."""
    try:
        line = read_line(text)
    except ValueError:
        return False
    match line:
        case Draw(who, pile) | Taking(who, pile):
            return A_NAME.fits(who) and A_NAME.fits(pile)
        case Shuffling(pile):
            return A_NAME.fits(pile)
        case Opening(pile, _, _, name):
            return A_NAME.fits(pile) and A_WORD.fits(name)
        case Asking(decisions):
            return all(A_TURN.fits(one) for one in decisions)
        case None:
            return A_LINE.fits(text)
        case _:
            return True


def _seat_of(decision: str, where: str) -> str:
    """Return the seat that a decision asks; raises Damaged for what is no id of a decision."""
    _in_form("turn", decision, where)
    return DecisionId.parse(decision).seat


def _in_form(key: str, value: str, where: str) -> None:
    # A note is signed over each of them, so that they have the forms of a note's values.
    try:
        check_value(key, value)
    except GameError as error:
        raise Damaged(f"{where}: {error.message}") from None
