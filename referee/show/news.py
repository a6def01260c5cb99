"""What the others have done since somebody answered last, in a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.show import overview, story
from referee.show.terminal import say, wrapped

if TYPE_CHECKING:
    from referee.games.interface import Rules
    from referee.table.gamefile import GameFile

MOST = 8
"""So many steps leave the table on the same screen."""


def news(file: GameFile, rules: Rules, seat: str, more: str) -> None:
    """Print what happened after the seat's last answer; `more` is a command that tells it all."""
    last = overview.last_play(file, seat)
    if max(last, 1) >= file.step:
        return
    told = [one for one in story.told(file, rules) if one.step > last]
    say(("bold", "What changed since your last answer" if last else "What happened so far"))
    if len(told) > MOST:
        since = f" --since {last}" if last else ""
        say(("dim", f"  {len(told) - MOST} more steps before that: {more}{since}"))
    for one in told[-MOST:]:
        for line in wrapped("; ".join(one.sentences), 4, "  "):
            say(line)
        for heading in one.headings:
            say("  ", ("bold", heading))
    say()
