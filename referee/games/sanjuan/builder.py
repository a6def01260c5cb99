"""The builder phase: one by one, everybody may build.

An action is (kind, covered plot or -1, plots of the goods given up, places of the cards paid,
mask of the discounts declined).
"""

from __future__ import annotations

from collections.abc import Callable

from referee.games.sanjuan import flow
from referee.games.sanjuan.cards import CITY, KINDS, NAMES, PRODUCTION, bit, name_of
from referee.games.sanjuan.flow import Action, ascending
from referee.games.sanjuan.roles import LIBRARY
from referee.games.sanjuan.state import BUILD, BUILDER, CHOICE, EMPTY, OVER, State
from referee.records import NamedTuple

LAST_BUILDING = 12

DISCOUNTS: list[tuple[int, int, int]] = [
    (bit("smithy"), PRODUCTION, 1),
    (bit("quarry"), CITY, 1),
]
"""Kinds (as mask) that make buildings cheaper, the kinds that get cheaper (as mask), and by how
much (B5)."""

COVER: dict[int, int] = {KINDS["park"]: 6}
"""Kinds that take this, and not their cost, off the price of what is built over them."""


class Reward(NamedTuple):
    """A kind (as mask) that lets its owner draw cards when it has built something.

    `cards` says how many, given the kind built and how many cards the owner then holds; `verb` is
    how a menu announces them.
    """

    need: int
    cards: Callable[[State, int, int, int], int]
    verb: str = "draws"


AFTER: list[Reward] = []
"""Rewards for a build once it is paid for, in this order."""

AT_END: list[tuple[int, Callable[[State, int], int]]] = []
"""Kinds (as mask) that let their owner draw cards at the end of the phase, clockwise, and how many;
not in the phase in which they were built, and before the end of the game is looked for."""

BLACK_MARKET = bit("black-market")
CRANE = bit("crane")


def discounts() -> tuple[str, ...]:
    """Return the words that decline a discount (G2): the privilege's, then those of buildings."""
    return "privilege", *(name_of(need) for need, _, _ in DISCOUNTS)


def _privilege(st: State, seat: int, mask: int) -> int:
    if seat != st.chooser:
        return 0
    return 2 if st.library and mask & LIBRARY else 1


def _carpenter(st: State, seat: int, kind: int, held: int) -> int:
    return CITY >> kind & 1


def _poor_house(st: State, seat: int, kind: int, held: int) -> int:
    return 1 if held < 2 else 0


AFTER += [
    Reward(bit("carpenter"), _carpenter),
    Reward(bit("poor-house"), _poor_house, "then draws"),
]


def _tavern(st: State, seat: int) -> int:
    """Give a card to the seat with the fewest buildings, unless all have as many (B7)."""
    counts = [st.buildings(other) for other in range(len(st.seats))]
    return 1 if min(counts) == counts[seat] < max(counts) else 0


AT_END.append((bit("tavern"), _tavern))


def working_mask(st: State, seat: int, over: int) -> int:
    """Return the seat's kinds that count for a build over this plot: not the one covered (B5)."""
    if over == EMPTY:
        return st.own_mask[seat]
    return st.own_mask[seat] & ~(1 << st.cards.kind_of[st.city[seat][over]])


def _below(st: State, seat: int, over: int) -> int:
    """Return what the building on this plot takes off the price of one built over it (B4)."""
    if over == EMPTY:
        return 0
    kind = st.cards.kind_of[st.city[seat][over]]
    return COVER.get(kind) or st.cards.cost[kind]


def price(st: State, seat: int, kind: int, over: int = EMPTY, declined: int = 0) -> int:
    """Return the price of a kind for the seat, goods not yet counted (B1, B4, B5)."""
    cost = st.cards.cost[kind]
    mask = st.own_mask[seat]
    if over != EMPTY:
        cost -= _below(st, seat, over)
        mask = working_mask(st, seat, over)
    if not declined & 1:
        cost -= _privilege(st, seat, mask)
    for need, kinds, less in DISCOUNTS:
        declined >>= 1
        if mask & need and kinds >> kind & 1 and not declined & 1:
            cost -= less
    return cost if cost > 0 else 0


def payable_goods(st: State, seat: int, over: int = EMPTY) -> int:
    """Return the plots (as mask) whose goods the black market may take, two at most (B3, B5)."""
    if not working_mask(st, seat, over) & BLACK_MARKET:
        return 0
    return st.full_mask[seat] & ~(1 << over) if over != EMPTY else st.full_mask[seat]


def coverable_plots(st: State, seat: int, kind: int = EMPTY) -> list[int]:
    """Return the plots on which the seat's crane may put a kind, or anything at all (B4)."""
    if not st.own_mask[seat] & CRANE:
        return []
    kind_of = st.cards.kind_of
    crane = KINDS["crane"]
    return [
        plot
        for plot, card in enumerate(st.city[seat])
        if card != EMPTY and kind_of[card] != crane and kind_of[card] != kind
    ]


def may_build(st: State, seat: int, kind: int) -> bool:
    """Return True if the seat may own a (further) copy: one of each city building only (B2)."""
    return not 1 << kind & CITY & st.own_mask[seat]


def beside(st: State) -> list[int]:
    """Return the kinds that lie beside the deck for anyone to build (B8)."""
    return [st.cards.kind_of[card] for card in st.beside]


def payable_cards(st: State, seat: int, kind: int) -> int:
    """Count the hand cards with which the seat can pay for a kind: all but the one it builds."""
    held = len(st.hand[seat])
    return held if st.beside and kind in beside(st) else held - 1


def _could_build(st: State, seat: int) -> bool:
    """Return True if the seat could pay for some card of the set, whatever its hand holds."""
    cost = st.cards.cost
    held = len(st.hand[seat])
    if held > cost[0]:
        return True
    kinds = (*st.cards.dealt, *beside(st)) if held else beside(st)
    for over in (EMPTY, *coverable_plots(st, seat)):
        mask = working_mask(st, seat, over)
        goods = min(2, payable_goods(st, seat, over).bit_count())
        most = goods + _below(st, seat, over) + _privilege(st, seat, mask)
        for need, _, less in DISCOUNTS:
            if mask & need:
                most += less
        for kind in kinds:
            # The kinds go by their cost: no further one can be cheap enough.
            if cost[kind] - most > held:
                break
            if (
                may_build(st, seat, kind)
                and (over == EMPTY or over in coverable_plots(st, seat, kind))
                and price(st, seat, kind, over) - goods <= payable_cards(st, seat, kind)
            ):
                return True
    return False


def _begin(st: State) -> None:
    st.kind = BUILD
    st.serial = True
    st.built = [EMPTY] * len(st.seats)
    if _could_build(st, st.chooser):
        st.actor = st.chooser
    else:
        _next(st, st.chooser)


def _next(st: State, seat: int) -> None:
    """Ask the next seat that could build, or end the phase."""
    while True:
        seat = flow.next_seat(st, seat)
        if seat == st.chooser:
            break
        if _could_build(st, seat):
            st.actor = seat
            return
    for need, count in AT_END:
        for seat in flow.owners(st, need):
            if st.built[seat] == EMPTY or not need >> st.built[seat] & 1:
                st.deal(seat, count(st, seat))
    finish(st)


def finish(st: State) -> None:
    """End a phase in which seats could build, and with it perhaps the game (G6)."""
    for seat, city in enumerate(st.city):
        if len(city) >= LAST_BUILDING and st.buildings(seat) >= LAST_BUILDING:
            flow.begin(st, OVER)
            return
    flow.begin(st, CHOICE)


def place_of(st: State, seat: int, kind: int, pay: tuple[int, ...] = ()) -> int:
    """Return the place of the copy that is built, the first that does not pay, or -1."""
    kind_of = st.cards.kind_of
    for place, card in enumerate(st.hand[seat]):
        if kind_of[card] == kind and place not in pay:
            return place
    return -1


def _build(st: State, action: Action) -> None:
    seat = st.actor
    if action:
        kind, over, goods, pay, _ = action
        mask = working_mask(st, seat, over)
        hand = st.hand[seat]
        built = place_of(st, seat, kind, pay)
        if built >= 0:
            card = hand[built]
        else:
            card = next(card for card in st.beside if st.cards.kind_of[card] == kind)
            st.beside = tuple([other for other in st.beside if other != card])
        if st.log is not None:
            st.say(build_line(st, seat, kind, over, goods, len(pay)))
        left = [held for place, held in enumerate(hand) if place != built and place not in pay]
        st.discards += [hand[place] for place in pay]
        st.hand[seat] = left
        st.discards += [st.take_good(seat, plot) for plot in goods]
        if over == EMPTY:
            st.lay(seat, card)
        else:
            _cover(st, seat, card, over)
        st.built[seat] = kind
        for need, count, _ in AFTER:
            if mask & need and (drawn := count(st, seat, kind, len(st.hand[seat]))):
                st.deal(seat, drawn)
    _next(st, seat)


def build_line(
    st: State, seat: int, kind: int, over: int, goods: tuple[int, ...] = (), paid: int = 0
) -> str:
    """Return the public line for a build that is about to happen."""
    plot = len(st.city[seat]) if over == EMPTY else over
    words = f"build {st.seats[seat]} {NAMES[kind]} plot {plot + 1}"
    if over != EMPTY:
        words += f" over {st.cards.name(st.city[seat][over])}"
    if goods:
        words += " goods " + " ".join(str(plot + 1) for plot in goods)
    return f"{words} price {paid}"


def _cover(st: State, seat: int, card: int, plot: int) -> None:
    """Lay a building over another: its good is lost, what is under it stays (B4)."""
    if st.full_mask[seat] >> plot & 1:
        st.discards.append(st.take_good(seat, plot))
    st.over += ((seat, plot, st.city[seat][plot]),)
    st.put_top(seat, plot, card)


def _refuse(st: State, seat: int, action: Action) -> str:
    if not action:
        return ""
    kind, over, goods, pay, declined = action
    name = NAMES[kind]
    hand = st.hand[seat]
    if not ascending(pay, len(hand)):
        return "the cards paid are not in order"
    if kind not in beside(st):
        if place_of(st, seat, kind) < 0:
            return f"you hold no {name}"
        if place_of(st, seat, kind, pay) < 0:
            return f"the {name} cannot pay for itself"
    if not may_build(st, seat, kind):
        return f"you have a {name} already"
    if over != EMPTY:
        reason = _refuse_over(st, seat, kind, over)
        if reason:
            return reason
    reason = refuse_declined(st, seat, kind, over, declined)
    if reason:
        return reason
    full = price(st, seat, kind, over, declined)
    reason = _refuse_goods(st, seat, over, goods, full)
    if reason:
        return reason
    if len(pay) != full - len(goods):
        given = f" and {len(goods)} goods" if len(goods) > 1 else " and a good" if goods else ""
        return f"{name} costs {full} here; you pay {len(pay)}{given}"
    return ""


def _refuse_over(st: State, seat: int, kind: int, over: int) -> str:
    if not st.own_mask[seat] & CRANE:
        return "you have no crane to build over something"
    city = st.city[seat]
    if not 0 <= over < len(city) or city[over] == EMPTY:
        return f"you have no building on plot {over + 1}"
    if over in coverable_plots(st, seat, kind):
        return ""
    if st.cards.kind_of[city[over]] == kind:
        return "a building cannot cover the same building"
    return "a crane cannot be built over"


def refuse_declined(st: State, seat: int, kind: int, over: int, declined: int) -> str:
    """Say why these discounts may not be declined: each must change the price (G2)."""
    if not declined:
        return ""
    full = price(st, seat, kind, over, declined)
    for number, word in enumerate(discounts()):
        if (
            declined >> number & 1
            and price(st, seat, kind, over, declined & ~(1 << number)) == full
        ):
            return f"to decline the {word} changes nothing here"
    return ""


def _refuse_goods(st: State, seat: int, over: int, goods: tuple[int, ...], full: int) -> str:
    if not goods:
        return ""
    if not working_mask(st, seat, over) & BLACK_MARKET:
        return "you have no black market that takes goods here"
    may = payable_goods(st, seat, over)
    if not ascending(goods, len(st.city[seat])):
        return "you have no building on that plot"
    for plot in goods:
        if not may >> plot & 1:
            return f"there is no good to give up on plot {plot + 1}"
    if len(goods) > 2:
        return "the black market takes two goods at most"
    if len(goods) > full:
        return f"the price is {full}: it needs no more goods than that"
    return ""


flow.BEGIN[BUILDER] = _begin
flow.APPLY[BUILD] = _build
flow.REFUSE[BUILD] = _refuse
