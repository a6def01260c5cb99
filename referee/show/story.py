"""The log as a story: each play, and in indented lines what it caused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.show.terminal import say
from referee.table import chain

if TYPE_CHECKING:
    from referee.table.gamefile import Entry, GameFile


def story(file: GameFile, since: int, *, raw: bool = False) -> None:
    """Print the entries after step `since`; `raw` prints their lines as they are hashed."""
    for step, entry in enumerate(file.log, 1):
        if step <= since:
            continue
        play = entry.play if raw or entry.by != "referee" else entry.play.split(" ")[0]
        say(f"{step:>4}  ", ("bold", f"{entry.decision:<18}"), f"  {play}")
        for line in entry.then if raw else _effects(entry):
            say(("dim", f"      {line}"))


def _effects(entry: Entry) -> list[str]:
    """What an entry caused, for people: without the questions it led to, and without proofs."""
    told = [_told(line) for line in entry.then]
    return [line for line in told if line]


def _told(text: str) -> str:
    try:
        line = chain.read_line(text)
    except ValueError:
        return text
    match line:
        case chain.Draw("table", pile, _, first, last):
            return f"{_cards(last + 1 - first)} from the {pile} to the table"
        case chain.Draw(who, pile, _, first, last):
            return f"{who} draws {_cards(last + 1 - first)} from the {pile}"
        case chain.Shuffling(pile, _, size, _):
            return f"{_cards(size)} shuffled into the {pile}"
        case chain.Opening(pile, _, _, name, _):
            return f"turned over from the {pile}: {name}"
        case chain.Taking(who, _, _, _):
            return f"{who} takes it"
        case chain.Asking():
            return ""
        case _:
            return text


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


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
