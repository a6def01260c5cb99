"""A turn at a terminal: the table is shown, and the answer chosen from menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.cli.newest import check_still_asked, tell_newer
from referee.cli.showing import tell, tell_refused, unsent
from referee.cli.turns import SIGN, SIGNS, chosen, hand_over, signing
from referee.games.errors import GameError
from referee.playing.turn import Turn
from referee.render.text import prompt, terminal
from referee.system import forget_typed
from referee.table.rules import rules_for
from referee.table.standing import own_question

if TYPE_CHECKING:
    from pathlib import Path

    from referee.cli.delivery import Delivery
    from referee.playing.outgoing import Outgoing
    from referee.playing.reader import Reader
    from referee.table.gamefile import GameFile

CHANGE = "Enter leaves your answer as it is, y changes it: "
SIGN_OR_PLAN = f"Enter {SIGNS} it, p plans ahead too, n goes back, q leaves: "
SIGN_BOTH = f"Enter {SIGNS} both, e edits the plan, n leaves it out, q leaves: "
ANSWERS = ("y", "yes", "n", "no", "q", "quit")


def play(
    file: GameFile,
    reader: Reader,
    more: list[str],
    delivery: Delivery,
    *,
    changes: bool,
    identity: Path | None = None,
) -> int | None:
    """Show the table, ask one question by menus, send the answer, and return the exit code.

    None when nothing is asked. `more` are the options that `move` would be given as well. With
    `changes` an answer that waits can be changed. `identity` opens the hand where that is not the
    key. Raises Missed where the game has gone on before the answer was signed.
    """
    game, hand = delivery.game, reader.hand
    turn = None
    if hand is not None and own_question(file, hand.decision):
        turn = Turn(file, reader)
    rules = rules_for(file)
    # Below the table there is to be room for the menu.
    left = unsent(game, file, reader) if turn is not None else None
    waits = turn is not None and (turn.waits or left is not None)
    spare = 5 + len(turn.view.choices()) if turn is not None and not waits else 2
    terminal.fitted(lambda: tell(game, file, rules, reader, more, ask=turn is None or waits), spare)
    tell_refused(game, file, reader)
    tell_newer(game, file, decision=turn.decision if turn is not None else "")
    # Keys that were pressed before it was seen do not answer it.
    forget_typed()
    if turn is None or (waits and not changes):
        return None
    if waits and not _wants_change():
        return delivery.send_again(left, turn.decision) if left is not None else None
    terminal.say()
    sign, letter = (SIGN_OR_PLAN, "p") if file.plan_language else (SIGN, "")
    play, said = chosen(turn, game, more, None, signing(sign, delivery), letter)
    plan = None
    if said == "p":
        said, plan = _plan(file, reader, identity, delivery, play)
    if said == "q":
        terminal.say("This question stays open.", error=True)
        return 1
    check_still_asked(game, file, turn.decision, push=delivery.push)
    return hand_over(turn, play, delivery, plan=plan)


def _wants_change() -> bool:
    """Ask whether an answer that waits is to be changed; by default it is not."""
    return prompt.ask(CHANGE).lower() in ("y", "yes")


def _plan(
    file: GameFile, reader: Reader, identity: Path | None, delivery: Delivery, play: str
) -> tuple[str, Outgoing | None]:
    """Propose to plan as before, or as the bot would; y with the signed plan, if any, or q."""
    # Few answers come with a plan.
    from referee.cli import planned
    from referee.playing.planning import Planner

    planner = Planner(file, reader, identity)
    planner.foresee(play)
    lines = planner.proposed()
    while True:
        for line in lines:
            terminal.say(f"  {line}", error=True)
        # Some bots think for long about a plan.
        forget_typed()
        said = _signs(signing(SIGN_BOTH, delivery))
        if said == "e":
            try:
                lines = planned.edit(planner, lines, to_change=False)
            except GameError as error:
                terminal.complain(error)
            continue
        if said == "y":
            return said, planned.sign(planner, lines, delivery)
        return ("y" if said == "n" else said), None


def _signs(question: str) -> str:
    """Ask if a play and a plan are to be signed: y, n, q, or e to edit the plan."""
    while True:
        said = prompt.ask(question).lower()
        if prompt.ended():
            return "q"
        if not said:
            return "y"
        if said in (*ANSWERS, "e"):
            return said[0]
        terminal.warn("hint", "nothing is signed yet: press Enter, or type e, n or q")
