"""Applying notes for a command, and saying what became of them."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

from referee.cli.advice import advise, failure
from referee.errors import AlreadyApplied
from referee.refereeing import commit
from referee.render.text import overview, terminal
from referee.table.times import current_time

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from referee.cli.options import RefereeOptions
    from referee.crypto.keys import PrivateKey
    from referee.notes.finding import Found
    from referee.refereeing.commit import OpenGame
    from referee.refereeing.judging import Verdict
    from referee.table.gamefile import GameFile

NOTE = "note"
BOOK = "addresses.toml"
FEW = 3


def settle(
    game: Path,
    notes: Sequence[tuple[str, Found]],
    key: PrivateKey,
    options: RefereeOptions,
    *,
    json: bool,
    goes_on: bool = False,
) -> int:
    """Apply notes, each from a named source, and say what became of them; the exit code.

    Whoever `goes_on` says later to whom the game file goes.
    """
    with commit.open_game(
        game, key, ledger=options.ledger, override=options.override, any_time=options.any_time
    ) as desk:
        remarks(desk)
        verdicts = commit.apply_notes(desk, notes, options.now or current_time())
    again = [verdict for verdict in verdicts if verdict.is_repeat]
    refused = [verdict for verdict in verdicts if not verdict.counts]
    # Old notes are no refusal of the new ones, and alone they say that there was nothing to do.
    old = AlreadyApplied.exit_code if len(again) == len(verdicts) else 0
    code = refused[0].exit_code if refused else old
    if json:
        terminal.document(document(game, desk, verdicts), code)
        return code
    for verdict in verdicts:
        if verdict.error is None:
            # The verdict may begin with the name of the seat.
            what = "" if verdict.word.startswith(f"{verdict.what} ") else f"{verdict.what}: "
            terminal.say(f"{verdict.source}: {what}{verdict.word}")
        elif not verdict.is_repeat:
            _tell_refusal(verdict, game, desk.file)
    _tell_old(again)
    terminal.say(("bold", f"{game}: "), overview.state_line(desk.file))
    if any(verdict.error is None for verdict in verdicts) and not goes_on:
        tell_next(game, desk)
    return code


def _tell_refusal(verdict: Verdict, game: Path, file: GameFile) -> None:
    assert verdict.error is not None
    if verdict.error.reason == "not-open" and not verdict.error.hint:
        left = ", ".join(id_ for id_, _, arrived in overview.waiting(file) if not arrived)
        verdict.error.hint = f"open is {left}" if left else "nothing is asked any more"
    advise(verdict.error, str(game))
    # Most messages say which decision they are about; what is not a note is not called one.
    is_said = verdict.what in verdict.error.message or verdict.what == NOTE
    terminal.complain(verdict.error, verdict.source + ("" if is_said else f": {verdict.what}"))


def _tell_old(verdicts: Sequence[Verdict]) -> None:
    """Say quietly what had been applied before, in one line where it is much."""
    if len(verdicts) > FEW:
        terminal.warn("note", f"{len(verdicts)} notes had been applied before")
        return
    for verdict in verdicts:
        if verdict.error is not None:
            terminal.warn("note", f"{verdict.source}: {verdict.error.message}")


def tell_next(game: Path, desk: OpenGame) -> None:
    """Say whom a changed game file goes to, and with the last one who has won."""
    if desk.file.status == "finished":
        overview.result(desk.file, desk.session.rules)
        terminal.say()
        terminal.say(how_to_send(game))
        terminal.say("Everybody can check all of it now:")
        terminal.say(f"  sanjuan-ref audit {quote(game.name)}")
        return
    terminal.say(how_to_send(game))


def how_to_send(game: Path) -> str:
    """Return the sentence that says how a new game file gets to the players."""
    if (game.parent / BOOK).exists():
        return f"Send it with `sanjuan-ref mail out {quote(str(game))}`."
    above = game.absolute().parent.parent
    if (above / BOOK).exists():
        return f"Send it with `sanjuan-ref mail out --games {quote(str(above))}`."
    return f"Send {game} to everybody."


def remarks(desk: OpenGame) -> None:
    """Say what a referee should know of the file and its ledger."""
    if desk.restored:
        terminal.warn(
            "note",
            f"{desk.path} was one step older than the last file signed here (an interrupted run?); "
            f"it has been updated to step {desk.file.step}",
        )
    if desk.ahead:
        terminal.warn(
            "note",
            f"the newest steps of {desk.path} were signed on another machine; this one goes on "
            "from there",
        )
    if desk.fresh:
        terminal.warn(
            "warning",
            "this machine has no ledger of this game, so it cannot tell whether there is a newer "
            "file; it keeps one from the next file on that it signs",
        )


def document(game: Path, desk: OpenGame, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return what became of a file and of notes, for programs."""
    return summary(game, desk) | {
        "notes": [
            {"source": verdict.source}
            | verdict.outcome
            | (failure(verdict.error) if verdict.error else {})
            for verdict in verdicts
        ],
    }


def summary(game: Path, desk: OpenGame) -> dict[str, Any]:
    """Return what a file is after a change of the referee's, for programs."""
    return {
        "file": str(game),
        "status": desk.file.status,
        "step": desk.file.step,
        "head": desk.file.head.hex(),
        "restored": desk.restored,
        "ahead": desk.ahead,
        "asked": [
            {"id": decision, "seat": seat, "answered": arrived}
            for decision, seat, arrived in overview.waiting(desk.file)
        ],
    }
