"""Running git: a repository with its objects and references, without a shell or a checkout."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from shlex import quote
from typing import ClassVar

from referee.crypto.keyplace import without_keys
from referee.games.errors import GameError
from referee.notes.mime import printable_line
from referee.records import NamedTuple
from referee.storage import NotWritten, not_written, replace
from referee.system import is_running

NOBODY = "sanjuan-ref"
BRANCHES = "refs/heads/"
OWN = "refs/sanjuan-ref/"
# Seconds for work on objects and references. Commands that wait for a network, a hook or a
# passphrase have no limit.
LIMIT = 300.0
MAX_HEARD, LONGEST = 4, 300
UPSTREAM = "@{upstream}"
QUESTIONS = (
    *("--absolute-git-dir", "--git-common-dir", "--is-bare-repository", "--show-toplevel"),
    *("--symbolic-full-name HEAD", f"--symbolic-full-name {UPSTREAM}"),
)
NO_FILE = b".invalid"
"""Stands in the file HEAD where references are kept in another way."""
HASH = re.compile("[0-9a-f]{40,64}")
COMMITTER = ("user.name", "user.email")
PUSH = ("push", "--quiet", "--porcelain")
AMBIGUOUS = "matches more than one"
BYTES = "surrogateescape"
# Variables that a hook inherits from the push that called it.
INHERITED = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE"),
    *("GIT_QUARANTINE_PATH", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"),
    *("GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE"),
    *("GIT_REPLACE_REF_BASE", "GIT_ATTR_SOURCE", "GIT_LITERAL_PATHSPECS"),
)
# The other side's words for "somebody else was faster"; any other rejection is final.
RACES = ("non-fast-forward", "fetch first", "cannot lock ref", "failed to update ref", "incorrect")
REJECTED = re.compile(r"^!\t[^\t]*\t(\[[a-z ]+\]) ?(?:\((.*)\))?", re.MULTILINE)
# Lines that git itself adds to those of the other side.
OWN_WORDS = re.compile(
    r"To \S+$|!|hint:|error: failed to push|fatal: Could not read from remote|Please make sure"
    r"|and the repository exists|fatal: the remote end hung up|\s*$"
)


class GitFailed(GameError):
    """Error for a git command that failed; its own words are in the message."""

    exit_code: ClassVar[int] = 1
    reason: ClassVar[str] = "git-failed"


class Declined(GitFailed):
    """Error for a push that the other side declined; its words are in the message."""

    reason = "push-declined"


class NoBranch(GitFailed):
    """Error for a branch that is missing, or a clone with none checked out to commit on."""

    exit_code = 2
    reason = "no-branch"


class Busy(GitFailed):
    """Error for a clone in which another command of ours is at work."""

    reason = "clone-busy"


class BadName(GitFailed):
    """Error for a name that a branch of a game cannot have."""

    exit_code = 2
    reason = "bad-name"


class NoRepository(GitFailed):
    """Error for a place without a repository."""

    exit_code = 2
    reason = "no-repository"


class Layout(NamedTuple):
    """Layout of a repository: its folder, the one that worktrees share, and the working tree's."""

    git: str
    common: str
    is_bare: str
    top: str


class Past(NamedTuple):
    """Commits, parents first, and their parents `before` them.

    Those come first that are fewest steps after the ones before, so a long line that was merged
    does not come before a short one.
    """

    commits: list[str]
    before: list[str]


class Repo:
    """A git repository, bare or with a working tree, at a folder in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._layout: Layout | None = None
        self._branch = b"", ""
        self._upstream = "", ""

    @classmethod
    def at(cls, folder: Path) -> Repo:
        """Return the repository around a folder, or the bare one at it. Raises GitFailed."""
        folder = folder.resolve()
        top = top_of(folder)
        if top is not None and not _is_bare_within(folder, top):
            return cls._of(top)
        repo = cls(folder)
        repo._look(folder)
        return repo

    @classmethod
    def around(cls, folder: Path) -> Repo:
        """Return the clone in whose working tree a folder is. Raises GitFailed if there is none."""
        top = top_of(folder.resolve())
        if top is None:
            raise NoRepository(
                "this folder is not in a git clone, so --commit and --push do not work here",
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
        there = (top / ".git").lstat()
        return _clone(top, there.st_dev, there.st_ino)

    @classmethod
    def _looked_at(cls, top: Path) -> Repo:
        # At the top, paths are those of commits, and git looks at .git first: in a folder below it
        # might take pushed files for a bare repository.
        repo = cls(top)
        found = repo._look(top)
        if Path(found.git) == top:
            raise NoRepository(f"{top / '.git'} is not a git repository", "git clone it again")
        if found.top:
            repo.folder = Path(found.top)
        return repo

    def _look(self, folder: Path) -> Layout:
        """Return what git says of the repository, asked once. Raises GitFailed for none."""
        if self._layout is None:
            done, answers = self._answers(*QUESTIONS)
            if not answers[0]:
                raise _no_repository(folder, done)
            self._layout = Layout(*answers[:4])
            branch, upstream = answers[4:]
            if branch.startswith(BRANCHES):
                self._branch = self._head(), branch.removeprefix(BRANCHES)
                self._upstream = branch.removeprefix(BRANCHES), upstream
        return self._layout

    def _head(self) -> bytes:
        """Return what names the branch that is checked out; empty where no file does."""
        try:
            text = (self.folder / self._look(self.folder).git / "HEAD").read_bytes()
        except OSError:
            return b""
        return b"" if NO_FILE in text else text

    def _answers(self, *questions: str) -> tuple[subprocess.CompletedProcess[bytes], list[str]]:
        """Return git's answers to questions, "" from the first that it cannot answer."""
        asked = [question.split(" ") for question in questions]
        done = self.run("rev-parse", *(word for words in asked for word in words), check=False)
        found = os.fsdecode(done.stdout).split("\n")[:-1]
        # The name of a folder can have line ends, and who knows then which answer is which.
        if len(found) > len(questions) or (not done.returncode and len(found) < len(questions)):
            alone = [self.run("rev-parse", *words, check=False) for words in asked]
            found = [os.fsdecode(one.stdout).rstrip("\n") for one in alone if not one.returncode]
        return done, found + [""] * (len(questions) - len(found))

    def run(
        self, *words: str, given: bytes = b"", check: bool = True, limit: float | None = LIMIT
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a git command, for `limit` seconds at most.

        Raises GitFailed if there is no git, it takes too long, or it fails and `check` is set.
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
            raise no_git(error) from None
        except subprocess.TimeoutExpired:
            raise GitFailed(f"git {name} took over {limit:.0f} seconds", "look at it") from None
        if check and done.returncode:
            raise GitFailed(f"git {name} failed: {said(done)}")
        return done

    def words(self, *words: str) -> list[str]:
        """Return the command line of git, the one on the PATH."""
        return ["git", "-C", str(self.folder), *words]

    def text(self, *words: str) -> str:
        """Return the output of a git command, without the line end. Raises GitFailed."""
        return self.run(*words).stdout.decode("utf-8", "replace").strip()

    def maybe(self, *words: str) -> str:
        """Return the output of a git command; empty if it fails."""
        done = self.run(*words, check=False)
        return done.stdout.decode("utf-8", "replace").strip() if not done.returncode else ""

    @property
    def bare(self) -> bool:
        return self._look(self.folder).is_bare == "true"

    @property
    def own_folder(self) -> Path:
        """The folder of the repository's own data, to which nobody can push."""
        return self.folder / self._look(self.folder).common

    def flag(self, key: str) -> bool:
        """Return a boolean of the configuration; False if it is not set."""
        return self.maybe("config", "--type=bool", "--get", key) == "true"

    def settings(self, *keys: str) -> dict[str, str]:
        """Return those of these keys that the configuration has, each with its last value.

        A key without a value is `true`.
        """
        words = "|".join(keys).replace(".", r"\.")
        done = self.run("config", "--null", "--get-regexp", f"^({words})$", check=False)
        rows = done.stdout.decode("utf-8", "replace").split("\0")[:-1]
        pairs = [row.partition("\n") for row in rows]
        return {key: value if mark else "true" for key, mark, value in pairs}

    def tip(self, name: str) -> str:
        """Return the commit that a name stands for, or ""."""
        return self.maybe("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")

    def tips(self, *names: str) -> list[str]:
        """Return the commits that names stand for, "" from the first that stands for none."""
        _, found = self._answers(*(f"{name}^{{commit}}" for name in names))
        return [one if HASH.fullmatch(one) else "" for one in found]

    def commits(self, tip: str, *words: str) -> list[str]:
        """Return a commit and its ancestors, oldest first."""
        return self.text("rev-list", "--topo-order", "--reverse", *words, tip).split()

    def past(self, tip: str, known: Sequence[str]) -> Past:
        """Return the commits of a branch that came after the known ones."""
        if tip in known:
            return Past([], [])
        words = ("--topo-order", "--reverse", "--boundary", "--parents")
        text = self.text("rev-list", *words, *(f"^{one}" for one in known), tip)
        rows = [line.split(" ") for line in text.splitlines()]
        before = [row[0][1:] for row in rows if row[0].startswith("-")]
        steps: dict[str, int] = {}
        for commit, *parents in rows:
            if not commit.startswith("-"):
                steps[commit] = 1 + max([steps.get(one, 0) for one in parents], default=0)
        return Past(sorted(steps, key=lambda commit: steps[commit]), before)

    def names(self) -> list[str]:
        """Return options that name a committer, if git has none configured."""
        return names_beside(self.settings(*COMMITTER))

    def save(self, path: Path, message: str) -> bool:
        """Commit one file of the working tree and nothing else; return True if it had changed."""
        self.run("add", "--force", "--", str(path))
        if not self.run("diff", "--cached", "--quiet", "--", str(path), check=False).returncode:
            return False
        words = ("commit", "--quiet", "--file", "-", "--only", "--", str(path))
        self.run(*self.names(), *words, given=message.encode(), limit=None)
        return True

    @property
    def branch(self) -> str:
        """The branch that is checked out; empty if none is."""
        head = self._head()
        if not head or self._branch[0] != head:
            name = self.maybe("symbolic-ref", "--quiet", "HEAD")
            known = name.removeprefix(BRANCHES) if name.startswith(BRANCHES) else ""
            self._branch = head, known
        return self._branch[1]

    @property
    def upstream_ref(self) -> str:
        """The reference that the branch follows, such as `refs/remotes/origin/main`; or empty."""
        branch, known = self._upstream
        if not known or branch != self.branch:
            known = self.maybe("rev-parse", "--symbolic-full-name", UPSTREAM)
            self._upstream = self.branch, known
        return known

    def branch_tip(self, branch: str) -> str:
        """Return the newest commit of a branch (not of a tag of its name), or ""."""
        return self.tip(BRANCHES + branch)

    def advance(self, branch: str, new: str, old: str) -> bool:
        """Set a branch to `new` if it is still at `old`, and return True if it was.

        A working tree with that branch follows. Raises GitFailed if it cannot.
        """
        if not self.bare and self.branch == branch:
            done = self.run("merge", "--quiet", "--ff-only", new, check=False, limit=None)
            if done.returncode and self.branch_tip(branch) == old:
                raise GitFailed(f"git merge failed: {said(done)}", "commit what you have changed")
            return not done.returncode
        words = ("update-ref", "-m", NOBODY, BRANCHES + branch, new, old)
        return not self.run(*words, check=False).returncode

    def fetch(self, remote: str, branch: str) -> str:
        """Fetch a branch of another repository, and return its newest commit. Raises GitFailed."""
        if remote.startswith("-"):
            raise GitFailed(f"{remote} is not the name of a remote", "look at `git remote`")
        self.run("fetch", "--quiet", "--no-tags", remote, BRANCHES + branch, limit=None)
        return self.tip("FETCH_HEAD")

    def push(
        self, remote: str, new: str, branch: str, words: Sequence[str] | None = None
    ) -> str | None:
        """Push a commit to a branch; return git's output, or None if somebody else was first.

        `words` replace these arguments of git; without a `remote` they push to the upstream.
        Raises Declined, and GitFailed for other failures.
        """
        if words is None:
            words = (remote, f"{new}:{BRANCHES}{branch}")
        done = self.run(*PUSH, *words, check=False, limit=None)
        if done.returncode and AMBIGUOUS in said(done, whole=True):
            if not remote:
                remote, branch = self.upstream(self.branch)
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
        """Push although the name of another reference ends in that of the branch.

        Git takes only names from a pattern literally.
        """
        for left in self.text("for-each-ref", "--format=%(refname)", OWN).split():
            # A run that was killed has left these.
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
        """Return the remote and branch to which a branch is pushed; empty if none is set."""
        remote = self.maybe("config", f"branch.{branch}.remote")
        return remote, self.maybe("config", f"branch.{branch}.merge").removeprefix(BRANCHES)

    def guard(self, lines: str) -> None:
        """Add attributes to this clone that override any that are pushed. Raises NotWritten."""
        path = self.own_folder / "info" / "attributes"
        try:
            there = path.read_text(encoding="utf-8", errors=BYTES) if path.exists() else ""
            if lines not in there:
                path.parent.mkdir(exist_ok=True)
                replace(path, (there + lines).encode(errors=BYTES), shared=True)
        except OSError as error:
            raise not_written(path, error) from None


# Nobody can push a `.git`, and its place does not change while a command runs.
@lru_cache(maxsize=64)
def _clone(top: Path, device: int, inode: int) -> Repo:
    """Return the clone at `top`, whose `.git` is this one. Raises GitFailed."""
    return Repo._looked_at(top)


def names_beside(settings: Mapping[str, str]) -> list[str]:
    """Return options that name a committer as far as these settings of git do not."""
    known = {"user.name": NOBODY, "user.email": f"{NOBODY}@localhost"}
    named = [key for key in COMMITTER if not settings.get(key, "").strip()]
    return [word for key in named for word in ("-c", f"{key}={known[key]}")]


def is_true(value: str) -> bool:
    """Return True if a value of git's configuration means yes."""
    return value.lower() in ("true", "yes", "on") or re.match("[+-]?0*[1-9]", value) is not None


def no_git(error: OSError) -> GitFailed:
    """Return the error for a machine that cannot run git."""
    return GitFailed(f"git cannot be run: {error.strerror}", "install git")


def top_of(folder: Path) -> Path | None:
    """Return the top of the clone around a folder; None if there is none.

    Only a `.git` counts, which nobody can push. Git itself would also take a pushed folder for a
    repository, and run the programs that its configuration names.
    """
    return next((at for at in (folder, *folder.parents) if os.path.lexists(at / ".git")), None)


def check_not_pushed(path: Path) -> None:
    """Raise NotWritten if the path of a file that the user has named has a pushed link."""
    link = _pushed_link(path.absolute())
    if link is not None:
        raise NotWritten(
            f"{link} is a link that was pushed, and nothing is written where it leads",
            "choose another name",
        )


def _pushed_link(folder: Path) -> Path | None:
    """Return a link on the path to a folder that is among the files of a clone."""
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
    """Return the environment for git, without that of the push that called the program."""
    env = {key: word for key, word in without_keys(os.environ).items() if key not in INHERITED}
    # A push can contain refs/replace/, which would swap objects for others.
    return env | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_REPLACE_OBJECTS": "1"}


def said(done: subprocess.CompletedProcess[bytes], *, whole: bool = False) -> str:
    """Return git's message about a failure: the line that matters, or all of it."""
    text = (done.stderr or done.stdout).decode("utf-8", "replace")
    if whole:
        return text
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    worst = [line for line in lines if line.startswith(("fatal:", "error:", "!"))]
    return printable_line((worst or lines or ["it says nothing"])[0][:LONGEST])


def heard(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    """Return the first lines from the other side, from a hook there or its shell."""
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
    return not number.isdecimal() or is_running(int(number))
