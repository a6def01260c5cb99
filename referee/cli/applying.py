"""Applying notes for a command, and reporting the outcome."""

from __future__ import annotations

import re
from shlex import quote
from typing import TYPE_CHECKING, Any

from referee.errors import AlreadyApplied, Stale
from referee.refereeing import commit
from referee.render.text import overview, terminal
from referee.table.clock import bots_think
from referee.table.times import current_time

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from referee.cli.options import RefereeOptions
    from referee.crypto.keys import PrivateKey
    from referee.notes.finding import Found
    from referee.playing.outgoing import Outgoing
    from referee.refereeing.commit import OpenGame
    from referee.refereeing.judging import Verdict
    from referee.table.gamefile import GameFile

NOTE = "note"
BOOK = "addresses.toml"
FEW = 3
TOO_LATE = (AlreadyApplied.exit_code, Stale.exit_code)
"""The exit codes of an answer to a question that another one has answered."""


def settle(
    game: Path,
    notes: Sequence[tuple[str, Found]],
    key: PrivateKey,
    options: RefereeOptions,
    *,
    json: bool,
    goes_on: bool = False,
    silent: bool = False,
) -> int:
    """Apply notes, each from a named source, report the outcome, and return the exit code.

    If the command `goes_on`, it says itself at the end who gets the game file. If it is `silent`,
    only what was refused is told, and it says itself what has come `TOO_LATE`.
    """
    opened, verdicts = judged(game, notes, key, options)
    code = exit_code(verdicts)
    if options.dry_run:
        # Few notes are only tried.
        from referee.cli.rehearsal import tell_state

        if not json:
            _tell_verdicts(verdicts, game, opened.file)
        changed = any(verdict.error is None for verdict in verdicts)
        tell_state(opened, {"notes": documents(verdicts)}, changed=changed, json=json, code=code)
        return code
    while bots_think(opened.file):
        with open_for(game, key, options) as opened:
            commit.apply_notes(opened, [], options.now or current_time())
    if json:
        terminal.document(document(game, opened, verdicts), code)
        return code
    if silent:
        if code not in TOO_LATE:
            tell_refused(verdicts, game, opened.file)
        return code
    _tell_verdicts(verdicts, game, opened.file)
    terminal.say(("bold", f"{game}: "), overview.state_line(opened.file))
    if any(verdict.is_transfer for verdict in verdicts):
        # Few seats change hands.
        from referee.cli.consents import tell_old_addresses, tell_waiting

        tell_waiting(game, opened.file, verdicts)
        tell_old_addresses(game, opened.file, verdicts[0].step)
    if any(verdict.error is None for verdict in verdicts) and not goes_on:
        tell_next(game, opened)
    return code


def found_in(note: Outgoing) -> list[tuple[str, Found]]:
    """Return the notes of a player's own as they are applied."""
    # A note that is written for the referee is not looked for.
    from referee.notes.finding import Found

    return [
        (
            "your plan" if part.signed.kind == "plan" else "your note",
            Found(sealed=part.sealed) if part.sealed else Found(part.signed),
        )
        for part in note.parts
    ]


def judged(
    game: Path, notes: Sequence[tuple[str, Found]], key: PrivateKey, options: RefereeOptions
) -> tuple[OpenGame, list[Verdict]]:
    """Apply notes, or in a dry run judge them: the game, and a verdict for each."""
    with open_for(game, key, options) as opened:
        remarks(opened)
        return opened, commit.apply_notes(opened, notes, options.now or current_time())


def open_for(
    game: Path, key: PrivateKey, options: RefereeOptions
) -> AbstractContextManager[OpenGame]:
    """Open a game file for its referee, as the options say."""
    return commit.open_game(
        game,
        key,
        ledger=options.ledger,
        override=options.override,
        any_time=options.any_time,
        dry_run=options.dry_run,
    )


def exit_code(verdicts: Sequence[Verdict]) -> int:
    """Return the exit code: that of the first refusal."""
    refused = [verdict for verdict in verdicts if not verdict.counts]
    # Repeated notes decide the exit code only if there are no others.
    again = all(verdict.is_repeat for verdict in verdicts)
    return refused[0].exit_code if refused else AlreadyApplied.exit_code if again else 0


def tell_refused(verdicts: Sequence[Verdict], game: Path, file: GameFile) -> None:
    """Say why notes were refused, and which had been applied before."""
    _tell_verdicts([verdict for verdict in verdicts if verdict.error is not None], game, file)


def _tell_verdicts(verdicts: Sequence[Verdict], game: Path, file: GameFile) -> None:
    hints = set[str]()
    for verdict in verdicts:
        if verdict.error is None:
            terminal.say(f"{verdict.source}: {verdict.said}")
        elif not verdict.is_repeat:
            _tell_refusal(verdict, game, file, hints)
    _tell_old([verdict for verdict in verdicts if verdict.is_repeat])


def _tell_refusal(verdict: Verdict, game: Path, file: GameFile, hints: set[str]) -> None:
    """Say why a note was refused; what was hinted at before is not said again."""
    # Most notes are accepted.
    from referee.cli.advice import advise

    assert verdict.error is not None
    if verdict.error.reason == "not-open" and not verdict.error.hint:
        left = ", ".join(id_ for id_, _, arrived in overview.waiting(file) if not arrived)
        now = f"asked now is {left}" if left else "nothing is asked any more"
        early = "; apply the note again later" if verdict.error.message.endswith(" yet") else ""
        verdict.error.hint = f"{now}{early}"
    advise(verdict.error, str(game))
    if verdict.error.hint in hints:
        verdict.error.hint = ""
    hints.add(verdict.error.hint)
    if verdict.error.message in ("there is no note in it", "it is empty"):
        verdict.error.message = re.sub(r"\bit\b", lambda _: verdict.source, verdict.error.message)
        terminal.complain(verdict.error)
        return
    # Most messages say which decision they are about; what is not a note is not called one.
    is_said = verdict.what in verdict.error.message or verdict.what == NOTE
    terminal.complain(verdict.error, verdict.source + ("" if is_said else f": {verdict.what}"))


def _tell_old(verdicts: Sequence[Verdict]) -> None:
    """Report notes that had been applied before, in one line if they are many."""
    if len(verdicts) > FEW:
        terminal.warn("note", f"{len(verdicts)} notes had been applied before")
        return
    for verdict in verdicts:
        if verdict.error is not None:
            terminal.warn("note", f"{verdict.source}: {verdict.error.message}")


def tell_next(game: Path, opened: OpenGame) -> None:
    """Say who is to get the changed game file, and who has won if the game is over."""
    if opened.file.status == "finished":
        overview.result(opened.file, opened.session.rules)
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


def remarks(opened: OpenGame) -> None:
    """Warn the referee about the state of the file and its ledger."""
    for kind, text in remarks_on(opened):
        terminal.warn(kind, text)


def remarks_on(opened: OpenGame) -> list[tuple[str, str]]:
    """Return what the referee should know about the file and its ledger: notes and warnings."""
    found = []
    if opened.restored:
        step, lacks = opened.file.step, "lacks an answer that this machine has already accepted"
        if opened.given_step < step:
            lacks = "is one step older than the last file signed here (an interrupted run?)"
        has = "would have" if opened.dry_run else "has"
        at = f"(step {step})" if opened.given_step < step else f"(step {step} in both)"
        found.append(("note", f"{opened.path} {lacks}; it {has} been brought up to date {at}"))
    if opened.ahead:
        text = (
            f"the newest steps of {opened.path} were signed on another machine; this one goes on "
            "from there"
        )
        found.append(("note", text))
    if opened.fresh:
        text = (
            "this machine has no ledger of this game, so it cannot tell whether there is a newer "
            "file; it will keep one from the next file it signs"
        )
        found.append(("warning", text))
    return found


def document(game: Path, opened: OpenGame, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return the outcome for a file and for notes, for programs."""
    return summary(game, opened) | {"notes": documents(verdicts)}


def documents(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return the outcome for notes, for programs."""
    return [
        {"source": verdict.source} | verdict.outcome | _failure(verdict) for verdict in verdicts
    ]


def _failure(verdict: Verdict) -> dict[str, Any]:
    if verdict.error is None:
        return {}
    # Most notes are accepted.
    from referee.cli.advice import failure

    return failure(verdict.error)


def summary(game: Path, opened: OpenGame) -> dict[str, Any]:
    """Return the state of a file after the referee has changed it, for programs."""
    return {
        "file": str(game),
        "status": opened.file.status,
        "step": opened.file.step,
        "head": opened.file.head.hex(),
        "restored": opened.restored,
        "ahead": opened.ahead,
        "asked": [
            {"id": decision, "seat": seat, "answered": arrived}
            for decision, seat, arrived in overview.waiting(opened.file)
        ],
    }
