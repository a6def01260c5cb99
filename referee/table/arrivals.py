"""Things that came into a game file beside its chain, and must stay there (PROTOCOL 12)."""

from __future__ import annotations

import itertools

from referee.notes.kinds import Leave
from referee.records import NamedTuple
from referee.table.chain import number_of
from referee.table.dealing import pending_commitment
from referee.table.gamefile import Entry, GameFile
from referee.table.plans import is_plan, plan_behind, read_plan
from referee.table.provenance import move_of
from referee.table.standing import is_standing
from referee.table.transfer import consents, is_transfer, keys_of, play_of, read_play


class Arrival(NamedTuple):
    """The sealed deal secret, a join, a waiting answer, a vacation or a signature under a transfer.

    `about` is the seat or the decision, `terms` all else that makes it this one and no other of
    its kind; `what` tells people which it is.
    """

    kind: str
    about: str
    terms: tuple[str, ...]
    what: str


class Version(NamedTuple):
    """The content of an arrival, which must not change but for one of a higher `rank`.

    The rank is the number of an answer, and 0 of all that cannot be changed.
    """

    rank: int
    content: bytes


SECRET, JOIN, ANSWER, VACATION = "secret", "join", "answer", "vacation"
CONSENT, PLAN = "consent", "plan"


def arrivals(file: GameFile) -> dict[Arrival, Version]:
    """Return all that came in beside the log, each with what it says."""
    sealed = Arrival(SECRET, "", (), "the sealed deal secret")
    found = {sealed: Version(0, "".join(file.secret).encode())}
    for seat in file.seats:
        if seat.joined and seat.key is not None:
            join = seat.key.raw + seat.salt + seat.signature + seat.seal.encode()
            found[Arrival(JOIN, seat.name, (), f"the join of {seat.name}")] = Version(0, join)
    for one in file.pending:
        what = f"the waiting answer to {one.decision}"
        said = Version(one.number, one.commitment or b"%d" % one.plan)
        found[Arrival(ANSWER, one.decision, (), what)] = said
    for plan in file.plans:
        if plan.waits:
            said = Version(plan.number, b"%d " % plan.seen + plan.clauses + plan.signature)
            found[Arrival(PLAN, plan.seat, (), f"the waiting plan of {plan.seat}")] = said
    for away in file.vacations:
        days = (away.first.isoformat(), away.last.isoformat())
        what = f"the vacation of {away.seat} from {away.first} on"
        said = Version(0, b"%d " % away.seen + away.signature)
        found[Arrival(VACATION, away.seat, days, what)] = said
    for move in file.transfers:
        what = f"a signature for the transfer of {move.seat}"
        for by in move.consents:
            terms = (play_of(move.key, move.seal), by.key.hex)
            signed = Version(0, b"%d " % by.seen + by.signature)
            found[Arrival(CONSENT, move.seat, terms, what)] = signed
    return found


def keeps(old: Version, new: Version) -> bool:
    """Return True if an arrival that is `new` in a later file may have been `old` before."""
    return new.rank > old.rank or new == old


def lost_arrival(old: GameFile, new: GameFile, heads: list[bytes]) -> str:
    """Say what came into `old` and neither stands in `new` nor has taken effect there.

    `new` continues the log of `old`, and `heads` are those of `new`. Nothing lost: the empty text.
    """
    there = arrivals(new)
    later = new.log[old.step :]
    for one, said in arrivals(old).items():
        stands = one in there and keeps(said, there[one])
        if one.kind == PLAN and any(map(_is_answer, later)):
            if _was_logged_in_time(one, said, old, later):
                continue
            if stands:
                return f"the newer file has held back {one.what}"
        elif stands or _took_effect(one, said, old, new, heads):
            continue
        deed = "exchanged" if one in there or _answered(one, new) else "dropped"
        return f"the newer file has {deed} {one.what}"
    return ""


def _took_effect(
    one: Arrival, said: Version, old: GameFile, new: GameFile, heads: list[bytes]
) -> bool:
    """Return whether an arrival has rightly left its place, since `old`."""
    if one.kind == ANSWER:
        entry = _answered(one, new)
        if entry is not None and not said.rank:
            return bool(entry.signature) or said.content == b"%d" % plan_behind(entry)
        if entry is not None:
            return keeps(said, Version(number_of(entry), _committed(new, entry, heads)))
        return new.status == "abandoned"
    if one.kind == PLAN:
        return (
            new.status == "abandoned"
            or _has_new_key(one.about, old, new)
            or _was_logged_in_time(one, said, old, new.log[old.step :])
        )
    if one.kind == CONSENT:
        later = (entry for entry in new.log[old.step :] if is_transfer(entry.decision))
        entry = next((entry for entry in later if entry.by == one.about), None)
        if entry is None:
            return new.status != "playing"
        play, key = one.terms
        signed = {by.key.hex: b"%d " % by.seen + by.signature for by in consents(entry)}
        return entry.play != play or signed.get(key) == said.content
    return False


def _is_answer(entry: Entry) -> bool:
    return not entry.decision.startswith("0.")


def _was_logged_in_time(one: Arrival, said: Version, old: GameFile, later: list[Entry]) -> bool:
    """Return True if a waiting plan, or a newer one, was logged before the next answer.

    It is lost where the seat changed hands first, or left.
    """
    for entry in itertools.takewhile(lambda entry: not _is_answer(entry), later):
        if entry.by != one.about:
            continue
        if is_plan(entry.decision) and keeps(said, _logged_plan(entry)):
            return True
        held = keys_of(old, one.about)[-1]
        if is_transfer(entry.decision) and read_play(entry.play)[0] != held:
            return True
        if is_standing(entry.decision) and entry.play == Leave.plays[0]:
            return True
    return False


def _logged_plan(entry: Entry) -> Version:
    """Return what a plan in the log said while it waited."""
    number, clauses = read_plan(entry.play)
    return Version(number, b"%d " % entry.seen + clauses + entry.signature)


def _has_new_key(seat: str, old: GameFile, new: GameFile) -> bool:
    """Return True if a seat has changed hands since an older file, and more than its recipient."""
    held = keys_of(old, seat)
    return any(key != held[-1] for key in keys_of(new, seat)[len(held) :])


def _answered(one: Arrival, file: GameFile) -> Entry | None:
    """Return the entry of a decision that an arrival answers."""
    if one.kind != ANSWER:
        return None
    return next((entry for entry in file.log if entry.decision == one.about), None)


def _committed(file: GameFile, entry: Entry, heads: list[bytes]) -> bytes:
    """Return the commitment with which the answer in an entry must have waited."""
    note = move_of(file, entry, heads)
    return pending_commitment(file.game, entry.decision, note.text, entry.signature)
