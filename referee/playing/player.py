"""A player's side of a game file: the seat of a key, its question, and its signed notes."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from referee.crypto.keys import PrivateKey, PublicKey
from referee.crypto.sealing import canonical_recipient
from referee.errors import (
    AlreadyApplied,
    NoKey,
    NotYours,
    Stale,
    backup_key,
    has_left,
    key_in_use,
    not_dealt,
    was_away,
)
from referee.games.errors import Illegal
from referee.notes.forms import MOST_ANSWERS
from referee.notes.kinds import Leave, Move, Plan, Transfer, Vacation, Vote
from referee.notes.signed import SignedNote
from referee.table.chain import asking_step, head_at
from referee.table.clock import check_vacation, owed_decisions
from referee.table.decisions import DecisionId
from referee.table.gamefile import GameFile, Seat
from referee.table.joins import check_seat
from referee.table.plans import highest_number
from referee.table.rules import rules_for
from referee.table.seatnames import players_seat
from referee.table.standing import Standing, game_over, left_to_bot
from referee.table.transfer import check_count, since
from referee.table.views import open_hand

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from referee.notes.plantext import PlanText


def my_seat(file: GameFile, key: PublicKey) -> Seat:
    """Return the seat of a key. Raises NotYours when it has none, BadSignature when the seat's join
    does not hold under head 0: then the file is not that of the table which was joined."""
    seat = file.seat_of(key)
    if seat is None or not seat.joined:
        raise NotYours(
            f"the key {key.fingerprint} holds none of the seats: "
            + ", ".join(other.name for other in file.seats),
            "join first" if file.status == "open" else "choose the key of a seat with --key",
        )
    check_seat(file, seat)
    return seat


def _turn_of(file: GameFile) -> str:
    """Return whose turn it is, and for what: `ben's turn (opening)`."""
    asked = [DecisionId.parse(id_) for id_ in owed_decisions(file) or file.asked_ids()]
    return " and ".join(f"{one.seat}'s turn ({one.kind})" for one in asked)


def decision_of(file: GameFile, seat: str) -> str:
    """Return the seat's open decision; raises Stale when it is asked nothing."""
    mine = [one.id for one in file.asked if one.seat == seat]
    if set(mine) & set(left_to_bot(file)):
        if seat not in Standing.after(file).left:
            raise was_away(seat, mine[0])
        raise has_left(seat, f"the table's bot answers {mine[0]}")
    if not mine:
        others = awaited(file)
        if not others:
            raise game_over(file)
        raise Stale(
            f"it is {_turn_of(file)}, so {seat} cannot play",
            "wait for the next game file",
            reason="not-asked",
        )
    return str(mine[0])


def awaited(file: GameFile) -> str:
    """Return for whom a game waits: `ana (build), ben (build)`."""
    asked = [DecisionId.parse(id_) for id_ in owed_decisions(file) or file.asked_ids()]
    return ", ".join(f"{one.seat} ({one.kind})" for one in asked)


def waits(file: GameFile, decision: str) -> bool:
    """Return True if an answer to the decision has arrived and waits for the other ones."""
    return any(waiting.decision == decision for waiting in file.pending)


def next_number(file: GameFile, decision: str, given: int = 0) -> int:
    """Return the number with which an answer takes the place of those that were given before.

    `given` is the highest number among those that may still be on their way. Raises Stale where
    there can be no more.
    """
    waiting = file.waiting_answer(decision)
    number = max(waiting.number if waiting is not None else 0, given) + 1
    if number > MOST_ANSWERS:
        raise Stale(
            f"{decision} has had {MOST_ANSWERS} answers from you, and more are not taken",
            "the last of them stands",
            reason="answered-otherwise",
        )
    return number


def move_text(
    file: GameFile, key: PrivateKey, decision: str, play: str, sealed: bool, number: int = 1
) -> str:
    """Return the text of the note that answers a decision, ready to be sent."""
    note = sign_move(file, key, decision, play, number)
    return note.sealed_to(file.referee) if sealed else note.armoured


def sign_move(
    file: GameFile, key: PrivateKey, decision: str, play: str, number: int = 1
) -> SignedNote:
    """Sign the answer to a decision; one with a higher number takes the place of others."""
    # Over the head at which the decision opened, not the newest: what has arrived since is
    # nobody's business, and every such head is accepted. A new holder signs after the transfer.
    step = max(asking_step(file, decision), since(file.log, DecisionId.parse(decision).seat))
    note = Move(file.game, decision, step, head_at(file, step).hex(), play, number)
    return SignedNote.by(key, note)


def sign_plan(
    file: GameFile, seat: Seat, key: PrivateKey, clauses: Sequence[str], number: int = 0
) -> tuple[SignedNote, PlanText]:
    """Sign a plan of these canonical clauses; none at all withdraws the plan that there is.

    `number` is higher than that of every plan of the seat's, sent ones included; left out, it is
    one more than the file knows. Raises Stale, NotUnderstood or Illegal where it would be refused.
    """
    if file.status != "playing":
        what = "nothing has been dealt yet" if file.status == "open" else "the game is over"
        raise Stale(what, reason="not-open")
    # Few commands plan, and all that do anything for a player import this module.
    from referee.notes.plantext import PlanText, plan_salt
    from referee.table.planreplay import plan_language

    language = plan_language(file, rules_for(file))
    if language is None:
        raise Illegal("this table takes no plans")
    language.check(clauses)
    numbers = [one.number for one in file.plans if one.seat == seat.name]
    number = number or max(numbers, default=0) + 1
    if number > highest_number(file.step):
        raise Illegal(
            f"that would be plan {number}, and after step {file.step} there can be "
            f"{highest_number(file.step)}",
            "wait until the game has gone on",
        )
    text = PlanText(plan_salt(key, file.game, seat.name, number), tuple(clauses))
    text.check_size()
    hashed = text.hash(file.game, seat.name, number).hex()
    note = Plan(file.game, seat.name, number, file.step, file.head.hex(), hashed)
    return SignedNote.by(key, note), text


def sign_vacation(
    file: GameFile, seat: Seat, key: PrivateKey, first: date, last: date
) -> SignedNote:
    """Sign that a seat is away from `first` to `last`.

    Raises Stale or Illegal where it would be refused whatever the time is.
    """
    check_vacation(file, seat.name, first, last)
    note = Vacation(file.game, seat.name, file.step, file.head.hex(), first, last)
    return SignedNote.by(key, note)


def sign_standing(
    file: GameFile, seat: Seat, key: PrivateKey, made: type[Vote | Leave], *, back: bool
) -> SignedNote:
    """Sign that a seat votes for the end or leaves, or with `back` that it takes this back.

    Raises Stale, AlreadyApplied or Illegal where it would be refused.
    """
    if file.status != "playing":
        raise not_dealt("not-open") if file.status == "open" else game_over(file)
    standing, play = Standing.after(file), made.plays[back]
    if standing.stands(made.kind, seat.name) == play:
        raise AlreadyApplied(f"{seat.name} {SO_ALREADY[play]}")
    if made is Vote and seat.name in standing.left:
        raise has_left(seat.name, "it has no vote")
    standing.check_count(made.kind, seat.name)
    with suppress(NoKey):
        # Answers by plan are shown only until their owner has signed that they were seen.
        open_hand(file, seat, key)
    note = made(file.game, seat.name, file.step, file.head.hex(), play)
    return SignedNote.by(key, note)


SO_ALREADY = {
    "end": "has voted for the end already",
    "go-on": "has not voted for the end",
    "leave": "has left already",
    "back": "has not left the table",
}


def sign_transfer(
    file: GameFile, seat: str, key: PrivateKey, new: PublicKey, seal_to: str = ""
) -> SignedNote:
    """Sign, as the holder of `key`, that `seat` gets the key `new`.

    Raises NotYours where there is no such seat of a player's, or the signer has no say in it,
    Illegal where the seat has changed hands as often as it can, and Damaged where the signer's own
    hand is not right.
    """
    players_seat(file, seat)
    mine = file.seat_of(key.public)
    if mine is not None and mine.name == seat and seat in file.hands:
        # Answers by plan are shown only until their owner has signed that they were seen.
        with suppress(NoKey):
            open_hand(file, mine, key)
    if key.public not in (new, file.referee) and mine is None:
        raise NotYours(
            f"the key {key.public.fingerprint} has no say in this",
            "the old key and the new one sign; or the new one and all other seats, of two seats "
            "the referee too",
        )
    check_count(file, seat)
    to = canonical_recipient(seal_to) if seal_to else None
    note = Transfer(file.game, seat, file.step, file.head.hex(), new.hex, to)
    return SignedNote.by(key, note)


def check_transfer(file: GameFile, seat: str, new: PublicKey, seal_to: str = "") -> None:
    """Raise Stale, AlreadyApplied or BadSignature where no referee would take a transfer.

    One to the key that holds the seat changes what hands are sealed to.
    """
    if file.status == "open":
        raise Stale(
            "nothing has been dealt yet, so there is no seat to hand over",
            "whoever has joined plays from the key of that join; open another table otherwise",
            reason="open",
        )
    if file.status != "playing":
        raise game_over(file)
    holder = file.seat_of(new)
    if holder is not None and holder.name == seat:
        if holder.holder_seal == (canonical_recipient(seal_to) if seal_to else ""):
            raise AlreadyApplied(
                f"{seat} has this key already",
                "name another one with --to, or with --seal what its hands are to be sealed to",
            )
    elif holder is not None:
        raise key_in_use(holder.name)
    else:
        # Few seats change hands.
        from referee.table.opening import is_backup

        if is_backup(file, players_seat(file, seat), new):
            raise backup_key()


def is_parallel(file: GameFile, decision: str) -> bool:
    """Return True if the decision was opened together with others."""
    return len(file.log[asking_step(file, decision) - 1].then[-1].split(" ")) > 2
