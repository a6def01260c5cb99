"""What a shell completes from a game file: free roles, cards in your hand, plots with goods.

Nothing here asks for a passphrase, writes to standard error or fails: where something is wrong,
there is nothing to complete. Shells obey what they are given: zsh evaluates it, bash puts it into
the line as it is. So only words are offered, whatever a file or a deck says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.games.interface import Rules, View
    from referee.table.gamefile import GameFile
    from referee.table.hands import Hand

Found = list[tuple[str, str]]
"""Values with a few words of help each."""
MOST = 99
HARMFUL = re.compile("[^A-Za-z0-9 .,:()/+-]+")
"""What a few words of help cannot have in them, because shells evaluate them too."""
Completer = Callable[[Any, Any, str], Found]


def values_of(word: str, takes: str) -> Completer:
    """Completes what follows a word of a play, which `takes` so and so."""

    def complete(ctx: Any, args: Any, incomplete: str) -> Found:
        return _silently(lambda: _values(ctx, word, takes))

    return complete


def seats(ctx: Any, args: Any, incomplete: str) -> Found:
    """Completes the names of the seats."""
    return _silently(lambda: [(seat.name, "") for seat in _file(ctx).seats])


def cards(ctx: Any, args: Any, incomplete: str) -> Found:
    """Completes the names of the cards of the table."""

    def find() -> Found:
        from referee.table.replay import rules_for

        rules = rules_for(_file(ctx))
        return [(name, rules.text(name)) for name in dict.fromkeys(rules.names().values())]

    return _silently(find)


def listed(find: Callable[[], Iterable[str]]) -> Completer:
    """Completes what a function finds without a game."""

    def complete(ctx: Any, args: Any, incomplete: str) -> Found:
        return _silently(lambda: [(one, "") for one in find() if one.startswith(incomplete)])

    return complete


def of_games(option: str) -> Completer:
    """Completes what the games have to choose from with an option of `new`."""

    def find() -> list[str]:
        from referee.games import terms

        parts = terms(option).split("; ")
        return [one for part in parts for one in part.partition(": ")[2].split(", ")]

    return listed(find)


def help_words(ctx: Any, args: Any, incomplete: str) -> Found:
    """Completes the cards and topics of `rules`."""

    def find() -> Found:
        from referee.games import DEFAULT, rules_of
        from referee.games.rulings import rulings

        rules = rules_of(ctx.params.get("game") or DEFAULT).whole()
        words = dict.fromkeys([*rules.names().values(), *rulings(rules, "en"), "cards"])
        return [(word, "") for word in words if word.startswith(incomplete)]

    return _silently(find)


def _silently(find: Callable[[], Found]) -> Found:
    from referee.notes.forms import A_WORD

    try:
        return [(word, HARMFUL.sub(" ", note)) for word, note in find() if A_WORD.fits(word)]
    except Exception:
        # A shell that completes has no use for what is wrong.
        return []


def _file(ctx: Any) -> GameFile:
    from referee.table.signing import load

    # Where an option still wants its value, no argument has its place yet.
    named = ctx.params.get("game") or next(one for one in ctx.args if not one.startswith("-"))
    return load(Path(named))[0]


def _values(ctx: Any, word: str, takes: str) -> Found:
    from referee.table.replay import rules_for
    from referee.table.views import view_of

    file, params = _file(ctx), ctx.params
    rules = rules_for(file)
    names = rules.names()
    fits: Callable[[str], bool] = str.islower
    if takes.startswith("PLOT"):
        fits = _digits
    elif takes.startswith("CARD"):
        fits = names.__contains__
    hand = _hand(file, params)
    if hand is not None:
        return _legal(view_of(file, hand), rules, word, fits)
    # What is public of the question, to whomever it is put.
    found: dict[str, str] = {}
    for asked in file.asked:
        if params.get("seat") in (None, asked["seat"]):
            for pattern in asked["may"]:
                begin, _, rest = pattern.partition(" ")
                if begin == word:
                    found |= dict.fromkeys(_listed(rest, fits), "")
    return list(found.items())


def _digits(token: str) -> bool:
    return token.isascii() and token.isdecimal()


def _listed(rest: str, fits: Callable[[str], bool]) -> list[str]:
    """The values that stand in a public pattern: `builder`, or the plots of `2 of 1 3 4`."""
    if " of " in rest:
        rest = rest.partition(" of ")[2]
    return [token for token in rest.split(" ")[:MOST] if fits(token)]


def _hand(file: GameFile, params: dict[str, Any]) -> Hand | None:
    """The hand, where it opens without a question."""
    from referee.crypto.keyplace import PLAYER_KEY, find_key
    from referee.crypto.keys import PrivateKey
    from referee.playing.player import my_seat
    from referee.table.views import open_hand

    try:
        key = params.get("key")
        signer = PrivateKey.load(find_key(Path(key) if key else None, PLAYER_KEY), None)
        return open_hand(file, my_seat(file, signer.public), signer)
    except Exception:
        # Then what is public will do.
        return None


def _legal(view: View, rules: Rules, word: str, fits: Callable[[str], bool]) -> Found:
    """What the legal answers name after a word; where any card will do, the hand."""
    from referee.games.phrases import phrases_of

    words = {one.name: one for one in rules.words}
    names = {card.letter: card.name for card in view.hand}
    found: dict[str, str] = {}
    for choice in view.choices():
        play = choice.play.replace("[", "").replace("]", "")
        named = [phrase.names for phrase in phrases_of(play, words) if phrase.word == word]
        for token in " ".join(named).split():
            if token in names:
                found.setdefault(names[token], "")
            elif token.startswith("LETTER"):
                found |= dict.fromkeys(names.values(), "")
            elif token.startswith("PLOT") and view.decision is not None:
                parts = [one.partition(" ") for one in view.decision.may]
                # Another word may name plots as well, of other seats.
                rests = [rest for begin, _, rest in parts if begin == word]
                found |= dict.fromkeys([plot for one in rests for plot in _listed(one, fits)], "")
            elif fits(token):
                found.setdefault(token, view.outlook(choice))
    return list(found.items())
