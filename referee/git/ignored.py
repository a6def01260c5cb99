"""The check that no note on a branch was ignored, for anybody who has the branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.errors import Stale
from referee.git.answers import MAX_NOTE
from referee.git.evidence import Evidence, PublicNotes, Trace, is_marked
from referee.git.falseanswers import Facts
from referee.git.notesfolder import folder_of, notes_in, pushed_notes
from referee.notes.finding import find_in_bytes
from referee.notes.mime import printable_line
from referee.records import NamedTuple

if TYPE_CHECKING:
    from referee.git.answers import Answer
    from referee.git.repo import Past
    from referee.git.trees import Trees
    from referee.notes.finding import Found
    from referee.table.gamefile import GameFile


class NotIgnored(NamedTuple):
    """The number of notes at the tip, none of which was ignored.

    `missed` says that so much was pushed that notes which are gone may have been missed.
    """

    notes: int
    missed: bool


def check_none_ignored(
    trees: Trees, tip: str, path: str, past: Past, file: GameFile, heads: list[bytes]
) -> NotIgnored:
    """Look at all notes at the tip. Raises Stale for one that was ignored or lied about.

    Each must be in the log, or wait, or have an answer. So must each that was pushed in the
    `past`, the commits since the newest game file came.
    """
    moves = folder_of(path)
    there = notes_in(trees, trees.root(tip), moves)
    if there.wild:
        raise _ignored(there.wild[0])
    new = pushed_notes(trees.objects, past, moves, there)
    shown = PublicNotes(file, heads)
    present = {path: row.oid for path, row in there.notes.items()}
    oids = present | {name: oid for name, (_, oid) in new.gone.items()}
    answers = {name: [answer] for name, answer in there.answers_to(trees, file, oids).items()}
    for name in new.gone:
        answers.setdefault(name, []).extend(new.said(trees, file, name))
    facts, left = Facts(file, heads, shown), shown.waiting
    read: dict[str, list[Found]] = {}
    checked: set[tuple[str, Answer]] = set()
    for (name, oid), note in zip(
        oids.items(), list(trees.objects.look_all(list(oids.values()))), strict=True
    ):
        gone = name in new.gone
        place = new.gone[name][0] if gone else name
        said = answers.get(name, [])
        is_old = not gone and (name, oid) not in new.fresh
        if note is None or (is_old and not said and is_marked(name, shown.marks)):
            continue
        if gone and not said and not new.has_all_answers:
            continue
        if note.size > MAX_NOTE:
            if not said:
                raise _ignored(place, gone=gone)
            continue
        if oid not in read:
            read[oid] = find_in_bytes(trees.objects.read(note))
        found = read[oid]
        for answer in [one for one in said if (oid, one) not in checked]:
            facts.check(place, answer, found)
            # What is gone is not judged again.
            if not gone and facts.is_outdated(answer, found):
                raise _ignored(place)
            checked.add((oid, answer))
        evidence = shown.evidence(place, [Trace.of(thing, file.game) for thing in found])
        if said or evidence is Evidence.COUNTS:
            continue
        # The game file shows only how many sealed answers wait.
        if evidence is Evidence.NONE or not left:
            raise _ignored(place, gone=gone)
        left -= 1
    return NotIgnored(len(present), new.missed or not new.has_all_answers)


def _ignored(name: str, *, gone: bool = False) -> Stale:
    name = printable_line(name)
    if gone:
        name = f"{name}, which somebody has changed or taken away,"
    return Stale(
        f"{name} has not been dealt with yet",
        "if this clone is behind, run `git pull` first; otherwise wait for the referee, who runs "
        "`sanjuan-ref git referee`",
        reason="not-dealt-with",
    )
