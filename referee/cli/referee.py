"""`apply` and `abandon`: what the holder of the referee's key does to a game file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.options import (
    ClockOpt,
    GameArg,
    JsonOpt,
    LedgerOpt,
    NowOpt,
    OverrideOpt,
    RefereeKeyOpt,
    Time,
)
from referee.cli.usage import Usage

if TYPE_CHECKING:
    from referee.refereeing.commit import Desk
    from referee.refereeing.judging import Verdict
    from referee.table.gamefile import GameFile

app = typer.Typer(rich_markup_mode=None)

NOTE = "note"
FEW = 3


@app.command()
def apply(
    game: GameArg,
    notes: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[NOTE]...", help="Files with notes (else standard input)."),
    ] = None,
    referee_key: RefereeKeyOpt = None,
    ledger: LedgerOpt = None,
    override_ledger: OverrideOpt = False,
    now: NowOpt = None,
    override_clock: ClockOpt = False,
    json: JsonOpt = False,
) -> int:
    """Apply notes to the game file.

    A file may be a whole mail; everything that is a note in it is applied. A refused note does not
    stop the others. The exit code is that of the first refusal; 10 says that all notes had been
    applied before. Where nothing is applied the file stays as it is. If a pattern names the notes,
    write ./*.move, so that no name is read as an option.
    """
    from referee.cli.access import referee_key as find
    from referee.notes.mime import LIMIT
    from referee.render.text import terminal
    from referee.storage import read_limited

    flags = {"json": json, "override-ledger": override_ledger, "override-clock": override_clock}
    _typed(*(f"--{name}" for name, given in flags.items() if given))
    _typed(f"--ledger={ledger}", f"--referee-key={referee_key}")
    if not notes and terminal.asks():
        terminal.warn("note", "reading notes from the terminal; end with Ctrl-D")
    texts = [
        ("standard input" if str(path) == "-" else str(path), read_limited(path, LIMIT))
        for path in notes or [Path("-")]
    ]
    at = Time(now, override_clock)
    return settle(game, texts, find(referee_key), ledger, override_ledger, json, at)


def _typed(*options: str) -> None:
    """Raises Usage for an option that a shell may have found by a pattern: it is a file's name."""
    for option in options:
        if Path(option).is_file():
            raise Usage(
                f"{option} is the name of a file here, and was read as an option",
                hint="write ./ before the names or patterns of notes, as in ./*.move",
            )


def settle(
    game: Path,
    texts: Sequence[tuple[str, bytes]],
    key: Any,
    ledger: Path | None,
    override: bool,
    json: bool,
    at: Time,
) -> int:
    """Apply what is in some texts, say what became of it; the exit code."""
    from referee.errors import AlreadyApplied
    from referee.notes.finding import found_in
    from referee.refereeing import commit
    from referee.render.text import overview, terminal
    from referee.table import times

    notes = [(source, found) for source, data in texts for found in found_in(data)]
    with commit.desk(game, key, ledger=ledger, override=override, any_time=at.any) as desk:
        remarks(desk)
        verdicts = commit.apply_notes(desk, notes, at.now or times.current_time())
    again = [one for one in verdicts if one.exit_code == AlreadyApplied.exit_code]
    refused = [one for one in verdicts if one.error is not None and one not in again]
    # Old notes are no refusal of the new ones, and alone they say that there was nothing to do.
    old = AlreadyApplied.exit_code if len(again) == len(verdicts) else 0
    code = refused[0].exit_code if refused else old
    if json:
        terminal.document(_document(game, desk, verdicts), code)
        return code
    for one in verdicts:
        if one.error is None:
            # What was done may begin with whose it is.
            what = "" if one.word.startswith(f"{one.what} ") else f"{one.what}: "
            terminal.say(f"{one.source}: {what}{one.word}")
        elif one not in again:
            _refused(one, game, desk.file)
    _old_news(again)
    terminal.say(("bold", f"{game}: "), overview.state_line(desk.file))
    if any(one.error is None for one in verdicts):
        _what_now(game, desk)
    return code


def _refused(one: Verdict, game: Path, file: GameFile) -> None:
    from referee.cli.advice import advise
    from referee.render.text import overview, terminal

    assert one.error is not None
    if one.error.reason == "not-open" and not one.error.hint:
        left = ", ".join(id_ for id_, _, arrived in overview.waiting(file) if not arrived)
        one.error.hint = f"open is {left}" if left else "nothing is asked any more"
    advise(one.error, str(game))
    # Most messages say which decision they are about, and what is no note need not be called one.
    about = "" if one.what in one.error.message or one.what == NOTE else f": {one.what}"
    terminal.complain(one.error, one.source + about)


def _old_news(verdicts: Sequence[Verdict]) -> None:
    """Say quietly what had been applied before, in one line where it is much."""
    from referee.render.text import terminal

    if len(verdicts) > FEW:
        terminal.warn("note", f"{len(verdicts)} notes had been applied before")
        return
    for one in verdicts:
        if one.error is not None:
            terminal.warn("note", f"{one.source}: {one.error.message}")


def _what_now(game: Path, desk: Desk) -> None:
    from referee.render.text import overview, terminal

    if desk.file.status == "finished":
        overview.result(desk.file, desk.session.rules)
        terminal.say()
        terminal.say(f"Send {game} to everybody, who can check all of it now:")
        terminal.say(f"  sanjuan-ref audit {quote(game.name)}")
        return
    terminal.say(f"Send {game} to everybody.")


def remarks(desk: Desk) -> None:
    """Say what a referee should know of the file and its ledger."""
    from referee.render.text import terminal

    if desk.restored:
        terminal.warn(
            "note",
            f"{desk.path} was one file behind the newest that was signed here, as after an "
            f"interrupted run; it has been brought up to that, step {desk.file.step}",
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


def _document(game: Path, desk: Desk, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    from referee.cli.advice import failure

    return summary(game, desk) | {
        "notes": [
            {"source": one.source, "what": one.what, "result": one.word}
            | {"exit": one.exit_code}
            | (failure(one.error) if one.error else {})
            for one in verdicts
        ],
    }


def summary(game: Path, desk: Desk) -> dict[str, Any]:
    """What a file is after a change of the referee's, for programs."""
    from referee.render.text import overview

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


@app.command()
def abandon(
    game: GameArg,
    referee_key: RefereeKeyOpt = None,
    ledger: LedgerOpt = None,
    override_ledger: OverrideOpt = False,
    yes: Annotated[bool, typer.Option("--yes", help="End it without asking.")] = False,
    json: JsonOpt = False,
) -> int:
    """End a game that will not be finished, for good: its deal secret is published.

    You are asked first; a script says --yes.
    """
    from referee.cli.access import referee_key as find
    from referee.refereeing import commit
    from referee.render.text import overview, prompt, terminal

    key = find(referee_key)
    with commit.desk(game, key, ledger=ledger, override=override_ledger) as desk:
        runs = desk.file.status not in ("finished", "abandoned")
    if runs and not yes:
        if json or not terminal.asks():
            raise Usage(
                "this ends the game for good and publishes its deal secret",
                hint="if that is what you want, say so with --yes",
            )
        said = prompt.ask(
            f"End the game in {game} for good, and publish its deal secret? Type yes: "
        )
        if said.lower() not in ("yes", "y"):
            terminal.say("The game goes on; nothing was changed.")
            return 1
    with commit.desk(game, key, ledger=ledger, override=override_ledger) as desk:
        remarks(desk)
        commit.abandon(desk)
    if json:
        terminal.document(_document(game, desk, []))
        return 0
    terminal.say(("bold", f"{game}: "), overview.state_line(desk.file))
    terminal.say(f"Send {game} to everybody. The deal secret is in it, so all can be checked now:")
    terminal.say(f"  sanjuan-ref audit {quote(game.name)}")
    return 0
