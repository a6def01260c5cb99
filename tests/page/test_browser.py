"""Pages in a real Chromium: how they read, step, compose, and that they are accessible."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from referee.games import GAMES, rules_of
from referee.games.board import Board, Building
from referee.games.values import Choice, Phrase
from referee.render.page.draw import card, token
from referee.render.page.model import Model, model_of
from referee.render.page.write import page as write
from tests.cli.world import text_of
from tests.page.sight import DESKTOP, PHONE, Sight, faults, said
from tests.page.test_page import hand_of
from tests.page.worlds import COMMAND, Asked, all_kinds, game_of
from tests.table.tables import Table, load

SIZES = {"desktop": DESKTOP, "phone": PHONE}
KINDS = [kind for game in GAMES for kind in rules_of(game).kinds]


EVERY_STEP = """() => {
    const next = document.querySelector("#next"), found = [];
    for (;;) {
        const sides = [...document.querySelectorAll(".side")].map(side =>
            [...side.querySelectorAll("[data-plot]")].map(one =>
                [+one.dataset.plot, one.dataset.card, one.querySelectorAll("use").length]));
        found.push([document.querySelector("#now").innerText, sides]);
        if (next.disabled) return found;
        next.click();
    }
}"""
"""The text and the buildings at each step from here to the last."""


@cache
def finished() -> Model:
    return model_of(game_of("finished"), None)


@cache
def ended() -> Model:
    """A short game, with all that the page of a finished one has."""
    rules = rules_of("sanjuan").choose(None, [], [], {"round_limit": "4"})
    return model_of(Table(4, "ended", rules=rules).join_all().rush().file, None)


@pytest.mark.parametrize("size", SIZES)
def test_a_finished_game_is_stepped_through(sight: Sight, size: str) -> None:
    model = finished()
    page = sight.open(write(model), SIZES[size])
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    page.click("#first")
    page.click("#next")
    assert f"Step 2 of {len(model.boards)}" in page.inner_text("#now")
    page.click("#first")
    # All others in the page itself, as each click from outside waits for a frame.
    for step, (board, (text, shown)) in enumerate(
        zip(model.boards, page.evaluate(EVERY_STEP), strict=True), 1
    ):
        assert f"Step {step} of {len(model.boards)}" in text
        # Whoever sees the table sees each building, with its good.
        assert shown == [
            [[one.plot, one.card, 1 + (one.room == 1)] for one in place.city]
            for place in board.places
        ]
    assert page.is_disabled("#next")
    assert "winner" in page.inner_text("#board")


def test_the_script_draws_the_table_that_was_there_before_it(sight: Sight) -> None:
    for model in (finished(), all_kinds()["turn"].model, all_kinds()["build"].model):
        page = sight.open(write(model))
        before = page.inner_html("#board")
        page.select_option("#language", "de")
        assert page.inner_html("#board") != before
        page.select_option("#language", "en")
        assert page.inner_html("#board") == before


def test_both_languages_say_all_that_the_other_says(sight: Sight) -> None:
    for model in (finished(), all_kinds()["build"].model):
        german = sight.open(write(model, "de"))
        page = sight.open(write(model))
        page.select_option("#language", "de")
        assert page.get_attribute("html", "lang") == "de"
        names = ("#board", "#timeline", "#hand", "#play", ".top", "footer")
        for name in names:
            if page.query_selector(name):
                assert page.inner_text(name) == german.inner_text(name), name
        assert page.inner_html(".defs") == german.inner_html(".defs")


def test_keys_step_and_the_slider_too(sight: Sight) -> None:
    page = sight.open(write(finished()))
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert "Step 2 of" in page.inner_text("#now")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert "Step 166 of" in page.inner_text("#now")
    page.focus("#slider")
    page.keyboard.press("ArrowLeft")
    assert "Step 165 of" in page.inner_text("#now")
    page.click("[data-step='40']")
    assert page.get_attribute("[data-step='40']", "aria-current") == "step"
    page.focus("#run")
    page.keyboard.press("Enter")
    expect(page.locator("#now")).to_contain_text("Step 41 of")
    page.keyboard.press("Enter")
    assert page.get_attribute("#run", "aria-label") == "Play"


def test_a_card_is_told_when_it_is_tapped(sight: Sight) -> None:
    page = sight.open(write(finished()), PHONE)
    page.tap("[data-card='carpenter']")
    said = page.inner_text("#detail")
    assert "Carpenter" in said
    assert "cost 3 · points 2" in said
    assert "you draw a card" in said
    page.keyboard.press("Escape")
    assert not page.is_visible("#detail")
    page.focus("[data-card='chapel']")
    page.keyboard.press("Enter")
    assert page.is_visible("#detail")
    assert faults(page) == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_nothing_to_say(sight: Sight, size: str, scheme: str) -> None:
    code = "en" if size == "phone" else "de"
    page = sight.open(write(ended(), code), SIZES[size], scheme)
    assert faults(page) == []
    # In the colours that the reader chooses, too.
    for _ in range(2 if scheme == "light" else 1):
        page.click("#theme")
    assert faults(page) == []
    for kind in ("build", "turn") if size == "phone" else ("sell",):
        page = sight.open(all_kinds()[kind].text, SIZES[size], scheme)
        page.click("[data-choice]")
        assert faults(page) == []


def test_who_took_a_role_the_last_prices_and_what_lies_under_a_card_are_there(
    sight: Sight,
) -> None:
    page = sight.open(write(finished()), PHONE)
    rows = [one.replace("\n", " ") for one in page.locator("#board .row").all_inner_texts()]
    assert rows[0].startswith("Roles builder dora producer trader")
    assert re.fullmatch(r"Last prices indigo \d sugar \d tobacco \d coffee \d silver \d", rows[1])
    boards = finished().boards
    seat, now = next(
        (place.seat, one) for place in boards[-1].places for one in place.city if one.under > 1
    )
    chapel = page.locator(f"[data-seat='{seat}'][data-plot='{now.plot}']")
    assert chapel.inner_text() == f"{now.plot} · +{now.under}"
    assert f"cards under it: {now.under}" in (chapel.get_attribute("aria-label") or "")
    chapel.tap()
    assert f"cards under it: {now.under}" in page.inner_text("#detail-facts")
    page.keyboard.press("Escape")
    before = max(step for step, board in enumerate(boards, 1) if _under(board, seat, now) == 1)
    page.click(f"[data-step='{before + 1}']")
    page.click("#previous")
    assert chapel.inner_text() == f"{now.plot} · +1"


def _under(board: Board, seat: str, building: Building) -> int:
    """The number of cards under a building on an earlier table."""
    place = next(place for place in board.places if place.seat == seat)
    return next((one.under for one in place.city if one.plot == building.plot), 0)


def test_a_finished_game_has_its_score_sheet(sight: Sight) -> None:
    model = finished()
    page = sight.open(write(model))
    cells = "[...document.querySelectorAll('#score tr')].map(row => row.innerText.split('\\t'))"
    head, *rows = page.evaluate(cells)
    assert head[1:] == [one.seat for one in model.sheets] == ["ana", "ben", "carl", "dora"]
    parts = [dict(one.parts) for one in model.sheets]
    for label in ("buildings", "under chapel"):
        cells_ = [str(one.get(label) or "-") for one in parts]
        assert [label.title(), *cells_] in rows
    ties = [str(one.tie[1]) for one in model.sheets if one.tie]
    assert rows[-2:] == [
        ["Points", *(str(one.points) for one in model.sheets)],
        ["Cards and goods", *ties],
    ]
    page.select_option("#language", "de")
    assert "Unter: Kapelle" in [row[0] for row in page.evaluate(cells)]
    assert page.inner_text("#score") == sight.open(write(model, "de")).inner_text("#score")
    for name in ("build", "turn"):
        assert 'id="score"' not in all_kinds()[name].text


@pytest.mark.parametrize("wide", [360, PHONE[0]])
def test_a_long_step_is_read_whole_on_the_phone(sight: Sight, wide: int) -> None:
    page = sight.open(write(finished()), (wide, 780))
    left = page.evaluate(
        "(one => one.scrollHeight - one.clientHeight)(document.getElementById('now'))"
    )
    assert left <= 1
    # The buttons stay where the thumb is, however long the text above them.
    places = []
    for button in ("first", "last"):
        page.click(f"#{button}")
        places.append(page.locator("#next").bounding_box())
    assert places[0] == places[1]


def test_without_scripts_the_table_is_there(sight: Sight) -> None:
    page = sight.open(write(finished()), script=False)
    best = max(one.points for one in finished().sheets)
    assert f"{best} points" in page.inner_text("#board").replace("\n", " ")
    assert page.locator("#steps li").count() == len(finished().boards)
    assert not page.is_visible("#controls")
    built = finished().boards[-1].places[0].city[0].card
    assert page.is_visible(f"[data-card='{built}'] svg")


def compose(page: Page, asked: Asked, number: int, choice: Choice) -> str:
    """Choose an answer, and tap cards and buildings until its command is there."""
    if page.is_visible("#other"):
        page.click("#other")
    answer = f"main [data-choice='{number}']"
    if number and choice.exact:
        # A click from outside waits for the page to be drawn.
        page.eval_on_selector(answer, "one => one.click()")
        return page.inner_text("#command")
    page.click(answer)
    page.click("#clear", force=True) if page.is_visible("#clear") else None
    hand = [one.letter for one in sorted(asked.view.hand, key=lambda one: one.letter)]
    words = choice.play.replace("[", "").replace("]", "").split(" ")
    named = words[1] if words[0] == "build" else ""
    # The card that is built does not pay for itself.
    held = {one.letter: one.name for one in asked.view.hand}
    spare = [letter for letter in hand if held[letter] != named]
    spare += [letter for letter in hand if held[letter] == named][1:]
    for word in words:
        if word.startswith(("LETTER", "CARD")):
            page.click(f"#hand [data-letter='{spare.pop(0)}']")
        elif word.startswith("PLOT"):
            page.click(f"#board [data-seat='{asked.view.seat}'][data-plot]")
    return page.inner_text("#command")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_play_is_composed(sight: Sight, kind: str) -> None:
    asked = all_kinds()[kind]
    page = sight.open(asked.text, PHONE if len(kind) % 2 else DESKTOP)
    choices = asked.view.choices()
    assert page.locator("[data-choice]").count() == len(choices)
    for number, choice in enumerate(choices):
        command = compose(page, asked, number, choice)
        if choice.exact:
            play = asked.view.read("", said(command, COMMAND))
            assert play == asked.view.read(choice.play)
        elif page.is_enabled("#copy"):
            # What it stands for may still be illegal, which `move` says; but it can be read.
            said(command, COMMAND)
        else:
            assert "…" in command
            assert page.inner_text("#missing")
        assert command.endswith((" --key ana.key", " …"))


def test_cards_are_tapped_and_taken_back(sight: Sight) -> None:
    asked = all_kinds()["build"]
    page = sight.open(asked.text)
    number, choice = next(
        (at, one)
        for at, one in enumerate(asked.view.choices())
        if not one.exact and one.play.endswith("pay LETTER LETTER")
    )
    command = compose(page, asked, number, choice)
    assert asked.view.read("", said(command, COMMAND)).startswith(choice.play[:9])
    tapped = page.locator("#hand [aria-pressed='true']")
    assert tapped.count() == 2
    tapped.first.click()
    assert page.is_disabled("#copy")
    assert "a card of your hand" in page.inner_text("#missing")
    page.click("#clear")
    assert page.locator("#hand [aria-pressed='true']").count() == 0


def test_a_turn_of_several_parts_is_composed(sight: Sight) -> None:
    asked = all_kinds()["turn"]
    page = sight.open(asked.text)
    at = next(i for i, one in enumerate(asked.view.choices()) if "SEAT" in one.play)
    page.click(f"[data-choice='{at}']")
    letters = sorted(one.letter for one in asked.view.hand)
    other = page.locator("#board [data-plot]").last
    page.click("[data-slot='1']")
    page.click(f"#hand [data-letter='{letters[0]}']")
    other.click()
    page.click("[data-add='work']")
    page.click(f"#hand [data-letter='{letters[1]}']")
    other.click()
    seat, plot = other.get_attribute("data-seat"), other.get_attribute("data-plot")
    assert said(page.inner_text("#command"), COMMAND) == [
        Phrase("work", f"{letter} {seat} {plot}") for letter in letters[:2]
    ]


def test_the_command_is_copied(sight: Sight) -> None:
    page = sight.open(all_kinds()["role"].text)
    sight.contexts[-1].grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("[data-choice='0']")
    page.click("#copy")
    expect(page.locator("#copy")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.inner_text("#command")
    # What is to be done with it is said in the bar, and for a phone below the command.
    assert page.inner_text("#missing").startswith("Paste it into a terminal")
    assert "If this is a phone, send the command to yourself" in page.inner_text(".command .hint")
    page.select_option("#language", "de")
    assert "schicke den Befehl erst an dich selbst" in page.inner_text(".command .hint")


def test_a_role_says_what_it_does_for_all_and_for_its_chooser(sight: Sight) -> None:
    page = sight.open(all_kinds()["role"].text, PHONE)
    roles = page.locator("main [data-choice]", has_text="Builder").first
    assert "all may build; you pay 1 less" in roles.inner_text()
    page.select_option("#language", "de")
    roles = page.locator("main [data-choice]", has_text="Baumeister").first
    assert "alle dürfen bauen; du zahlst 1 weniger" in roles.inner_text()


def test_the_card_that_is_built_does_not_pay_for_itself(sight: Sight) -> None:
    asked = all_kinds()["build"]
    held = [one.name for one in asked.view.hand]
    number, name = next(
        (at, one.play.split(" ")[1])
        for at, one in enumerate(asked.view.choices())
        if "LETTER" in one.play and held.count(one.play.split(" ")[1]) == 1
    )
    page = sight.open(asked.text)
    page.click(f"[data-choice='{number}']")
    page.click(f"#hand [data-card='{name}']")
    assert page.inner_text("#missing") == "This is the card that you build."
    assert page.is_disabled("#copy")
    assert page.locator("#hand [aria-pressed='true']").count() == 0


def test_what_is_put_away_is_said_in_every_language(sight: Sight) -> None:
    file = game_of("finished")
    hand = hand_of(file, "ana")
    assert hand.tucked
    page = sight.open(write(model_of(file, hand)))
    german = sight.open(write(model_of(file, hand), "de"))
    page.select_option("#language", "de")
    assert page.inner_text(".tucked") == german.inner_text(".tucked")
    assert "unter Bauplatz" in page.inner_text(".tucked")


def test_a_card_of_xanadu_shows_its_cost_and_fields(sight: Sight) -> None:
    asked = all_kinds()["turn"]
    faces = asked.model.faces
    page = sight.open(asked.text, PHONE)
    for name in {one.name for one in asked.view.hand}:
        face = faces[name]
        signs = [*face.needs, *face.gives]
        signs += [one for field in face.fields for one in (*field.gains, *field.favour)]
        drawn = page.locator(f"#c-{name} use").evaluate_all(
            "all => all.map(one => one.getAttribute('href').slice(3))"
        )
        assert sorted(drawn) == sorted(signs)
        prices = page.locator(f"#c-{name} g text").all_text_contents()
        assert prices == [*(field.price for field in face.fields), face.last]
        page.tap(f"#hand [data-card='{name}']")
        told = page.locator("#detail-text li").all_inner_texts()
        assert told == asked.model.rules.text_lines(name, "en")
        assert len(told) >= 6
        page.keyboard.press("Escape")
    assert faults(page) == []


def test_workers_cover_the_fields_of_a_building(sight: Sight) -> None:
    model = model_of(load(text_of("xanadu")), None)
    crews = {
        (place.seat, str(one.plot)): one.tokens
        for place in model.boards[-1].places
        for one in place.city
    }
    assert any(crews.values())
    page = sight.open(write(model))
    for _ in range(2):
        for (seat, plot), crew in crews.items():
            building = page.locator(f"#board [data-seat='{seat}'][data-plot='{plot}']")
            uses = building.locator("use").evaluate_all("all => all.map(one => one.href.baseVal)")
            assert uses[1:] == ([f"#k-{crew}"] if crew else [])
        page.select_option("#language", "de")


def test_a_card_without_a_pictogram_shows_its_initials() -> None:
    face = all_kinds()["turn"].model.faces["tea-house"]
    drawn = card(face, None, "Tea House")
    assert ">TH<" in drawn
    assert "NaN" not in drawn
    assert ">qu<" in token("quartz", None)


class Box(NamedTuple):
    """The place of an element in the window."""

    left: float
    top: float
    right: float
    bottom: float


def box(page: Page, name: str) -> Box:
    found = page.locator(name).bounding_box()
    assert found, name
    left, top = found["x"], found["y"]
    return Box(left, top, left + found["width"], top + found["height"])


def in_sight(page: Page, size: tuple[int, int], *names: str) -> bool:
    """Return True if all of these elements can be seen as a whole."""
    found = [box(page, name) for name in names]
    return all(one.top >= 0 and one.bottom <= size[1] + 1 for one in found)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["build", "turn", "tidy", "role"])
def test_what_is_chosen_and_the_button_stay_in_sight(sight: Sight, kind: str, size: str) -> None:
    asked = all_kinds()[kind]
    page = sight.open(asked.text, SIZES[size])
    at = next((i for i, one in enumerate(asked.view.choices()) if not one.exact), 0)
    page.click(f"main [data-choice='{at}']")
    stepper = ("#previous", "#next", "#now") if size == "phone" else ()
    for share in (0, 0.3, 0.6, 1):
        page.evaluate(f"scrollTo(0, {share} * document.body.scrollHeight)")
        assert in_sight(page, SIZES[size], "#chosen", "#copy", *stepper), share
    if stepper:
        bar = box(page, "#bar")
        assert bar.bottom <= box(page, "#now").top + 1
        assert bar.bottom - bar.top < 110


@pytest.mark.parametrize("kind", ["build", "turn"])
def test_table_hand_and_answers_are_seen_together(sight: Sight, kind: str) -> None:
    page = sight.open(all_kinds()[kind].text, DESKTOP)
    first = "#board .side:first-child header"
    assert in_sight(page, DESKTOP, "#table-h", first, "#held", "#asked", "#bar")
    table, hand = box(page, "#table"), box(page, "#hand")
    assert table.right <= hand.left
    assert table.top == hand.top


def test_on_the_phone_the_hand_is_where_it_is_needed(sight: Sight) -> None:
    """After an answer is chosen far down, the cards to tap are in sight, and so is the button."""
    asked = all_kinds()["build"]
    page = sight.open(asked.text, PHONE)
    at = max(i for i, one in enumerate(asked.view.choices()) if not one.exact)
    page.click(f"main [data-choice='{at}']")
    assert in_sight(page, PHONE, "#held li:first-child", "#copy")
    # The other answers make room, and come back.
    assert page.locator("main [data-choice]:visible").count() == 1
    page.click("#other")
    assert page.locator("main [data-choice]:visible").count() == len(asked.view.choices())
    assert page.inner_text("#chosen").startswith("Choose one")


def test_a_card_is_built_from_its_explanation(sight: Sight) -> None:
    asked = all_kinds()["build"]
    at, choice = next(
        (i, one) for i, one in enumerate(asked.view.choices()) if one.play.startswith("build ")
    )
    name = choice.play.split(" ")[1]
    page = sight.open(asked.text, PHONE)
    page.tap(f"#held [data-card='{name}']")
    title = page.inner_text(f"main [data-choice='{at}'] b")
    page.get_by_role("dialog").get_by_role("button", name=title, exact=True).click()
    assert not page.is_visible("#detail")
    assert page.get_attribute(f"main [data-choice='{at}']", "aria-pressed") == "true"


def test_an_answer_is_said_as_it_grows(sight: Sight) -> None:
    asked = all_kinds()["build"]
    at, choice = next(
        (i, one)
        for i, one in enumerate(asked.view.choices())
        if not one.exact and one.play.count("LETTER") == 1
    )
    name = choice.play.split(" ")[1]
    other = next(one for one in asked.view.hand if one.name != name)
    page = sight.open(asked.text)
    page.click(f"main [data-choice='{at}']")
    english, german = (asked.model.languages[code] for code in ("en", "de"))
    assert page.inner_text("#chosen") == f"Build {english.word(name)}, pay ▢"
    page.click(f"#hand [data-letter='{other.letter}']")
    paid = f"Build {english.word(name)}, pay {english.word(other.name)}"
    assert page.inner_text("#chosen") == paid
    page.select_option("#language", "de")
    paid = f"{german.word(name)} bauen, dafür {german.word(other.name)}"
    assert page.inner_text("#chosen") == paid
