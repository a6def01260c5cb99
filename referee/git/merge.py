"""The merge driver: takes the longer of two lines of one game, if it continues the other."""

from __future__ import annotations

from pathlib import Path

from referee.checking.compare import NEWER, compare
from referee.checking.verify import verify
from referee.errors import Damaged
from referee.storage import replace
from referee.table.signing import load


def merge(ours: Path, theirs: Path) -> str:
    """Make `ours` the merge of both game files, and return words for it.

    Raises Fork if neither continues the other, Damaged or BadSignature for a file that is not its
    referee's. Then `ours` stays as it was, and git reports a conflict.
    """
    sides = []
    for path, whose in ((ours, "our"), (theirs, "their")):
        try:
            file, heads = load(path)
            verify(file, heads)
        except Damaged as error:
            error.message = f"{whose} game file: {error.message}"
            raise
        sides.append((file, heads))
    if compare(*sides[0], *sides[1]).relation == NEWER:
        replace(ours, theirs.read_text(encoding="utf-8"), named=True)
        return f"step {sides[1][0].step}, which continues ours"
    return f"step {sides[0][0].step}, which is ours"
