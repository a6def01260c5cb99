"""Training: a seed makes the same weights everywhere, and who was stopped goes on."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from referee.bots import training
from referee.bots.training import Fit, Plan, Samples, StraightFit, Training
from referee.games.network import Network
from referee.games.xanadu import features as xanadu_features

np = pytest.importorskip("numpy")

PLAN = Plan(
    game="sanjuan",
    seats=(2,),
    seed=1,
    games=(3, 2),
    worlds=(1,),
    together=2,
    decay=0.92,
    hidden=4,
    straight=False,
    epochs=(2, 1),
    rate=(2e-2,),
)
MADE = "50afe8bfbe13a7fb7c5529cb6f230531a5507b2ebe5d12ad28bc92e5ecbb1568"
"""The SHA-256 of the weights that PLAN leads to."""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learn from a few tables at once, as there are few."""
    monkeypatch.setattr(training, "BATCH", 32)
    monkeypatch.setattr(training, "CHUNK", 2)


def test_a_seed_makes_the_same_weights_on_every_machine(tmp_path: Path) -> None:
    data = Training(PLAN, tmp_path, 1).run()
    Network.load(data)
    assert sha256(data).hexdigest() == MADE


@pytest.mark.parametrize("game", ["sanjuan", "xanadu"])
def test_weights_from_a_straight_line_are_the_same_on_one_machine(
    tmp_path: Path, game: str
) -> None:
    plan = PLAN._replace(game=game, straight=True, worlds=(0,), seats=(2, 3))
    first, second = (Training(plan, tmp_path / name, 1).run() for name in "ab")
    assert first == second
    assert first != Training(plan._replace(seed=2), tmp_path / "a", 1).run()


def test_two_processes_play_the_same_games(tmp_path: Path) -> None:
    assert sha256(Training(PLAN, tmp_path, 2).run()).hexdigest() == MADE


def test_a_training_that_was_stopped_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(self: Fit, *_: object) -> float:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Fit, "learn", stop)
        with pytest.raises(KeyboardInterrupt):
            Training(PLAN, tmp_path, 1).run()
    played = []
    collect = training.collect

    def counted(games: training.Games) -> Samples:
        played.append((games.seed, games.numbers))
        return collect(games)

    monkeypatch.setattr(training, "collect", counted)
    data = Training(PLAN, tmp_path, 1).run()
    assert played == [("1 2 1", range(2))]
    assert sha256(data).hexdigest() == MADE
    assert Training(PLAN, tmp_path, 1).run() == data
    assert len(played) == 1


def test_no_order_of_sums_changes_a_slope() -> None:
    random = Random(1)
    inputs = np.array([[float(random.randrange(3)) for _ in range(90)] for _ in range(500)])
    results = np.array([random.random() for _ in range(500)])
    fit = Fit(90, 8, 1)
    turned = Fit(90, 8, 1)
    turned.weights[0] = turned.weights[0][::-1]
    slopes = fit._slopes(inputs, results)
    others = turned._slopes(inputs[::-1, ::-1], results[::-1])
    others[0] = others[0][::-1]
    for one, other in zip(slopes, others, strict=True):
        assert (one == other).all()


def test_samples_are_read_as_they_were_kept() -> None:
    samples = Samples()
    samples.add([3, 1, 300], 0.25)
    samples.add([], 1.0)
    found = Samples.load(samples.dump())
    assert (found.features, found.sizes) == (samples.features, samples.sizes)
    assert found.results == samples.results


def test_a_straight_line_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "EASE", 0)
    random = Random(1)
    samples = Samples()
    for _ in range(200):
        marks = [mark for mark in range(5) if random.random() < 0.5]
        samples.add(marks, 0.5 + sum((1, -2, 3, 0, 1)[mark] for mark in marks) / 64)
    fit = StraightFit(5, 2, 1)
    fit.learn(samples, 0, 0)
    line = fit.weights[0][:, 0] / training.STEEP
    assert line.tolist() == pytest.approx([1 / 16, -2 / 16, 3 / 16, 0, 1 / 16], abs=1e-6)


def test_games_take_the_numbers_of_seats_in_turn() -> None:
    games = training.Games("xanadu", (2, 3), "1", range(2), b"", 0, 1.0)
    found = training.collect(games)
    seats_of = {xanadu_features.rules(seats, False)[0]: seats for seats in (2, 3)}
    seats = [seats_of[feature] for feature in found.features if feature in seats_of]
    assert len(seats) == len(found.results)
    assert seats == sorted(seats)
    assert set(seats) == {2, 3}


def test_a_fit_goes_on_from_weights_that_were_kept() -> None:
    first, second = Fit(30, 4, 1), Fit(30, 4, 2)
    second.load(first.save())
    for one, other in zip(first.weights, second.weights, strict=True):
        assert (one == other).all()
