"""What a branch remembers: every version of the game file, and whether each fits the one before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from referee.games.interface import GameError
from referee.git.dealt import all_dealt_with
from referee.git.repo import Blob, Repo
from referee.table.compare import NEWER, SAME, compare
from referee.table.errors import Damaged
from referee.table.filetext import parse
from referee.table.gamefile import MAX_FILE, GameFile
from referee.table.keys import PublicKey
from referee.table.signing import check_chain, check_signature
from referee.table.verify import verify

STEP = re.compile(rb"^step = (\d{1,9})$", re.MULTILINE)
MEND = "somebody has changed it; the referee's next run puts it right"


def newest_of(
    repo: Repo,
    tip: str,
    path: str,
    referee: PublicKey,
    there: bytes | None,
    *,
    whole: bool,
) -> bytes | None:
    """The newest game file of a referee's in the history of a branch; None where there is none.

    `there` is the one at the tip. Unless `whole`, it is taken if it is right by itself, because a
    ledger knows whether it is the newest. Raises Fork where two histories were signed.
    """
    best = _signed(there, referee)
    if best is not None and not whole:
        return there
    data = there if best is not None else None
    versions = {blob.oid: blob for blob in repo.versions(tip, path) if blob.size <= MAX_FILE}
    for _, other in repo.contents(versions):
        step = STEP.search(other)
        if other == data or step is None or (best and int(step[1]) < best[0].step):
            continue
        file = _signed(other, referee)
        if file is None:
            continue
        if best is None or compare(*best, *file).relation == NEWER:
            best, data = file, other
    return data


Checked = tuple[GameFile, list[bytes]]


def _signed(data: bytes | None, referee: PublicKey) -> Checked | None:
    """A game file of this referee's with its heads; None for anything else."""
    if data is None:
        return None
    try:
        file, body = parse(data)
        check_signature(file, body)
        heads = check_chain(file)
    except GameError:
        return None
    return (file, heads) if file.referee == referee else None


class Walk(NamedTuple):
    """A history that holds: so many versions of the game file in so many commits.

    `mended` says what somebody had done to the game file, and a later commit has put right.
    """

    commits: int
    versions: int
    notes: int
    shallow: bool
    mended: list[str]


def walk(repo: Repo, tip: str, path: str) -> Walk:
    """Check every commit: its game file is a right one and continues that of each parent.

    Whoever can push can put anything there; that is told, and the file before it is the one to go
    on from. Then that every note at the tip has been dealt with. Raises the first thing that does
    not fit and that only the referee can have done, naming the commit, and what is wrong at the
    tip.
    """
    line = _Line(repo, path)
    rows = repo.text("rev-list", "--topo-order", "--reverse", "--parents", tip).splitlines()
    commits = [row.split(" ") for row in rows]
    blobs = repo.each([commit for commit, *_ in commits], path)
    wrong: GameError | None = None
    mended = []
    for (commit, *parents), blob in zip(commits, blobs, strict=True):
        try:
            wrong = line.add(commit, parents, blob)
        except GameError as error:
            raise _named(error, commit) from None
        if wrong is not None:
            mended.append(_named(wrong, commit).message)
    if wrong is not None:
        raise wrong
    if tip not in line.at or path not in repo.files(tip, path):
        raise Damaged(f"there is no {path} in this history")
    notes = all_dealt_with(repo, tip, path, line.files[line.at[tip]])
    shallow = repo.text("rev-parse", "--is-shallow-repository") == "true"
    return Walk(len(commits), len(line.files), notes, shallow, mended)


class _Line:
    """The newest right game file `at` each commit, and what is in these `files`."""

    def __init__(self, repo: Repo, path: str) -> None:
        self._repo = repo
        self._path = path
        self.at: dict[str, str] = {}
        self.files: dict[str, Checked] = {}

    def add(self, commit: str, parents: Sequence[str], blob: Blob | None) -> GameError | None:
        """Go on to a commit; what somebody has done to the game file there, if anything.

        Raises what only the referee can have done: two histories, or a file that it should not
        have signed. Two games in one history are refused, too, for nobody could say which counts.
        """
        before = list(dict.fromkeys(self.at[one] for one in parents if one in self.at))
        newest = self._newest(before)
        if newest is not None:
            self.at[commit] = newest
        elif blob is None:
            return None
        if blob is None:
            return Damaged("the game file is gone", MEND)
        if blob.oid != newest:
            try:
                file = self._read(blob)
                self._is_of(file, newest)
            except GameError as error:
                error.hint = MEND
                return error
            if blob.oid not in self.files:
                heads = check_chain(file)
                verify(file, heads)
                self.files[blob.oid] = file, heads
            if newest is not None and self._relation(newest, blob.oid) not in (NEWER, SAME):
                return Damaged("the game file is older than the one before it", MEND)
            self.at[commit] = blob.oid
        return None

    def _newest(self, oids: Sequence[str]) -> str | None:
        best = None
        for oid in oids:
            if best is None or self._relation(best, oid) == NEWER:
                best = oid
        return best

    def _relation(self, before: str, after: str) -> str:
        return compare(*self.files[before], *self.files[after]).relation

    def _read(self, blob: Blob) -> GameFile:
        """A game file that some referee has signed."""
        if blob.oid in self.files:
            return self.files[blob.oid][0]
        if blob.size > MAX_FILE:
            raise Damaged("the game file is too large")
        [(_, data)] = self._repo.contents({self._path: blob})
        file, body = parse(data)
        check_signature(file, body)
        return file

    def _is_of(self, file: GameFile, newest: str | None) -> None:
        known = self.files[newest][0] if newest is not None else file
        if (file.game, file.referee) != (known.game, known.referee):
            raise Damaged("the game file is another game's, or another referee's")


def _named(error: GameError, commit: str) -> GameError:
    error.message = f"commit {commit[:12]}: {error.message}"
    return error
