"""Judging notes: each is accepted, waits for its batch, or is refused with a reason (DESIGN 4)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from referee.crypto.keys import PrivateKey, PublicKey
from referee.crypto.sealing import seal_note, unseal
from referee.errors import (
    AlreadyApplied,
    BadSignature,
    Damaged,
    Fork,
    NoKey,
    NotYours,
    OtherGame,
    Stale,
    applied_before,
    backup_key,
    has_left,
    key_in_use,
    no_longer_open,
    referees_key,
    replaced,
    sealed_to_another,
    seat_reserved,
    was_away,
)
from referee.games.errors import GameError, Illegal, NotUnderstood
from referee.hashes import sha256
from referee.notes.finding import Found, find, find_inside
from referee.notes.kinds import AnyNote, Join, Leave, Move, Plan, Transfer, Vacation, Vote
from referee.refereeing.planning import PlanJudge
from referee.refereeing.seatnotes import SeatNoteJudge
from referee.table import chain, clock
from referee.table.capacity import MAX_SIZE_FOR_ANSWERS, check_room
from referee.table.chain import asking_step
from referee.table.dealing import pending_commitment
from referee.table.decisions import DecisionId
from referee.table.gamefile import GameFile, Pending, Seat
from referee.table.opening import is_backup
from referee.table.provenance import check_signed_by, has_seen, public_signatures
from referee.table.replay import Session
from referee.table.seatnames import no_seat, seat_taken
from referee.table.standing import Standing, game_over

if TYPE_CHECKING:
    from datetime import datetime

    from referee.crypto.sshsig import Signature

LateAnswer = tuple[str, str]
"""The play and the `late` line."""
THINKING = 10.0
"""So many seconds bots may think in one run, so that nobody who waits for it waits for long."""
NOBODY: Mapping[str, LateAnswer] = MappingProxyType({})


class Verdict:
    """The judgement on one note. `error` is None when it was accepted.

    `found` is the note itself, opened if it was sealed. `signer` is the seat that has rightly
    signed it, for this game, with the key that it has now; empty for whatever anybody could send.
    `last` says whether it is the seat's newest answer, `later` that the same note might count once
    the game has gone on. `answer` is which decision a move answers, and its number there. `step` is
    where the game stood before the note was judged.
    """

    __slots__ = (
        *("answer", "error", "found", "last", "later", "signer", "source", "step", "what", "word"),
    )

    def __init__(
        self,
        source: str,
        what: str,
        word: str,
        error: GameError | None = None,
        found: Found | None = None,
        *,
        later: bool = False,
    ) -> None:
        self.source = source
        self.what = what
        self.word = word
        self.error = error
        self.found = found
        self.signer = ""
        self.last = False
        self.later = later
        self.step = 0
        note = found.signed.note if found is not None and found.signed is not None else None
        self.answer = (note.turn, note.number) if isinstance(note, Move) else None

    @property
    def said(self) -> str:
        """Return what the note was about and what came of it, with one name of a seat."""
        begins = self.word.startswith(f"{self.what} ")
        return self.word if begins else f"{self.what}: {self.word}"

    def follow(self, file: GameFile) -> None:
        """Refuse an answer that was accepted, and in whose place another one has come since."""
        counted = self.error is None or isinstance(self.error, AlreadyApplied)
        if self.answer is None or not counted:
            return
        turn, number = self.answer
        newest = chain.answer_number(file, turn)
        if newest > number:
            self.error = replaced(turn, newest)
            self.word = self.error.reason

    @property
    def mark(self) -> str:
        """A fingerprint of the signed note; the same whatever it was sealed in. Empty for none."""
        signed = self.found.signed if self.found is not None else None
        if signed is None:
            return ""
        return sha256(signed.text.encode() + signed.raw64).hex()

    @property
    def exit_code(self) -> int:
        return self.error.exit_code if self.error else 0

    @property
    def is_transfer(self) -> bool:
        """Return True if the note is an accepted signature under a transfer."""
        signed = self.found.signed if self.found is not None else None
        return self.error is None and signed is not None and isinstance(signed.note, Transfer)

    @property
    def is_repeat(self) -> bool:
        """Return True if the note had been applied before."""
        return isinstance(self.error, AlreadyApplied)

    @property
    def counts(self) -> bool:
        """Return True if the note is in the game, by itself or by another that says the same."""
        return self.error is None or self.is_repeat

    @property
    def outcome(self) -> dict[str, Any]:
        """The verdict for programs."""
        return {"what": self.what, "result": self.word, "exit": self.exit_code}


def _not_asked(turn: str, asked: Sequence[str]) -> Stale:
    """Return the error about an answer to what is not asked: too early, or never."""
    place = DecisionId.parse(turn)[:2]
    early = not asked or place >= max(DecisionId.parse(one)[:2] for one in asked)
    return Stale(f"{turn} is not asked{' yet' if early else ''}", reason="not-open")


class Judge:
    """Applies notes to a game that the referee has replayed. `changed` says whether any took.

    Bots answer as soon as nobody else has to, as long as they have not thought for longer than
    `thinking` seconds in all. Raises OtherRules where this program does not have a bot of the game.
    """

    def __init__(
        self, session: Session, key: PrivateKey, now: datetime, thinking: float = THINKING
    ) -> None:
        self.session = session
        self.file: GameFile = session.file
        self.now = clock.game_time(self.file, now)
        self.key = key
        self.changed = False
        self._registrar = SeatNoteJudge(session, self.now)
        self._plans = PlanJudge(session)
        self._waiting: dict[str, tuple[Move, bytes]] = {}
        self._planned: dict[str, str] = {}
        self._bots = self.file.bots
        session.check_bots()
        self._thought: dict[str, str] = {}
        self._time_left = thinking
        self._has_thought = False
        # Looked for at each refusal, of which there can be thousands.
        self._signatures: set[bytes] | None = None
        for one in self.file.pending:
            if not one.plan:
                self._waiting[one.decision] = self._reopened(one)
        planned = [one.decision for one in self.file.pending if one.plan]
        if planned:
            # A note has taken the place of the others.
            answers = session.plans.answers(self.file.asked_ids())
            if not set(planned) <= answers.keys():
                raise Damaged("a plan has answered what it has no answer to")
            self._planned = {decision: answers[decision] for decision in planned}

    def _reopened(self, one: Pending) -> tuple[Move, bytes]:
        found = find(unseal(one.sealed, self.key))
        signed = found[0].signed if len(found) == 1 else None
        note = signed.note if signed is not None else None
        if signed is None or not isinstance(note, Move) or note.turn != one.decision:
            raise Damaged(f"the waiting answer to {one.decision} is not one")
        said = pending_commitment(self.file.game, one.decision, signed.text, signed.raw64)
        if said != one.commitment or note.number != one.number:
            raise Damaged(f"the waiting answer to {one.decision} is not the one that was accepted")
        return note, signed.raw64

    def apply(self, notes: Sequence[tuple[str, Found]]) -> list[Verdict]:
        """Judge all notes, over and over until nothing more applies; verdicts in their order.

        `notes` are (where it came from, what was found there). Plans are judged before all else,
        and of answers to one decision the one with the highest number first. Where nobody is left
        to join, as at a table of the referee's with bots, the cards are dealt before.
        """
        self._deal()
        self.go_on()
        read = [self._note_in(found) for _, found in notes]
        order = self._order(read)
        verdicts: list[Verdict | None] = [None] * len(notes)
        moved = True
        while moved:
            moved = False
            for index in order:
                before = verdicts[index]
                if before is None or before.later:
                    began = self.file.step
                    if isinstance(read[index], Transfer):
                        self._let_bots_answer()
                    step = self.file.step
                    now = self._judge(*notes[index])
                    now.step = step
                    verdicts[index] = now
                    moved = moved or now.error is None or step > began
        done = [verdict for verdict in verdicts if verdict is not None]
        for verdict in done:
            verdict.follow(self.file)
            self._attribute(verdict)
        return done

    def _order(self, notes: Sequence[AnyNote | None]) -> list[int]:
        """Return in which order notes are judged: answers to one decision next to each other.

        So what opens the decision is judged before all of them or after all, and none but the
        newest can take effect.
        """
        plans: list[tuple[int, int]] = []
        groups: dict[object, list[tuple[int, int]]] = {}
        for index, note in enumerate(notes):
            if isinstance(note, Plan):
                plans.append((-note.number, index))
            elif isinstance(note, Move):
                groups.setdefault(note.turn, []).append((-note.number, index))
            else:
                groups[index] = [(0, index)]
        return [index for group in (plans, *groups.values()) for _, index in sorted(group)]

    def _attribute(self, verdict: Verdict) -> None:
        """Say whose note it is that a verdict is about."""
        signed = verdict.found.signed if verdict.found is not None else None
        if signed is None:
            return
        seat = self.file.seat_of(signed.signature.public)
        if seat is None or signed.note.game != self.file.game or not seat.joined:
            return
        if verdict.error is None or signed.holds():
            verdict.signer = seat.name
            verdict.last = signed.raw64 in self._newest(seat)

    def _newest(self, seat: Seat) -> list[bytes]:
        """Return the signatures of the newest answers of a seat, those that wait included."""
        waiting = [
            raw64
            for move, raw64 in self._waiting.values()
            if DecisionId.parse(move.turn).seat == seat.name
        ]
        mine = [entry.signature for entry in self.file.log if entry.by == seat.name]
        return [*waiting, *(mine[-1:] or [seat.signature])]

    def _note_in(self, found: Found) -> AnyNote | None:
        """Return the note for this game that a thing is, sealed or not."""
        try:
            signed = self._unsealed(found).signed if found.sealed is not None else found.signed
        except GameError:
            return None
        note = signed.note if signed is not None else None
        return note if note is not None and note.game == self.file.game else None

    def _judge(self, source: str, found: Found) -> Verdict:
        what = "note"
        try:
            if found.sealed is not None:
                what = "sealed note"
                found = self._unsealed(found)
            if found.error is not None:
                raise found.error
            if found.signed is None:
                raise NotUnderstood("there is no note in it")
            note, signature = found.signed.note, found.signed.signature
            what = note.turn if isinstance(note, Move) else note.seat
            if note.game != self.file.game:
                raise OtherGame.note(note.game, self.file.game)
            match note:
                case Move():
                    word = self._move(note, signature)
                case Join():
                    word = self._join(note, signature)
                case Vacation():
                    word = self._registrar.vacation(note, signature)
                case Transfer():
                    word = self._registrar.transfer(note, signature)
                case Vote() | Leave():
                    word = self._stand(note, signature)
                case Plan():
                    word = self._plans.take(note, found.signed, found)
        except GameError as error:
            if self._counted(found) and not isinstance(error, AlreadyApplied):
                error = AlreadyApplied(f"this note about {what} has counted already")
            later = self._later(found, error)
            return Verdict(source, what, error.reason, error, found, later=later)
        self.changed, self._signatures = True, None
        return Verdict(source, what, word, None, found)

    def _later(self, found: Found, error: GameError) -> bool:
        """Return True if a note that was refused might count later in the game.

        Its author must have seen what it is about, and the last transfer of the seat. So what is
        not right now can become right only where he has seen a step that this file has not got
        to, or where there was no room.
        """
        signed = found.signed
        if signed is None or signed.note.game != self.file.game:
            return False
        if isinstance(error, AlreadyApplied):
            return False
        early = signed.note.step > self.file.step and signed.holds()
        return early or error.reason == "no-room"

    def _counted(self, found: Found) -> bool:
        """Return True if this very signature is in the game, whatever speaks against it now."""
        signed = found.signed
        if signed is None:
            return False
        if self._signatures is None:
            waiting = {raw64 for _, raw64 in self._waiting.values()}
            self._signatures = public_signatures(self.file) | waiting
        return signed.raw64 in self._signatures and signed.holds()

    def _unsealed(self, sealed: Found) -> Found:
        # What is wrong with a note is said with words of the note; what was sealed is not echoed.
        try:
            found = find_inside(sealed, self.key)
        except NotUnderstood:
            found = []
        except NoKey:
            raise sealed_to_another() from None
        if len(found) != 1 or found[0].signed is None:
            raise NotUnderstood("what is sealed there is not one note")
        return found[0]

    def _stand(self, note: Vote | Leave, signature: Signature) -> str:
        """Take a vote, or a seat that leaves or is back; with it the game may end or go on."""
        word = self._registrar.stand(note, signature)
        standing = Standing.after(self.file)
        if standing.is_agreed:
            self.session.abandon(chain.BY_VOTE)
            self.file.status = "abandoned"
            why = "nobody is left who plays" if standing.is_deserted else "all agree"
            return f"{word}; {why}, so the game ends here"
        self.go_on()
        return word

    # Joins

    def _join(self, join: Join, signature: Signature) -> str:
        file = self.file
        seat = file.seat(join.seat)
        if seat is None:
            raise no_seat(file, join.seat)
        key = PublicKey.parse(join.key)
        check_signed_by(key, join, signature)
        if bytes.fromhex(join.head) != self.session.heads[0]:
            raise Fork(
                "this join accepts terms other than those of this table",
                "join again with the last file the host sent",
            )
        if seat.bot:
            raise seat_taken(file, seat.name)
        if seat.joined:
            same = (key, bytes.fromhex(join.salt), join.seal or "") == (
                seat.key,
                seat.salt,
                seat.seal,
            )
            if same:
                raise applied_before(f"this note about {seat.name}")
            if seat.referee and key == seat.key:
                raise Stale("the referee's own salt is part of head 0", reason="other-salt")
            raise seat_taken(file, seat.name)
        if seat.reserved and seat.key != key:
            raise seat_reserved(seat.name)
        other = file.seat_of(key)
        if other is not None and other is not seat:
            raise key_in_use(other.name)
        if key == file.referee and not seat.referee:
            # Its salt would be chosen when all others are known.
            raise referees_key()
        if is_backup(file, seat, key):
            raise backup_key()
        if file.status != "open":
            raise no_longer_open()
        seat.key, seat.seal = key, join.seal or ""
        seat.salt, seat.signature = bytes.fromhex(join.salt), signature.raw64
        missing = [one.name for one in file.seats if one.is_free]
        if missing:
            return f"joined; waiting for {', '.join(missing)}"
        self._deal()
        self.go_on()
        return "joined; the cards are dealt"

    def _deal(self) -> None:
        """Deal at an open table at which no seat is free."""
        if self.file.status != "open" or any(seat.is_free for seat in self.file.seats):
            return
        self.session.deal()
        # What is judged next is judged in a game that runs.
        self.file.status = "playing"
        self.changed = True

    # Moves

    def _move(self, move: Move, signature: Signature) -> str:
        seat = self._author(move, signature)
        held = self._standing(seat.name, move)
        if self.file.status in ("finished", "abandoned"):
            raise game_over(self.file)
        asked = self.session.decisions()
        if move.turn not in [one.id for one in asked]:
            raise _not_asked(move.turn, [one.id for one in asked])
        opened = asking_step(self.file, move.turn)
        has_seen(
            self.file, self.session.heads, move, seat.name, opened, f"the question {move.turn}"
        )
        standing = Standing.after(self.file)
        if standing.left_at(seat.name, opened):
            if seat.name not in standing.left:
                raise was_away(seat.name, move.turn)
            raise has_left(seat.name, f"the table's bot answers {move.turn}")
        check_room(self.file, MAX_SIZE_FOR_ANSWERS, "answer")
        self._check(seat.name, move)
        self._waiting[move.turn] = (move, signature.raw64)
        by_plan = self._planned.pop(move.turn, "")
        open_ids = [one.id for one in asked]
        left = self._unanswered(open_ids)
        if not left:
            return self._take_effect(open_ids)
        pending = self._pending(move, signature.raw64)
        if held is None and not by_plan:
            self.file.pending.append(pending)
            return f"accepted; waiting for {self._awaited(left)}"
        self.file.pending = [
            pending if one.decision == move.turn else one for one in self.file.pending
        ]
        before = f"answer {held.number}" if held is not None else "the planned answer"
        return f"accepted in place of {before}; waiting for {self._awaited(left)}"

    def _awaited(self, decisions: Sequence[str]) -> str:
        """Return the decisions that people owe, or if there are none those that bots do."""
        owed = [one for one in decisions if not self._are_for_bots([one])]
        return ", ".join(owed or decisions)

    def _standing(self, seat: str, move: Move) -> Move | None:
        """Return the answer that waits and that this one changes, if there is one.

        Raises AlreadyApplied or Stale where the answer that stands, logged or waiting, stays.
        """
        done = next((entry for entry in self.file.log if entry.decision == move.turn), None)
        if done is not None:
            if done.by == chain.REFEREE and done.play != move.play:
                raise Stale(
                    f"{move.turn} was overdue, and the referee has answered it as was agreed",
                    "`sanjuan-ref show` says what is asked now",
                    reason="answered-otherwise",
                )
            self._compare(chain.number_of(done), done.play, move)
            raise Stale(
                f"{move.turn} already has a different answer, and that answer stands",
                reason="answered-otherwise",
            )
        held = self._waiting[move.turn][0] if move.turn in self._waiting else None
        if held is not None and move.number <= held.number:
            self._compare(held.number, held.play, move)
            raise Stale(
                f"{seat} has already sent a different answer to {move.turn}, made from the "
                "same file",
                f"if {seat} wants this one, {seat} runs `sanjuan-ref move` again",
                reason="answered-otherwise",
            )
        return held

    def _compare(self, number: int, play: str, move: Move) -> None:
        """Raise AlreadyApplied or Stale for a note that says what the answer that stands says, or
        is older than that. It may be sealed: what is said of an older one must not hang on it."""
        if move.number < number:
            raise replaced(move.turn, number)
        if move.play == play:
            raise applied_before(f"{move.turn}: this answer")

    def _author(self, move: Move, signature: Signature) -> Seat:
        name = DecisionId.parse(move.turn).seat
        seat = self.file.seat(name)
        if seat is None:
            raise NotYours(f"{move.turn} is not a decision of this game: there is no seat {name}")
        if seat.holder is None or not seat.joined:
            raise _not_asked(move.turn, ())
        if signature.public != seat.holder:
            other = self.file.seat_of(signature.public)
            if other is not None:
                check_signed_by(signature.public, move, signature)
                raise NotYours(f"{move.turn} is {name}'s to answer, not {other.name}'s")
            raise BadSignature(
                f"this note is not signed with the key of {name}",
                f"ask {name} to sign it again with the key that holds the seat",
            )
        check_signed_by(seat.holder, move, signature)
        return seat

    def _check(self, seat: str, move: Move) -> None:
        # What the rules say against a play may depend on the hand; apply's output is public.
        hint = "`sanjuan-ref show` lists the legal answers for that hand"
        try:
            self.session.view(seat).check(move.play)
        except Illegal:
            raise Illegal(f"this is not a legal answer to {move.turn}", hint) from None
        except NotUnderstood:
            raise NotUnderstood(f"this is not an answer to {move.turn}", hint) from None

    def _pending(self, move: Move, raw64: bytes) -> Pending:
        seat = self.file.seat(DecisionId.parse(move.turn).seat)
        assert seat is not None
        assert seat.holder is not None
        return Pending(
            move.turn,
            pending_commitment(self.file.game, move.turn, move.text, raw64),
            seal_note(move.armoured(seat.holder, raw64), self.file.referee),
            move.number,
        )

    def go_on(self) -> None:
        """Let bots answer what is open, where nobody else has to."""
        batch = [one.id for one in self.session.decisions()]
        if batch and not self._unanswered(batch):
            self._take_effect(batch)
            self.changed = True

    def _let_bots_answer(self) -> None:
        """Let bots answer where an answer waits for nobody else, for as long as they think.

        Else it would wait while its seat changes hands, as if an old key had answered in time
        though nobody was to be waited for.
        """
        while self._waiting or self._planned:
            batch = [one.id for one in self.session.decisions()]
            left = [one for one in batch if one not in self._waiting and one not in self._planned]
            # Once a game is over nothing is asked, though an answer may still wait.
            if not left or not self._are_for_bots(left):
                return
            self._has_thought = False
            self.go_on()

    def _unanswered(self, batch: Sequence[str], late: Collection[str] = ()) -> list[str]:
        """Return the decisions to which there is no answer, after letting bots think.

        They think about what waits for nobody else, all of it or nothing, and once in any case.
        """
        answered = {*self._waiting, *self._planned, *self._thought, *late}
        left = [one for one in batch if one not in answered]
        if left and not self._are_for_bots(left):
            return left
        if left and self._has_thought and self._time_left <= 0:
            return left
        began, self._has_thought = monotonic(), True
        self._thought |= {decision: self.session.bot_play(decision) for decision in left}
        self._time_left -= monotonic() - began
        return []

    def _are_for_bots(self, decisions: Sequence[str]) -> bool:
        """Return True if bots answer all of these open decisions."""
        seats = [DecisionId.parse(one).seat for one in decisions]
        others = [seat for seat in seats if seat not in self._bots]
        if not others:
            return True
        standing, opened = Standing.after(self.file), asking_step(self.file, decisions[0])
        return all(standing.left_at(seat, opened) for seat in others)

    def _take_effect(self, batch: Sequence[str], late: Mapping[str, LateAnswer] = NOBODY) -> str:
        """Let a batch take effect in its order, and all that plans answer then.

        Who is `late` is answered for.
        """
        self._plans.log()
        first = self.file.step + 1
        while True:
            opened = asking_step(self.file, batch[0])
            for decision in batch:
                self._answer(decision, opened, late)
            self._waiting, self._thought, late = {}, {}, NOBODY
            batch = [one.id for one in self.session.decisions()]
            self._planned = self.session.plans.answers(batch)
            if not batch or self._unanswered(batch):
                break
        under = self.session.plans.book.under
        self.file.pending = [Pending.by_plan(one, under[one].number) for one in self._planned]
        if self.session.game is not None and self.session.over:
            self.file.status = "finished"
        last = self.file.step
        return f"applied as step {last}" if first == last else f"applied: steps {first} to {last}"

    def _answer(self, decision: str, opened: int, late: Mapping[str, LateAnswer]) -> None:
        """Let one answer take effect, to a question that was put at step `opened`."""
        accept, name = self.session.accept, DecisionId.parse(decision).seat
        if decision in late:
            play, line = late[decision]
            accept(decision, chain.REFEREE, play, opened, b"", [line])
        elif decision in self._planned:
            number = self.session.plans.book.under[decision].number
            play, line = self._planned[decision], chain.Planned(number).line
            accept(decision, name, play, opened, b"", [line])
        elif decision in self._thought:
            accept(decision, name, self._thought[decision], opened, b"")
        else:
            move, raw64 = self._waiting[decision]
            said = chain.lines_of_number(move.number)
            accept(decision, name, move.play, move.step, raw64, said)

    def expire(self) -> list[tuple[str, str]]:
        """Answer for the seats that are late, as the table has agreed: (decision, play) for each.

        A batch waits until all are late who still owe an answer to it.
        """
        self.go_on()
        terms, file = self.file.clock, self.file
        owed = clock.owed_decisions(file)
        if terms is None or not terms.acts or not owed:
            return []
        if len(clock.overdue_decisions(file, self.now, grace=True)) < len(owed):
            return []
        if self._unanswered(file.asked_ids(), owed):
            return []
        check_room(file, MAX_SIZE_FOR_ANSWERS, "answer")
        late = {}
        for decision in owed:
            play = self.session.late_play(decision)
            late[decision] = play, chain.Late(file.due[decision], self.now).line
        self._take_effect(file.asked_ids(), late)
        self.changed = True
        return [(decision, play) for decision, (play, _) in late.items()]
