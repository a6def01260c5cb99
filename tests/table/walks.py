"""Honest games in which everything happens: late answers, vacations, seats that leave or move on.

Every file that the referee wrote is kept, so that a test can hold each against all later ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta

from referee.crypto.keys import PrivateKey
from referee.crypto.sealing import AgeIdentity
from referee.games.interface import Rules, View
from referee.notes.kinds import Leave, Vacation, Vote
from referee.playing import player
from referee.table import opening, views
from referee.table.decisions import DecisionId
from referee.table.gamefile import GameFile
from referee.table.hands import Hand
from referee.table.times import Clock
from tests.table.tables import REFEREE, Table, key_of

TERMS = Clock(3, "bot", 1, 28)
# Bech32 of 32 bytes of zero, worthless like all keys here.
IDENTITY = AgeIdentity("AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ8H00W3")


class Walk:
    """A game that goes on at random, with a clock unless `clock` says otherwise."""

    def __init__(
        self,
        seed: str,
        seats: int = 3,
        rules: Rules | None = None,
        clock: Clock | None = TERMS,
        *,
        leaving: bool = False,
    ) -> None:
        self._leaving = leaving
        self.rng = random.Random(seed)
        self.table = Table(seats, seed, rules=rules, clock=clock)
        self.keys = {seat.name: key_of(seat.name) for seat in self.table.file.seats}
        self._made = 0
        self._join()

    @property
    def file(self) -> GameFile:
        """The newest file."""
        return self.table.file

    def _join(self) -> None:
        names = list(self.keys)
        self.rng.shuffle(names)
        for name in names:
            self._wait(20)
            seal = self.rng.choice(["", IDENTITY.recipient])
            note = opening.sign_join(self.file, name, key_of(name), seal).armoured
            assert self.table.apply(note)[0].error is None

    def go(self, steps: int) -> Walk:
        """Go on for so many steps of the log, or to the end of the game."""
        while self.file.status == "playing" and self.file.step < steps:
            self._wait(60)
            if self.file.clock is not None and self.rng.random() < 0.3:
                self.table.expire()
            self._apply()
        return self

    def _wait(self, hours: int) -> None:
        self.table.now += timedelta(seconds=self.rng.randrange(hours * 3600))

    def _apply(self) -> None:
        """Some notes at once, in any order, some of them old ones."""
        file, rng = self.file, self.rng
        if file.status != "playing":
            return
        owed = [id_ for id_ in file.asked_ids() if not player.waits(file, id_)]
        notes = [self._answer(id_) for id_ in owed if rng.random() < 0.6]
        made: list[tuple[float, Callable[[], list[str]]]] = [
            (0.15, self._vacation),
            (0.15, self._transfer),
            (0.05, self._seal),
            (0.15, self._signatures),
            *([(0.4, self._stands)] if self._leaving else []),
        ]
        for chance, make in made:
            if rng.random() < chance:
                notes += make()
        notes += rng.sample(self.table.notes, min(2, len(self.table.notes)))
        rng.shuffle(notes)
        self.table.apply(*notes)
        for seat in self.file.seats:
            assert seat.holder is not None
            self.keys[seat.name] = self._secrets()[seat.holder.hex]

    def _secrets(self) -> dict[str, PrivateKey]:
        made = [key_of(f"new {number}") for number in range(self._made)]
        return {key.public.hex: key for key in (REFEREE, *map(key_of, self.keys), *made)}

    def hand(self, file: GameFile, name: str) -> Hand | None:
        """Return what the holder of a seat saw in a file; nothing where there are no hands."""
        seat = file.seat(name)
        if seat is None or seat.holder is None or not file.hands:
            return None
        key = IDENTITY if seat.holder_seal else self._secrets()[seat.holder.hex]
        return views.open_hand(file, seat, key)

    def view(self, name: str) -> View:
        """Return what a seat may know now."""
        hand = self.hand(self.file, name)
        assert hand is not None
        return views.view_of(self.file, hand)

    def _answer(self, decision: str) -> str:
        name = DecisionId.parse(decision).seat
        view = self.view(name)
        plays = view.plays(30)
        play = self.rng.choice(plays) if plays and self.rng.random() < 0.5 else view.suggest()
        sealed = self.rng.random() < 0.5
        return player.move_text(self.file, self.keys[name], decision, play, sealed)

    def _vacation(self) -> list[str]:
        name = self.rng.choice(list(self.keys))
        file, key = self.file, self.keys[name]
        first = self.table.now.date() + timedelta(days=self.rng.randrange(-1, 4))
        last = first + timedelta(days=self.rng.randrange(3))
        note = Vacation(file.game, name, file.step, file.head.hex(), first, last)
        return [note.armoured(key.public, note.sign(key))]

    def _stands(self) -> list[str]:
        """Somebody leaves or is back, votes or not any more; mostly so that the game goes on."""
        file, name = self.file, self.rng.choice(list(self.keys))
        key, play = self.keys[name], self.rng.choice(("leave", "back", "back", "end", "go-on"))
        step, head = file.step, file.head.hex()
        made = Leave if play in Leave.plays else Vote
        note = made(file.game, name, step, head, play)
        return [note.armoured(key.public, note.sign(key))]

    def _signers(self, name: str, new: PrivateKey) -> list[PrivateKey]:
        """Some who can sign that a seat gets a new key, enough of them or not."""
        others = [key for one, key in self.keys.items() if one != name]
        rng = self.rng
        return [key for key in (new, self.keys[name], *others, REFEREE) if rng.random() < 0.5]

    def _signed(self, name: str, signers: list[PrivateKey], new: PrivateKey) -> list[str]:
        seal = self.rng.choice(["", IDENTITY.recipient])
        return [
            player.sign_transfer(self.file, name, key, new.public, seal).armoured for key in signers
        ]

    def _transfer(self) -> list[str]:
        name = self.rng.choice(list(self.keys))
        new = self._new()
        return self._signed(name, [self.keys[name], new], new)

    def _seal(self) -> list[str]:
        name = self.rng.choice(list(self.keys))
        return self._signed(name, [self.keys[name]], self.keys[name])

    def _signatures(self) -> list[str]:
        name = self.rng.choice(list(self.keys))
        old = self.rng.randrange(self._made) if self._made else None
        new = key_of(f"new {old}") if old is not None and self.rng.random() < 0.7 else self._new()
        return self._signed(name, self._signers(name, new), new)

    def _new(self) -> PrivateKey:
        self._made += 1
        return key_of(f"new {self._made - 1}")
