"""A review in words, or for programs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from referee.cli.longwork import mapped
from referee.games.texts import FALLBACK
from referee.playing import reviewing
from referee.playing.reviewing import mattered_most
from referee.render.text import overview, terminal
from referee.table.decisions import DecisionId
from referee.table.rules import rules_for
from referee.table.seatnames import no_seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.bots.judging import Judgement
    from referee.games.interface import Rules
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
    terminal.paragraph(
        f"{seat} decided {len(found)} times. In {same} of these a hard bot would have played the "
        f"same, from what {seat} saw then; in {len(lost)} its play is better by more than chance."
    )
    shown = found if every else mattered_most(found)
    if shown:
        terminal.say()
        terminal.say(("bold", "Every decision" if every else "What mattered most"))
    for one in shown:
        _tell_one(rules, one)


def _tell_one(rules: Rules, one: Reviewed) -> None:
    made, judgement = one
    better = judgement.better
    asked = DecisionId.parse(made.decision)
    kind = rules.texts(FALLBACK).get("kinds", {}).get(asked.kind, asked.kind)
    terminal.say(("dim", f"  round {asked.round}, {kind} (step {made.step})"))
    played = f"played {_with_names(made.play, made.names)}"
    if better == made.play:
        terminal.paragraph(f"{played}, as the bot would", 6, " " * 4)
        return
    terminal.paragraph(
        f"{played}; the bot: {_with_names(better, made.names)}{_gain(judgement)}", 6, " " * 4
    )


def _gain(judgement: Judgement) -> str:
    """Say by how much a play is better."""
    if not judgement.loss:
        return ", which is as good"
    wins = judgement.wins
    if not wins:
        return ", which wins slightly more often"
    return f"; that wins about {'one' if wins == 1 else wins} more of 100 games"


def _with_names(play: str, names: dict[str, str]) -> str:
    """Return a play with the names of cards in place of their letters."""
    return " ".join(names.get(word, word) for word in play.split(" "))
