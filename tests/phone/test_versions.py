"""The app on a device: without a network, with one that breaks, and when there is a new version."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, Route, expect

from tests.cli.world import text_of
from tests.phone.host import Host
from tests.phone.phone import HOME, READY, Phone
from tests.phone.test_app import by, do, joined

ROOT = Path(__file__).parents[2]
CONTROLLED = "() => navigator.serviceWorker.controller"
VERSIONS = "() => caches.keys().then(all => all.filter(one => one.startsWith('app-')).length)"
LISTED = "() => import('./program.js').then(({ ask }) => ask('listed', { keys: [], games: {} }))"
STYLE = "() => fetch('app.css').then(found => found.text())"
UPDATE = """() => navigator.serviceWorker.getRegistration().then(found => new Promise(resolve => {
    found.onupdatefound = () => {
        const one = found.installing;
        one.onstatechange = () => resolve(one.state);
    };
    found.update();
}))"""
"""Looks for a new version, and says how far it came."""


@pytest.fixture
def host(site: Path, tmp_path: Path) -> Host:
    return Host(site, tmp_path)


@pytest.fixture
def contexts(chromium: Browser) -> Iterator[list[Phone]]:
    """Phones to be closed afterwards."""
    made: list[Phone] = []
    yield made
    for one in made:
        one.close()


def installed(chromium: Browser, address: str, made: list[Phone]) -> Phone:
    """A phone that has all of the app."""
    made.append(Phone(chromium, address))
    made[-1].page.wait_for_function(CONTROLLED)
    return made[-1]


def test_all_of_it_works_without_a_network_after_the_first_visit(
    chromium: Browser, host: Host, contexts: list[Phone], workplace: Path
) -> None:
    with host.serving() as address:
        phone = installed(chromium, address, contexts)
        game = joined(workplace, phone)
    # The server is gone.
    page = phone.page
    page.reload()
    page.wait_for_selector(HOME, timeout=120_000)
    page.select_option("#language", "de")
    expect(page.locator("#heading")).to_have_text("Deine Spiele")
    page.select_option("#language", "en")
    page.click("[data-game]")
    note = workplace / "ana.move"
    note.write_text(phone.answer(random.Random(3)))
    do("apply", game, note, *by(workplace))
    phone.open(game.read_bytes())
    page.click("text=Check")
    expect(page.locator("#checked li").first).to_contain_text("the referee has signed this file")
    phone.open((ROOT / "examples" / "finished" / "game.toml").read_bytes())
    page.click("text=Audit")
    expect(page.locator("#conclusion")).to_contain_text("every play was legal")
    phone.home()
    page.click("#keys")
    page.click("text=Make a key")
    expect(page.locator("details")).to_have_count(2)
    page.goto(f"{address}selftest.html")
    expect(page.locator("#result")).to_have_text("This device plays.", timeout=120_000)


def test_a_new_version_is_offered_and_not_taken_silently(
    chromium: Browser, host: Host, contexts: list[Phone]
) -> None:
    with host.serving() as address:
        phone = installed(chromium, address, contexts)
        host.publish("app.css", "/* newer */")
        page = phone.page
        assert page.evaluate(UPDATE) == "installed"
        expect(page.locator("#update")).to_contain_text("A new version is there")
        assert page.evaluate(VERSIONS) == 2
        # A browser changes to it once no page has the old one. The app does not.
        page.close()
        page = phone.tab()
        active = "() => navigator.serviceWorker.getRegistration().then(one => !one.waiting)"
        assert page.evaluate(active)
        expect(page.locator("#update")).to_contain_text("A new version is there")
        assert "newer" not in page.evaluate(STYLE)
        take(page)
        assert "newer" in page.evaluate(STYLE)
        # What is taken while the old one is open is there at once, too.
        host.publish("app.css", "/* newest */")
        assert page.evaluate(UPDATE) == "installed"
        take(page)
        assert "newest" in page.evaluate(STYLE)


def take(page: Page) -> None:
    with page.expect_navigation():
        page.click("text=Use it now")
    page.wait_for_selector(HOME, timeout=120_000)
    page.wait_for_function(VERSIONS.replace(".length)", ".length === 1)"))
    assert page.is_hidden("#update")


def test_a_version_whose_files_are_not_what_it_says_is_not_offered(
    chromium: Browser, host: Host, contexts: list[Phone]
) -> None:
    with host.serving() as address:
        phone = installed(chromium, address, contexts)
        host.lie("app.js", "app.css")
        assert phone.page.evaluate(UPDATE) == "redundant"
        assert phone.page.is_hidden("#update")


def test_a_network_that_breaks_in_the_middle_leaves_nothing_half_there(
    chromium: Browser, host: Host, contexts: list[Phone]
) -> None:
    host.broken.add("referee.zip")
    with host.serving() as address:
        contexts.append(Phone(chromium, address, ready="#status.wrong"))
        page = contexts[0].page
        assert "The app cannot start here" in page.inner_text("#status")
        # Its worker, too, comes to the file that breaks, and gives up.
        for _ in range(2400):
            if host.asked.count("referee.zip") == 2:
                break
            page.wait_for_timeout(50)
        page.wait_for_function(
            "() => navigator.serviceWorker.getRegistration()"
            ".then(one => !one || !(one.installing || one.waiting || one.active))"
        )
        host.broken.clear()
        page.reload()
        page.wait_for_selector(HOME, timeout=120_000)
        page.wait_for_function(CONTROLLED)
        # What had come whole was not fetched again.
        assert host.asked.count("pyodide.asm.wasm") <= 3
        # In the middle of a new version, too, the old one stays.
        host.publish("app.css", "/* newer */")
        host.broken.add("app.css")
        assert page.evaluate(UPDATE) == "redundant"
    page.reload()
    page.wait_for_selector(HOME, timeout=120_000)
    assert "newer" not in page.evaluate(STYLE)


@pytest.mark.parametrize("name", ["pyodide.asm.wasm", "pyodide.asm.mjs", "python_stdlib.zip"])
def test_a_part_that_does_not_come_is_not_waited_for(
    name: str, chromium: Browser, host: Host, contexts: list[Phone]
) -> None:
    host.broken.add(name)
    with host.serving() as address:
        contexts.append(Phone(chromium, address, ready="#status.wrong"))
        page = contexts[0].page
        assert "The app cannot start here" in page.inner_text("#status")
        expect(page.locator("#view button")).to_have_count(0)


@contextmanager
def without(chromium: Browser, host: Host, name: str) -> Iterator[tuple[Page, Callable[[], None]]]:
    """The app on a new phone that waits for one of its files, and what lets the file come."""
    held: list[Route] = []

    def come() -> None:
        assert held
        for one in held:
            one.continue_()

    with host.serving() as address:
        context = chromium.new_context(locale="en-US")
        try:
            context.route(f"**/{name}", lambda one: held.append(one))
            page = context.new_page()
            page.goto(address)
            yield page, come
        finally:
            context.close()


def test_the_first_screen_is_there_before_the_program(chromium: Browser, host: Host) -> None:
    """And what is tapped meanwhile is done once the program is there."""
    with without(chromium, host, "referee.zip") as (page, come):
        page.click("#practise")
        assert page.get_attribute("body", "data-ready") is None
        page.wait_for_function("() => document.querySelector('#practise').disabled")
        come()
        page.wait_for_selector("iframe", timeout=120_000)
        assert page.get_attribute("body", "data-ready") == "yes"


def test_a_file_finds_the_cryptography_there_once_all_is_made_ready(
    chromium: Browser, host: Host
) -> None:
    """And the first screen waits for none of it."""
    with without(chromium, host, "crypto.js") as (page, come):
        page.wait_for_selector(READY, timeout=120_000)
        # It is answered after what was asked before it, unless that waits.
        assert page.evaluate(LISTED) == {"games": []}
        assert page.get_attribute("body", "data-prepared") is None
        come()
        page.wait_for_selector("body[data-prepared]", timeout=120_000)


def test_nothing_is_kept_for_later_before_the_app_is_usable(
    chromium: Browser, host: Host, contexts: list[Phone]
) -> None:
    with host.serving() as address:
        phone = installed(chromium, address, contexts)
        phone.page.close()
        page = phone.context.new_page()
        page.add_init_script(REGISTERING)
        page.goto(address)
        page.wait_for_function("() => 'usable' in window")
        assert page.evaluate("window.usable") == "yes"


REGISTERING = """const prototype = ServiceWorkerContainer.prototype, { register } = prototype;
prototype.register = function (...given) {
    window.usable = document.body.dataset.ready;
    return register.apply(this, given);
};"""
"""Says of the app whether it was usable when it asked for its service worker."""


def test_the_table_beside_the_app_is_offered_as_it_is_now(
    chromium: Browser, host: Host, contexts: list[Phone]
) -> None:
    beside = "text=The table beside this app"
    game = host.folder / "game.toml"
    game.write_text(text_of("dealt"))
    host.broken.add("game.toml")
    with host.serving() as address:
        contexts.append(Phone(chromium, address))
        phone, page = contexts[0], contexts[0].page
        page.wait_for_selector(HOME)
        # A network that breaks in the middle of it holds nothing up.
        page.click("#keys")
        assert "game.toml" in host.asked
        assert page.locator(beside).count() == 0
        host.broken.clear()
        for _ in range(20):
            # A request that was broken off may still be under way.
            phone.home()
            with suppress(Error):
                page.wait_for_selector(beside, timeout=3_000)
                break
        page.click(beside)
        expect(page.locator(".strip").first).to_contain_text("step 1")
        game.write_text(text_of("building"))
        phone.home()
        page.click(beside)
        expect(page.locator("#status")).to_contain_text("The game went on: step 2.")
        page.wait_for_selector("iframe")
        game.write_text(text_of("dealt"))
        phone.home()
        page.click(beside)
        expect(page.locator("[role=alert]")).to_contain_text("older than the one you have")
