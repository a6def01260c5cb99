"""Recorded games: every play, what it caused, and what each seat then saw, as a readable text.

    python -m tests.games.GAME.golden            writes what the recorded games look like now
    python -m tests.games.GAME.golden --anew     records other games

A recording is not written again where the same plays lead elsewhere under the same version of the
rules: see RAISE. What each means is pinned in `golden/pins.toml`, by version and name.

A recording holds the order of every shuffled pile, so it depends on no generator of random numbers
and on no bot. After each play it tells, of the public table and of every seat's own cards, only
what has changed, so that a changed rule or a leak is a small diff. Of each kind of decision the
first ones show what the seat is told that it may play, and some rounds the table as people read it.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from referee.games.board import Board
from referee.games.errors import GameError
from referee.games.interface import Rules, View
from referee.games.values import Decision, Drawn, Event, Held, Said, Shown, Shuffled, Taken
from referee.games.values import letter as letter_of
from referee.table.decisions import DecisionId

SEATS = ("ana", "ben", "cleo", "dan", "eve", "fay")

Order = Callable[[str, int, Sequence[str]], Sequence[str]]
"""The order of a pile of so many names."""


RAISE = """\
the game recorded as {name!r} goes on otherwise under version {version} of the rules of {module}.

Games that people play were begun under that version, and would now be called forged. If a ruling
has changed, or a word or a number that a game file has:
 1. raise `version` in the rules module, and keep the old version beside it in VERSIONS, playing as
    it did, for as long as its games are to be played and audited;
 2. leave this recording as it is, and record games under the new version, by names of their own;
 3. say what has changed in referee/CHANGES.md.
If the change was no ruling but a mistake of today, undo it."""


class Recorded(NamedTuple):
    """The terms of a recorded game: the words that choose its rule set, how many seats, the seed.

    `version` is that of the rules.
    """

    rules: str
    seats: int
    seed: int
    version: int = 1


def meaning(text: str) -> str:
    """The digest of what a recorded game file would have: plays, lines, questions and tables.

    What is only shown to people (the notes of choices, a board) is not part of it.
    """
    facts = [line for line in text.splitlines() if not re.match(r"  [?|] ", line)]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:32]


class Album(NamedTuple):
    """The recorded games of one rules module, and how its recordings are written."""

    folder: Path
    rules_of: Callable[[int, Sequence[str]], Rules]
    """The rule set of a version and the words that choose it."""
    building: Callable[[Mapping[str, Any]], str]
    """The part of an entry of a city that everybody sees."""
    tucked: str
    """The name of a card that only its seat may look at, before its place."""
    games: Mapping[str, Recorded]
    few: int = 50
    """Of how many legal plays at the most one may be played at random in a new game."""

    @property
    def module(self) -> str:
        """The name of the rules module."""
        return self.folder.parent.name

    def path(self, name: str) -> Path:
        """The file of a recorded game."""
        return self.folder / f"{name}.txt"

    @property
    def pins(self) -> dict[str, dict[str, str]]:
        """The hashes that the recorded games had when they were recorded, by version and name."""
        found: dict[str, dict[str, str]] = tomllib.loads((self.folder / "pins.toml").read_text())
        return found

    def texts(self) -> Iterator[str]:
        """The recorded games as they lie there."""
        for name in self.games:
            yield self.path(name).read_text("utf-8")

    def kinds(self) -> set[str]:
        """The kinds of decisions that are answered in any of them."""
        lines = (line for text in self.texts() for line in text.splitlines())
        ids = (line[2:].split(": ")[0] for line in lines if line.startswith("> "))
        return {DecisionId.parse(id_).kind for id_ in ids}

    def replay(self, text: str) -> str:
        """Play the recorded piles and plays, and return the record as it is now."""
        first, second, *rest = text.splitlines()
        piles = {}
        for line in rest:
            if line.startswith("pile "):
                _, pile, epoch, *names = line.split()
                piles[pile, int(epoch)] = names
        _, version, words = first.split(" ", 2)
        recording = Recording(
            self,
            int(version),
            words,
            second.split()[1:],
            lambda pile, epoch, _: piles[pile, epoch],
        )
        for line in rest:
            if line.startswith("> "):
                recording.play(line.partition(": ")[2])
        return recording.text

    def again(self, name: str) -> str:
        """Return what a recorded game gives now; nothing where it cannot be played any more."""
        try:
            return self.replay(self.path(name).read_text("utf-8"))
        except (GameError, LookupError):
            return ""

    def record(self, which: Recorded) -> str:
        """A whole game of the greedy bot, which now and then plays at random."""
        rng = Random(which.seed)
        recording = Recording(
            self,
            which.version,
            which.rules,
            SEATS[: which.seats],
            lambda pile, epoch, names: rng.sample(names, len(names)),
        )
        while not recording.game.over:
            view = recording.view(recording.game.decisions()[0].seat)
            plays = view.plays(self.few)
            recording.play(rng.choice(plays) if plays and rng.random() < 0.3 else view.suggest())
        return recording.text

    def main(self) -> None:
        """Write the files again: the recorded games as they go now, or new games instead."""
        import tomli_w

        self.folder.mkdir(exist_ok=True)
        pins: dict[str, dict[str, str]] = {}
        for name, which in self.games.items():
            path = self.path(name)
            anew = sys.argv[1:] == ["--anew"] or not path.exists()
            text = self.record(which) if anew else self.again(name)
            if not anew and meaning(text) != self.pins[str(which.version)][name]:
                sys.exit(RAISE.format(name=name, version=which.version, module=self.module))
            path.write_text(text, encoding="utf-8")
            pins.setdefault(str(which.version), {})[name] = meaning(text)
        (self.folder / "pins.toml").write_text(tomli_w.dumps(pins))


class Recording:
    """A game that writes down what happens, from the orders of piles and the plays it is given."""

    def __init__(
        self, album: Album, version: int, words: str, seats: Sequence[str], order: Order
    ) -> None:
        self.album = album
        self.rules = album.rules_of(version, words.split())
        self.seats = seats
        self.order = order
        self.seen: dict[str, str] = {}
        self.told_choices: dict[str, int] = {}
        self.told_round = 0
        self.said: list[str] = []
        self.lines = [f"rules {version} {words}", f"seats {' '.join(seats)}"]
        self.game, events = self.rules.start(seats, self.shuffle)
        self.happened(events)

    @property
    def text(self) -> str:
        """All that was written down."""
        return "\n".join(self.lines) + "\n"

    def shuffle(self, pile: str, epoch: int, cards: Sequence[int]) -> list[int]:
        """The cards in the order on record; equal ones are as good as each other."""
        by_name: dict[str, list[int]] = {}
        for card in sorted(cards):
            by_name.setdefault(self.rules.card_name(pile, card), []).append(card)
        names = [name for name in sorted(by_name) for _ in by_name[name]]
        order = self.order(pile, epoch, names)
        assert sorted(order) == names
        self.lines.append(f"pile {pile} {epoch} {' '.join(order)}")
        return [by_name[name].pop() for name in order]

    def view(self, seat: str) -> View:
        """The view of the seat, its letters in deal order."""
        names = [self.rules.card_name("deck", card) for card in self.game.hand(seat)]
        held = [Held(letter_of(at), name) for at, name in enumerate(names)]
        return self.rules.view(self.seats, self.game.table(), seat, held)

    def play(self, play: str) -> None:
        """One answer to the first open decision."""
        decision = self.game.decisions()[0]
        view = self.view(decision.seat)
        view.check(play)
        self.choose(decision, view)
        self.lines.append(f"> {decision.id}: {play}")
        spent = view.spends(play)
        self.lines += [f"  spends {' '.join(spent)}"] if spent else []
        letters = [letter_of(at) for at in range(len(self.game.hand(decision.seat)))]
        self.happened(self.game.take(decision.id, play, letters))

    def choose(self, decision: Decision, view: View) -> None:
        """Write down what the seat is told, the first times that this kind comes up."""
        times = self.told_choices[decision.kind] = self.told_choices.get(decision.kind, 0) + 1
        if times <= 2 or times % 20 == 0:
            for play, note, exact in view.choices():
                self.lines.append(f"  ? {play}{'' if exact else ' …'}{note and f' ({note})'}")

    def happened(self, events: Sequence[Event]) -> None:
        """Write down what everybody was told, and what they see differently now."""
        self.lines += [f"  {self.told(event)}" for event in events]
        self.said += [event.words for event in events if isinstance(event, Said)]
        now = {f"table {key}": fact for key, fact in self.public()}
        for seat in self.seats:
            now |= {f"{seat} sees {key}": fact for key, fact in self.own(seat)}
        for key in (*self.seen, *(key for key in now if key not in self.seen)):
            if now.get(key) != self.seen.get(key):
                self.lines.append(f"    {key}: {now.get(key, '-')}")
        self.seen = now
        table = self.game.table()
        if table["round"] > self.told_round + 3 or self.game.over:
            self.told_round = table["round"]
            self.lines += [
                f"  | {line}" for line in board_lines(self.rules.board(table, self.said))
            ]

    def told(self, event: Event) -> str:
        """An event as everybody is told of it, with cards for positions in the pile."""
        match event:
            case Drawn(who, pile, epoch, first, size):
                return f"draw {who} {pile} {epoch} {first} {size}"
            case Shuffled(pile, epoch, size):
                return f"shuffled {pile} {epoch} {size}"
            case Shown(pile, card):
                return f"open {self.rules.card_name(pile, card)}"
            case Taken(who, pile, card):
                return f"take {who} {self.rules.card_name(pile, card)}"
            case Said(words):
                return words

    def public(self) -> Iterator[tuple[str, str]]:
        """The public table and what is asked, fact by fact."""
        table = self.game.table()
        open_ones = self.game.decisions()
        yield "asked", shown([decision.id for decision in open_ones])
        yield from ((f"{one.seat} may", ", ".join(one.may)) for one in open_ones)
        yield from ((key, shown(value)) for key, value in table.items() if key != "seats")
        for row in table["seats"]:
            for key in row:
                if key not in ("name", "city"):
                    yield f"{row['name']} {key}", shown(row[key])
            for entry in row["city"]:
                yield f"{row['name']} plot {entry['plot']}", self.album.building(entry)

    def own(self, seat: str) -> Iterator[tuple[str, str]]:
        """The lines that the seat alone sees."""
        name = self.rules.card_name
        yield "hand", shown([name("deck", card) for card in self.game.hand(seat)])
        tucked: dict[str, list[str]] = {}
        for place, card in self.game.tucked(seat):
            tucked.setdefault(place, []).append(name("deck", card))
        yield from (
            (f"{self.album.tucked} {place}", shown(names)) for place, names in tucked.items()
        )


def board_lines(board: Board) -> list[str]:
    """A board as text, with all that it says."""
    found = [board.heading]
    for row in board.rows:
        items = [
            f"{one.text}{'' if one.free and row.free else f' ({one.note})'}" for one in row.items
        ]
        items += [f"{one.text}{'' if one.free else ' ()'}" for one in row.facts if one.text]
        found.append(f"{row.label}: {', '.join(items)}")
    for place in board.places:
        said = [one.text for one in place.marks] + [one.text for one in place.facts]
        found.append(f"{place.seat}: {', '.join(filter(None, said))}")
        for one in place.city:
            room = f" {one.tokens} of {one.room} {one.token}" if one.room else ""
            found.append(f"  {one.plot:>2} {one.card} {one.facts}{room} {one.more}".rstrip())
    return found


def shown(value: object) -> str:
    """A public value in a line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(value) or "none" if isinstance(value, list) else str(value)
