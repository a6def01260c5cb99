"""Objects of a repository, looked up and read by two running processes of git."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import IO, TYPE_CHECKING

from referee.git.repo import BYTES, GitFailed, environment, no_git
from referee.records import NamedTuple

if TYPE_CHECKING:
    from referee.git.repo import Repo

# Questions that fit into a pipe while nobody reads the answers.
AT_ONCE = 100
# Bytes of a commit: no message of the referee's is longer.
LARGEST = 1 << 16
KINDS = ("blob", "tree", "commit", "tag")


class Object(NamedTuple):
    """A file, tree or commit: its name in git, its kind, and its size in bytes."""

    oid: str
    kind: str
    size: int


class Objects:
    """Reads objects while it is entered."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Objects:
        return self

    def __exit__(self, *_: object) -> None:
        for git in self._running.values():
            self._end(git)
        self._running.clear()

    @staticmethod
    def _end(git: subprocess.Popen[bytes]) -> None:
        git.kill()
        with suppress(BrokenPipeError):
            git.communicate()

    def look(self, name: str) -> Object | None:
        """Return the object that a name such as `COMMIT:PATH` stands for, or None."""
        return next(self.look_all([name]))

    def look_all(self, names: Sequence[str]) -> Iterator[Object | None]:
        """Yield for each name its object, or None."""
        rest = iter(names)
        while some := list(islice(rest, AT_ONCE)):
            while some:
                found = self._looked(some)
                yield from found
                some = some[len(found) :]

    def _looked(self, names: Sequence[str]) -> list[Object | None]:
        """Return the objects of the first of these names, at least one."""
        pipe = self._ask("--batch-check", names)
        found: list[Object | None] = []
        for _ in names:
            line = pipe.readline()
            if not line:
                # Git exits at a name that leads through a broken tree.
                self._end(self._running.pop("--batch-check"))
                return [*found, None]
            found.append(_read_line(line))
        return found

    def small(self, commits: Sequence[str]) -> list[str]:
        """Return those commits that are not too large; only their sizes are read.

        Git would read a whole commit to find a path in it. A file in a large commit is also in the
        next one, unless it is gone.
        """
        looked = zip(commits, self.look_all(commits), strict=True)
        return [oid for oid, there in looked if there is None or there.size <= LARGEST]

    def read(self, there: Object) -> bytes:
        """Return the bytes of an object. Raises GitFailed if it is missing."""
        pipe = self._ask("--batch", [there.oid])
        if _read_line(pipe.readline()) != there:
            raise GitFailed(f"git has no {there.oid}", "git fsck")
        data = pipe.read(there.size)
        pipe.read(1)
        return data

    def _ask(self, how: str, names: Sequence[str]) -> IO[bytes]:
        """Write questions to a process, and return the pipe with its answers."""
        git = self._running.get(how) or self._start(how)
        assert git.stdin is not None
        assert git.stdout is not None
        try:
            git.stdin.write("".join([f"{name}\n" for name in names]).encode(errors=BYTES))
            git.stdin.flush()
        except BrokenPipeError:
            raise GitFailed("git cat-file has stopped", "git fsck") from None
        return git.stdout

    def _start(self, how: str) -> subprocess.Popen[bytes]:
        try:
            git = subprocess.Popen(  # noqa: S603 - no shell, and no word of a stranger's
                self.repo.words("cat-file", how),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment(),
            )
        except OSError as error:
            raise no_git(error) from None
        self._running[how] = git
        return git


def _read_line(line: bytes) -> Object | None:
    """Return the object that a line describes. Raises GitFailed if the line is empty."""
    if not line:
        raise GitFailed("git cat-file has stopped", "git fsck")
    oid, _, rest = line.decode(errors=BYTES).rstrip("\n").partition(" ")
    kind, _, size = rest.partition(" ")
    if kind not in KINDS or not size.isdecimal():
        # `NAME missing`, or `ambiguous`; a name may have blanks.
        return None
    return Object(oid, kind, int(size))
