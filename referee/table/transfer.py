"""A seat that changes hands or keys: who has to sign, and what the log keeps (PROTOCOL 15)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from referee.crypto.keys import PublicKey
from referee.errors import BadSignature, Damaged
from referee.games.errors import GameError, Illegal
from referee.notes.kinds import Transfer, check_value
from referee.table import chain
from referee.table.capacity import MAX_TRANSFERS_PER_SEAT
from referee.table.gamefile import Consent, Entry, GameFile
from referee.table.gamefile import Transfer as Waiting

KIND = "transfer"


def is_transfer(decision: str) -> bool:
    """Return True if a log entry of this id is a transfer."""
    if f".{KIND}." not in decision:
        return False
    return re.fullmatch(rf"0\.[0-9]+\.{KIND}\.\S+", decision) is not None


def decision_id(log: Iterable[Entry], seat: str) -> str:
    """Return the id of the next transfer after a log: `0.NUMBER.transfer.SEAT`."""
    return f"0.{1 + sum(is_transfer(entry.decision) for entry in log)}.{KIND}.{seat}"


def since(log: Sequence[Entry], seat: str) -> int:
    """Return the step at which the seat changed hands last; 0 when it never did."""
    steps = [step for step, entry in enumerate(log, 1) if is_transfer(entry.decision)]
    return max((step for step in steps if log[step - 1].by == seat), default=0)


def play_of(key: PublicKey, seal: str) -> str:
    """Return the play of a transfer: `transfer KEY`, and `age1…` where hands are sealed to that."""
    return " ".join([KIND, key.hex, *([seal] if seal else [])])


def read_play(play: str) -> tuple[PublicKey, str]:
    """Key and recipient of a transfer's play; raises Damaged."""
    match play.split(" "):
        case ["transfer", key, *seal] if len(seal) < 2 and re.fullmatch("[0-9a-f]{64}", key):
            try:
                for one in seal:
                    check_value("seal", one)
                return PublicKey.parse(key), "".join(seal)
            except GameError as error:
                raise Damaged(error.message) from None
    raise Damaged("the play of a transfer names no key")


def holders(file: GameFile) -> dict[str, PublicKey]:
    """Return the key that holds each seat now."""
    return {seat.name: seat.holder for seat in file.seats if seat.holder is not None}


def keys_of(file: GameFile, seat: str) -> list[PublicKey]:
    """Return the keys that have held a seat, one after the other."""
    joined = next(one.key for one in file.seats if one.name == seat)
    moves = [entry for entry in file.log if is_transfer(entry.decision) and entry.by == seat]
    return [*([joined] if joined else []), *(read_play(entry.play)[0] for entry in moves)]


def speaker(file: GameFile, key: PublicKey) -> tuple[str, set[PublicKey]]:
    """Return the seat that a key holds, and all keys of whoever holds that or is the referee.

    No seat and no keys where it has no say in whose a seat is.
    """
    seat = next((name for name, holder in holders(file).items() if holder == key), "")
    keys = set(keys_of(file, seat)) if seat else set()
    return seat, keys | {key} if key == file.referee else keys


def signed_alike(
    file: GameFile, waiting: Iterable[Waiting], signer: PublicKey, seat: str
) -> list[Waiting] | None:
    """Return those of some unfinished transfers that count together with one of a seat by a signer.

    They are signed by whoever holds this key, and are likewise of its own seat, or of others'. None
    where the key has no say in whose a seat is.
    """
    own, keys = speaker(file, signer)
    if not keys:
        return None
    return [
        one
        for one in waiting
        if (one.seat == own) == (seat == own) and any(by.key in keys for by in one.consents)
    ]


def check_count(file: GameFile, seat: str) -> None:
    """Raise Illegal where a seat has changed hands as often as it can in one game."""
    if (
        sum(is_transfer(entry.decision) and entry.by == seat for entry in file.log)
        >= MAX_TRANSFERS_PER_SEAT
    ):
        raise Illegal(
            f"{seat} has changed hands {MAX_TRANSFERS_PER_SEAT} times, which is as often as it can",
            "who holds it now holds it to the end",
        )


def missing(
    file: GameFile,
    held: Mapping[str, Sequence[PublicKey]],
    seat: str,
    key: PublicKey,
    signed: Collection[PublicKey],
) -> list[str]:
    """Return who has still to sign that `seat` gets `key`; nobody when the transfer takes effect.

    `held` are the keys that have held each seat, one after the other. The new key signs, and the
    old one or else everybody who holds another seat; where that is one alone, the referee too, so
    that no opponent can take a seat. Where both are one, there is nobody who could speak for the
    old key: then the other seat is the referee's by head 0, or was at some time held by its key.
    Nor is there anybody where all the others are bots, which hold no keys.
    """
    new = [] if key in signed else [NEW_KEY]
    if held[seat][-1] in signed:
        return new
    others = {name: keys for name, keys in held.items() if name != seat}
    marked = {one.name for one in file.seats if one.referee}
    if all(name in marked or file.referee in keys for name, keys in others.items()):
        return [*new, f"the old key of {seat}"]
    absent = [name for name, keys in others.items() if keys[-1] not in signed]
    if len(others) == 1 and file.referee not in signed:
        absent.append("the referee")
    if absent:
        return [*new, f"the old key of {seat}, or else {' and '.join(absent)}"]
    return new


def still_to_sign(file: GameFile, waiting: Waiting) -> list[str]:
    """Return who has still to sign a transfer that waits in a game file."""
    held = {name: keys_of(file, name) for name in holders(file)}
    signed = [by.key for by in waiting.consents]
    return missing(file, held, waiting.seat, waiting.key, signed)


def is_wanted(file: GameFile, waiting: Waiting, key: PublicKey) -> bool:
    """Return True if a transfer that waits is nearer to its end with a signature of this key."""
    by = [*waiting.consents, Consent(key, 0, b"")]
    more = Waiting(waiting.seat, waiting.key, waiting.seal, by)
    return still_to_sign(file, waiting) != still_to_sign(file, more)


def agreed(file: GameFile, seat: str, key: PublicKey, seal: str, by: Consent) -> Waiting:
    """Return a transfer as it will wait once it has one more signature."""
    signed = [
        one
        for waiting in file.transfers
        if (waiting.seat, waiting.key) == (seat, key)
        for one in waiting.consents
    ]
    return Waiting(seat, key, seal, [*signed, by])


def moved_since(file: GameFile, step: int) -> list[str]:
    """Return the seats that have got another key after a step, each once."""
    kept = resealings(file)
    return list(
        dict.fromkeys(
            entry.by
            for at, entry in enumerate(file.log[step:], step + 1)
            if is_transfer(entry.decision) and at not in kept
        )
    )


def resealings(file: GameFile) -> set[int]:
    """Return the steps of the transfers that leave a seat its key, and change only to what its
    hands are sealed."""
    keys = {seat.name: seat.key for seat in file.seats}
    found = set()
    for step, entry in enumerate(file.log, 1):
        if is_transfer(entry.decision):
            key, _ = read_play(entry.play)
            if key == keys[entry.by]:
                found.add(step)
            keys[entry.by] = key
    return found


NEW_KEY = "its new key"
"""The words for a new key among those who have still to sign."""


def is_complete(file: GameFile, held: Mapping[str, Sequence[PublicKey]], waiting: Waiting) -> bool:
    """Return True if a transfer that waits can take effect; `held` are as for `missing`."""
    signed = [by.key for by in waiting.consents]
    free = all(keys[-1] != waiting.key for name, keys in held.items() if name != waiting.seat)
    return free and not missing(file, held, waiting.seat, waiting.key, signed)


def consents(entry: Entry) -> list[Consent]:
    """Return all signatures of a transfer in the log, the new key's first. Raises Damaged."""
    key, _ = read_play(entry.play)
    if list(entry.then) != sorted(set(entry.then)):
        raise Damaged(f"{entry.decision}: the signatures do not stand in their order, each once")
    found = [Consent(key, entry.seen, entry.signature)]
    for text in entry.then:
        line = chain.read_line(text)
        if not isinstance(line, chain.Agreed):
            raise Damaged(f"{entry.decision}: {text[:80]!r} is not a signature")
        found.append(Consent(line.key, line.seen, line.signature))
    if len({one.key for one in found}) < len(found):
        raise Damaged(f"{entry.decision}: a key has signed twice")
    return found


def note_of(
    file: GameFile, seat: str, key: PublicKey, seal: str, seen: int, heads: Sequence[bytes]
) -> Transfer:
    """Return the text that was signed at step `seen`."""
    return Transfer(file.game, seat, seen, heads[seen].hex(), key.hex, seal or None)


def notes_of(
    file: GameFile, entry: Entry, heads: Sequence[bytes]
) -> list[tuple[Transfer, Consent]]:
    """Return the notes behind a transfer in the log, rebuilt word for word. Raises Damaged."""
    key, seal = read_play(entry.play)
    return [
        (
            Transfer(
                file.game,
                entry.by,
                one.seen,
                chain.head_seen(heads, entry, one.seen),
                key.hex,
                seal or None,
            ),
            one,
        )
        for one in consents(entry)
    ]


class Holders:
    """The keys that held the seats at each step of a log that is being checked."""

    def __init__(self, file: GameFile) -> None:
        self.file = file
        self._since: dict[str, list[tuple[int, PublicKey]]] = {
            seat.name: [(0, seat.key)] for seat in file.seats if seat.key is not None
        }
        self._plays = {
            seat.name: play_of(seat.key, seat.seal) for seat in file.seats if seat.key is not None
        }
        self.log: list[Entry] = []

    def at(self, seat: str, step: int) -> PublicKey | None:
        """Return the key that held the seat at a step."""
        before = [key for since, key in self._since.get(seat, ()) if since <= step]
        return before[-1] if before else None

    def since(self, seat: str) -> int:
        """Return the step from which on a transfer of the seat can have been signed."""
        return max(1, self._since[seat][-1][0]) if seat in self._since else 1

    @property
    def held(self) -> dict[str, list[PublicKey]]:
        """The keys that have held each seat so far, one after the other."""
        return {name: [key for _, key in keys] for name, keys in self._since.items()}

    def held_since(self, seat: str) -> int:
        """Return the step from which on the seat has had the key that it has now."""
        steps = [0]
        for (_, before), (step, key) in pairwise(self._since[seat]):
            if key != before:
                steps.append(step)
        return steps[-1]

    def with_a_say(self) -> set[PublicKey]:
        """Return the keys that could sign a transfer so far, besides its new key."""
        held = {key for keys in self._since.values() for _, key in keys}
        return held | {self.file.referee}

    def follow(self, step: int, entry: Entry, heads: Sequence[bytes]) -> bool:
        """Go over the log's next entry; whether it is a transfer.

        Raises Damaged or BadSignature for a transfer that does not hold.
        """
        self.log.append(entry)
        if not is_transfer(entry.decision):
            return False
        where = f"step {step} ({entry.decision})"
        if entry.decision != decision_id(self.log[:-1], entry.by) or entry.by not in self._since:
            raise Damaged(f"{where}: it is not the next transfer of a seat")
        signers = set()
        for note, by in notes_of(self.file, entry, heads[:step]):
            if by.seen < self.since(entry.by):
                raise Damaged(f"{where}: it was signed before the seat changed hands")
            if not note.verify(by.key, by.signature):
                raise BadSignature(f"{where}: {by.key.fingerprint} did not sign it")
            signers.add(by.key)
        if len(self._since[entry.by]) > MAX_TRANSFERS_PER_SEAT:
            raise Damaged(f"{where}: {entry.by} has changed hands too often")
        key, _ = read_play(entry.play)
        held = self.held
        if key in (keys[-1] for name, keys in held.items() if name != entry.by):
            raise Damaged(f"{where}: the key already holds a seat of this table")
        if entry.play == self._plays[entry.by]:
            raise Damaged(f"{where}: the seat had this key already")
        if not signers <= self.with_a_say() | {key}:
            raise Damaged(f"{where}: it is signed by somebody who has no say in it")
        absent = missing(self.file, held, entry.by, key, signers)
        if absent:
            raise BadSignature(f"{where}: it lacks the signature of {', '.join(absent)}")
        self._since[entry.by].append((step, key))
        self._plays[entry.by] = entry.play
        return True


def follow(file: GameFile, heads: Sequence[bytes]) -> None:
    """Check every transfer in the log; raises Damaged or BadSignature."""
    walk = Holders(file)
    for step, entry in enumerate(file.log, 1):
        walk.follow(step, entry, heads)
