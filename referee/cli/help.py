"""`help`: the help of a command, or a page of the manual."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.commands import COMMANDS
from referee.cli.options import JsonOpt, argument
from referee.cli.usage import Usage
from referee.games.near import near
from referee.render.text import terminal

app = typer.Typer(rich_markup_mode=None)


@app.command(name="help")
def show_help(
    ctx: typer.Context,
    word: Annotated[str | None, argument("[WORD]", "A command, or a topic of the manual.")] = None,
    json: JsonOpt = False,
) -> None:
    """Explain a command, or a topic of the manual; without a word, list the topics.

    Manual pages are printed as plain text: pipe them to a pager or a file
    (`sanjuan-ref help game.schema.json > game.schema.json`).
    """
    from referee.manual import pages

    topics = pages()
    if word is None:
        if json:
            terminal.document({"topics": {page.topic: page.title for page in topics.values()}})
            return
        terminal.say("`sanjuan-ref help COMMAND` explains a command, and `help TOPIC` prints:")
        terminal.say()
        terminal.rows([(f"  {page.topic}", page.title) for page in topics.values()])
        return
    # Where a page has the name of a command, `COMMAND --help` still tells its options.
    if word.lower() in topics:
        text = topics[word.lower()].text()
    elif word in COMMANDS:
        parent = ctx.parent
        assert parent is not None
        group = parent.command
        command = group.get_command(parent, word)  # type: ignore[attr-defined]
        with command.make_context(word, [], parent=parent, resilient_parsing=True) as inner:
            text = command.get_help(inner) + "\n"
    else:
        known = [*COMMANDS, *topics]
        raise Usage(
            f"there is no command or topic {word[:40]!r}",
            hint=near(word.lower(), known, "`sanjuan-ref help` lists the topics"),
        )
    if json:
        terminal.document({"word": word, "text": text})
        return
    terminal.verbatim(text)
