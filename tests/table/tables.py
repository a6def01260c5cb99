"""Whole games in memory, for tests: worthless keys, real notes, real files."""

from __future__ import annotations

import copyreg
import hashlib
import pickle
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import tomli_w

from referee.crypto.keys import PrivateKey, PublicKey
from referee.games import rules_of
from referee.games.interface import Rules, View
from referee.notes.finding import find
from referee.notes.kinds import Move
from referee.notes.plantext import sealed_with
from referee.playing import player
from referee.refereeing.judging import THINKING, Judge, Verdict
from referee.table import opening, views
from referee.table.clock import owed_decisions, stamp_due_times
from referee.table.decisions import DecisionId
from referee.table.filetext import parse
from referee.table.gamefile import FIRST_LINE, GameFile
from referee.table.planreplay import plan_language, texts_of
from referee.table.replay import Session
from referee.table.rules import rules_for
from referee.table.signing import check_chain, check_signature, signed_text
from referee.table.times import Clock, parse_time

NAMES = ("ana", "ben", "carl", "dora", "emil", "fay")
Chooser = Callable[[View], str]


def suggest(view: View) -> str:
    return view.suggest()


def key_of(name: str) -> PrivateKey:
    """The worthless key of a name, the same each time."""
    return PrivateKey(hashlib.sha256(b"worthless " + name.encode()).digest())


REFEREE = key_of("referee")
NOON = parse_time("2026-03-01T12:00:00Z")


SEALED: dict[bytes, list[str]] = {}


class Table:
    """A game between worthless keys. `text` is the newest game file, `texts` all there were."""

    def __init__(
        self,
        seats: int = 4,
        seed: str = "1",
        shuffle_seats: bool = False,
        rules: Rules | None = None,
        clock: Clock | None = None,
        me: str | None = None,
        me_key: PrivateKey = REFEREE,
        plans: bool = False,
        ahead: int = 0,
        bots: Mapping[str, str] | None = None,
        backups: Sequence[PrivateKey] = (),
    ) -> None:
        rules = rules or rules_of("sanjuan").choose(None, [], [], {})
        digest = hashlib.sha256(seed.encode()).digest()
        file = opening.open_table(
            rules,
            "A test",
            [(name, None) for name in NAMES[:seats]],
            REFEREE,
            game=digest[:8].hex(),
            secret=digest,
            shuffle_seats=shuffle_seats,
            me=(me, me_key) if me else None,
            clock=clock,
            now=NOON,
            plans=plans,
            ahead=ahead,
            bots=bots or {},
            backups=[key.public.text for key in backups],
        )
        # Sealed at random, but one game has one sealed secret.
        to = b"".join([key.public.text.encode() for key in backups])
        file.secret = SEALED.setdefault(digest + to, file.secret)
        self.now = NOON
        self.texts: list[str] = []
        self.notes: list[str] = []
        self._sign(file)

    def _sign(self, file: GameFile) -> None:
        self.text = signed_text(file, REFEREE)
        self.texts.append(self.text)
        # To read each file of a game takes as long as to play it.
        file.size = len(self.text.encode())
        self._signed = self.text, pickle.dumps(file)

    @property
    def file(self) -> GameFile:
        """The newest file, as its readers get it, each time another copy."""
        text, signed = self._signed
        file: GameFile = pickle.loads(signed) if text == self.text else load(self.text)
        return file

    def apply(self, *notes: str, thinking: float = THINKING) -> list[Verdict]:
        """Do what `apply` does, files aside."""
        file = self.file
        secret = opening.deal_secret(file, REFEREE)
        session = Session.replay(file, secret, texts_of(file, REFEREE))
        judge = Judge(session, REFEREE, self.now, thinking)
        verdicts = judge.apply([("note", found) for note in notes for found in find(note)])
        if judge.changed:
            self._write(session)
            self.notes += notes
        return verdicts

    def expire(self) -> list[tuple[str, str]]:
        """Do what `expire` does, files aside."""
        file = self.file
        session = Session.replay(file, opening.deal_secret(file, REFEREE), texts_of(file, REFEREE))
        answered = Judge(session, REFEREE, self.now).expire()
        if answered:
            self._write(session)
        return answered

    def _write(self, session: Session) -> None:
        session.refresh()
        stamp_due_times(session.file, self.now)
        self._sign(session.file)

    def join_all(self) -> Table:
        file = self.file
        missing = [seat.name for seat in file.seats if seat.is_free]
        joins = [opening.sign_join(file, name, key_of(name)).armoured for name in missing]
        assert not any(verdict.error for verdict in self.apply(*joins))
        return self

    def view(self, seat: str) -> View:
        """Return what the seat's own machine makes of the file."""
        file = self.file
        mine = player.my_seat(file, key_of(seat).public)
        return views.view_of(file, views.open_hand(file, mine, key_of(seat)))

    def note(self, decision: str, play: str, number: int = 1) -> str:
        file = self.file
        name = DecisionId.parse(decision).seat
        sealed = player.is_parallel(file, decision)
        return player.move_text(file, key_of(name), decision, play, sealed, number)

    def plan(self, name: str, *clauses: str, number: int = 0, by: str = "") -> str:
        """A plan of a seat, as it is sent."""
        file = self.file
        seat = file.seat(name)
        assert seat is not None
        language = plan_language(file, rules_for(file))
        said = language.read(clauses) if language is not None else clauses
        signed, text = player.sign_plan(file, seat, key_of(by or name), said, number)
        return sealed_with(signed, text, file.referee)

    def answer(self, decision: str, choose: Chooser = suggest) -> list[Verdict]:
        """One seat answers its open decision."""
        view = self.view(DecisionId.parse(decision).seat)
        return self.apply(self.note(decision, choose(view)))

    def play(self, until: Callable[[GameFile], bool], choose: Chooser = suggest) -> Table:
        """Let everybody answer, one note at a time, until the file is as wanted or over."""
        while not until(file := self.file) and (owed := owed_decisions(file)):
            verdicts = self.answer(owed[0], choose)
            assert [verdict.error for verdict in verdicts] == [None], verdicts[0].error
        return self

    def play_out(self, choose: Chooser = suggest) -> Table:
        return self.play(lambda file: False, choose)

    def rush(self, choose: Chooser = suggest, until: int = 10**6) -> Table:
        """Play to the end, or some steps far, without writing the files in between."""
        file = self.file
        session = Session.replay(file, opening.deal_secret(file, REFEREE), texts_of(file, REFEREE))
        while (batch := session.decisions()) and file.step < until:
            seen, head = file.step, session.head.hex()
            moves = []
            for one in batch:
                move = Move(file.game, one.id, seen, head, choose(session.view(one.seat)))
                moves.append((one, move, move.sign(key_of(one.seat))))
            for one, move, signature in moves:
                session.accept(one.id, one.seat, move.play, seen, signature)
        self._write(session)
        return self


def load(text: str) -> GameFile:
    """A game file whose signature and chain hold, each time another copy."""
    file: GameFile = pickle.loads(_loaded(text))
    return file


@lru_cache(256)
def _loaded(text: str) -> bytes:
    file, covered = parse(text.encode())
    check_signature(file, covered)
    check_chain(file)
    return pickle.dumps(file)


def _pickled(key: PublicKey) -> tuple[type[PublicKey], tuple[bytes]]:
    return PublicKey, (key.raw,)


copyreg.pickle(PublicKey, _pickled)


def laid_out(document: Mapping[str, Any]) -> str:
    """The text of a game file's values, whatever these are, in the layout that files have."""
    return f"{FIRST_LINE}\n{tomli_w.dumps(document, multiline_strings=True)}"


def seats_of(file: GameFile) -> Sequence[str]:
    return [seat.name for seat in file.seats]
