"""The commands in a mail: each public answer as what one types."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from referee.cli.flags import flags_of, shell_join
from referee.games import GAMES, rules_of
from referee.mail import pages
from referee.table import opening, times
from referee.table.gamefile import GameFile
from referee.table.replay import Session
from tests.cli.saying import phrases
from tests.cli.world import story
from tests.games import fullest
from tests.games.test_contract import RULE_SETS
from tests.mail.conftest import Open
from tests.mail.office import NOW, run
from tests.table.tables import REFEREE, Table, key_of, load
from tests.table.test_standing import say

NOON = times.parse_time(NOW)


def flags(play: str, words: object) -> str:
    assert isinstance(words, dict)
    return shell_join(flags_of(play, words))


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_public_answer_is_a_command(name: str) -> None:
    rules = RULE_SETS[name]
    words = {word.name: word for word in rules.words}
    table = Table(2, "commands", rules=rules).join_all()
    session = Session.replay(table.file, opening.deal_secret(table.file, REFEREE))
    checked = 0
    while batch := session.decisions():
        answers = []
        for one in batch:
            view = session.view(one.seat)
            for pattern in one.may:
                said, _ = pages.spelled(pattern, words, flags)
                tokens = shlex.split(said)
                assert all(token[2:] in words for token in tokens if token.startswith("--")), said
                assert "[" not in said
                assert " of " not in said
                if not any(token.split(" ")[0].isupper() for token in tokens):
                    # Nothing is to be filled in, so it can be typed as it stands.
                    view.check(view.read("", phrases(tokens)))
                    checked += 1
            answers.append((one, view.suggest()))
        for one, play in answers:
            session.accept(one.id, one.seat, play, table.file.step, bytes(64))
    assert checked > 20


@pytest.mark.parametrize(
    ("pattern", "said", "note"),
    [
        ("role builder", "--role builder", ""),
        ("pass", "--pass", ""),
        ("sell up to 2 of 1 5 6", "--sell 1 --sell 5", "up to 2 of 1 5 6"),
        ("sell up to 1 of 4", "--sell 4", ""),
        ("produce 6 of 1 2 3 4 5 6", "--play 'produce 1 2 3 4 5 6'", "6 of 1 2 3 4 5 6"),
        ("produce 2 of 1 5 6", "--produce 1 --produce 5", "2 of 1 5 6"),
        ("keep 2 of the 5 cards drawn", "--keep CARD --keep CARD", "2 of the 5 cards drawn"),
        ("discard down to 7 cards", "--discard CARD", "down to 7 cards: once for each"),
        ("discard 2 of the hand", "--discard CARD --discard CARD", "2 of the hand"),
        ("chapel LETTER", "--chapel CARD", ""),
        ("role ROLE no-library", "--role ROLE --no-library", ""),
        ("event governor-visit trader", "--event governor-visit --event trader", ""),
        (
            "build CARD [pay LETTER…] [decline NAME…]",
            "--build CARD",
            "where there is a choice, with --pay CARD, --decline NAME",
        ),
    ],
)
def test_answers_of_san_juan(pattern: str, said: str, note: str) -> None:
    rules = rules_of("sanjuan").choose(None, ["events"], [], {})
    words = {word.name: word for word in rules.words}
    assert pages.spelled(pattern, words, flags) == (said, note)


@pytest.mark.parametrize(
    ("pattern", "said", "note"),
    [
        ("sell any of 1 2", "--sell 1 --sell 2", "any of 1 2"),
        ("work LETTER ana 1 2", "--work 'CARD ana 1'", "or another of 1 2"),
        ("work LETTER ben 7", "--work 'CARD ben 7'", ""),
        ("open LETTER LETTER", "--open CARD --open CARD", ""),
    ],
)
def test_answers_of_xanadu(pattern: str, said: str, note: str) -> None:
    rules = rules_of("xanadu").choose(None, [], [], {})
    words = {word.name: word for word in rules.words}
    assert pages.spelled(pattern, words, flags) == (said, note)


def test_a_command_of_a_mail_works_on_the_attached_file(office: Open) -> None:
    at = office("dealt")
    at.send()
    (text,) = at.texts("ana prompt")
    line = next(line for line in text.splitlines() if "--role trader" in line)
    name = line.split()[2]
    Path("elsewhere").mkdir()
    Path("elsewhere", name).write_bytes(Path("game.toml").read_bytes())
    words = shlex.split(line)[1:]
    words[1] = f"elsewhere/{name}"
    assert run(*words, "--key", "ana.key", "-o", "ana.move").code == 0
    assert at.take(at.mail("ana", Path("ana.move").read_text())).code == 0
    assert at.file.step == 2


@pytest.mark.parametrize("late", ["wait", "bot", "pass"])
def test_when_an_answer_is_due(late: str) -> None:
    terms = times.Clock(7, late, 2, 0)
    rules = rules_of("sanjuan").choose(None, [], [], {})
    file = opening.open_table(
        rules, "x", [(name, key_of(name).public) for name in ("ana", "ben")], REFEREE, clock=terms
    )
    file.due = {"1.1.role.ana": times.parse_time("2026-12-05T09:00:00Z")}
    due, end = "on 2026-12-05 at 09:00 UTC.", "2026-12-07 at 09:00 UTC"
    how = "with a pass" if late == "pass" else "with a medium bot (version 1)"
    early = f"From {end} on the referee may answer for you, {how}."
    told = {
        "2026-12-05T09:00:00Z": ("is", early),
        "2026-12-05T09:00:01Z": ("was", early),
        "2026-12-07T09:00:01Z": (
            "was",
            f"The referee may answer for you now, {how}; until then yours counts.",
        ),
    }
    for now, (word, then) in told.items():
        if late == "wait":
            then = "The others wait for you." if word == "was" else ""
        said = pages.due_line(file, "1.1.role.ana", times.parse_time(now))
        assert said == f"Your answer {word} due {due} {then}".rstrip()
    assert pages.due_line(file, "1.1.role.ben", NOON) == ""


def test_the_topic_of_a_seat() -> None:
    texts = story().texts
    assert [pages.topic_of(load(texts[0]), name) for name in ("ana", "ben")] == ["join", "join"]
    assert pages.topic_of(load(texts[1]), "ana") == "1.1.role.ana"
    assert pages.topic_of(load(texts[1]), "ben") == ""
    assert pages.topic_of(load(texts[-1]), "ben") == "end"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 4])
def test_nothing_is_wider_than_a_mail(game: str, seats: int) -> None:
    """And a command is never broken."""
    rules = fullest(game)
    terms = times.Clock(7, "bot", 2, 14)
    table = Table(seats, "wide", rules=rules, clock=terms).join_all()
    while table.file.asked:
        table.answer(table.file.asked_ids()[0])
        table.rush(until=table.file.step + 9 * seats)
    for text in table.texts:
        file = load(text)
        for seat in file.seats:
            said = pages.page(file, rules, seat.name, flags, now=NOON, reminder=True)
            assert max(map(len, said.splitlines())) <= pages.WIDTH, said
            commands = re.findall("^  sanjuan-ref [a-z]+ ?(.*)$", said, re.MULTILINE)
            name = f"game-{file.game[:8]}-{file.step}.toml"
            assert all(command.startswith(name) for command in commands)


def test_who_has_left_or_votes_is_told_and_what_to_do() -> None:
    rules = rules_of("sanjuan").choose(None, [], [], {})
    table = Table(3, "wide", plans=True).join_all()
    say(table, "carl", "leave")
    say(table, "ben", "end")

    def told(seat: str) -> str:
        said = pages.page(table.file, rules, seat, flags, now=NOON)
        assert max(map(len, said.splitlines())) <= pages.WIDTH, said
        return " ".join(said.split())

    name = pages.file_name(table.file)
    assert pages.topic_of(table.file, "carl") == ""
    assert f"sanjuan-ref leave {name} --back" in told("carl")
    assert "sanjuan-ref vote" not in told("carl")
    assert "sanjuan-ref plan" not in told("carl")
    assert "ben votes for the end of the game, which ends when ana does too" in told("ana")
    assert f"sanjuan-ref vote {name}" in told("ana")
    assert "carl has left, and a medium bot (version 1) answers." in told("ana")
    assert "sanjuan-ref vote" not in told("ben")
    say(table, "ana", "end")
    assert "all seats have agreed to end it before its end" in told("ana")


def test_the_longest_names_fit() -> None:
    rules = rules_of("sanjuan").choose(None, ["new-buildings", "events"], ["draft-start"], {})
    names = [f"{'abcd'[at]}{'x' * 15}" for at in range(4)]
    seats = [(name, key_of(name).public) for name in names]
    terms = times.Clock(30, "bot", 10, 90)
    file = opening.open_table(rules, "W" * 40, seats, REFEREE, clock=terms)
    said = pages.page(file, rules, names[0], flags, "Come! " * 50, now=NOON)
    assert max(map(len, said.splitlines())) <= pages.WIDTH, said


def opened(*, reserved: bool) -> GameFile:
    rules = rules_of("sanjuan").choose(None, [], [], {})
    seats = [(name, key_of(name).public if reserved else None) for name in ("ana", "ben")]
    return opening.open_table(rules, "A test", seats, REFEREE)


def test_who_has_a_key_is_not_told_to_make_one() -> None:
    rules = rules_of("sanjuan").choose(None, [], [], {})
    kept = " ".join(pages.page(opened(reserved=True), rules, "ana", flags, now=NOON).split())
    free = " ".join(pages.page(opened(reserved=False), rules, "ana", flags, now=NOON).split())
    assert f"The seat is kept for the key {key_of('ana').public.fingerprint}." in kept
    assert "key --make" not in kept
    assert "If you have no key yet, `sanjuan-ref key --make` makes one that it finds." in free
    for said in (kept, free):
        assert "If it is elsewhere, add --key FILE, here and with each answer." in said
        assert "just reply to this mail" in said


@pytest.mark.parametrize("state", ["dealt", "building", "keeping", "selling", "tidying", "xanadu"])
def test_what_an_inbox_shows(office: Open, state: str) -> None:
    """The question comes first, then how to answer it, however many answers there are."""
    at = office(state)
    at.send()
    (seat, *_) = [one.seat for one in at.file.asked]
    (text,) = at.texts(f"{seat} prompt")
    lines = text.splitlines()
    assert re.match(rf"Your turn, {seat}(: [a-z ,:]+)?\.", lines[0])
    assert lines[2].startswith("Save the attached file. ")
    (mail,) = [mail for name, mail in at.mails().items() if name.startswith(seat)]
    assert mail["Subject"] == f"Your turn: A test ({seat}, {at.file.game[:8]})"
    asked, told = text.split("\nWhat happened ")
    assert "sanjuan-ref show game-" in asked
    assert "sanjuan-ref move game-" in asked
    said = " ".join(asked.split())
    assert "just reply to this mail, with the note attached or pasted into the text." in said
    assert "If you joined with --key FILE, add that to both commands." in said
    assert "sanjuan-ref" not in told
    assert text.index("\nThe table\n") < text.index("\nThe game\n")


def test_a_result_begins_with_who_has_won(office: Open) -> None:
    at = office("ending")
    (seat,) = {one.seat for one in at.file.asked}
    at.take(at.mail(seat, at.note(seat)))
    (other,) = {"ana", "ben"} - {seat}
    (text,) = at.texts(f"{other} end")
    assert re.match(r"The game is over: (ana|ben) wins with \d+ points\.\n\n  ana +\d+: ", text)
    subjects = {mail["Subject"].partition(": A test")[0] for mail in at.mails().values()}
    assert subjects == {"Game over", "Re: Game over"}


def test_a_mail_tells_what_took_effect_together_with_the_own_answer() -> None:
    rules = rules_of("sanjuan").choose(None, [], [], {})
    file = next(file for file in map(load, story().texts) if file.step == 7)
    assert "   6  ben keeps 1 card\n   7  ana keeps 1 card" in pages.page(
        file, rules, "ana", flags, now=NOON
    )


def test_who_is_not_asked_is_told_how_to_see_the_hand() -> None:
    table = Table(2, "waiting").join_all()
    (asked,) = table.file.asked
    other = next(seat.name for seat in table.file.seats if seat.name != asked.seat)
    rules = rules_of("sanjuan").choose(None, [], [], {})
    said = " ".join(pages.page(table.file, rules, other, flags, now=NOON).split())
    assert said.startswith("It is not your turn; the game waits for ")
    assert f"use `sanjuan-ref show {pages.file_name(table.file)}`." in said


def test_the_app_is_named_to_whoever_has_something_to_do() -> None:
    address = "https://players.example/app/"
    rules = rules_of("sanjuan").choose(None, (), (), {})
    table = Table(2, "app", rules=rules).join_all()
    first = table.file.asked[0].seat
    for seat in table.file.seating:
        said = pages.page(table.file, rules, seat, flags, now=NOON, app=address)
        assert (f"\n  {address}\n" in said) == (seat == first)
        assert address not in pages.page(table.file, rules, seat, flags, now=NOON)
