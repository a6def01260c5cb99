"""A real Chromium for the tests of the page."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.page.sight import Sight

# `.ci/run` sets it, so that the absence of what it has installed is a failure there.
WANTED = "SANJUAN_REF_CHROMIUM"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The Chromium of this machine, which `.ci/run` installs."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None and os.environ.get(WANTED):
        pytest.fail(f"{WANTED} is set, but there is no chromium on this machine")
    if path is None:
        pytest.skip("there is no chromium on this machine")
    with sync_playwright() as play:
        # Its sandbox cannot be had as root, and it opens nothing but files of ours.
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def sight(chromium: Browser, tmp_path: Path) -> Iterator[Sight]:
    """Opens pages, and sees afterwards that none of them complained or asked for anything."""
    one = Sight(chromium, tmp_path)
    yield one
    one.close()
