"""A game followed from what is public: builds and cards that come to light, and no hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from referee.games.errors import Illegal
from referee.games.flat import FlatFollower, Place
from referee.games.values import Drawn, Event, Opened, Shuffle
from referee.games.xanadu import flow
from referee.games.xanadu.deck import HiddenDeck
from referee.games.xanadu.game import Xanadu
from referee.games.xanadu.state import State


class XanaduFollower(FlatFollower[State]):
    """Follows a game of Xanadu, in which there is one card of each name; `start` deals `cards`.

    `_epoch` is the shuffle from which a card comes next, by its name, and `_open` are the names
    that lie open. `_drawn_at` has who drew the card of a place, and in which step; `_worker` who
    placed a worker, and in which step. `_stock` counts by seat and shuffle what it has drawn and
    what of that has not come to light.
    """

    def __init__(
        self,
        cards: HiddenDeck,
        names: Sequence[str],
        opened: Sequence[Opened],
        start: Callable[[Shuffle], tuple[Xanadu, list[Event]]],
    ) -> None:
        super().__init__(opened)
        self.cards = cards
        self._step = 1
        self._epoch = dict.fromkeys(names, 0)
        self._open: set[str] = set()
        self._drawn_at: dict[Place, tuple[str, int]] = {}
        self._worker: dict[int, tuple[str, int]] = {}
        self._stock: Counter[tuple[str, int]] = Counter()
        self._last = 0
        self.begin(*start(self.shuffle))

    def _order(self, pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        if pile == "deck":
            self._last = epoch
            for name in [self.cards.names[card] for card in cards] if epoch else ():
                self._open.discard(name)
                self._epoch[name] = epoch
            return self.cards.strangers(len(cards))
        # The End card lies below all that was drawn, unless it has come up.
        end = self.cards.end
        known = self.known(pile, epoch, len(cards))
        at = next((at for at, name in known.items() if name == self.cards.names[end]), -1)
        others = [card for card in cards if card != end]
        return [*others, end] if at < 0 else [*others[:at], end, *others[at:]]

    def _drawn(self, event: Drawn) -> None:
        who, pile, epoch, first, size = event
        if who != "table":
            for at in range(first, first + size):
                self._drawn_at[pile, epoch, at] = (who, self._step)
            self._stock[who, self._shuffled(pile, epoch)] += size

    def _shuffled(self, pile: str, epoch: int) -> int:
        """Return the shuffle of the deck from which the cards of a pile come."""
        return epoch if pile == "deck" else self._last

    def _reveal(self, words: Sequence[str], letters: Sequence[str], said: Sequence[str]) -> None:
        self._step += 1
        st = self.game.state
        seat, hand = st.seats[st.actor], st.hand[st.actor]
        named, names = _taken_apart(words)
        used = [letters.index(word) for word in named if word in letters]
        if flow.is_opening(st):
            names, places = _laid(said), used
        else:
            self._worker |= {hand[place]: (seat, self._step) for place in used}
            places = [place for place in range(len(hand)) if place not in used]
        for place, name in zip(places, names, strict=False):
            self._appear(seat, name)
            hand[place] = self.cards.number[name]

    def _appear(self, seat: str, name: str) -> None:
        """Note that a card of this name comes out of what a seat has drawn."""
        if name not in self._epoch:
            raise Illegal(f"there is no card {name!a}")
        if name in self._open:
            raise Illegal(f"{name} lies open already")
        stock = seat, self._epoch[name]
        if not self._stock[stock]:
            raise Illegal(f"{seat} has drawn no card that could be {name}")
        self._stock[stock] -= 1
        self._open.add(name)

    def check_hand(self, seat: str, cards: Sequence[Opened]) -> None:
        """Raise Illegal where a card is in a hand that lies open, or was shuffled since."""
        names = Counter(card.name for card in cards)
        for pile, epoch, _, name in cards:
            if names[name] > 1:
                raise Illegal(f"there is only one {name}")
            if name in self._open:
                raise Illegal(f"{name} lies open")
            if self._epoch.get(name) != self._shuffled(pile, epoch):
                raise Illegal(f"{name!a} was not drawn from that shuffle")

    def _shown(self, pile: str, card: int) -> Opened:
        found = self._coming.pop() if self._coming else None
        if card == self.cards.end:
            return Opened(*self.place(pile, card), self.cards.names[card])
        # Until now nobody but the seat knew which of its cards it placed there.
        seat, step = self._worker[card]
        if found is None:
            raise Illegal(f"it does not show a worker that {seat} has placed")
        who, drawn = self._drawn_at.pop(found[:3], ("", 0))
        shuffled = self._shuffled(found.pile, found.epoch)
        if who != seat or drawn >= step or self._epoch.get(found.name) != shuffled:
            raise Illegal(f"{found.name!a} cannot be the worker that {seat} has placed")
        self._appear(seat, found.name)
        self.cards.names[card] = found.name
        return found


def _taken_apart(words: Sequence[str]) -> tuple[Sequence[str], list[str]]:
    """Return the letters that a play names, and the cards that it builds."""
    if words[0] == "open":
        return words[1:], []
    letters, names = [], []
    rest = iter(words)
    for word in rest:
        if word == "work":
            letters.append(next(rest, ""))
            next(rest, "")
        elif word == "build":
            names.append(next(rest, ""))
    return letters, names


def _laid(said: Sequence[str]) -> list[str]:
    """Return the cards with which a seat begins, as the log names them."""
    found = [line.split(" ") for line in said]
    return [words[2] for words in found if words[0] == "lay" and len(words) > 2]
