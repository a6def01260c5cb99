"""Score sheets, from what everybody knows: the table, and the log for cards put away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.board import Sheet
from referee.games.sanjuan import scoring, table
from referee.games.sanjuan.cards import NAMES, Cards, name_of
from referee.games.sanjuan.state import EMPTY, NOTHING, State
from referee.games.values import Held

PUT_AWAY = tuple(NAMES[kind] for kind in scoring.STORES)
"""Buildings under which cards go, and the words of the log that say so."""
_ANY = "indigo-plant"
_LABELS = (
    "buildings",
    *(f"under {name}" for name in PUT_AWAY),
    *(name_of(need) for need, _ in (*scoring.BONUSES, *scoring.LAST)),
)


Put = tuple[str, str, str]
"""The places where cards were put away: seat, building, plot."""


def state_of(cards: Cards, table_: Mapping[str, Any]) -> State:
    """Return the public state, with any cards for hidden ones. Raises NotUnderstood."""
    rows = table_["seats"]
    names = [str(row["name"]) for row in rows]
    # Hands do not score, so any cards will do for the reader's.
    count = rows[0]["hand"] + rows[0].get("drawn", 0)
    return table.read(cards, names, table_, names[0], [Held("-", _ANY)] * min(count, cards.total))


_CHANGES = ("build ", "lose ", *(f"{word} " for word in PUT_AWAY))


class Stores:
    """The cards that were put away, as the log of a whole game tells it; `away` counts them."""

    def __init__(self) -> None:
        self.away: dict[Put, int] = {}
        self._plots: dict[tuple[str, str], str] = {}

    def hear(self, lines: Sequence[str]) -> None:
        """Take in the next lines of the log."""
        away = self.away
        for line in lines:
            if not line.startswith(_CHANGES):
                continue
            word = line.partition(" ")[0]
            if word in PUT_AWAY:
                _, seat, count = line.split(" ")
                key = seat, word, self._plots.get((seat, word), "")
                away[key] = away.get(key, 0) + int(count)
            elif word == "build":
                _, seat, name, _, plot, *_ = line.split(" ")
                if name in PUT_AWAY:
                    self._plots[seat, name] = plot
            elif word == "lose":
                # Cards under a building leave with it; one that is built over keeps its own.
                _, seat, _, _, plot = line.split(" ")
                for name in PUT_AWAY:
                    away.pop((seat, name, plot), None)


def sheets(cards: Cards, table_: Mapping[str, Any], lines: Sequence[str]) -> list[Sheet]:
    """Return the sheet of every seat; without the log, cards put away are not known."""
    stores = Stores()
    stores.hear(lines)
    return of_state(state_of(cards, table_), stores.away, told=bool(lines))


def of_state(st: State, away: Mapping[Put, int], *, told: bool) -> list[Sheet]:
    """Return the sheets of a public state; all have the same parts in the same order.

    `away` are the cards that were put away, if the log has `told` of them.
    """
    below: Counter[tuple[str, str]] = Counter()
    for (name, store, _), count in away.items():
        below[name, store] += count
    rows: list[dict[str, int]] = []
    for seat, name in enumerate(st.seats):
        under = [
            (f"under {store}", below[name, store]) for store in PUT_AWAY if (name, store) in below
        ]
        rows.append(dict(scoring.parts(st, seat, under)))
    labels = [label for label in _LABELS if any(label in row for row in rows)]
    found = []
    for seat, name in enumerate(st.seats):
        parts = [(label, rows[seat].get(label, 0)) for label in labels]
        tie = len(st.hand[seat]) + st.full_mask[seat].bit_count()
        unknown = () if told else _unknown(st, seat)
        # Before the end there is no tie to be broken.
        last = ("cards and goods", tie) if st.kind == NOTHING else None
        found.append(Sheet(name, (*parts, *unknown), sum(rows[seat].values()), last))
    return found


def _unknown(st: State, seat: int) -> tuple[tuple[str, int | None], ...]:
    names = [st.cards.name(card) for card in st.city[seat] if card != EMPTY]
    names += [st.cards.name(card) for owner, _, card in st.over if owner == seat]
    return tuple((f"under {name}", None) for name in PUT_AWAY if name in names)
