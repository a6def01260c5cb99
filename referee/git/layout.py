"""The files of a game repository beside the game, for players and for the referee's machine."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from shlex import quote

from referee.git.repo import BadName, GitFailed, Repo, top_of
from referee.git.sync import DRIVER, MOVES, guard
from referee.storage import create, replace
from referee.table.gamefile import GameFile

GAME = "game.toml"
ATTRIBUTES = f"""\
# Line ends stay as they are, and two lines of a game are never mixed.
{GAME} -text merge={DRIVER}
{MOVES}/** -text
"""

README = """\
# {title}

A game for {names}, refereed by the program `sanjuan-ref`. `{game}` is the whole game; only the
referee changes it.

The program needs Python 3.11 or newer. {program}

Once, in your clone:

    sanjuan-ref git setup

Then take your seat:

    sanjuan-ref join {game} --seat NAME --push

A turn is one command. It gets what the others have pushed, signs your answer, and pushes it as a
file of its own in `{moves}/`, so that nobody's turn is in the way of another's:

    git pull
    sanjuan-ref show {game}
    sanjuan-ref move {game} --role trader --push

`show` tells what is in your clone, so `git pull` comes first. By hand it goes with
`--commit` in place of `--push`, and `git pull --rebase` and `git push` around it.
If the referee refuses a note, the reason stands beside it in `{moves}/`, in a file that ends in
`.refused`. `sanjuan-ref git verify` checks the whole history.
"""
PROGRAM = """\
Get it by

    pipx install "{source}"

or with `python3 -m pip install` in an environment of its own."""
NO_PROGRAM = """\
Whoever opened this table says where to get it,
and can write that down here: `pipx install WHERE`."""
# It is pasted into a workflow file and a command.
SOURCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9+:/@._~%=-]*")

HOOK = """\
#!/bin/sh
# Referees the game after each push. Install as hooks/post-receive of the bare repository; the
# referee's key is looked for as always ($SANJUAN_REFEREE_KEY, ~/.config/sanjuan-ref/key).
while read -r _old _new ref; do
    case "$ref" in
    refs/heads/{branch}) sanjuan-ref git referee . --branch {branch} 2>&1 ;;
    esac
done
# A push stands whatever the referee says to it.
exit 0
"""

UPDATE = """\
#!/bin/sh
# Refuses what would be in the way of the game of sanjuan-ref: a reference that can be taken for
# its branch, a second beginning of its history, and a commit of over a million bytes. Called with a
# reference, its old and its new commit.
case "$1" in
refs/*/refs/* | refs/refs/* | refs/heads/HEAD | refs/tags/{branch} | refs/tags/heads/{branch})
    echo "$1 could be taken for another reference" >&2
    exit 1
    ;;
refs/heads/{branch})
    case "$2" in
    *[!0]*)
        if [ -n "$(git rev-list --max-parents=0 --max-count=1 "$2..$3")" ]; then
            echo "there is a second beginning in this history" >&2
            exit 1
        fi
        if git rev-list "$2..$3" | git cat-file --batch-check='%(objectsize)' | grep -q '.......'
        then
            echo "a commit in this history is larger than any of a game" >&2
            exit 1
        fi
        ;;
    esac
    ;;
esac
"""

WORKFLOW = """\
# Referees the game after each push. The secret SANJUAN_REFEREE_KEY_TEXT is the text of the file
# with the referee's private key; the program reads the variable of that name, and no file has it.
# Protect this branch against force pushes: it is the only memory of what was signed. The variable
# SANJUAN_REF says where pip finds the program, as git+https://HOST/PATH; no package index has it.
name: referee
on:
  push:
    branches: [{branch}]
    paths: ["{moves}/**"]
{dispatch}
concurrency:
  group: referee
permissions:
  contents: write
jobs:
  referee:
    runs-on: {runner}
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - env:
          FROM: ${{{{ vars.SANJUAN_REF{source} }}}}
        run: pip install "${{FROM:?set the variable SANJUAN_REF to where pip finds sanjuan-ref}}"
      - env:
          SANJUAN_REFEREE_KEY_TEXT: ${{{{ secrets.SANJUAN_REFEREE_KEY_TEXT }}}}
        run: sanjuan-ref git referee . --remote origin --branch {branch} --branch-is-ledger
"""
# Where forges look for workflows, with the name of a machine and the key for a manual start.
WORKFLOWS = {
    ".github/workflows/referee.yml": ("ubuntu-latest", "  workflow_dispatch:"),
    ".forgejo/workflows/referee.yml": ("docker", "  workflow_dispatch:"),
    ".gitea/workflows/referee.yml": ("ubuntu-latest", "  workflow_dispatch:"),
}
HOOK_PATH = ".sanjuan-ref/post-receive"
# It is pasted into shell scripts and workflow files.
# Git itself takes no dots side by side, and none at the end, where a lock has its ending, too.
BRANCH = re.compile(
    r"(?!.*(\.\.|\.$|\.lock(/|$)|\./))[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*"
)


def check_branch(branch: str) -> None:
    """Raise BadName for the name of a branch that a script could misread."""
    if not BRANCH.fullmatch(branch):
        raise BadName(
            f"a branch of a game cannot be called {branch!r}",
            "its name is of letters, digits, dots, hyphens and slashes: main",
        )


def installed_from() -> str:
    """Return the public place from which pip got this program, or ""."""
    import json
    from importlib import metadata

    try:
        about = json.loads(metadata.distribution("sanjuan-ref").read_text("direct_url.json") or "")
        url, vcs = about["url"], about.get("vcs_info", {})
        source = f"{vcs['vcs']}+{url}@{vcs['commit_id']}" if vcs else url
    except (metadata.PackageNotFoundError, ValueError, KeyError, TypeError):
        return ""
    public = source.removeprefix("git+").startswith(("https://", "ssh://"))
    # The URL of a private place may contain a password.
    secret = "@" in url.partition("://")[2].partition("/")[0] and not source.startswith("git+ssh:")
    return source if public and not secret and SOURCE.fullmatch(source) else ""


def check_source(source: str) -> None:
    """Raise GitFailed for a place of the program that a script could misread."""
    if not SOURCE.fullmatch(source):
        raise GitFailed(
            f"{source[:80]!r} is not a place pip could install a program from",
            "as git+https://HOST/PATH",
        )


def pages(file: GameFile, branch: str, source: str, *, ci: bool) -> dict[str, str]:
    """Return the files of a game repository beside the game, by their names.

    `source` is where pip finds this program, if that is known; with `ci` a forge is to referee.
    """
    names = ", ".join(seat.name for seat in file.seats)
    title = file.title or "A game"
    program = PROGRAM.format(source=source) if source else NO_PROGRAM
    found = {
        ".gitattributes": ATTRIBUTES,
        "README.md": README.format(
            title=title, names=names, game=GAME, moves=MOVES, program=program
        ),
        f"{MOVES}/.gitkeep": "",
        HOOK_PATH: HOOK.format(branch=branch),
    }
    otherwise = f" || '{source}'" if source else ""
    for path, (runner, dispatch) in WORKFLOWS.items() if ci else ():
        found[path] = WORKFLOW.format(
            branch=branch, moves=MOVES, runner=runner, dispatch=dispatch, source=otherwise
        )
    return found


def lay_out(
    folder: Path, file: GameFile, branch: str, source: str = "", *, ci: bool = True
) -> list[str]:
    """Make a folder with a game file a game repository, commit, and return the files written.

    Existing files are kept. Raises GitFailed and NotWritten.
    """
    check_branch(branch)
    if not (folder / ".git").exists():
        if top_of(folder.resolve()) or Repo(folder).maybe("rev-parse", "--git-dir"):
            raise GitFailed(f"{folder} lies within another repository", "choose another folder")
        Repo(folder).run("init", "--quiet", f"--initial-branch={branch}")
    repo = Repo.at(folder)
    written = []
    for name, text in pages(file, branch, source, ci=ci).items():
        path = folder / name
        if os.path.lexists(path):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        create(path, text)
        if name == HOOK_PATH:
            path.chmod(0o755)
        written.append(name)
    repo.run("add", "--force", "--", GAME, *written)
    set_up(repo)
    if repo.tip("HEAD") and not repo.run("diff", "--cached", "--quiet", check=False).returncode:
        return written
    title = f"Open {file.title or 'a game'}"
    words = ("commit", "--quiet", "--allow-empty", "--file", "-")
    # An argument of a command can have only characters that the system's encoding has.
    repo.run(*repo.names(), *words, given=title.encode())
    return written


def set_up(repo: Repo) -> None:
    """Configure how git merges game files in this clone. Raises GitFailed."""
    guard(repo)
    repo.run("config", f"merge.{DRIVER}.name", "the longer of two lines of one game")
    repo.run("config", f"merge.{DRIVER}.driver", f"{_program()} git merge %A %B")
    # Otherwise a pull by hand would move a note along with a folder that somebody has renamed.
    repo.run("config", "merge.directoryRenames", "false")


def lacking_attributes(repo: Repo) -> list[str]:
    """Return the lines about a table that a clone's `.gitattributes` lacks.

    A table may have been set up by an earlier version, or the file been changed since.
    """
    top = Path(top_of(repo.folder.resolve()) or repo.folder)
    path = top / ".gitattributes"
    if not (top / GAME).exists():
        # Several tables in one repository have files of their own.
        return []
    try:
        there = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        there = []
    wanted = [line for line in ATTRIBUTES.splitlines() if not line.startswith("#")]
    return [line for line in wanted if line not in there]


def _program() -> str:
    # Without -P Python would import modules from the current folder, to which players push.
    return f"{quote(sys.executable)} -P -m referee"


def bare_at(bare: Path) -> Repo:
    """Return the bare repository in a folder. Raises GitFailed if there is none."""
    if not bare.is_dir():
        raise GitFailed(
            f"there is no repository {bare}", f"make one: git init --bare {quote(str(bare))}"
        )
    repo = Repo.at(bare)
    if not repo.bare:
        raise GitFailed(
            f"{bare} is not a bare repository", "the hook belongs where players push to"
        )
    return repo


def install_hook(bare: Path, branch: str) -> Path:
    """Put the hook into a bare repository, guard its branch, and return the path of the hook.

    Raises GitFailed, and NotWritten if there is another hook already.
    """
    check_branch(branch)
    repo = bare_at(bare)
    path = Path(repo.text("rev-parse", "--absolute-git-dir")) / "hooks" / "post-receive"
    guard_of_pushes = path.with_name("update")
    # A push over ssh comes with a short PATH.
    text = HOOK.format(branch=branch).replace("sanjuan-ref git", f"{_program()} git")
    if path.exists() and path.read_text(encoding="utf-8", errors="replace") != text:
        create(path, text)
    path.parent.mkdir(exist_ok=True)
    replace(path, text)
    path.chmod(0o755)
    # Keep another hook: anything that it lets through is only a nuisance.
    if not os.path.lexists(guard_of_pushes):
        create(guard_of_pushes, UPDATE.format(branch=branch))
        guard_of_pushes.chmod(0o755)
    if not repo.maybe("rev-list", "--all", "--max-count=1"):
        # Otherwise clones would begin with a branch that nobody plays on.
        repo.run("symbolic-ref", "HEAD", f"refs/heads/{branch}")
    repo.run("config", "receive.denyNonFastForwards", "true")
    repo.run("config", "receive.denyDeletes", "true")
    # Otherwise a push could replace a commit, or contain a tree that nobody can read.
    repo.run("config", "core.useReplaceRefs", "false")
    repo.run("config", "receive.fsckObjects", "true")
    return path
