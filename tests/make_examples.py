"""Makes the games in `examples/` anew: `python -m tests.make_examples`, when the format changes."""

from __future__ import annotations

from pathlib import Path

from referee.games import rules_of
from referee.table.decisions import DecisionId
from referee.table.gamefile import GameFile
from tests.table.tables import NAMES, Table, key_of

EXAMPLES = Path(__file__).parent.parent / "examples"


def half_sold(file: GameFile) -> bool:
    """Somewhere in the middle: goods are being sold, and one answer waits for the others."""
    return file.step > 60 and len(file.asked) > 2 and bool(file.pending) and _kind(file) == "sell"


PLANS = {
    "ana": (
        "always builder: build library guild-hall dearest, else pass",
        "always producer: produce dearest",
        "always trader: sell dearest least 2, else pass",
        "always councillor: keep dearest",
    ),
    "ben": (
        "rank: carpenter quarry sugar-mill tower",
        "builder: build rank, else build production if 5 cards, else pass",
        "trader: sell dearest, else pass",
        "councillor: keep rank",
        "role: builder if afford carpenter, else trader if 2 goods, else prospector",
    ),
    "carl": ("always builder: best", "always trader: best", "always councillor: best"),
}
"""The plans in the planned example, made as soon as the seats have cards; ben for one turn."""


def planned() -> Table:
    """A short game in which plans answer for all."""
    rules = rules_of("sanjuan").choose(None, [], [], {"round_limit": "6"})
    table = Table(3, "example planned 2", rules=rules, plans=True).join_all()
    verdicts = table.apply(*(table.plan(name, *clauses) for name, clauses in PLANS.items()))
    assert not any(one.error for one in verdicts)
    return table.play_out()


def _kind(file: GameFile) -> str:
    return str(DecisionId.parse(file.asked[0].id).kind)


def main() -> None:
    """Write all games, and the keys of the one in progress."""
    finished = EXAMPLES / "finished"
    running = EXAMPLES / "in-progress"
    for folder in (finished, running / "keys", EXAMPLES / "planned"):
        folder.mkdir(parents=True, exist_ok=True)
    for name in ("referee", *NAMES[:4]):
        path = running / "keys" / name
        for old in (path, path.with_name(name + ".pub")):
            old.unlink(missing_ok=True)
        key_of(name).save(path, f"worthless-{name}")
    table = Table(4, seed="example in progress 5").join_all().play(half_sold)
    (running / "game.toml").write_text(table.text)
    (finished / "game.toml").write_text(Table(4, seed="example 12").join_all().play_out().text)
    (EXAMPLES / "planned" / "game.toml").write_text(planned().text)


if __name__ == "__main__":
    main()
