"""Hints while a game goes on, and the look back after it: from what a seat saw, and no more."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee.bots.judging import judge
from referee.cli.main import main
from referee.errors import Stale
from referee.games import GAMES, rules_of
from referee.games.interface import Rules, View
from referee.playing import reviewing
from referee.render.page.language import Language
from referee.render.page.marked import sentences
from referee.table.rules import rules_for
from referee.table.signing import load
from tests.cli.test_terminal import ASKED, typed
from tests.cli.world import lay_out
from tests.mail.office import run
from tests.table.tables import Table, key_of
from tests.table.test_standing import say

SHORT = rules_of("sanjuan").choose(None, [], [], {"round_limit": "3"})


def choose(game: str) -> Rules:
    """The usual rules of a game."""
    return rules_of(game).choose(None, [], [], {})


@pytest.fixture
def finished(workplace: Path) -> Path:
    lay_out(workplace, "finished")
    return workplace


def test_every_view_is_the_one_that_the_seat_had(finished: Path) -> None:
    """Each play is legal in the view that is judged, and each was the seat's own."""
    file, _ = load(Path("game.toml"))
    for seat in ("ana", "ben"):
        made = reviewing.decisions_of(file, seat)
        assert [one.decision for one in made] == [e.decision for e in file.log if e.by == seat]
        for one in made:
            assert one.view.seat == seat
            assert file.log[one.step - 1].play == one.play
            one.view.check(one.play)


def test_a_seat_is_not_judged_by_what_it_could_not_know() -> None:
    """The view of a decision is that of the step that opened it, also behind others of a batch."""
    shown: dict[str, str] = {}

    def noted(view: View) -> str:
        assert view.decision is not None
        shown.setdefault(view.decision.id, f"{view!r} {view.choices()}")
        return view.suggest()

    table = Table(3, "1", rules=SHORT).join_all().play_out(noted)
    for seat in table.file.seats:
        for one in reviewing.decisions_of(table.file, seat.name):
            assert shown[one.decision] == f"{one.view!r} {one.view.choices()}"


def test_what_mattered_most(finished: Path) -> None:
    done = run("review", "game.toml", "--seat", "ana", "--jobs", "1")
    assert done.code == 0
    said = json.loads(run("review", "game.toml", "--seat", "ana", "--jobs", "1", "--json").out)
    losses = [one["loss"] for one in said["decisions"]]
    assert f"ana made {len(losses)} decisions: in " in " ".join(done.out.split())
    assert min(losses) == 0
    assert all(one["loss"] == 0 for one in said["decisions"] if one["play"] == one["better"])
    # It comes to the same each time, by several processes too, and without a seat it is one's own.
    again = run("review", "game.toml", "--key", "ana.key", "--jobs", "2", "--json")
    assert json.loads(again.out) == said
    told = run("review", "game.toml", "--seat", "ana", "--all", "--jobs", "1").out
    assert told.count("(step ") == len(losses)
    assert done.out.count("(step ") == min(5, sum(loss > 0 for loss in losses))


def test_a_bad_play_costs_more_than_a_good_one(finished: Path) -> None:
    file, _ = load(Path("game.toml"))
    rules = rules_for(file)
    builds = [one for one in reviewing.decisions_of(file, "ana") if ".build." in one.decision]
    view = builds[0].view
    best = judge(rules, view, "pass", b"1").better
    assert best != "pass"
    assert judge(rules, view, best, b"1").loss == 0
    assert judge(rules, view, "pass", b"1").loss > 0.02


def test_nobody_looks_back_before_the_end(workplace: Path) -> None:
    lay_out(workplace, "building")
    with pytest.raises(Stale):
        reviewing.decisions_of(load(Path("game.toml"))[0], "ana")
    done = run("review", "game.toml", "--seat", "ana")
    assert done.code == 11
    assert "show --hint" in done.err
    assert run("review", "game.toml").code in (2, 11)


def test_a_hint_is_a_play_and_the_same_each_time(workplace: Path) -> None:
    lay_out(workplace, "building")
    done = run("show", "game.toml", "--key", "ana.key", "--hint")
    assert done.code == 0
    assert "A hard bot would play: build" in done.out
    command = done.out.splitlines()[-1].strip().split()[1:]
    assert run("show", "game.toml", "--key", "ana.key", "--hint").out == done.out
    assert run(*command, "-o", "ana.move").code == 0
    # Who is not asked, or only looks on, gets none.
    for key, code in (("ben.key", 11), ("stranger.key", 12)):
        assert run("show", "game.toml", "--key", key, "--hint").code == code


def test_a_hint_is_given_from_menus_too(workplace: Path) -> None:
    lay_out(workplace, "building")
    words = ["play", "game.toml", "--key", "ana.key", "-o", "ana.move"]
    said = typed(workplace, words, (ASKED, "? hint"), (ASKED, "?"), (ASKED, "q"), NO_COLOR="1")
    assert "\nA hard bot would play: build" in said
    assert "`? hint` what a bot would play" in said
    assert not (workplace / "ana.move").exists()


def test_a_table_without_hints_has_none(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key_of("referee").save(Path("referee.key"))
    key_of("ana").save(Path("ana.key"))
    new = ["new", "game.toml", "--seat", "ana", "--bot", "ben=easy", "--hints", "off"]
    assert main([*new, "--referee-key", "referee.key"]) == 0
    assert "no hints" in capsys.readouterr().out
    mine = ["--key", "ana.key", "--referee-key", "referee.key"]
    assert main(["join", "game.toml", "--seat", "ana", *mine]) == 0
    file, _ = load(Path("game.toml"))
    assert file.asked
    assert not file.hints
    for words in (["show", "game.toml", "--key", "ana.key", "--hint"], ["bot", "game.toml", *mine]):
        assert main(words) == 12
        assert "without the help of programs" in capsys.readouterr().err
    assert main(["review", "game.toml", "--seat", "ana"]) == 11
    assert "--hint" not in capsys.readouterr().err
    # Another table like it has the same terms, unless others are said.
    for more, hints in ((["like.toml"], False), (["other.toml", "--hints", "on"], True)):
        assert main(["new", *more, "--like", "game.toml", "--referee-key", "referee.key"]) == 0
        assert load(Path(more[0]))[0].hints is hints
    assert main(["new", "no.toml", "--seat", "ana", "--hints", "perhaps"]) == 2


@pytest.mark.parametrize("game", [game for game in GAMES if choose(game).search() is not None])
def test_every_game_that_looks_ahead_is_looked_back_at(game: str) -> None:
    """A turn thrown away costs something, and the sentences name cards and not their letters."""
    rules = choose(game)
    file = Table(2, f"back {game}", rules=rules).join_all().rush().file
    made = reviewing.decisions_of(file, file.seating[0])
    turns = [one for one in made if one.decision.split(".")[2] in ("turn", "build")]
    language, words = Language("en", rules), {word.name: word for word in rules.words}
    lost = []
    for one in turns[2:8]:
        thrown = one._replace(play="pass")
        found = reviewing.review(rules, thrown)
        again = reviewing.review(rules, thrown)
        assert found == again
        lost.append(found.judgement.loss)
        where, *said = sentences(found, language, words)
        assert where.startswith(f"Round {one.decision.split('.')[0]}: ")
        assert said[0].startswith("Played: Pass")
        for line in said:
            assert not re.search(r"(?<!')\b[b-z]\b", line), line
    assert max(lost) > 0


def test_what_a_bot_answered_for_who_had_left_is_not_the_players_own() -> None:
    table = Table(3, "left", rules=SHORT, bots={"carl": "easy-1"}).join_all()
    table.play(lambda file: file.step > 8)
    assert say(table, "ana", "leave").error is None
    file = table.play_out().file
    left = next(step for step, entry in enumerate(file.log, 1) if entry.play == "leave")
    own = [one.step for one in reviewing.decisions_of(file, "ana")]
    assert own
    assert max(own) < left < max(at for at, one in enumerate(file.log, 1) if one.by == "ana")
    # All of a bot's own are.
    carls = [step for step, entry in enumerate(file.log, 1) if entry.by == "carl"]
    assert [one.step for one in reviewing.decisions_of(file, "carl")] == carls
