"""News since somebody's last answer, in a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.errors import counted
from referee.render.text import overview, story
from referee.render.text.terminal import brief, paragraph, say, tight, wrapped

if TYPE_CHECKING:
    from referee.games.interface import Rules
    from referee.table.gamefile import GameFile

MOST, FEW = 8, 3
"""The most steps that leave room for the table on a screen, and on a low one."""


def news(file: GameFile, rules: Rules, seat: str, more: str) -> None:
    """Print what the seat's last answer brought, and what happened after it.

    `more` is a command that tells it all.
    """
    last, first = overview.last_play(file, seat), overview.batch_start(file, seat)
    if file.step <= 1:
        return
    told = list(story.story_entries(file, rules, first=first))
    title = "Your last answer, and what changed since" if last else "What happened so far"
    if brief():
        begin = "Since your last answer: " if last else f"{title}: "
        lines = [one for entry in told if entry.step > last for one in entry.sentences]
        before = f"{counted(len(lines) - 1, 'more line')} ({more}), then " if lines[1:] else ""
        paragraph(f"{begin}{before}{lines[-1]}" if lines else "", 2)
        return
    say(("bold", title if len(told) > 1 else "Your last answer"))
    most = FEW if tight() else MOST
    # The own answer is told in any case, and among those that took effect together with it.
    others = [entry.step for entry in told if entry.step != last]
    left = set(others[:-most])
    for entry in told:
        if left and entry.step == others[-most]:
            since = f" --since {first - 1 if first < last else last}" if last else ""
            say(("dim", f"  {counted(len(left), 'step')} before these: {more}{since}"))
        if entry.step not in left:
            _tell(entry)
    say()


def _tell(entry: story.StoryEntry) -> None:
    for line in wrapped("; ".join(entry.sentences), 4, "  "):
        say(line)
    for heading in entry.headings:
        say("  ", ("bold", heading))
