"""Judging notes about seats: who is away, and whose a seat is to be (PROTOCOL 14, 15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.bots.names import a_spoken
from referee.crypto.keys import PublicKey
from referee.errors import (
    BadSignature,
    Stale,
    applied_before,
    backup_key,
    has_left,
    key_in_use,
    not_dealt,
)
from referee.notes.kinds import Leave, SeatNote, Transfer, Vacation, Vote
from referee.table import chain, clock, times
from referee.table import transfer as transfers
from referee.table.capacity import (
    MAX_SIZE_FOR_NOTES,
    MAX_TRANSFERS_BY_NEW_KEYS,
    MAX_TRANSFERS_SIGNED,
    NoRoom,
    check_room,
)
from referee.table.gamefile import Consent, GameFile, Seat
from referee.table.gamefile import Transfer as Proposal
from referee.table.opening import is_backup
from referee.table.provenance import check_signed_by, has_seen
from referee.table.replay import Session
from referee.table.seatnames import no_seat, players_seat
from referee.table.standing import Standing, decision_id, game_over

if TYPE_CHECKING:
    from datetime import datetime

    from referee.crypto.sshsig import Signature


def playing_seat(file: GameFile, note: SeatNote) -> Seat:
    """Return the seat that a note is about. Raises NotYours or Stale."""
    if file.seat(note.seat) is None:
        raise no_seat(file, note.seat)
    if file.status == "open":
        raise not_dealt("not-open")
    if file.status != "playing":
        raise game_over(file)
    return players_seat(file, note.seat)


class SeatNoteJudge:
    """Keeps what a game that the referee has replayed says of its seats."""

    def __init__(self, session: Session, now: datetime) -> None:
        self.session = session
        self.file: GameFile = session.file
        self.now = now

    def vacation(self, note: Vacation, signature: Signature) -> str:
        """Write down a vacation; the word for it. Raises any mistake of the protocol."""
        seat = playing_seat(self.file, note)
        assert seat.holder is not None
        check_signed_by(seat.holder, note, signature)
        has_seen(self.file, self.session.heads, note, seat.name, 1, "the deal")
        first, last = note.days
        mine = [one for one in self.file.vacations if one.seat == seat.name]
        if any((one.first, one.last) == (first, last) for one in mine):
            raise applied_before(f"this note about {seat.name}")
        clock.check_vacation(self.file, seat.name, first, last)
        if last < clock.today(self.file.clock, self.now):
            raise Stale("this vacation is already over", reason="over")
        check_room(self.file, MAX_SIZE_FOR_NOTES, "vacation")
        away = times.Away(seat.name, first, last, note.step, signature.raw64)
        self.file.vacations.append(away)
        still = clock.still_due(self.file, seat.name, self.now)
        return f"{seat.name} is away from {first} to {last}{still}"

    def transfer(self, note: Transfer, signature: Signature) -> str:
        """Take a signature under a transfer; with the last one it takes effect. Raises alike."""
        seat = playing_seat(self.file, note)
        assert seat.holder is not None
        file, key, seal = self.file, PublicKey.parse(note.key), note.seal or ""
        if key == seat.holder and seal == seat.holder_seal:
            raise applied_before(f"this note about {seat.name}")
        other = file.seat_of(key)
        if other is not None and other is not seat:
            raise key_in_use(other.name)
        if is_backup(file, seat, key):
            raise backup_key()
        holding = transfers.holders(file)
        if signature.public not in (key, file.referee, *holding.values()):
            raise BadSignature("this transfer is signed by nobody who has a say in it")
        check_signed_by(signature.public, note, signature)
        has_seen(self.file, self.session.heads, note, seat.name, 1, "the deal")
        like = (one for one in file.transfers if (one.seat, one.key) == (seat.name, key))
        proposal = next((one for one in like if one.seal == seal), None)
        if proposal is not None and any(by.key == signature.public for by in proposal.consents):
            raise applied_before(f"this note about {seat.name}")
        transfers.check_count(file, seat.name)
        check_room(file, MAX_SIZE_FOR_NOTES, "transfer")
        self._room(signature.public, seat.name, proposal)
        if proposal is None:
            proposal = Proposal(seat.name, key, seal, [])
            file.transfers.append(proposal)
        proposal.consents.append(Consent(signature.public, note.step, signature.raw64))
        moved = self._settle()
        if moved:
            return "; ".join(moved)
        signed = [by.key for by in proposal.consents]
        missing = transfers.missing(file, self._held(), seat.name, key, signed)
        return f"accepted; waiting for {', '.join(missing)}"

    def stand(self, note: Vote | Leave, signature: Signature) -> str:
        """Log a vote, or that a seat leaves or is back; the word for it.

        Raises alike, and OtherRules for a seat that leaves where the table's bot is not here.
        """
        seat, file = playing_seat(self.file, note), self.file
        assert seat.holder is not None
        check_signed_by(seat.holder, note, signature)
        standing = Standing.after(file)
        if standing.stands(note.kind, seat.name) == note.play:
            raise applied_before(f"this note about {seat.name}")
        if note.kind == Vote.kind and seat.name in standing.left:
            raise has_left(seat.name, "it has no vote")
        opened = standing.since(seat.name)
        has_seen(file, self.session.heads, note, seat.name, opened, "what its seat has said since")
        standing.check_count(note.kind, seat.name)
        check_room(file, MAX_SIZE_FOR_NOTES, note.kind)
        if note.play == Leave.plays[0]:
            self.session.check_bots(file.bot)
            file.plans = [one for one in file.plans if one.seat != seat.name or not one.waits]
        decision = decision_id(file.log, note.kind, seat.name)
        self.session.accept(decision, seat.name, note.play, note.step, signature.raw64)
        match note.play:
            case "leave":
                return f"{seat.name} has left, and {a_spoken(file.bot)} answers for it"
            case "back":
                return f"{seat.name} is back, from the next question on"
            case "go-on":
                return f"{seat.name} does not vote for the end any more"
        silent = Standing.after(file).silent
        others = " and ".join(silent)
        waiting = f"; it ends when {others} {'does' if len(silent) == 1 else 'do'} so too"
        return f"{seat.name} votes for the end of the game{waiting if silent else ''}"

    def _held(self) -> dict[str, list[PublicKey]]:
        """The keys that have held each seat, one after the other."""
        seats = [seat.name for seat in self.file.seats if not seat.bot]
        return {name: transfers.keys_of(self.file, name) for name in seats}

    def _settle(self) -> list[str]:
        """Let every transfer take effect that has all signatures; a word for each.

        One can be the last thing that others have waited for: a key that has signed them holds a
        seat again, or their new key has left its own. They are taken by seats, then by their plays.
        """
        seats = [seat.name for seat in self.file.seats]
        words: list[str] = []
        while True:
            held = self._held()
            ready = [
                one for one in self.file.transfers if transfers.is_complete(self.file, held, one)
            ]
            if not ready:
                return words
            first = min(
                ready,
                key=lambda one: (seats.index(one.seat), transfers.play_of(one.key, one.seal)),
            )
            words.append(self._hand_over(first))

    def _room(self, signer: PublicKey, seat: str, proposal: Proposal | None) -> None:
        """Raise NoRoom if one more signature would let strangers fill the file, whose keys
        cost nothing, or one player keep all others from it."""
        waiting = [one for one in self.file.transfers if one is not proposal]
        signed = transfers.signed_alike(self.file, waiting, signer, seat)
        if signed is not None:
            if len(signed) >= MAX_TRANSFERS_SIGNED:
                raise NoRoom(
                    f"who holds this key has signed {MAX_TRANSFERS_SIGNED} transfers that wait"
                )
        elif proposal is None:
            idle = [one for one in waiting if [by.key for by in one.consents] == [one.key]]
            if len(idle) >= MAX_TRANSFERS_BY_NEW_KEYS:
                raise NoRoom(
                    "too many transfers wait that only their new key has signed",
                    "let somebody who has a say sign this one first, then send it again",
                )

    def _hand_over(self, proposal: Proposal) -> str:
        file, seat = self.file, self.file.seat(proposal.seat)
        assert seat is not None
        decision = transfers.decision_id(file.log, seat.name)
        play = transfers.play_of(proposal.key, proposal.seal)
        own = next(by for by in proposal.consents if by.key == proposal.key)
        lines = sorted(
            chain.Agreed(by.key, by.seen, by.signature).line
            for by in proposal.consents
            if by is not own
        )
        self._hand_over_plans(seat, proposal.key)
        what = f"{seat.name} has another key"
        if proposal.key == seat.holder:
            what = f"{seat.name} has its hands sealed to another key"
        seat.take(proposal.key, proposal.seal)
        self.session.accept(decision, seat.name, play, own.seen, own.signature, lines)
        file.transfers = [one for one in file.transfers if one.seat != seat.name]
        return f"{what}, from step {file.step} on"

    def _hand_over_plans(self, seat: Seat, key: PublicKey) -> None:
        """Drop the plan of a holder who goes, and seal the others anew."""
        file = self.file
        if key != seat.holder:
            file.plans = [one for one in file.plans if one.seat != seat.name or not one.waits]
        for one in file.plans:
            if one.seat == seat.name:
                one.sealed = ""
