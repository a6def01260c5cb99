"""The legal answers to list: one by one while they are few, else those worth a look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from referee.games.flat import letter_order
from referee.games.values import Choice
from referee.games.xanadu import opening, pile, plays
from referee.games.xanadu.flow import Action, is_opening
from referee.games.xanadu.greedy import Mind
from referee.games.xanadu.recruit import draw_count
from referee.games.xanadu.state import AFTER, FULL, State
from referee.games.xanadu.turn import Walk, leaves_nothing
from referee.games.xanadu.ways import open_spots, ways

ROWS = 50


def legal_actions(st: State, seat: int, limit: int) -> list[Action] | None:
    """Return every legal action, or None when there are more than `limit`."""
    found = list(islice(_openings(st, seat) if is_opening(st) else _turns(st, seat), limit + 1))
    return None if len(found) > limit else found


def _openings(st: State, seat: int) -> Iterator[Action]:
    held = range(len(st.hand[seat]))
    for places in combinations(held, opening.lay_count(st, seat)):
        if not opening.refuse(st, seat, places):
            yield places


def _turns(st: State, seat: int) -> Iterator[Action]:
    yield ()
    for sells in _sales(st, seat):
        if sells:
            yield sells, ()
        if not leaves_nothing(st, seat, sells):
            for steps in _steps(Walk(st, seat, sells)):
                yield sells, steps


def _sales(st: State, seat: int) -> Iterator[tuple[int, ...]]:
    plots = () if st.kind == AFTER else tuple(st.city[seat])
    for count in range(len(plots) + 1):
        yield from combinations(plots, count)


def _steps(walk: Walk) -> Iterator[tuple[Action, ...]]:
    """Yield every row of one step or more with which a turn can go on."""
    hand = walk.st.hand[walk.seat]
    spots = open_spots(walk)
    for place in range(len(hand)):
        if walk.used >> place & 1:
            continue
        for step in (*((place, *spot) for spot in spots), (place,)):
            after = walk.copy()
            if not after.refuse((step,)):
                yield (step,)
                for more in _steps(after):
                    yield (step, *more)


def exact_choices(
    st: State, seat: int, actions: Sequence[Action], letters: Sequence[str]
) -> list[Choice]:
    """Return choices that are complete plays, each with the names behind letters and plots."""
    return [
        Choice(plays.render(st, seat, action, letters), note(st, seat, action, letters))
        for action in actions
    ]


def note(st: State, seat: int, action: Action, letters: Sequence[str]) -> str:
    """Describe an action in the names of cards, in the order of the play."""
    names = st.cards.names
    hand = st.hand[seat]
    if is_opening(st):
        places = sorted(action, key=lambda place: letter_order(letters[place]))
        return ", ".join(names[hand[place]] for place in places)
    if not action:
        return _drawing(st, seat, (), 0)
    sells, steps = action
    parts = []
    if sells:
        sold = [st.city[seat][plot] for plot in sells]
        total = sum(st.price(building) for building in sold)
        parts.append(f"sell {', '.join(names[card] for card, _ in sold)} for {total}")
    workers = [names[hand[step[0]]] for step in steps if len(step) == 3]
    if workers:
        parts.append(f"work with {', '.join(workers)}")
    if sells and leaves_nothing(st, seat, sells):
        return "; ".join([*parts, "all begin anew"])
    return "; ".join([*parts, _drawing(st, seat, sells, len(steps))])


def _drawing(st: State, seat: int, sells: Sequence[int], steps: int) -> str:
    """Describe the draw; what is sold, workers and all, is in the discards by then."""
    sold = bool(sells) or st.kind == AFTER
    count = draw_count(len(st.hand[seat]) - steps, sold, bool(sells or steps))
    rest = pile.cards_left(st)
    if st.end_pile:
        rest -= 1
        ends = True
    else:
        back = len(st.discards) + sum(1 + len(st.city[seat][plot][1]) for plot in sells)
        rest += back
        ends = back > 0 and st.epoch == st.passes - 2
    draw = f"draw {min(count, rest)}" if count > 0 < rest else "draw nothing"
    return f"{draw}; the End card comes" if ends and count > rest else draw


def listed_choices(st: State, seat: int, letters: Sequence[str]) -> list[Choice]:
    """List the legal answers; where they are many, one for each thing to build or sell, and
    patterns of all others."""
    found = legal_actions(st, seat, ROWS)
    if found is not None:
        rows = exact_choices(st, seat, found, letters)
        if is_opening(st):
            rows.sort(key=lambda row: [letter_order(word) for word in row.play.split()[1:]])
        return rows
    if is_opening(st):
        size = opening.lay_count(st, seat)
        return [Choice(" ".join(["open", *["LETTER"] * size]), exact=False)]
    rows = exact_choices(st, seat, [(), *_builds(st, seat), *_worth_selling(st, seat)], letters)
    return [*rows, *_patterns(st, seat)][:ROWS]


def _builds(st: State, seat: int) -> Iterator[Action]:
    """Yield an example for each card that can be paid for; if there is no room, after a sale."""
    walk = Walk(st, seat)
    sells: tuple[int, ...] = ()
    if walk.rows >= st.city_limit:
        if st.kind == AFTER:
            return
        city = st.city[seat]
        sells = (min(city, key=lambda plot: (-st.price(city[plot]), plot)),)
        walk = Walk(st, seat, sells)
    for place in range(len(st.hand[seat])):
        for action in payments(st, seat, place, walk, 1):
            yield sells, action


def payments(st: State, seat: int, place: int, walk: Walk, most: int) -> list[tuple[Action, ...]]:
    """Return up to `most` rows of steps that go on from `walk` and build the card at a place."""
    card = st.hand[seat][place]
    spare = Mind(st, seat).spare(walk.used | 1 << place)
    found = islice(ways(walk, st.cards.cost[card], len(spare)), most)
    return [
        (*((worker, *spot) for spot, worker in zip(way, spare, strict=False)), (place,))
        for way in found
    ]


def _worth_selling(st: State, seat: int) -> Iterator[Action]:
    if st.kind == AFTER:
        return
    plots = tuple(st.city[seat])
    for plot in plots:
        yield (plot,), ()
    if len(plots) > 1:
        yield plots, ()


def _patterns(st: State, seat: int) -> list[Choice]:
    """Return the form of a whole turn, and a row for each building on which a worker may go."""
    whole = "work LETTER SEAT PLOT build CARD"
    if st.kind != AFTER and st.city[seat]:
        whole = f"sell PLOT… {whole}"
    how = "builds" if st.many_builds else "one build"
    rows = [Choice(whole, f"more in one turn: any workers and {how}, in any order", exact=False)]
    cards = st.cards
    for owner, plot in open_spots(Walk(st, seat)):
        card, crew = st.city[owner][plot]
        bonus = st.bonus[cards.colour[card]]
        now, then = (cards.prices[card][len(crew) + more] + bonus for more in (0, 1))
        gain = cards.gives[card][len(crew)]
        text = f"{cards.names[card]}: {cards.told(gain)}; price {now} → {then}"
        favour = cards.favours[card][len(crew)]
        if favour:
            whose = "your" if owner == seat else f"{st.seats[owner]}'s"
            text += f"; {whose} favour {cards.told(favour)}"
        if len(crew) + 1 == FULL:
            text += "; sold at once"
        rows.append(Choice(f"work LETTER {st.seats[owner]} {plot}", text, exact=False))
    return rows
