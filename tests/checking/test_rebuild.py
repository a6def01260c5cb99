"""Table, questions and lines that cannot be are found by everybody who opens the file.

Each of these files is forged by whoever holds the referee's key: root, head and signature fit.
"""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import pytest

from referee.checking.verify import verify
from referee.errors import Damaged
from referee.games import rules_of
from referee.playing import player
from referee.table import chain, opening, views
from referee.table.decisions import DecisionId
from referee.table.gamefile import GameFile, Question
from referee.table.rebuild import check_hand, check_table, each_step
from referee.table.replay import Session
from referee.table.signing import checked, signed_text
from referee.table.times import DAY, Clock
from tests.games.test_protocol_games import MODULES, chosen, quoted, sections
from tests.once import once
from tests.table.tables import REFEREE, Table, key_of, load

EVERYTHING: Any = ("2004", ["new-buildings", "events"], ["draft-start"], {})
GAMES: dict[str, list[tuple[Any, int, int]]] = {
    "sanjuan": [((None, [], [], {}), 3, 2), (EVERYTHING, 4, 2), (EVERYTHING, 3, 2)],
    "xanadu": [
        ((None, [], [], {}), 3, 2),
        ((None, [], ["advanced"], {"passes": "2"}), 2, 2),
        ((None, [], [], {}), 2, 0),
    ],
}
"""Choices of rules, number of seats, and habit (see `chosen`)."""
MANY = 12
"""After so many games all that a table can have has come up."""


class Moment(NamedTuple):
    """A step of an honest game, with its public state after it."""

    file: GameFile
    step: int
    table: Mapping[str, Any]
    asked: list[Question]
    then: tuple[str, ...]


@once
def moments(module: str) -> list[Moment]:
    """The moments of games in which every key and every line of the page comes up."""
    there: list[Moment] = []
    for number in range(MANY):
        choice, seats, habit = GAMES[module][number % len(GAMES[module])]
        table = Table(seats, f"rebuild {number}", rules=rules_of(module).choose(*choice)).join_all()
        play = functools.partial(chosen, rng=Random(number), habit=habit)
        there += moments_of(table.rush(play).file)
        if number + 1 >= len(GAMES[module]) and not missing(module, there):
            return there
    raise AssertionError(missing(module, there))


def moments_of(file: GameFile) -> Iterator[Moment]:
    states = each_step(file, lambda game: (game.table(), game.decisions()))
    for step, (entry, (table, decisions)) in enumerate(zip(file.log, states, strict=True), 1):
        asked = [Question(one.id, one.seat, one.may) for one in decisions]
        # In the middle of a batch no file was to be signed.
        if entry.then and (entry.then[-1].startswith("ask ") or not asked):
            yield Moment(file, step, table, asked, entry.then)


def missing(module: str, there: Sequence[Moment]) -> set[str]:
    """The keys and lines of the page that have not come up."""
    head = {"sanjuan": "line of San Juan", "xanadu": "line of Xanadu"}[module]
    words = {text.split(" ")[0] for row in sections()[module][head] for text in quoted(row[0])}
    found = {line.split(" ")[0] for one in there for line in one.then}
    keys = {
        key
        for of, head, key in KEYS
        if of == module
        and not any(row.get(key) for one in there for row in tables(one.table, head))
    }
    return keys | ((words | {"draw", "open", "shuffle", "ask"}) - found)


def cut(moment: Moment) -> GameFile:
    """The honest file of a moment, but for what is sealed in it."""
    file = copy.copy(moment.file)
    file.log = [copy.copy(entry) for entry in file.log[: moment.step]]
    file.table, file.asked = copy.deepcopy((dict(moment.table), moment.asked))
    return file


Forgery = Callable[[GameFile], None]


def signed(moment: Moment, forge: Forgery) -> str:
    """The file of a moment as its readers get it, once somebody has forged something in it."""
    file = cut(moment)
    shuffled = [line.split(" ")[1:3] for entry in file.log for line in entry.then]
    file.piles = [pile for pile in file.piles if [pile.pile, str(pile.epoch)] in shuffled]
    file.revealed_secret = None
    session = Session.replay(file, opening.deal_secret(file, REFEREE))
    session.refresh()
    forge(file)
    return resigned(file)


def resigned(file: GameFile) -> str:
    """The text of a file whose referee has made everything fit again."""
    hands = [file.hands[name].commitment for name in file.seating]
    file.log[-1].root = chain.step_root(file.table, file.asked, chain.deal_hash(file), hands)
    file.head = chain.heads(file)[-1]
    return signed_text(file, REFEREE)


def readers(text: str) -> list[Callable[[], object]]:
    """All who look at a file: `show`, `move` and every other command that reads one; what `verify`
    does then; and a seat that opens its hand, however it came to the file."""
    file = load(text)
    key = key_of(file.seating[0])
    seat = player.my_seat(file, key.public)
    return [
        lambda: checked(text.encode()),
        lambda: verify(file, chain.heads(file)),
        lambda: views.open_hand(file, seat, key),
    ]


def found(moment: Moment, forge: Forgery, word: str) -> None:
    """A forgery is found by all, and the message says `word`."""
    for read in readers(signed(moment, forge)):
        with pytest.raises(Damaged, match=re.escape(word)):
            read()


@pytest.mark.parametrize("module", MODULES)
def test_honest_files_are_read(module: str) -> None:
    for moment in (moments(module)[0], moments(module)[-1]):
        for read in readers(signed(moment, lambda file: None)):
            read()


# Keys


def tables(table: Mapping[str, Any], head: str) -> list[dict[str, Any]]:
    """The tables in a public table that have the keys under this head of the page."""
    rows: list[Any] = [table] if head == "key of `table`" else table["seats"]
    return [one for row in rows for one in row["city"]] if head == "key of a building" else rows


HEADS = ("key of `table`", "key of a seat", "key of a building")
KEYS = [
    (module, head, key)
    for module in MODULES
    for head in HEADS
    for row in sections()[module][head]
    for key in quoted(row[0])
]


def other(value: Any, known: list[Any]) -> Any:
    """Another value, if possible one that there has been."""
    for one in known:
        if type(one) is type(value) and one != value:
            return one
    if isinstance(value, list | tuple):
        return value[1:] or type(value)(["ana"])
    return not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else "ana"


@pytest.mark.parametrize(("module", "head", "key"), KEYS)
def test_every_key_of_the_table_is_rebuilt(module: str, head: str, key: str) -> None:
    known = [row[key] for one in moments(module) for row in tables(one.table, head) if key in row]
    with_it = [one for one in moments(module) if any(key in row for row in tables(one.table, head))]
    without = [
        one for one in moments(module) if any(key not in row for row in tables(one.table, head))
    ]

    def change(file: GameFile) -> None:
        row = next(row for row in tables(file.table, head) if key in row)
        row[key] = other(row[key], known)

    def leave_out(file: GameFile) -> None:
        del next(row for row in tables(file.table, head) if key in row)[key]

    def put_in(file: GameFile) -> None:
        next(row for row in tables(file.table, head) if key not in row)[key] = known[0]

    found(with_it[len(with_it) // 2], change, key)
    for moment, forge in [(with_it[0], leave_out), *((one, put_in) for one in without[:1])]:
        file = cut(moment)
        check_table(file)
        forge(file)
        with pytest.raises(Damaged, match=re.escape(key)):
            check_table(file)


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("key", ["id", "seat", "may"])
def test_every_question_is_rebuilt(module: str, key: str) -> None:
    asked = [
        (moment, at, question)
        for moment in reversed(moments(module))
        for at, question in enumerate(moment.asked)
    ]
    known = [getattr(question, key) for *_, question in asked]
    # The first of each kind, asked alone or before others, and asked after others.
    each_kind = {(DecisionId.parse(one[2].id).kind, one[1] > 0): one for one in asked}
    for moment, at, question in each_kind.values():
        file = cut(moment)
        file.asked[at] = question._replace(**{key: other(getattr(question, key), known)})
        with pytest.raises(Damaged, match=rf"asked.*{key}"):
            check_table(file)


def test_a_number_is_not_the_truth() -> None:
    """A 1 in a file has another hash than a true."""
    moment = moments("sanjuan")[-1]
    file = cut(moment)
    file.table["doubled"] = int(file.table["doubled"])
    with pytest.raises(Damaged, match="doubled"):
        check_table(file)


# Lines


def kinds(module: str) -> dict[tuple[str, int], tuple[Moment, int]]:
    """Every kind of line that an entry can have, and where one is among those of the last entry."""
    there: dict[tuple[str, int], tuple[Moment, int]] = {}
    for moment in moments(module):
        for at, line in enumerate(moment.then):
            words = line.split(" ")
            there.setdefault((words[0], len(words)), (moment, at))
    return there


def altered(module: str, moment: Moment, at: int) -> Iterator[tuple[str, ...]]:
    """The lines of an entry with one of them left out, said twice, in another place, or wrong."""
    then, line = moment.then, moment.then[at]
    before, after = then[:at], then[at + 1 :]
    yield before + after
    yield (*before, line, line, *after)
    if after and after[0] != line:
        yield (*before, after[0], line, *after[1:])
    words = line.split(" ")
    for number, word in enumerate(words):
        # A proof is bound elsewhere; which card somebody began with is told by nothing else.
        proof = words[0] in ("open", "shuffle") and number == len(words) - 1
        if not proof and (words[0], number) != ("lay", 2):
            yield (
                *before,
                " ".join([*words[:number], changed(word), *words[number + 1 :]]),
                *after,
            )


def changed(word: str) -> str:
    """Another word of the same kind."""
    head, dash, number = word.rpartition("-")
    if number.isdigit():
        return f"{head}{dash}{int(number) + 1}"
    others = [name for name in ("ana", "ben", "well", "smithy") if name != word]
    return others[0] if word in ("ana", "ben", "carl", "dora") else others[-1]


@pytest.mark.parametrize("module", MODULES)
def test_every_line_is_rebuilt(module: str) -> None:
    for moment, at in kinds(module).values():
        for then in altered(module, moment, at):
            file = cut(moment)
            file.log[-1].then = then
            with pytest.raises(Damaged):
                check_table(file)


@pytest.mark.parametrize("module", MODULES)
def test_no_line_stands_where_it_does_not_belong(module: str) -> None:
    """Such as points in mid-game, or a card of the pile that is shown for no reason."""
    calm = next(one for one in moments(module)[20:] if one.asked)
    for moment, at in kinds(module).values():
        if moment.file is calm.file:
            file = cut(calm)
            file.log[-1].then = (moment.then[at], *calm.then)
            with pytest.raises(Damaged, match=rf"step {calm.step} |is not the card"):
                check_table(file)


# What is no play of the game


def test_games_that_went_another_way_are_read() -> None:
    """Seats that were drawn for, late answers, a seat that changed hands, and an early end."""
    table = Table(4, "batch", shuffle_seats=True, clock=Clock(3, "bot", 0)).join_all()
    table.play(lambda file: len(file.asked) > 2 and not file.pending)
    table.now += 4 * DAY
    assert len(table.expire()) > 2
    new = key_of("new")
    for signer in (key_of("ana"), new):
        table.apply(player.sign_transfer(table.file, "ana", signer, new.public).armoured)
    assert table.file.log[-1].decision == "0.1.transfer.ana"
    check_table(table.file)
    for text in (table.text, Table(2).text):
        abandoned = end(load(text))
        game = check_table(abandoned)
        assert (game is None) == (abandoned.table == {})
        verify(abandoned, chain.heads(abandoned))


def end(file: GameFile, *lines: str) -> GameFile:
    """The game abandoned, with lines in the entry that have no place there."""
    session = Session.replay(file, opening.deal_secret(file, REFEREE))
    session.abandon()
    session.refresh()
    file.due = {}
    file.log[-1].then = lines
    return load(resigned(file))


@pytest.mark.parametrize("line", ["score ana 9 tie 1", "draw ana deck 0 99-99", "nothing happened"])
def test_an_early_end_has_no_lines(line: str) -> None:
    dealt = Table(2).join_all()
    for text in (dealt.text, dealt.texts[0]):
        file = end(load(text), line)
        with pytest.raises(Damaged, match="has no place there"):
            check_table(file)
        with pytest.raises(Damaged, match="has no place there"):
            verify(file, chain.heads(file))


def test_who_put_cards_away_knows_how_many() -> None:
    """A card that is taken from under a chapel is missed by its owner."""
    file, seat = next(
        (load(text), entry.by)
        for seed in range(MANY)
        for text in Table(2, f"chapel {seed}").join_all().rush(until=80).texts[-1:]
        for entry in load(text).log
        if entry.play.startswith("chapel ")
    )
    key = key_of(seat)
    mine = player.my_seat(file, key.public)
    hand = views.open_hand(file, mine, key)
    assert hand.tucked
    for wrong in (
        hand._replace(tucked=()),
        hand._replace(tucked=(hand.tucked[0]._replace(label="99"),)),
        hand._replace(cards=hand.cards[1:]),
    ):
        with pytest.raises(Damaged, match=rf"{seat} has"):
            check_hand(file, wrong)
