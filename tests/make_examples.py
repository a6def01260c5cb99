"""Makes the games in `examples/` anew: `python -m tests.make_examples`, when the format changes."""

from __future__ import annotations

from pathlib import Path

from referee.table.decisions import DecisionId
from referee.table.gamefile import GameFile
from tests.table.tables import NAMES, Table, key_of

EXAMPLES = Path(__file__).parent.parent / "examples"


def half_sold(file: GameFile) -> bool:
    """Somewhere in the middle: goods are being sold, and one answer waits for the others."""
    return file.step > 60 and len(file.asked) > 2 and bool(file.pending) and _kind(file) == "sell"


def _kind(file: GameFile) -> str:
    return str(DecisionId.parse(file.asked[0].id).kind)


def main() -> None:
    """Write both games, and the keys of the one in progress."""
    finished = EXAMPLES / "finished"
    running = EXAMPLES / "in-progress"
    for folder in (finished, running / "keys"):
        folder.mkdir(parents=True, exist_ok=True)
    for name in ("referee", *NAMES[:4]):
        path = running / "keys" / name
        for old in (path, path.with_name(name + ".pub")):
            old.unlink(missing_ok=True)
        key_of(name).save(path, f"worthless-{name}")
    table = Table(4, seed="example in progress 5").join_all().play(half_sold)
    (running / "game.toml").write_text(table.text)
    (finished / "game.toml").write_text(Table(4, seed="example 12").join_all().play_out().text)


if __name__ == "__main__":
    main()
