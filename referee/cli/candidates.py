"""Candidates for completion, read out of a game file: roles, cards in hand, plots with goods."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.cli.locating import find_game, locate
from referee.crypto.keyplace import PLAYER_KEY, find_key
from referee.crypto.keys import PrivateKey
from referee.games import DEFAULT, rules_of
from referee.games.phrases import phrases_of
from referee.games.rulings import rulings
from referee.playing.player import my_seat
from referee.storage import exists
from referee.table.planreplay import plan_language
from referee.table.rules import rules_for
from referee.table.signing import load
from referee.table.views import open_hand, view_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.games.interface import Rules, View
    from referee.table.gamefile import GameFile
    from referee.table.hands import Hand

    Candidates = list[tuple[str, str]]

MOST = 99


def seats(ctx: Any) -> Candidates:
    """Return the names of the seats."""
    return [(seat.name, "") for seat in _file(ctx).seats]


def free_seats(ctx: Any) -> Candidates:
    """Return the names of the seats that can still be taken."""
    return [(seat.name, "") for seat in _file(ctx).seats if not seat.bot and not seat.joined]


def helped(ctx: Any) -> Candidates:
    """Return the commands, and the pages of the manual; after a command those in it."""
    # Few shells complete the words of `help`.
    from referee.manual import pages

    root = ctx.find_root()
    words = ctx.params.get("words")
    if words:
        group = root.command.get_command(root, words[0])
        return [(name, "") for name in group.list_commands(root)] if len(words) == 1 else []
    topics = [page.topic for page in pages().values() if not page.of_a_command]
    return [(name, "") for name in dict.fromkeys([*root.command.list_commands(root), *topics])]


def cards(ctx: Any) -> Candidates:
    """Return the names of the cards of the table."""
    rules = rules_for(_file(ctx))
    return [(name, rules.text(name)) for name in dict.fromkeys(rules.card_aliases().values())]


def help_words(ctx: Any) -> Candidates:
    """Return the cards and topics of `rules`."""
    rules = rules_of(ctx.params.get("game") or DEFAULT).whole()
    words = dict.fromkeys([*rules.card_aliases().values(), *rulings(rules, "en"), "cards"])
    return [(word, "") for word in words]


def _file(ctx: Any) -> GameFile:
    # Where an option still wants its value, no argument has its place yet.
    words = (word for word in ctx.args if not word.startswith("-"))
    named = Path(ctx.params.get("game") or next(words, None) or find_game())
    # Nobody waits at a key for standard input, or for what lies elsewhere.
    return load(locate(named, ask=False) if exists(named) else named)[0]


def clause_words(ctx: Any, subject: str, text: str) -> list[str]:
    """Return the words that can complete, or follow, the beginning of a clause of a plan.

    With a subject the text is that of its wishes.
    """
    file = _file(ctx)
    language = plan_language(file, rules_for(file))
    if language is None:
        return []
    return language.complete(f"{subject}: {text}" if subject else text)


def values(ctx: Any, word: str, takes: str) -> Candidates:
    """Return the values that may follow a word of a play; `takes` names their kinds."""
    file, params = _file(ctx), ctx.params
    rules = rules_for(file)
    names = rules.card_aliases()
    fits: Callable[[str], bool] = str.islower
    if takes.startswith("PLOT"):
        fits = _digits
    elif takes.startswith("CARD"):
        fits = names.__contains__
    hand = _hand(file, params)
    if hand is not None:
        return _legal(view_of(file, hand), rules, word, fits)
    # The public part of each question that is asked.
    found: dict[str, str] = {}
    for asked in file.asked:
        if params.get("seat") in (None, asked.seat):
            for pattern in asked.may:
                begin, _, rest = pattern.partition(" ")
                if begin == word:
                    found |= dict.fromkeys(_listed(rest, fits), "")
    return list(found.items())


def _digits(token: str) -> bool:
    return token.isascii() and token.isdecimal()


def _listed(rest: str, fits: Callable[[str], bool]) -> list[str]:
    """Return the values that stand in a public pattern: `builder`, or the plots of `2 of 1 3 4`."""
    if " of " in rest:
        rest = rest.partition(" of ")[2]
    return [token for token in rest.split(" ")[:MOST] if fits(token)]


def _hand(file: GameFile, params: dict[str, Any]) -> Hand | None:
    """Return the hand, if it opens without a passphrase."""
    try:
        key = params.get("key")
        signer = PrivateKey.load(find_key(Path(key) if key else None, PLAYER_KEY), None)
        return open_hand(file, my_seat(file, signer.public), signer)
    except Exception:
        # Then what is public will do.
        return None


def _legal(view: View, rules: Rules, word: str, fits: Callable[[str], bool]) -> Candidates:
    """Return the values after a word in the legal answers; the hand if any card will do."""
    words = {word.name: word for word in rules.words}
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
                parts = [pattern.partition(" ") for pattern in view.decision.may]
                # Another word may name plots as well, of other seats.
                rests = [rest for begin, _, rest in parts if begin == word]
                found |= dict.fromkeys([plot for rest in rests for plot in _listed(rest, fits)], "")
            elif fits(token):
                found.setdefault(token, view.outlook(choice))
    return list(found.items())
