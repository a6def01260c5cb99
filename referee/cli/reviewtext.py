"""A review in words, or for programs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from referee.cli.longwork import mapped
from referee.errors import counted
from referee.games.texts import FALLBACK
from referee.playing import reviewing
from referee.playing.reviewing import mattered_most
from referee.render.page.language import Language
from referee.render.page.marked import sentences
from referee.render.text import overview, terminal
from referee.table.rules import rules_for
from referee.table.seatnames import no_seat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.games.interface import Rules
    from referee.games.values import Word
    from referee.playing.reviewing import Reviewed
    from referee.table.gamefile import GameFile


def looked_back(file: GameFile, seat: str, jobs: int | None = None) -> list[Reviewed]:
    """Return the decisions of a seat, each judged. Raises NotYours, Stale, NotUnderstood."""
    if file.seat(seat) is None:
        raise no_seat(file, seat)
    made = reviewing.decisions_of(file, seat)
    judge = partial(reviewing.review, rules_for(file))
    return list(mapped(judge, made, jobs, "decisions"))


def document(file: GameFile, seat: str, found: Sequence[Reviewed]) -> dict[str, Any]:
    """Return a review for programs: losses are shares of a win."""
    rows = [
        {
            "step": made.step,
            "decision": made.decision,
            "play": made.play,
            "better": judgement.better,
            "loss": round(judgement.loss, 4),
        }
        for made, judgement in found
    ]
    return overview.brief(file) | {"seat": seat, "decisions": rows}


def tell(rules: Rules, seat: str, found: Sequence[Reviewed], *, every: bool) -> None:
    """Print a review: how many decisions were good, and those that mattered most."""
    same = sum(one.made.play == one.judgement.better for one in found)
    lost = [one for one in found if one.judgement.loss > 0]
    decisions = counted(len(found), "decision")
    terminal.paragraph(
        f"{seat} made {decisions}: in {same} a hard bot would have played the "
        f"same, from what {seat} saw then; in {len(lost)} its play is better by more than chance."
    )
    shown = found if every else mattered_most(found)
    if shown:
        terminal.say()
        terminal.say(("bold", "Every decision" if every else "What mattered most"))
    language, words = Language(FALLBACK, rules), {word.name: word for word in rules.words}
    for one in shown:
        _tell_one(one, language, words)


def _tell_one(one: Reviewed, language: Language, words: Mapping[str, Word]) -> None:
    where, *said = sentences(one, language, words)
    terminal.paragraph(where, 4, "  ", style="dim")
    terminal.paragraph(" ".join(said), 4, "    ")
