"""`help`: the help of a command, a page of the manual, or man pages of all commands."""

from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli import completing
from referee.cli.commands import COMMANDS
from referee.cli.options import JsonOpt, argument, place
from referee.cli.usage import Usage
from referee.games.near import near
from referee.render.text import terminal

app = typer.Typer(rich_markup_mode=None)


@app.command(name="help")
def show_help(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None,
        argument(
            "[WORD]...",
            "A command (`mail in` is one too), or else a topic of the manual.",
            autocompletion=completing.helped,
        ),
    ] = None,
    man: Annotated[
        Path | None, place("--man", "DIR", "Write a man page of each command into a folder.")
    ] = None,
    json: JsonOpt = False,
) -> None:
    """Explain a command, or a topic of the manual; without a word, list the topics.

    The help of a command ends with the page of the manual about it; one that has its name is
    `help git.md`. Manual pages are printed as plain text: pipe them to a pager or a file
    (`sanjuan-ref help game.schema.json > game.schema.json`).
    """
    from referee.manual import pages

    top = ctx.parent
    assert top is not None
    if man is not None:
        if words:
            raise Usage("--man is about all commands: leave the words out", ctx)
        _write_pages(man, top, json)
        return
    topics = pages()
    if not words:
        listed = [page for page in topics.values() if not page.of_a_command]
        if json:
            terminal.document({"topics": {page.topic: page.title for page in listed}})
            return
        terminal.say("`sanjuan-ref help COMMAND` explains a command, and `help TOPIC` prints:")
        terminal.say()
        # A command of that name comes first.
        words = [f"{page.topic}.md" if page.topic in COMMANDS else page.topic for page in listed]
        rows = [(f"  {word}", page.title) for word, page in zip(words, listed, strict=True)]
        terminal.rows(
            [
                *rows,
                ("  commands/NAME.schema.json", "JSON Schema of what a command's --json prints"),
            ]
        )
        return
    word = " ".join(words)
    found = _context(top, words)
    page = topics.get(word.lower().removesuffix(".md"))
    if found is not None:
        text = f"{found.get_help()}\n"
    elif page is not None:
        text = page.text()
    else:
        raise Usage(
            f"there is no command or topic {word[:40]!r}",
            hint=near(
                word.lower(), _names(top, words, [*topics]), "`sanjuan-ref help` lists the topics"
            ),
        )
    if json:
        terminal.document({"word": word, "text": text})
        return
    terminal.verbatim(text)


def _context(top: Any, words: list[str]) -> Any:
    """Return the context of a command, which may be one of a group; None if there is none."""
    found = top
    for word in words:
        group = found.command
        command = group.get_command(found, word) if hasattr(group, "list_commands") else None
        if command is None:
            return None
        found = command.make_context(word, [], parent=found, resilient_parsing=True)
    return found


def _names(top: Any, words: list[str], topics: list[str]) -> list[str]:
    """Return what may have been meant by words that are no command."""
    group = _context(top, words[:1])
    inner = getattr(getattr(group, "command", None), "commands", {})
    return [*COMMANDS, *topics, *(f"{words[0]} {name}" for name in inner)]


def _write_pages(folder: Path, top: Any, json: bool) -> None:
    # Man pages are seldom written.
    from referee.cli.manpages import man_pages
    from referee.storage import not_written, write_named

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_written(folder, error) from None
    pages = man_pages(top)
    for name, text in pages.items():
        write_named(
            folder / name, text.encode(), "man page", lambda old: old.startswith(b".TH"), named=True
        )
    if json:
        terminal.document({"folder": str(folder), "pages": list(pages)})
        return
    terminal.say(
        f"{len(pages)} man pages are in {folder}; `man -l {folder}/sanjuan-ref.1` shows one"
    )
