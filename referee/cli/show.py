"""`show`: the command that players type most."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli import completing
from referee.cli.options import GameArg, IdentityOpt, JsonOpt, KeyOpt, PlainOpt, SeatOpt

if TYPE_CHECKING:
    from referee.cli.access import Reader
    from referee.games.interface import Choice, Rules
    from referee.table.gamefile import GameFile
    from referee.table.hands import Hand

app = typer.Typer(rich_markup_mode=None)


@app.command()
def show(
    game: GameArg,
    key: KeyOpt = None,
    seat: SeatOpt = None,
    identity: IdentityOpt = None,
    card: Annotated[
        list[str] | None,
        typer.Option(
            "--card",
            metavar="CARD",
            help="Only what a card does; once for each.",
            autocompletion=completing.cards,
        ),
    ] = None,
    cards: Annotated[
        bool, typer.Option("--cards", help="Say what each card in your hand does.")
    ] = False,
    plain: PlainOpt = False,
    json: JsonOpt = False,
) -> None:
    """The table, your hand, what is asked of you, and the command for each kind of answer.

    Without a key that sits at the table you see what everybody sees.
    """
    from referee.cli.access import reader_of
    from referee.cli.flags import given
    from referee.render.text import terminal
    from referee.table.replay import rules_for
    from referee.table.signing import load

    if plain:
        terminal.read_out()
    file, _ = load(game)
    rules = rules_for(file)
    if card:
        from referee.render.text.cards import cards as look_up

        look_up(rules, [rules.called(name) for name in card])
        return
    reader = reader_of(file, key, seat, identity)
    more = given(key, identity)
    if json:
        if reader.stranger is not None:
            raise reader.stranger
        terminal.document(_document(game, file, rules, reader, more))
        return
    terminal.fitted(lambda: tell(game, file, rules, reader, more, cards))
    # Whoever named a key wants more than what everybody sees, and that is all there is.
    if reader.stranger is not None:
        raise reader.stranger


def tell(
    game: Path,
    file: GameFile,
    rules: Rules,
    reader: Reader,
    more: list[str],
    cards: bool = False,
    ask: bool = True,
) -> None:
    """Print all that the reader may see and, unless somebody else asks, how to answer.

    `cards` says what each card in the hand does. Raises Damaged when the table cannot be read.
    """
    from referee.render.text import overview, terminal
    from referee.render.text.news import news

    overview.header(file, rules)
    if not file.table:
        overview.open_seats(file)
        if file.status == "open":
            _how_to_join(game, file, reader, more)
        return
    mine = reader.seat.name if reader.seat else None
    if mine is not None:
        news(file, rules, mine, f"sanjuan-ref log {_quoted(game)}")
    overview.table(file, rules, mine)
    if file.status == "finished":
        overview.result(file, rules)
    if reader.hand is not None:
        overview.hand_lines(file, rules, reader.hand, cards)
        if ask:
            _question(game, file, rules, reader.hand, more)
    elif file.asked and reader.remark and reader.stranger is None:
        terminal.say()
        remark = reader.remark[:1].upper() + reader.remark[1:]
        for line in terminal.wrapped(f"{remark}; --key FILE shows a hand.", 0):
            terminal.say(("dim", line))
    if not file.asked:
        terminal.say()
        terminal.say(f"Everybody can check all of it: sanjuan-ref audit {_quoted(game)}")


def _quoted(path: Path) -> str:
    from shlex import quote

    return quote(str(path))


def _question(game: Path, file: GameFile, rules: Rules, hand: Hand, more: list[str]) -> None:
    from referee.cli.flags import command
    from referee.playing.player import waits
    from referee.render.text import overview, terminal
    from referee.table.hands import NO_DECISION

    decision = hand.decision
    if decision == NO_DECISION:
        if file.asked:
            terminal.say()
            terminal.say("Nothing is asked of you now.")
        return
    if waits(file, decision):
        terminal.say()
        terminal.say(f"Your answer to {decision} has arrived; it waits for the others.")
        terminal.say(("dim", "(If you have sent none, keep this file and ask the referee.)"))
        return
    begin = command(game, "", {}, more)
    overview.question(file, decision, begin, answers(file, rules, hand))
    if terminal.graphic() and terminal.asks() and not terminal.tight():
        from referee.cli.flags import shown

        guided = shown(["sanjuan-ref", "play", str(game), *more])
        terminal.say(("dim", f"  or, with menus: {guided}"))


def answers(file: GameFile, rules: Rules, hand: Hand) -> list[tuple[str, Choice]]:
    """Every legal answer as (flags of `move`, choice)."""
    from referee.table.views import view_of

    return as_flags(rules, view_of(file, hand).choices())


def as_flags(rules: Rules, choices: Any) -> list[tuple[str, Choice]]:
    """Choices with the flags of `move` that say them."""
    from referee.cli.flags import flags_of, shown

    words = {word.name: word for word in rules.words}
    return [(shown(flags_of(choice.play, words)), choice) for choice in choices]


def documents(game: Path, rules: Rules, choices: Any, more: list[str]) -> list[dict[str, Any]]:
    """Choices for programs, each with its whole command."""
    from referee.cli.flags import command

    words = {word.name: word for word in rules.words}
    return [
        {**choice._asdict(), "command": command(game, choice.play, words, more)}
        for choice in choices
    ]


def _how_to_join(game: Path, file: GameFile, reader: Reader, more: list[str]) -> None:
    from referee.cli.flags import shown
    from referee.render.text.terminal import say

    if reader.seat is not None and reader.seat.joined:
        say()
        say(f"You have joined as {reader.seat.name}; the cards are dealt when all have.")
        return
    free = [seat.name for seat in file.seats if not seat.joined and not seat.reserved]
    if reader.seat is not None:
        free = [reader.seat.name]
    if not free:
        return
    say()
    say("Take a seat with:" if len(free) == 1 else "Take one of the seats with:")
    for name in free:
        say("  " + shown(["sanjuan-ref", "join", str(game), "--seat", name, *more]))


def _document(
    game: Path, file: GameFile, rules: Rules, reader: Reader, more: list[str]
) -> dict[str, Any]:
    from referee.render.text import overview
    from referee.table.hands import NO_DECISION, NO_LETTER
    from referee.table.views import view_of

    found = overview.document(file)
    found["seat"] = reader.seat.name if reader.seat else None
    hand = reader.hand
    if hand is None:
        return found
    fresh, drawn = overview.fresh_cards(file, hand), overview.drawn_cards(file, hand)
    found["hand"] = [
        {
            "letter": card.label if card.label != NO_LETTER else "",
            "name": card.name,
            "new": card.place in fresh,
            "drawn": card.place in drawn,
        }
        for card in overview.in_order(hand)
    ]
    found["tucked"] = [{"plot": card.label, "name": card.name} for card in hand.tucked]
    found["decision"] = hand.decision if hand.decision != NO_DECISION else None
    found["answered"] = any(one.decision == hand.decision for one in file.pending)
    wanted = found["decision"] and not found["answered"]
    found["choices"] = documents(game, rules, view_of(file, hand).choices(), more) if wanted else []
    return found
