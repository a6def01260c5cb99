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
CHANGE = "Enter leaves your answer as it is, y changes it: "
ANSWERS = ("y", "yes", "n", "no", "q", "quit")


def play(
    file: GameFile, reader: Reader, more: list[str], delivery: Delivery, *, changes: bool
) -> int | None:
    """Show the table, ask one question by menus, send the answer, and return the exit code.

    None when nothing is asked. `more` are the options that `move` would be given as well. With
    `changes` an answer that waits can be changed.
    """
    game, hand = delivery.game, reader.hand
    turn = None
    if hand is not None and hand.decision != NO_DECISION:
        turn = Turn(file, reader)
    rules = rules_for(file)
    # Below the table there is to be room for the menu.
    waits = turn is not None and turn.waits
    spare = 5 + len(turn.view.choices()) if turn is not None and not waits else 2
    terminal.fitted(lambda: tell(game, file, rules, reader, more, ask=turn is None or waits), spare)
    if turn is None or (waits and not (changes and _wants_change())):
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


def _wants_change() -> bool:
    """Ask whether an answer that waits is to be changed; by default it is not."""
    return prompt.ask(CHANGE).lower() in ("y", "yes")


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
