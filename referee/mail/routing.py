"""The way of a message to its games: by what its notes name, its thread and address, its sender."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.mail.incoming import Incoming, game_of
from referee.records import NamedTuple

if TYPE_CHECKING:
    from referee.crypto.keys import PrivateKey
    from referee.mail.index import GameIndex
    from referee.mail.places import Place
    from referee.notes.finding import Found


class Routed(NamedTuple):
    """The notes of a message by their games; `strays` says that some are about no game here."""

    games: list[tuple[Place, list[Found]]]
    strays: bool


def route(mail: Incoming, index: GameIndex, key: PrivateKey) -> Routed:
    """Return the games that the notes of a message are about.

    A note says its game. If it does not, it is about the game in whose thread it came or to whose
    address, or else about the first at which its sender sits; so is a note of an unknown game, if
    every game in the folder could be read.
    """
    notes: dict[str, tuple[Place, list[Found]]] = {}
    strays, all_here = False, index.all_here
    places: dict[str, Place | None] = {}

    def place_of(game: str) -> Place | None:
        if game not in places:
            places[game] = index.place(game) if game else None
        return places[game]

    guesses: list[Place | None] = []

    def guess() -> Place | None:
        if not guesses:
            named = (place for game in mail.games if (place := place_of(game)) is not None)
            guesses.append(next(named, None) or index.seated(mail.sender))
        return guesses[0]

    for found in mail.found:
        game = game_of(found, key)
        place = place_of(game)
        if place is None and (not game or all_here):
            place = guess()
        if place is None:
            strays = True
        else:
            notes.setdefault(place.game, (place, []))[1].append(found)
    # A stray is not worth a word if the message is about some game.
    return Routed(list(notes.values()), strays and (not notes or not all_here))
