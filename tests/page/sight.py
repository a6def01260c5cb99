"""A browser that looks at one of our pages, and notices what should not happen."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page

from referee.games.values import Phrase
from tests.cli.saying import phrases

DESKTOP, PHONE = (1280, 800), (390, 844)


class Sight:
    """Opens a page; `close` fails if it wrote to the console or made a request."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser = browser
        self.folder = folder
        self.contexts: list[BrowserContext] = []
        self.noise: list[str] = []

    def open(
        self, text: str, size: tuple[int, int] = DESKTOP, scheme: str = "light", script: bool = True
    ) -> Page:
        """A page of this text in a new window."""
        path = self.folder / f"{len(self.contexts)}.html"
        path.write_text(text)
        wide, high = size
        context = self.browser.new_context(
            viewport={"width": wide, "height": high},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=script,
            has_touch=size == PHONE,
        )
        self.contexts.append(context)
        page = context.new_page()
        here = path.as_uri()
        page.on("console", lambda message: self.noise.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.noise.append(f"error: {error}"))
        page.on(
            "request",
            lambda one: self.noise.append(f"request: {one.url}") if one.url != here else None,
        )
        page.on("dialog", lambda one: self.noise.append(f"dialog: {one.message}"))
        page.goto(here)
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        assert self.noise == []


def faults(page: Page) -> list[str]:
    """List what axe finds wrong."""
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for one in found
        for node in one["nodes"]
    ]


def said(command: str, begin: str) -> list[Phrase]:
    """Return what the flags of a command say, as `move` reads them."""
    assert command.startswith(begin + " --"), command
    return phrases(shlex.split(command.removeprefix(begin)))
