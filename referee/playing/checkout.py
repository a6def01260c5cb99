"""A note's way through a git checkout: committed, pushed, and answered by the referee."""

from __future__ import annotations

import itertools
import os
import re
from shlex import quote
from typing import TYPE_CHECKING

from referee.crypto.hashing import H
from referee.errors import AlreadyApplied
from referee.git import sync
from referee.git.answers import ENDING, MAX_NOTE, Refusal, refusals_in
from referee.git.evidence import MARK, Evidence, PublicNotes, Trace, note_fingerprint
from referee.git.repo import GitFailed
from referee.notes.finding import Found, find_in_bytes
from referee.notes.kinds import Join, Move
from referee.playing.shared import GAME, id_in
from referee.records import NamedTuple
from referee.storage import read_limited
from referee.table.clock import owed_decisions
from referee.table.decisions import DecisionId
from referee.table.gamefile import MAX_FILE
from referee.table.plans import is_plan, read_plan
from referee.table.signing import load

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from referee.crypto.keys import PublicKey
    from referee.notes.kinds import AnyNote
    from referee.notes.signed import SignedNote
    from referee.playing.numbering import Written
    from referee.playing.outgoing import Outgoing
    from referee.table.gamefile import GameFile


MAX_REPLIES = 50
"""The most replies that are searched for those to one's own notes; anybody can bring about more."""


BY_HAND = (
    "write the note with -o FILE and send it to the referee of that game, or play that one in a "
    "repository of its own: `sanjuan-ref help git.md`"
)
"""Advice on a game that is not refereed in the repository in which its file lies."""


class Refused(NamedTuple):
    """A note in a clone, and one refusal in the referee's reply to it."""

    note: Path
    refusal: Refusal


class Committed(NamedTuple):
    """A committed note: its path, the referee's refusal if any, and remarks on the push.

    `is_new` says that it was not committed before, `counts` is the game file if that shows by now
    that a note which was pushed has arrived.
    """

    path: Path
    is_new: bool
    refusal: str
    remarks: list[str]
    counts: GameFile | None


def begin(game: Path, *, push: bool) -> str:
    """See that notes can be committed beside a game, and get what others have pushed.

    Returns a remark where that has undone a change of one's own to the game file. Raises NoBranch,
    GitFailed and NotWritten.
    """
    _check_table(game)
    with sync.ready(game):
        edited = push and sync.is_edited(game)
    if push:
        sync.pull(game)
        if edited and not sync.is_edited(game):
            return f"you had changed {game}: the newest game file has replaced it"
    return ""


def _check_table(game: Path) -> None:
    """Raise GitFailed for a file that is not the one which is refereed in its repository.

    Notes of another game are only refused there; and what the referee answers goes into its own
    file of a game, not into a copy.
    """
    table = game.parent / GAME
    if game.name == GAME and (game.absolute().parent / ".git").exists():
        # Git is not asked at each turn about the place where most tables are.
        return
    there = sync.committed(table)
    # Its referee may have chosen another name.
    if not there and not sync.committed(game):
        raise GitFailed(
            f"nobody referees {game} here: it is not committed in this repository",
            f"{BY_HAND}; if its host has committed it since, `git pull` comes first",
        )
    if not there or game.name == GAME or game.resolve() == table.resolve():
        return
    own, other = id_in(read_limited(game, MAX_FILE)), id_in(there)
    if own is not None and own == other:
        at = f" -C {quote(str(table.parent))}" if table.parent.name else ""
        back = f"`git{at} checkout HEAD -- {GAME}` brings it back; "
        raise GitFailed(
            f"{game} is not the file in which this game is refereed here: that is {table}",
            f"{'' if table.exists() else back}name {table}",
        )
    raise GitFailed(
        f"a repository holds one game, and here that is {table}: nobody referees {game} here",
        BY_HAND,
    )


def check(game: Path, *, push: bool) -> None:
    """See that notes can be committed beside a game, and change nothing; raises like `begin`."""
    _check_table(game)
    sync.check(game, push=push)


def commit(note: Outgoing, game: Path, *, push: bool) -> Committed:
    """Commit a note, and push it if asked to. Raises GitFailed and NotWritten."""
    saved = [_saved(part, game) for part in note.parts]
    return _sent(saved, game, lambda: counted(note.signed, game), push=push)


def send_again(answer: Written, decision: str, game: Path, *, push: bool) -> Committed:
    """Do with an answer that lies among the notes of a clone what is left to be done of `commit`.

    Raises GitFailed, NotWritten and NotRead.
    """
    data = read_limited(answer.path, MAX_NOTE)
    path, is_new = sync.save(game, answer.path.name, data.decode("utf-8", "replace"))

    def arrived() -> GameFile | None:
        file, _ = load(game)
        return file if has_arrived(file, decision, answer.number) else None

    return _sent([_Saved(find_in_bytes(data), path, is_new, data)], game, arrived, push=push)


def has_arrived(file: GameFile, decision: str, number: int) -> bool:
    """Return True if a game file needs the answer of this number to a question no more."""
    waiting = file.waiting_answer(decision)
    is_asked = decision in {one.id for one in file.asked}
    return not is_asked or (waiting is not None and waiting.number >= number)


def is_on_its_way(answer: Written, game: Path, *, push: bool) -> bool:
    """Return True if `send_again` is to do nothing for a program that runs again and again.

    To a note that was pushed the referee is called at first at once, then each time after twice as
    long. Raises GitFailed.
    """
    mark = MARK.search(answer.path.name)
    return mark is not None and sync.is_on_its_way(game, answer.path, mark[1], push=push)


def _sent(
    saved: Sequence[_Saved], game: Path, counts: Callable[[], GameFile | None], *, push: bool
) -> Committed:
    """Push notes that were committed if asked to, and wake the referee. Raises GitFailed."""
    first, is_new = saved[0], any(one.is_new for one in saved)
    remarks: list[str] = []
    if push:
        mark = MARK.search(first.path.name)
        # A note that is new will wake the referee when it is pushed.
        if mark is not None and not is_new and not first.refusal(game) and counts() is None:
            sync.call(game, mark[1])
        remarks = sync.push(game)
        sync.pull(game)
    refusal = next((said for one in saved if (said := one.refusal(game))), "")
    shown = counts() if push and not refusal else None
    return Committed(first.path, is_new, refusal, remarks, shown)


class _Saved(NamedTuple):
    """A file with a note of one's own: the notes in it, and the bytes that were committed."""

    things: Sequence[Found]
    path: Path
    is_new: bool
    data: bytes

    def refusal(self, game: Path) -> str:
        """Return what the referee has answered to the note; empty if nothing.

        What it says of a file that others have put in its place is no answer to the note.
        """
        path = self.path
        if path.is_symlink() or not path.is_file() or path.stat().st_size != len(self.data):
            return ""
        if path.read_bytes() != self.data:
            return ""
        found = sync.refusal(game, path, self.things)
        return found.said if found is not None else ""


def _saved(note: Outgoing, game: Path) -> _Saved:
    """Write a note into its file and commit it. Raises GitFailed and NotWritten."""
    path, is_new = sync.save(game, _file_name(note, game), note.alone)
    return _Saved([Found(note.signed)], path, is_new, path.read_bytes())


def refused(game: Path, file: GameFile, key: PublicKey, seat: str, since: int) -> list[Refused]:
    """Return the refusals of a player's notes in this clone about which something is left to do.

    These are refusals of answers to what the `seat` owes, and those of other notes from step
    `since` on; but of no plan in whose place a newer one has come. A sealed note is known by its
    name alone. Raises like `sync.refusal`.
    """
    owed = [id_ for id_ in owed_decisions(file) if DecisionId.parse(id_).seat == seat]
    names = [*(rf"{re.escape(id_)}[.-]" for id_ in owed), *([rf"{seat}-plan"] if seat else [])]
    own = re.compile("|".join(names) or r"(?!)")
    folder = game.parent / sync.MOVES
    replies = [path.name for path in folder.glob(f"*{ENDING}")]
    newest = _newest_plan(file, seat)
    found = []
    for reply in sorted(replies, key=lambda name: (not own.match(name), name))[:MAX_REPLIES]:
        note = folder / reply.removesuffix(ENDING)
        if note.is_symlink() or not note.is_file() or note.stat().st_size > MAX_NOTE:
            continue
        things = find_in_bytes(note.read_bytes())
        sealed = bool(own.match(reply)) and any(one.sealed is not None for one in things)
        mine = [
            one.signed.note
            for one in things
            if one.signed is not None and one.signed.signature.public == key and one.signed.holds()
        ]
        if not sealed and not any(_matters(one, owed, seat) for one in mine):
            continue
        plan = re.match(rf"{seat}-plan([1-9][0-9]{{0,5}})-", reply)
        if plan is not None and int(plan[1]) < newest:
            continue
        answer = sync.refusal(game, note, things)
        asked = any(name in reply for name in owed) or any(isinstance(one, Move) for one in mine)
        if answer is not None and (asked or answer.step >= since):
            said = refusals_in(answer.said)
            found += [Refused(note, one) for one in said if one.code != AlreadyApplied.exit_code]
    return found


def _newest_plan(file: GameFile, seat: str) -> int:
    """Return the number of the newest plan of a seat in a game file; 0 if there is none."""
    logged = (one for one in file.log if one.by == seat and is_plan(one.decision))
    waiting = (one.number for one in file.plans if one.seat == seat)
    return max([*waiting, *(read_plan(one.play)[0] for one in logged)], default=0)


def _matters(note: AnyNote, owed: Sequence[str], seat: str) -> bool:
    """Return True unless a note answers what is over, or would take a seat of who has one."""
    if isinstance(note, Move):
        return note.turn in owed
    return not (isinstance(note, Join) and seat)


def counted(signed: SignedNote, game: Path) -> GameFile | None:
    """Return the game file if it shows by now that a note counts."""
    file, heads = load(game)
    shown = PublicNotes(file, heads).evidence("", [Trace.of(Found(signed), file.game)])
    return file if shown is Evidence.COUNTS else None


def _file_name(note: Outgoing, game: Path) -> str:
    """Return the name of a note's file: the one that it was written to before, if it is there.

    What is sealed is another text on each machine, and two texts never have one name. Others can
    have pushed anything under any name.
    """
    kind, mark = note.signed.kind, note_fingerprint(note.signed.text, note.signed.raw64)
    folder, plain = game.parent / sync.MOVES, note.signed.armoured.encode()
    named = sorted(folder.glob(f"{note.name}-{mark}*.{kind}"))
    regular = [path for path in named if not path.is_symlink() and path.is_file()]
    own = [path for path in regular if path.stat().st_size == len(plain)]
    own = [path for path in own if path.read_bytes() == plain]
    own += [folder / name for name in sync.written_here(folder, [path.name for path in regular])]
    if own:
        return own[0].name
    free = (f"{mark}.{H('sealed', note.alone, count).hex()[:8]}" for count in itertools.count())
    first = f"{mark}.{H('sealed', note.sealed).hex()[:8]}" if note.sealed else mark
    names = (sync.name_of(note.name, one, kind) for one in itertools.chain([first], free))
    return next(name for name in names if not os.path.lexists(folder / name))
