"""`rules`: help about cards and rulings, without a game file."""

from typing import Annotated

import typer

from referee.cli import completing
from referee.cli import options as opt
from referee.cli.languages import ENGLISH, LangOpt, check
from referee.cli.usage import typed
from referee.games import DEFAULT, rules_of
from referee.render.text import terminal

app = typer.Typer(rich_markup_mode=None)


@app.command()
def rules(
    topic: Annotated[
        str | None,
        opt.argument(
            "[CARD|TOPIC]",
            "A card, a topic, or `cards` for all cards.",
            autocompletion=completing.help_words,
        ),
    ] = None,
    game: opt.RulesOpt = DEFAULT,
    edition: opt.EditionOpt = None,
    lang: LangOpt = ENGLISH,
    plain: opt.PlainOpt = False,
    json: opt.JsonOpt = False,
) -> None:
    """Say what a card does, and how unclear rules are decided, in our own words.

    Without an argument, lists the topics.
    """
    from referee.cli.rulebook import RuleBook, folded

    check(lang)
    if plain:
        terminal.read_out()
    with typed():
        rules = rules_of(game).whole(edition)
    book, asked = RuleBook(rules, lang), folded(topic or "")
    names, sections = book.find(asked)
    if json:
        terminal.document({"game": game} | book.document(names, sections))
    elif asked:
        book.tell(names, sections)
    else:
        book.contents(sections)
