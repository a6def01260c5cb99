"""A game followed from what is public: builds and cards turned over, and no hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.games.errors import Illegal
from referee.games.flat import FlatFollower
from referee.games.sanjuan import builder
from referee.games.sanjuan.cards import KINDS, TILES, UNKNOWN_NAME, HiddenCards
from referee.games.sanjuan.game import SanJuan
from referee.games.sanjuan.state import State
from referee.games.values import Event, Opened, Shuffle


class SanJuanFollower(FlatFollower[State]):
    """Follows a game of San Juan; `start` deals it with `cards`."""

    def __init__(
        self,
        cards: HiddenCards,
        opened: Sequence[Opened],
        start: Callable[[Shuffle], tuple[SanJuan, list[Event]]],
    ) -> None:
        super().__init__(opened)
        self.cards = cards
        self.begin(*start(self.shuffle))

    def _order(self, pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        plain = self.cards.plain
        if pile == "tiles":
            fixed = {TILES[tile]: tile for tile in cards}
        else:
            fixed = {self.cards.name(card): card for card in cards if card >= plain}
        hidden = [card for card in cards if card not in fixed.values()]
        for card in hidden:
            self.cards.hide(card)
        known = self.known(pile, epoch, len(cards))
        placed = {at: fixed.pop(name) for at, name in known.items() if name in fixed}
        # An event that has not come up yet lies below all that was drawn.
        rest = iter((*hidden, *fixed.values()))
        order = [placed[at] if at in placed else next(rest) for at in range(len(cards))]
        for at, name in known.items():
            if at not in placed:
                self._show(order[at], name, pile)
        return order

    def _show(self, card: int, name: str, pile: str) -> None:
        if pile == "tiles" or name not in KINDS or not self.cards.show(card, KINDS[name]):
            raise Illegal(f"no {name!a} is left that could lie in the pile {pile}")

    def _reveal(self, words: Sequence[str], letters: Sequence[str], said: Sequence[str]) -> None:
        if words[0] != "build" or len(words) == 1 or not letters or letters[0] in words:
            return
        st = self.game.state
        kind = KINDS.get(words[1], -1)
        if kind in builder.beside(st) or kind < 0:
            return
        if not self.cards.show(st.hand[st.actor][0], kind):
            raise Illegal(f"no {words[1]} is left that could be built")

    def _shown(self, pile: str, card: int) -> Opened:
        place = self.place(pile, card)
        name = TILES[card] if pile == "tiles" else self.cards.name(card)
        if name == UNKNOWN_NAME:
            raise Illegal(f"it does not show card {place[2]} of {pile} {place[1]}")
        return Opened(*place, name)

    def check_hand(self, seat: str, cards: Sequence[Opened]) -> None:
        """Raise Illegal where more copies of a card are in a hand than are left for it."""
        hand = self.game.state.hand[self.game.state.seats.index(seat)]
        mine = [*hand, *(card for _, card in self.game.tucked(seat))]
        before = [self.cards.kind_of[card] for card in mine]
        for card in mine:
            self.cards.hide(card)
        try:
            for card, (*_, name) in zip(mine, cards, strict=False):
                if name not in KINDS or not self.cards.show(card, KINDS[name]):
                    raise Illegal(f"there are not so many cards {name!a}")
        finally:
            for card, kind in zip(mine, before, strict=True):
                self.cards.kind_of[card] = kind

    def _taken(self, card: int) -> None:
        self.cards.hide(card)
