"""A turn at a terminal: the table is shown, and the answer chosen from menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.cli.flags import command
from referee.cli.showing import tell
from referee.cli.turns import guide, hand_over, named, words_of
from referee.playing.turn import Turn
from referee.render.text import prompt, terminal
from referee.table.hands import NO_DECISION
from referee.table.rules import rules_for

if TYPE_CHECKING:
    from referee.cli.delivery import Delivery
    from referee.playing.reader import Reader
    from referee.table.gamefile import GameFile

SIGN = "Enter signs it, n goes back, q leaves: "
ANSWERS = ("y", "yes", "n", "no", "q", "quit")


def play(file: GameFile, reader: Reader, more: list[str], delivery: Delivery) -> int | None:
    """Show the table, ask one question by menus, send the answer, and return the exit code.

    None when nothing is asked. `more` are the options that `move` would be given as well.
    """
    game, hand = delivery.game, reader.hand
    turn = None
    if hand is not None and hand.decision != NO_DECISION:
        turn = Turn(file, reader)
    if turn is not None and turn.waits:
        turn = None
    rules = rules_for(file)
    # Below the table there is to be room for the menu.
    spare = 5 + len(turn.view.choices()) if turn is not None else 2
    terminal.fitted(lambda: tell(game, file, rules, reader, more, ask=turn is None), spare)
    if turn is None:
        return None
    terminal.say()
    while True:
        chosen = guide(turn)
        terminal.say(("bold", chosen), ("dim", named(chosen, turn.hand)), error=True)
        terminal.say(f"  {command(game, chosen, words_of(turn), more)}", error=True)
        said = _signs()
        if said == "q":
            terminal.say("Nothing was played.", error=True)
            return 1
        if said == "y":
            return hand_over(turn, chosen, delivery)


def _signs() -> str:
    """Ask if the chosen answer is to be signed: y, n or q."""
    while True:
        said = prompt.ask(SIGN).lower()
        if prompt.ended():
            return "q"
        if not said:
            return "y"
        if said in ANSWERS:
            return said[0]
        terminal.warn("hint", "nothing is signed yet: press Enter, or type n or q")
