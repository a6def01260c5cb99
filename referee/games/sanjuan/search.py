"""Looking ahead in San Juan: worlds for a view, good answers, and what a table is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, product
from math import comb
from pathlib import Path

from referee.games.flatsearch import FlatSearch
from referee.games.network import Network
from referee.games.sanjuan import (
    builder,
    choices,
    events,
    features,
    flow,
    greedy,
    phases,
    producer,
    round_start,
    scoring,
    trader,
)
from referee.games.sanjuan import roles as role_choice
from referee.games.sanjuan.cards import KINDS, PRICES, TILES, Cards
from referee.games.sanjuan.councillor import ARCHIVE, keep_limit
from referee.games.sanjuan.evaluation import Evaluation
from referee.games.sanjuan.flow import Action, plots_of
from referee.games.sanjuan.mind import Mind
from referee.games.sanjuan.state import (
    AMNESTY,
    BUILD,
    DRAFT,
    EARTHQUAKE,
    EMPTY,
    FREE_BUILD,
    KEEP,
    MINE,
    NOTHING,
    OFFICE,
    ONE_BY_ONE,
    PRODUCE,
    ROLE,
    SELL,
    TAXES,
    TIDY,
    State,
)
from referee.games.sanjuan.view import SanJuanView
from referee.games.search import OVER, WHOLE, Course, Draws

UNIT = 1 << 20
"""The output of a network that stands for 1."""
HALF = WHOLE // 2
HALFWAY = 5
"""The lead in points that is half of the way from an even result to the best one."""
PATIENT, LATE = 16, 32
"""The rounds for which nobody minds waiting, and those after them in which all hope fades."""
LEADER_ENDS = 7
"""The eighths of a game that is over which count for winning; with fewer of them who leads would
rather lead by more than come to an end."""
MANY = 100
"""Of more combinations of cards only the likeliest are compared."""
ROLES_TRIED = 4
"""The most roles that are tried where another seat chooses one."""
FEW = 12
"""Of more combinations only one is looked for, where one is enough."""
COVERED = 3
"""The most plots that a crane is thought to build over."""
_BANK = KINDS["bank"]

Valued = list[tuple[int, Action]]
"""Answers with the outputs of the network that they lead to."""


def hope(output: int) -> int:
    """Return the share of a win that an output of a network means."""
    return HALF + HALF * output // (UNIT + abs(output))


def unhope(share: int) -> int:
    """Return an output of a network that means a share of a win, which is neither none nor all."""
    above = share - HALF
    return UNIT * above // (HALF - abs(above))


def result(st: State, seat: int, winning: int = 4) -> int:
    """Return the value of a game that is over: `winning` eighths of it for that, the rest for the
    lead.
    """
    scores = scoring.scores(st)
    own = scores[seat]
    winners = sum(score.wins for score in scores)
    best = max((score.points, score.tie) for at, score in enumerate(scores) if at != seat)
    lead = 16 * (own.points - best[0])
    if not lead:
        lead = max(-8, min(8, own.tie - best[1]))
    margin = HALF + HALF * lead // (16 * HALFWAY + abs(lead))
    return (winning * (WHOLE // winners if own.wins else 0) + (8 - winning) * margin) // 8


def weights_file(seats: int) -> Path:
    """Return the file with the weights of the network for a number of seats."""
    return Path(__file__).with_name(f"weights-{seats}.bin")


@cache
def network(seats: int) -> Network:
    """Return the network for a number of seats."""
    return Network.load(weights_file(seats).read_bytes())


class SanJuanSearch(FlatSearch[SanJuanView, State]):
    """Looking ahead in one rule set; answers to questions that come up again are remembered."""

    short = Course(turns=1, own=1, others=0)
    long = Course(turns=3, own=2, others=2)

    def __init__(self, cards: Cards, limit: int, net: Network | None = None) -> None:
        self._cards = cards
        self._limit = limit
        self._given = net
        self._evaluations: dict[int, Evaluation] = {}
        self._known: dict[object, Action] = {}

    def asked(self, world: State) -> int:
        """Return the seat that is asked first; OVER when the game has ended."""
        return OVER if world.kind == NOTHING else world.actor

    def apply(self, world: State, answer: Action) -> None:
        """Let the seat that is asked first give a legal answer."""
        phases.apply(world, answer)

    def settled(self, world: State) -> bool:
        """Return True where a role is to be chosen."""
        return world.kind == ROLE

    def value(self, world: State, seat: int) -> int:
        """Return the share of a win that a seat can hope for."""
        if world.kind == NOTHING:
            return result(world, seat, LEADER_ENDS)
        value = hope(self._output(world, seat))
        # Else two who both hope for better cards would wait for ever.
        return value - value * min(max(0, world.round - PATIENT), LATE) // LATE

    def guess(self, world: State, seat: int, care: int) -> Action:
        """Return a likely answer: that of the greedy player, the best at first sight, or, with
        most care, also the role after whose phase the seat stands best in this world.
        """
        if world.kind == ROLE and care == 2:
            return self._likely_role(world, seat)
        if not care or world.kind == ROLE:
            return greedy.choose(world, seat)
        key = (
            (world.kind, seat, world.chooser, world.library, world.drawn[seat]),
            (tuple(world.hand[seat]), tuple(world.city[seat]), world.full_mask[seat]),
            (world.tile if world.kind == SELL else 0, world.turned, world.beside),
            (world.bank_used, world.face_up),
        )
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self.candidates(world, seat, 1)[0]
        return found

    def _likely_role(self, world: State, seat: int) -> Action:
        best: tuple[int, Action] = (-1, ())
        for action in self.candidates(world, seat, ROLES_TRIED):
            then = world.copy()
            phases.apply(then, action)
            while then.kind not in (ROLE, NOTHING):
                asked = then.actor
                phases.apply(then, self.guess(then, asked, int(asked == seat)))
            value = self.value(then, seat)
            if value > best[0]:
                best = value, action
        return best[1]

    def candidates(self, world: State, seat: int, most: int) -> Sequence[Action]:
        """Return the answers that seem good at first sight, the best first."""
        valued = _BY_KIND[world.kind](self, world, seat, most)
        if len(valued) == 1:
            return [valued[0][1]]
        return [action for _, action in sorted(valued, key=_worth)[:most]]

    # Worlds.

    def world(self, view: SanJuanView, draws: Draws) -> State:
        """Return a world that the view leaves possible."""
        st = view.state.copy()
        st.limit = self._limit
        st.serial = st.kind in ONE_BY_ONE
        self.fill(st, view.index, draws)
        return st

    def fill(self, st: State, own: int, draws: Draws) -> None:
        """Put a card that one seat may think possible into every place that it cannot see."""
        cards = self._cards
        pool = self._unseen(st, own)
        goods = [
            (seat, plot) for seat in range(len(st.seats)) for plot in plots_of(st.full_mask[seat])
        ]
        coming = [card for card in cards.events() if card not in st.face_up + st.removed]
        coming = [coming[at] for at in draws.order(len(coming))][: st.events_left]
        drawn = len(st.deck) - len(coming)
        others = [seat for seat in range(len(st.seats)) if seat != own]
        needed = drawn + len(st.discards) + len(goods)
        needed += sum(len(st.hand[seat]) for seat in others)
        stores = self._stores(st)
        tucked = min(len(pool) - needed, 12 * len(stores)) if stores else 0
        while len(pool) < needed:
            # A position that somebody made up may have more cards than there are.
            pool.append(cards.first[cards.dealt[len(pool) % len(cards.dealt)]])
        order = draws.order(len(pool))
        hidden = iter([pool[at] for at in order])
        for seat, plot in goods:
            st.good[seat][plot] = next(hidden)
        for seat in others:
            st.hand[seat] = [next(hidden) for _ in st.hand[seat]]
        st.discards = [next(hidden) for _ in st.discards]
        st.under = ()
        places = [stores[number % len(stores)] for number in range(tucked)]
        st.unseen = tuple([(seat, plot, next(hidden)) for seat, plot in places])
        deck = [next(hidden) for _ in range(drawn)]
        for event in coming:
            deck.insert(draws.below(len(deck) + 1), event)
        st.put_deck(deck)
        tiles = [tile for tile in range(len(TILES)) if tile not in st.tiles]
        st.tiles += tuple([tiles[at] for at in draws.order(len(tiles))])
        st.shuffle = _Shuffler(draws.bytes(), len(cards.kind_of))

    def _unseen(self, st: State, own: int) -> list[int]:
        """Return the cards of the deck that the seat does not see, one number for each copy."""
        cards = st.cards
        kind_of = cards.kind_of
        left = list(cards.copies)
        for city in st.city:
            for card in city:
                if card != EMPTY:
                    left[kind_of[card]] -= 1
        for card in (*st.hand[own], *st.turned, *[card for _, _, card in st.over]):
            left[kind_of[card]] -= 1
        found: list[int] = []
        for kind in cards.dealt:
            found += [cards.first[kind]] * left[kind]
        return found

    def _stores(self, st: State) -> list[tuple[int, int]]:
        """Return the seats and plots under whose buildings cards may lie."""
        return [
            (seat, st.plot_of(seat, kind))
            for kind in scoring.STORES
            for seat in range(len(st.seats))
            if st.own_mask[seat] >> kind & 1 and (kind != _BANK or st.bank_used >> seat & 1)
        ]

    # Values of answers at first sight.

    def _evaluation(self, st: State) -> Evaluation:
        seats = len(st.seats)
        found = self._evaluations.get(seats)
        if found is None:
            net = self._given or network(seats)
            found = self._evaluations[seats] = Evaluation(net)
        return found

    def _output(self, st: State, seat: int, coming: int = 0) -> int:
        return self._evaluation(st).output(st, seat, coming)

    def _roles(self, st: State, seat: int, most: int) -> Valued:
        """Return what can be chosen, as the greedy player values it."""
        mind = Mind(st, seat)
        found: Valued = []
        again = role_choice.may_use_library(st, seat) and self._chooses_again(st, seat)
        for role, plain, event in choices.role_actions(st, seat):
            if plain and not again:
                continue
            value = mind.event(event) if role < 0 else mind.role(role)
            found.append((value - plain, (role, plain, event)))
        return found

    def _chooses_again(self, st: State, seat: int) -> bool:
        """Return True if the seat has another turn in this round."""
        seats = len(st.seats)
        coming = range(st.turn + 1, role_choice.turns_in_round(seats) + 1)
        return any((st.governor + turn - 1) % seats == seat for turn in coming)

    def _builds(self, st: State, seat: int, most: int) -> Valued:
        found: Valued = [(self._after_build(st, seat, 0), ())]
        kind_of = st.cards.kind_of
        kinds = {kind_of[card] for card in st.hand[seat]}
        poor = self._poor_plots(st, seat)
        for kind in sorted({*kinds, *builder.beside(st)}):
            if not builder.may_build(st, seat, kind):
                continue
            rest = builder.payable_cards(st, seat, kind)
            covers = builder.coverable_plots(st, seat, kind)
            for over in (EMPTY, *[plot for plot in covers if plot in poor]):
                price = builder.price(st, seat, kind, over)
                spots = plots_of(builder.payable_goods(st, seat, over))
                spots = tuple(sorted(spots, key=lambda plot: (kind_of[st.city[seat][plot]], plot)))
                for given in range(min(2, price, len(spots)) + 1):
                    if price - given <= rest:
                        goods = tuple(sorted(spots[:given]))
                        found.append(self._built(st, seat, (kind, over, goods, price - given)))
        return found

    def _poor_plots(self, st: State, seat: int) -> list[int]:
        """Return the few plots on which a crane would do least harm."""
        valued: list[tuple[int, int]] = []
        for plot in builder.coverable_plots(st, seat):
            then = st.copy()
            then.put_top(seat, plot, EMPTY)
            valued.append((-self._output(then, seat), plot))
        return [plot for _, plot in sorted(valued)[:COVERED]]

    def _built(
        self, st: State, seat: int, build: tuple[int, int, tuple[int, ...], int]
    ) -> tuple[int, Action]:
        """Return a build with its payment, and the output that it leads to."""
        kind, over, goods, count = build
        place = builder.place_of(st, seat, kind)
        rest = [at for at in range(len(st.hand[seat])) if at != place]
        then = st.copy()
        card = st.hand[seat][place] if place >= 0 else _beside(st, kind)
        for plot in goods:
            then.take_good(seat, plot)
        if over == EMPTY:
            then.lay(seat, card)
        else:
            if then.full_mask[seat] >> over & 1:
                then.take_good(seat, over)
            then.put_top(seat, over, card)
        then.hand[seat] = [st.hand[seat][at] for at in rest]
        gone = self._cheapest(then, seat, count)
        then.hand[seat] = [card for at, card in enumerate(then.hand[seat]) if at not in gone]
        mask = builder.working_mask(st, seat, over)
        coming = 0
        for need, cards, _ in builder.AFTER:
            if mask & need:
                coming += cards(then, seat, kind, len(then.hand[seat]) + coming)
        pay = tuple([rest[at] for at in gone])
        return self._after_build(then, seat, coming), (kind, over, goods, pay, 0)

    def _after_build(self, st: State, seat: int, coming: int) -> int:
        """Return the output for a table in a phase of building; where the game ends with it, an
        output that means as much as the points are worth.
        """
        if max([st.buildings(other) for other in range(len(st.seats))]) >= builder.LAST_BUILDING:
            return unhope(result(st, seat, LEADER_ENDS))
        return self._output(st, seat, coming)

    def _cheapest(
        self, st: State, seat: int, count: int, among: Sequence[int] | None = None
    ) -> tuple[int, ...]:
        """Return the places of the cards of the hand that the seat would miss least."""
        hand = st.hand[seat]
        places = range(len(hand)) if among is None else among
        if count >= len(places):
            return tuple(places)
        if not count:
            return ()
        evaluation = self._evaluation(st)
        net = evaluation.net
        rows = net.rows
        marks = features.hand_features(st, seat, hand)
        base = evaluation.sum(st, seat, hand)
        size = features.size_feature
        base += rows[size(len(hand) - count)] - rows[size(len(hand))]
        gone: list[int] = []
        left = list(places)
        while True:
            outputs = {marks[at]: 0 for at in left}
            for mark in outputs:
                outputs[mark] = net.output(base - rows[mark])
            left.sort(key=lambda at: (-outputs[marks[at]], at))
            # Of many cards half go at once.
            some = left[: max(1, (count - len(gone)) // 2)]
            gone += some
            if len(gone) == count:
                return tuple(sorted(gone))
            left = left[len(some) :]
            for at in some:
                base -= rows[marks[at]]

    def _gone(
        self, st: State, seat: int, among: Sequence[int], count: int, most: int
    ) -> list[tuple[int, tuple[int, ...]]]:
        """Return ways to give up `count` of the places, each with the output for the rest."""
        hand = st.hand[seat]
        if most == 1 and comb(len(among), count) > FEW:
            return [(0, self._cheapest(st, seat, count, among))]
        if comb(len(among), count) > MANY:
            # The best few more than there are to give up.
            size = next(n for n in range(count + 3, 0, -1) if comb(n, count) <= MANY)
            among = self._cheapest(st, seat, size, among)
        evaluation = self._evaluation(st)
        net = evaluation.net
        base = evaluation.sum(st, seat, ()) - net.rows[features.size_feature(0)]
        base += net.rows[features.size_feature(len(hand) - count)]
        kind_of = st.cards.kind_of
        found: list[tuple[int, tuple[int, ...]]] = []
        seen: set[tuple[int, ...]] = set()
        for gone in combinations(among, count):
            key = tuple(sorted([kind_of[hand[at]] for at in gone]))
            if key not in seen:
                seen.add(key)
                rest = [card for at, card in enumerate(hand) if at not in gone]
                marks = features.hand_features(st, seat, rest)
                found.append((net.output(sum(map(net.rows.__getitem__, marks), base)), gone))
        return found

    def _keeps(self, st: State, seat: int, most: int) -> Valued:
        """Return what to keep of the cards drawn, or with an archive what to give up."""
        held, drawn = len(st.hand[seat]), st.drawn[seat]
        archive = bool(st.own_mask[seat] & ARCHIVE)
        among = range(held) if archive else range(held - drawn, held)
        ways = self._gone(st, seat, among, drawn - keep_limit(st, seat), most)
        if archive:
            return list(ways)
        return [(value, _others(among, gone)) for value, gone in ways]

    def _drafts(self, st: State, seat: int, most: int) -> Valued:
        among, _, kept = flow.SELECT[DRAFT](st, seat)
        ways = self._gone(st, seat, among, len(among) - kept, most)
        return [(value, _others(among, gone)) for value, gone in ways]

    def _exchanges(self, st: State, seat: int, most: int) -> Valued:
        """Return how many of the poorest cards could be exchanged."""
        among, _, limit = flow.SELECT[st.kind](st, seat)
        found: Valued = []
        for count in range(limit + 1):
            gone = self._cheapest(st, seat, count, among)
            then = st.copy()
            then.hand[seat] = [card for at, card in enumerate(st.hand[seat]) if at not in gone]
            found.append((self._output(then, seat, count), gone))
        return found

    def _taxes(self, st: State, seat: int, most: int) -> Valued:
        return list(self._gone(st, seat, range(len(st.hand[seat])), 1, most))

    def _tidies(self, st: State, seat: int, most: int) -> Valued:
        """Return ways to put cards away, each with the poorest discarded down to the limit."""
        found: Valued = []
        held = len(st.hand[seat])
        ranges = [range(min(tuck.most(st, seat), held) + 1) for tuck in round_start.TUCKS]
        limit = round_start.hand_limit(st, seat)
        for counts in product(*ranges):
            if sum(counts) > held:
                continue
            discards = max(0, held - sum(counts) - limit)
            left = list(range(held))
            then = st.copy()
            groups: list[tuple[int, ...]] = []
            for tuck, count in zip((*round_start.TUCKS, None), (*counts, discards), strict=True):
                gone = self._cheapest(st, seat, count, left)
                groups.append(gone)
                left = [at for at in left if at not in gone]
                if tuck is not None and count:
                    then.under += ((seat, st.plot_of(seat, tuck.kind), 0),) * count
                    if tuck.once:
                        then.bank_used |= 1 << seat
            then.hand[seat] = [st.hand[seat][at] for at in left]
            found.append((self._output(then, seat), tuple(groups) if any(groups) else ()))
        return found

    def _goods(self, st: State, seat: int, least: int, most: int) -> Iterator[tuple[int, ...]]:
        """Yield ways to select plots, those with equal buildings counted once."""
        plots = flow.SELECT[st.kind](st, seat)[0]
        kind_of, city = st.cards.kind_of, st.city[seat]
        for count in range(most, least - 1, -1):
            seen: set[tuple[int, ...]] = set()
            for some in combinations(plots, count):
                key = tuple(sorted([kind_of[city[plot]] for plot in some]))
                if key not in seen:
                    seen.add(key)
                    yield some

    def _produces(self, st: State, seat: int, most: int) -> Valued:
        _, _, count = flow.SELECT[PRODUCE](st, seat)
        coming = sum(
            cards(st, seat, count) for need, cards in producer.AFTER if st.own_mask[seat] & need
        )
        found: Valued = []
        kind_of, city = st.cards.kind_of, st.city[seat]
        empty = plots_of(producer.empty_mask(st, seat))
        for plots in self._goods(st, seat, count, count):
            left = [kind_of[city[plot]] for plot in empty if plot not in plots]
            if any(_always_dearer(kind, kind_of[city[plot]]) for plot in plots for kind in left):
                continue
            then = st.copy()
            for plot in plots:
                then.good[seat][plot] = 0
                then.full_mask[seat] |= 1 << plot
            found.append((self._output(then, seat, coming), plots))
        return found

    def _sells(self, st: State, seat: int, most: int) -> Valued:
        _, least, limit = flow.SELECT[SELL](st, seat)
        found: Valued = []
        for plots in self._goods(st, seat, least, limit):
            then = st.copy()
            for plot in plots:
                then.take_good(seat, plot)
            for kind in trader.KEEPERS:
                if plots and st.own_mask[seat] >> kind & 1:
                    then.unseen += ((seat, st.plot_of(seat, kind), 0),)
            coming = trader.sale_value(st, seat, plots) if plots else 0
            found.append((self._output(then, seat, coming), plots))
        return found

    def _mines(self, st: State, seat: int, most: int) -> Valued:
        found: Valued = []
        for kind in flow.SELECT[MINE](st, seat)[0]:
            then = st.copy()
            then.hand[seat].append(st.cards.first[kind])
            found.append((self._output(then, seat), (kind,)))
        return found

    def _losses(self, st: State, seat: int, most: int) -> Valued:
        found: Valued = []
        for plot in flow.SELECT[EARTHQUAKE](st, seat)[0]:
            then = st.copy()
            events.destroy(then, seat, plot)
            found.append((self._output(then, seat), (plot,)))
        return found

    def _free_builds(self, st: State, seat: int, most: int) -> Valued:
        found: Valued = [(self._after_build(st, seat, 0), ())]
        for kind in events.free_kinds(st, seat):
            then = st.copy()
            then.lay(seat, then.hand[seat].pop(builder.place_of(st, seat, kind)))
            found.append((self._after_build(then, seat, 0), (kind,)))
        return found


_BY_KIND: dict[int, Callable[[SanJuanSearch, State, int, int], Valued]] = {
    ROLE: SanJuanSearch._roles,
    BUILD: SanJuanSearch._builds,
    PRODUCE: SanJuanSearch._produces,
    SELL: SanJuanSearch._sells,
    KEEP: SanJuanSearch._keeps,
    TIDY: SanJuanSearch._tidies,
    DRAFT: SanJuanSearch._drafts,
    OFFICE: SanJuanSearch._exchanges,
    MINE: SanJuanSearch._mines,
    EARTHQUAKE: SanJuanSearch._losses,
    TAXES: SanJuanSearch._taxes,
    AMNESTY: SanJuanSearch._exchanges,
    FREE_BUILD: SanJuanSearch._free_builds,
}


def _worth(valued: tuple[int, Action]) -> int:
    return -valued[0]


@cache
def _always_dearer(kind: int, other: int) -> bool:
    """Return True if a good of a kind is worth as much as another under every tile, or more."""
    pairs = [(trader.good_price(kind, tile), trader.good_price(other, tile)) for tile in PRICES]
    return all(price >= than for price, than in pairs) and any(p > t for p, t in pairs)


def _others(among: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
    return tuple([place for place in among if place not in places])


def _beside(st: State, kind: int) -> int:
    return next(card for card in st.beside if st.cards.kind_of[card] == kind)


class _Shuffler:
    """A shuffle that puts the same cards in the same order in all copies of a world."""

    __slots__ = ("_count", "_ranks", "_seed")

    def __init__(self, seed: bytes, count: int) -> None:
        self._seed = seed
        self._count = count
        self._ranks: list[int] = []

    def __call__(self, pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        ranks = self._ranks = self._ranks or Draws(self._seed).order(self._count)
        turned = 2 * epoch + 1
        return sorted(cards, key=lambda card: ranks[card * turned % self._count])
