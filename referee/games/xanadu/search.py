"""Looking ahead in Xanadu: worlds for a view, good turns, and what a table is worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from referee.games.flatsearch import FlatSearch
from referee.games.network import Network
from referee.games.search import OVER, Course, Draws
from referee.games.xanadu import flow, greedy, options
from referee.games.xanadu.deck import Deck
from referee.games.xanadu.flow import Action
from referee.games.xanadu.outcome import Outcome, hope, outcome, result
from referee.games.xanadu.pile import bury
from referee.games.xanadu.state import NOTHING, TURN, State
from referee.games.xanadu.view import XanaduView

LARGEST = 4
"""The largest table for which there is a network; at larger ones all play as the greedy player."""


def weights_file(seats: int) -> Path:
    """Return the file with the weights of the network for a number of seats."""
    return Path(__file__).with_name(f"weights-{seats}.bin")


@cache
def network(seats: int) -> Network:
    """Return the network for a number of seats."""
    return Network.load(weights_file(seats).read_bytes())


def result_of(st: State, seat: int, winning: int = 4) -> int:
    """Return the value of a game that is over; see outcome.result."""
    best = max(coins for other, coins in enumerate(st.coins) if other != seat)
    return result(st.coins[seat] - best, st.coins.count(best), winning)


class XanaduSearch(FlatSearch[XanaduView, State]):
    """Looking ahead in one rule set.

    The work is the number of turns that were valued; one at a table for four, which takes longer,
    counts as much as five at a table for two count as four.
    """

    short = Course(turns=2, own=1, others=1, work=2000)
    long = Course(turns=4, own=1, others=1)

    def __init__(self, deck: Deck, net: Network | None = None) -> None:
        self._deck = deck
        self._given = net

    def asked(self, world: State) -> int:
        """Return the seat that is asked first; OVER when the game has ended."""
        return OVER if world.kind == NOTHING else world.actor

    def apply(self, world: State, answer: Action) -> None:
        """Let the seat that is asked first give a legal answer."""
        flow.apply(world, answer)

    def settled(self, world: State) -> bool:
        """Return True where a turn begins."""
        return world.kind == TURN

    def value(self, world: State, seat: int) -> int:
        """Return the share of a win that a seat can hope for."""
        if world.kind == NOTHING:
            return result_of(world, seat, 7)
        if len(world.seats) > LARGEST:
            return self._lead(world, seat)
        return hope(self._outcome(world).table(world, seat))

    def _lead(self, world: State, seat: int) -> int:
        """Return the value of a table as if all were sold now."""
        worth = [
            coins + sum([world.price(building) for building in city.values()])
            for coins, city in zip(world.coins, world.city, strict=True)
        ]
        best = max([coins for other, coins in enumerate(worth) if other != seat])
        return result(worth[seat] - best, worth.count(best))

    def guess(self, world: State, seat: int, care: int) -> Action:
        """Return a likely answer: that of the greedy player, or the best at first sight among few
        turns, or with most care among more.
        """
        if not care:
            return greedy.choose(world, seat)
        return self._best(world, seat, 1, options.THOROUGH if care > 1 else options.QUICK)[0]

    def candidates(self, world: State, seat: int, most: int) -> Sequence[Action]:
        """Return the answers that seem good at first sight, the best first."""
        return self._best(world, seat, most, options.THOROUGH)

    def _best(self, world: State, seat: int, most: int, care: options.Care) -> list[Action]:
        if len(world.seats) > LARGEST:
            return [greedy.choose(world, seat)]
        out = self._outcome(world)
        if flow.is_opening(world):
            return options.openings(world, seat, out, most)
        look = options.Options(world, seat, out, care)
        best = look.best(most)
        self.work += len(look.values) * (6 + len(world.seats)) // 8
        return best

    def _outcome(self, st: State) -> Outcome:
        net = self._given or network(len(st.seats))
        return outcome(net, st.cards, st.bonus, len(st.seats), st.many_builds)

    # Worlds.

    def world(self, view: XanaduView, draws: Draws) -> State:
        """Return a world that the view leaves possible."""
        st = view.state.copy()
        own = view.index
        seen = [card for city in st.city for card, _ in city.values()]
        seen += [*st.hand[own], *st.discards]
        out = frozenset(seen)
        pool = [card for card in range(self._deck.total) if card not in out]
        others = [seat for seat in range(len(st.seats)) if seat != own]
        last = max(0, len(st.end_pile) - 1)
        needed = len(st.deck) + last + sum([len(st.hand[seat]) for seat in others])
        needed += sum([len(crew) for city in st.city for _, crew in city.values()])
        while len(pool) < needed:
            # A position that somebody made up may have more cards than there are.
            pool.append(len(pool) % self._deck.total)
        hidden = iter([pool[at] for at in draws.order(len(pool))])
        for seat in others:
            st.hand[seat] = [next(hidden) for _ in st.hand[seat]]
        for city in st.city:
            for plot, (card, crew) in city.items():
                city[plot] = card, tuple([next(hidden) << 3 | placed & 7 for placed in crew])
        st.deck = tuple([next(hidden) for _ in st.deck])
        if st.end_pile:
            cards = [next(hidden) for _ in range(last)]
            cards.insert(draws.below(last + 1), self._deck.end)
            bury(st, tuple(cards))
        st.shuffle = _Shuffler(draws.bytes())
        return st


class _Shuffler:
    """A shuffle that puts the same cards in the same order in all copies of a world."""

    __slots__ = ("_ranks", "_seed")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._ranks: dict[tuple[str, int], tuple[int, ...]] = {}

    def __call__(self, pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        key = (pile, epoch)
        ranks = self._ranks.get(key)
        if ranks is None or len(ranks) <= max(cards):
            seed = self._seed + f"{pile} {epoch}".encode()
            ranks = self._ranks[key] = Draws(seed).words(max(cards) + 1)
        return sorted(cards, key=ranks.__getitem__)
