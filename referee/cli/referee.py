"""`apply` and `abandon`: what the holder of the referee's key does to a game file."""

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from referee.cli import options as opt
from referee.cli.usage import Usage
from referee.render.text import terminal

app = typer.Typer(rich_markup_mode=None)


@app.command()
def apply(
    game: opt.ChangedGameArg,
    notes: Annotated[
        list[Path] | None, opt.argument("[NOTE]...", "Files with notes (default: standard input).")
    ] = None,
    referee_key: opt.RefereeKeyOpt = None,
    ledger: opt.LedgerOpt = None,
    override_ledger: opt.OverrideOpt = False,
    now: opt.NowOpt = None,
    override_clock: opt.ClockOpt = False,
    dry_run: opt.DryRunOpt = False,
    json: opt.JsonOpt = False,
) -> int:
    """Apply notes to the game file.

    A file may be a whole email; every note in it is applied. A refused note does not stop the
    others. The exit code is that of the first refusal; 10 means every note was already applied. If
    nothing is applied, the file is unchanged. When using a wildcard, write ./*.move, in case a file
    name looks like an option. Where the first file is no game file, it is a note as well, and the
    game is the only one here.
    """
    from referee.cli import applying, keyring
    from referee.notes.finding import find_in_bytes
    from referee.notes.recognising import MAIL_LIMIT
    from referee.storage import NotRead, is_folder, read_limited

    flags = {"json": json, "override-ledger": override_ledger, "override-clock": override_clock}
    _typed(*(f"--{name}" for name, given in flags.items() if given))
    _typed(f"--ledger={ledger}", f"--referee-key={referee_key}")
    if game.suffix != ".toml":
        game, notes = _found(game, notes or [])
    for path in notes or []:
        if is_folder(path):
            here = quote(f"{path}/")
            raise NotRead(f"{path} is a folder, not a note", f"name the notes in it: {here}*")
    if not notes and terminal.asks():
        terminal.warn("note", "reading notes from the terminal; end with Ctrl-D")
    texts = [
        ("standard input" if str(path) == "-" else str(path), read_limited(path, MAIL_LIMIT))
        for path in notes or [Path("-")]
    ]
    key = keyring.referee_key(referee_key)
    found = [(source, one) for source, data in texts for one in find_in_bytes(data)]
    options = opt.RefereeOptions(ledger, now, override_ledger, override_clock, dry_run)
    return applying.settle(game, found, key, options, json=json)


def _found(first: Path, more: list[Path]) -> tuple[Path, list[Path]]:
    """Return the game and the notes that files are whose first may be a note as well."""
    # Most games are named.
    from referee.cli import locating
    from referee.cli.outputs import check_output

    if locating.holds_game(first):
        return first, more
    later = next((path for path in more if locating.holds_game(path)), None)
    if later is not None:
        raise Usage(f"{later} is a game file", hint="the game file comes before all notes")
    game = locating.find_game()
    check_output(game)
    return game, [first, *more]


def _typed(*options: str) -> None:
    """Raise Usage for an option that a shell may have found by a pattern: it is a file's name."""
    for option in options:
        if Path(option).is_file():
            raise Usage(
                f"{option} is the name of a file here, and was read as an option",
                hint="write ./ before the names or patterns of notes, as in ./*.move",
            )


@app.command()
def abandon(
    game: opt.ChangedGameArg,
    referee_key: opt.RefereeKeyOpt = None,
    ledger: opt.LedgerOpt = None,
    override_ledger: opt.OverrideOpt = False,
    yes: Annotated[bool, opt.switch("--yes", "End it without asking.")] = False,
    dry_run: opt.DryRunOpt = False,
    json: opt.JsonOpt = False,
) -> int:
    """End a game that will not be finished, for good: its deal secret is published.

    You are asked first; a script says --yes.
    """
    from referee.cli import applying, keyring
    from referee.refereeing import commit
    from referee.render.text import overview, prompt

    key = keyring.referee_key(referee_key)
    options = opt.RefereeOptions(ledger, override=override_ledger, dry_run=dry_run)
    with applying.open_for(game, key, options) as opened:
        runs = opened.file.status not in ("finished", "abandoned")
    if runs and not yes and not dry_run:
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
    with applying.open_for(game, key, options) as opened:
        applying.remarks(opened)
        commit.abandon(opened)
    if dry_run:
        # Few games are ended only to see how.
        from referee.cli.rehearsal import tell_state

        tell_state(opened, {}, changed=True, json=json)
        return 0
    if json:
        terminal.document(applying.document(game, opened, []))
        return 0
    terminal.say(("bold", f"{game}: "), overview.state_line(opened.file))
    terminal.say(applying.how_to_send(game))
    terminal.say("The deal secret is in it, so all can be checked now:")
    terminal.say(f"  sanjuan-ref audit {quote(game.name)}")
    return 0
