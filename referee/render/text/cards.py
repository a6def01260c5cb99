"""Help that a rules module brings along: what cards do, and rulings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from referee.render.text.board import named
from referee.render.text.terminal import say, wrapped

if TYPE_CHECKING:
    from referee.games.interface import Rules


def cards(rules: Rules, names: Sequence[str]) -> None:
    """Print what each card costs and does; the names are those of `Rules.called`."""
    for name in names:
        facts, what = named(rules.facts(name), rules.legend), rules.text(name)
        printed = f" ({facts})" if rules.legend and facts else ""
        for line in wrapped(what or facts, 4, f"{name}{printed}: "):
            say(line)


def document(rules: Rules, names: Sequence[str]) -> dict[str, Any]:
    """Return the same for programs, by name."""
    return {"cards": {name: rules.text(name) or rules.facts(name) for name in names}}


def topic(title: str, sentences: Iterable[str]) -> None:
    """Print rulings below a title."""
    say(("bold", title))
    for sentence in sentences:
        for line in wrapped(sentence, 4, "  - "):
            say(line)
