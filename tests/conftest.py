"""Shared by all tests: repeatable fuzzing that is not timed, and a place where no key is found."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partialmethod
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from referee import games
from tests.once import folder_of_a_run
from tests.toys import TOYS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# `.ci/run` sets it, so that the absence of what it has installed is a failure there.
WANTED = "SANJUAN_REF_CHROMIUM"

settings.register_profile("sanjuan-ref", deadline=None, derandomize=True)
settings.load_profile("sanjuan-ref")

# Line ends are part of what is tested, so that a text is written as it is on Windows too.
Path.write_text = partialmethod(Path.write_text, newline="\n")  # type: ignore[method-assign,assignment]

_folder = ExitStack()


def pytest_configure() -> None:
    """Open the folder of this run before there are any workers."""
    _folder.enter_context(folder_of_a_run())


def pytest_unconfigure() -> None:
    _folder.close()


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the games that do not come with the program."""
    monkeypatch.setattr(games, "_packages", dict(games._packages))
    for name, package in TOYS.items():
        games.register(name, package)


@pytest.fixture
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of somebody who has no key and no settings yet."""
    names = ("KEY", "REFEREE_KEY", "REFEREE_KEY_TEXT", "IDENTITY")
    for name in (*(f"SANJUAN_{name}" for name in names), "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def workplace(nobody: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The Chromium of this machine, which `.ci/run` installs."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None and os.environ.get(WANTED):
        pytest.fail(f"{WANTED} is set, but there is no chromium on this machine")
    if path is None:
        pytest.skip("there is no chromium on this machine")
    # Slow to import, and few tests look at a browser. One process can have it once.
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        # Its sandbox cannot be had as root, and it opens nothing but files of ours.
        # The app's Python is compiled in haste, as no test plays long enough for more.
        hasty = "--js-flags=--liftoff-only"
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox", hasty])
        yield browser
        browser.close()
