"""`play` as somebody at a terminal goes through it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee.cli.asking import Menu, guided, wanted_help
from referee.cli.main import main
from referee.games import GAMES, rules_of
from referee.games.flat import FlatView
from referee.games.match import Match
from referee.games.values import MAX_LISTED_PLAYS, Choice
from referee.render.text import overview, prompt, terminal
from referee.table.clock import owed_decisions
from referee.table.filetext import parse
from tests.cli.test_terminal import typed
from tests.cli.world import KEYS, STATES, lay_out, story
from tests.games.sanjuan.readings import view as seen
from tests.table.tables import load

ASKED = "q to leave: "
SIGN = "q leaves: "
WORDS = ["play", "game.toml", "--key", "ana.key", "-o", "ana.move"]


@pytest.fixture(autouse=True)
def no_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    lay_out(tmp_path, "building")
    return tmp_path


def test_a_build_from_menus(place: Path) -> None:
    said = typed(place, WORDS, (ASKED, "4"), (ASKED, "1"), (SIGN, ""), NO_COLOR="1")
    assert "Round 1: ana is the builder" in said
    assert said.count("Your turn, ana: build (1.1.build.ana). What do you play?") == 1
    assert "4  build chapel pay ..." in said
    assert "for 2, leaves 1 card" in said
    assert "sanjuan-ref move game.toml --build chapel --pay a --pay b --key ana.key" in said
    assert said.endswith("[0]")
    assert "\nplay build chapel pay a b\n" in (place / "ana.move").read_text()


def test_the_command_that_is_shown_does_the_same(place: Path) -> None:
    said = typed(place, WORDS, (ASKED, "chapel"), (ASKED, "quarry smithy"), (SIGN, "y"))
    # It goes on after a backslash where a line is too short for it.
    command = re.findall(r"sanjuan-ref (move (?:.* \\\n +)*.*)", said)[0].replace("\\", "").split()
    note = (place / "ana.move").read_text()
    (place / "ana.move").unlink()
    assert typed(place, command).endswith("[0]")
    assert (place / "ana.move").read_text() == note


def test_keys_go_through_the_answers_and_complete(place: Path) -> None:
    up, down, tab = "\x1b[A", "\x1b[B", "\t"
    typed(place, WORDS, (ASKED, up + up + up + down), (SIGN, ""))
    assert "\nplay build coffee-roaster pay a b d\n" in (place / "ana.move").read_text()
    # Whose answer lies there is not asked again.
    (place / "ana.move").unlink()
    typed(place, WORDS, (ASKED, f"cha{tab}"), (ASKED, f"smi{tab}qua{tab}"), (SIGN, ""))
    assert "\nplay build chapel pay a b\n" in (place / "ana.move").read_text()


def test_help_slips_and_second_thoughts(place: Path) -> None:
    said = typed(
        place,
        WORDS,
        (ASKED, "?"),
        (ASKED, "? crane"),
        (ASKED, "? d"),
        (ASKED, "? dance"),
        (ASKED, "? Trad"),
        (ASKED, "? library"),
        (ASKED, "99"),
        (ASKED, ""),
        (ASKED, "dance"),
        (ASKED, "2"),
        (SIGN, "n"),
        (ASKED, "pass"),
        (SIGN, ""),
        NO_COLOR="1",
    )
    assert "crane (cost 2, points 1): Builder:" in said
    assert said.count("chapel (cost 3, points 2)") == 2
    assert "there is no card 'dance'" in said
    assert "rules on one of these: course, builder, producer, trader," in said
    assert "\nTrader\n  - " in said
    # A card comes before a topic of its name.
    assert "library (cost" in said
    assert "\nLibrary\n" not in said
    assert "the numbers go from 1 to 5" in said
    assert "\nplay pass\n" in (place / "ana.move").read_text()


@pytest.mark.parametrize("answers", [["q"], ["\x04"], ["2", "q"], ["2", "\x04"]])
def test_leaving_signs_nothing(place: Path, answers: list[str]) -> None:
    prompts = [ASKED, SIGN]
    said = typed(place, WORDS, *zip(prompts, answers, strict=False))
    assert "This question stays open." in said
    assert said.endswith("[1]")
    assert not (place / "ana.move").exists()


def test_who_is_not_asked_is_told_so(place: Path) -> None:
    said = typed(place, ["play", "game.toml", "--key", "ben.key"])
    assert "It is not your turn; the game waits for " in said
    assert said.endswith("[0]")


def test_without_a_terminal_it_says_what_to_do(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    assert main(["play", "game.toml", "--key", "ana.key"]) == 2
    assert "hint: elsewhere, use `show` and then `move`" in capsys.readouterr().err


def test_a_whole_game_through_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The referee's key lies here, so each answer is applied at once; numbers are all one needs."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    # The same game each time: one in which the first line always leads on.
    monkeypatch.setattr("os.urandom", lambda size: (b"Z" if size == 8 else b"\x03") * size)
    for name in ("ana", "ben", "referee"):
        KEYS[name].save(tmp_path / f"{name}.key")
    host = ["--referee-key", "referee.key"]
    short = ["--option", "round_limit=3"]
    assert main(["new", "game.toml", "--seat", "ana", "--seat", "ben", *short, *host]) == 0
    for name in ("ana", "ben"):
        note = ["--seat", name, "--key", f"{name}.key", "-o", f"{name}.join"]
        assert main(["join", "game.toml", *note]) == 0
        assert main(["apply", "game.toml", f"{name}.join", *host]) == 0
    game = tmp_path / "game.toml"
    turns = 0
    while (file := load(game.read_text())).status == "playing":
        arrived = {one.decision for one in file.pending}
        seat = next(one.seat for one in file.asked if one.id not in arrived)
        before = game.read_bytes()
        # The first line of every menu, until something is complete; then it is signed.
        said = walked(tmp_path, seat)
        assert "error" not in said
        assert game.read_bytes() != before
        turns += 1
        assert turns < 60
        assert said.endswith("\nSend game.toml to everybody.\n[0]")
    assert main(["audit", "game.toml"]) == 0
    assert parse(game.read_bytes())[0].table["round"] == 3


def test_who_leaves_after_an_answer_is_told_what_to_send(tmp_path: Path) -> None:
    """After the role comes the build, which is asked for at once."""
    lay_out(tmp_path, "dealt")
    words = ["play", "game.toml", "--key", "ana.key", "--referee-key", "referee.key"]
    said = typed(tmp_path, words, (ASKED, "role builder"), (SIGN, ""), (ASKED, "q"))
    assert said.endswith("This question stays open.\n\nSend game.toml to everybody.\n[1]")
    # Nothing is new that could be sent.
    assert "Send" not in typed(tmp_path, words, (ASKED, "q"))


def walked(place: Path, seat: str) -> str:
    """Everything that `play` asks of a seat, answered with the first line there is."""
    answers: list[tuple[str, str]] = []
    words = ["play", "game.toml", "--key", f"{seat}.key", "--referee-key", "referee.key"]
    return typed(
        place, words, *answers, otherwise={ASKED: "1", SIGN: "", "cards? ": "a", "card? ": "a"}
    )


def test_what_is_no_answer_signs_nothing(place: Path) -> None:
    said = typed(place, WORDS, (ASKED, "2"), (SIGN, "perhaps"), (SIGN, "q"))
    assert "there is no card 'perhaps'" in said
    assert not (place / "ana.move").exists()


def test_another_answer_in_place_of_enter_is_a_new_choice(place: Path) -> None:
    said = typed(place, WORDS, (ASKED, "2"), (SIGN, "4"), (ASKED, "1"), (SIGN, "2"), (SIGN, ""))
    assert said.count("What do you play?") == 1
    assert "\nplay build chapel pay a c\n" in (place / "ana.move").read_text()


def test_a_number_that_is_no_line_may_be_a_plot(tmp_path: Path) -> None:
    lay_out(tmp_path, "selling")
    said = typed(
        tmp_path, WORDS, (ASKED, "9"), (ASKED, "1 3"), (SIGN, "n"), (ASKED, "3"), (SIGN, "q")
    )
    assert "you have no building on that plot" in said
    assert said.count("sell 1 3") > 1


def test_a_worker_is_asked_for(tmp_path: Path) -> None:
    lay_out(tmp_path, "xanadu")
    said = typed(tmp_path, WORDS, (ASKED, "q"), NO_COLOR="1")
    number, what = re.findall(r"^ +(\d+)  work \.\.\. (ana 2)", said, re.MULTILINE)[0]
    chosen = typed(tmp_path, WORDS, (ASKED, number), (ASKED, "7"), (ASKED, "d"), (SIGN, ""))
    assert f"work d {what}" in chosen
    assert re.search(rf"\n +1 .*work e {what} +.*work with paper-money-mint", chosen)
    (tmp_path / "ana.move").unlink()
    left = typed(tmp_path, WORDS, (ASKED, number), (ASKED, "q"))
    assert left.endswith("This question stays open.\n[1]")


SELL = "sell: which plots (Enter for none)? "
WORK = "work: which card, seat, plot (or lines 13 to 18 above, Enter for none)? "
FURTHER = "build: which card (Enter for none)? "
WHOLE = [(SELL, ""), (WORK, "d ben 1 e ana 3")]


@pytest.fixture
def xanadu(tmp_path: Path) -> Path:
    lay_out(tmp_path, "xanadu")
    return tmp_path


def test_what_a_line_leaves_open_may_be_left_out(xanadu: Path) -> None:
    typed(xanadu, WORDS, (ASKED, "12"), *WHOLE, (FURTHER, "wheelwright"), (SIGN, ""))
    play = "work d ben 1 work e ana 3 build wheelwright"
    assert f"\nplay {play}\n" in (xanadu / "ana.move").read_text()


def test_numbers_of_the_menu_say_where_workers_go(xanadu: Path) -> None:
    where = [
        ("ben 1: which card? ", "?"),
        ("ben 1: which card? ", "d"),
        ("ana 3: which card? ", "e"),
    ]
    # Of all other lines it is said that they are about something else.
    work = [(WORK, "3"), (WORK, "17 15")]
    answers = [WHOLE[0], *work, *where, (FURTHER, "wheelwright"), (SIGN, "")]
    said = typed(xanadu, WORDS, (ASKED, "12"), *answers)
    assert "of the lines above, 13 to 18 are about this" in said
    play = "work d ben 1 work e ana 3 build wheelwright"
    assert f"\nplay {play}\n" in (xanadu / "ana.move").read_text()


def test_what_a_line_leaves_open_is_checked_as_it_is_typed(xanadu: Path) -> None:
    said = typed(
        xanadu,
        WORDS,
        (ASKED, "12"),
        (SELL, "7"),
        (SELL, "? dragon-throne"),
        WHOLE[0],
        (WORK, "c"),
        (WORK, "d ana 9"),
        WHOLE[1],
        (FURTHER, "palace"),
        (FURTHER, "n"),
        (ASKED, "1"),
        (SIGN, "q"),
        NO_COLOR="1",
    )
    assert "error: you have no building on plot 7" in said
    assert "dragon-throne: " in said
    assert "error: work c on which building?" in said
    assert "error: you have no building on plot 9" in said
    assert "there is no card 'palace'" in said
    assert said.count("What do you play?") == 2


def test_one_goes_back_from_what_is_asked_further(place: Path) -> None:
    said = typed(place, WORDS, (ASKED, "4"), (ASKED, "n"), (ASKED, "pass"), (SIGN, ""))
    assert said.count("What do you play?") == 2
    assert "\nplay pass\n" in (place / "ana.move").read_text()


@pytest.mark.parametrize(
    ("cards", "answers", "play"),
    [
        (["crane"], ["build well", "n"], "build well pay n"),
        ([], ["build well", "n", "pass"], "pass"),
    ],
    ids=["fourteen", "thirteen"],
)
def test_n_is_the_fourteenth_card_for_whoever_has_so_many(
    monkeypatch: pytest.MonkeyPatch, cards: list[str], answers: list[str], play: str
) -> None:
    hand = ["well"] * 3 + ["statue"] * 3 + ["indigo-plant"] * 7 + cards
    view = seen({"phase": "builder", "seats": [{"name": "ana", "hand": hand}, {"name": "ben"}]})
    said = iter(answers)
    monkeypatch.setattr(prompt, "ask_among", lambda *_: next(said))
    words = {word.name: word for word in rules_of("sanjuan").words}
    assert guided(view, words, "What do you play?", lambda _: None)[0] == play
    assert not list(said)


def test_a_build_over_the_one_building_that_makes_it_cheap_enough_is_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither which plot it is is left to guess, nor is a payment asked for that is none."""
    city = ["indigo-plant", "crane", "tobacco-storage"]
    ana = {"name": "ana", "hand": ["coffee-roaster", "quarry"], "city": city}
    view = seen({"phase": "builder", "seats": [ana, {"name": "ben"}]})
    lines = [choice.play for choice in view.choices()]
    chosen = next(str(at) for at, play in enumerate(lines, 1) if " over " in play)
    said = iter([chosen, "1"])
    monkeypatch.setattr(prompt, "ask_among", lambda *_: next(said))
    words = {word.name: word for word in rules_of("sanjuan").words}
    play, left = guided(view, words, "What do you play?", lambda _: None)
    assert " over " in play
    assert left is not None
    assert all(" over " in choice.play for choice in left.choices)
    assert not list(said)


def test_the_plots_that_may_be_built_over_are_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    city = ["indigo-plant", "crane", "tobacco-storage", "well"]
    hand = ["coffee-roaster", "quarry", "palace", "statue", "tower"]
    ana = {"name": "ana", "hand": hand, "city": city}
    view = seen({"phase": "builder", "seats": [ana, {"name": "ben"}]})
    lines = [choice.play for choice in view.choices()]
    chosen = str(1 + lines.index("build statue over PLOT pay LETTER…"))
    said, answered = iter([chosen, "1"]), iter(["2", "1", ""])
    monkeypatch.setattr(prompt, "ask_among", lambda *_: next(said))
    monkeypatch.setattr(prompt, "ask", lambda _: next(answered))
    words = {word.name: word for word in rules_of("sanjuan").words}
    play, _ = guided(view, words, "What do you play?", lambda _: None)
    assert play.startswith("build statue over 1 pay ")
    told = " ".join(capsys.readouterr().err.split())
    assert told.count("1 indigo-plant, 3 tobacco-storage, 4 well") == 2


def test_a_play_is_typed_as_it_was_shown(place: Path) -> None:
    """With the names of its cards behind it, and in place of the Enter that signs as well."""
    shown = "build quarry pay a c d  (smithy, coffee-roaster, chapel)"
    said = typed(
        place, WORDS, (ASKED, "? hint"), (ASKED, shown), (SIGN, "pass"), (SIGN, shown), (SIGN, "")
    )
    assert "error:" not in said
    assert "\nplay build quarry pay a c d\n" in (place / "ana.move").read_text()


@pytest.mark.parametrize("module", GAMES)
def test_a_hint_is_taken_in_every_menu(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was printed: at the first menu, and where a part of a play is asked for."""
    rules = rules_of(module).choose(None, [], [], {})
    words = {word.name: word for word in rules.words}
    match, asked = Match.deal(rules, ["ana", "ben"], "menus"), 0
    for _ in range(40):
        decision = match.game.decisions()[0]
        view = match.view(decision.seat)
        play = view.suggest()
        shown = f"{play}  (some, cards)"
        told: list[str] = [shown]
        monkeypatch.setattr(prompt, "ask_among", lambda *_, told=told: told.pop())
        assert guided(view, words, "", lambda _: None) == (play, None)
        for number, choice in enumerate(view.choices(), 1):
            if " " in choice.play and not choice.exact:
                further = [shown]
                monkeypatch.setattr(prompt, "ask", lambda _, said=further: said.pop())
                told.extend([shown, str(number)])
                assert guided(view, words, "", lambda _: None)[0] == play
                asked += 1
        match.game.take(decision.id, play, [card.letter for card in view.hand])
    assert asked > 10


@pytest.mark.parametrize("command", ["play", "move"])
def test_a_play_that_is_only_tried_is_not_said_to_be_signed(place: Path, command: str) -> None:
    said = typed(place, [command, *WORDS[1:], "--dry-run"], (ASKED, "pass"), (SIGN, ""))
    assert "Enter only tries it, n goes back, q leaves: " in said
    assert "Enter signs" not in said
    assert "Nothing was written or sent." in " ".join(said.split())


def test_another_answer_than_those_that_sign_is_told(place: Path) -> None:
    """A line of the last menu, or other words, change the play all the same."""
    said = typed(
        place,
        WORDS,
        (ASKED, "chapel"),
        (ASKED, "a b"),
        *[(SIGN, wrong) for wrong in ("9", "x", "? chapel", "help", "hint")],
        (SIGN, "2"),
        (SIGN, "a b"),
        (SIGN, "pass"),
        (SIGN, "q"),
        NO_COLOR="1",
    )
    assert said.count("hint: Enter signs it, n goes back, q leaves") == 2
    assert "error: you hold no card x" in said
    assert "chapel (cost 3" in said
    assert said.count("A number takes that line") == 1
    assert said.count("A hard bot would play: ") == 1
    assert said.count("build chapel pay a b  (") == 2
    assert said.count("build chapel pay a c  (") == 1
    assert said.endswith("This question stays open.\n[1]")


def test_a_word_for_help_is_no_card_and_a_card_is_no_word_for_help() -> None:
    assert wanted_help("Hint", ["smithy"]) == "hint"
    assert wanted_help("hint", ["hinterland"]) is None
    assert wanted_help("? hint", ["hinterland"]) == "hint"


def test_a_card_alone_is_built_not_paid_with(place: Path) -> None:
    """Even where there is but one card that can be built, so that only its payment is open."""
    text = next(text for text in story().texts if load(text).step == 24)
    (place / "game.toml").write_text(text)
    said = typed(place, WORDS, (ASKED, "triumphal-arch"), (ASKED, "q"), NO_COLOR="1")
    assert "error: triumphal-arch costs" in said


def test_the_only_legal_play_is_not_asked_for(place: Path) -> None:
    text = next(text for text in story().texts if load(text).step == STATES["passing"])
    (place / "game.toml").write_text(text)
    words = ["move", "game.toml", "--key", "ben.key", "-o", "ben.move"]
    said = typed(place, words, NO_COLOR="1")
    assert "note: no other answer is legal, so this plays `pass`" in said
    assert said.endswith("[0]")
    assert "\nplay pass\n" in (place / "ben.move").read_text()


def waiting(monkeypatch: pytest.MonkeyPatch, *looks: Callable[[], object]) -> list[float]:
    """Let things happen, one at each look of `play --wait`, and then an interrupt; the pauses."""
    left, pauses = list(looks), []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if not left:
            raise KeyboardInterrupt
        left.pop(0)()

    monkeypatch.setattr("referee.cli.waiting.sleep", sleep)
    monkeypatch.setattr(terminal, "asks", lambda: True)
    return pauses


def answers(monkeypatch: pytest.MonkeyPatch, *said: str) -> list[str]:
    left = list(said)
    monkeypatch.setattr(prompt, "ask_among", lambda *_: left.pop(0))
    monkeypatch.setattr(prompt, "ask", lambda *_: "")
    return left


def next_question(after: int) -> str:
    """Return the first file of the story after a step in which ana owes an answer."""
    return next(
        text
        for text in story().texts
        if (file := load(text)).step > after
        and any(one.endswith(".ana") for one in owed_decisions(file))
    )


def test_waiting_asks_again_and_ends_with_the_game(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game, texts = place / "game.toml", story().texts
    monkeypatch.chdir(place)
    waiting(
        monkeypatch,
        lambda: None,
        lambda: game.write_text(game.read_text()[:500]),
        lambda: game.write_text(next_question(3)),
        lambda: game.write_text(texts[-1]),
    )
    left = answers(monkeypatch, "pass", "1")
    assert main(["play", "game.toml", "--key", "ana.key", "-o", "ana.move", "--wait"]) == 0
    said = capsys.readouterr()
    assert not left
    assert said.out.count("Waiting for your next question; Ctrl-C ends it.") == 2
    assert said.err.count("it is tried again") == 1
    assert "ana wins with 41 points" in said.out


@pytest.mark.parametrize("wait", [[], ["--wait"]], ids=["once", "waiting"])
@pytest.mark.parametrize("asks", [True, False], ids=["asked-again", "not-asked"])
def test_what_is_over_by_the_time_of_the_answer_is_not_signed(
    place: Path,
    asks: bool,
    wait: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    game, texts = place / "game.toml", story().texts
    other = next_question(3) if asks else next(text for text in texts if load(text).step == 4)

    def elsewhere(_: str) -> str:
        game.write_text(other)
        return ""

    monkeypatch.chdir(place)
    pauses = waiting(monkeypatch)
    left = answers(monkeypatch, "pass", *["q"] * asks)
    monkeypatch.setattr(prompt, "ask", elsewhere)
    code = main(["play", "game.toml", "--key", "ana.key", "-o", "ana.move", *wait])
    said = capsys.readouterr()
    assert code == asks
    assert not left
    assert "note: 1.1.build.ana is over: the game has gone on while you were asked" in said.err
    assert "error" not in said.err
    assert not (place / "ana.move").exists()
    assert len(pauses) == (bool(wait) and not asks)
    assert overview.state_line(load(other)) in said.out


def test_a_menu_of_move_asks_for_nothing_that_is_over(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def elsewhere(_: str) -> str:
        (place / "game.toml").write_text(story().texts[-1])
        return ""

    monkeypatch.chdir(place)
    monkeypatch.setattr(terminal, "asks", lambda: True)
    answers(monkeypatch, "pass")
    monkeypatch.setattr(prompt, "ask", elsewhere)
    assert main(["move", "game.toml", "--key", "ana.key", "-o", "ana.move"]) == 11
    assert "`sanjuan-ref show game.toml` says what is asked now" in capsys.readouterr().err
    assert not (place / "ana.move").exists()


def test_what_was_typed_while_it_waited_answers_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys: list[str] = []

    def go_on() -> None:
        (place / "game.toml").write_text(next_question(3))
        # As the terminal keeps them for whoever reads next.
        keys.extend(["1", ""])

    monkeypatch.chdir(place)
    waiting(monkeypatch, go_on)
    monkeypatch.setattr("referee.cli.guide.forget_typed", keys.clear)
    left = ["pass", "q"]
    monkeypatch.setattr(prompt, "ask_among", lambda *_: (keys or left).pop(0))
    monkeypatch.setattr(prompt, "ask", lambda *_: keys.pop(0) if keys else "")
    assert main(["play", "game.toml", "--key", "ana.key", "-o", "ana.move", "--wait"]) == 1
    assert not left
    assert "\nplay pass\n" in (place / "ana.move").read_text()


def test_waiting_ends_when_it_is_interrupted(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    pauses = waiting(monkeypatch)
    words = ["play", "game.toml", "--key", "ben.key", "-o", "ben.move", "--wait", "--every", "7"]
    assert main(words) == 0
    assert pauses == [7]
    assert "error" not in capsys.readouterr().err


def test_a_maildir_is_read_again_and_a_remote_asked_less_often(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mails = place / "mails"
    for name in ("new", "cur", "tmp"):
        (mails / name).mkdir(parents=True)
    (mails / "new" / "1").write_text((place / "game.toml").read_text())
    monkeypatch.chdir(place)
    nothing = [lambda: None] * 40
    pauses = waiting(
        monkeypatch, *nothing, lambda: (mails / "new" / "2").write_text(story().texts[-1])
    )
    assert main(["play", "mails", "--key", "ben.key", "--wait", "--every", "60"]) == 0
    assert len(pauses) == 41
    assert pauses[0] == 60
    assert pauses == sorted(pauses)
    assert 100 < pauses[-1] <= 600


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        ((2,), "15 ways, too many to list: name 2 cards, such as e f (e1, f1)"),
        ((1, 2), "21 ways, too many to list: name 1 to 2 cards, such as e f (e1, f1)"),
        ((0, 1, 2), "22 ways, too many to list: name 0 to 2 cards, such as e f (e1, f1)"),
        ((2, 3, 4), "at least 50 ways, too many to list: name cards, such as c d e f (c1, "),
        ((3,) * 3, "at least 50 ways, too many to list: name 3 cards, such as d e f (d1, "),
    ],
)
def test_where_cards_are_not_listed_it_is_said_how_many_are_wanted(
    sizes: Sequence[int], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words: Any = {"discard": SimpleNamespace(takes="LETTER…")}
    view: Any = SimpleNamespace(hand=[SimpleNamespace(letter=a, name=f"{a}1") for a in "abcdef"])
    ways = [way for size in sizes for way in combinations("abcdef", size)]
    rows = [Choice(" ".join(("discard", *way))) for way in ways]
    Menu("discard which of your cards?", rows, False).show(view, words, False)
    assert told in capsys.readouterr().err


def test_what_cannot_be_counted_is_not(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [Choice(f"discard a {number}") for number in range(MAX_LISTED_PLAYS)]
    view: Any = SimpleNamespace(hand=())
    Menu("discard which of your cards?", rows, False).show(view, {}, False)
    assert "at least 50 ways, too many to list: type what you" in capsys.readouterr().err
    group = Choice("discard LETTER…", "any 5 of your cards", exact=False)
    monkeypatch.setattr(FlatView, "choices", lambda view: [group])
    monkeypatch.chdir(place)
    assert main(["move", "game.toml", "--key", "ana.key"]) == 14
    said = capsys.readouterr().err
    assert "error: say what you want to play, and there is one kind of answer\n" in said
    assert "--discard CARD...   any 5 of your cards" in said
