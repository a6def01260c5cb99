"""Man pages, made of the help of the commands: the same text in another form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from textwrap import wrap
from typing import Any

from referee.cli.commands import GROUPS
from referee.cli.usage import PROGRAM
from referee.manual import pages

FILES = (
    ("~/.config/sanjuan-ref/key", "Your key where none is named."),
    ("~/.local/state/sanjuan-ref", "The memory of a referee: ledgers, and what was mailed."),
)
CODE = re.compile(r"(?m)\| (\d+) \| ([^|\n]+) (?=\|)")
WIDE = 78


def man_pages(top: Any) -> dict[str, str]:
    """Return the man pages of a program and of all its commands, by file name.

    `top` is the context of the program. The pages depend on nothing but the program.
    """
    contexts = dict(_contexts(top))
    return {
        f"{name.replace(' ', '-')}.1": _page(name, context, [*contexts])
        for name, context in contexts.items()
    }


def _contexts(context: Any, path: str = PROGRAM) -> Iterator[tuple[str, Any]]:
    """Yield every command with its context, groups before what is in them."""
    yield path, context
    group = context.command
    for name in group.list_commands(context) if hasattr(group, "list_commands") else ():
        command = group.get_command(context, name)
        inner = command.make_context(name, [], parent=context, resilient_parsing=True)
        yield from _contexts(inner, f"{path} {name}")


def _page(name: str, context: Any, names: list[str]) -> str:
    command = context.command
    text = _paragraphs(command.help or "")
    title = name.replace(" ", "-")
    lines = [
        f'.TH "{_plain(title.upper())}" "1" "" "{PROGRAM} {_version()}" "{PROGRAM}"',
        ".SH NAME",
        # Programs that list man pages read this line.
        f"{_plain(title)} \\- {_plain(_summary(command, text))}",
        ".SH SYNOPSIS",
        f".B {_plain(name)}",
        _plain(" ".join(command.collect_usage_pieces(context))),
        ".SH DESCRIPTION",
        *_joined(text),
    ]
    lines += _options(context)
    if name == PROGRAM:
        for head, group in GROUPS.items():
            lines.append(f".SS {_plain(head)}")
            lines += [line for word, about in group.items() for line in _item(word, about[1])]
        lines += [".SH EXIT STATUS", *_codes(), ".SH FILES"]
        lines += [line for path, about in FILES for line in _item(path, about)]
    above = name.rpartition(" ")[0]
    near = [above] if above else []
    near += [one for one in names if one.rpartition(" ")[0] == name]
    others = [f".BR {_plain(one.replace(' ', '-'))} (1)" for one in near]
    lines += [".SH SEE ALSO", *(f"{other} ," for other in others)] if others else []
    if others:
        lines[-1] = lines[-1].removesuffix(" ,")
    return "\n".join(lines) + "\n"


def _options(context: Any) -> list[str]:
    """Return the arguments and options of a command, as its help says them."""
    found = []
    for param in context.command.get_params(context):
        record = param.get_help_record(context)
        if record is not None:
            found += _item(*record)
    return [".SH OPTIONS", *found] if found else []


def _codes() -> Iterator[str]:
    found = CODE.findall(pages()["commands"].text())
    for code, text in sorted(found, key=lambda row: int(row[0])):
        yield from _item(code, text.replace("`", ""))


def _summary(command: Any, text: list[str]) -> str:
    return str(command.short_help or re.split(r"[.:;] ", (text or [""])[0])[0]).rstrip(".")


def _paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


def _joined(paragraphs: list[str]) -> Iterator[str]:
    for at, text in enumerate(paragraphs):
        if at:
            yield ".PP"
        yield from _wrapped(text)


def _item(head: str, text: str) -> list[str]:
    return [".TP", f"\\fB{_plain(head)}\\fR", *_wrapped(text)]


def _wrapped(text: str) -> list[str]:
    return [_plain(line) for line in wrap(text, WIDE, break_on_hyphens=False)]


def _plain(text: str) -> str:
    """Return a text in which nothing is a command of troff."""
    said = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "\\|.\\|.\\|.")
    said = said.replace("→", "\\(->").replace("~", "\\(ti").replace("^", "\\(ha")
    return ("\\&" if said.startswith(".") else "") + said.replace("'", "\\(aq")


def _version() -> str:
    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return ""
