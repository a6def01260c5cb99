"""Notes and what is said of them: who signed one, what its author had seen (PROTOCOL 12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.crypto import sshsig
from referee.crypto.keys import PublicKey
from referee.errors import BadSignature, Fork, Stale
from referee.notes.kinds import SEND_AS_FILE, AnyNote, Move, Plan, Vacation
from referee.records import NamedTuple
from referee.table import transfer
from referee.table.chain import head_seen, number_of
from referee.table.gamefile import Entry, GameFile, KeptPlan

if TYPE_CHECKING:
    from referee.crypto.sshsig import Signature
    from referee.table.times import Away


def check_signed_by(key: PublicKey, note: AnyNote, signature: Signature) -> None:
    """Raise BadSignature unless the note is signed with this key, as what it is."""
    if signature.namespace != note.namespace:
        raise BadSignature(
            f"this signature was made for {signature.namespace[:40]!r}, not for {note.namespace}"
        )
    if signature.public != key or not note.verify(key, signature.raw64):
        raise BadSignature(
            "the signature is wrong: the note was changed, or another key signed it", SEND_AS_FILE
        )


def has_seen(
    file: GameFile, heads: Sequence[bytes], note: AnyNote, seat: str, opened: int, what: str
) -> None:
    """Check that what the author had seen lies on this game's chain, late enough for the note.

    That is at or behind step `opened`, where `what` came up that it is about, and where `seat`
    changed hands last. Raises Stale (`ahead`, `seen-too-early`) or Fork.
    """
    if note.step >= len(heads):
        raise Stale(
            f"it was signed on step {note.step}, but this file is only at step {file.step}",
            "apply it to the newest game file",
            reason="ahead",
        )
    if bytes.fromhex(note.head) != heads[note.step]:
        raise Fork(
            f"its author saw a different step {note.step} from the one in this file",
            "there are two versions of this game in circulation: compare them with "
            "`sanjuan-ref compare`",
        )
    if note.step < opened:
        raise Stale(
            f"its author had not yet seen {what}",
            reason="seen-too-early",
        )
    if note.step < transfer.since(file.log, seat):
        raise Stale(f"{seat} has changed hands since it was signed", reason="seen-too-early")


def move_of(file: GameFile, entry: Entry, heads: Sequence[bytes]) -> Move:
    """Return the note behind a log entry, rebuilt word for word."""
    head = head_seen(heads, entry, entry.seen)
    return Move(file.game, entry.decision, entry.seen, head, entry.play, number_of(entry))


def waiting_plan_note(file: GameFile, one: KeptPlan, heads: Sequence[bytes]) -> Plan:
    """Return the note behind a plan that waits, rebuilt word for word."""
    head = heads[one.seen].hex()
    return Plan(file.game, one.seat, one.number, one.seen, head, one.clauses.hex())


def vacation_note(file: GameFile, one: Away, heads: Sequence[bytes]) -> Vacation:
    """Return the note behind a vacation, rebuilt word for word."""
    return Vacation(file.game, one.seat, one.seen, heads[one.seen].hex(), one.first, one.last)


def public_signatures(file: GameFile) -> set[bytes]:
    """Return the signatures of all notes that have counted, without answers that wait."""
    found = {entry.signature for entry in file.log} | {seat.signature for seat in file.seats}
    found.update(away.signature for away in file.vacations)
    found.update(plan.signature for plan in file.plans)
    found.update(by.signature for one in file.transfers for by in one.consents)
    done = (entry for entry in file.log if transfer.is_transfer(entry.decision))
    found.update(by.signature for entry in done for by in transfer.consents(entry))
    return found


class Signer(NamedTuple):
    """A key that signs in a game, with the namespaces of what it may sign."""

    name: str
    namespaces: list[str]
    key: PublicKey


def allowed_signers(file: GameFile) -> list[Signer]:
    """Return the holders of all seats and the referee."""
    notes = [sshsig.JOIN, sshsig.MOVE, sshsig.SALT, sshsig.VACATION, sshsig.TRANSFER, sshsig.PLAN]
    notes += [sshsig.VOTE, sshsig.LEAVE]
    holders = [Signer(seat.name, notes, seat.holder) for seat in file.seats if seat.holder]
    return [*holders, Signer("referee", [sshsig.STATE], file.referee)]
