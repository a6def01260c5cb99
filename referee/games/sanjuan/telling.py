"""Sentences for people: the lines of the log told, and how a game was won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.flat import FlatNarrator
from referee.games.sanjuan import (
    councillor,
    prospector,
    round_start,
    scoring,
    sheet,
    table,
    trader,
)
from referee.games.sanjuan.cards import EVENTS, NAMES, Cards, name_of

_START = "indigo-plant"
_DIGGERS = {digger.word: name_of(digger.need) for digger in prospector.DIGGERS}
_KEEPERS = [NAMES[kind] for kind in trader.KEEPERS]
_STOCKED = [NAMES[kind] for kind in councillor.STOCKED]
_TUCKS = [tuck.word for tuck in round_start.TUCKS]


class SanJuanNarrator(FlatNarrator):
    """Tells the lines of San Juan."""

    def tell(self, words: str) -> str:
        """Tell a line as a sentence; see Narrator."""
        word, *rest = words.split(" ")
        match word, rest:
            case "round", [number, _, governor]:
                return f"Round {number}, {governor} is the governor"
            case "role", [seat, role]:
                return f"{seat} is the {role}"
            case "role", [seat, role, "library"]:
                return f"{seat} is the {role} with the library"
            case "role", [seat, role, "no-library"]:
                return f"{seat} is the {role} without the library"
            case "event", ["laid", event]:
                return f"the event {event} is laid open"
            case "event", [seat, event]:
                return f"{seat} takes the event {event}"
            case "build", [seat, card, _, plot, *more]:
                return self._build(seat, card, plot, more)
            case "lose", [seat, card, _, plot]:
                return f"{seat} loses {card} on plot {plot}"
            case "produce", [seat, *plots]:
                return f"{seat} gets {self._goods(seat, plots, 'on')}"
            case _, [seat, plot] if word in _STOCKED:
                return f"{seat} gets {self._goods(seat, [plot], 'on')}"
            case "sell", [seat, *plots]:
                return f"{seat} sells {self._goods(seat, plots, 'of')}"
            case "tile", [tile]:
                return f"the prices are {table.prices(tile)}"
            case _, [seat, card] if word in _DIGGERS:
                return f"{seat} gets {card} from the {_DIGGERS[word]}"
            case "keep", [seat, count]:
                return f"{seat} keeps {_cards(count)}"
            case "discard", [seat, count]:
                return f"{seat} discards {_cards(count)}"
            case _, [seat, count] if word in _TUCKS:
                return f"{seat} puts {_cards(count)} under the {word}"
            case _, [seat, _] if word in _KEEPERS:
                return f"{seat} keeps one of them under the {word}"
            case "score", [seat, points, _, tie]:
                held = "card or good" if tie == "1" else "cards and goods"
                return f"{seat} has {_points(points)} ({tie} {held})"
            case "open", ["tiles", _]:
                return ""
            case "open", [_, name] if name in EVENTS:
                return ""
            case "take", _:
                return ""
        return super().tell(words)

    def _at(self, seat: str, plot: str) -> str:
        name = self.city.get((seat, plot), _START if plot == "1" else "plot")
        return f"plot {plot}" if name == "plot" else f"{name} (plot {plot})"

    def _goods(self, seat: str, plots: Sequence[str], where: str) -> str:
        names = _listed([self._at(seat, plot) for plot in plots])
        return f"{'a good' if len(plots) == 1 else 'goods'} {where} {names}"

    def _build(self, seat: str, card: str, plot: str, more: Sequence[str]) -> str:
        over, goods, price = "", list[str](), "0"
        word = ""
        for token in more:
            if token in ("over", "goods", "price"):
                word = token
            elif word == "over":
                over = f" over {token}"
            elif word == "goods":
                goods.append(token)
            else:
                price = token
        paid = [_cards(price)] if price != "0" else []
        paid += [self._goods(seat, goods, "of")] if goods else []
        self.city[seat, plot] = card
        return f"{seat} builds {card} on plot {plot}{over} for {' and '.join(paid) or 'nothing'}"


def _cards(count: str) -> str:
    return f"{count} card{'' if count == '1' else 's'}"


def _points(count: str) -> str:
    return f"{count} point{'' if count == '1' else 's'}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join([*names[:-2], " and ".join(names[-2:])])


def result(cards: Cards, table_: Mapping[str, Any]) -> list[str]:
    """Tell who has won, then each seat's points taken apart; nothing while the game goes on."""
    rows: list[Mapping[str, Any]] = table_.get("seats", [])
    if not rows or not all("points" in row for row in rows):
        return []
    winners = [row for row in rows if row["wins"]]
    best = winners[0]
    won_by = _points(str(best["points"]))
    names = _listed([row["name"] for row in winners])
    level = [row for row in rows if row["points"] == best["points"] and not row["wins"]]
    if len(winners) > 1:
        won = f"{names} share the victory with {won_by} each"
    elif level:
        others = _listed([row["name"] for row in level])
        won = f"{names} wins: {won_by} like {others}, but more cards and goods"
    else:
        won = f"{names} wins with {won_by}"
    return [won, *(f"  {line}" for line in _sums(cards, table_, rows))]


def _standing(row: Mapping[str, Any]) -> set[str]:
    """Return the buildings of a seat, and those over which others stand."""
    city = row["city"]
    return {one["card"] for one in city} | {name for one in city for name in one.get("over", ())}


def _sums(cards: Cards, table_: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    st = sheet.state_of(cards, table_)
    wide = max(map(len, st.seats))
    lines = []
    for seat, row in enumerate(rows):
        # Cards put away are not on the table: their number is what the sum lacks.
        parts = scoring.parts(st, seat, [])
        stores = [name for name in sheet.PUT_AWAY if name in _standing(row)]
        under = f"under {' and '.join(stores)}"
        for away in range(min(row["points"], cards.total)):
            parts = scoring.parts(st, seat, [(under, away)])
            if sum(points for _, points in parts) >= row["points"]:
                break
        listed = ", ".join(f"{name} {points}" for name, points in parts)
        tie = f"cards and goods {row['tie']}"
        lines.append(f"{row['name']:<{wide}}  {row['points']:>3}: {listed}  ({tie})")
    return lines
