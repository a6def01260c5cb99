"""The legal answers to list: one by one while they are few, else in groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice

from referee.games.flat import letter_order
from referee.games.sanjuan import builder, councillor, flow, plays, roles, round_start, trader
from referee.games.sanjuan.cards import NAMES
from referee.games.sanjuan.flow import Action, plots_of
from referee.games.sanjuan.state import (
    BUILD,
    BUILDER,
    COUNCILLOR,
    EMPTY,
    FREE_BUILD,
    KEEP,
    KIND_NAMES,
    PRODUCER,
    PROSPECTOR,
    ROLE,
    ROLES,
    SELL,
    TIDY,
    TRADER,
    VISIT,
    State,
)
from referee.games.values import Choice

ROWS = 50
COMBINATIONS = 16
"""The most ways to choose several cards that are listed one by one; of more the number is said."""


def legal_actions(st: State, seat: int, limit: int) -> list[Action] | None:
    """Return every legal action, or None when there are more than `limit`."""
    found = list(islice(_EVERY[st.kind](st, seat), limit + 1))
    return None if len(found) > limit else found


def role_actions(st: State, seat: int) -> Iterator[Action]:
    """Yield every way to choose a role or an event."""
    for role in range(len(ROLES)):
        if not st.roles_used >> role & 1:
            yield from _with_library(st, seat, role, -1)
    for event in roles.open_events(st):
        if event != VISIT:
            yield -1, False, event
        else:
            for role in plots_of(st.roles_used):
                yield from _with_library(st, seat, role, event)


def _with_library(st: State, seat: int, role: int, event: int) -> Iterator[Action]:
    yield role, False, event
    if roles.may_use_library(st, seat):
        yield role, True, event


def _builds(st: State, seat: int) -> Iterator[Action]:
    yield ()
    held = range(len(st.hand[seat]))
    beside = builder.beside(st)
    for kind, over, goods, declined, count in prices(st, seat, buildable(st, seat)):
        for pay in combinations(held, count):
            if kind in beside or builder.place_of(st, seat, kind, pay) >= 0:
                yield kind, over, goods, pay, declined


def prices(
    st: State, seat: int, kinds: Sequence[int]
) -> Iterator[tuple[int, int, tuple[int, ...], int, int]]:
    """Yield (kind, over, goods, declined, cards to pay) of all builds that the hand can pay for."""
    for kind in kinds:
        if not builder.may_build(st, seat, kind):
            continue
        rest = builder.payable_cards(st, seat, kind)
        for over in (EMPTY, *builder.coverable_plots(st, seat, kind)):
            spots = plots_of(builder.payable_goods(st, seat, over))
            for declined in range(1 << len(builder.discounts())):
                if builder.refuse_declined(st, seat, kind, over, declined):
                    continue
                price = builder.price(st, seat, kind, over, declined)
                for given in range(min(2, price, len(spots)) + 1):
                    if price - given <= rest:
                        for goods in combinations(spots, given):
                            yield kind, over, goods, declined, price - given


def buildable(st: State, seat: int) -> list[int]:
    """Return the kinds in the seat's hand, each once, in deal order, then those on the table."""
    kinds = [st.cards.kind_of[card] for card in st.hand[seat]]
    return list(dict.fromkeys(kinds + builder.beside(st)))


def _picks(st: State, seat: int) -> Iterator[Action]:
    among, least, most = flow.SELECT[st.kind](st, seat)
    for count in range(least, most + 1):
        yield from combinations(among, count)


def _tidy(st: State, seat: int) -> Iterator[Action]:
    limit = round_start.hand_limit(st, seat)

    def tuck(
        number: int, left: tuple[int, ...], chosen: tuple[tuple[int, ...], ...]
    ) -> Iterator[Action]:
        if number == len(round_start.TUCKS):
            for discard in combinations(left, max(0, len(left) - limit)):
                action = (*chosen, discard)
                yield action if any(action) else ()
            return
        for count in range(round_start.TUCKS[number].most(st, seat) + 1):
            for places in combinations(left, count):
                rest = tuple(place for place in left if place not in places)
                yield from tuck(number + 1, rest, (*chosen, places))

    yield from tuck(0, tuple(range(len(st.hand[seat]))), ())


_EVERY: list[Callable[[State, int], Iterator[Action]]] = [_picks] * len(KIND_NAMES)
_EVERY[ROLE] = role_actions
_EVERY[BUILD] = _builds
_EVERY[TIDY] = _tidy


def multisets(
    st: State, seat: int, among: Sequence[int], count: int, spare: int = EMPTY
) -> Iterator[tuple[int, ...]]:
    """Yield `count` of the places, each multiset of names once and from the lowest places on.

    One card of the kind `spare` is left out: it is built.
    """
    places: dict[int, list[int]] = {}
    for place in among:
        places.setdefault(st.cards.kind_of[st.hand[seat][place]], []).append(place)
    if spare in places:
        places[spare].pop()
    groups = list(places.values())

    def pick(number: int, left: int) -> Iterator[tuple[int, ...]]:
        if not left:
            yield ()
        elif number < len(groups):
            for taken in range(min(left, len(groups[number])), -1, -1):
                for more in pick(number + 1, left - taken):
                    yield (*groups[number][:taken], *more)

    for bundle in pick(0, count):
        yield tuple(sorted(bundle))


def card_names(st: State, seat: int, places: Sequence[int]) -> str:
    """Return the names of the cards at these places, for people."""
    return ", ".join(st.cards.name(st.hand[seat][place]) for place in places)


def exact_choices(
    st: State, seat: int, actions: Sequence[Action], letters: Sequence[str]
) -> list[Choice]:
    """Return choices that are complete plays, each with the names behind its letters."""
    return [
        Choice(plays.render(st, seat, action, letters), note(st, seat, action, letters))
        for action in actions
    ]


def in_order(rows: list[Choice]) -> list[Choice]:
    """Sort choices that differ in letters or plots: few before many, ascending; `pass` last."""

    def order(row: Choice) -> tuple[bool, int, list[tuple[int, str]]]:
        words = row.play.split()
        # Names stay in the order that they have.
        marks = [letter_order(word) if len(word) < 3 else (0, "") for word in words]
        return row.play == "pass", len(words), marks

    return sorted(rows, key=order)


def note(st: State, seat: int, action: Action, letters: Sequence[str]) -> str:
    """Name what the letters and plots of an action stand for, in the order of the play."""
    if not action:
        return {SELL: "sell nothing", FREE_BUILD: "build nothing"}.get(st.kind, "")
    if st.kind == ROLE:
        role, plain, _ = action
        return _role_note(st, seat, role, not plain and roles.may_use_library(st, seat))
    parts = []
    grammar = {word: named for word, named, _ in plays.grammar(st)}
    for word, numbers in plays.take_apart(st, seat, action).items():
        if grammar[word] == plays.LETTER:
            places = sorted(numbers, key=lambda place: letter_order(letters[place]))
            parts.append(f"{word} {card_names(st, seat, places)}")
        elif grammar[word] == plays.PLOT:
            names = ", ".join(st.cards.name(st.city[seat][plot]) for plot in numbers)
            parts.append(f"{word} {names}")
    if st.kind == SELL:
        parts.append(f"draw {sale_draw(st, seat, action) or 'nothing'}")
    return "; ".join(parts)


def _role_note(st: State, seat: int, role: int, library: bool) -> str:
    """Say what a role does for all, and for whoever chooses it."""
    more = 2 if library else 1
    drawn = councillor.LIBRARY_SHARE if library else councillor.SHARE
    return {
        BUILDER: f"all may build; you pay {more} less",
        PRODUCER: f"all may produce 1 good; you {1 + more}",
        TRADER: f"all may sell 1 good; you {1 + more}",
        COUNCILLOR: "all draw 2 and keep 1; "
        f"you draw {drawn} and keep {councillor.keep_limit(st, seat)}",
        PROSPECTOR: f"you draw {more}; the others nothing",
    }.get(role, "")


def sale_draw(st: State, seat: int, sold: tuple[int, ...]) -> int:
    """Count the cards that a sale draws, as far as there are any; its goods are among them."""
    kept = sum(st.own_mask[seat] >> kind & 1 for kind in trader.KEEPERS)
    return min(trader.sale_value(st, seat, sold), st.left() + max(0, len(sold) - kept))


def one_by_one(
    st: State,
    seat: int,
    actions: Iterator[Action],
    letters: Sequence[str],
    group: Choice,
    rows: int = ROWS,
) -> list[Choice]:
    """List the actions one by one, or the group where there are `rows` of them or more."""
    found = list(islice(actions, rows))
    return in_order(exact_choices(st, seat, found, letters)) if len(found) < rows else [group]


def listed_choices(st: State, seat: int, letters: Sequence[str]) -> list[Choice]:
    """List the legal answers, equal cards counted once, grouped where they are many."""
    kind = st.kind
    if kind == BUILD:
        return [*_build_rows(st, seat, letters), Choice("pass", "build nothing")]
    if kind == TIDY:
        return _tidy_rows(st, seat, letters)
    if kind == ROLE:
        return exact_choices(st, seat, list(role_actions(st, seat)), letters)
    named = {word: names for word, names, _ in plays.GRAMMAR[kind]}
    word = plays.keep_word(st, seat) if kind == KEEP else plays.GRAMMAR[kind][0][0]
    among, _, most = flow.SELECT[kind](st, seat)
    if named[word] == plays.LETTER:
        return _letter_rows(st, seat, letters, word)
    text = f"plots {' '.join(str(plot + 1) for plot in among)}"
    group = Choice(f"{word} PLOT…", text, exact=False)
    rows = one_by_one(st, seat, _picks(st, seat), letters, group)
    if kind == SELL and rows == [group]:
        most = trader.sale_limit(st, seat)
        rows = [Choice("sell PLOT…", f"up to {most} of {text}", exact=False), Choice("pass")]
    return rows


def _letter_rows(st: State, seat: int, letters: Sequence[str], word: str) -> list[Choice]:
    among, least, most = flow.SELECT[st.kind](st, seat)
    where = "the cards drawn" if st.kind == KEEP and word == "keep" else "your cards"
    if least == most:
        group = Choice(_pattern(word, most), f"any {most} of {where}", exact=False)
    else:
        group = Choice(f"{word} LETTER…", f"up to {most} of {where}", exact=False)
    actions = (
        places
        for count in range(max(least, 1), most + 1)
        for places in multisets(st, seat, among, count)
    )
    rows = one_by_one(st, seat, actions, letters, group, COMBINATIONS if most > 1 else ROWS)
    return rows if least else [*rows, Choice("pass", "keep all cards")]


def _pattern(word: str, count: int) -> str:
    return f"{word} {'LETTER ' * count if count < 5 else 'LETTER…'}".rstrip()


def _build_rows(st: State, seat: int, letters: Sequence[str]) -> list[Choice]:
    plain: list[Choice] = []
    helped: list[Choice] = []
    held = range(len(st.hand[seat]))
    for kind in buildable(st, seat):
        covers: dict[int, int] = {}
        goods: set[int] = set()
        for _, over, given, declined, count in prices(st, seat, [kind]):
            if declined:
                continue
            if over != EMPTY:
                covers[over] = max(count, covers.get(over, 0))
            elif given:
                goods.add(len(given))
            else:
                payments = multisets(st, seat, held, count, kind)
                actions = ((kind, EMPTY, (), pay, 0) for pay in payments)
                found = list(islice(actions, 2))
                if len(found) == 1:
                    row = exact_choices(st, seat, found, letters)[0]
                    plain.append(Choice(row.play, row.note or "for nothing"))
                else:
                    text = f"build {NAMES[kind]} {_pattern('pay', count)}"
                    plain.append(Choice(text, f"price {count}", exact=False))
        if goods:
            text = f"build {NAMES[kind]} goods PLOT… pay LETTER…"
            helped.append(Choice(text, "each good pays for one card", exact=False))
        if covers:
            text = "; ".join(f"plot {over + 1} to pay {count}" for over, count in covers.items())
            helped.append(Choice(f"build {NAMES[kind]} over PLOT pay LETTER…", text, exact=False))
    return plain + helped[: ROWS - 2 - len(plain)]


def _tidy_rows(st: State, seat: int, letters: Sequence[str]) -> list[Choice]:
    held = range(len(st.hand[seat]))
    limit = round_start.hand_limit(st, seat)
    nothing: tuple[tuple[int, ...], ...] = ((),) * len(round_start.TUCKS)
    excess = max(0, len(held) - limit)
    limited = f"down to {limit} cards"
    text = f"any {excess} of your cards; {limited}"
    group = Choice(_pattern("discard", excess), text, exact=False)
    rows = [Choice("pass", "keep all cards")]
    if excess:
        actions = ((*nothing, places) for places in multisets(st, seat, held, excess))
        rows = one_by_one(st, seat, actions, letters, group, COMBINATIONS if excess > 1 else ROWS)
    for number, tuck in enumerate(round_start.TUCKS):
        most = tuck.most(st, seat)
        if most > 1:
            over = f"; then --discard what is over {limit}" if excess else ""
            rows.append(Choice(f"{tuck.word} LETTER…", f"up to {most} cards{over}", exact=False))
        elif most and excess > 1:
            rest = _pattern("discard", excess - 1)
            rows.append(Choice(f"{tuck.word} LETTER {rest}", limited, exact=False))
        elif most:
            tucked = [
                (*nothing[:number], places, *nothing[number + 1 :], ())
                for places in multisets(st, seat, held, 1)
            ]
            rows += in_order(exact_choices(st, seat, tucked, letters))
    return rows
