"""A phone: the app in a browser of its own, and a hand that taps."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page

from referee.crypto.keys import PrivateKey
from referee.phone.serve import server

SIZE = {"width": 360, "height": 740}
READY = "body[data-ready]"
HOME = f"{READY} #open"
EMPTY = """() => import('./store.js').then(async ({ all, remove }) => {
    for (const [store, name] of [['keys', 'hex'], ['games', 'game'], ['notes', 'id']]) {
        for (const one of await all(store)) await remove(store, one[name]);
    }
    localStorage.clear();
})"""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder that is served to this machine."""
    with server(folder, 0) as found, running(found) as address:
        yield address


@contextmanager
def running(found: ThreadingHTTPServer) -> Iterator[str]:
    """The address of a server that answers meanwhile."""
    thread = Thread(target=found.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{found.server_port}/"
    finally:
        found.shutdown()
        thread.join()


class Phone:
    """A browser with nothing in it, at the address of the app."""

    def __init__(
        self, browser: Browser, address: str, scheme: str = "light", ready: str = READY
    ) -> None:
        self.address = address
        self.requests: list[str] = []
        self.noise: list[str] = []
        self.context: BrowserContext = browser.new_context(
            viewport={"width": 360, "height": 740},
            accept_downloads=True,
            locale="en-US",
            color_scheme="dark" if scheme == "dark" else "light",
        )
        self.page = self.tab(ready)

    def tab(self, ready: str = READY) -> Page:
        """The app in a new tab."""
        page = self.context.new_page()
        page.on("request", lambda one: self.requests.append(one.url))
        page.on("pageerror", lambda error: self.noise.append(str(error)))
        page.goto(self.address)
        page.wait_for_selector(ready, timeout=120_000)
        return page

    def home(self) -> None:
        """Go back until there is no further back."""
        self.page.wait_for_function("() => document.querySelector('#view').childElementCount")
        while self.page.is_visible("#back"):
            before = self.page.inner_text("#heading") + self.page.inner_html("#view")[:200]
            self.page.click("#back")
            self.page.wait_for_function(
                "before => document.querySelector('#heading').innerText"
                " + document.querySelector('#view').innerHTML.slice(0, 200) !== before",
                arg=before,
            )

    def give(self, data: bytes, name: str = "game.toml") -> None:
        """Open a file, wherever the app is."""
        self.home()
        file = {"name": name, "mimeType": "application/octet-stream", "buffer": data}
        self.page.set_input_files("input[type=file]", file)  # type: ignore[arg-type]

    def open(self, data: bytes) -> None:
        """Open a file that the app takes."""
        self.give(data)
        self.page.wait_for_selector("iframe")

    @property
    def frame(self) -> FrameLocator:
        """The product's page."""
        return self.page.frame_locator("iframe")

    def join(self, folder: Path, seat: str) -> str:
        """Take a seat with a new key, saved into a folder; return the note."""
        self.page.click("text=Take a seat")
        self.page.select_option("#seat", seat)
        self.page.click("#make-key")
        self.page.wait_for_selector("#save-key")
        assert not self.page.is_visible("#join-sign")
        with self.page.expect_download() as saved:
            self.page.click("#save-key")
        saved.value.save_as(folder / f"{seat}.key")
        (folder / f"{seat}.key").chmod(0o600)
        self.page.click("#join-sign")
        return self.note()

    def note(self) -> str:
        """The note that is shown to be sent."""
        self.page.wait_for_selector("#note")
        return self.page.input_value("#note")

    def compose(self, chance: random.Random) -> str:
        """Put an answer together by tapping; return the play that is offered for signing."""
        choices = self.frame.locator("main [data-choice]")
        choices.first.wait_for()
        numbers = list(range(choices.count()))
        chance.shuffle(numbers)
        for number in numbers:
            if self.frame.locator("#other").is_visible():
                self.frame.locator("#other").click()
            self.frame.locator(f"main [data-choice='{number}']").click()
            inside = self.page.frames[-1]
            cards = self.frame.locator("#held [data-letter]")
            for at in range(cards.count()):
                if inside.evaluate("answer !== null"):
                    break
                cards.nth(at).click()
            if not inside.evaluate("answer !== null"):
                continue
            # What a pattern stands for may be illegal still, which the app says.
            self.page.wait_for_selector("#sign, .agree .wrong")
            if self.page.is_visible("#sign"):
                return self.page.inner_text("#canonical")
        raise AssertionError("no answer was legal")

    def answer(self, chance: random.Random) -> str:
        """Compose and sign an answer; return the note."""
        self.compose(chance)
        self.page.click("#sign")
        return self.note()

    def keep_key(self, key: PrivateKey) -> None:
        """Put a key among those that the app keeps, as if it had been brought in."""
        found = {
            "openssh": key.openssh().decode(),
            "public": key.public.text,
            "hex": key.public.hex,
            "fingerprint": key.public.fingerprint,
            "name": "",
            "saved": True,
        }
        self.page.evaluate("key => import('./store.js').then(({ put }) => put('keys', key))", found)

    def empty(self) -> None:
        """Take all that the app has kept away, and begin at its first page again."""
        self.home()
        self.page.evaluate(EMPTY)
        self.page.select_option("#language", "en")
        self.page.dispatch_event("#language", "change")
        self.page.wait_for_function(
            "() => document.querySelector('#open') && !document.querySelector('[data-game]')"
        )
        self.page.emulate_media(color_scheme="light")
        self.check()

    def check(self) -> None:
        """See that no script complained, and that nothing was asked of anybody else."""
        assert self.noise == []
        mine = (self.address, "blob:")
        assert [url for url in self.requests if not url.startswith(mine)] == []

    def close(self) -> None:
        self.context.close()
