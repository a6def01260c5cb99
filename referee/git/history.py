"""What a branch remembers: every version of the game file, and whether each fits the one before."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.games.interface import GameError
from referee.git.dealt import all_dealt_with
from referee.git.repo import Blob, Repo
from referee.table.compare import NEWER, SAME, compare
from referee.table.errors import Damaged, Newer
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
    ledger knows whether it is the newest. Files of other games are passed over, whoever signed
    them. Raises Fork where two histories were signed.
    """
    game = _game_of(repo, tip, path, referee)
    best = _signed(there, referee, game)
    if best is not None and not whole:
        return there
    data = there if best is not None else None
    for _, other in repo.contents(_small(repo.versions(tip, path))):
        step = STEP.search(other)
        if other == data or step is None or (best and int(step[1]) < best[0].step):
            continue
        file = _signed(other, referee, game)
        if file is None:
            continue
        if best is None or compare(*best, *file).relation == NEWER:
            best, data = file, other
    return data


Checked = tuple[GameFile, list[bytes]]


def _game_of(repo: Repo, tip: str, path: str, referee: PublicKey) -> str:
    """Which game of a referee's is played on a branch: the first that was on it."""
    for line in (True, False):
        oldest = repo.versions(tip, path, first_parent=line)[::-1]
        for _, data in repo.contents(_small(oldest)):
            if found := _signed(data, referee):
                return found[0].game
    return ""


def _small(blobs: Sequence[Blob]) -> dict[str, Blob]:
    return {blob.oid: blob for blob in blobs if blob.size <= MAX_FILE}


def _signed(data: bytes | None, referee: PublicKey, game: str = "") -> Checked | None:
    """A game file of this referee's (and game) with its heads; None for anything else."""
    if data is None:
        return None
    try:
        file, body = parse(data)
        check_signature(file, body)
        heads = check_chain(file)
    except GameError:
        return None
    right = file.referee == referee and game in ("", file.game)
    return (file, heads) if right else None


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
    rows = repo.text("rev-list", "--topo-order", "--reverse", "--parents", tip).splitlines()
    commits = [row.split(" ") for row in rows]
    blobs = repo.each([commit for commit, *_ in commits], path)
    by_commit = {commit: blob for (commit, *_), blob in zip(commits, blobs, strict=True)}
    line = _Line(repo, path, _first(repo, path, by_commit, commits))
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
    newest = line.at[tip]
    notes = all_dealt_with(repo, tip, path, newest, line.files[newest])
    shallow = repo.text("rev-parse", "--is-shallow-repository") == "true"
    return Walk(len(commits), len(line.files), notes, shallow, mended)


Game = tuple[str, PublicKey]


def _first(
    repo: Repo,
    path: str,
    blobs: Mapping[str, Blob | None],
    commits: Sequence[Sequence[str]],
) -> Game | None:
    """The game that is played on a branch, and its referee; None where there is none.

    It is the one with which a history begins. Anybody can merge a history of his own making: where
    there are several beginnings, what lies at the tip is one of them, or else it is the one along
    the first parents.
    """
    begun: dict[str, list[Game]] = {}
    for commit, *parents in commits:
        before = list(dict.fromkeys(game for one in parents for game in begun.get(one, ())))
        if not before and (found := _game_in(repo, path, blobs[commit])):
            before = [found]
        if before:
            # The first parent's comes first.
            begun[commit] = before
    tip = commits[-1][0]
    games = begun.get(tip, [])
    if len(games) < 2:
        return games[0] if games else None
    there = _game_in(repo, path, blobs[tip])
    return there if there in games else games[0]


def _game_in(repo: Repo, path: str, blob: Blob | None) -> Game | None:
    """The game and the referee of a file that is signed; None for anything else."""
    if blob is None:
        return None
    try:
        file = _read(repo, path, blob)
    except GameError:
        return None
    return file.game, file.referee


def _read(repo: Repo, path: str, blob: Blob) -> GameFile:
    """A game file that some referee has signed."""
    if blob.size > MAX_FILE:
        raise Damaged("the game file is too large")
    [(_, data)] = repo.contents({path: blob})
    file, body = parse(data)
    check_signature(file, body)
    return file


class _Line:
    """The newest right game file `at` each commit, and what is in these `files`."""

    def __init__(self, repo: Repo, path: str, game: Game | None) -> None:
        self._repo = repo
        self._path = path
        self._game = game
        self.at: dict[str, str] = {}
        self.files: dict[str, Checked] = {}

    def add(self, commit: str, parents: Sequence[str], blob: Blob | None) -> GameError | None:
        """Go on to a commit; what somebody has done to the game file there, if anything.

        Raises what only the referee can have done: two histories, or a file that it should not
        have signed.
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
                self._is_ours(file)
            except GameError as error:
                if not isinstance(error, Newer):
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
        known = self.files.get(blob.oid)
        return known[0] if known is not None else _read(self._repo, self._path, blob)

    def _is_ours(self, file: GameFile) -> None:
        if (file.game, file.referee) != self._game:
            raise Damaged("the game file is another game's, or another referee's")


def _named(error: GameError, commit: str) -> GameError:
    error.message = f"commit {commit[:12]}: {error.message}"
    return error
