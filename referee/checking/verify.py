"""Checks of a game file that anybody can make without the deal secret (DESIGN 6, `verify`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.checking.planlog import PlanVerifier
from referee.crypto.sealing import BLOCK, NOTE_BLOCK, is_sealed_to
from referee.errors import BadSignature, Damaged, OtherRules, counted
from referee.table import chain
from referee.table.capacity import MAX_TRANSFERS_BY_NEW_KEYS, MAX_TRANSFERS_SIGNED
from referee.table.clock import check_due, check_vacations, due_after, grace_end
from referee.table.dealing import deal_commitment, is_dealt
from referee.table.decisions import DecisionId
from referee.table.gamefile import Entry, GameFile
from referee.table.hands import leaves_of
from referee.table.joins import check_seat, deal_play
from referee.table.opening import is_backup
from referee.table.plans import (
    is_plan,
    plan_behind,
)
from referee.table.provenance import move_of, vacation_note
from referee.table.rebuild import padded_sizes
from referee.table.rules import rules_for
from referee.table.standing import Standing, is_standing
from referee.table.times import format_time
from referee.table.transfer import Holders, is_complete, keys_of
from referee.table.transfer import note_of as transfer_note

if TYPE_CHECKING:
    from datetime import datetime


def verify(file: GameFile, heads: list[bytes]) -> list[str]:
    """Check a file, and return what was checked. Loading has checked its signature and head.

    Raises BadSignature or Damaged, naming the step.
    """
    done = []
    joined = [seat for seat in file.seats if seat.joined]
    for seat in joined:
        check_seat(file, seat)
        if any(is_backup(file, seat, key) for key in keys_of(file, seat.name)):
            raise Damaged(f"the deal secret is sealed to a key of {seat.name}, who plays")
    who = "whoever sits" if len(joined) == 1 else "those who sit"
    done.append(f"{_are(len(joined), 'join')} signed by {who} there, over these terms")
    if file.revealed_secret is not None:
        if deal_commitment(file.game, file.revealed_secret) != file.commitment:
            raise Damaged("the published deal secret is not the one that was committed to")
        done.append("the published deal secret is the one that was committed to")
    walk = LogVerifier(file, heads)
    for step, entry in enumerate(file.log, 1):
        walk.entry(step, entry)
    walk.finish()
    if not file.log:
        done += _unplayable(file)
    else:
        seats, seen = ("its seat", "it") if walk.signed == 1 else ("their seats", "they")
        done.append(f"{_are(walk.signed, 'move')} signed by {seats}, over what {seen} had seen")
        if walk.transfers:
            done.append(f"{_are(walk.transfers, 'transfer')} signed by all who had to")
        if walk.votes:
            seats = "its seat" if walk.votes == 1 else "their seats"
            done.append(f"{counted(walk.votes, 'word')} on voting or leaving signed by {seats}")
        if walk.acted:
            late = "answer is" if walk.acted == 1 else "answers are"
            done.append(f"{walk.acted} late {late} the referee's, as the table has agreed")
        if walk.by_bots:
            done.append(
                f"{counted(walk.by_bots, 'answer')} of bots; that these are theirs, the audit shows"
            )
        cards = f"{walk.draws} card{'' if walk.draws == 1 else 's'}"
        done.append(f"{cards} left the piles in order; {walk.shown} shown to all, with proof")
        done.append(_followed(file))
    return done


def _unplayable(file: GameFile) -> list[str]:
    """Say why this program cannot play at a table that is open; nothing where it can."""
    try:
        rules_for(file)
    except OtherRules as error:
        return [f"whether these terms can be played is not known: {error.message}"]
    return []


def _followed(file: GameFile) -> str:
    """Check table and questions, and say so; raise Damaged when the log disproves them."""
    try:
        for name, size in padded_sizes(file).items():
            seat = file.seat(name)
            if seat is not None and not is_sealed_to(
                file.hands[name].sealed, [file.recipient(seat)], BLOCK, size
            ):
                raise Damaged(f"the hand of {name} is not as large as its cards make it")
    except OtherRules as error:
        return (
            "table, questions, deal and hands are those to which the last step is bound; whether "
            f"they follow from the log is not known: {error.message}"
        )
    return "table and questions follow from the log, which binds deal and hands too"


def _are(count: int, what: str) -> str:
    return f"{count} {what} is" if count == 1 else f"{count} {what}s are"


class LogVerifier:
    """The log from its beginning: open questions, piles, openings."""

    def __init__(self, file: GameFile, heads: list[bytes]) -> None:
        self.file = file
        self.heads = heads
        self.holders = Holders(file)
        self.open: dict[str, int] = {}
        self.started: set[int] = set()
        self.next: dict[str, tuple[int, int]] = {}
        self.size: dict[tuple[str, int], int] = {}
        self.leaves = leaves_of(file)
        self.answered: set[str] = set()
        self.turned: set[tuple[str, int, int]] = set()
        self.lying: set[tuple[str, int, int]] = set()
        self.bots = file.bots
        self.signed = self.draws = self.shown = self.transfers = self.acted = self.by_bots = 0
        self.votes = 0
        self.batch = self.open_since = 0
        self.arrived, self.old_key, self.left_in_batch = False, 0, 0
        self.standing = Standing(file)
        self.plans = PlanVerifier(file, heads, self.holders, self.standing)
        self.late: datetime | None = None
        self.late_in_batch: datetime | None = None
        self.asked_after: datetime | None = None

    def entry(self, step: int, entry: Entry) -> None:
        self._entry(step, entry)
        self.plans.book.follow(step, entry)
        self.standing.follow(step, entry)

    def _entry(self, step: int, entry: Entry) -> None:
        where = f"step {step} ({entry.decision})"
        self.plans.before(entry, where)
        agreed = step > 1 and self.standing.is_agreed
        if agreed != (entry.decision == chain.ABANDON and entry.play == chain.BY_VOTE):
            raise Damaged(f"{where}: the game ends by a vote as soon as all agree, and only then")
        if is_standing(entry.decision):
            if self.batch or not self.open:
                raise Damaged(f"{where}: no seat can vote, leave or come back there")
            self.standing.check(self.file, step, entry, self.holders, self.heads)
            self.votes += 1
            return
        if self.holders.follow(step, entry, self.heads):
            if self.batch or not self.open:
                raise Damaged(f"{where}: a seat cannot change hands there")
            self.transfers += 1
            return
        if is_plan(entry.decision):
            may_stand = bool(self.open) and not self.batch
            self.plans.plan(step, entry, may_stand=may_stand, where=where)
            return
        lines = [chain.read_line(text) for text in entry.then]
        if entry.by == chain.REFEREE and entry.decision not in (chain.DEAL, chain.ABANDON):
            self._late(step, entry, lines, where)
            lines = lines[1:]
        elif entry.by == chain.REFEREE:
            self._referee(step, entry, where)
        else:
            self._move(step, entry, where)
            # Nobody has counted the answers of a bot, so that none can stand for a player's.
            own = chain.Answer if entry.signature else chain.Planned
            if lines and isinstance(lines[0], own) and entry.by not in self.bots:
                lines = lines[1:]
        for line in lines:
            if self.open_since == step:
                raise Damaged(f"{where}: the questions do not stand last")
            if line is not None:
                self._line(line, step, where)

    def _referee(self, step: int, entry: Entry, where: str) -> None:
        if entry.signature:
            raise Damaged(f"{where}: an act of the referee's has no signature of its own")
        if (entry.decision, step, entry.seen) == (chain.DEAL, 1, 0):
            free = any(seat.is_free for seat in self.file.seats)
            if not free and entry.play == deal_play(self.file):
                return
            raise Damaged(f"{where}: the deal does not cover the joins of all seats")
        if entry.decision == chain.ABANDON and entry.then:
            raise Damaged(f"{where}: {entry.then[0][:80]!a} has no place there")
        if entry.decision == chain.ABANDON and self.batch and self.open:
            raise Damaged(f"{where}: the game ends within a batch, {next(iter(self.open))} is open")
        if (
            entry.decision == chain.ABANDON
            and entry.play in (chain.BY_HOST, chain.BY_VOTE)
            and (step == self.file.step == entry.seen + 1 and (self.open or step == 1))
        ):
            self.open = {}
            return
        raise Damaged(f"{where}: the referee may not do this")

    def _move(self, step: int, entry: Entry, where: str) -> None:
        if not entry.decision.endswith("." + entry.by):
            raise Damaged(f"{where}: {entry.by[:16]!r} cannot answer this")
        gone = self._gone(entry)
        self._answer(step, entry, where)
        if entry.by in self.bots:
            if entry.signature:
                raise Damaged(f"{where}: {entry.by} is a bot's seat, and has no key to sign with")
            self.by_bots += 1
            return
        if gone and not entry.signature and not plan_behind(entry):
            self.by_bots += 1
            return
        # Only what had arrived before counts for a seat that has left.
        if gone and entry.seen >= gone:
            raise Damaged(f"{where}: {entry.by} had left, and the table's bot was to answer")
        if self.plans.is_planned(entry, where):
            return
        move = move_of(self.file, entry, self.heads)
        key = self.holders.at(entry.by, entry.seen)
        if key is None or not move.verify(key, entry.signature):
            raise BadSignature(f"{where}: {entry.by} did not sign this play")
        self.signed += 1

    def _gone(self, entry: Entry) -> int:
        """Return since which step the seat of an answer was gone while its question was open."""
        seat = DecisionId.parse(entry.decision).seat
        return self.standing.left_at(seat, self.open.get(entry.decision, 0))

    def _answer(self, step: int, entry: Entry, where: str) -> None:
        """Check what holds for every answer, whoever gave it."""
        if entry.decision in self.answered:
            raise Damaged(f"{where}: it was answered before")
        if entry.decision not in self.open:
            raise Damaged(f"{where}: it was not open")
        if next(iter(self.open)) != entry.decision:
            raise Damaged(f"{where}: {next(iter(self.open))} was to take effect first")
        if not self.batch:
            self.batch, self.arrived, self.late_in_batch = step, False, None
            self.old_key = self.left_in_batch = 0
        opened = self.open.pop(entry.decision)
        if not opened <= entry.seen:
            raise Damaged(f"{where}: its author had not seen the question")
        if not entry.signature and entry.seen != opened:
            raise Damaged(f"{where}: it does not say at which step the question was put")
        if entry.seen >= self.batch:
            raise Damaged(f"{where}: its author had seen an answer of the same batch")
        self.answered.add(entry.decision)
        # An answer of whoever held the seat before can only have waited for another one, or for a
        # seat to leave. What a plan or a bot answers has not to be waited for.
        seat = DecisionId.parse(entry.decision).seat
        moved = self.holders.since(seat)
        old = bool(entry.signature or plan_behind(entry)) and entry.seen < moved
        left = self.standing.left_at(seat, opened)
        if old:
            self.old_key = max(self.old_key, moved)
        elif left and not plan_behind(entry):
            self.left_in_batch = max(self.left_in_batch, left)
        elif entry.signature or entry.by == chain.REFEREE:
            self.arrived = True
        came = self.arrived or self.left_in_batch > self.old_key
        if not self.open and self.old_key and not came:
            raise Damaged(f"{where}: {seat} had changed hands before it was answered")

    def _late(self, step: int, entry: Entry, lines: list[chain.Line | None], where: str) -> None:
        """An answer that the referee gave for a seat: the terms allow it, its time was over."""
        clock = self.file.clock
        if clock is None or not clock.acts or entry.signature:
            raise Damaged(f"{where}: the referee may not do this")
        if self._gone(entry):
            raise Damaged(f"{where}: the seat had left, and could not be late")
        if DecisionId.parse(entry.decision).seat in self.bots:
            raise Damaged(f"{where}: the seat is a bot's, which is never late")
        self._answer(step, entry, where)
        line = lines[0] if lines else None
        if not isinstance(line, chain.Late):
            raise Damaged(f"{where}: it does not say since when the answer was late")
        if line.now <= grace_end(clock, line.due) or (self.late and line.now < self.late):
            raise Damaged(f"{where}: the answer was not late at {format_time(line.now)}")
        if self.late_in_batch not in (None, line.now):
            raise Damaged(f"{where}: its batch was called late at two times")
        if self.asked_after and line.due < due_after(clock, self.asked_after, ()):
            raise Damaged(f"{where}: the answer was not due at {format_time(line.due)} yet")
        if self.file.now is None or line.now > self.file.now:
            raise Damaged(f"{where}: {format_time(line.now)} is after the time of the file")
        self.late = self.late_in_batch = line.now
        self.acted += 1

    def _line(self, line: chain.Line, step: int, where: str) -> None:
        match line:
            case chain.Asking(decisions):
                if self.open:
                    raise Damaged(f"{where}: new questions while {next(iter(self.open))} is open")
                self.open = dict.fromkeys(decisions, step)
                self.open_since, self.asked_after = step, self.late
                self.batch = 0
            case chain.Shuffling(pile, epoch, count, _):
                last = self.next.get(pile, (-1, 0))
                if epoch != last[0] + 1:
                    raise Damaged(f"{where}: pile {pile} was not to be shuffled")
                if last[0] >= 0 and last[1] != self.size[pile, last[0]]:
                    raise Damaged(f"{where}: pile {pile} was shuffled before it was empty")
                self.next[pile] = (epoch, 0)
                self.size[pile, epoch] = count
            case chain.Draw(who, pile, epoch, first, last_drawn):
                if who != "table" and who not in self.file.seating:
                    raise Damaged(f"{where}: there is no {who[:16]!r} to draw")
                if (epoch, first) != self.next.get(pile) or last_drawn < first:
                    raise Damaged(f"{where}: {who} did not draw the next card of {pile}")
                if last_drawn >= self.size[pile, epoch]:
                    raise Damaged(f"{where}: pile {pile} has not so many cards")
                self.next[pile] = (epoch, last_drawn + 1)
                self.draws += last_drawn + 1 - first
                if who == "table":
                    span = range(first, last_drawn + 1)
                    self.turned.update((pile, epoch, at) for at in span)
            case chain.Opening(pile, epoch, position, name, salt):
                if not is_dealt(self.file.game, self.leaves, line[:4], salt):
                    raise Damaged(f"{where}: {name[:40]!r} is not the card that was dealt there")
                here = self.next.get(pile, (-1, 0))
                # Tiles are turned where they lie; of a pile that is drawn from, only what left it.
                if here > (0, 0) and (epoch, position) >= here:
                    raise Damaged(f"{where}: {name[:40]!r} has not been drawn yet")
                self.shown += 1
                if (pile, epoch, position) in self.turned:
                    self.lying.add((pile, epoch, position))
            case chain.Taking(who, pile, epoch, position):
                if (pile, epoch, position) not in self.lying or who not in self.file.seating:
                    raise Damaged(f"{where}: {who} took a card that did not lie open")
                self.lying.remove((pile, epoch, position))
            case chain.Late() | chain.Agreed() | chain.Answer():
                raise Damaged(f"{where}: {line.line[:80]!r} has no place there")

    def finish(self) -> None:
        file = self.file
        asked = file.asked_ids()
        if list(self.open) != asked:
            raise Damaged("asked is not what the log has left open")
        if asked and self.batch:
            raise Damaged(
                f"a parallel answer was logged before that to {asked[0]} was in",
                "the referee may have shown it to somebody",
            )
        waiting = [one.decision for one in file.pending]
        if not set(waiting) <= set(asked):
            raise Damaged("pending holds an answer to a question that is not open")
        if len(set(waiting)) < len(waiting) or (waiting and len(waiting) >= len(asked)):
            raise Damaged("pending holds an answer twice, or the last one that was owed")
        if file.asked and self.standing.is_agreed:
            raise Damaged("all seats agree that the game ends here, and it goes on")
        self.plans.finish()
        self._beside()
        self._sealed()
        if not file.log:
            if file.revealed_secret is not None:
                raise Damaged("the deal secret is published, but nothing was dealt")
            return
        ended = "abandoned" if file.log[-1].decision == chain.ABANDON else "finished"
        right = "playing" if asked else ended
        if file.status != right or (file.revealed_secret is None) != bool(asked):
            raise Damaged(f"status is {file.status!r}, which does not fit the log")

    def _sealed(self) -> None:
        """Raise Damaged where a sealed text is for others too, or its size may tell of it."""
        file = self.file
        for seat in file.seats:
            hand = file.hands.get(seat.name)
            if hand is not None and not is_sealed_to(hand.sealed, [file.recipient(seat)], BLOCK):
                raise Damaged(f"the hand of {seat.name} is not sealed to {seat.name} alone")
        for one in file.pending:
            if not one.plan and not is_sealed_to(one.sealed, [file.referee.text], NOTE_BLOCK):
                raise Damaged(f"the answer to {one.decision} is not sealed to the referee alone")

    def _beside(self) -> None:
        """Check what stands beside the chain, signed by the seats or by the referee alone."""
        file = self.file
        check_due(file, self.asked_after)
        check_vacations(file)
        for one in file.vacations:
            key = self.holders.at(one.seat, one.seen)
            if not 0 < one.seen < len(self.heads) or key is None:
                raise Damaged(f"the vacation of {one.seat} was not signed at a step of this game")
            if not vacation_note(file, one, self.heads).verify(key, one.signature):
                raise BadSignature(f"{one.seat} did not sign this vacation")
        if file.transfers and (not file.log or not file.asked):
            raise Damaged("transfers: none waits before the deal or when the game is over")
        if len(file.transfers) > MAX_TRANSFERS_BY_NEW_KEYS + MAX_TRANSFERS_SIGNED * (
            1 + 2 * len(file.seats)
        ):
            raise Damaged("transfers: more wait than a game file holds")
        if len({(one.seat, one.key, one.seal) for one in file.transfers}) < len(file.transfers):
            raise Damaged("transfers: one stands there twice")
        held = self.holders.held
        for move in file.transfers:
            if not move.consents or len({by.key for by in move.consents}) < len(move.consents):
                raise Damaged(f"the transfer of {move.seat} is signed by nobody, or twice by one")
            for by in move.consents:
                if move.seat not in file.seating or not (
                    self.holders.since(move.seat) <= by.seen < len(self.heads)
                ):
                    raise Damaged(f"the transfer of {move.seat[:16]!r} does not fit this game")
                if by.key not in self.holders.with_a_say() | {move.key}:
                    raise Damaged(
                        f"the transfer of {move.seat} is signed by somebody who has no say in it"
                    )
                note = transfer_note(file, move.seat, move.key, move.seal, by.seen, self.heads)
                if not note.verify(by.key, by.signature):
                    raise BadSignature(
                        f"{by.key.fingerprint} did not sign the transfer of {move.seat}"
                    )
            if is_complete(file, held, move):
                raise Damaged(
                    f"the transfer of {move.seat} has all its signatures and has not taken effect"
                )
