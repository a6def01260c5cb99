"""Decisions that mattered most, as a page tells them, and marks them in timeline and charts."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from referee.bots.judging import Judgement
from referee.bots.plain import RandomPlayer
from referee.games import GAMES, rules_of
from referee.playing.reviewing import MOST, Reviewed, decisions_of, mattered_most
from referee.render.page.draw import chart
from referee.render.page.model import Model, model_of
from referee.render.page.write import page as write
from tests.cli.world import lay_out
from tests.mail.office import run
from tests.page.sight import DESKTOP, PHONE, Sight, faults
from tests.page.test_page import NASTY
from tests.page.worlds import game_of
from tests.table.tables import Table


@cache
def marked(game: str, seats: int = 2) -> tuple[Model, dict[str, list[Reviewed]]]:
    """The page of a finished game in which some other play is called better."""
    rules = rules_of(game).choose(None, [], [], {})
    file = Table(seats, f"marked {game}", rules=rules).join_all().rush().file
    reviews: dict[str, list[Reviewed]] = {}
    for seat in file.seating:
        found = []
        for number, made in enumerate(decisions_of(file, seat)):
            better = RandomPlayer().answer(made.view, made.decision.encode())
            loss = (0.1, 0.014, 0.001, 0.0)[number % 4] if better != made.play else 0.0
            found.append(Reviewed(made, Judgement(better, loss)))
        reviews[seat] = mattered_most(found)
    reviews[file.seating[-1]] = []
    return model_of(file, None, reviews=reviews), reviews


def test_the_worst_come_first_and_no_more_than_a_few() -> None:
    file = game_of("finished")
    made = decisions_of(file, "ana")[:9]
    losses = (0.0, 0.1, 0.3, 0.1, 0.2, 0.0, 0.01, 0.02, 0.03)
    found = [Reviewed(one, Judgement("", loss)) for one, loss in zip(made, losses, strict=True)]
    most = mattered_most(found)
    assert len(most) == MOST
    assert [one.judgement.loss for one in most] == [0.3, 0.2, 0.1, 0.1, 0.03]
    assert most[2].made.step < most[3].made.step
    assert mattered_most(found[:1]) == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_they_are_told_marked_and_accessible(
    sight: Sight, game: str, size: tuple[int, int]
) -> None:
    model, reviews = marked(game)
    code = "de" if size == PHONE else "en"
    page = sight.open(write(model, code), size)
    steps = [one.made.step for found in reviews.values() for one in found]
    assert len(steps) == MOST
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    buttons = page.locator("#marks button")
    assert [int(one.get_attribute("data-go") or 0) for one in buttons.all()] == steps
    for number, step in enumerate(steps, 1):
        said = "Wendepunkt" if code == "de" else "turning point"
        assert page.inner_text(f"[data-step='{step}'] .turn") == f"{said} {number}"
    assert page.locator("#steps .turn").count() == len(steps)
    # Each chart has every number, on the line of its seat.
    for drawn in page.locator(".chart").all():
        said = " ".join(drawn.locator("text.turn").all_text_contents())
        assert sorted(map(int, re.findall(r"\d+", said))) == list(range(1, MOST + 1))
        assert drawn.locator("rect.turn.s0").count() == drawn.locator("rect.turn").count()
    # By keyboard, and the table of that step is in sight.
    buttons.nth(2).focus()
    page.keyboard.press("Enter")
    assert page.get_attribute(f"[data-step='{steps[2]}']", "aria-current") == "step"
    assert page.evaluate(
        "(box => box.top < innerHeight && box.bottom > 0)"
        "(document.querySelector('#board').getBoundingClientRect())"
    )
    assert faults(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_what_is_said_of_them_is_said_in_every_language(sight: Sight, game: str) -> None:
    model, reviews = marked(game)
    page = sight.open(write(model))
    english = page.inner_text("#marks")
    assert "That wins about 10 more of 100 games." in english
    idle = next(seat for seat, found in reviews.items() if not found)
    assert f"In no decision of {idle}" in english
    # Cards and buildings have their names, and not the letters of plays.
    for line in re.findall("Played: (.*?)\\. The bot: (.*?)\\. That", english):
        for said in line:
            assert not re.search(r"(?<!')\b[a-z]\b", said), said
            assert "-" not in said, said
    page.select_option("#language", "de")
    german = page.inner_text("#marks")
    assert german != english
    assert german == sight.open(write(model, "de")).inner_text("#marks")
    assert page.inner_text("#steps") == sight.open(write(model, "de")).inner_text("#steps")
    page.select_option("#language", "en")
    assert page.inner_text("#marks") == english


def test_without_a_script_they_stand_there_too(sight: Sight) -> None:
    model, _ = marked("sanjuan")
    page = sight.open(write(model), script=False)
    assert page.locator("#marks li").count() == MOST
    assert "Played:" in page.inner_text("#marks")


def test_nothing_in_them_is_markup() -> None:
    file = game_of("finished")
    made = decisions_of(file, "ana")[0]
    nasty = made._replace(play=f"keep {NASTY}")
    found = [Reviewed(nasty, Judgement(f"build {NASTY} pay {NASTY}", 0.5))]
    text = write(model_of(file, None, reviews={"ana": found}))
    assert "<script>alert" not in text
    assert "<img" not in text


def test_a_page_is_marked_by_a_command(workplace: Path) -> None:
    lay_out(workplace, "finished")
    plain = run("page", "game.toml", "-o", "plain.html", "--public")
    done = run("page", "game.toml", "-o", "a.html", "--public", "--review", "ana")
    assert (plain.code, done.code) == (0, 0)
    text = Path("a.html").read_text()
    assert 'id="marks"' in text
    assert 'id="marks"' not in Path("plain.html").read_text()
    # The same that `review` tells, the first of it first.
    told = run("review", "game.toml", "--seat", "ana").out
    steps = re.findall(r"\(step (\d+)\)", told)
    assert re.findall('data-go="(\\d+)"', text) == steps
    for words, code, said in (
        (["--review", "zoe"], 12, "no seat"),
        (["--review", "ana", "--image", "a.svg"], 2, "not in a picture"),
    ):
        wrong = run("page", "game.toml", *words)
        assert (wrong.code, said in wrong.err) == (code, True), wrong.err


def test_before_the_end_no_page_looks_back(workplace: Path) -> None:
    lay_out(workplace, "building")
    done = run("page", "game.toml", "--review", "ana")
    assert (done.code, "not over" in done.err) == (11, True)
    assert not Path("game.html").exists()


def test_no_mark_lies_on_another() -> None:
    """However many rounds there are, and however close the lines lie."""
    rounds = list(range(1, 53))
    series = {"ana": [0] * 52, "ben": [1] * 52, "carl": list(range(52))}
    marks = {name: {number: str(number) for number in range(1, 6)} for name in series}
    marks["carl"] = {1: "1, 4", 2: "2", 52: "3", 51: "5"}
    text = chart(rounds, series, "", marks)
    frames = [
        tuple(map(float, found))
        for found in re.findall('<rect class="turn[^>]* x="(.*?)" y="(.*?)" width="(.*?)"', text)
    ]
    assert len(frames) == 14
    for at, (x, y, wide) in enumerate(frames):
        assert 0 <= y <= 182 - 16
        for other, high, width in frames[:at]:
            assert x + wide <= other or other + width <= x or abs(y - high) >= 16
