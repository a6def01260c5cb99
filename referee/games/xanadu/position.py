"""Positions: a state with nothing hidden, written by hand as TOML.

    variants = ["advanced"]
    passes = 3                   # how often the pile is played; default by number of seats
    stall_guard = false          # default true
    round = 3                    # default 1
    active = "ben"               # whose turn it is; default the first seat
    asking = "turn"              # default once something is built, before that "opening";
                                 # "after" its sales have emptied the table; "over"; or all
                                 # choose what they begin with: "reset" in a turn, "opening" before
    waiting = ["ana"]            # who still has to choose; default: all who have cards
    need = 2                     # how many cards each chooses; default: what is usual then
    deck = ["barracks", "..."]   # next first; a last "...": all that is nowhere else, by name
    end = ["barracks", "end-of-game"]    # what lies under it in the last pass, next first
    discards = ["meeting-room"]  # the top one last
    reshuffles = 1               # how often the pile was shuffled again; with `end` the last time
    idle = 2                     # turns in a row in which nothing has happened
    [[seats]]
    name = "ana"
    hand = ["meeting-room"]      # in deal order
    coins = 12
    plots = 4                    # how many plots were ever used; default: the last one in the city
    city = ["barracks", { card = "tailors-shop", plot = 4, workers = [
            "meeting-room", { card = "barracks", by = "ben" }] }]
    [own-deck]                   # another deck than the program's, as a deck file has it

In a city, plots count 1, 2, … unless `plot` says otherwise. Workers lie from the bottom up, by
default placed by the owner; a number stands for so many cards that are nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.values import Shuffle
from referee.games.xanadu.game import Xanadu
from referee.games.xanadu.layout import OVER, Layout
from referee.games.xanadu.state import KIND_NAMES, NOTHING, State


def load(document: Mapping[str, Any], shuffle: Shuffle | None = None) -> Xanadu:
    """Return the game that a position describes, at its first open decision.

    Without `shuffle` a reshuffled pile is in the order of the cards' names. Raises NotUnderstood
    with everything that `status` finds.
    """
    layout = Layout(document, shuffle)
    layout.check()
    return Xanadu(layout.rules, layout.state)


def status(document: Mapping[str, Any]) -> list[str]:
    """List all that is impossible about a position; nothing when it can be loaded."""
    return Layout(document, None).faults


def dump(game: Xanadu) -> dict[str, Any]:
    """Write a game, at any decision or after its end, as a position that loads as an equal game."""
    st, terms = game.state, game.rules.terms()
    name = st.cards.names
    document: dict[str, Any] = {
        **{key: terms[key] for key in ("variants", "own-deck") if terms.get(key)},
        "passes": st.passes,
        "stall_guard": st.stall_guard,
        "round": st.round,
        "active": st.seats[st.active],
        "asking": OVER if st.kind == NOTHING else KIND_NAMES[st.kind],
    }
    if st.need:
        document["waiting"] = [st.seats[seat] for seat in st.waiting()]
        document["need"] = st.need
    document["deck"] = [name[card] for card in st.deck[st.next :]]
    if st.buried:
        document["end"] = [name[card] for card in st.end_pile[st.end_next :]]
    document |= {
        "discards": [name[card] for card in st.discards],
        "reshuffles": st.epoch,
        "idle": st.idle_turns,
        "seats": [_dump_seat(st, seat) for seat in range(len(st.seats))],
    }
    return document


def _dump_seat(st: State, seat: int) -> dict[str, Any]:
    name = st.cards.names
    return {
        "name": st.seats[seat],
        "hand": [name[card] for card in st.hand[seat]],
        "coins": st.coins[seat],
        "plots": st.plots_used[seat],
        "city": [
            {
                "card": name[card],
                "plot": plot,
                "workers": [
                    {"card": name[placed >> 3], "by": st.seats[placed & 7]} for placed in crew
                ],
            }
            for plot, (card, crew) in st.city[seat].items()
        ],
    }
