"""Practice in a real Chromium: a stranger's first minute, and a game that goes on later."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.page.sight import faults
from tests.phone.phone import Phone
from tests.phone.test_practice import SHORT, Player

READY = "body[data-ready] #practise"


HOLD = """() => {
    const post = Worker.prototype.postMessage;
    window.held = [];
    Worker.prototype.postMessage = function (message) {
        if (message.name === "practice_go_on") held.push(() => post.call(this, message));
        else post.call(this, message);
    };
    window.release = () => {
        Worker.prototype.postMessage = post;
        held.forEach((one) => one());
    };
}"""
"""Bots that think for as long as somebody wants."""
HEAR = """() => {
    window.heard = [];
    const status = document.querySelector("#status");
    new MutationObserver(() => heard.push(status.innerText)).observe(status, { childList: true });
}"""
"""All that is said of what the app does."""


def answer(phone: Phone, chance: random.Random) -> str:
    """Play something, and wait until it is one's turn again or the game is over."""
    play = phone.compose(chance)
    before = phone.page.inner_text(".strip p")
    phone.page.click("#sign")
    phone.page.wait_for_function(
        "before => { const one = document.querySelector('.strip p');"
        " return one && one.innerText !== before"
        " && !document.querySelector('#status').innerText; }",
        arg=before,
    )
    return play


def test_one_tap_begins_a_game_that_goes_on_later(phones: Callable[..., Phone]) -> None:
    phone = phones()
    page = phone.page
    page.click("text=Play a practice game")
    page.wait_for_selector("iframe")
    expect(page.locator("#heading")).to_have_text("Practice: San Juan")
    expect(page.locator(".lessons h3").first).to_be_visible()
    assert faults(page) == []
    page.click("#lessons-read")
    expect(page.locator(".lessons")).to_have_count(0)
    page.click("#hint")
    expect(page.locator("#status")).to_contain_text("would play: ")
    chance = random.Random(1)
    answer(phone, chance)
    state = page.inner_text(".strip p")
    page.reload()
    page.wait_for_selector(READY)
    page.click("[data-game]")
    page.wait_for_selector("iframe")
    assert page.inner_text(".strip p") == state
    answer(phone, chance)
    assert page.inner_text(".strip p") != state


def test_rules_and_bots_are_chosen_in_both_languages(phones: Callable[..., Phone]) -> None:
    phone = phones(scheme="dark")
    page = phone.page
    page.click("text=Choose rules and bots")
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("combobox", name="Game", exact=True).select_option("xanadu")
    page.get_by_role("combobox", name="The bots").select_option("each")
    page.get_by_role("combobox", name="carla").select_option("hard")
    # What was put in stays as the language changes.
    page.select_option("#language", "de")
    expect(page.get_by_role("combobox", name="Die Bots")).to_have_value("each")
    assert page.get_by_role("combobox", name="Spiel", exact=True).input_value() == "xanadu"
    assert page.get_by_role("combobox", name="carla").input_value() == "hard"
    page.get_by_label("für Fortgeschrittene").check()
    page.get_by_role("combobox", name="Spielende, mit dir").select_option("5")
    page.get_by_label("Dein Name am Tisch").fill("Zoë")
    page.get_by_label("Erklären, was zum ersten Mal vorkommt").uncheck()
    page.click("#practice-start")
    said = "Die Regeln für Fortgeschrittene sind für 2 bis 4 Spielende, nicht für 5."
    expect(page.locator("#status")).to_have_text(said)
    page.get_by_role("combobox", name="Spielende, mit dir").select_option("3")
    expect(page.get_by_role("combobox", name="dario")).to_have_count(0)
    page.get_by_role("combobox", name="ben").select_option("medium")
    assert faults(page) == []
    page.get_by_label("Dein Name am Tisch").press("Enter")
    page.wait_for_selector("iframe")
    expect(page.locator("#heading")).to_have_text("Übung: Xanadu")
    expect(page.locator(".lessons")).to_have_count(0)
    phone.home()
    # What is asked is said in the language of the app.
    expect(page.locator("[data-game]")).to_contain_text("Du bist gefragt: die ersten Karten")
    page.select_option("#language", "en")
    page.click("text=Choose rules and bots")
    # What was chosen is offered again.
    assert page.get_by_label("Your name at the table").input_value() == "Zoë"
    assert page.get_by_role("combobox", name="Game", exact=True).input_value() == "xanadu"
    chosen = [page.get_by_role("combobox", name=name).input_value() for name in ("ben", "carla")]
    assert chosen == ["medium", "hard"]


@pytest.mark.parametrize("name", SHORT)
def test_the_end_is_shown_with_scores_and_can_be_audited(
    name: str, phones: Callable[..., Phone]
) -> None:
    player, chance = Player(**SHORT[name]), random.Random(name)
    before = dict(player.kept)
    while player.kept["status"] == "playing":
        before = dict(player.kept)
        player.play(chance)
    phone = phones()
    page = phone.page
    record = {key: before[key] for key in ("game", "text", "step", "head", "title")}
    keys = {"openssh": before["key"], "hex": before["hex"], "referee": before["referee"]}
    record["practice"] = {**keys, "wanted": SHORT[name], "lessons": False}
    page.evaluate(
        """record => new Promise((resolve, reject) => {
            const opening = indexedDB.open("sanjuan-ref", 1);
            opening.onsuccess = () => {
                const change = opening.result.transaction("games", "readwrite");
                change.objectStore("games").put(record);
                change.oncomplete = resolve;
                change.onerror = reject;
            };
        })""",
        record,
    )
    page.reload()
    page.wait_for_selector(READY)
    page.click("[data-game]")
    page.wait_for_selector("iframe")
    while not page.is_visible("#again"):
        answer(phone, chance)
    assert phone.frame.locator("table").count() > 0
    page.evaluate(HEAR)
    page.click("#review")
    page.wait_for_selector("#review", state="detached", timeout=120_000)
    expect(phone.frame.locator("[data-mark]").first).to_be_visible()
    assert any("Looking at decision 2 of" in said for said in page.evaluate("heard"))
    page.click("text=Audit")
    page.wait_for_selector("#checked")
    expect(page.locator("#checked")).to_contain_text("answers of bots")
    page.click("text=To the table")
    page.click("#again")
    page.wait_for_selector("#hint")
    phone.home()
    expect(page.locator("[data-game]")).to_have_count(2)


def test_bots_think_while_the_page_lives(phones: Callable[..., Phone]) -> None:
    """The page answers taps meanwhile, says who is to answer, and may leave the table."""
    phone = phones()
    page = phone.page
    wanted = json.dumps({"game": "sanjuan", "seats": 3, "levels": ["expert"]})
    page.evaluate("wanted => localStorage.setItem('practice', wanted)", wanted)
    page.click("text=Choose rules and bots")
    page.click("#practice-start")
    page.wait_for_selector("iframe")
    page.wait_for_selector("#hint")
    page.evaluate(HOLD)
    # After some answers the next question is one's own.
    while not page.evaluate("held.length"):
        phone.compose(random.Random(1))
        before = page.inner_text(".strip p")
        page.click("#sign")
        page.wait_for_function(
            "before => held.length || document.querySelector('.strip p')?.innerText !== before",
            arg=before,
        )
    expect(page.locator("#status")).to_contain_text("to answer, after step")
    page.click("#back")
    expect(page.locator("#heading")).to_have_text("Your games")
    page.click("[data-game]")
    page.wait_for_selector("iframe")
    assert not page.is_visible("#hint")
    page.evaluate("release()")
    page.wait_for_selector("#hint", timeout=240_000)
