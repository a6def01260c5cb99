"""`results`: who has won, as people, programs, spreadsheets and browsers read it."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.games import rules_of
from referee.playing.player import sign_transfer
from referee.playing.results import Finished, Names, Played, Result, judge, tally, wins_so_far
from referee.playing.shelf import shelve
from referee.render.page.results import results_page
from referee.table.decisions import DecisionId
from referee.toml import loads
from tests.cli.documents import check_document
from tests.cli.world import KEYS, lay_out, story, text_of
from tests.table.tables import Table, key_of
from tests.table.test_transfers import play_as


@pytest.fixture
def games(workplace: Path) -> Path:
    """A finished game with an older file of it, one that runs, a forged and a damaged one."""
    lay_out(workplace, "finished")
    (workplace / "a-running.toml").write_text(text_of("xanadu"))
    other = workplace / "other"
    other.mkdir()
    forged = story().texts[-1].replace("points = 23", "points = 99")
    (other / "forged.toml").write_text(forged.replace(load_id(), "f" * 16))
    (other / "damaged.toml").write_text(story().texts[-1][:3000].replace(load_id(), "e" * 16))
    return workplace


def load_id() -> str:
    text = story().texts[-1]
    return text[text.index('id = "') + 6 :][:16]


def said(capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    found = capsys.readouterr()
    return found.out, found.err


def test_the_newest_file_of_each_game_counts_and_what_is_wrong_is_a_line(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["results"]) == 0
    out, err = said(capsys)
    assert out.startswith("1 finished game, replayed and found right\n")
    assert "Not counted: 1 game running." in out
    rows = [line.split() for line in out.splitlines() if line.startswith("  ana (")]
    assert [row[2:6] for row in rows] == [["1", "1", "0", "41.00"]]
    assert err.count("it does not count") == 2
    assert "forged.toml" in err
    assert "damaged.toml" in err


def test_aliases_join_keys_and_reach_no_spreadsheet_as_formulas(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {'"=1+1,\\""': "ana", '"<b>Ben</b>"': "ben"}
    rows = [f'{name} = ["{KEYS[seat].public.text}"]\n' for name, seat in names.items()]
    Path("names.txt").write_text("".join(rows))
    assert main(["results", "--aliases", "names.txt", "--csv", "--page", "r.html"]) == 0
    table = list(csv.reader(io.StringIO(said(capsys)[0])))
    assert [row[0] for row in table] == ["player", "'=1+1,\"", "<b>Ben</b>"]
    page = Path("r.html").read_text()
    assert "<b>Ben" not in page
    assert "&lt;b&gt;Ben&lt;/b&gt;" in page
    assert "<script" not in page
    assert "style-src 'sha256-" in page
    # Its own page is replaced, and nothing else.
    assert main(["results", "--page", "r.html"]) == 0
    assert main(["results", "--page", "game.toml"]) == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Ana = 3", "Ana is not followed by a list of public keys"),
        ('Ana = ["nonsense"]', "a key of Ana"),
        ('"a\\u001bb" = []', "a name is one line of at most 40 characters"),
        (f'"{"a" * 41}" = []', "a name is one line of at most 40 characters"),
        ('A = ["SHA256:x"]\nB = ["SHA256:x"]', "A and B have one key"),
        ("[[[", "cannot be read as TOML"),
    ],
)
def test_a_wrong_file_of_aliases_is_named(
    games: Path, capsys: pytest.CaptureFixture[str], text: str, why: str
) -> None:
    Path("names.txt").write_text(text)
    assert main(["results", "--aliases", "names.txt"]) == 16
    err = said(capsys)[1]
    assert why in err
    assert "\x1b" not in err


def test_programs_get_all_of_it(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["results", "--json"]) == 0
    out = said(capsys)[0]
    check_document(["results"], out)
    found = json.loads(out)
    assert found["audited"] is True
    assert found["running"] == 1
    assert [(one["wins"], one["points"]) for one in found["players"]] == [(1, 41.0), (0, 23.0)]
    assert found["players"][0]["keys"] == [KEYS["ana"].public.text]
    assert [one["seat"] for one in found["games"][0]["seats"]] == ["ana", "ben"]
    assert len(found["faults"]) == 2
    assert main(["results", "--json", "--no-audit"]) == 0
    found = json.loads(said(capsys)[0])
    assert not found["audited"]
    assert not found["games"][0]["audited"]


@pytest.mark.parametrize("me", ["ana", None], ids=["referee alone", "against bots"])
def test_games_of_nobody_else_count_only_as_practice(
    workplace: Path, capsys: pytest.CaptureFixture[str], me: str | None
) -> None:
    table = Table(2, "practice", me=me, me_key=key_of("ana"), bots={"ben": "easy-1"})
    table.join_all().apply()
    (workplace / "game.toml").write_text(table.play_out().text)
    assert main(["results"]) == 0
    out, _ = said(capsys)
    assert out.startswith("No finished game lies here.")
    assert "Not counted: 1 game of practice (--practice counts them)." in out
    for more, count in (([], 1), (["--practice"], 0)):
        assert main(["results", "--json", *more]) == 0
        found = json.loads(said(capsys)[0])
        assert (found["practice"], len(found["games"])) == (count, 1 - count)


def played(*results: tuple[str, int, int]) -> Played:
    rows = [
        Result(seat, key_of(seat).public.text, False, points, place, place == 1)
        for seat, points, place in results
    ]
    return Played("g", "0" * 16, "t", "sanjuan", "San Juan", 9, "", True, False, tuple(rows))


def test_a_shared_win_counts_for_each_and_is_told() -> None:
    games = [played(("ana", 30, 1), ("ben", 30, 1)), played(("ana", 21, 1), ("ben", 20, 2))]
    ana, ben = tally(games, Names({}, games))
    assert (ana.total.wins, ana.total.shared, ana.total.mean_points) == (2, 1, 25.5)
    assert (ben.total.wins, ben.total.shared, ben.total.mean_points) == (1, 1, 25.0)


def test_points_are_those_of_the_game_with_what_only_the_log_tells() -> None:
    """Such as cards under a chapel."""
    data = Path(__file__, "../../../examples/finished/game.toml").resolve().read_bytes()
    rows = loads(data.decode())["table"]["seats"]
    game = judge(Finished("game.toml", "", data), is_audited=False)
    assert isinstance(game, Played)
    assert {one.seat: one.points for one in game.results} == {
        row["name"]: row["points"] for row in rows
    }
    assert [one.place for one in game.results] == [3, 4, 2, 1]


def test_who_has_several_seats_in_a_game_has_played_it_once() -> None:
    bot = rules_of("sanjuan").bot
    rows = [Result("ana", key_of("ana").public.text, False, 20, 2, False)]
    rows += [Result(seat, bot, True, 30, 1, True) for seat in ("ben", "carl")]
    game = played()._replace(results=(*rows, rows[1]._replace(seat="dora", points=15, wins=False)))
    bots, _ = tally([game], names := Names({}, [game]))
    total = bots.total
    assert (total.games, total.wins, total.shared, total.mean_points) == (1, 1, 0, 25.0)
    assert total == bots.by_rules["San Juan"]
    assert list(wins_so_far([game], names)) == [{bots.name: 1}]
    # Two keys of one person are one player as well.
    game = played(("ana", 30, 1), ("ben", 30, 1), ("carl", 30, 1))
    names = Names({one.public.fingerprint: "Us" for one in (key_of("ana"), key_of("ben"))}, [game])
    us, carl = sorted(tally([game], names), key=lambda one: one.name)
    assert (us.total.games, us.total.wins, us.total.shared, len(us.keys)) == (1, 1, 1, 2)
    assert carl.total.shared == 1


def test_a_seat_that_changed_hands_counts_for_who_held_it_at_the_end() -> None:
    table, new = Table(2).join_all(), key_of("new")
    for signer in (key_of("ana"), new):
        note = sign_transfer(table.file, "ana", signer, new.public)
        table.apply(note.armoured)
    keys = {"ana": new, "ben": key_of("ben")}
    while table.file.asked:
        for id_ in table.file.asked_ids():
            assert play_as(table, keys[DecisionId.parse(id_).seat], id_) == 0
    game = judge(Finished("game.toml", "", table.texts[-1].encode()), is_audited=True)
    assert isinstance(game, Played)
    assert [one.who for one in game.results] == [new.public.text, key_of("ben").public.text]


def test_lines_of_a_chart_have_names_of_their_own() -> None:
    best = ["ana (AAAAAAAA)", "ana (BBBBBBBB)", "maximiliana", "maximilian", "ben (CCCCCCCC)"]
    page = results_page(["player"], [], [{best[0]: 1}, {best[0]: 1, best[1]: 1}], best)
    labels = re.findall(r'class="seat s[0-9]"[^>]*>([^<]*)<', page)
    assert labels == ["ana", "ana 2", "maximi…", "maxi 4", "ben"]


@pytest.mark.parametrize("count", [2, 15, 16, 44, 61, 150, 420, 1200, 99_999])
def test_a_chart_of_any_number_of_games_has_round_numbers_below(count: int) -> None:
    page = results_page([], [], [{"ana": number} for number in range(1, count + 1)], ["ana"])
    labels = [int(one) for one in re.findall(r'text-anchor="middle"[^>]*>([0-9]+)<', page)]
    assert 2 <= len(labels) <= 15
    steps = {after - before for before, after in pairwise(labels)}
    assert len(steps) == 1
    assert int(str(steps.pop()).rstrip("0")) in (1, 2, 5)
    assert labels[-1] > count / 2


def test_ratings_say_what_is_missing(
    games: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    assert main(["results", "--ratings"]) == 1
    err = said(capsys)[1]
    assert "ratings need the library openskill" in err
    assert "pip install 'sanjuan-ref[ratings]'" in err


def test_who_wins_is_rated_higher(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("openskill")
    assert main(["results", "--ratings", "--json"]) == 0
    out = said(capsys)[0]
    check_document(["results"], out)
    ana, ben = json.loads(out)["players"]
    assert ana["ratings"][0]["game"] == "sanjuan"
    assert ana["ratings"][0]["strength"] > ben["ratings"][0]["strength"]


def test_nothing_finished_is_no_error(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["results"]) == 0
    assert "No finished game lies here." in said(capsys)[0]
    assert shelve([workplace])[0].newest() == []
