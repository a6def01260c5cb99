"""Every screen of the app: accessible, heard once and in order, and large enough for a thumb."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.cli.world import locked, text_of
from tests.page.sight import faults
from tests.phone.phone import Phone
from tests.phone.test_app import EXAMPLE, new_table
from tests.table.tables import key_of

THUMB = 44
"""The least height of what is tapped, in pixels of the page."""
TAPPED = "button, select, .file, textarea, input:not([type=file]):not([type=checkbox])"
SMALL = """([tapped, least]) => [...document.querySelectorAll(tapped)]
    .filter(one => one.checkVisibility() && one.getBoundingClientRect().height < least)
    .map(one => one.outerHTML.slice(0, 120))"""
CONTROLS = ("button", "combobox", "textbox", "checkbox")


def heard(page: Page) -> list[str]:
    """The words of a screen reader for a screen, from its beginning to its end."""
    said = []
    for line in page.locator("body").aria_snapshot().splitlines():
        words = line.strip().removeprefix("- ").removesuffix(":")
        if words and not words.startswith(("option", "/")):
            said.append(words)
    return said


def name_of(words: str) -> str:
    """The words for one thing, without its kind and state."""
    kind, _, rest = words.partition(" ")
    if kind.rstrip(":") in ("text", "paragraph", "listitem", "status", "code"):
        return rest.strip('"')
    return rest.partition('"')[2].rpartition('"')[0]


def screens(page: Page, phone: Phone, folder: Path) -> Iterator[str]:
    """Go through all screens, and name each."""
    yield "home"
    page.click("text=Paste a text")
    yield "paste"
    page.fill("#pasted", "Dear ana")
    page.click("#view button.main")
    page.wait_for_selector("[role=alert]")
    yield "refused"
    phone.open(new_table(folder, seats="ana ben").read_bytes())
    yield "open table"
    page.click("text=Take a seat")
    page.wait_for_selector("#make-key")
    yield "join"
    page.click("#make-key")
    page.wait_for_selector("#save-key")
    yield "save the key"
    with page.expect_download():
        page.click("#save-key")
    page.click("#join-sign")
    page.wait_for_selector("#note")
    yield "send"
    page.click("text=To the table")
    page.click("text=Notes you signed")
    page.wait_for_selector("#view ul button")
    yield "notes"
    phone.home()
    page.click("#keys")
    page.wait_for_selector("details")
    yield "keys"
    file = {"name": "key", "mimeType": "text/plain", "buffer": locked("ben", "secret")}
    page.set_input_files("input[type=file]", file)  # type: ignore[arg-type]
    page.wait_for_selector("#passphrase")
    yield "passphrase"
    phone.keep_key(key_of("ana"))
    phone.open(text_of("planning").encode())
    phone.frame.locator("main [data-choice]").first.click()
    page.wait_for_selector("#sign")
    yield "table"
    page.click("#seats")
    page.wait_for_selector("main h2")
    yield "seats"
    page.click("#back")
    page.click("text=Check")
    page.wait_for_selector("#checked")
    yield "checked"
    phone.open(EXAMPLE.read_bytes())
    yield "finished"
    phone.home()
    page.click("text=Choose rules and bots")
    page.wait_for_selector("#practice-start")
    yield "practice"
    phone.home()
    yield "home with games"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_screen_is_accessible_and_for_a_thumb(
    scheme: str, phone: Phone, workplace: Path
) -> None:
    page = phone.page
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for name in screens(page, phone, workplace):
        # axe looks into the frame of a table, too.
        assert faults(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
        assert page.evaluate(SMALL, [TAPPED, THUMB]) == [], name


def test_every_label_is_heard_once(phone: Phone, workplace: Path) -> None:
    for name in screens(phone.page, phone, workplace):
        said = heard(phone.page)
        for one, two in pairwise(said):
            assert not name_of(one) or name_of(one) != name_of(two), (name, one, two)
        for words in said:
            if words.partition(" ")[0] in CONTROLS:
                assert name_of(words), (name, words)


def test_screens_are_heard_in_the_order_of_what_is_to_be_done(
    phone: Phone, workplace: Path
) -> None:
    page = phone.page
    assert heard(page)[:8] == [
        "banner",
        'heading "Your games" [level=1]',
        'combobox "Language"',
        'main "Your games"',
        "paragraph: No game yet. Open the game file that your referee sent, "
        "or the email it came with.",
        'button "Open a file"',
        'button "Paste a text"',
        'heading "Practice" [level=2]',
    ]
    assert heard(page)[-1] == 'button "Your keys"'
    phone.open(new_table(workplace, seats="ana ben").read_bytes())
    page.click("text=Take a seat")
    page.click("#make-key")
    page.wait_for_selector("#save-key")
    assert heard(page)[:4] == [
        "banner",
        'button "Back"',
        'heading "Take a seat" [level=1]',
        'combobox "Language"',
    ]
    assert [name_of(words) for words in heard(page)[5:]] == [
        "To join, you need a key: it signs your answers and opens your hand. "
        "Nobody can replace it, so save it before you join.",
        "Your seat",
        "Your key",
        "First save the key: without it you lose your seat if this device loses it, "
        "and a browser may forget everything after a week without a visit.",
        "Save the key",
    ]
    # Whoever comes to another screen is told its name, and goes on reading behind it.
    assert page.evaluate("document.activeElement.id") == "view"
    phone.keep_key(key_of("ana"))
    phone.open(text_of("planning").encode())
    phone.frame.locator("main [data-choice]").first.click()
    page.wait_for_selector("#sign")
    said = heard(page)
    order = ["You are about to sign", "role builder", "Sign"]
    places = [next(at for at, words in enumerate(said) if one in words) for one in order]
    assert places == sorted(places)
    # What is about to be signed is said as soon as it is there.
    assert page.get_attribute(".agree", "aria-live") == "polite"


def test_the_app_speaks_both_languages(phone: Phone, workplace: Path) -> None:
    page = phone.page
    phone.open(new_table(workplace, seats="ana ben").read_bytes())
    for language, heading, free in (
        ("de", "Einen Platz nehmen", "Dein Platz"),
        ("en", "Take a seat", "Your seat"),
    ):
        page.select_option("#language", language)
        page.click(f"text={heading}")
        expect(page.locator("#heading")).to_have_text(heading)
        assert page.get_attribute("html", "lang") == language
        assert f'combobox "{free}"' in heard(page)
        page.click("#back")
        page.wait_for_selector("iframe")
        assert phone.frame.locator("html").get_attribute("lang") == language


def test_it_can_be_installed(phones: Callable[..., Phone]) -> None:
    phone = phones()
    phone.page.wait_for_function("() => navigator.serviceWorker.controller")
    session = phone.context.new_cdp_session(phone.page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"] == f"{phone.address}manifest.webmanifest"
    wrong = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A window that leaves no traces can install nothing, whatever the page is.
    assert [one["errorId"] for one in wrong if one["errorId"] != "in-incognito"] == []
