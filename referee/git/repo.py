"""What is asked of git, and how: objects and references by plumbing, no shell, no checkout."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, ClassVar, NamedTuple

from referee.games.interface import GameError
from referee.table.keyplace import without_keys
from referee.table.storage import replace, scratch

NOBODY = "sanjuan-ref"
BRANCHES = "refs/heads/"
OWN = "refs/sanjuan-ref/"
AMBIGUOUS = "matches more than one"
BYTES = "surrogateescape"
MOST_FILES = 20_000
FILE_MODES = ("100644", "100755")
# What a hook inherits belongs to the push that called it.
INHERITED = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE"),
    *("GIT_QUARANTINE_PATH", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"),
    *("GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE"),
    *("GIT_REPLACE_REF_BASE", "GIT_ATTR_SOURCE", "GIT_LITERAL_PATHSPECS"),
)
MOVED = ("rejected", "non-fast-forward", "fetch first", "cannot lock ref", "failed to update ref")


class GitFailed(GameError):
    """Git did not do what it was asked to do; its own words are in the message."""

    exit_code: ClassVar[int] = 1
    reason: ClassVar[str] = "git-failed"


class Blob(NamedTuple):
    """A file of a commit: its object and its size in bytes."""

    oid: str
    size: int


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
        repo.text("rev-parse", "--git-dir")
        return repo

    @classmethod
    def around(cls, folder: Path) -> Repo:
        """The clone in whose working tree a folder is. Raises GitFailed where there is none."""
        top = top_of(folder.resolve())
        if top is None:
            raise GitFailed(f"{folder} is in no clone: not a git repository", "git clone")
        return cls._of(top)

    @classmethod
    def _of(cls, top: Path) -> Repo:
        # From the top, where all paths are as they stand in a commit, and where git looks at .git
        # before anything else: further down it may take what was pushed for a bare repository.
        repo = cls(top)
        if Path(repo.text("rev-parse", "--absolute-git-dir")) == top:
            raise GitFailed(f"{top / '.git'} is no git repository", "git clone it again")
        there = repo.maybe("rev-parse", "--show-toplevel")
        return cls(Path(there)) if there else repo

    def run(
        self, *words: str, given: bytes = b"", index: Path | None = None, check: bool = True
    ) -> subprocess.CompletedProcess[bytes]:
        """One git command. Raises GitFailed when there is no git, or it fails and `check`."""
        env = environment()
        if index is not None:
            env["GIT_INDEX_FILE"] = str(index)
        try:
            done = subprocess.run(  # noqa: S603 - no shell, and no word of a stranger's alone
                self._words(*words), input=given, capture_output=True, env=env, check=False
            )
        except OSError as error:
            raise GitFailed(f"git cannot be run: {error.strerror}", "install git") from None
        if check and done.returncode:
            name = next(word for word in words if not word.startswith("-") and "=" not in word)
            raise GitFailed(f"git {name} failed: {said(done)}")
        return done

    def _words(self, *words: str) -> list[str]:
        # The one of the PATH.
        return ["git", "-C", str(self.folder), *words]

    def text(self, *words: str) -> str:
        """What a git command prints, without the line end. Raises GitFailed."""
        return self.run(*words).stdout.decode("utf-8", "replace").strip()

    def maybe(self, *words: str) -> str:
        """What a git command prints; empty where it fails."""
        done = self.run(*words, check=False)
        return done.stdout.decode("utf-8", "replace").strip() if not done.returncode else ""

    @property
    def bare(self) -> bool:
        return self.text("rev-parse", "--is-bare-repository") == "true"

    @property
    def top(self) -> Path:
        """The top of the working tree. Raises GitFailed in a bare repository."""
        return Path(self.text("rev-parse", "--show-toplevel"))

    def flag(self, key: str) -> bool:
        """A boolean of the configuration; false where it is not set."""
        return self.maybe("config", "--type=bool", "--get", key) == "true"

    def tip(self, name: str) -> str:
        """The commit that a name stands for; empty where there is none."""
        return self.maybe("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")

    def blob(self, commit: str, path: str, limit: int) -> bytes | None:
        """A file of a commit; None where there is none, or one that is too large."""
        found = self.files(commit, path).get(path)
        if found is None or found.size > limit:
            return None
        return self.run("cat-file", "blob", found.oid).stdout

    def files(self, commit: str, path: str, most: int = MOST_FILES) -> dict[str, Blob]:
        """The plain files of a commit at or below a path, by name: neither links nor modules.

        A push of a few hundred bytes can bring millions. Raises GitFailed where there are more
        than `most`.
        """
        found = {}
        words = ("ls-tree", "-r", "-l", "-z", "--full-tree", commit, "--", path)
        with closing(self.rows(*words)) as rows:
            for number, row in enumerate(rows):
                if number >= most:
                    raise GitFailed(f"{path} has more than {most} files", "remove what is no note")
                mark, _, name = row.partition(b"\t")
                kind = mark.decode("ascii", "replace").split()
                if len(kind) == 4 and kind[0] in FILE_MODES and kind[1] == "blob":
                    found[os.fsdecode(name)] = Blob(kind[2], int(kind[3]))
        return found

    def rows(self, *words: str, given: bytes = b"") -> Generator[bytes, None, None]:
        """What a git command prints, by its zero bytes; it ends when nobody reads on.

        Raises GitFailed.
        """
        with (
            TemporaryFile() as told,
            subprocess.Popen(  # noqa: S603 - as in run
                self._words(*words),
                stdin=_filled(told, given),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment(),
            ) as git,
        ):
            assert git.stdout is not None
            rest = b""
            try:
                while data := git.stdout.read(1 << 16):
                    *rows, rest = (rest + data).split(b"\0")
                    yield from rows
            finally:
                git.stdout.close()
                ended = git.wait()
            if ended:
                raise GitFailed(f"git {words[0]} failed")

    def contents(self, blobs: Mapping[str, Blob]) -> Iterator[tuple[str, bytes]]:
        """Each file's name and what is in it: one process for all, one file at a time.

        Raises GitFailed.
        """
        if not blobs:
            return
        with subprocess.Popen(  # noqa: S603 - as in run
            self._words("cat-file", "--batch"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
        ) as git:
            assert git.stdin is not None
            assert git.stdout is not None
            for name, blob in blobs.items():
                git.stdin.write(f"{blob.oid}\n".encode())
                git.stdin.flush()
                if git.stdout.readline() != f"{blob.oid} blob {blob.size}\n".encode():
                    raise GitFailed(f"git has no {blob.oid}, which is {name}", "git fsck")
                yield name, git.stdout.read(blob.size)
                git.stdout.read(1)
            git.stdin.close()

    def each(self, commits: Sequence[str], path: str) -> list[Blob | None]:
        """What a file is in each of many commits; None where there is none."""
        wanted = "".join([f"{commit}:{path}\n" for commit in commits]).encode(errors=BYTES)
        form = "--batch-check=%(objecttype) %(objectname) %(objectsize)"
        out = self.run("cat-file", form, given=wanted).stdout.decode(errors=BYTES)
        rows = [line.split(" ") for line in out.splitlines()]
        return [Blob(row[1], int(row[2])) if row[0] == "blob" else None for row in rows]

    def kind(self, commit: str, path: str) -> str:
        """What lies at a path of a commit: `blob`, `tree`, `commit`, or empty for nothing."""
        row = self.text("ls-tree", "--full-tree", commit, "--", path)
        return row.split(" ", 2)[1] if row else ""

    def commit(self, parent: str, changes: Mapping[str, bytes | None], message: str) -> str:
        """A commit on top of `parent` in which files have these contents (None: are gone)."""
        with scratch() as folder:
            contents = [data for data in changes.values() if data is not None]
            oids = self._written(folder, contents)
        new = {
            tuple(path.split("/")): None if data is None else next(oids)
            for path, data in changes.items()
        }
        tree = self._tree(self.text("rev-parse", f"{parent}^{{tree}}"), new)
        sign = ["-S"] if self.flag("commit.gpgsign") else []
        words = [*self.names(), "commit-tree", tree, "-p", parent, *sign, "-F", "-"]
        return self.run(*words, given=message.encode()).stdout.decode().strip()

    def _tree(self, tree: str, changes: Mapping[tuple[str, ...], str | None]) -> str:
        """A tree in which files are other objects (None: are gone); only trees above are read."""
        rows: dict[str, str] = {}
        listed = self.run("ls-tree", "-z", "--full-tree", tree).stdout if tree else b""
        for row in listed.split(b"\0")[:-1]:
            mark, _, raw = row.partition(b"\t")
            rows[os.fsdecode(raw)] = mark.decode("ascii")
        below: dict[str, dict[tuple[str, ...], str | None]] = {}
        for (name, *rest), oid in changes.items():
            if rest:
                below.setdefault(name, {})[tuple(rest)] = oid
            elif oid is None:
                rows.pop(name, None)
            else:
                rows[name] = f"100644 blob {oid}"
        for name, inner in below.items():
            _, kind, old = rows.get(name, "  ").split(" ")
            new = self._tree(old if kind == "tree" else "", inner)
            if new:
                rows[name] = f"040000 tree {new}"
            elif kind == "tree":
                del rows[name]
        if not rows:
            return ""
        text = os.fsencode("".join([f"{mark}\t{name}\0" for name, mark in rows.items()]))
        return self.run("mktree", "-z", "--missing", given=text).stdout.decode().strip()

    def _written(self, folder: Path, contents: Sequence[bytes]) -> Iterator[str]:
        """The objects of new files, made by one process."""
        paths = [folder / f"new{number}" for number in range(len(contents))]
        for path, data in zip(paths, contents, strict=True):
            path.write_bytes(data)
        listed = "".join([f"{path}\n" for path in paths]).encode()
        words = ("hash-object", "-w", "--no-filters", "--stdin-paths")
        return iter(self.run(*words, given=listed).stdout.decode().split())

    def names(self) -> list[str]:
        """Who commits: whom git knows here, or else nobody in particular."""
        named = [key for key in ("user.name", "user.email") if not self.maybe("config", key)]
        known = {"user.name": NOBODY, "user.email": f"{NOBODY}@localhost"}
        return [word for key in named for word in ("-c", f"{key}={known[key]}")]

    def save(self, path: Path, message: str) -> bool:
        """Commit one file of the working tree, and nothing else; whether there was a change."""
        self.run("add", "--force", "--", str(path))
        if not self.run("diff", "--cached", "--quiet", "--", str(path), check=False).returncode:
            return False
        self.run(
            *self.names(), "commit", "--quiet", "--message", message, "--only", "--", str(path)
        )
        return True

    @property
    def branch(self) -> str:
        """The name of the branch that is out; empty where none is."""
        head = self.maybe("symbolic-ref", "--quiet", "HEAD")
        return head.removeprefix(BRANCHES) if head.startswith(BRANCHES) else ""

    def branch_tip(self, branch: str) -> str:
        """The newest commit of a branch, whatever tags are called; empty where there is none."""
        return self.tip(BRANCHES + branch)

    def advance(self, branch: str, new: str, old: str) -> bool:
        """Set a branch to `new` if it is still at `old`; whether it was.

        A working tree in which it is out goes along. Raises GitFailed where it cannot.
        """
        if not self.bare and self.branch == branch:
            done = self.run("merge", "--quiet", "--ff-only", new, check=False)
            if done.returncode and self.branch_tip(branch) == old:
                raise GitFailed(f"git merge failed: {said(done)}", "commit what you have changed")
            return not done.returncode
        words = ("update-ref", "-m", NOBODY, BRANCHES + branch, new, old)
        return not self.run(*words, check=False).returncode

    def fetch(self, remote: str, branch: str) -> str:
        """The newest commit of a branch of another repository. Raises GitFailed."""
        if remote.startswith("-"):
            raise GitFailed(f"{remote} is no name of a remote", "look at `git remote`")
        self.run("fetch", "--quiet", "--no-tags", remote, BRANCHES + branch)
        return self.tip("FETCH_HEAD")

    def push(
        self, remote: str, new: str, branch: str, words: Sequence[str] | None = None
    ) -> str | None:
        """Push a commit to a branch; what was said then, or None where somebody else was first.

        `words` are for git in place of these. Raises GitFailed for all else.
        """
        if words is None:
            words = (remote, f"{new}:{BRANCHES}{branch}")
        done = self.run("push", "--quiet", *words, check=False)
        if done.returncode and AMBIGUOUS in said(done, whole=True):
            done = self._push_as_one_of_many(remote, new, branch)
        text = said(done, whole=True)
        if not done.returncode:
            return text
        if not any(word in text for word in MOVED):
            raise GitFailed(f"git push failed: {said(done)}")
        return None

    def _push_as_one_of_many(
        self, remote: str, new: str, branch: str
    ) -> subprocess.CompletedProcess[bytes]:
        """Push where another reference's name ends in that of the branch, and so can mean it.

        Only the names that a pattern gives are taken as they are.
        """
        place = f"{OWN}{os.getpid()}/"
        self.run("update-ref", place + branch, new)
        try:
            pattern = f"{place}*:{BRANCHES}*"
            return self.run("push", "--quiet", remote, pattern, check=False)
        finally:
            self.run("update-ref", "-d", place + branch, check=False)

    def upstream(self, branch: str) -> tuple[str, str]:
        """To which branch of which remote a branch goes; empty where nothing is set."""
        remote = self.maybe("config", f"branch.{branch}.remote")
        return remote, self.maybe("config", f"branch.{branch}.merge").removeprefix(BRANCHES)

    def versions(self, tip: str, path: str, *, first_parent: bool = False) -> list[Blob]:
        """All that a file was in the commits up to `tip`, each once, newest first."""
        line = "--first-parent" if first_parent else "--full-history"
        words = ("rev-list", "--topo-order", line, tip, "--", f":(top,literal){path}")
        found = self.each(self.text(*words).split(), path)
        return list(dict.fromkeys(blob for blob in found if blob is not None))

    def guard(self, lines: str) -> None:
        """Put attributes of this clone's own above all that are pushed. Raises NotWritten."""
        place = Path(self.text("rev-parse", "--git-common-dir"))
        path = self.folder / place / "info" / "attributes"
        there = path.read_text(encoding="utf-8", errors=BYTES) if path.exists() else ""
        if lines not in there:
            path.parent.mkdir(exist_ok=True)
            replace(path, (there + lines).encode(errors=BYTES))


def _filled(file: IO[bytes], data: bytes) -> IO[bytes]:
    """A file with this in it, from its beginning: no pipe, which could fill while we read."""
    file.write(data)
    file.seek(0)
    return file


def top_of(folder: Path) -> Path | None:
    """The folder with a `.git` in which a folder is; None where it is in no clone.

    Nobody can push a `.git`, but all else by whose looks git takes a folder for a repository, and
    then it obeys the configuration in it, and that names programs.
    """
    return next((at for at in (folder, *folder.parents) if os.path.lexists(at / ".git")), None)


def _is_bare_within(folder: Path, top: Path) -> bool:
    """Whether a folder is a bare repository of its own in a working tree that has no such file."""
    if folder == top or not (folder / "HEAD").exists():
        return False
    place = f":(top,literal,icase){folder.relative_to(top).as_posix()}"
    listed = Repo(top).run("ls-files", "--", place, check=False)
    return not listed.returncode and not listed.stdout


def environment() -> dict[str, str]:
    """What git is told beside its words: nothing of the push that called us."""
    env = {key: word for key, word in without_keys(os.environ).items() if key not in INHERITED}
    # Whoever can push can push refs/replace/ too, and so what an object seems to be.
    return env | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_REPLACE_OBJECTS": "1"}


def said(done: subprocess.CompletedProcess[bytes], *, whole: bool = False) -> str:
    """What git said about a failure: the line that matters, or all of it."""
    text = (done.stderr or done.stdout).decode("utf-8", "replace")
    if whole:
        return text
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    worst = [line for line in lines if line.startswith(("fatal:", "error:", "!"))]
    return (worst or lines or ["it says nothing"])[0][:200]
