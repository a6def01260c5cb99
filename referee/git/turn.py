"""A player's turn: the note as a file of its own, committed, and pushed until it has arrived."""

from __future__ import annotations

import re
from pathlib import Path
from shlex import quote

from referee.git.answers import ENDING, LIMIT, read
from referee.git.repo import GitFailed, Repo, said
from referee.table.mime import harmless
from referee.table.signing import load
from referee.table.storage import read_limited, replace

DRIVER = "sanjuan-ref"
"""What git calls our merge driver."""
MOVES = "moves"
TRIES = 8
REMOTE = re.compile(r"^remote: (.*)", re.MULTILINE)
WRONG = re.compile(r"^(error|hint|fatal): |\bpost-receive\b")
"""What the referee says, or a shell that cannot run it."""
MOST, LONGEST = 6, 300
# The last of the rows that fit counts, and these count more than a .gitattributes that was pushed.
OWN = f"""\
# sanjuan-ref: nobody's push changes how the files of a game are read and written here.
* !working-tree-encoding
game.toml -text -ident !eol !filter merge={DRIVER}
**/{MOVES}/** -text -ident !eol !filter
"""


def name_of(what: str, mark: str, kind: str) -> str:
    """What the file of a note is called: no two of them alike."""
    return f"{what}-{mark}.{kind}"


def save(game: Path, name: str, note: str) -> Path:
    """Write a note into `moves/` beside the game file, and commit it.

    The message says which question is answered, and nothing of the answer. Raises NotWritten and
    GitFailed.
    """
    repo = Repo.around(game.parent)
    guard(repo)
    path = game.parent / MOVES / name
    if path.parent.is_symlink() or (path.parent.exists() and not path.parent.is_dir()):
        raise GitFailed(
            f"{path.parent} is no directory", "the referee's next run mends it; then `git pull`"
        )
    path.parent.mkdir(exist_ok=True)
    if path.is_symlink():
        # Somebody has put it in the place of this note, and it would be written somewhere else.
        path.unlink()
    if path.exists() and not path.is_file():
        raise GitFailed(f"{path} is in the way of your note", f"git rm -r {quote(str(path))}")
    # A sealed note is another text each time; the one that was written first will do.
    if not path.exists():
        replace(path, note)
    what, kind = name.rpartition("-")[0], path.suffix[1:]
    title = f"{what} joins" if kind == "join" else f"answer {what}" if kind == "move" else None
    repo.save(path.resolve(), title or f"{kind} of {what}")
    return path


def refusal(game: Path, note: Path) -> str:
    """What the referee has said of a note in this clone; empty where it has said nothing yet.

    Raises GitFailed, NotRead, Damaged and BadSignature.
    """
    answer = note.with_name(note.name + ENDING)
    if not answer.is_file():
        return ""
    repo, (file, _) = Repo.around(game.parent), load(game)
    name = note.resolve().relative_to(repo.folder.resolve()).as_posix()
    there = repo.files("HEAD", name).get(name)
    found = read(read_limited(answer, LIMIT), file.referee, file.game, there.oid if there else "")
    return found.said if found else ""


def guard(repo: Repo) -> None:
    """See that attributes in what others push do nothing in this clone. Raises NotWritten."""
    repo.guard(OWN)


def pull(game: Path) -> None:
    """Get what others have pushed, own commits on top of it. Raises GitFailed and NotWritten."""
    repo = Repo.around(game.parent)
    guard(repo)
    if not repo.maybe("rev-parse", "--abbrev-ref", "@{upstream}"):
        return
    done = repo.run("pull", "--quiet", "--rebase", "--autostash", check=False)
    if done.returncode:
        aborted = repo.run("rebase", "--abort", check=False)
        if aborted.returncode:
            raise GitFailed(f"git pull failed: {said(done)}")
        raise GitFailed(
            "what you have committed here does not fit what was pushed by others",
            "look at it with `git log @{upstream}..`; a note never collides",
        )


def push(game: Path) -> list[str]:
    """Push what is committed, and try again when somebody else was first.

    What went wrong in a hook there, if anything, as harmless lines. Raises GitFailed.
    """
    repo = Repo.around(game.parent)
    known = repo.maybe("rev-parse", "--abbrev-ref", "@{upstream}")
    remotes = repo.text("remote").split()
    if not remotes:
        raise GitFailed("there is nowhere to push to", "git remote add origin URL, or use --commit")
    remote, there = repo.upstream(repo.branch) if known else (remotes[0], repo.branch)
    words = [] if known else ["--set-upstream", remote, "HEAD"]
    for _ in range(TRIES):
        heard = repo.push(remote, "HEAD", there, words)
        if heard is not None:
            lines = [harmless(one[:LONGEST]) for one in REMOTE.findall(heard)]
            return [line for line in lines if WRONG.search(line)][:MOST]
        pull(game)
    raise GitFailed("others push all the time", "try `git pull --rebase && git push` later")
