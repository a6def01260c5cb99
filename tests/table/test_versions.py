"""A game is played on under the version of the rules under which it began, or not at all."""

from __future__ import annotations

import re
import tomllib

import pytest

from referee.checking.audit import audit
from referee.checking.compare import compare
from referee.checking.verify import verify
from referee.errors import BadSignature, Damaged, Newer, OtherRules
from referee.games import GAMES, rules_of
from referee.games.errors import OtherVersion
from referee.games.sanjuan import cards
from referee.games.sanjuan import rules as sanjuan_rules
from referee.games.sanjuan.rules import SanJuanRules
from referee.playing import player
from referee.table import opening, views
from referee.table.chain import first_head, heads
from referee.table.filetext import parse, render
from referee.table.replay import Session
from referee.table.rules import rules_for
from referee.table.times import DAY, Clock
from tests.table.tables import REFEREE, Table, key_of, laid_out, load
from tests.table.versions import FiveCards, have, second


def hand_sizes(table: Table) -> list[int]:
    return [row["hand"] for row in table.file.table["seats"]]


def test_a_program_that_has_both_versions_plays_each_game_under_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = Table(2, "old").join_all()
    have(monkeypatch, SanJuanRules, FiveCards)
    assert rules_of("sanjuan") is FiveCards
    new = Table(2, "new").join_all()
    assert (old.file.version, new.file.version) == (1, 2)
    assert (hand_sizes(old), hand_sizes(new)) == ([4, 4], [5, 5])
    for table in (old, new):
        table.rush()
        assert audit(table.file, heads(table.file))[-1].startswith("the scores are right")


def test_the_version_and_the_bot_are_part_of_head_0(monkeypatch: pytest.MonkeyPatch) -> None:
    have(monkeypatch, SanJuanRules, FiveCards)
    file = Table(2, "head").file
    assert tomllib.loads(render(file))["game"]["rules"] == 2
    assert tomllib.loads(render(file))["game"]["bot"] == "greedy-1"
    found = {first_head(file)}
    for key, value in (("version", 1), ("bot", "greedy-2")):
        other = Table(2, "head").file
        setattr(other, key, value)
        found.add(first_head(other))
    assert len(found) == 3


@pytest.mark.parametrize(
    ("had", "lacks", "advice"),
    [(SanJuanRules, FiveCards, "update"), (FiveCards, SanJuanRules, "older")],
    ids=["older program", "newer program"],
)
def test_a_program_without_that_version_says_so_and_blames_nobody(
    had: type[SanJuanRules],
    lacks: type[SanJuanRules],
    advice: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    have(monkeypatch, lacks)
    table = Table(2, "one")
    opened = table.file
    assert not any("is not known" in line for line in verify(opened, heads(opened)))
    table.join_all()
    note = table.note(table.file.asked_ids()[0], "role prospector")
    running = table.text
    file = table.rush().file
    have(monkeypatch, had)
    secret = opening.deal_secret(file, REFEREE)
    for attempt in (
        lambda: rules_for(file),
        lambda: audit(file, heads(file)),
        lambda: Session.replay(file, secret),
        lambda: Table.apply(table, note),
        lambda: table.view("ana"),
    ):
        with pytest.raises(OtherRules) as error:
            attempt()
        assert (error.value.exit_code, error.value.reason) == (16, "other-rules")
        assert f"version {lacks.version} of the rules of San Juan" in error.value.message
        assert f"has version {had.version}" in error.value.message
        assert advice in error.value.hint
    # A referee who writes another version into a running game is not excused by it.
    version, file.version = file.version, 99
    file.head = heads(file)[-1]
    with pytest.raises(BadSignature, match="join does not match this file"):
        rules_for(file)
    file.version = version
    # What needs no rules goes on.
    done = verify(file, heads(file))
    assert any("signed by their seats" in line for line in done)
    assert f"is not known: this game is played under version {lacks.version}" in done[-1]
    done = verify(opened, heads(opened))
    assert f"is not known: this game is played under version {lacks.version}" in done[-1]
    before = load(running)
    assert compare(before, heads(before), file, heads(file)).relation == "newer"


def test_a_changed_ruling_of_one_number_would_call_an_honest_game_forged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """This is why the number goes up."""
    file = Table(2, "old").join_all().rush().file
    monkeypatch.setattr(FiveCards, "version", 1)
    have(monkeypatch, FiveCards)
    with pytest.raises(Damaged, match=r"step 1 .* where .* belongs") as error:
        audit(file, heads(file))
    assert error.value.reason == "damaged"


def test_hands_are_compared_as_far_as_that_needs_no_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    have(monkeypatch, SanJuanRules, FiveCards)
    table = second()
    before, name = table.file, table.file.seating[0]
    table.answer(table.file.asked_ids()[0])
    after = table.file
    have(monkeypatch, SanJuanRules)
    hands = {}
    for file in (before, after):
        mine = player.my_seat(file, key_of(name).public)
        hands[file.step] = views.open_hand(file, mine, key_of(name))
    done = compare(before, heads(before), after, heads(after), hands).done
    assert "holds nothing but what it held" in done[-1]
    assert "version 2" in done[-1]


def test_other_card_data_are_other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    file = Table(2, "cards").join_all().rush().file
    monkeypatch.setitem(cards._BASE, "well", (3, 1, 2))
    monkeypatch.setattr(sanjuan_rules, "cards_of", cards.Cards)
    with pytest.raises(OtherRules, match="other card data"):
        audit(file, heads(file))


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("edition", "2031", "no edition '2031'"),
        ("expansions", ["ships"], "no expansion 'ships'"),
        ("variants", ["duel"], "no variant 'duel'"),
        ("options", {"round_limit": "100", "tempo": "fast"}, "no option 'tempo'"),
        ("house-rules", ["none"], "other terms"),
    ],
)
def test_terms_that_this_program_does_not_have_are_other_rules(
    key: str, value: object, says: str
) -> None:
    file = Table(2, "terms").file
    file.terms[key] = value
    with pytest.raises(OtherRules, match=says):
        rules_for(file)


def test_terms_that_are_none_are_damage() -> None:
    file = Table(2, "terms").file
    file.terms["edition"] = 7
    with pytest.raises(Damaged) as error:
        rules_for(file)
    assert error.value.reason == "damaged"


def test_a_game_that_this_program_does_not_have() -> None:
    file = Table(2, "module").file
    file.rules_module = "puerto-rico"
    with pytest.raises(OtherRules, match="does not have the game 'puerto-rico'") as error:
        rules_for(file)
    assert "sanjuan, xanadu" in error.value.hint


def test_late_answers_of_another_bot_are_no_forgery(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(2, "bot", clock=Clock(3, "bot", 1, 28)).join_all()
    table.now += 30 * DAY
    assert table.expire()
    file = table.file
    monkeypatch.setattr(SanJuanRules, "bot", "greedy-2")
    with pytest.raises(OtherRules, match="the bot greedy-1, which this sanjuan-ref does not"):
        audit(file, heads(file), opening.deal_secret(file, REFEREE))
    # Notes are judged all the same.
    assert not table.answer(table.file.asked_ids()[0])[0].error


def test_every_module_numbers_its_versions() -> None:
    for module in GAMES:
        newest = rules_of(module)
        assert rules_of(module, newest.version) is newest
        with pytest.raises(OtherVersion):
            rules_of(module, newest.version + 1)


FUTURE = {
    "format": lambda body: body.update(format="sanjuan-ref/2"),
    "a later format": lambda body: body.update(format="sanjuan-ref/17", step=1.5),
    "game.hints": lambda body: body["game"].update(hints=True),
}


@pytest.mark.parametrize("what", FUTURE)
def test_a_file_of_a_later_version_is_not_called_damaged(what: str) -> None:

    table = Table(2, "future").join_all().play(lambda file: bool(file.pending))
    body = tomllib.loads(table.text)
    FUTURE[what](body)
    with pytest.raises(Newer, match="was written by a newer sanjuan-ref") as error:
        parse(laid_out(body).encode())
    assert (error.value.exit_code, error.value.hint) == (16, "update sanjuan-ref")


@pytest.mark.parametrize("format_", ["sanjuan-ref/0", "sanjuan-ref/x", "sanjuan-ref/", "age/2"])
def test_what_is_no_later_format_is_no_game_file(format_: str) -> None:
    text = Table(2, "future").text.replace('format = "sanjuan-ref/1"', f'format = "{format_}"')
    with pytest.raises(Damaged, match="this is not a game file") as error:
        parse(text.encode())
    assert error.value.reason == "damaged"


def test_a_file_from_before_there_were_versions() -> None:
    text = re.sub(r"^rules = 1\n", "", Table(2, "past").text, flags=re.MULTILINE)
    with pytest.raises(Damaged, match="the version of the rules, is missing"):
        parse(text.encode())
