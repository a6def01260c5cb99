"""The commands that git is given: objects and references by plumbing, no shell, no checkout."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import ClassVar, NamedTuple

from referee.crypto.keyplace import without_keys
from referee.games.interface import GameError
from referee.notes.mime import printable_line
from referee.storage import NotWritten, replace

NOBODY = "sanjuan-ref"
BRANCHES = "refs/heads/"
OWN = "refs/sanjuan-ref/"
# What git does with objects and references takes seconds at most; whoever waits for a network, a
# hook or a passphrase sets no limit.
LIMIT = 300.0
MAX_HEARD, LONGEST = 4, 300
PUSH = ("push", "--quiet", "--porcelain")
AMBIGUOUS = "matches more than one"
BYTES = "surrogateescape"
# What a hook inherits belongs to the push that called it.
INHERITED = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE"),
    *("GIT_QUARANTINE_PATH", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"),
    *("GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE"),
    *("GIT_REPLACE_REF_BASE", "GIT_ATTR_SOURCE", "GIT_LITERAL_PATHSPECS"),
)
# How the other side says that somebody else was faster; all else that it rejects stays rejected.
RACES = ("non-fast-forward", "fetch first", "cannot lock ref", "failed to update ref", "incorrect")
REJECTED = re.compile(r"^!\t[^\t]*\t(\[[a-z ]+\]) ?(?:\((.*)\))?", re.MULTILINE)
# What git adds to the words of the other side.
OWN_WORDS = re.compile(
    r"To \S+$|!|hint:|error: failed to push|fatal: Could not read from remote|Please make sure"
    r"|and the repository exists|fatal: the remote end hung up|\s*$"
)


class GitFailed(GameError):
    """Git did not do what it was asked to do; its own words are in the message."""

    exit_code: ClassVar[int] = 1
    reason: ClassVar[str] = "git-failed"


class Declined(GitFailed):
    """The other side does not take what was pushed; its words are in the message."""

    reason = "push-declined"


class NoBranch(GitFailed):
    """Error for a clone with no branch checked out: a commit there would be on no branch."""

    exit_code = 2
    reason = "no-branch"


class NoRepository(GitFailed):
    """Error for a place where there should be a repository, and is none."""

    exit_code = 2
    reason = "no-repository"


class Past(NamedTuple):
    """Commits, oldest first, and those `before` them that are parents of some."""

    commits: list[str]
    before: list[str]


class Repo:
    """A git repository, bare or with a working tree, at a folder in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def at(cls, folder: Path) -> Repo:
        """The repository in which a folder is, or the bare one that it is. Raises GitFailed."""
        folder = folder.resolve()
        top = top_of(folder)
        if top is not None and not _is_bare_within(folder, top):
            return cls._of(top)
        repo = cls(folder)
        done = repo.run("rev-parse", "--git-dir", check=False)
        if done.returncode:
            raise _no_repository(folder, done)
        return repo

    @classmethod
    def around(cls, folder: Path) -> Repo:
        """Return the clone in whose working tree a folder is. Raises GitFailed if there is none."""
        top = top_of(folder.resolve())
        if top is None:
            raise NoRepository(
                "this directory is not in a git clone, so --commit and --push do not work here",
                "run this in your clone of the game (git clone URL), or leave the option out",
            )
        link = _pushed_link(folder.absolute())
        if link is not None:
            raise GitFailed(
                f"{link} is a link that was pushed, and the game lies where it leads",
                "name the game file where it is, in the clone that you mean",
            )
        return cls._of(top)

    @classmethod
    def _of(cls, top: Path) -> Repo:
        # From the top, where all paths are as they stand in a commit, and where git looks at .git
        # before anything else: further down it may take what was pushed for a bare repository.
        repo = cls(top)
        done = repo.run("rev-parse", "--absolute-git-dir", check=False)
        if done.returncode:
            raise _no_repository(top, done)
        if Path(os.fsdecode(done.stdout).rstrip("\n")) == top:
            raise NoRepository(f"{top / '.git'} is not a git repository", "git clone it again")
        there = repo.maybe("rev-parse", "--show-toplevel")
        return cls(Path(there)) if there else repo

    def run(
        self, *words: str, given: bytes = b"", check: bool = True, limit: float | None = LIMIT
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a git command, for so many seconds at most.

        Raises GitFailed when there is no git, it takes too long, or it fails and `check`.
        """
        name = next(word for word in words if not word.startswith("-") and "=" not in word)
        try:
            done = subprocess.run(  # noqa: S603 - no shell, and no word of a stranger's alone
                self.words(*words),
                input=given,
                capture_output=True,
                env=environment(),
                check=False,
                timeout=limit,
            )
        except OSError as error:
            raise GitFailed(f"git cannot be run: {error.strerror}", "install git") from None
        except subprocess.TimeoutExpired:
            raise GitFailed(f"git {name} took over {limit:.0f} seconds", "look at it") from None
        if check and done.returncode:
            raise GitFailed(f"git {name} failed: {said(done)}")
        return done

    def words(self, *words: str) -> list[str]:
        """Return how git is called here: the one of the PATH."""
        return ["git", "-C", str(self.folder), *words]

    def text(self, *words: str) -> str:
        """Return what a git command prints, without the line end. Raises GitFailed."""
        return self.run(*words).stdout.decode("utf-8", "replace").strip()

    def maybe(self, *words: str) -> str:
        """Return what a git command prints; empty where it fails."""
        done = self.run(*words, check=False)
        return done.stdout.decode("utf-8", "replace").strip() if not done.returncode else ""

    @property
    def bare(self) -> bool:
        return self.text("rev-parse", "--is-bare-repository") == "true"

    @property
    def top(self) -> Path:
        """The top of the working tree. Raises GitFailed in a bare repository."""
        return Path(self.text("rev-parse", "--show-toplevel"))

    @property
    def own_folder(self) -> Path:
        """The folder in which git keeps all that is this repository's, and nobody can push to."""
        return self.folder / self.text("rev-parse", "--git-common-dir")

    def flag(self, key: str) -> bool:
        """A boolean of the configuration; false where it is not set."""
        return self.maybe("config", "--type=bool", "--get", key) == "true"

    def tip(self, name: str) -> str:
        """Return the commit that a name stands for, or ""."""
        return self.maybe("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")

    def commits(self, tip: str, *words: str) -> list[str]:
        """Return the commits that lead to one, and it itself, oldest first."""
        return self.text("rev-list", "--topo-order", "--reverse", *words, tip).split()

    def past(self, tip: str, known: Sequence[str]) -> Past:
        """Return what has come to a branch since some commits were known."""
        if tip in known:
            return Past([], [])
        words = ("--boundary", *(f"^{one}" for one in known))
        rows = self.commits(tip, *words)
        before = [row[1:] for row in rows if row.startswith("-")]
        return Past([row for row in rows if not row.startswith("-")], before)

    def names(self) -> list[str]:
        """Return options that name a committer, if git knows none here."""
        named = [key for key in ("user.name", "user.email") if not self.maybe("config", key)]
        known = {"user.name": NOBODY, "user.email": f"{NOBODY}@localhost"}
        return [word for key in named for word in ("-c", f"{key}={known[key]}")]

    def save(self, path: Path, message: str) -> bool:
        """Commit one file of the working tree, and nothing else; whether there was a change."""
        self.run("add", "--force", "--", str(path))
        if not self.run("diff", "--cached", "--quiet", "--", str(path), check=False).returncode:
            return False
        words = ("commit", "--quiet", "--message", message, "--only", "--", str(path))
        self.run(*self.names(), *words, limit=None)
        return True

    @property
    def branch(self) -> str:
        """The name of the branch that is out; empty where none is."""
        head = self.maybe("symbolic-ref", "--quiet", "HEAD")
        return head.removeprefix(BRANCHES) if head.startswith(BRANCHES) else ""

    def branch_tip(self, branch: str) -> str:
        """Return the newest commit of a branch, whatever tags are called, or ""."""
        return self.tip(BRANCHES + branch)

    def advance(self, branch: str, new: str, old: str) -> bool:
        """Set a branch to `new` if it is still at `old`; whether it was.

        A working tree in which it is out goes along. Raises GitFailed where it cannot.
        """
        if not self.bare and self.branch == branch:
            done = self.run("merge", "--quiet", "--ff-only", new, check=False, limit=None)
            if done.returncode and self.branch_tip(branch) == old:
                raise GitFailed(f"git merge failed: {said(done)}", "commit what you have changed")
            return not done.returncode
        words = ("update-ref", "-m", NOBODY, BRANCHES + branch, new, old)
        return not self.run(*words, check=False).returncode

    def fetch(self, remote: str, branch: str) -> str:
        """The newest commit of a branch of another repository. Raises GitFailed."""
        if remote.startswith("-"):
            raise GitFailed(f"{remote} is not the name of a remote", "look at `git remote`")
        self.run("fetch", "--quiet", "--no-tags", remote, BRANCHES + branch, limit=None)
        return self.tip("FETCH_HEAD")

    def push(
        self, remote: str, new: str, branch: str, words: Sequence[str] | None = None
    ) -> str | None:
        """Push a commit to a branch; what was said then, or None where somebody else was first.

        `words` are for git in place of these. Raises Declined, and GitFailed for all else.
        """
        if words is None:
            words = (remote, f"{new}:{BRANCHES}{branch}")
        done = self.run(*PUSH, *words, check=False, limit=None)
        if done.returncode and AMBIGUOUS in said(done, whole=True):
            done = self._push_as_one_of_many(remote, new, branch)
        if not done.returncode:
            return said(done, whole=True)
        match = REJECTED.search(done.stdout.decode("utf-8", "replace"))
        if match is None:
            raise GitFailed(f"git push failed: {'; '.join(heard(done)) or said(done)}")
        why = match[2] or "it does not say why"
        if match[1] == "[rejected]" or any(word in why for word in RACES):
            return None
        told = "".join(f"; {line}" for line in heard(done))
        raise Declined(
            f"the other side declines the push: {printable_line(why)}{told}",
            "ask whoever keeps the repository there",
        )

    def _push_as_one_of_many(
        self, remote: str, new: str, branch: str
    ) -> subprocess.CompletedProcess[bytes]:
        """Push where another reference's name ends in that of the branch, and so can mean it.

        Only the names that a pattern gives are taken as they are.
        """
        for left in self.text("for-each-ref", "--format=%(refname)", OWN).split():
            # Of a run that was killed.
            if not _is_running(left.removeprefix(OWN).partition("/")[0]):
                self.run("update-ref", "-d", left, check=False)
        place = f"{OWN}{os.getpid()}/"
        self.run("update-ref", place + branch, new)
        try:
            pattern = f"{place}*:{BRANCHES}*"
            return self.run(*PUSH, remote, pattern, check=False, limit=None)
        finally:
            self.run("update-ref", "-d", place + branch, check=False)

    def upstream(self, branch: str) -> tuple[str, str]:
        """Return the remote and the branch there that a branch goes to; empty if none is set."""
        remote = self.maybe("config", f"branch.{branch}.remote")
        return remote, self.maybe("config", f"branch.{branch}.merge").removeprefix(BRANCHES)

    def guard(self, lines: str) -> None:
        """Put attributes of this clone's own above all that are pushed. Raises NotWritten."""
        path = self.own_folder / "info" / "attributes"
        there = path.read_text(encoding="utf-8", errors=BYTES) if path.exists() else ""
        if lines not in there:
            path.parent.mkdir(exist_ok=True)
            replace(path, (there + lines).encode(errors=BYTES))


def top_of(folder: Path) -> Path | None:
    """The folder with a `.git` in which a folder is; None where it is in no clone.

    Nobody can push a `.git`, but all else by whose looks git takes a folder for a repository, and
    then it obeys the configuration in it, and that names programs.
    """
    return next((at for at in (folder, *folder.parents) if os.path.lexists(at / ".git")), None)


def check_not_pushed(path: Path) -> None:
    """Raise NotWritten if a file that the user has named lies beyond a link that was pushed."""
    link = _pushed_link(path.absolute())
    if link is not None:
        raise NotWritten(
            f"{link} is a link that was pushed, and nothing is written where it leads",
            "choose another name",
        )


def _pushed_link(folder: Path) -> Path | None:
    """Return a link on the way to a folder that belongs to the files of a clone."""
    for link in (folder, *folder.parents):
        if link.is_symlink():
            top = top_of(link.parent.resolve())
            place = (link.parent.resolve() / link.name).relative_to(top) if top else None
            if top and place and _tracks(top, f":(top,literal,icase){place.as_posix()}"):
                return link
    return None


def _tracks(top: Path, place: str) -> bool:
    """Return True if a clone has files at a place, or git cannot say."""
    listed = Repo(top).run("ls-files", "--", place, check=False)
    return bool(listed.returncode or listed.stdout)


def _is_bare_within(folder: Path, top: Path) -> bool:
    """Return True if a folder in a working tree is a bare repository that git does not track."""
    if folder == top or not (folder / "HEAD").exists():
        return False
    return not _tracks(top, f":(top,literal,icase){folder.relative_to(top).as_posix()}")


def environment() -> dict[str, str]:
    """Return the environment of git, in which is nothing of the push that called us."""
    env = {key: word for key, word in without_keys(os.environ).items() if key not in INHERITED}
    # Whoever can push can push refs/replace/ too, and so what an object seems to be.
    return env | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_REPLACE_OBJECTS": "1"}


def said(done: subprocess.CompletedProcess[bytes], *, whole: bool = False) -> str:
    """Return what git said about a failure: the line that matters, or all of it."""
    text = (done.stderr or done.stdout).decode("utf-8", "replace")
    if whole:
        return text
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    worst = [line for line in lines if line.startswith(("fatal:", "error:", "!"))]
    return printable_line((worst or lines or ["it says nothing"])[0][:LONGEST])


def heard(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    """Return the first lines that the other side has said, a hook there or its shell."""
    text = done.stderr.decode("utf-8", "replace").replace("\x1b[K", "")
    lines = [line.removeprefix("remote:").strip() for line in re.split(r"[\r\n]+", text)]
    return [printable_line(line[:LONGEST]) for line in lines if not OWN_WORDS.match(line)][
        :MAX_HEARD
    ]


def _no_repository(folder: Path, done: subprocess.CompletedProcess[bytes]) -> GitFailed:
    if b"dubious ownership" in done.stderr:
        return NoRepository(
            f"the repository {folder} is somebody else's, so git does not look at it",
            f"if you trust it: git config --global --add safe.directory {quote(str(folder))}",
        )
    return NoRepository(f"{folder} is in no git repository", "name a clone, or the bare repository")


def _is_running(number: str) -> bool:
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (ValueError, OSError):
        pass
    return True
