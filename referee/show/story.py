"""The log as a story: each play, and in indented lines what it caused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.show.terminal import say

if TYPE_CHECKING:
    from referee.table.gamefile import Entry, GameFile


def story(file: GameFile, since: int) -> None:
    """Print the entries after step `since`."""
    for step, entry in enumerate(file.log, 1):
        if step <= since:
            continue
        play = entry.play if entry.by != "referee" else entry.play.split(" ")[0]
        say(f"{step:>4}  ", ("bold", f"{entry.decision:<18}"), f"  {play}")
        for line in _effects(entry):
            say(("dim", f"      {line}"))


def _effects(entry: Entry) -> list[str]:
    """What an entry caused, without the questions it led to and the salts of openings."""
    found = []
    for line in entry.then:
        words = line.split(" ")
        if words[0] == "ask":
            continue
        found.append(" ".join(words[:5]) if words[0] == "open" else line)
    return found


def document(file: GameFile, heads: list[bytes], since: int) -> dict[str, Any]:
    """The entries after step `since` for programs, each with the head after it."""
    return {
        "game": file.game,
        "status": file.status,
        "step": file.step,
        "head": file.head.hex(),
        "log": [
            {
                "step": step,
                "decision": entry.decision,
                "by": entry.by,
                "play": entry.play,
                "seen": entry.seen,
                "then": list(entry.then),
                "head": heads[step].hex(),
            }
            for step, entry in enumerate(file.log, 1)
            if step > since
        ],
    }
