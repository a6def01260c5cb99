"""The prospector phase: a card for the prospector, then what the mines and smiths turn over.

An action is the kind of the card taken.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.games.sanjuan import flow
from referee.games.sanjuan.cards import NAMES, bit
from referee.games.sanjuan.flow import Action, Selection
from referee.games.sanjuan.state import CHOICE, EMPTY, MINE, PROSPECTOR, TABLE, State
from referee.games.values import Shown, Taken
from referee.records import NamedTuple


class Digger(NamedTuple):
    """A kind (as mask) that turns cards over for its owner, who may get one of them.

    `dig` is given the `word` under which the log tells it. It returns true when the owner is asked
    something first, and `resume` goes on from there.
    """

    need: int
    word: str
    dig: Callable[[State, int, str], bool]


DIGGERS: list[Digger] = []
"""Diggers in the order in which they act after the prospector's draw, each kind clockwise."""

CHOSEN = ("2004",)
"""Editions in which the owner of a gold mine picks the card; else it is the cheapest (1.2)."""


def _begin(st: State) -> None:
    seat = st.chooser
    st.deal(seat, 2 if st.library else 1)
    resume(st, 0)


def resume(st: State, step: int) -> None:
    """Resume at a step: the steps are all seats clockwise, for each digger in turn."""
    count = len(st.seats)
    while step < count * len(DIGGERS):
        need, word, dig = DIGGERS[step // count]
        if not st.anywhere & need:
            step += count - step % count
            continue
        seat = (st.chooser + step) % count
        if st.own_mask[seat] & need and dig(st, seat, word):
            return
        step += 1
    flow.begin(st, CHOICE)


def _turn_over(st: State, count: int) -> list[int]:
    """Draw cards for all to see."""
    turned = list(st.draw(count, TABLE))
    if st.log is not None:
        st.log += [Shown("deck", card) for card in turned]
    return turned


def _give(st: State, seat: int, word: str, turned: list[int], found: int) -> None:
    """Give the seat one of the cards turned over, or none (EMPTY), and discard the rest."""
    if st.log is not None:
        name = "nothing" if found == EMPTY else st.cards.name(found)
        st.say(f"{word} {st.seats[seat]} {name}")
    if found != EMPTY:
        if st.log is not None:
            st.log.append(Taken(st.seats[seat], "deck", found))
        turned.remove(found)
        st.hand[seat].append(found)
    st.discards += turned


def _gold_mine(st: State, seat: int, word: str) -> bool:
    """Turn four cards over: one of them goes to the owner if all costs differ (T1)."""
    if st.left() < 4:
        return False
    turned = _turn_over(st, 4)
    cards = st.cards
    costs = [cards.cost[cards.kind_of[card]] for card in turned]
    if len(set(costs)) < 4:
        _give(st, seat, word, turned, EMPTY)
    elif cards.edition in CHOSEN:
        st.kind = MINE
        st.serial = True
        st.actor = seat
        st.turned = tuple(turned)
        return True
    else:
        _give(st, seat, word, turned, turned[costs.index(min(costs))])
    return False


def _take(st: State, action: Action) -> None:
    seat = st.actor
    kind_of = st.cards.kind_of
    found = next(card for card in st.turned if kind_of[card] == action[0])
    turned, st.turned = list(st.turned), ()
    _give(st, seat, _MINES.word, turned, found)
    count = len(st.seats)
    resume(st, DIGGERS.index(_MINES) * count + (seat - st.chooser) % count + 1)


def _pick(st: State, seat: int) -> Selection:
    return sorted(st.cards.kind_of[card] for card in st.turned), 1, 1


def _refuse(st: State, seat: int, action: Action) -> str:
    reason = flow.refuse_count(st, seat, action)
    if reason:
        return reason
    if action[0] not in _pick(st, seat)[0]:
        return f"there is no {NAMES[action[0]]} among the cards turned over"
    return ""


_MINES = Digger(bit("gold-mine"), "mine", _gold_mine)


def _goldsmith(st: State, seat: int, word: str) -> bool:
    """Turn one card over: the owner gets it if nobody has that building in play (T1)."""
    turned = _turn_over(st, 1)
    for card in turned[:]:
        kind = st.cards.kind_of[card]
        _give(st, seat, word, turned, EMPTY if st.anywhere >> kind & 1 else card)
    return False


DIGGERS += [_MINES, Digger(bit("goldsmith"), "goldsmith", _goldsmith)]

flow.BEGIN[PROSPECTOR] = _begin
flow.SELECT[MINE] = _pick
flow.APPLY[MINE] = _take
flow.REFUSE[MINE] = _refuse
