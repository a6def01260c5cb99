"""A signed file that is no game is damage wherever it is read, and costs nothing."""

from __future__ import annotations

import functools
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.crypto.sealing import seal
from referee.errors import Damaged
from referee.games import GAMES, rules_of
from referee.playing import player
from referee.table import chain, opening, views
from referee.table.filetext import parse
from referee.table.gamefile import Entry, GameFile, HandBlock, Question
from referee.table.signing import signed_text
from tests.table.tables import REFEREE, Table, key_of, load

Act = Callable[[GameFile], None]


@functools.cache
def text() -> str:
    return Table(3, seed="shape").join_all().rush(until=20).text


def signed(file: GameFile) -> str:
    """The file with everything above its log made to fit."""
    commitments = [file.hands[name].commitment for name in file.seating]
    file.log[-1].root = chain.step_root(file.table, file.asked, chain.deal_hash(file), commitments)
    file.head = chain.heads(file)[-1]
    return signed_text(file, REFEREE)


def entry(**values: object) -> Act:
    def act(file: GameFile) -> None:
        for name, value in values.items():
            setattr(file.log[-1], name, value)

    return act


def then(*lines: str) -> Act:
    return lambda file: setattr(file.log[-1], "then", (*lines, *file.log[-1].then))


def ask(**values: Any) -> Act:
    return lambda file: file.asked.__setitem__(0, file.asked[0]._replace(**values))


def may(answer: str) -> Act:
    return lambda file: file.asked.__setitem__(0, file.asked[0]._replace(may=(answer,)))


def own(kind: str, play: str) -> Act:
    """Put a vote, a leave or another note about a seat in the place of the last entry."""
    return lambda file: entry(decision=f"0.1.{kind}.{file.log[-1].by}", play=play)(file)


MISSHAPEN: dict[str, Act] = {
    "a play by nobody": entry(by="zoe"),
    "a decision of nobody": entry(decision="3.2.role.zoe"),
    "an act of the referee's by a seat": entry(decision=chain.ABANDON),
    "an act that the referee has not": entry(decision="3.2.role.referee", by=chain.REFEREE),
    "no decision": entry(decision="role"),
    "an escape in a play": entry(play="role \x1b]0;x\x07"),
    "an empty play": entry(play=""),
    "a reserved word": entry(play="role seat"),
    "a second deal": entry(decision=chain.DEAL, by=chain.REFEREE),
    "an empty line": then(""),
    "a line end": then("role ana\nrole ben"),
    "an escape in a line": then("role \x1b[2J builder"),
    "a letter of another script": then("role \u0430na builder"),
    "a range too far": then("draw ana deck 0 0-99999"),
    "half a line": then("take ana deck"),
    "the number of a first answer": then("answer 1"),
    "the number of a ninth answer": then("answer 9"),
    "a number that is none": then("answer 02"),
    "a question to nobody": ask(id="3.3.role.zoe", seat="zoe"),
    "a question of one to another": ask(seat="carl", id="3.3.role.ana"),
    "no question": ask(id="role"),
    "a command in a line": then("role ana $(touch x)"),
    "a command in a card": then(f"open deck 0 1 `id` {'A' * 43}"),
    "a command in a pile": then(f"shuffle $(x) 0 1 {'A' * 43}"),
    "a command for a drawer": then("draw $(x) deck 0 0-1"),
    "a command for a taker": then("take $(x) deck 0 1"),
    "a command among the questions": then("ask 1.1.role.ana $(x)"),
    "a command as an answer": may("role $(touch${IFS}x)"),
    "an option as an answer": may("role --key=x"),
    "a redirection as an answer": may("role >x"),
    "a command on the table": lambda file: file.table["seats"][0].update(name="$(x)"),
    "a key of the table": lambda file: file.table.update({"$(x)": 1}),
    "a bell in the terms": lambda file: file.terms.update(edition="\x07"),
    "a vote for neither": own("vote", "x"),
    "a vote that takes a leaving back": own("vote", "back"),
    "a leaving that is a vote": own("leave", "end"),
    "a transfer to nobody": own("transfer", "transfer 00"),
    "a plan without a number": own("plan", f"plan {'0' * 64}"),
    "an end that nobody brings about": entry(
        decision=chain.ABANDON, by=chain.REFEREE, play="x", signature=b""
    ),
    "no deal": lambda file: file.log.__delitem__(0),
    "who has not joined": lambda file: setattr(file.seats[0], "signature", b""),
}


@pytest.mark.parametrize("name", MISSHAPEN)
def test_misshapen_logs_are_refused_on_reading(name: str) -> None:
    file = load(text())
    MISSHAPEN[name](file)
    hostile = signed(file)
    with pytest.raises(Damaged) as caught:
        load(hostile)
    assert caught.value.message.isprintable()


def test_a_deal_without_players_is_refused() -> None:
    file = Table(3).file
    file.status = "playing"
    file.seating = [seat.name for seat in file.seats]
    block = seal("x", [REFEREE.public.text])
    file.hands = {name: HandBlock(block, bytes(32)) for name in file.seating}
    play = f"deal {'0' * 64}"
    file.log.append(Entry(chain.DEAL, chain.REFEREE, play, 0, b"", ("ask 1.1.role.ana",), b""))
    file.asked = [Question("1.1.role.ana", "ana", ())]
    with pytest.raises(Damaged, match="not all seats have joined"):
        load(signed(file))


def test_an_open_table_with_something_on_it_is_refused() -> None:
    file = Table(3).file
    file.table = load(text()).table
    with pytest.raises(Damaged, match="nothing was dealt"):
        load(signed_text(file, REFEREE))


@pytest.mark.parametrize("span", ["0-9999", "0-99"])
def test_ranges_are_held_against_the_piles_before_they_are_written_out(span: str) -> None:
    file = load(text())
    seat = file.asked[0].seat
    then(*(f"draw {seat} deck 0 {span}" for _ in range(5000)))(file)
    file = load(signed(file))
    tracemalloc.start()
    with pytest.raises(Damaged, match=r"so many cards|drawn before"):
        views.open_hand(file, player.my_seat(file, key_of(seat).public), key_of(seat))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000


@pytest.mark.parametrize("secret", ["a = " + "[" * 9000, "a = 1", "a" + ".a" * 12000 + " = 1"])
def test_what_is_sealed_as_deal_secret_may_be_anything(secret: str) -> None:
    file = load(text())
    file.secret = [seal(secret, [REFEREE.public.text])]
    with pytest.raises(Damaged, match="not a deal secret"):
        opening.deal_secret(file, REFEREE)


def test_points_that_nobody_can_have_cost_nothing() -> None:
    file, _ = parse(Path("examples/finished/game.toml").read_bytes())
    before = time.process_time()
    for row in file.table["seats"]:
        row["points"] = 999_999_999
    assert rules_of(file.rules_module).load(file.terms).result(file.table)
    assert time.process_time() - before < 1


@pytest.mark.parametrize("module", GAMES)
def test_lines_of_no_game_are_told_as_they_are(module: str) -> None:
    words = ["role", "event", "build", "lose", "produce", "tile", "mine", "score", "open", "work"]
    narrator = rules_of(module).choose(None, [], [], {}).narrator()
    for word in words:
        for count in range(8):
            assert narrator.tell(" ".join([word, *["x"] * count]))
