"""The history of a branch: every version of the game file, and whether they fit together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from referee.checking.compare import NEWER, SAME, compare
from referee.checking.verify import verify
from referee.crypto.hashing import H
from referee.crypto.keys import PublicKey
from referee.errors import Damaged, Newer, not_the_referee
from referee.games.errors import GameError
from referee.git.ignored import check_none_ignored
from referee.git.leftout import Judged, check_none_left_out
from referee.git.objects import Object, Objects
from referee.git.repo import Past, Repo
from referee.git.trees import Trees
from referee.notes.recognising import step_in
from referee.records import NamedTuple
from referee.storage import NotWritten, read_limited, replace
from referee.table.filetext import parse
from referee.table.gamefile import MAX_FILE, GameFile
from referee.table.signing import check_chain, check_signature

if TYPE_CHECKING:
    from referee.git.checkpoint import Checkpoint

ARMOUR = b"BEGIN SSH SIGNATURE"
OTHER = "the game file is another game's, or another referee's"
FALSE = "the game file is none that its referee has signed"
# A file in a clone's own folder: the objects that were read before and are no game files.
PASSED = "sanjuan-ref-passed"
MAX_PASSED = 1 << 20
# Bytes of game files that turn out to be none, in one run: to parse a megabyte can take a second.
# Reading costs far less.
MAX_STRANGE, READING = 1 << 23, 32
UNREAD = "the game file was not looked at, as too many others are none"
MEND = "somebody has changed it; the referee's next run puts it right"

Checked = tuple[GameFile, list[bytes]]


class Newest(NamedTuple):
    """The newest game file of a branch; its `data` are None if there is none of this referee's.

    `vain` is the number of other files in its place that came, `unread` how many of them were so
    many that nobody looked at them.
    """

    data: bytes | None
    oid: str
    vain: int
    unread: int = 0

    @property
    def step(self) -> int:
        return step_in(self.data or b"") or 0


class Finder:
    """Finds the newest game file of a referee's in the history of a branch."""

    def __init__(
        self, trees: Trees, path: str, game: str, referee: PublicKey, known: Sequence[Checkpoint]
    ) -> None:
        self._trees = trees
        self._objects = trees.objects
        self._game = game
        self._path = path
        self._referee = referee
        self._known = known
        self._reader = _Reader(trees.objects)

    def find(self, there: Object | None, past: Past, *, whole: bool) -> Newest:
        """Return the newest file; `there` is the one at the tip, `past` the commits to look at.

        A valid file at the tip will do, as a ledger knows whether it is the newest, unless the
        `whole` past is to be searched. Files of other games are passed over, whoever signed them.
        The smallest are read first, since what is pushed to tire the referee out is large.
        Raises Fork if two histories were signed, Newer if this program is too old.
        """
        kept = self._kept()
        came = [] if not whole and there in kept else self._came(past)
        came.sort(key=lambda blob: blob.size)
        order = list(dict.fromkeys(blob for blob in (there, *kept, *came) if blob is not None))
        others = set(order).difference(kept)
        if order == kept == [there]:
            # Nothing has changed since the last run.
            return Newest(self._objects.read(order[0]), order[0].oid, 0)
        signed = partial(_signed, game=self._game, referee=self._referee)
        left = {blob: signed(self._objects.read(blob)) for blob in kept}
        for blob, read in left.items():
            if read is None:
                # The referee has written it, so this program must be older: raise that.
                parse(self._objects.read(blob))
        best: Checked | None = None
        newest = Newest(None, "", 0)
        for blob in order:
            step = best[0].step if best is not None else 0
            file = left[blob] if blob in left else self._checked(blob, step, surely=blob == there)
            if file is None or file[0].step < step:
                continue
            if best is None or compare(*best, *file).relation == NEWER:
                best, newest = file, Newest(self._objects.read(blob), blob.oid, 0)
            if blob == there and not whole:
                return newest
        self._reader.keep()
        vain = len([blob for blob in others if blob.oid != newest.oid])
        return newest._replace(vain=vain, unread=len(self._reader.unread))

    def _checked(self, blob: Object, step: int, *, surely: bool) -> Checked | None:
        """Return a file of the game and its referee, unless it is older than `step`."""
        game = self._game, self._referee
        try:
            file = self._reader.read(blob, game, step=step, surely=surely)
            return file, check_chain(file)
        except GameError:
            return None

    def check_readable(self, past: Past) -> None:
        """Raise BadSignature for a file of another referee, Newer for that of a later program."""
        for blob in self._came(past):
            try:
                file = self._reader.read(blob)
            except Newer:
                raise
            except GameError:
                continue
            raise not_the_referee(
                f"the key {self._referee.fingerprint} is not that of the referee of "
                f"{self._path}, {file.referee.fingerprint}"
            )

    def _kept(self) -> list[Object]:
        """Return the game files in the referee's own commits."""
        rows = [self._trees.under(checkpoint.tree, self._path) for checkpoint in self._known]
        oids = list(dict.fromkeys(row.oid for row in rows if row is not None))
        return [blob for blob in self._objects.look_all(oids) if blob is not None]

    def _came(self, past: Past) -> list[Object]:
        """Return the versions of the file in the commits of the past, newest first."""
        commits = self._objects.small(past.commits)
        names = [f"{commit}:{self._path}" for commit in reversed(commits)]
        found = dict.fromkeys(self._objects.look_all(names))
        return [blob for blob in found if blob is not None and _is_small(blob)]


def first_game(objects: Objects, tip: str, path: str, referee: PublicKey) -> str:
    """Return the first game of the referee's that was on the branch."""
    reader = _Reader(objects)
    for line in (("--first-parent",), ()):
        commits = objects.small(objects.repo.commits(tip, *line))
        names = [f"{commit}:{path}" for commit in commits]
        for blob in dict.fromkeys(objects.look_all(names)):
            with suppress(GameError):
                if blob is not None:
                    file = reader.read(blob, ("", referee))
                    check_chain(file)
                    return file.game
    return ""


def _signed(data: bytes, game: str, referee: PublicKey) -> Checked | None:
    """Return a game file of this referee (and game) with its heads; None for anything else."""
    if not looks_signed(data, game, referee):
        return None
    try:
        file, covered = parse(data)
        check_signature(file, covered)
        right = (file.referee, file.game) == (referee, game or file.game)
        return (file, check_chain(file)) if right else None
    except GameError:
        return None


def looks_signed(data: bytes, game: str, referee: PublicKey) -> bool:
    """Return True if bytes may be a file of a game and its referee; parsing costs far more."""
    return all(word in data for word in (game.encode(), referee.text.encode(), ARMOUR))


def _is_small(blob: Object) -> bool:
    return blob.kind == "blob" and blob.size <= MAX_FILE


class VerifiedHistory(NamedTuple):
    """The result of verifying a history: numbers of commits, versions of the game file, and notes.

    `unread` is the number of files in its place that were not looked at this time, as there were
    too many.
    `mended` are the faults that somebody had pushed and a later commit has put right. `missed` says
    that so much was pushed that notes which somebody has taken away may have been missed. `large`
    are the commits that were passed over because of their size.
    """

    commits: int
    versions: int
    notes: int
    shallow: bool
    mended: list[str]
    missed: bool
    unread: int
    large: list[str]


def verify_history(repo: Repo, tip: str, path: str) -> VerifiedHistory:
    """Check that each commit's game file continues that of each parent, and no note was ignored.

    Anybody who can push can put anything there: that is reported, and the file before it goes on.
    Raises the first fault that only the referee can have made, naming the commit, and any fault at
    the tip.
    """
    shallow = repo.text("rev-parse", "--is-shallow-repository") == "true"
    with Objects(repo) as objects:
        rows = repo.text("rev-list", "--topo-order", "--reverse", "--parents", tip).splitlines()
        commits = [row.split(" ") for row in rows]
        small = [*objects.small([commit for commit, *_ in commits if commit != tip]), tip]
        looked = objects.look_all([f"{commit}:{path}" for commit in small])
        blobs = dict(zip(small, looked, strict=True))
        reader = _Reader(objects)
        line = _HistoryVerifier(reader, _first(reader, blobs, commits), blobs[tip])
        try:
            mended = _verify_commits(line, blobs, commits)
        finally:
            reader.keep()
        trees = Trees(objects)
        row = trees.at(tip, path)
        if tip not in line.at or row is None or not row.is_file:
            raise Damaged(f"there is no {path} in this history")
        newest = line.at[tip]
        came = next(commit for commit, blob in blobs.items() if blob and blob.oid == newest)
        file = line.files[newest]
        judged = Judged(objects, commits, file[0], shallow=shallow)
        seen = check_none_ignored(trees, tip, path, repo.past(tip, judged.before(came)), *file)
        files = {commit: line.files[oid] for commit, oid in line.at.items()}
        right = check_none_left_out(judged, tip, path, files, reader.knows)
        reader.learn(right)
    found = len(commits), len(line.files), seen.notes, shallow, mended
    large = [commit for commit, *_ in commits if commit not in blobs]
    return VerifiedHistory(*found, seen.missed, len(reader.unread), large)


def _verify_commits(
    line: _HistoryVerifier, blobs: Mapping[str, Object | None], commits: Sequence[Sequence[str]]
) -> list[str]:
    """Return the faults that were put right by a later commit. Raises the others."""
    wrong: GameError | None = None
    mended = []
    for commit, *parents in commits:
        if commit not in blobs:
            line.pass_over(commit, parents)
            continue
        try:
            wrong = line.add(commit, parents, blobs[commit])
        except GameError as error:
            raise _named(error, commit) from None
        if wrong is not None:
            mended.append(_named(wrong, commit).message)
    if wrong is not None:
        raise wrong
    return mended


Game = tuple[str, PublicKey]


def _first(
    reader: _Reader,
    blobs: Mapping[str, Object | None],
    commits: Sequence[Sequence[str]],
) -> Game | None:
    """Return the game that is played on a branch, and its referee, or None.

    It is the one with which the history begins. Anybody can merge a made-up history: of several
    beginnings it is the one whose game is at the tip, or else the one along the first parents.
    """
    # These two are read before others can use up what may be read.
    there = _game_in(reader, blobs[commits[-1][0]], surely=True)
    _game_in(reader, _beginning(blobs, commits), surely=True)
    begun: dict[str, list[Game]] = {}
    for commit, *parents in commits:
        before = list(dict.fromkeys(game for parent in parents for game in begun.get(parent, ())))
        if not before and (found := _game_in(reader, blobs.get(commit))):
            before = [found]
        if before:
            # The game of the first parent comes first.
            begun[commit] = before
    games = begun.get(commits[-1][0], [])
    if len(games) < 2:
        return games[0] if games else None
    return there if there in games else games[0]


def _beginning(
    blobs: Mapping[str, Object | None], commits: Sequence[Sequence[str]]
) -> Object | None:
    """Return the oldest file along the first parents."""
    parents = {commit: rest[0] for commit, *rest in commits if rest}
    found, commit = None, commits[-1][0]
    while commit:
        found = blobs.get(commit) or found
        commit = parents.get(commit, "")
    return found


def _game_in(reader: _Reader, blob: Object | None, *, surely: bool = False) -> Game | None:
    """Return the game and the referee of a file that is signed; None for anything else."""
    if blob is None:
        return None
    if blob.oid not in reader.games:
        try:
            file = reader.read(blob, surely=surely)
        except GameError:
            return None
        reader.games[blob.oid] = file.game, file.referee
    return reader.games[blob.oid]


class _Reader:
    """Reads the game files of a history, and remembers in this clone which files are invalid.

    An invalid file can take a second to read, and stays in the history for ever. `games` are those
    of the valid ones. `unread` are the files that came when too much had been read for nothing:
    the next run can go on with them.
    """

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._place = objects.repo.own_folder / PASSED
        text = read_limited(self._place, MAX_PASSED) if self._place.is_file() else b""
        self._passed = set(text.decode("ascii", "replace").split())
        # Other bytes of a file that was read before, with the object of that one.
        self._same = dict(word.split("=", 1) for word in self._passed if "=" in word)
        self._first: dict[str, str] = {}
        self._new: set[str] = set()
        self._wrong: dict[tuple[str, Game | None], str] = {}
        self._left = MAX_STRANGE
        self.games: dict[str, Game] = {}
        self.unread: set[str] = set()

    def read(
        self, blob: Object, game: Game | None = None, *, step: int = 0, surely: bool = False
    ) -> GameFile:
        """Return a file that its referee has signed, of `game` if it is given. Raises Damaged.

        So it does for one that names a smaller `step`, or is not to be read `surely` when too much
        was read for nothing.
        """
        blob = self._objects.look(self._same.get(blob.oid, blob.oid)) or blob
        wrong = self._wrong.get((blob.oid, game), "")
        if blob.oid in self._passed:
            wrong = FALSE
        elif game is not None and _of_another(blob.oid, game) in self._passed:
            wrong = OTHER
        if wrong:
            raise Damaged(wrong)
        if not _is_small(blob):
            raise Damaged("the game file is too large")
        if self._left <= 0 and not surely:
            self.unread.add(blob.oid)
            raise Damaged(UNREAD)
        self.unread.discard(blob.oid)
        try:
            return self._read(blob, game, step)
        except Newer:
            self._left -= blob.size
            raise
        except GameError as error:
            self._wrong[blob.oid, game] = error.message
            raise

    def _read(self, blob: Object, game: Game | None, step: int) -> GameFile:
        data = self._objects.read(blob)
        self._left -= blob.size // READING
        if game is not None and not looks_signed(data, *game):
            raise Damaged(OTHER)
        if step and (step_in(data) or 0) < step:
            raise Damaged("the game file is older")
        try:
            file, covered = parse(data)
            check_signature(file, covered)
        except Newer:
            raise
        except GameError:
            self._left -= blob.size
            self._new.add(blob.oid)
            raise Damaged(FALSE) from None
        self.games[blob.oid] = file.game, file.referee
        first = self._first.setdefault(file.signature, blob.oid)
        if first != blob.oid:
            self._left -= blob.size
            self._new.add(f"{blob.oid}={first}")
        if game is not None and (file.referee, file.game) != (game[1], game[0] or file.game):
            self._left -= blob.size
            self._new.add(_of_another(blob.oid, game))
            raise Damaged(OTHER)
        return file

    def knows(self, commit: str) -> bool:
        """Return True for a commit of the referee's that was found right before."""
        return f"{commit}-right" in self._passed

    def learn(self, commits: Sequence[str]) -> None:
        """Remember commits of the referee's that are right."""
        self._new.update(f"{commit}-right" for commit in commits)
        if commits:
            self.keep()

    def keep(self) -> None:
        """Remember the invalid files, if this clone can be written to."""
        known = self._passed.union(self._new)
        if self._new and sum(len(oid) + 1 for oid in known) < MAX_PASSED:
            with suppress(NotWritten):
                replace(self._place, "".join([f"{oid}\n" for oid in sorted(known)]))


def _of_another(oid: str, game: Game) -> str:
    """Return the word that remembers a valid file of another game, or another referee's."""
    return f"{oid}-{H('game', game[0], game[1].text).hex()[:16]}"


class _HistoryVerifier:
    """The newest valid game file `at` each commit, and these `files` themselves."""

    def __init__(self, reader: _Reader, game: Game | None, last: Object | None) -> None:
        self._reader = reader
        self._game = game
        self._last = last
        self._signed: dict[str, Checked] = {}
        self.at: dict[str, str] = {}
        self.files: dict[str, Checked] = {}

    def add(self, commit: str, parents: Sequence[str], blob: Object | None) -> GameError | None:
        """Go on to a commit; return the fault that somebody has pushed there, if any.

        Raises a fault that only the referee can have made: two histories, or an invalid file that
        it has signed.
        """
        before = list(dict.fromkeys(self.at[parent] for parent in parents if parent in self.at))
        newest = self._newest(before)
        if newest is not None:
            self.at[commit] = newest
        elif blob is None:
            return None
        if blob is None:
            return Damaged("the game file is gone", MEND)
        if blob.oid != newest:
            if blob.oid not in self.files and (wrong := self._look(blob)):
                return wrong
            if newest is not None and self._relation(newest, blob.oid) not in (NEWER, SAME):
                return Damaged("the game file is older than the one before it", MEND)
            self.at[commit] = blob.oid
        return None

    def pass_over(self, commit: str, parents: Sequence[str]) -> None:
        """Go on to a commit that is too large to look at, as if it had no changes."""
        newest = self._newest([self.at[parent] for parent in parents if parent in self.at])
        if newest is not None:
            self.at[commit] = newest

    def _newest(self, oids: Sequence[str]) -> str | None:
        best = None
        for oid in oids:
            if best is None or self._relation(best, oid) == NEWER:
                best = oid
        return best

    def _relation(self, before: str, after: str) -> str:
        return compare(*self.files[before], *self.files[after]).relation

    def _look(self, blob: Object) -> GameError | None:
        """Keep a file that this game's referee has signed; return the fault of any other.

        Raises the fault of a file that the referee has signed.
        """
        try:
            file = self._reader.read(blob, self._game, surely=blob == self._last)
        except Newer as error:
            return error
        except GameError as error:
            return Damaged(error.message, MEND)
        if file.signature not in self._signed:
            heads = check_chain(file)
            verify(file, heads)
            self._signed[file.signature] = file, heads
        # The same file in other bytes has the same signature.
        self.files[blob.oid] = self._signed[file.signature]
        return None


def _named(error: GameError, commit: str) -> GameError:
    error.message = f"commit {commit[:12]}: {error.message}"
    return error
