"""The options that several commands share, spelled once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from referee.cli import completing
from referee.cli.outputs import check_named
from referee.games import all_games, terms
from referee.records import NamedTuple
from referee.storage import is_file, is_folder


def option(names: str, metavar: str, text: str, **more: Any) -> Any:
    """Return an option that takes a value; its names have blanks between them."""
    return typer.Option(*names.split(), metavar=metavar, help=text, **_one_default(text, more))


def switch(names: str, text: str, **more: Any) -> Any:
    """Return an option that takes no value."""
    return typer.Option(*names.split(), help=text, **_one_default(text, more))


def argument(metavar: str, text: str, **more: Any) -> Any:
    """Return an argument of the command line, which has no option name."""
    return typer.Argument(metavar=metavar, help=text, **_one_default(text, more))


def _one_default(text: str, more: dict[str, Any]) -> dict[str, Any]:
    """Return options of an option, so that its default is not shown where its text says it."""
    return {"show_default": False, **more} if "default" in text else more


def place(names: str, metavar: str, text: str) -> Any:
    """Return an option that names a file or folder which the command writes."""
    return option(names, metavar, text, callback=check_named)


def place_argument(metavar: str, text: str) -> Any:
    """Return an argument that names a file or folder which the command writes."""
    return argument(metavar, text, callback=check_named)


def time(text: str) -> datetime:
    """Return the time in a value of `--now`."""
    # Few commands are given a time.
    from referee.table.times import parse_time

    try:
        now = parse_time(text)
    except ValueError:
        raise typer.BadParameter("write the time as 2026-11-28T09:00:00Z") from None
    if now.year > 2899:
        # Times at which answers are due must have four digits for the year, too.
        raise typer.BadParameter("the time is to be before the year 2900")
    return now


class RefereeOptions(NamedTuple):
    """Options of a referee: the ledger and the time, and whether each overrides the file.

    With `dry_run` all is checked, and nothing written.
    """

    ledger: Path | None
    now: datetime | None = None
    override: bool = False
    any_time: bool = False
    dry_run: bool = False


GAMES = "games"


def _locate(ctx: typer.Context, value: Any) -> Any:
    if value is None and ctx.params.get(GAMES):
        return None
    if not ctx.resilient_parsing and (
        value is None or value.suffix != ".toml" or not is_file(value)
    ):
        # Most runs name a game file.
        from referee.cli.locating import find_game, locate

        return locate(value or find_game())
    return value


def check_changed(ctx: typer.Context, value: Any) -> Any:
    """Return the game file that a command changes, and check the place as `check_named` does."""
    if value is None and ctx.params.get(GAMES):
        return None
    if not ctx.resilient_parsing and (value is None or is_folder(value)):
        # A file is named in most runs.
        from referee.cli.locating import find_game, plain

        value = plain(value or find_game())
    return check_named(value)


_HERE = {"default_factory": lambda: None, "show_default": False}
GameArg = Annotated[
    Path,
    argument(
        "GAME",
        "The game: a file, an email or mailbox in which it came, a folder, REMOTE:PATH in a git "
        "repository, or - (default: $SANJUAN_GAME, or the only game here).",
        callback=_locate,
        **_HERE,
    ),
]
ChangedGameArg = Annotated[
    Path,
    argument(
        "GAME",
        "The game file (default: $SANJUAN_GAME, or the only game here).",
        callback=check_changed,
        **_HERE,
    ),
]
GamesOpt = Annotated[
    Path | None, option("--games", "DIR", "All games in a folder and below it, instead of one.")
]
JobsOpt = Annotated[
    int | None,
    option("--jobs", "N", "With --games: so many games at once (default: all processors).", min=1),
]
KeyOpt = Annotated[
    Path | None,
    option(
        "--key",
        "FILE",
        "Your private key (default: $SANJUAN_KEY, or the one that sits at the table of those in "
        "~/.config/sanjuan-ref and ~/.ssh/id_ed25519).",
    ),
]
RefereeKeyOpt = Annotated[
    Path | None,
    option(
        "--referee-key",
        "FILE",
        "The referee's private key (default: $SANJUAN_REFEREE_KEY, or the key itself in "
        "$SANJUAN_REFEREE_KEY_TEXT, then as for --key).",
    ),
]
IdentityOpt = Annotated[
    Path | None,
    option(
        "--identity",
        "FILE",
        "The file with the age key that opens your hand, if you joined with --seal.",
        envvar="SANJUAN_IDENTITY",
    ),
]
BackupOpt = Annotated[
    Path | None,
    option(
        "--identity",
        "FILE",
        "The file with the age or SSH key to which `new --backup` sealed the deal secret.",
    ),
]
SeatOpt = Annotated[
    str | None,
    option(
        "--seat",
        "NAME",
        "Your seat (default: the seat of your key).",
        autocompletion=completing.seats,
    ),
]
LEDGER = (
    "--ledger",
    "FILE",
    "The referee's memory of this game (default: one in ~/.local/state/sanjuan-ref).",
)
LedgerOpt = Annotated[Path | None, place(*LEDGER)]
OverrideOpt = Annotated[
    bool, switch("--override-ledger", "Continue from this file even if the ledger disagrees.")
]
NowOpt = Annotated[
    datetime | None,
    option(
        "--now",
        "TIME",
        "The time in UTC, e.g. 2026-11-28T09:00:00Z (default: this machine's clock).",
        parser=time,
    ),
]
ClockOpt = Annotated[
    bool, switch("--override-clock", "Continue even if the clock contradicts the file's own time.")
]
JsonOpt = Annotated[bool, switch("--json", "One JSON object instead of text.")]
PlainOpt = Annotated[
    bool,
    switch(
        "--plain",
        "For a screen reader: one item per line, no colours or symbols.",
        envvar="SANJUAN_PLAIN",
    ),
]
OutputOpt = Annotated[
    str | None, place("-o --output", "FILE", "Write the note to FILE; - for standard output.")
]

DryRunOpt = Annotated[
    bool, switch("--dry-run", "Check all, and show what would be signed; write and send nothing.")
]

Words = list[str] | None


class RulesOptions(NamedTuple):
    """Options that choose the rules of a new table."""

    game: str
    edition: str | None = None
    expansions: Sequence[str] = ()
    variants: Sequence[str] = ()
    options: Sequence[str] = ()
    deck: Path | None = None


class ChoosesRules(TyperCommand):
    """A command that chooses rules: the help of its options says what each game has."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        for param in self.params:
            what = ", ".join(all_games()) if param.name == "rules" else terms(param.name or "")
            if what and isinstance(param, TyperOption):
                param.help = f"{(param.help or '').rstrip('.')} ({what})."
        super().format_help(ctx, formatter)


RulesOpt = Annotated[
    str,
    option("--game", "NAME", "The game.", autocompletion=completing.listed(lambda: all_games())),
]
EditionOpt = Annotated[
    str | None,
    option(
        "--edition",
        "NAME",
        "The edition.",
        autocompletion=completing.of_games("edition"),
    ),
]
ExpansionOpt = Annotated[
    Words,
    option(
        "--expansion",
        "NAME",
        "An expansion; may be repeated.",
        autocompletion=completing.of_games("expansion"),
    ),
]
VariantOpt = Annotated[
    Words,
    option(
        "--variant",
        "NAME",
        "A variant; may be repeated.",
        autocompletion=completing.of_games("variant"),
    ),
]
RuleOpt = Annotated[Words, option("--option", "NAME=VALUE", "A rule option; may be repeated.")]
DeckOpt = Annotated[
    Path | None, option("--deck", "FILE", "Your own deck, where the game allows one.")
]

CommitOpt = Annotated[
    bool, switch("--commit", "Put the note into moves/ beside the game, and commit it.")
]
PushOpt = Annotated[
    bool, switch("--push", "Like --commit, with a pull before and a push after it.")
]
