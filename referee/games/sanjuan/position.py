"""Positions: a state with nothing hidden, written by hand as TOML.

    edition = "2014"
    round = 3                    # default 1
    round_limit = 100
    governor = "ana"             # default: by round number
    used = ["trader"]            # roles taken this round; the one being carried out may be left out
    phase = "role"               # "role", "round-start", "draft", "over", or a role or event,
                                 # which then begins
    turn = 2                     # number of the choice in the round; default: after the used roles
    chooser = "ben"              # default: follows from governor and turn
    library = true               # in use in the running phase; default: if it could be
    library-used = ["ana"]       # seats whose library is spent this round
    tiles = ["11222"]            # next first; those left out follow in their order
    deck = ["library", "..."]    # next first; a last "...": all that is nowhere else, by name,
                                 # events last
    discards = ["well"]
    reshuffles = 0               # how often the deck has been reshuffled
    events = ["taxes"]           # face up; the one being carried out may be left out
    beside = ["cathedral"]       # lies on the table; default: unless it is somewhere else
    removed = ["earthquake"]     # what left the game
    bank-used = ["ana"]          # seats that have used a bank
    waiting = ["cleo"]           # the phase has begun; these seats are asked, in this order
    asking = "office"            # what they are asked, where a phase asks more than one thing
    turned = ["well", "statue", "crane", "smithy"]     # four cards of which somebody takes one
    sold = true                  # in a trader phase that has begun: whether anything was sold
    one-by-one = true            # a `keep` that goes seat by seat (C2)
    [[seats]]
    name = "ana"
    hand = ["library", "crane"]  # in deal order, what has just been drawn last
    drawn = 0                    # how many of them the seat chooses from in a `keep`
    built = 3                    # the plot laid in the running builder phase
    plots = 5                    # how many plots have ever been used; default: up to the last one
    city = ["indigo-plant", { card = "sugar-mill", good = true }, { card = "palace", plot = 4,
            over = ["chapel"], under = ["well"] }]

In a city, plots count 1, 2, … unless `plot` says otherwise; a good is a card's name or `true` for
any; `over` is what was built over, bottom first; `under` is what was tucked away where its owner
may look at it, `unseen` what a harbor took.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.sanjuan import flow
from referee.games.sanjuan.cards import TILES
from referee.games.sanjuan.game import SanJuan
from referee.games.sanjuan.layout import KEYS, Layout
from referee.games.sanjuan.state import (
    BUILDER,
    EMPTY,
    KIND_NAMES,
    KINDS_OF,
    OVER,
    PHASES,
    ROLES,
    TRADER,
    State,
)
from referee.games.values import Shuffle


def load(document: Mapping[str, Any], shuffle: Shuffle | None = None) -> SanJuan:
    """Return the game that a position describes, at its first open decision.

    Without `shuffle` a reshuffled pile is in the order of the cards' names. Raises NotUnderstood
    with everything that `status` finds.
    """
    layout = Layout(document, shuffle)
    layout.check()
    return layout.rules.resume(layout.state, layout.begin)


def status(document: Mapping[str, Any]) -> list[str]:
    """List all that is impossible about a position; nothing when it can be loaded."""
    return Layout(document, None).faults


def dump(game: SanJuan) -> dict[str, Any]:
    """Write a game, at any decision or after its end, as a position that loads as an equal game."""
    st = game.state
    name = st.cards.name
    at = st.tile % len(st.tiles)
    document: dict[str, Any] = {
        **{key: value for key, value in game.rules.terms().items() if key in KEYS and value},
        "round": st.round,
        "round_limit": st.limit,
        "governor": st.seats[st.governor],
        "used": [role for bit, role in enumerate(ROLES) if st.roles_used >> bit & 1],
        "phase": PHASES[st.phase],
        "turn": st.turn,
        "chooser": st.seats[st.chooser],
        "library": st.library,
        "library-used": [
            seat for index, seat in enumerate(st.seats) if st.library_used >> index & 1
        ],
        "tiles": [TILES[tile] for tile in st.tiles[at:] + st.tiles[:at]],
        "deck": [name(card) for card in st.deck[st.next :]],
        "discards": [name(card) for card in st.discards],
        "reshuffles": st.epoch,
    }
    if st.cards.events():
        document["events"] = [name(card) for card in st.face_up]
    if st.cards.beside:
        document["beside"] = [name(card) for card in st.beside]
        document["bank-used"] = [
            seat for index, seat in enumerate(st.seats) if st.bank_used >> index & 1
        ]
    if st.cards.events() or st.cards.beside:
        document["removed"] = [name(card) for card in st.removed]
    if st.turned:
        document["turned"] = [name(card) for card in st.turned]
    document["seats"] = [_dump_seat(st, seat) for seat in range(len(st.seats))]
    if st.phase != OVER:
        if st.kind != KINDS_OF[st.phase][0]:
            document["asking"] = KIND_NAMES[st.kind]
        document["waiting"] = [st.seats[seat] for seat in flow.waiting(st)]
        document["one-by-one"] = st.serial
        if st.phase == TRADER:
            document["sold"] = st.sold
    return document


def _dump_seat(st: State, seat: int) -> dict[str, Any]:
    name = st.cards.name
    city = []
    for plot, card in enumerate(st.city[seat]):
        if card == EMPTY:
            continue
        entry: dict[str, Any] = {"card": name(card), "plot": plot + 1}
        if st.full_mask[seat] >> plot & 1:
            entry["good"] = name(st.good[seat][plot])
        for key, pile in (("over", st.over), ("under", st.under), ("unseen", st.unseen)):
            cards = [name(below) for owner, spot, below in pile if (owner, spot) == (seat, plot)]
            if cards:
                entry[key] = cards
        city.append(entry)
    table: dict[str, Any] = {
        "name": st.seats[seat],
        "hand": [name(card) for card in st.hand[seat]],
        "drawn": st.drawn[seat],
        "city": city,
    }
    if st.city[seat][-1:] == [EMPTY]:
        table["plots"] = len(st.city[seat])
    if st.phase == BUILDER and st.built[seat] != EMPTY:
        table["built"] = 1 + next(
            plot
            for plot in reversed(range(len(st.city[seat])))
            if st.city[seat][plot] != EMPTY
            and st.cards.kind_of[st.city[seat][plot]] == st.built[seat]
        )
    return table
