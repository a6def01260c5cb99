"""Contests between programs: fair, counted right, the same however and wherever they are played."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from referee.bots.contest import (
    LONGEST_FAILURE,
    Contest,
    Deal,
    Entrant,
    Result,
    Tally,
    play_deal,
    rows,
)
from referee.cli import contests
from referee.cli.main import main
from referee.games import rules_of
from referee.games.interface import Rules
from referee.standings import Finish, interval, ratings
from referee.storage import NotWritten
from tests.bots.test_engine import ends

QUICK = rules_of("sanjuan").choose(None, [], [], {"round_limit": "3"})
FEW = ["--option", "round_limit=3", "--jobs", "1"]
BOTH = ["arena", "--seat", "easy", "--seat", "medium", *FEW]


def contest(*names: str, rules: Rules = QUICK) -> Contest:
    entrants = tuple(Entrant(name, name) for name in names)
    return Contest(rules.module, rules.terms(), entrants, 1)


def result(*names: str, winners: str) -> Result:
    """A game that is won by the seats with an x."""
    wins = tuple(sign == "x" for sign in winners)
    nobody = (False,) * len(names)
    return Result(names, (10,) * len(names), wins, nobody, tuple(2 - won for won in wins))


@pytest.fixture(autouse=True)
def here(workplace: Path) -> None:
    """Nothing is written beside the tests."""


def test_every_way_of_sitting_is_played_once() -> None:
    assert len(contest("hard", "medium").orders(0)) == 2
    one = contest("hard", "medium", "medium", "medium").orders(5)
    assert sorted(order.index(Entrant("hard", "hard")) for order in one) == [0, 1, 2, 3]
    four = contest("random", "easy", "medium", "hard")
    assert {tuple(order) for order in four.orders(0)} == set(permutations(four.entrants))


def test_of_too_many_ways_each_player_has_every_place_once() -> None:
    six = contest("a", "b", "c", "d", "e", "f")
    assert len({order for deal in range(20) for order in six.orders(deal)}) > 6
    for deal in range(20):
        places = zip(*six.orders(deal), strict=True)
        assert all({one.name for one in place} == set("abcdef") for place in places)


def test_a_deal_has_the_same_cards_for_all_and_another_has_others() -> None:
    """A place has the same cards and tiles whoever sits there: two equal players play one game."""
    same = Contest(
        QUICK.module, QUICK.terms(), (Entrant("one", "medium"), Entrant("two", "medium")), 1
    )
    first, second = play_deal(same, 0).games
    assert first.points == second.points
    assert play_deal(same, 1).games[0].points != first.points
    assert play_deal(same._replace(seed=2), 0).games[0].points != first.points


def test_wins_that_are_shared_are_split_and_seats_of_one_player_add_up() -> None:
    deals = [
        Deal(0, (result("a", "b", "b", winners="xx-"), result("b", "a", "b", winners="-x-"))),
        Deal(1, (result("a", "b", "b", winners="--x"),)),
    ]
    found = {row.name: row for row in rows(contest("a", "b", "b"), deals)}
    assert (found["a"].wins, found["a"].games) == (1.5, 3)
    assert (found["b"].wins, found["b"].games) == (1.5, 6)
    assert found["b"].share == 0.25


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998), table I.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (29, 29, 0.8830, 1),
    ],
)
def test_intervals_are_those_of_wilson(wins: int, games: int, low: float, high: float) -> None:
    assert list(interval(wins, games)) == pytest.approx([low, high], abs=5e-5)
    assert interval(0, 0) == (0, 1)


def test_who_wins_more_is_rated_higher() -> None:
    pytest.importorskip("openskill")
    games = [[Finish("a", 1), Finish("b", 2), Finish("b", 2)]] * 5 + [[Finish("a", 1)]]
    found = ratings(games)
    assert found is not None
    assert found["a"].strength > found["b"].strength


def test_without_the_library_nobody_is_rated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    assert main([*BOTH, "--games", "2"]) == 0
    said = capsys.readouterr()
    assert "rating" not in said.out
    assert "sanjuan-ref[ratings]" in said.err


def test_the_result_of_more_processes_and_of_a_run_that_was_interrupted_is_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = [*BOTH[:-1], "1", "--games", "12", "--json"]
    assert main(run) == 0
    alone = capsys.readouterr().out
    said = json.loads(alone)
    assert [row["name"] for row in said["seats"]] == ["easy", "medium"]
    assert sum(row["wins"] for row in said["seats"]) == said["games"] == 12
    assert all(row["low"] < row["share"] < row["high"] for row in said["seats"])
    kept = Path("kept.jsonl")
    several = [*BOTH[:-1], "2", "--games", "12", "--json", "--resume", str(kept)]
    assert main(several) == 0
    assert capsys.readouterr().out == alone
    whole = kept.read_bytes()
    # Stopped in the middle of a line, in which case the deal is played again.
    for end in (len(whole) - 30, whole.index(b"\n") + 1, 20, 0):
        kept.write_bytes(whole[:end])
        assert main(several) == 0
        assert capsys.readouterr().out == alone
        assert sorted(kept.read_bytes().splitlines()) == sorted(whole.splitlines())


def test_what_is_kept_is_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    run = [*BOTH, "--resume", "kept.jsonl", "--json"]
    assert main([*run, "--games", "4"]) == 0
    played = []

    def noted(contest: Contest, number: int) -> Deal:
        played.append(number)
        return play_deal(contest, number)

    monkeypatch.setattr(contests, "play_deal", noted)
    assert main([*run, "--games", "8"]) == 0
    assert played == [2, 3]


def test_another_contest_is_not_mixed_in(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BOTH, "--games", "2", "--resume", "kept.jsonl"]) == 0
    before = Path("kept.jsonl").read_bytes()
    others = [
        (["arena", "--seat", "easy", "--seat", "easy", *FEW], "easy-1, greedy-1"),
        ([*BOTH, "--seed", "2"], "seed is 1"),
        (BOTH[:-4], "terms is"),
    ]
    capsys.readouterr()
    for words, says in others:
        assert main([*words, "--games", "2", "--resume", "kept.jsonl"]) == 2
        assert says in capsys.readouterr().err
    assert Path("kept.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    "harm",
    [
        b"nonsense\n",
        b'{"deal":0}\n',
        b'{"deal":0,"games":[]}\n',
        b"[" * 9999 + b"\n",
        b'["contest"]\n',
        b'"contest"\n',
        b"7\n",
    ],
)
def test_a_damaged_file_is_left_alone(harm: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    kept = Path("kept.jsonl")
    kept.write_bytes(harm)
    assert main([*BOTH, "--games", "2", "--resume", "kept.jsonl"]) == 16
    kept.unlink()
    assert main([*BOTH, "--games", "2", "--resume", "kept.jsonl"]) == 0
    harmed = kept.read_bytes() + harm
    kept.write_bytes(harmed)
    assert main([*BOTH, "--games", "4", "--resume", "kept.jsonl"]) == 16
    assert kept.read_bytes() == harmed
    assert "line 3 of kept.jsonl" in capsys.readouterr().err


IMPOSSIBLE: dict[str, dict[str, Any]] = {
    "points that no game gives": {"points": [10**400, 1]},
    "a place that there is not": {"places": [10**400, -5]},
    "two second places": {"places": [2, 2]},
    "nobody won": {"wins": [False, False]},
    "all won": {"wins": [True, True]},
    "who failed has won": {"failed": [True, False]},
    "who has less points is first": {"points": [1, 2]},
    "who has as many is not": {"points": [7, 7], "places": [1, 1], "wins": [True, False]},
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_results_that_cannot_be_are_not_counted(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, run = Path("kept.jsonl"), [*BOTH, "--games", "2", "--resume", "kept.jsonl"]
    contests.Kept(kept, contest("easy", "medium"))
    first = {"wins": [True, False], "failed": [False, False], "places": [1, 2], "points": [9, 7]}
    games = [{"seats": seats} | first for seats in (["easy", "medium"], ["medium", "easy"])]
    head = kept.read_bytes()

    def line() -> bytes:
        return json.dumps({"deal": 0, "games": games}).encode() + b"\n"

    kept.write_bytes(head + line())
    assert main(run) == 0
    games[0] |= IMPOSSIBLE[name]
    kept.write_bytes(head + line())
    assert main(run) == 16
    assert "line 2 of kept.jsonl is not what --resume keeps" in capsys.readouterr().err


@pytest.mark.parametrize(("failure", "code"), [("x" * 2000, 0), ("x" * 2001, 16), ([1], 16)])
def test_what_an_engine_did_is_kept_as_a_short_text(failure: object, code: int) -> None:
    kept, run = Path("kept.jsonl"), [*BOTH, "--games", "2", "--resume", "kept.jsonl"]
    assert main(run) == 0
    head, deal = kept.read_text().splitlines()
    kept.write_text(f"{head}\n{json.dumps({**json.loads(deal), 'failure': failure})}\n")
    assert main(run) == code


def test_no_more_of_what_an_engine_did_is_kept_than_is_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The sentence names the whole command."""
    command = f"{sys.executable} -c 'print(7)' {'x ' * 1500}"
    run = ["arena", "--seat", "easy", "--engine", f"long={command}", "--games", "2"]
    for _ in range(2):
        assert main([*run, "--resume", "kept.jsonl"]) == 19
        assert "it failed in every game" in capsys.readouterr().err
    kept = json.loads(Path("kept.jsonl").read_text().splitlines()[1])
    assert len(kept["failure"]) == LONGEST_FAILURE


def test_deals_are_kept_in_plain_files_alone(capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe")
    assert main([*BOTH, "--games", "2", "--resume", "pipe"]) != 0
    assert "pipe is not a plain file" in capsys.readouterr().err


def test_it_stops_once_the_intervals_are_narrow() -> None:
    tally = Tally(contest("a", "b"), 1000, 0.15, 6)
    while not tally.enough:
        tally.add(Deal(len(tally.deals), (result("a", "b", winners="x-"),) * 2))
    assert tally.games == 10
    assert tally.spread <= 0.15
    assert list(Tally(contest("a", "b"), 5).numbers()) == [0, 1, 2]


def test_csv_has_a_row_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BOTH, "--games", "2", "--csv", "--time"]) == 0
    table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["name"] for row in table] == ["easy", "medium"]
    assert all(float(row["worst"]) >= float(row["median"]) > 0 for row in table)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--seat", "easy"], "San Juan is for 2 to 4 players"),
        (["--seat", "easy", "--seat", "grand-master"], "--seat takes random, easy"),
        (["--seat", "easy", "--engine", "easy=true"], "two different players are called 'easy'"),
        (["--seat", "easy", "--engine", "'"], "cannot be read"),
        (["--seat", "easy", "--engine", "/no/program"], "cannot be started"),
        (["--seat", "easy", "--seat", "easy", "--csv", "--json"], "do not go together"),
    ],
)
def test_wrong_usage(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", *words, "--jobs", "1"]) in (2, 13, 19)
    said = capsys.readouterr()
    assert says in said.err + said.out


def test_an_engine_s_last_words_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "bot.py"
    script.write_text("import sys; print('no\\nno model', file=sys.stderr); sys.exit(3)")
    words = ["arena", "--engine", f"mine={sys.executable} {script}", "--seat", "easy"]
    assert main([*words, "--games", "2", "--jobs", "1"]) == 19
    said = " ".join(capsys.readouterr().err.split())
    assert "ended with 3 before it answered (its last line on standard error: no model)" in said


def test_a_cluster_gives_the_same_result(capsys: pytest.CaptureFixture[str]) -> None:
    distributed = pytest.importorskip("distributed")
    run = [*BOTH, "--games", "6", "--json"]
    assert main(run) == 0
    alone = capsys.readouterr().out
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        assert main([*run, "--dask", cluster.scheduler_address]) == 0
    assert capsys.readouterr().out == alone


def test_without_the_library_there_is_no_cluster(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main([*BOTH, "--dask", "tcp://127.0.0.1:1"]) == 2
    assert "sanjuan-ref[distributed]" in capsys.readouterr().err


def test_an_interrupt_ends_it_at_once_with_its_engines(tmp_path: Path) -> None:
    """Ctrl-C at a terminal comes to all processes; deals that are over stay."""
    script = tmp_path / "slow.py"
    script.write_text(
        "import os, sys, time\n"
        f"open({str(tmp_path)!r} + f'/{{os.getpid()}}.pid', 'w').close()\n"
        "sys.stdin.readline()\n"
        "time.sleep(300)\n"
    )
    words = ["arena", "--engine", f"slow={sys.executable} {script}", "--seat", "easy"]
    command = [sys.executable, "-m", "referee", *words, "--jobs", "2", "--limit", "300"]
    with subprocess.Popen(
        command,
        cwd=Path(__file__).parents[2],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.default_int_handler),
    ) as run:
        while len(list(tmp_path.glob("*.pid"))) < 2 and run.poll() is None:
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGINT)
        assert run.stderr is not None
        said = run.stderr.read()
        assert run.wait() == 130
    assert said.strip() == "error: interrupted"
    assert all(ends(int(path.stem)) for path in tmp_path.glob("*.pid"))


def children_of(process: int) -> list[int]:
    return [
        int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()
    ]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_workers_end_with_their_parent_and_their_engines_with_them(
    name: str, tmp_path: Path
) -> None:
    script = tmp_path / "slow.py"
    script.write_text(
        "import os, sys, time\n"
        f"open({str(tmp_path)!r} + f'/{{os.getpid()}}.pid', 'w').close()\n"
        "time.sleep(300)\n"
    )
    words = ["arena", "--engine", f"slow={sys.executable} {script}", "--seat", "easy"]
    command = [sys.executable, "-m", "referee", *words, "--jobs", "2", "--limit", "300"]
    # A run of the tests that outlives its terminal hands on that it ignores SIGHUP.
    ending: signal.Signals = getattr(signal, name)
    heard = None if name == "SIGKILL" else partial(signal.signal, ending, signal.SIG_DFL)
    with subprocess.Popen(
        command,
        cwd=Path(__file__).parents[2],
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=heard,
    ) as run:
        while len(list(tmp_path.glob("*.pid"))) < 2 and run.poll() is None:
            time.sleep(0.05)
        workers = children_of(run.pid)
        assert len(workers) == 2
        run.send_signal(ending)
        run.wait()
    assert all(map(ends, workers))
    assert all(ends(int(path.stem)) for path in tmp_path.glob("*.pid"))


def test_workers_of_a_long_work_end_with_their_parent() -> None:
    script = (
        "import time\nfrom referee.cli.longwork import _mapped_at_once\n"
        "list(_mapped_at_once(time.sleep, [300] * 4, 2, 'naps'))"
    )
    with subprocess.Popen([sys.executable, "-c", script], cwd=Path(__file__).parents[2]) as run:
        while len(children_of(run.pid)) < 2 and run.poll() is None:
            time.sleep(0.05)
        workers = children_of(run.pid)
        run.kill()
        run.wait()
    assert len(workers) == 2
    assert all(map(ends, workers))


def test_no_other_processes_are_started_to_work() -> None:
    """Those of the library's own pool sleep on when their parent is killed."""
    root = Path(contests.__file__).parents[1]
    found = [path.name for path in root.rglob("*.py") if "ProcessPoolExecutor" in path.read_text()]
    assert found == ["system.py"]


def test_two_runs_do_not_keep_their_deals_in_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    run = [*BOTH, "--games", "2", "--resume", "kept.jsonl"]
    assert main(run) == 0
    before = Path("kept.jsonl").read_bytes()
    Path("link").symlink_to("kept.jsonl")
    with contests._kept_in(Path("kept.jsonl"), contest("easy", "medium")):
        for name in ("kept.jsonl", "link"):
            capsys.readouterr()
            assert main([*run[:-1], name]) == 2
            said = capsys.readouterr().err
            assert said.startswith(f"error: another run keeps its deals in {name}\nhint: wait")
    assert Path("kept.jsonl").read_bytes() == before
    assert main(run) == 0


def test_deals_of_somebody_else_are_never_cut_off() -> None:
    """Where a file system has no locks."""
    first = contests.Kept(Path("kept.jsonl"), contest("easy", "medium"))
    second = contests.Kept(Path("kept.jsonl"), contest("easy", "medium"))
    first.keep(play_deal(contest("easy", "medium"), 0))
    before = Path("kept.jsonl").read_bytes()
    with pytest.raises(NotWritten, match="another run has written to"):
        second.keep(play_deal(contest("easy", "medium"), 1))
    assert Path("kept.jsonl").read_bytes() == before
