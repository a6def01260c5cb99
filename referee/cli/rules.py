"""`rules`: help about cards and rulings, without a game file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import EditionOpt, JsonOpt, PlainOpt, RulesOpt

if TYPE_CHECKING:
    from referee.games.interface import Rules

app = typer.Typer(rich_markup_mode=None)

CARDS = "cards"


@app.command()
def rules(
    topic: Annotated[
        str | None,
        typer.Argument(metavar="[CARD|TOPIC]", help="A card, a topic, or `cards` for all cards."),
    ] = None,
    game: RulesOpt = "sanjuan",
    edition: EditionOpt = None,
    plain: PlainOpt = False,
    json: JsonOpt = False,
) -> None:
    """What a card does, and how the rules are read, in our own words.

    Without a word it says what there is to be asked.
    """
    from referee.games import rules_of
    from referee.show import cards, terminal

    if plain:
        terminal.read_out()
    known = rules_of(game).whole(edition)
    rulings = known.rulings()
    everything = list(dict.fromkeys(known.names().values()))
    asked = "-".join((topic or "").lower().split())
    told: dict[str, list[str]] = {}
    if not asked:
        names: list[str] = []
    elif asked == CARDS:
        names = everything
    else:
        names, told = _found(known, asked, everything, rulings)
    if json:
        terminal.document(
            {
                "game": game,
                "rulings": told if asked else {one: list(rulings[one]) for one in rulings},
                "cards": {name: known.text(name) or known.facts(name) for name in names},
            }
        )
        return
    if not asked:
        _contents(known.title, list(rulings), len(everything))
    cards.cards(known, names)
    for one, sentences in told.items():
        cards.topic(one, sentences)


def _found(
    known: Rules, asked: str, everything: list[str], rulings: Mapping[str, Sequence[str]]
) -> tuple[list[str], dict[str, list[str]]]:
    """The cards that are meant, and the rulings by heading; raises NotUnderstood."""
    from referee.games.interface import NotUnderstood
    from referee.show.cards import about

    if asked in rulings:
        # A topic may be called like the card that it is about.
        return [one for one in everything if one == asked], {asked: list(rulings[asked])}
    starts = [one for one in rulings if one.startswith(asked)]
    try:
        name = known.called(asked)
    except NotUnderstood as error:
        if len(starts) == 1:
            return [], {starts[0]: list(rulings[starts[0]])}
        error.message = error.message.replace("no card", "no card or topic")
        if error.message.startswith("there is no"):
            error.hint = f"topics: {', '.join(rulings)}; cards: `sanjuan-ref rules cards`"
        raise
    told = about(known, name)
    return [name], {"rulings": told} if told else {}


def _contents(title: str, topics: list[str], count: int) -> None:
    from referee.show.terminal import say, wrapped

    say(("bold", f"{title}: what there is to be asked"))
    for line in wrapped(", ".join(topics), 10, "  Topics: "):
        say(line)
    say(f"  Cards:  {count}, by name; `sanjuan-ref rules cards` lists them all")
