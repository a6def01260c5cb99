"""Shared by the tests of cheats: a referee who forges files, and who finds it out.

Each cheat is the act of somebody who holds the deal secret and the referee's key, re-hashes and
signs whatever follows. `show` is what a player's machine checks on opening a file, `verify` what
anybody can, `compare` needs the honest file from before, `audit` the deal secret.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import NamedTuple

from referee.checking.audit import audit
from referee.checking.compare import compare
from referee.checking.verify import verify
from referee.crypto.sealing import pad, seal
from referee.games import rules_of
from referee.games.errors import GameError
from referee.games.interface import View
from referee.playing import player
from referee.table import chain, hands, opening, views
from referee.table.dealing import hand_commitment
from referee.table.decisions import DecisionId
from referee.table.gamefile import Entry, GameFile, HandBlock, Pile, Seat
from referee.table.rebuild import check_table
from referee.table.replay import Session
from referee.table.signing import signed_text
from tests.once import once
from tests.table.tables import REFEREE, Table, key_of, load

Moment = Callable[[GameFile], bool]
Cheat = Callable[["Cheater"], None]


class Stage(NamedTuple):
    """A whole honest game, and what differs from game to game in a cheat that any game knows."""

    table: Callable[[], Table]
    moments: Mapping[str, Moment]
    """The moment to cheat: `alone`, one seat is asked; `in_batch`, several; and so on."""
    names: tuple[str, str]
    """Two cards."""
    plays: tuple[str, str]
    """Two plays, one of which is another than the right one."""
    waiting: tuple[str, str]
    """Two answers to a question to several seats, likewise."""
    illegal: Callable[[Cheater], str]
    """A play that is understood, but illegal where one seat is asked."""
    options: Mapping[str, str]
    """Other options."""

    def other(self, right: str, *of: str) -> str:
        """The first of these that is not right."""
        return next(one for one in of if one != right)

    def cut(self, steps: int) -> GameFile:
        """The first honest file with so many steps."""
        texts = self.table().texts
        return next(load(text) for text in texts if f"\nstep = {steps}\n" in text)


class Cheater:
    """The referee at one moment of the game: `file` is what will be signed.

    `honest` is what should be, `before` the honest file that everybody has.
    """

    def __init__(self, stage: Stage, when: str) -> None:
        self.stage = stage
        texts = stage.table().texts
        at = next(index for index, text in enumerate(texts) if stage.moments[when](load(text)))
        self.file, self.honest = load(texts[at]), load(texts[at])
        self.before = load(texts[at - 1])
        self.victim, self.other = [*rich(self.file), "ana", "ben"][:2]
        self.secret = opening.deal_secret(self.file, REFEREE)
        self.session = Session.replay(load(texts[at]), self.secret)
        self.key = REFEREE

    @property
    def last(self) -> Entry:
        return self.file.log[-1]

    def line(self, start: str) -> tuple[Entry, int]:
        """The last public line that begins so."""
        for entry in reversed(self.file.log):
            for index, text in enumerate(entry.then):
                if text.startswith(start):
                    return entry, index
        raise AssertionError(start)

    def change_line(self, start: str, change: Callable[[list[str]], list[str]]) -> None:
        entry, index = self.line(start)
        then = list(entry.then)
        then[index] = " ".join(change(then[index].split(" ")))
        entry.then = tuple(then)

    def show_hand(self, seat: str, change: Callable[[hands.Hand], hands.Hand]) -> None:
        """Seal another hand to a seat, and commit to it."""
        hand = change(self.session.hand(seat, self.file.step))
        text = pad(hands.render_hand(self.file.game, hand))
        commitment = hand_commitment(self.file.game, hand.step, hand.seat, hand.salt, text)
        sealed = seal(text, [key_of(seat).public.text])
        self.file.hands[seat] = HandBlock(sealed, commitment)

    @property
    def deck(self) -> Pile:
        """The newest leaves of the draw pile."""
        return [pile for pile in self.file.piles if pile.pile == "deck"][-1]

    def card_at(self, pile: str, epoch: int, position: int, label: str = "a") -> hands.Card:
        """The true card at a position of a pile, with its true proof."""
        dealer = self.session.dealer
        names = next(names for name, at, names in dealer.piles if (name, at) == (pile, epoch))
        salt = dealer.salt(pile, epoch, position)
        return hands.Card(label, names[position], pile, epoch, position, salt)

    def unseen(self, label: str = "a") -> hands.Card:
        """The card at the bottom of the draw pile, which nobody has seen yet."""
        return self.card_at("deck", self.deck.epoch, len(self.deck.leaves) - 1, label)

    def bind_leaves(self) -> None:
        """Forge the line that binds the leaves of the draw pile."""
        pile = self.deck
        bound = chain.leaves_hash(pile.leaves)
        line = chain.Shuffling("deck", pile.epoch, len(pile.leaves), bound).line
        self.change_line(f"shuffle deck {pile.epoch} ", lambda words: line.split(" "))

    def turn_letters(self, seat: str) -> None:
        """Exchange the letters of a hand."""

        def turned(hand: hands.Hand) -> hands.Hand:
            labels = [card.label for card in hand.cards]
            pairs = zip(hand.cards, labels[1:] + labels[:1], strict=True)
            return hand._replace(cards=tuple(card._replace(label=one) for card, one in pairs))

        self.show_hand(seat, turned)

    def new_root(self) -> None:
        commitments = [self.file.hands[name].commitment for name in self.file.seating]
        self.last.root = chain.step_root(
            self.file.table, self.file.asked, chain.deal_hash(self.file), commitments
        )

    def signed(self) -> str:
        self.file.head = chain.heads(self.file)[-1]
        return signed_text(self.file, self.key)


def rich(file: GameFile) -> list[str]:
    """The seats with two cards or more."""
    return [seat["name"] for seat in file.table["seats"] if seat["hand"] > 1]


class Cheats:
    """Cheats, each with its moment and who finds it first."""

    def __init__(self) -> None:
        self.all: list[tuple[str, str, str, Cheat]] = []

    def __call__(self, when: str, found_by: str, root: bool = True) -> Callable[[Cheat], Cheat]:
        """A cheat at some moment; `root`: the root of the newest step is made to fit."""

        def add(act: Cheat) -> Cheat:
            def whole(cheater: Cheater) -> None:
                act(cheater)
                if root:
                    cheater.new_root()

            self.all.append((act.__name__, when, found_by, whole))
            return act

        return add


def drawn_last(file: GameFile) -> bool:
    """The last thing that left a pile went into a hand."""
    lines = [line for line in file.log[-1].then if line.startswith("draw ")] if file.log else []
    return bool(lines) and not lines[-1].startswith("draw table")


def batch_over(file: GameFile) -> bool:
    """The last two answers were given at the same time, and all are in."""
    return len(file.asked) == 1 and file.log[-2].seen == file.log[-1].seen


def later_than(step: int, moment: Moment) -> Moment:
    """A moment, but not too early in the game."""
    return lambda file: file.step > step and moment(file)


def says(start: str) -> Moment:
    """The last play has caused a public line that begins so."""
    return lambda file: any(line.startswith(start) for line in file.log[-1].then)


def common_moments(calm: int, batch: int, alone: Moment) -> dict[str, Moment]:
    """The moments that every game has; not before the steps `calm` or `batch`."""
    return {
        "alone": later_than(
            calm,
            lambda file: (
                len(file.asked) == 1
                and alone(file)
                and len(rich(file)) > 1
                and file.asked[0].seat in rich(file)
            ),
        ),
        "drawn_now": later_than(calm, drawn_last),
        "in_batch": later_than(
            batch, lambda file: len(file.asked) > 1 and file.asked[0].seat in rich(file)
        ),
        "one_waits": later_than(batch, lambda file: len(file.asked) > 2 and len(file.pending) == 1),
        "two_wait": later_than(batch, lambda file: len(file.pending) == 2),
        "after_batch": later_than(batch, batch_over),
        "reshuffled": later_than(0, says("shuffle deck 1")),
        "at_end": lambda file: file.status == "finished",
        "just_dealt": lambda file: file.step == 1,
    }


def found_by(cheater: Cheater, text: str) -> tuple[str, str]:
    """The first command that notices, and what it says."""
    try:
        file = load(text)
    except GameError as error:
        return "show", error.message
    heads = chain.heads(file)
    public = refusal(lambda: check_table(file))
    plain = refusal(lambda: verify(file, heads))
    # Whatever anybody's machine finds on opening a file, `verify` finds too.
    assert plain or not public
    own = [refusal(functools.partial(_opened, file, seat)) for seat in file.seats]
    compared = [
        functools.partial(_compared, cheater.before, file, seat) for seat in (None, *file.seats)
    ]
    for command, message in (
        ("show", public),
        *(("show", one) for one in own),
        ("verify", plain),
        *(("compare", "" if plain else refusal(look)) for look in compared),
        ("audit", refusal(lambda: audit(file, heads, cheater.secret))),
    ):
        if message:
            return command, message
    return "nothing", ""


def refusal(look: Callable[[], object]) -> str:
    """Return what somebody says who refuses a file; nothing where it is found right."""
    try:
        look()
    except GameError as error:
        return error.message
    return ""


def _opened(file: GameFile, seat: Seat) -> View:
    return views.view_of(file, _hand(file, seat))


def _hand(file: GameFile, seat: Seat) -> hands.Hand:
    mine = player.my_seat(file, key_of(seat.name).public)
    return views.open_hand(file, mine, key_of(seat.name))


def _compared(old: GameFile, new: GameFile, seat: Seat | None) -> None:
    """Compare two files as anybody can, or as somebody who sits there does."""
    own = {file.step: _hand(file, seat) for file in (old, new)} if seat and old.log else {}
    compare(old, chain.heads(old), new, chain.heads(new), own)


def check(stage: Stage, when: str, act: Cheat, by: str) -> None:
    """A cheat at some moment of a game is found by this command first."""
    cheater = Cheater(stage, when)
    act(cheater)
    found, message = found_by(cheater, cheater.signed())
    assert found == by, message


@once
def _sanjuan() -> Table:
    return Table(4, seed="cheats").join_all().play_out()


@once
def _xanadu() -> Table:
    rules = rules_of("xanadu").choose(None, [], [], {})
    return Table(3, seed="cheats", rules=rules).join_all().play_out(_sell_out)


def _sell_out(view: View) -> str:
    """At first all sell what they began with, so that everybody begins anew within a turn."""
    assert view.decision is not None
    asked = DecisionId.parse(view.decision.id)[:3]
    if asked == (1, 1, "turn"):
        return "pass"
    selling = ((1, 2, "turn"), (1, 3, "turn"), (2, 1, "turn"))
    return "sell 1" if asked in selling else view.suggest()


def places(file: GameFile, seat: str) -> list[tuple[str, int]]:
    """The buildings in which a seat has workers in Xanadu, each with its plot."""
    return [
        (row["name"], entry["plot"])
        for row in file.table.get("seats", ())
        for entry in row["city"]
        if seat in entry["workers"]
    ]


def _role_taken(c: Cheater) -> str:
    return next(e.play for e in reversed(c.file.log) if DecisionId.parse(e.decision).kind == "role")


def _says_chapel(file: GameFile, before: int) -> bool:
    """Somebody put a card under a chapel, some steps ago."""
    return any(line.startswith("chapel ") for line in file.log[-1 - before].then)


SANJUAN = Stage(
    _sanjuan,
    {
        **common_moments(40, 40, lambda file: ".role." in file.asked_ids()[0]),
        "tile_turned": later_than(40, says("open tiles")),
        "after_a_chapel": later_than(100, lambda file: _says_chapel(file, 2)),
    },
    names=("palace", "hero"),
    plays=("pass", "build palace"),
    waiting=("pass", "sell 1"),
    illegal=_role_taken,
    options={"round_limit": "7"},
)
XANADU = Stage(
    _xanadu,
    {
        **common_moments(16, 6, lambda file: ".turn." in file.asked_ids()[0]),
        "emptied": later_than(0, says("reset")),
        "worker_shown": later_than(16, says("open deck")),
        "worker_placed": later_than(16, says("work ")),
        "works_twice": lambda file: any(len(places(file, name)) > 1 for name in file.seating),
        "sold": later_than(16, says("sell ")),
        "full": later_than(16, says("full ")),
        "end_buried": later_than(16, says("shuffle end ")),
    },
    names=("barracks", "meeting-room"),
    plays=("pass", "sell 1"),
    waiting=("open a", "open b"),
    illegal=lambda c: "sell 99",
    options={"passes": "2", "stall_guard": "off"},
)
STAGES = {"sanjuan": SANJUAN, "xanadu": XANADU}
