"""Rules of a game file: the rule set that it records, if this program has it."""

from __future__ import annotations

from referee import games
from referee.errors import Damaged, OtherRules
from referee.games.errors import GameError, OtherVersion
from referee.games.interface import Rules
from referee.table.gamefile import GameFile
from referee.table.joins import check_joins


def rules_for(file: GameFile) -> Rules:
    """Return the rule set that the file records.

    Raises OtherRules when this program does not have it, or a bot that holds a seat, whose answers
    nobody could check; Damaged when it cannot be one. Raises
    BadSignature instead when a seat has not joined under these rules: then nothing is to be
    updated, and the file is another than that of the table.
    """
    if not games.known(file.rules_module):
        check_joins(file)
        raise OtherRules(
            f"this sanjuan-ref does not have the game {file.rules_module!r}",
            f"it has {', '.join(games.all_games())}; "
            "go on with the sanjuan-ref that opened the table",
        )
    try:
        rules = games.rules_of(file.rules_module, file.version).load(file.terms)
    except OtherVersion as error:
        check_joins(file)
        raise OtherRules(error.message, error.hint) from None
    except GameError as error:
        raise Damaged(f"game: {error.message}", error.hint) from None
    check_bots(rules, *file.bots.values())
    return rules


def check_bots(rules: Rules, *bots: str) -> None:
    """Raise OtherRules where this program does not have one of these bots."""
    if bots:
        # Few tables have any, and what plays is large.
        from referee.table.bots import bot_named

        for bot in bots:
            bot_named(bot, rules)
