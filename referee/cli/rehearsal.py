"""`--dry-run`: what would be signed, told in place of writing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.render.text import terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.refereeing.commit import OpenGame

NOTHING = "Nothing was written or sent."


def tell_state(
    opened: OpenGame, about: dict[str, Any], *, changed: bool, json: bool, code: int = 0
) -> None:
    """Print what the referee would sign of a game file, if it would be `changed`.

    `about` says the rest to programs.
    """
    if json:
        said = {"dry_run": True, "file": str(opened.path), **about}
        terminal.document(said | {"signs": [opened.state_text] if changed else []}, code)
    elif changed:
        tell_signed([opened.state_text])
        terminal.paragraph(f"It would replace {opened.path}. {NOTHING}")
    else:
        terminal.say(f"{opened.path} would stay as it is. {NOTHING}")


def tell_signed(texts: Sequence[str]) -> None:
    """Print the canonical texts that would be signed."""
    terminal.say("This would be signed:")
    for line in "".join(texts).splitlines():
        terminal.say(f"  {line}")
