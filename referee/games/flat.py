"""The edge that games on a flat core share: the core knows numbers, the edge names and letters."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Generic, Protocol, Self, TypeVar

from referee.games.errors import Ambiguous, GameError, Illegal, Incomplete, NotUnderstood
from referee.games.interface import Follower, Game, Narrator, Rules, View
from referee.games.values import (
    MAX_LISTED_PLAYS,
    Choice,
    Decision,
    Drawn,
    Event,
    Held,
    Opened,
    Phrase,
    Picked,
    PublicEvent,
    Said,
    Shown,
    Shuffled,
    Taken,
    letter,
)
from referee.records import NamedTuple

Action = tuple[Any, ...]
"""An answer as the core takes it."""


LONGEST = 120
"""No play of any game has more tokens."""
READINGS = 64
"""A text that can be read in more ways than that is not looked into."""
HOW = "name the cards by letter"
BY_HAND = "name a card in full, by its first letters, or by its letter in your hand"
BY_PLOT = "name a plot by its number or its building"
"""Hints on how cards in a hand and in a city are named."""
FEW = 8
"""The most readings that are listed, and the most completions of one beside other readings."""


def unshuffled(pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
    """Leave cards in their order, where nobody knows the true one; see Shuffle."""
    return cards


def check_known(title: str, what: str, names: Sequence[str], known: Sequence[str]) -> None:
    """Raise NotUnderstood if a game has no such edition, expansion, variant or option."""
    for name in names:
        if name not in known:
            have = ", ".join(known) or "none"
            raise NotUnderstood(f"{title} has no {what} {str(name)[:40]!r}", f"{what}s: {have}")


class Token(NamedTuple):
    """A piece of text between blanks, which may be a word of a play, a name, or either.

    With `joins` it may go on the name before it: gold mine.
    """

    text: str
    word: bool
    name: bool
    joins: bool = False


class Clause(NamedTuple):
    """A word of a play and the names that follow it, read in one way."""

    word: str
    names: tuple[str, ...] = ()


Reading = tuple[Clause, ...]


def tokens_of(text: str, given: Sequence[Phrase] = ()) -> list[Token]:
    """Split phrases, whose words and names are known apart, and the text after them into tokens."""
    found: list[Token] = []
    for phrase in given:
        found += [Token(phrase.word, True, False), *_names(phrase.names, False)]
    found += _names(text, True)
    if len(found) > LONGEST:
        raise NotUnderstood("this is too long for a play")
    return found


def _names(text: str, word: bool) -> Iterator[Token]:
    for part in re.split("[,;:]", text.lower()):
        for at, token in enumerate(part.split()):
            yield Token(token, word, True, at > 0)


class Names:
    """The names of a game's cards, as they may stand among tokens."""

    def __init__(self, known: Iterable[str]) -> None:
        self.known = frozenset(known)
        self.longest = 1 + max(name.count("-") for name in self.known)

    def at(
        self, tokens: Sequence[Token], at: int, words: Collection[str]
    ) -> Iterator[tuple[int, str]]:
        """Yield each name that may begin here, with the number of its tokens.

        A name that was written with blanks is put together. What is one of the words is none,
        unless a card is called so.
        """
        for size in range(min(self.longest, len(tokens) - at), 0, -1):
            some = tokens[at : at + size]
            name = joined(some)
            if not (some[0].name and name):
                continue
            if name in self.known or (size == 1 and not (some[0].word and name in words)):
                yield size, name
            # The parts of a name may be names by themselves, each of them the beginning of one.
            if name in self.known and not (
                some[0].word and all(map(self._begins, name.split("-")))
            ):
                return

    def _begins(self, text: str) -> bool:
        return any(name.startswith(text) for name in self.known)


def joined(tokens: Sequence[Token]) -> str:
    """Join tokens to one word that may have been written with blanks; else return ""."""
    together = all(token.joins for token in tokens[1:])
    return "-".join(token.text for token in tokens) if together else ""


Step = tuple[int, Reading]
"""The number of tokens read, and the reading up to there."""


def all_readings(
    tokens: Sequence[Token], steps: Callable[[Reading, int], Iterable[Step]]
) -> tuple[list[Reading], int]:
    """Return every way to read tokens, and the place of the first one that none gets beyond.

    `steps` are the ways in which a reading goes on with the token at a place, the likeliest first,
    and in this order are the readings. Raises Ambiguous where there are too many.
    """
    # Each with the numbers of the steps that led there.
    partial: list[list[tuple[tuple[int, ...], Reading]]] = [[] for _ in range(len(tokens) + 1)]
    partial[0] = [((), ())]
    reached = 0
    for at in range(len(tokens)):
        for path, reading in partial[at]:
            reached = at
            for number, (size, further) in enumerate(steps(reading, at)):
                partial[at + size].append(((*path, number), further))
                if len(partial[at + size]) > READINGS:
                    raise Ambiguous(f"this can be read in more than {READINGS} ways", HOW)
    return list(dict.fromkeys(reading for _, reading in sorted(partial[-1]))), reached


class FlatState(Protocol):
    """The part of a core that is needed here: the actor, all hands, and the log of events."""

    actor: int
    seats: Any
    hand: list[list[int]]
    log: list[Event] | None

    def copy(self) -> Self:
        """Return a state that shares nothing that can change."""


S = TypeVar("S", bound=FlatState)


class FlatView(View, Generic[S]):
    """The view of a seat; `state` holds its own hand, and nothing else that is hidden.

    A subclass says what is asked of the seat, as `decision`.
    """

    def __init__(self, state: S, seat: str, hand: Sequence[Held]) -> None:
        self.state = state
        self.seat = seat
        self.hand = tuple(hand)
        self.index: int = state.seats.index(seat)
        self.letters = [card.letter for card in hand]
        self.decision: Decision | None = None

    @abstractmethod
    def _readings(self, tokens: Sequence[Token]) -> list[Reading]:
        """Return every way to read tokens; raises NotUnderstood where there is none."""

    @abstractmethod
    def _read(self, reading: Reading) -> Action:
        """Return the action that a reading means, as far as it can be completed."""

    @abstractmethod
    def _exact(self, action: Action) -> Choice:
        """Return a legal action as a choice that says what its letters stand for."""

    @abstractmethod
    def _parse(self, play: str) -> Action:
        """Return the action of a canonical play; raises NotUnderstood or Illegal."""

    @abstractmethod
    def _render(self, action: Action) -> str:
        """Return the canonical play of an action."""

    @abstractmethod
    def _refuse(self, action: Action) -> str:
        """Return why the action is not legal; "" if it is."""

    @abstractmethod
    def _listing(self) -> list[Choice]:
        """Return the legal answers, grouped where they are many."""

    @abstractmethod
    def _every(self, limit: int) -> Sequence[Action] | None:
        """Return every legal action, or None when there are more than `limit`."""

    @abstractmethod
    def _spent(self, action: Action) -> Sequence[int]:
        """Return the places of the hand cards that an action takes out of the hand."""

    @abstractmethod
    def _greedy(self) -> Action:
        """Return the action of a plain greedy player."""

    def _asked(self) -> None:
        if self.decision is None:
            raise Illegal(f"it is not {self.seat}'s turn")

    def _illegal(self, reason: str) -> Illegal:
        return Illegal(reason, choices=self.choices())

    def _legal(self, action: Action) -> Action:
        reason = self._refuse(action)
        if reason:
            raise self._illegal(reason)
        return action

    def read(self, text: str, given: Sequence[Phrase] = (), alone: bool = False) -> str:
        """Return the canonical, complete, legal play that `text` means after `given`."""
        self._asked()
        if (alone or not given) and self._is_canonical(text):
            return text
        found: dict[str, tuple[Reading, Choice]] = {}
        open_: list[tuple[Reading, Incomplete]] = []
        slips: list[GameError] = []
        for reading in self._ways(text, given, alone):
            try:
                choice = self._exact(self._legal(self._read(reading)))
            except Incomplete as error:
                open_.append((reading, error))
            except Illegal as error:
                slips.append(self._illegal(error.message))
            except NotUnderstood as error:
                slips.append(error)
            else:
                found.setdefault(choice.play, (reading, choice))
        if len(found) + len(open_) > 1:
            raise _ambiguous([*found.values()], open_)
        if found:
            return next(iter(found))
        if open_:
            raise open_[0][1]
        raise next((slip for slip in slips if isinstance(slip, Illegal)), slips[0])

    def _ways(self, text: str, given: Sequence[Phrase], alone: bool) -> list[Reading]:
        found: dict[Reading, None] = {}
        slip: NotUnderstood | None = None
        for begun in (given, ()) if alone and given else (given,):
            try:
                found |= dict.fromkeys(self._readings(tokens_of(text, begun)))
            except NotUnderstood as error:
                slip = slip or error
        if slip is not None and not found:
            raise slip
        return list(found)

    def _is_canonical(self, text: str) -> bool:
        try:
            return not self._refuse(self._parse(text))
        except GameError:
            return False

    def check(self, play: str) -> None:
        """Raise NotUnderstood unless `play` is canonical, Illegal unless it is legal."""
        self._asked()
        try:
            action = self._parse(play)
        except Illegal as error:
            raise self._illegal(error.message) from error
        self._legal(action)

    def choices(self) -> list[Choice]:
        """Return the legal answers, grouped where they are many (this card, at this price)."""
        return [] if self.decision is None else self._listing()

    def plays(self, limit: int = 50) -> list[str] | None:
        """Return every legal play, or None when there are more than `limit`."""
        if self.decision is None:
            return []
        found = self._every(limit)
        return None if found is None else [self._render(action) for action in found]

    def spends(self, play: str) -> list[str]:
        """Return the letters of the hand cards that a legal play takes out of the hand."""
        return [self.letters[place] for place in self._spent(self._parse(play))]

    def play_of(self, action: Action) -> str:
        """Return the canonical play of an action, whether that is legal or not."""
        return self._render(action)

    def action_of(self, play: str) -> Action:
        """Return the action of a canonical play. Raises NotUnderstood or Illegal."""
        return self._parse(play)

    def suggest(self) -> str:
        """Return a legal play that a plain greedy player would make, the same one each time."""
        self._asked()
        return self._render(self._greedy())


def _ambiguous(
    found: Sequence[tuple[Reading, Choice]], open_: Sequence[tuple[Reading, Incomplete]]
) -> Ambiguous:
    """Return the error for a text with several readings: each of them, and where it leads."""
    ways = [reading for reading, _ in (*found, *open_)]
    rows = {choice.play: choice for _, choice in found}
    for _, error in open_:
        if len(error.choices) <= FEW:
            rows |= {choice.play: choice for choice in error.choices}
    more = ["…"] if len(ways) > FEW else []
    told = " | ".join([*map(_spelled, ways[:FEW]), *more])
    return Ambiguous(
        f"this can be read in {len(ways)} ways: {told}",
        HOW,
        list(rows.values())[:MAX_LISTED_PLAYS],
    )


def _spelled(reading: Reading) -> str:
    """Return a reading with commas between names and semicolons between words."""
    return "; ".join(f"{word} {', '.join(names)}".strip() for word, names in reading)


class FlatGame(Game, Generic[S]):
    """A game; `state` is the flat core, `opened` what happened before the first decision."""

    def __init__(self, rules: Rules, state: S, opened: Sequence[Event] = ()) -> None:
        self.rules = rules
        self.state = state
        self.opened = list(opened)

    @abstractmethod
    def _id(self, seat: int) -> str:
        """Return the id of the open decision of a seat."""

    @abstractmethod
    def _decision(self, seat: int) -> Decision:
        """Return the open decision of a seat."""

    @abstractmethod
    def _waiting(self) -> list[int]:
        """Return the seats that are asked, in the order in which their answers take effect."""

    def decisions(self) -> list[Decision]:
        """Return the open decisions, in the order in which they will take effect."""
        return [self._decision(seat) for seat in self._waiting()]

    def copy(self) -> Self:
        """Return an independent copy that shares nothing mutable but the shuffle."""
        return type(self)(self.rules, self.state.copy(), self.opened)

    def asked(self) -> list[str]:
        """Return the ids of the open decisions, in the same order."""
        return [self._id(seat) for seat in self._waiting()]

    @abstractmethod
    def _parse(self, seat: int, play: str, letters: Sequence[str]) -> Action:
        """Return the action of a canonical play; raises NotUnderstood or Illegal."""

    @abstractmethod
    def _refuse(self, seat: int, action: Action) -> str:
        """Return why the action is not legal; "" if it is."""

    @abstractmethod
    def _apply(self, action: Action) -> None:
        """Let the actor's legal action take effect."""

    def take(self, decision: str, play: str, letters: Sequence[str]) -> list[Event]:
        """Play the first open decision; an error changes nothing (NotUnderstood, Illegal)."""
        if self.over:
            raise Illegal("the game is over")
        st = self.state
        seat = st.actor
        if decision != self._id(seat):
            raise Illegal(f"{decision} is not the next decision")
        if len(letters) != len(st.hand[seat]):
            raise NotUnderstood("the letters do not match the hand")
        action = self._parse(seat, play, letters)
        reason = self._refuse(seat, action)
        if reason:
            raise Illegal(reason)
        log: list[Event] = []
        st.log = log
        self._apply(action)
        st.log = None
        return log

    def hand(self, seat: str) -> list[int]:
        """Return a seat's cards in the order in which they were dealt, freshly drawn ones last."""
        return self.state.hand[self.state.seats.index(seat)][:]


class FlatNarrator(Narrator):
    """A narrator that knows what stands on which plot, from the table or the lines before.

    `city` has the name of a building by (seat, plot).
    """

    def __init__(self, table: Mapping[str, Any] | None) -> None:
        self.city: dict[tuple[str, str], str] = {}
        for row in table["seats"] if table else ():
            for building in row["city"]:
                self.city[row["name"], str(building["plot"])] = building["card"]


@cache
def _letters(count: int) -> tuple[str, ...]:
    return tuple([letter(index) for index in range(count)])


Place = tuple[str, int, int]
"""Pile, epoch and position of a card."""


class FlatFollower(Follower, Generic[S]):
    """A follower of a game on a flat core, whose cards mean nothing until they are shown.

    A subclass starts `game` with `self.shuffle`, and then calls `self.begin`.
    """

    game: FlatGame[S]

    def __init__(self, opened: Sequence[Opened]) -> None:
        self._opened: dict[tuple[str, int], dict[int, str]] = {}
        for card in opened:
            self._opened.setdefault((card.pile, card.epoch), {}).setdefault(
                card.position, card.name
            )
        self._places: dict[tuple[str, int], Place] = {}
        self._coming: list[Opened] = []
        self._begun = False
        self._public: list[PublicEvent] = []
        self._published = 0

    @abstractmethod
    def _order(self, pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        """Return the cards of a pile, those that are shown later on in their places.

        Raises Illegal when these cards cannot lie there.
        """

    @abstractmethod
    def _reveal(self, words: Sequence[str], letters: Sequence[str], said: Sequence[str]) -> None:
        """Put the cards that an answer shows into the hand of the seat that gives it.

        `words` are those of the play, and no letter that is named stands before one that is not.
        Raises Illegal when these cards cannot have been there.
        """

    @abstractmethod
    def _shown(self, pile: str, card: int) -> Opened:
        """Return a card that comes to light; raises Illegal when that cannot be this one."""

    def _drawn(self, event: Drawn) -> None:
        """Note that cards have left a pile."""

    def _taken(self, card: int) -> None:
        """Note that an open card went into a hand, where nobody knows what becomes of it."""

    def shuffle(self, pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        """Put cards in an order that nobody knows but for those that are shown; see Shuffle."""
        if self._begun and self.game.state.log is not None:
            # What was shown before may be among the cards that are shuffled now.
            self._publish(self.game.state.log)
        order = self._order(pile, epoch, cards)
        for position, card in enumerate(order):
            self._places[pile, card] = (pile, epoch, position)
        return order

    def begin(self, game: FlatGame[S], events: Sequence[Event]) -> None:
        """Follow this game, which has just been dealt."""
        self.game = game
        self._begun = True
        self._publish(events)
        self.dealt = self._public

    def known(self, pile: str, epoch: int, size: int) -> dict[int, str]:
        """Return the cards of a pile that are shown now or later, by position.

        Raises Illegal where one lies below the last.
        """
        known = self._opened.get((pile, epoch), {})
        if known and max(known) >= size:
            raise Illegal(f"the pile {pile} has {size} cards, and none at {max(known)}")
        return known

    def place(self, pile: str, card: int) -> Place:
        """Return the place at which a card lay in its pile."""
        return self._places[pile, card]

    def answer(
        self, decision: str, play: str, said: Sequence[str], opened: Sequence[Opened]
    ) -> list[PublicEvent]:
        """Let the first open decision be answered; see Follower."""
        self._public, self._published = [], 0
        self._coming = list(reversed(opened))
        st = self.game.state
        count = len(st.hand[st.actor])
        # Whoever names a letter knows which card it is. Here the last ones are named, for at times
        # none may be named but those that were drawn just now.
        words = play.split(" ")
        letters = sorted(_letters(count), key=words.__contains__)
        if not self.game.over:
            self._reveal(words, letters, said)
        self._publish(self.game.take(decision, play, letters))
        return self._public

    def _publish(self, events: Sequence[Event]) -> None:
        """Make the events public that have not been told yet."""
        for event in events[self._published :]:
            match event:
                case Said() | Shuffled():
                    self._public.append(event)
                case Drawn():
                    self._public.append(event)
                    self._drawn(event)
                case Shown(pile, card):
                    self._public.append(self._shown(pile, card))
                case Taken(who, pile, card):
                    self._public.append(Picked(who, *self.place(pile, card)))
                    self._taken(card)
        self._published = len(events)


def letter_order(text: str) -> tuple[int, str]:
    """Return a sort key: letters ascend by length, then by alphabet."""
    return len(text), text


def shortened(word: str) -> str:
    """Shorten a word so that a message may repeat it."""
    return word if len(word) <= 40 else word[:40] + "…"
