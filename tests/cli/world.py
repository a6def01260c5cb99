"""Games of two between worthless keys, laid out in a folder as people find them."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from pathlib import Path

from referee.games import rules_of
from referee.refereeing.ledger import Ledger
from referee.table.gamefile import GameFile
from referee.table.times import Clock
from tests.once import once
from tests.table.tables import REFEREE, Table, key_of, load

SEATS = ("ana", "ben")
KEYS = {"referee": REFEREE, "stranger": key_of("stranger"), **{n: key_of(n) for n in SEATS}}
STATES = {"open": 0, "dealt": 1, "building": 2, "keeping": 5, "passing": 13, "selling": 19}
"""The names of a game by its step: `building` asks ana alone, `keeping` ben and ana at once,
`passing` asks ben, who can pay for nothing.

Besides them there are `ending` (one play is missing), `finished`, `tidying` (another game, at the
first round start that asks, with cards put away), `timed` (dealt at noon of March 1, with a clock),
`xanadu`, another game, `planning` (dealt, at a table that takes plans), `ahead` (the same, where
who comes next is invited to plan) and `planned` (both have planned there). The seeds are such that
the transcripts find the cards they name.
"""


@once
def story() -> Table:
    """A whole game, each of its files in `texts`."""
    return Table(2, "cli 82687").join_all().play_out()


@once
def tidying_game() -> Table:
    """A game in which ana is asked to tidy up, and has put cards away before."""
    return Table(2, "cli 61032").join_all().play(_tidies)


@once
def other_game() -> Table:
    """A game of Xanadu in its third round."""
    table = Table(2, "cli", rules=rules_of("xanadu").choose(None, [], [], {}))
    return table.join_all().play(lambda file: file.table.get("round") == 3)


@once
def timed_game() -> Table:
    """A game of three days an answer, after which the referee answers."""
    return Table(2, "timed", clock=Clock(3, "bot", 1, 28)).join_all()


@once
def planning_game() -> Table:
    """A game at a table that takes plans."""
    return Table(2, "cli 82687", plans=True).join_all()


@once
def ahead_game() -> Table:
    """The same, where who comes next is invited to plan."""
    return Table(2, "cli 82687", plans=True, ahead=1).join_all()


@once
def planned_game() -> Table:
    """The same, where both have planned nearly everything, and ana chooses the first role."""
    # Its beginning is sealed at random, and one folder may hold both.
    table = deepcopy(planning_game())
    for seat in SEATS:
        clauses = [f"always {kind}: best" for kind in ("builder", "producer", "trader", "tidy")]
        table.apply(table.plan(seat, *clauses, "always councillor: best", "always role: best"))
    return table


@cache
def text_of(state: str) -> str:
    """The game file in a state, before anything has been answered."""
    return _line(state)[-1]


def _line(state: str) -> list[str]:
    """The files up to that state."""
    texts = story().texts
    if state == "xanadu":
        return other_game().texts
    if state == "timed":
        return timed_game().texts
    planning = {"planning": planning_game, "ahead": ahead_game, "planned": planned_game}
    if state in planning:
        return planning[state]().texts
    if state in ("ending", "finished"):
        return texts if state == "finished" else texts[:-1]
    if state == "tidying":
        return tidying_game().texts
    for at, text in enumerate(texts):
        file = load(text)
        if file.step == STATES[state] and not file.pending:
            return texts[: at + 1]
    raise LookupError(state)


def _tidies(file: GameFile) -> bool:
    """Return True if it asks ana to tidy up, and she has put cards away before."""
    chapels = [entry for entry in file.log if entry.play.startswith("chapel ")]
    return bool(chapels) and any(".tidy.ana" in one for one in file.asked_ids())


@cache
def locked(name: str, passphrase: str) -> bytes:
    """A key file under a passphrase, as ssh-keygen makes them."""
    from cryptography.hazmat.primitives import serialization

    key = serialization.load_ssh_private_key(KEYS[name].openssh(), None)
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.OpenSSH,
        serialization.BestAvailableEncryption(passphrase.encode()),
    )


def lay_out(folder: Path, state: str) -> None:
    """Put game.toml, the file before it, all keys and the referee's ledger into `folder`.

    The ledger is the default one of $XDG_STATE_HOME.
    """
    for name, key in KEYS.items():
        key.save(folder / f"{name}.key")
    if state == "nothing":
        return
    texts = _line(state)
    (folder / "game.toml").write_text(texts[-1])
    for name, back in (("previous.toml", 2), ("older.toml", 3)):
        if len(texts) >= back:
            (folder / name).write_text(texts[-back])
    with Ledger.open(load(texts[0]), None) as book:
        for text in texts[-3:]:
            book.record(load(text), text)
