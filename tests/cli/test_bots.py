"""Tables with bots as their host and the one player at them see them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.cli.longwork import compared
from referee.cli.main import main
from referee.games import rules_of
from referee.mail.pages import topic_of
from referee.notes.finding import find
from referee.playing import player
from referee.refereeing import commit
from referee.refereeing.judging import Judge
from referee.table.clock import bots_think
from referee.table.gamefile import GameFile
from referee.table.hands import Hand
from referee.table.opening import open_table
from referee.table.replay import Session
from referee.table.times import DAY, current_time, format_time
from referee.table.views import open_hand, view_of
from tests.cli.world import KEYS
from tests.refereeing.test_bots import finished
from tests.table.tables import REFEREE, key_of, load

Capture = pytest.CaptureFixture[str]
HOST = ["--referee-key", "referee.key"]
ANA = ["--key", "ana.key", *HOST]


@pytest.fixture
def place(workplace: Path) -> Path:
    """A table of ana and two bots."""
    for name in ("ana", "referee"):
        KEYS[name].save(workplace / f"{name}.key")
    bots = ["--bot", "ben=medium", "--bot", "carl=easy"]
    assert main(["new", "game.toml", "--seat", "ana", *bots, "--days", "3", *HOST]) == 0
    return workplace


def shown(capsys: Capture, *words: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["show", "game.toml", "--json", *words]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def hand_in(file: GameFile) -> Hand:
    seat = file.seat("ana")
    assert seat is not None
    return open_hand(file, seat, KEYS["ana"])


def over(capsys: Capture) -> bool:
    return bool(shown(capsys)["status"] == "finished")


def test_one_join_is_enough_and_bots_answer_at_once(place: Path, capsys: Capture) -> None:
    assert main(["join", "game.toml", "--seat", "ana", *ANA]) == 0
    said = shown(capsys, "--key", "ana.key")
    assert [seat["bot"] for seat in said["seats"]] == ["", "greedy-1", "easy-1"]
    assert [asked["seat"] for asked in said["asked"]] == ["ana"]
    while not over(capsys):
        play = view_of(file := load(Path("game.toml").read_text()), hand_in(file)).suggest()
        assert main(["move", "game.toml", "--play", play, *ANA]) == 0
        assert {"ana"} <= {asked["seat"] for asked in shown(capsys)["asked"]} or over(capsys)
    assert main(["audit", "game.toml"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "answers of bots" in told
    assert "every play was legal and its player's own or a bot's, and no hand" in told


def test_the_table_says_who_is_a_bot(place: Path, capsys: Capture) -> None:
    assert main(["show", "game.toml"]) == 0
    assert "ben              a medium bot (version 1)" in capsys.readouterr().out
    assert main(["join", "game.toml", "--seat", "ben", *ANA]) == 11
    assert "the seat ben is taken" in capsys.readouterr().err
    assert main(["join", "game.toml", "--seat", "ana", *ANA]) == 0
    assert main(["show", "game.toml"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "ben is a medium bot (version 1), carl is an easy bot (version 1)" in told
    assert "nothing is proven" not in told
    file = load(Path("game.toml").read_text())
    assert [topic_of(file, seat) for seat in ("ben", "carl")] == ["", ""]
    assert main(["log", "game.toml", "--note", "2"]) == 2


def test_a_referee_alone_with_bots_proves_nothing(workplace: Path, capsys: Capture) -> None:
    KEYS["referee"].save(workplace / "referee.key")
    words = ["--me", "ana", "--key", "referee.key", "--bot", "ben=easy"]
    # Whoever plays with bots alone names their seat once.
    assert main(["new", "game.toml", *words, *HOST]) == 0
    assert main(["show", "game.toml"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "only the referee holds keys here, so nothing is proven of the deal" in told


def test_the_table_says_to_how_many_keys_every_card_is_open(
    workplace: Path, capsys: Capture
) -> None:
    KEYS["referee"].save(workplace / "referee.key")
    backups = [key_of(name).public.text for name in ("ben", "carl")]
    for many, said in ((1, "one key"), (2, "2 keys")):
        words = [word for text in backups[:many] for word in ("--backup", text)]
        assert main(["new", f"{many}.toml", "--seat", "ana", "--seat", "dora", *words, *HOST]) == 0
        assert main(["show", f"{many}.toml"]) == 0
        told = " ".join(capsys.readouterr().out.split())
        assert f"{said} beside the referee's can open every hand" in told


def test_a_table_at_which_nobody_is_to_join_is_dealt_when_it_is_opened(
    workplace: Path, capsys: Capture
) -> None:
    KEYS["referee"].save(workplace / "referee.key")
    words = ["--me", "ana", "--key", "referee.key", "--seat", "ben", "--bot", "carl=easy"]
    for name, seats in (("one", words), ("two", [*words[:4], "--seat", "ana", *words[6:]])):
        assert main(["new", f"{name}.toml", *seats, *HOST, "--dry-run"]) == 0
        assert not Path(f"{name}.toml").exists()
        assert main(["new", f"{name}.toml", *seats, *HOST]) == 0
        assert ("so the cards are dealt" in capsys.readouterr().out) == (name == "two")
    assert load(Path("one.toml").read_text()).status == "open"
    while (file := load(Path("two.toml").read_text())).status == "playing":
        assert "ana" in {one.seat for one in file.asked}
        assert main(["bot", "two.toml", "--level", "easy", "--key", "referee.key", *HOST]) == 0
    assert main(["audit", "two.toml"]) == 0


def test_a_table_that_was_opened_and_not_dealt_is_dealt_by_whatever_runs(workplace: Path) -> None:
    KEYS["referee"].save(workplace / "referee.key")
    seats = [("ana", None), ("ben", None)]
    rules = rules_of("sanjuan").choose(None, [], [], {})
    bots = {"ben": rules.bot}
    file = open_table(rules, "A test", seats, REFEREE, me=("ana", REFEREE), bots=bots)
    commit.create_table(Path("game.toml"), file, REFEREE, Path("ledger"))
    (workplace / "none").write_text("nothing")
    apply = ["apply", "game.toml", "none", *HOST, "--ledger", "ledger"]
    assert main(apply) == 13
    assert load(Path("game.toml").read_text()).status == "playing"


def test_another_table_like_it_has_the_same_bots(place: Path, capsys: Capture) -> None:
    assert main(["new", "next.toml", "--like", "game.toml", "--bot", "carl=medium", *HOST]) == 0
    bots = [seat.bot for seat in load(Path("next.toml").read_text()).seats]
    assert bots == ["", "greedy-1", "greedy-1"]


def test_who_is_late_can_be_answered_for_by_any_bot(workplace: Path) -> None:
    for name in ("ana", "ben", "referee"):
        KEYS[name].save(workplace / f"{name}.key")
    words = ["--seat", "ana", "--seat", "ben", "--days", "1", "--late", "easy", "--grace", "0"]
    assert main(["new", "game.toml", *words, *HOST]) == 0
    for name in ("ana", "ben"):
        key = ["--seat", name, "--key", f"{name}.key"]
        assert main(["join", "game.toml", *key, *HOST]) == 0
    for day in range(2, 14, 2):
        now = format_time(current_time() + day * DAY)
        assert main(["expire", "game.toml", "--now", now, *HOST]) == 0
    file = load(Path("game.toml").read_text())
    assert (file.bot, file.step > 6) == ("easy-1", True)
    assert main(["audit", "game.toml", *HOST]) == 0


def test_bots_that_think_for_long_are_done_by_whatever_runs(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that waits for bots alone would wait for ever where nothing comes in."""
    assert main(["join", "game.toml", "--seat", "ana", *ANA]) == 0
    monkeypatch.setattr(Judge.__init__, "__defaults__", (0.0,))
    quick = commit.let_bots_go_on
    monkeypatch.setattr(commit, "let_bots_go_on", lambda opened, now: False)
    play = view_of(file := load(Path("game.toml").read_text()), hand_in(file)).suggest()
    assert main(["move", "game.toml", "--play", play, "--key", "ana.key", "-o", "a.move"]) == 0
    with commit.open_game(Path("game.toml"), KEYS["referee"]) as opened:
        commit.apply_notes(
            opened, [("a", one) for one in find(Path("a.move").read_text())], current_time()
        )
    monkeypatch.setattr(commit, "let_bots_go_on", quick)
    while not bots_think(load(Path("game.toml").read_text())):
        file = load(Path("game.toml").read_text())
        play = view_of(file, hand_in(file)).suggest()
        note = player.move_text(file, KEYS["ana"], file.asked_ids()[0], play, False, 1)
        with commit.open_game(Path("game.toml"), KEYS["referee"]) as opened:
            commit.apply_notes(opened, [("a", one) for one in find(note)], current_time())
    assert main(["expire", "--games", ".", *HOST]) == 0
    assert not bots_think(load(Path("game.toml").read_text()))


@pytest.mark.parametrize("jobs", [1, 2])
def test_long_work_is_done_by_several_processes_in_order(
    jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = finished()
    secret = table.file.revealed_secret
    assert secret is not None
    session = Session.replay(table.file, secret, audit=True)
    answers = session.by_bots[:12]
    answers[7] = answers[7]._replace(play="pass pass")
    monkeypatch.setattr("referee.cli.longwork.AT_ONCE", 0)
    told = list(compared(answers, session.rules, jobs))
    assert [answer for answer, _ in told] == answers
    assert [number for number, (_, holds) in enumerate(told) if not holds] == [7]


@pytest.mark.parametrize(
    "bot", ["ben", "ben=", "=easy", "ben=grand-master", "ben=easy-1", "Ben=easy", "ana=easy"]
)
def test_how_a_bot_is_not_named(workplace: Path, bot: str) -> None:
    KEYS["referee"].save(workplace / "referee.key")
    seats = ["--seat", "ana=" + KEYS["ana"].public.text, "--seat", "dora"]
    assert main(["new", "game.toml", *seats, "--bot", bot, *HOST]) == 2
    assert not Path("game.toml").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["transfer", "--key", "stranger.key"],
        ["transfer", "--key", "stranger.key", "--dry-run"],
        ["transfer", "--key", "ana.key", "--to", "stranger.key.pub"],
        ["leave", "--key", "ana.key"],
        ["vote"],
        ["plan", "--key", "ana.key"],
        ["move"],
        ["bot"],
    ],
    ids=" ".join,
)
def test_nobody_signs_for_a_bots_seat(place: Path, capsys: Capture, words: list[str]) -> None:
    KEYS["stranger"].save(place / "stranger.key")
    assert main(["join", "game.toml", "--seat", "ana", *ANA]) == 0
    capsys.readouterr()
    before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    assert main([words[0], "game.toml", "--seat", "ben", *words[1:]]) == 12
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "error: ben is a bot's seat, and nobody signs for it\n"
    assert {path: path.read_bytes() for path in place.rglob("*") if path.is_file()} == before


def test_no_key_is_asked_for_to_look_at_a_bots_hand(place: Path, capsys: Capture) -> None:
    assert main(["join", "game.toml", "--seat", "ana", *ANA]) == 0
    assert main(["show", "game.toml", "--seat", "ben"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert told.endswith("The seat ben is a bot's, so this is what everybody sees.")
