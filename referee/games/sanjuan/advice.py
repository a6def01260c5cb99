"""Plans that the greedy player would write: its likings said ahead, for whatever may come.

A builder phase comes with other cards than those in hand, so its wishes have every kind that the
seat might come to hold, as far as the bot would pay for it. A turn comes when others have taken
roles, so there is a wish for those after which the bot would take another one than now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from referee.games.sanjuan import builder, flow, producer, trader
from referee.games.sanjuan import roles as choice
from referee.games.sanjuan.cards import EVENTS, NAMES
from referee.games.sanjuan.mind import AVERAGE, Mind
from referee.games.sanjuan.state import (
    BUILDER,
    CHOICE,
    EMPTY,
    PRODUCER,
    ROLES,
    TRADER,
    VISIT,
    State,
)

LONGEST = 390
"""No suggested line has more characters, so that people can add to it."""
PAYS = " pay worst"
NOBODY = -1
LONGEST_ORDER, LONGEST_BUILD = 130, 70
"""No order of all roles and events has more characters, and no wish for one building."""


def written(st: State, seat: int, room: int) -> list[str]:
    """Return the clauses on building and on turns, of so many characters together at most."""
    found = builds(st, seat, room - LONGEST_ORDER)
    return [*found, *turn(st, seat, room - sum(map(len, found)))]


def builds(st: State, seat: int, room: int) -> list[str]:
    """Return what is built of the kinds that are worth most to the bot, and that the worst pay.

    They stand in the order of their gains, as the bot builds the first of these that it can pay.
    Where it would cover a building now, pay in goods, or build none of these, that comes first.
    """
    mind = Mind(st, seat)
    kinds = [*st.cards.dealt, *builder.beside(st)]
    gains = {kind: mind.gain(kind) for kind in kinds if builder.may_build(st, seat, kind)}
    own = st.own_mask[seat]
    goods = " goods" if own & builder.BLACK_MARKET else ""
    ways = 2 if own & builder.CRANE else 1
    most = min(LONGEST, room // ways - LONGEST_BUILD) - len(f"builder: build goods{PAYS}")
    names = ""
    for kind in sorted(gains, key=lambda kind: (-gains[kind], kind)):
        longer = f"{names} {NAMES[kind]}"
        if gains[kind] > 0 and len(longer) <= most:
            names = longer
    wishes = [f"build{names}{goods}{PAYS}"] if names else []
    _, action = mind.builds()
    if action and (action[1] != EMPTY or action[2] or NAMES[action[0]] not in names.split()):
        below = "" if action[1] == EMPTY else f" over {_standing(st, seat, action[1])}"
        wishes.insert(0, f"build {NAMES[action[0]]}{below}{goods}{PAYS}")
    if names and own & builder.CRANE:
        wishes.append(f"build{names} over worst{goods}{PAYS}")
    return list(_lines("builder", [*dict.fromkeys(wishes), "pass"] if wishes else ["best"]))


def _standing(st: State, seat: int, plot: int) -> str:
    return NAMES[st.cards.kind_of[st.city[seat][plot]]]


def turn(st: State, seat: int, room: int) -> list[str]:
    """Return what the bot would choose after the roles that others may take before, as far as
    there is room, and then its order of all that can be chosen.
    """
    base, count = _before(st, seat)
    order = _order(base, seat, used=True)
    free = [role for role in range(len(ROLES)) if not base.roles_used >> role & 1]
    cases: list[tuple[str, tuple[int, ...]]] = []
    for taken in combinations(free, count) if 0 < count < len(free) else ():
        then = base
        for role in sorted(taken, key=_EFFECTS.index):
            then = _after(then, seat, role)
        wanted = next(name for name in _order(then, seat) if not name.startswith(EVENTS[VISIT]))
        if wanted != next(name for name in order if not _is_used(then, name)):
            cases.append((wanted, taken))
    order_now = " ".join(order)
    wishes: list[str] = []
    for wanted, taken in cases:
        wish = f"{wanted} if {' and '.join(f'after {ROLES[role]}' for role in taken)}"
        if sum(map(len, _lines("role", [*wishes, wish, order_now]))) <= room:
            wishes.append(wish)
    return list(_lines("role", [*wishes, order_now]))


def _is_used(st: State, name: str) -> bool:
    return name in ROLES and bool(st.roles_used >> ROLES.index(name) & 1)


def _lines(subject: str, wishes: Iterable[str]) -> Iterator[str]:
    """Put wishes one after the other into lines that are not too long."""
    line = ""
    for wish in wishes:
        if line and len(f"{line}, else {wish}") > LONGEST:
            yield line
            line = ""
        line = f"{line}, else {wish}" if line else f"{subject}: {wish}"
    yield line


def _order(st: State, seat: int, *, used: bool = False) -> list[str]:
    """Return roles and open events in the order of their values to the bot.

    Roles that were taken are left out, unless those `used` are wanted too.
    """
    mind = Mind(st, seat)
    roles = [role for role in range(len(ROLES)) if used or not st.roles_used >> role & 1]
    values = [(-mind.role(role), place, ROLES[role]) for place, role in enumerate(roles)]
    for event in choice.open_events(st):
        place = len(ROLES) + event
        if event != VISIT:
            values.append((-mind.event(event), place, EVENTS[event]))
        elif st.roles_used:
            value, role = max((mind.role(role), role) for role in flow.plots_of(st.roles_used))
            values.append((-value, place, f"{EVENTS[event]} {ROLES[role]}"))
    return [name for _, _, name in sorted(values)]


def _before(st: State, seat: int) -> tuple[State, int]:
    """Return the table of the seat's next turn, and how many roles are taken there before."""
    seats = len(st.seats)
    count = choice.turns_in_round(seats)
    chooses = st.phase == CHOICE
    if chooses and st.chooser == seat:
        return st, 0
    for turn in range(st.turn, count):
        if (st.governor + turn) % seats == seat:
            return st, turn - st.turn + chooses
    then = st.copy()
    then.roles_used = then.library_used = 0
    return then, next(turn for turn in range(count) if (st.governor + 1 + turn) % seats == seat)


# What becomes of a table when somebody else takes a role.


def _after(st: State, seat: int, role: int) -> State:
    then = st.copy()
    then.chooser, then.library = NOBODY, False
    if role in (PRODUCER, TRADER):
        change = _produced if role == PRODUCER else _sold
        for other in range(len(st.seats)):
            change(then, other)
    elif role == BUILDER:
        _built(then, seat)
    then.chooser, then.library = st.chooser, st.library
    then.roles_used |= 1 << role
    return then


_EFFECTS = (PRODUCER, BUILDER, TRADER, *sorted({*range(len(ROLES))} - {PRODUCER, BUILDER, TRADER}))
"""The order in which roles are thought to be taken, where nobody can know it."""


def _produced(st: State, seat: int) -> None:
    st.full_mask[seat] |= _best(st, seat, producer.empty_mask(st, seat), producer.production_limit)


def _sold(st: State, seat: int) -> None:
    st.full_mask[seat] &= ~_best(st, seat, st.full_mask[seat], trader.sale_limit)


def _best(st: State, seat: int, plots: int, limit: Callable[[State, int], int]) -> int:
    """Return the plots (as mask) of the best goods, as many as a phase allows."""
    kind_of, city = st.cards.kind_of, st.city[seat]
    order = sorted(flow.plots_of(plots), key=lambda plot: (-AVERAGE[kind_of[city[plot]]], plot))
    return sum(1 << plot for plot in order[: limit(st, seat)])


def _built(st: State, seat: int) -> None:
    """Build what the bot would build without a privilege, on a new plot and from the hand."""
    mind = Mind(st, seat)
    _, action = mind.builds()
    place = builder.place_of(st, seat, action[0]) if action else -1
    if place < 0 or action[1] != EMPTY:
        return
    rest = [other for other in range(len(mind.hand)) if other != place]
    gone = {place, *mind.cheapest(rest, action[3])}
    st.lay(seat, st.hand[seat][place])
    st.hand[seat] = [card for at, card in enumerate(st.hand[seat]) if at not in gone]
