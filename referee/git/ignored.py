"""The check that every note of a branch has been dealt with, for anybody who has the branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.errors import Stale
from referee.git.answers import ENDING, LIMIT, MAX_NOTE, read
from referee.git.evidence import Evidence, PublicNotes, Trace, is_marked
from referee.git.falseanswers import Facts
from referee.git.notesfolder import folder_of, notes_in, pushed_notes
from referee.notes.finding import find_in_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from referee.git.answers import Answer
    from referee.git.notesfolder import NotesFolder
    from referee.git.repo import Past
    from referee.git.trees import Trees
    from referee.table.gamefile import GameFile


def check_none_ignored(
    trees: Trees, tip: str, path: str, past: Past, file: GameFile, heads: list[bytes]
) -> int:
    """Return how many notes lie at the tip. Raises Stale for one that was ignored or lied about.

    Each is in the log, waits, or has been answered; so is each that was pushed in the `past`,
    which goes back to where the newest game file came.
    """
    moves = folder_of(path)
    there = notes_in(trees, trees.root(tip), moves)
    if there.wild:
        raise _ignored(there.wild[0])
    new, shown, objects = (
        pushed_notes(trees, past, moves, there),
        PublicNotes(file, heads),
        trees.objects,
    )
    notes = {name: row.oid for name, row in there.notes.items()}
    count = len(notes)
    notes |= {name: oid for name, (_, oid) in new.gone.items()}
    answers = {name: [answer] for name, answer in _answers(trees, file, there, notes)}
    answers |= {name: [*answers.get(name, []), *new.said(trees, file, name)] for name in new.gone}
    facts, left = Facts(file, heads, shown), shown.waiting
    for name, one in zip(notes, list(objects.look_all(list(notes.values()))), strict=True):
        was = new.gone[name][0] if name in new.gone else name
        old = (name, notes[name]) not in new.fresh and name not in new.gone
        said = answers.get(name, [])
        if one is None or (not said and old and is_marked(name, shown.marks)):
            continue
        if one.size > MAX_NOTE and said:
            continue
        if one.size > MAX_NOTE:
            raise _ignored(was, gone=name in new.gone)
        found = find_in_bytes(objects.read(one))
        for answer in said:
            facts.check(was, answer, found)
        if said:
            continue
        traces = [Trace.of(thing, file.game) for thing in found]
        evidence = shown.evidence(was, traces)
        if evidence is Evidence.MAY_WAIT and left:
            # In the file it shows as no more than that one waits.
            left -= 1
        elif evidence is not Evidence.COUNTS:
            raise _ignored(was, gone=name in new.gone)
    return count


def _answers(
    trees: Trees, file: GameFile, there: NotesFolder, notes: Mapping[str, str]
) -> Iterator[tuple[str, Answer]]:
    """Yield the answers of the referee that lie beside notes, and are about just these."""
    rows = {name: there.files.get(name + ENDING) for name in notes}
    beside = {name: row.oid for name, row in rows.items() if row is not None}
    looked = list(trees.objects.look_all(list(beside.values())))
    for name, one in zip(beside, looked, strict=True):
        if one is not None and one.size <= LIMIT:
            data = trees.objects.read(one)
            answer = read(data, file.referee, file.game, notes[name])
            if answer is not None:
                yield name, answer


def _ignored(name: str, *, gone: bool = False) -> Stale:
    if gone:
        name = f"{name}, which somebody has changed or taken away,"
    return Stale(
        f"{name} has not been dealt with yet",
        "run `sanjuan-ref git referee`, or wait for it",
        reason="not-dealt-with",
    )
