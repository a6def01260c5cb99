"""A player's turn: writing the note as a file, committing it, and pushing it."""

from __future__ import annotations

import os
import re
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from time import monotonic, time
from typing import TYPE_CHECKING

from referee.crypto.hashing import H
from referee.git.answers import CALL, ENDING, LIMIT, MAX_NOTE, read
from referee.git.evidence import PublicNotes
from referee.git.falseanswers import Facts
from referee.git.objects import Objects
from referee.git.repo import UPSTREAM, Busy, Declined, GitFailed, NoBranch, Repo, heard, said
from referee.git.trees import MODULE, Endless, Trees
from referee.notes.mime import printable_line
from referee.storage import locked_if_free, read_limited, replace, tell_user
from referee.table.gamefile import MAX_FILE
from referee.table.signing import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from referee.git.answers import Answer
    from referee.notes.finding import Found

DRIVER = "sanjuan-ref"
"""The name of our merge driver in git."""
MOVES = "moves"
TRIES = 8
# A note stays in its folder even if others rename that, and the user's settings for rebasing other
# work do not apply.
SETTINGS = (
    *("rebase.backend=merge", "merge.renames=false", "merge.directoryRenames=false"),
    *("rebase.rebaseMerges=false", "rebase.updateRefs=false", "rebase.autoSquash=false"),
    *("submodule.recurse=false", "merge.renormalize=false"),
)
# Without searching the commits of others for copies of own ones, which would read all of them.
REBASE = (
    *(word for setting in SETTINGS for word in ("-c", setting)),
    *("rebase", "--quiet"),
    *("--autostash", "--fork-point", "--reapply-cherry-picks"),
)
# Limits for one pull.
MAX_FILES, MAX_TREES, MAX_BYTES = 200_000, 200_000, 1 << 27
REMOTE = re.compile(r"^remote: (.*)", re.MULTILINE)
WRONG = re.compile(r"^(error|bug|hint|fatal): |\bpost-receive\b")
"""A message of the referee, or of a shell that cannot run it."""
MAX_LINES, LONGEST = 6, 300
# A file in a clone's own folder: its lock is held by whoever changes the clone.
LOCK = "sanjuan-ref-lock"
PATIENCE = 60
"""So many seconds a command waits for another one in the same clone."""
TAKEN = "cannot lock ref"
"""Words of git's where two fetches or pushes of one clone have met."""
DETACHED = "not currently on a branch"
"""Words of git's for a push in the middle of somebody's rebase."""
_busy_since: dict[Path, float] = {}
"""When `look` has first found another command at work, by the folders of games."""
# A file in a clone's own folder: fingerprints of the notes that were written there.
SENT = "sanjuan-ref-sent"
MOST_SENT, MAX_SENT = 5000, 1 << 20
# The last matching row counts, and these override a .gitattributes that was pushed.
OWN = f"""\
# sanjuan-ref: nobody's push changes how the files of a game are read and written here.
* !working-tree-encoding
game.toml -text -ident !eol !filter merge={DRIVER}
**/{MOVES}/** -text -ident !eol !filter
"""


def name_of(what: str, mark: str, kind: str) -> str:
    """Return the name of the file of a note, different for each note."""
    return f"{what}-{mark}.{kind}"


def save(game: Path, name: str, note: str) -> tuple[Path, bool]:
    """Write a note into `moves/` beside the game file, and commit it.

    Returns its path, and whether it was not committed before.
    The commit message names the question, not the answer. Raises NotWritten and GitFailed.
    """
    with ready(game) as repo:
        return _save(repo, game, name, note)


def _save(repo: Repo, game: Path, name: str, note: str) -> tuple[Path, bool]:
    path = game.parent / MOVES / name
    if path.parent.is_symlink() or (path.parent.exists() and not path.parent.is_dir()):
        raise GitFailed(
            f"{path.parent} is not a folder", "the referee's next run mends it; then `git pull`"
        )
    path.parent.mkdir(exist_ok=True)
    if path.is_symlink():
        # Somebody has pushed a link that would lead the note to another place.
        path.unlink()
    if path.exists() and not path.is_file():
        raise GitFailed(f"{path} is in the way of your note", f"git rm -r {quote(str(path))}")
    # A sealed note has different bytes each time; the first one written will do.
    if not path.exists():
        _remember(repo, note)
        replace(path, note)
    what, kind = name.rpartition("-")[0], path.suffix[1:]
    title = f"{what} joins" if kind == "join" else f"answer {what}" if kind == "move" else None
    if kind == "plan":
        title = f"{what.rpartition('-')[0]} plans"
    return path, repo.save(path.resolve(), title or f"{kind} of {what}")


def _remember(repo: Repo, note: str) -> None:
    """Write down in the repository's own folder that a note was written here. Raises NotWritten."""
    place = repo.own_folder / SENT
    known = read_limited(place, MAX_SENT).decode("ascii") if place.is_file() else ""
    # The oldest answer what is long over.
    lines = f"{known}{_fingerprint(note.encode())}\n".splitlines(keepends=True)[-MOST_SENT:]
    replace(place, "".join(lines), shared=True)


def written_here(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """Yield the names of those notes in a folder of a clone that this clone has written.

    Anybody can push a file of any name, and nobody else can tell what is sealed in it. Raises
    GitFailed and NotRead.
    """
    if not names:
        # A pushed link in the place of the folder leads out of the clone.
        return
    place = Repo.around(folder).own_folder / SENT
    known = read_limited(place, MAX_SENT).decode("ascii", "replace") if place.is_file() else ""
    sent = frozenset(known.split())
    for name in names if sent else ():
        path = folder / name
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_NOTE:
            continue
        if _fingerprint(path.read_bytes()) in sent:
            yield name


def not_pushed(folder: Path, names: Iterable[str]) -> Iterator[str]:
    """Yield the names of those files in a folder of a clone that are not under git's care.

    Anybody can have made the others. Raises GitFailed.
    """
    repo = Repo.around(folder)
    place = folder.resolve().relative_to(repo.folder)
    here = ("--literal-pathspecs", "ls-files", "-z", "--", place.as_posix())
    pushed = frozenset(repo.maybe(*here).split("\0"))
    yield from (name for name in names if (place / name).as_posix() not in pushed)


def _fingerprint(note: bytes) -> str:
    return H("sent", note).hex()[:32]


def refusal(game: Path, note: Path, things: Sequence[Found]) -> Answer | None:
    """Return the referee's answer to a note file in this clone; None if there is none yet.

    An answer at a step to which the game file has not got is none: somebody may have put an older
    file back, and `git verify` says so. `things` are in the file, opened where its author knows
    what is sealed there. Raises Stale if the answer cannot be true, GitFailed, NotRead, Damaged and
    BadSignature.
    """
    answer = note.with_name(note.name + ENDING)
    if not answer.is_file():
        return None
    repo, (file, heads) = Repo.around(game.parent), load(game)
    name = note.resolve().relative_to(repo.folder.resolve()).as_posix()
    there = repo.maybe("rev-parse", "--verify", "--quiet", f"HEAD:{name}")
    found = read(read_limited(answer, LIMIT), file.referee, file.game, there)
    if found is None or found.step > file.step:
        return None
    Facts(file, heads, PublicNotes(file, heads)).check(answer.name, found, things)
    return found


def guard(repo: Repo) -> None:
    """Make attributes that others push ineffective in this clone. Raises NotWritten."""
    repo.guard(OWN)


@contextmanager
def ready(game: Path, patience: float = PATIENCE) -> Iterator[Repo]:
    """Hold the clone of a game, ready for a commit of notes, while other commands of ours wait.

    Nothing that waits for a network belongs in here. Raises Busy after so many seconds, NoBranch,
    GitFailed and NotWritten.
    """
    with alone(Repo.around(game.parent), patience):
        repo = _on_a_branch(game)
        guard(repo)
        yield repo


@contextmanager
def alone(repo: Repo, patience: float = PATIENCE) -> Iterator[None]:
    """Keep other commands of ours from changing a clone. Raises Busy after so many seconds."""
    busy = f"another command is at work in the clone {repo.folder}"
    waits = f"{busy}; this one waits for it, for {patience} seconds at most"
    with locked_if_free(repo.own_folder / LOCK, patience, waits) as free:
        if not free:
            raise Busy(
                busy,
                "wait until it has ended, or end it, then run this again",
            )
        yield


def _on_a_branch(game: Path) -> Repo:
    repo = Repo.around(game.parent)
    if not repo.branch:
        if (repo.folder / repo.maybe("rev-parse", "--git-path", "rebase-merge")).is_dir():
            raise NoBranch(
                f"a rebase in {repo.folder} was broken off, or waits for you",
                "`git status` says more; `git rebase --abort` undoes it, then run this again",
            )
        raise NoBranch(
            f"no branch is out in {repo.folder}, so a note would belong to none",
            "`git switch main`, or whichever branch is played on; `git branch` lists them",
        )
    return repo


def check(game: Path, *, push: bool) -> None:
    """See that a note could be committed, and pushed somewhere, and change nothing.

    Raises NoBranch and GitFailed.
    """
    repo = _on_a_branch(game)
    if push:
        _remote_of(repo)


def committed(path: Path) -> bytes:
    """Return the bytes of a file of a clone as they are committed; none for what no game can be.

    Raises GitFailed.
    """
    repo = Repo.around(path.parent)
    place = path.parent.resolve().relative_to(repo.folder.resolve()) / path.name
    with Objects(repo) as objects:
        found = objects.look(f"HEAD:{place.as_posix()}")
        if found is None or found.kind != "blob" or found.size > MAX_FILE:
            return b""
        return objects.read(found)


def is_edited(game: Path) -> bool:
    """Return True if the game file differs from the one that is committed here."""
    repo = Repo.around(game.parent)
    return bool(
        repo.run("diff", "--quiet", "HEAD", "--", str(game.resolve()), check=False).returncode
    )


def look(game: Path) -> None:
    """Pull for somebody who only watches: not now if another command is at work in the clone.

    Raises Busy where one is for a minute and more, GitFailed and NotWritten.
    """
    folder = game.absolute().parent
    try:
        pull(game, patience=0)
    except Busy:
        if monotonic() - _busy_since.setdefault(folder, monotonic()) >= PATIENCE:
            raise
        return
    _busy_since.pop(folder, None)


@contextmanager
def reading(game: Path) -> Iterator[None]:
    """Keep other commands of ours from changing a clone while its game file is read.

    Raises Busy at once if one does that now, and GitFailed.
    """
    with alone(Repo.around(game.parent), 0):
        yield


def pull(game: Path, patience: float = PATIENCE) -> None:
    """Fetch, and rebase own commits onto those of others.

    Raises Busy if another command is at work here for so many seconds, GitFailed and NotWritten.
    """
    with ready(game, patience) as repo:
        if not repo.upstream_ref:
            return
    _fetch(repo)
    with ready(game, patience) as repo:
        _rebase(repo)


def _fetch(repo: Repo) -> None:
    """Fetch, again where that has met another fetch or push of this clone. Raises GitFailed.

    Others need not wait for it: it may take as long as a network likes.
    """
    for _ in range(TRIES):
        done = repo.run("fetch", "--quiet", "--no-recurse-submodules", check=False, limit=None)
        if not done.returncode:
            return
        if TAKEN not in said(done, whole=True):
            break
    raise GitFailed(f"git pull failed: {'; '.join(heard(done)) or said(done)}")


def _rebase(repo: Repo) -> None:
    """Rebase own commits onto those that were fetched. Raises GitFailed."""
    new = repo.run("rev-list", "--max-count=1", f"HEAD..{UPSTREAM}", check=False)
    if not new.returncode and not new.stdout.strip():
        return
    there, here = repo.tips(UPSTREAM, "HEAD")
    _check_size(repo, there, here)
    try:
        done = repo.run(*REBASE, UPSTREAM, check=False, limit=None)
    except KeyboardInterrupt:
        # Ctrl-C reaches git too, which then stays in the middle.
        repo.run("rebase", "--abort", check=False, limit=None)
        raise
    if done.returncode:
        aborted = repo.run("rebase", "--abort", check=False, limit=None)
        if aborted.returncode:
            names = _unmerged(repo)
            if names:
                files = " ".join(map(quote, names))
                raise GitFailed(
                    f"git pull failed: in {repo.folder} there are conflicts in {files}",
                    f"`git checkout HEAD -- {files}` takes what is committed there, or put them "
                    "right and `git add` them; then run this again",
                )
            raise GitFailed(f"git pull failed: {said(done)}")
        raise GitFailed(
            "what you have committed here does not fit what was pushed by others",
            "look at it with `git log @{upstream}..`; a note never collides",
        )

    if b"autostash" in done.stderr:
        _settle(repo)


def _settle(repo: Repo) -> None:
    """Take what was pushed of files whose own changes do not fit it; git keeps those in a stash.

    In the middle of a conflict every later command would fail.
    """
    names = _unmerged(repo)
    if names:
        repo.run("--literal-pathspecs", "reset", "--quiet", "HEAD", "--", *names, check=False)
        repo.run("checkout-index", "--quiet", "--force", "--", *names, check=False)
        for tell in tell_user:
            tell(
                f"what you had changed in {', '.join(names)} does not fit what was pushed, which "
                "is there now; yours is put aside: `git stash show -p` shows it"
            )


def _unmerged(repo: Repo) -> list[str]:
    """Return the files of a clone that are in conflict."""
    rows = repo.maybe("ls-files", "--unmerged", "-z").split("\0")
    return list(dict.fromkeys(row.partition("\t")[2] for row in rows if row))


def _check_size(repo: Repo, there: str, here: str) -> None:
    """Raise Endless if git would have too many files to write or to look for."""
    try:
        with Objects(repo) as objects:
            trees = Trees(objects, most=MAX_TREES)
            roots = trees.root(there), trees.root(here) if here else ""
            files = _new_files(trees, *roots)
            size = _new_bytes(trees, *roots) if files <= MAX_FILES else 0
    except Endless as error:
        why = error.message
    else:
        if files <= MAX_FILES and size <= MAX_BYTES:
            return
        why = f"there are {files} new files"
        if size:
            why = f"new files have {size / 1e6:.0f} MB"
    raise Endless(
        f"what was pushed is without end ({why}), so it is not taken in here",
        "do not pull it by hand either; among the notes the referee's next run takes it away, "
        "elsewhere whoever keeps the repository has to",
    )


def _new_files(trees: Trees, there: str, here: str) -> int:
    """Return the number of files in folders that differ from those here. Raises Endless."""
    known = set(trees.rows(here).values()) if here else set()
    rows = [row for row in trees.rows(there).values() if row not in known]
    return sum(trees.size(row.oid).names if row.is_tree else 1 for row in rows)


def _new_bytes(trees: Trees, there: str, here: str) -> int:
    """Return the bytes of all files that git would write, for each name. Raises Endless."""
    names = Counter(row.oid for row in trees.new(there, here) if row.mode != MODULE)
    looked = trees.objects.look_all(list(names))
    return sum(blob.size * names[blob.oid] for blob in looked if blob is not None)


def push(game: Path) -> list[str]:
    """Push the commits, again if somebody else was first; return messages of a hook there.

    Raises GitFailed.
    """
    with ready(game) as repo:
        remote = _remote_of(repo)
        known = repo.upstream_ref
        remote, there = ("", "") if known else (remote, repo.branch)
    words = [] if known else ["--set-upstream", remote, "HEAD"]
    for _ in range(TRIES):
        try:
            told = repo.push(remote, "HEAD", there, words)
        except Declined as error:
            error.hint = f"{error.hint}; your note is committed here, `git push` sends it"
            raise
        except GitFailed as error:
            # Another command rebases just now, and `pull` waits for it.
            if DETACHED not in error.message:
                raise
            told = None
        if told is not None:
            lines = [printable_line(line[:LONGEST]) for line in REMOTE.findall(told)]
            return [line for line in lines if WRONG.search(line)][:MAX_LINES]
        pull(game)
    raise GitFailed("others push all the time", "try `git pull --rebase && git push` later")


def _remote_of(repo: Repo) -> str:
    """Return where commits are pushed: a remote, or "" for what git knows already.

    Raises GitFailed where there is nowhere.
    """
    remotes = [""] if repo.upstream_ref.startswith("refs/remotes/") else repo.text("remote").split()
    if not remotes:
        raise GitFailed("there is nowhere to push to", "git remote add origin URL, or use --commit")
    return remotes[0]


def is_on_its_way(game: Path, note: Path, mark: str, *, push: bool) -> bool:
    """Return True if a note is committed here, and with `push` also pushed.

    Then it is not while the referee is to be called again: when it is as long since the last call
    as that came after the note. Raises GitFailed.
    """
    repo = Repo.around(game.parent)

    def committed(name: str, tip: str) -> int:
        place = (note.parent.resolve() / name).relative_to(repo.folder.resolve()).as_posix()
        words = ("--literal-pathspecs", "log", "-1", "--format=%ct", tip, "--", place)
        return int(repo.maybe(*words) or 0)

    first = committed(note.name, UPSTREAM if push else "HEAD")
    if not first or not push:
        return bool(first)
    called = committed(f"{CALL}{mark}", UPSTREAM)
    return 0 <= time() - called < called - first


def call(game: Path, mark: str) -> bool:
    """Commit a file that wakes the referee, unless there are commits to push; return True if so.

    The referee starts when a file comes among the notes, and may have failed when this note came.
    Raises NotWritten and GitFailed.
    """
    with ready(game) as repo:
        if not repo.upstream_ref or repo.text("rev-list", "--max-count=1", f"{UPSTREAM}..HEAD"):
            return False
        path = game.parent / MOVES / f"{CALL}{mark}"
        if os.path.lexists(path):
            path.unlink()
        else:
            replace(path, "The referee has not answered yet.\n")
        return repo.save(path.parent.resolve() / path.name, "call the referee")
