"""`show`: the command that players type most."""

from pathlib import Path
from typing import Any

import typer

from referee.cli.options import GameArg, IdentityOpt, JsonOpt, KeyOpt, SeatOpt

app = typer.Typer(rich_markup_mode=None)


@app.command()
def show(
    game: GameArg,
    key: KeyOpt = None,
    seat: SeatOpt = None,
    identity: IdentityOpt = None,
    json: JsonOpt = False,
) -> None:
    """The table, your hand, what is asked of you, and the command for each kind of answer.

    Without a key that sits at the table you see what everybody sees.
    """
    from referee.cli.access import reader_of
    from referee.cli.flags import given
    from referee.show import overview, terminal
    from referee.table.replay import rules_for
    from referee.table.signing import load

    file, _ = load(game)
    rules = rules_for(file)
    reader = reader_of(file, key, seat, identity)
    more = given(key, identity)
    if json:
        terminal.document(_document(game, file, rules, reader, more))
        return
    overview.header(file, rules)
    if not file.table:
        overview.open_seats(file)
        _how_to_join(game, file, reader, more)
        return
    mine = reader.seat.name if reader.seat else None
    overview.table(file, rules, mine)
    if reader.hand is None:
        if reader.seat is None and file.status == "playing":
            terminal.say()
            terminal.say(
                ("dim", "This is what everybody sees; --key FILE shows the hand of a seat.")
            )
        return
    overview.hand_lines(file, reader.hand)
    decision = reader.hand.decision
    if decision == "-":
        return
    if any(one.decision == decision for one in file.pending):
        terminal.say()
        terminal.say(f"Your answer to {decision} has arrived; it waits for the others.")
        return
    overview.question(decision, answers(game, file, rules, reader.hand, more))


def answers(game: Path, file: Any, rules: Any, hand: Any, more: list[str]) -> list[tuple[str, Any]]:
    """Every legal answer as (command, choice)."""
    from referee.cli.flags import command
    from referee.table.player import view_of

    words = {word.name: word for word in rules.words}
    choices = view_of(file, hand).choices()
    return [(command(game, choice.play, words, more), choice) for choice in choices]


def _how_to_join(game: Path, file: Any, reader: Any, more: list[str]) -> None:
    from shlex import join

    from referee.show.terminal import say

    if file.status != "open" or (reader.seat is not None and reader.seat.joined):
        return
    free = [seat.name for seat in file.seats if not seat.joined and not seat.reserved]
    if reader.seat is not None:
        free = [reader.seat.name]
    if not free:
        return
    say()
    say("Take a seat with:")
    for name in free:
        say("  " + join(["sanjuan-ref", "join", str(game), "--seat", name, *more]))


def _document(game: Path, file: Any, rules: Any, reader: Any, more: list[str]) -> dict[str, Any]:
    from referee.show import overview

    found = overview.document(file)
    found["seat"] = reader.seat.name if reader.seat else None
    hand = reader.hand
    if hand is None:
        return found
    fresh = overview.fresh_cards(file, hand)
    found["hand"] = [
        {
            "letter": card.label if card.label != "-" else "",
            "name": card.name,
            "new": (card.pile, card.epoch, card.position) in fresh,
        }
        for card in overview.in_order(hand)
    ]
    found["tucked"] = [{"plot": card.label, "name": card.name} for card in hand.tucked]
    found["decision"] = hand.decision if hand.decision != "-" else None
    found["answered"] = any(one.decision == hand.decision for one in file.pending)
    found["choices"] = (
        [
            {**choice._asdict(), "command": command}
            for command, choice in answers(game, file, rules, hand, more)
        ]
        if found["decision"] and not found["answered"]
        else []
    )
    return found
