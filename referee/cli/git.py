"""`git …`: a table whose turns travel through a shared repository."""

import os
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import options as opt
from referee.cli.usage import Usage
from referee.render.text import terminal

if TYPE_CHECKING:
    from referee.games.errors import GameError
    from referee.git.repo import Repo

app = typer.Typer(rich_markup_mode=None)
git = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Pass turns through a shared git repository.",
)
app.add_typer(git, name="git")

HELP = "see `sanjuan-ref git --help`"
IN_HOOK = (
    "your note is pushed and safe, but the referee on the server could not run: tell whoever runs "
    "the repository, and afterwards run the same command again"
)
# Lines about what somebody has pushed, and the referee has put right.
MAX_FAULTS = 20
MAX_NAMED = 8
FolderArg = Annotated[Path, opt.argument("[DIR]", "The repository (default: the current folder).")]
ChangedFolderArg = Annotated[
    Path, opt.place_argument("[DIR]", "The repository (default: the current folder).")
]
PathOpt = Annotated[str, opt.option("--game", "PATH", "The game file within the repository.")]


@git.command()
def init(
    folder: Annotated[Path, opt.place_argument("DIR", "The folder with game.toml.")],
    branch: Annotated[
        str, opt.option("--branch", "NAME", "The branch that is played on.")
    ] = "main",
    hook: Annotated[
        Path | None,
        opt.place(
            "--hook", "BARE", "A bare repository on this machine: the referee's hook goes there."
        ),
    ] = None,
    program: Annotated[
        str | None,
        opt.option(
            "--program",
            "WHERE",
            "Where players get this program, e.g. git+https://… (default: where you got it).",
        ),
    ] = None,
    json: opt.JsonOpt = False,
) -> None:
    """Turn the folder of a new game into a shared repository.

    The referee's automation comes with it. First run `sanjuan-ref new DIR/game.toml …`. Existing
    files are kept.
    """
    from referee.git import layout
    from referee.playing.reader import key_of_hook
    from referee.table.signing import load

    if not (folder / layout.GAME).exists():
        raise _no_game(folder)
    file, _ = load(folder / layout.GAME)
    key, fault = key_of_hook(file) if hook is not None else (None, "")
    if hook is not None:
        layout.bare_at(hook)
    if program is not None:
        layout.check_source(program)
    source = program or layout.installed_from()
    written = layout.lay_out(folder, file, branch, source, ci=hook is None)
    put = layout.install_hook(hook, branch) if hook is not None else None
    if json:
        terminal.document(
            {"written": written, "hook": str(put) if put else None, "program": source or None}
            | {"key": str(key) if key is not None and not fault else None}
        )
        return
    for name in written:
        terminal.say(f"  {name}")
    url = "URL" if hook is None else quote(str(hook.resolve()))
    if not written:
        terminal.say("All of it was there already.")
    terminal.say(f"{'Committed. ' if written else ''}Push it to where the players can clone it:")
    terminal.say(f"  git -C {quote(str(folder))} remote add origin {url}")
    terminal.say(f"  git -C {quote(str(folder))} push -u origin {branch}")
    if put is not None:
        terminal.say(f"The referee works in {put}, after each push. It runs as whoever pushes;")
        terminal.say("over ssh that is the account pushed to. A shell there can read the key: give")
        terminal.say("players git-shell instead (`sanjuan-ref help git.md`).")
        if not fault:
            terminal.say(f"From here it would use the referee's key {key}.")
        else:
            terminal.warn(
                "warning",
                f"the hook would not find this game's referee key on this machine: {fault}",
            )
            terminal.warn(
                "hint", "that account needs it without a passphrase, as ~/.config/sanjuan-ref/key"
            )
    else:
        terminal.say("The referee works in CI once the secret SANJUAN_REFEREE_KEY_TEXT is there,")
        terminal.say("the text of the key's file, and the variable SANJUAN_REF, which says where")
        terminal.say("pip finds sanjuan-ref; or in a bare repository of yours:")
        terminal.say("  sanjuan-ref git init DIR --hook BARE")
    if not source and "README.md" in written:
        terminal.warn("note", "README.md does not say where players get this program")
        terminal.warn("hint", f"write it down in {quote(str(folder / 'README.md'))}")


def _no_game(folder: Path) -> "GameError":
    """Return the error for a folder without a game file of the name that it must have."""
    # Most games are called as they should be.
    from referee.cli.flags import shell_join
    from referee.cli.locating import holds_game
    from referee.git.layout import GAME
    from referee.storage import NotRead

    if holds_game(folder):
        return NotRead(f"{folder} is a file, not a folder", "name the folder in which it lies")
    place = folder / GAME
    games = sorted(path for path in folder.glob("*.toml") if holds_game(path))
    if not games:
        made = f"run `sanjuan-ref new {quote(str(place))} …` first"
        return NotRead(f"there is no game in {folder} yet", made)
    if len(games) == 1:
        what, old = (
            f"{games[0]} is not called {GAME}, as the game of a repository is",
            str(games[0]),
        )
    else:
        names = ", ".join(path.name for path in games[:MAX_NAMED])
        old = "FILE"
        what = f"none of the games in {folder} ({names}) is called {GAME}"
    rename = shell_join(["mv", old, str(place)])
    return NotRead(what, f"name the one for this repository so: `{rename}`, then run this again")


@git.command()
def setup(folder: ChangedFolderArg = Path(), json: opt.JsonOpt = False) -> None:
    """Set up git in this clone for the game.

    Two versions of a game are then never merged line by line.
    """
    from referee.git.layout import lacking_attributes, set_up
    from referee.git.repo import Repo

    repo = Repo.at(folder)
    set_up(repo)
    lacking = lacking_attributes(repo)
    if json:
        terminal.document({"driver": True, "lacking": lacking})
        return
    terminal.say("Game files are merged by sanjuan-ref in this clone.")
    if lacking:
        terminal.warn(
            "note",
            ".gitattributes does not say so for all files of the table: git may mix two lines of "
            "the game. Add this to it, commit and push; once is enough for all:",
        )
        for line in lacking:
            terminal.say(f"  {line}", error=True)


@git.command()
def referee(
    folder: ChangedFolderArg = Path(),
    game: PathOpt = "game.toml",
    branch: Annotated[
        str | None,
        opt.option(
            "--branch", "NAME", "The branch that is played on (default: the one checked out)."
        ),
    ] = None,
    remote: Annotated[
        str,
        opt.option(
            "--remote", "NAME", "Fetch from there and push to there (default: work locally)."
        ),
    ] = "",
    branch_is_ledger: Annotated[
        bool,
        opt.switch("--branch-is-ledger", "Keep no ledger here; trust the branch (for CI)."),
    ] = False,
    referee_key: opt.RefereeKeyOpt = None,
    ledger: opt.LedgerOpt = None,
    now: opt.NowOpt = None,
    override_clock: opt.ClockOpt = False,
    json: opt.JsonOpt = False,
) -> None:
    """Apply new notes and commit what follows (referee).

    Refused notes are answered in files beside them. Running it again changes nothing. It also
    answers for overdue seats, if the table agreed to that.
    """
    from referee.cli import keyring
    from referee.crypto.keyplace import find_referee_key
    from referee.errors import BadSignature, NoKey
    from referee.git import service
    from referee.git.repo import Repo
    from referee.render.text import overview
    from referee.table import times

    if branch_is_ledger and ledger is not None:
        raise Usage("--branch-is-ledger keeps no ledger", hint=HELP)
    repo = Repo.at(folder)
    job = service.RefereeJob(
        str(Path(game)),
        branch or _branch(repo),
        remote,
        now or times.current_time(),
        ledger,
        branch_is_ledger,
        override_clock,
    )
    try:
        done = service.referee(repo, job, keyring.referee_key(referee_key))
    except (BadSignature, NoKey) as error:
        if "GIT_DIR" in os.environ:
            # A hook: who reads it is the player who has pushed.
            error.hint = IN_HOOK
            raise
        if error.reason == "not-the-referee":
            place = find_referee_key(referee_key)
            error.hint = f"{place} was used: name the referee's key with --referee-key FILE or "
            error.hint += "$SANJUAN_REFEREE_KEY"
        raise
    unsafe = service.protection(repo, job) if branch_is_ledger else ""
    if json:
        terminal.document(
            overview.brief(done.file)
            | {
                "commit": done.commit,
                "remarks": [*done.remarks, *([unsafe] if unsafe else [])],
                "notes": [
                    {"source": verdict.source} | verdict.outcome for verdict in done.verdicts
                ],
            }
        )
        return
    for remark in [*done.remarks, *([unsafe] if unsafe else [])]:
        terminal.warn("warning", remark)
    for line in done.message.splitlines()[:1] if done.commit else ["nothing new"]:
        terminal.say(line)
    terminal.say(("bold", f"{game}: "), overview.state_line(done.file))


def _branch(repo: "Repo") -> str:
    if not repo.branch:
        raise Usage("which branch? name it with --branch", hint=HELP)
    return repo.branch


@git.command()
def verify(
    folder: FolderArg = Path(),
    game: PathOpt = "game.toml",
    branch: Annotated[
        str,
        opt.option("--branch", "NAME", "The branch to check (default: what is checked out)."),
    ] = "HEAD",
    json: opt.JsonOpt = False,
) -> None:
    """Check the whole history.

    Each commit continues the one before, and no note was ignored.
    """
    from referee.errors import counted
    from referee.git.history import verify_history
    from referee.git.repo import NoBranch, Repo

    if not folder.is_dir():
        raise Usage(f"{folder} is not a folder: name the repository", hint=HELP)
    repo = Repo.at(folder)
    tip = repo.branch_tip(branch) or repo.tip(branch)
    if not tip:
        raise NoBranch(f"there is no branch {branch}", "name it with --branch")
    found = verify_history(repo, tip, str(Path(game)))
    if json:
        terminal.document(found._asdict())
        return
    terminal.say(
        ("good", "ok"),
        f"  {counted(found.commits, 'commit')}, {counted(found.versions, 'game file')}",
    )
    terminal.say(("good", "ok"), "  each game file is the referee's and continues the one before")
    terminal.say(("good", "ok"), "  every join and move is signed by its seat")
    terminal.say(("good", "ok"), f"  {counted(found.notes, 'note')}, none of them ignored")
    for fault in found.mended[:MAX_FAULTS]:
        terminal.warn("note", f"{fault}; that was put right")
    if len(found.mended) > MAX_FAULTS:
        more = len(found.mended) - MAX_FAULTS
        terminal.warn("note", f"and {more} more like these, all put right (--json lists them)")
    for commit in found.large[:MAX_FAULTS]:
        terminal.warn(
            "note",
            f"commit {commit[:10]} is over 64 kB, so it was not read: nothing here says that its "
            f"{game} continues the one before; look at it by hand",
        )
    if len(found.large) > MAX_FAULTS:
        more = len(found.large) - MAX_FAULTS
        terminal.warn("note", f"and {counted(more, 'more commit')} like these (--json lists them)")
    if found.unread:
        terminal.warn(
            "note",
            f"of what was pushed as {game}, {counted(found.unread, 'file')} had to be left out, as "
            "so many others are none; run this again to go on with the rest",
        )
    if found.missed:
        terminal.warn(
            "note",
            "so much was pushed since the newest game file that only the first part was looked at "
            "for notes that somebody has changed or taken away",
        )
    if found.shallow:
        terminal.warn("note", "this clone is shallow: what came before it is not here")


@git.command(hidden=True)
def merge(
    ours: Annotated[Path, typer.Argument(metavar="OURS")],
    theirs: Annotated[Path, typer.Argument(metavar="THEIRS")],
) -> int:
    """Take the longer of two lines of one game; `git setup` names this as the merge driver."""
    from referee.git.merge import merge as merged

    terminal.warn("note", f"the game file is now at {merged(ours, theirs)}")
    return 0
