"""Plays that fulfil the wishes of a plan, and tests of the table, from what a seat may know.

Lists of cards are marks in order: a name, a group of cards, or a word that stands for all cards in
some order. Among equal ones the card that was dealt first comes first, never the lowest letter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from referee.games.grammar import Item
from referee.games.plans import phrases
from referee.games.sanjuan import builder, councillor, events, flow, roles, round_start, trader
from referee.games.sanjuan.cards import (
    CITY,
    EVENTS,
    HOLDERS,
    KINDS,
    MONUMENTS,
    PRICES,
    PRODUCTION,
)
from referee.games.sanjuan.flow import Action, plots_of
from referee.games.sanjuan.mind import AVERAGE, Mind
from referee.games.sanjuan.state import (
    AMNESTY,
    BUILD,
    EARTHQUAKE,
    EMPTY,
    FREE_BUILD,
    KEEP,
    MINE,
    OFFICE,
    PRODUCE,
    ROLE,
    ROLES,
    SELL,
    TAXES,
    TIDY,
    VISIT,
    State,
)

RANK, WORST, DEAREST, CHEAPEST = "rank", "worst", "dearest", "cheapest"
GROUPS = {"production": PRODUCTION, "monuments": MONUMENTS}
"""Names of groups of cards, with their kinds as masks."""
_LAST, _USELESS = 1000, 1001

Asked = Mapping[str, Sequence[str]]
"""The words of a wish, each with the names after it."""


def kinds_of(marks: Sequence[str], cost: Sequence[int]) -> list[int]:
    """Return the kinds that marks name, in their order; those of a group from the dearest on."""
    found: list[int] = []
    for mark in marks:
        if mark in GROUPS:
            found += sorted(plots_of(GROUPS[mark]), key=lambda kind: (-cost[kind], kind))
        elif mark in KINDS:
            found.append(KINDS[mark])
    return list(dict.fromkeys(found))


class _Taste:
    """The order in which a seat would keep its cards: those of a rank, then by the bot's values.

    Last come those that it can never build: city buildings that it has, or holds twice.
    """

    def __init__(self, st: State, seat: int, rank: Sequence[str]) -> None:
        self.st = st
        self.mind = Mind(st, seat)
        self.kinds = self.mind.hand
        places = {kind: at for at, kind in enumerate(kinds_of(rank, st.cards.cost))}
        self.values: list[tuple[int, int]] = []
        seen = 0
        for kind in self.kinds:
            useless = seen >> kind & 1 or not builder.may_build(st, seat, kind)
            seen |= 1 << kind & CITY
            value = (_USELESS, 0) if useless else (places.get(kind, _LAST), self.mind.hold(kind))
            self.values.append(value)

    def kept(self, places: Sequence[int]) -> list[int]:
        """Return places of the hand, the dearest to the seat first."""
        values = self.values
        return sorted(places, key=lambda place: (values[place][0], -values[place][1], place))

    def given(self, places: Sequence[int]) -> list[int]:
        """Return places of the hand, those first that the seat would miss least."""
        values = self.values
        return sorted(places, key=lambda place: (-values[place][0], values[place][1], place))

    def wanted(self, marks: Sequence[str], places: Sequence[int]) -> list[int]:
        """Return the places that marks want to keep; names and groups want nothing useless."""
        return self._marked(marks, self.kept(places), keeps=True)

    def unwanted(self, marks: Sequence[str], places: Sequence[int]) -> list[int]:
        """Return the places that marks give away."""
        return self._marked(marks, self.given(places), keeps=False)

    def _marked(self, marks: Sequence[str], order: Sequence[int], keeps: bool) -> list[int]:
        useful = [place for place in order if self.values[place][0] != _USELESS]
        named = useful if keeps else order
        found: list[int] = []
        for mark in marks:
            if mark in (RANK, WORST):
                found += order
            elif mark in (DEAREST, CHEAPEST):
                for some in (named, order):
                    found += sorted(some, key=lambda place: self._price(place, mark))
            elif mark in GROUPS:
                found += [place for place in named if GROUPS[mark] >> self.kinds[place] & 1]
            else:
                found += sorted(place for place in named if self.kinds[place] == KINDS[mark])
        return list(dict.fromkeys(found))

    def _price(self, place: int, mark: str) -> int:
        cost = self.st.cards.cost[self.kinds[place]]
        return -cost if mark == DEAREST else cost


def _ordered_kinds(marks: Sequence[str], kinds: Sequence[int], cost: Sequence[int]) -> list[int]:
    """Return those of some kinds that marks name, in their order."""
    found: list[int] = []
    for mark in marks:
        if mark in (DEAREST, CHEAPEST):
            sign = -1 if mark == DEAREST else 1
            found += sorted(kinds, key=lambda kind: (sign * cost[kind], kind))
        else:
            found += [kind for kind in kinds_of([mark], cost) if kind in kinds]
    return list(dict.fromkeys(found))


def _number(asked: Asked, word: str, otherwise: int) -> int:
    return int(asked[word][0]) if word in asked else otherwise


def _role(st: State, seat: int, items: tuple[Item, ...]) -> Action | None:
    """Return the first role or event of the list that may be taken."""
    at = 0
    while at < len(items):
        what, name = items[at]
        at += 1
        role, event = -1, -1
        if what == "VISIT":
            role, event = ROLES.index(items[at].text), VISIT
            at += 1
        elif what == "EVENT":
            event = EVENTS.index(name)
        else:
            role = ROLES.index(name)
        keeps = items[at : at + 1] == (Item("", "no-library"),)
        at += keeps
        for keep_library in (keeps, False) if keeps else (False,):
            action = (role, keep_library, event)
            if not flow.refuse(st, seat, action):
                return action
    return None


def _build(st: State, seat: int, asked: Asked, rank: Sequence[str]) -> Action | None:
    marks = [*asked["build"]]
    if RANK in marks:
        at = marks.index(RANK)
        marks[at : at + 1] = [name for name in rank if name not in marks]
    # Unless it says what pays, cards that it would rather build do not pay before others.
    wanted = [] if "pay" in asked else [name for name in marks if name not in rank]
    taste = _Taste(st, seat, [*rank, *wanted])
    spared = kinds_of(asked.get("save", ()), st.cards.cost)
    declined = sum(1 << builder.discounts().index(word) for word in asked.get("decline", ()))
    have = list(dict.fromkeys([*taste.kinds, *builder.beside(st)]))
    for kind in _ordered_kinds(marks, have, st.cards.cost):
        built = builder.place_of(st, seat, kind)
        free = [place for place in range(len(taste.kinds)) if place != built]
        order = taste.unwanted([*asked.get("pay", ()), WORST], free)
        pays = [place for place in order if taste.kinds[place] not in spared]
        for over in _covered(st, seat, asked, kind):
            count = builder.price(st, seat, kind, over, declined)
            goods: tuple[int, ...] = ()
            if count > len(pays) and "goods" in asked:
                goods = _cheapest_goods(st, seat, over, count - len(pays))
                count -= len(goods)
            action = (kind, over, goods, tuple(sorted(pays[:count])), declined)
            if not flow.refuse(st, seat, action):
                return action
    return None


def _covered(st: State, seat: int, asked: Asked, kind: int) -> list[int]:
    """Return the plots to build on: a new one, or those with the buildings named after `over`."""
    if "over" not in asked:
        return [EMPTY]
    plots = builder.coverable_plots(st, seat, kind)
    return _ordered_plots(st, seat, asked["over"], plots)


def _ordered_plots(st: State, seat: int, marks: Sequence[str], plots: Sequence[int]) -> list[int]:
    """Return those of some plots whose buildings marks name, in their order."""
    mind = Mind(st, seat)
    kind_of, cost, city = st.cards.kind_of, st.cards.cost, st.city[seat]
    found: list[int] = []
    for mark in marks:
        if mark == WORST:
            found += sorted(plots, key=lambda plot: (mind.standing(seat, plot), plot))
        elif mark in (DEAREST, CHEAPEST):
            sign = -1 if mark == DEAREST else 1
            found += sorted(plots, key=lambda plot: (sign * cost[kind_of[city[plot]]], plot))
        else:
            kinds = kinds_of([mark], cost)
            found += [plot for kind in kinds for plot in plots if kind_of[city[plot]] == kind]
    return list(dict.fromkeys(found))


def _cheapest_goods(st: State, seat: int, over: int, count: int) -> tuple[int, ...]:
    plots = plots_of(builder.payable_goods(st, seat, over))
    kind_of, city = st.cards.kind_of, st.city[seat]
    order = sorted(plots, key=lambda plot: (AVERAGE[kind_of[city[plot]]], plot))
    return tuple(sorted(order[:count]))


def _plots_by(
    st: State, seat: int, marks: Sequence[str], plots: Sequence[int], price: Callable[[int], int]
) -> list[int]:
    """Return those of some plots that marks name, by the price of their goods where that counts."""
    kind_of, city = st.cards.kind_of, st.city[seat]
    found: list[int] = []
    for mark in marks:
        if mark in (DEAREST, CHEAPEST):
            sign = -1 if mark == DEAREST else 1
            found += sorted(plots, key=lambda plot: (sign * price(kind_of[city[plot]]), plot))
        else:
            found += [plot for plot in plots if kind_of[city[plot]] == KINDS[mark]]
    return list(dict.fromkeys(found))


def _produce(st: State, seat: int, asked: Asked, rank: Sequence[str]) -> Action | None:
    plots, _, most = flow.SELECT[PRODUCE](st, seat)
    found = _plots_by(st, seat, asked["produce"], plots, AVERAGE.__getitem__)
    return tuple(sorted(found[:most])) or None


def _sell(st: State, seat: int, asked: Asked, rank: Sequence[str]) -> Action | None:
    plots, _, most = flow.SELECT[SELL](st, seat)
    prices = PRICES[trader.current_tile(st)]
    kind_of, city = st.cards.kind_of, st.city[seat]
    least = _number(asked, "least", 0)
    spared = kinds_of(asked.get("save", ()), st.cards.cost)
    plots = [
        plot
        for plot in plots
        if kind_of[city[plot]] not in spared
        and trader.good_price(kind_of[city[plot]], prices) >= least
    ]
    found = _plots_by(st, seat, asked["sell"], plots, lambda kind: trader.good_price(kind, prices))
    return tuple(sorted(found[: min(most, _number(asked, "most", most))])) or None


def _keep(st: State, seat: int, asked: Asked, rank: Sequence[str]) -> Action | None:
    taste = _Taste(st, seat, rank)
    among, _, count = flow.SELECT[st.kind](st, seat)
    with_archive = st.kind == KEEP and st.own_mask[seat] & councillor.ARCHIVE
    enough = councillor.keep_limit(st, seat) if with_archive else count
    found = taste.wanted(asked["keep"], among)
    if len(found) < enough:
        return None
    if with_archive:
        rest = [place for place in taste.kept(among) if place not in found]
        return tuple(sorted([*found, *rest][len(among) - count :]))
    return tuple(sorted(found[:count]))


def _take(st: State, seat: int, asked: Asked, rank: Sequence[str]) -> Action | None:
    kinds, _, _ = flow.SELECT[MINE](st, seat)
    marks = list(asked["take"])
    if RANK in marks:
        mind = Mind(st, seat)
        ranked = [kind for kind in kinds_of(rank, st.cards.cost) if kind in kinds]
        others = sorted(kinds, key=lambda kind: (-mind.hold(kind), kind))
        named = _ordered_kinds(marks[: marks.index(RANK)], kinds, st.cards.cost)
        return ((*named, *ranked, *others)[0],)
    found = _ordered_kinds(marks, kinds, st.cards.cost)
    return (found[0],) if found else None


def _tidy(st: State, seat: int, asked: Asked, rank: Sequence[str]) -> Action | None:
    taste = _Taste(st, seat, rank)
    left = list(range(len(taste.kinds)))
    parts: list[tuple[int, ...]] = []
    for tuck in round_start.TUCKS:
        chosen: list[int] = []
        if tuck.word in asked:
            number, *marks = asked[tuck.word] if tuck.several else ("1", *asked[tuck.word])
            chosen = taste.unwanted(marks, left)[: min(int(number), tuck.most(st, seat))]
            if not chosen:
                return None
        left = [place for place in left if place not in chosen]
        parts.append(tuple(sorted(chosen)))
    excess = max(0, len(left) - round_start.hand_limit(st, seat))
    gone = taste.unwanted([*asked.get("discard", ()), WORST], left)
    parts.append(tuple(sorted(gone[:excess])))
    return tuple(parts) if any(parts) else ()


def _discard(st: State, seat: int, asked: Asked, rank: Sequence[str]) -> Action | None:
    among, _, most = flow.SELECT[st.kind](st, seat)
    found = _Taste(st, seat, rank).unwanted(asked["discard"], among)
    return tuple(sorted(found[: min(most, _number(asked, "most", most))])) or None


def _lose(st: State, seat: int, asked: Asked, rank: Sequence[str]) -> Action | None:
    plots, _, _ = flow.SELECT[EARTHQUAKE](st, seat)
    return tuple(_ordered_plots(st, seat, asked["lose"], plots)[:1]) or None


def _free_build(st: State, seat: int, asked: Asked, rank: Sequence[str]) -> Action | None:
    marks = [name for mark in asked["build"] for name in (rank if mark == RANK else [mark])]
    kinds = _ordered_kinds(marks, events.free_kinds(st, seat), st.cards.cost)
    return tuple(kinds[:1]) or None


_BY_KIND: dict[int, Callable[[State, int, Asked, Sequence[str]], Action | None]] = {
    BUILD: _build,
    PRODUCE: _produce,
    SELL: _sell,
    KEEP: _keep,
    MINE: _take,
    TIDY: _tidy,
    OFFICE: _discard,
    TAXES: _discard,
    AMNESTY: _discard,
    EARTHQUAKE: _lose,
    FREE_BUILD: _free_build,
}


def fulfilled(st: State, seat: int, items: tuple[Item, ...], rank: Sequence[str]) -> Action | None:
    """Return the action that fulfils a wish, perhaps an illegal one; None if there is none."""
    if st.kind == ROLE:
        return _role(st, seat, items)
    return _BY_KIND[st.kind](st, seat, dict(phrases(items)), rank)


def holds(st: State, seat: int, test: Sequence[Item]) -> bool:
    """Return True if a test of the table and the seat's own hand holds."""
    words = [item.text for item in test]
    if words[-1] in _COUNTS:
        count = _COUNTS[words[-1]](st, seat)
        return count < int(words[1]) if words[0] == "under" else count >= int(words[0])
    word, name = words
    if word in ("after", "before"):
        return bool(st.roles_used >> ROLES.index(name) & 1) == (word == "after")
    kind = KINDS[name]
    if word in ("own", "no"):
        return bool(st.own_mask[seat] >> kind & 1) == (word == "own")
    if word == "hold":
        return builder.place_of(st, seat, kind) >= 0
    return _affordable(st, seat, kind)


_COUNTS: dict[str, Callable[[State, int], int]] = {
    "cards": lambda st, seat: len(st.hand[seat]) - st.drawn[seat],
    "goods": lambda st, seat: st.full_mask[seat].bit_count(),
    "buildings": lambda st, seat: max(st.buildings(other) for other in range(len(st.seats))),
}
"""By the last word of a test: what it counts."""


def _affordable(st: State, seat: int, kind: int) -> bool:
    """Return True if the seat could build a kind with its cards, as the builder if it chooses."""
    if builder.place_of(st, seat, kind) < 0 and kind not in builder.beside(st):
        return False
    if not builder.may_build(st, seat, kind):
        return False
    then = st.copy()
    if st.kind == ROLE:
        then.library = roles.may_use_library(st, seat)
    return builder.price(then, seat, kind) <= builder.payable_cards(then, seat, kind)


def goods_of(cards_first: Sequence[int]) -> list[int]:
    """Return the kinds of a rule set on which a good can lie."""
    return [kind for kind in plots_of(HOLDERS) if cards_first[kind] >= 0]
