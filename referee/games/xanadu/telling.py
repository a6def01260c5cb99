"""Sentences for people: the lines of the log told, and how a game was won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.flat import FlatNarrator
from referee.games.xanadu.deckfile import END_CARD


class XanaduNarrator(FlatNarrator):
    """Tells the lines of Xanadu."""

    def tell(self, words: str) -> str:
        """Tell a line as a sentence; see Narrator."""
        match words.split(" "):
            case ["round", number]:
                return f"Round {number}"
            case ["lay" | "build" as word, seat, card, _, plot]:
                self.city[seat, plot] = card
                return f"{seat} {word}s {card} on plot {plot}"
            case ["work", seat, owner, plot, _, price]:
                whose = "" if seat == owner else f"{owner}'s "
                card = self.city.get((owner, plot), "plot")
                return f"{seat} works on {whose}{card} (plot {plot}, worth {price})"
            case ["sell", seat, card, _, plot, _, price]:
                return f"{seat} sells {card} on plot {plot} for {price}"
            case ["full", seat, card, _, plot, _, price]:
                return f"{seat} gets {price} for {card} on plot {plot}, which is full"
            case ["clear", seat, card, _, plot]:
                return f"{seat} clears away {card} on plot {plot}"
            case ["reset"]:
                return "nobody has a building left, so all begin anew"
            case ["pass", number, _, count]:
                return f"pass {number} of {count} through the pile begins"
            case ["draw", who, _, count]:
                # What lies above the End card is one pile with it to look at.
                return super().tell(f"draw {who} deck {count}")
            case ["open", _, name] if name == END_CARD:
                return ""
            case ["end"]:
                return "the End card is drawn, and the game is over"
            case ["stall"]:
                return "nothing has happened for too long, so the game is over"
            case ["score", seat, coins]:
                return f"{seat} has {coins} tong bao"
        return super().tell(words)


def result(table: Mapping[str, Any]) -> list[str]:
    """Tell who has won; nothing while the game goes on."""
    rows: Sequence[Mapping[str, Any]] = table.get("seats", [])
    winners = [row for row in rows if row.get("wins")]
    if not winners:
        return []
    names = " and ".join([row["name"] for row in winners])
    wins = "wins" if len(winners) == 1 else "share the victory"
    return [f"{names} {wins} with {winners[0]['coins']} tong bao"]
