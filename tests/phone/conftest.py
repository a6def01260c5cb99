"""The app, built once in a run, and its cryptography in node."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from referee.crypto.primitives import use
from referee.phone.browser import BrowserPrimitives
from tests.phone.phone import Phone, served
from tests.phone.site import Engine, built, check_parts


@pytest.fixture(scope="session")
def site() -> Path:
    """A build of the app."""
    check_parts()
    return built()


@pytest.fixture(scope="session")
def engine(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """The cryptography of the app, in node."""
    one = Engine(site, tmp_path_factory.mktemp("engine"))
    yield one
    one.close()


@pytest.fixture
def browsers(engine: Engine) -> Iterator[None]:
    """Let the app's cryptography do all the work of a test."""
    before = use(BrowserPrimitives(engine, lambda value: value))
    yield
    use(before)


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    with served(site) as found:
        yield found


@pytest.fixture
def phones(chromium: Browser, address: str) -> Iterator[Callable[..., Phone]]:
    """Give as many phones as a test wants, which must find no error of a script."""
    made: list[Phone] = []

    def give(at: str = address, scheme: str = "light") -> Phone:
        made.append(Phone(chromium, at, scheme))
        return made[-1]

    yield give
    for one in made:
        one.close()
        one.check()


@pytest.fixture(scope="session")
def _shared(chromium: Browser) -> Iterator[list[Phone]]:
    kept: list[Phone] = []
    yield kept
    for one in kept:
        one.close()


@pytest.fixture
def phone(_shared: list[Phone], chromium: Browser, address: str) -> Iterator[Phone]:
    """A phone with nothing on it, which the next test uses again: it takes a while to start one."""
    one = _shared.pop() if _shared else Phone(chromium, address)
    try:
        yield one
        one.empty()
    except BaseException:
        one.close()
        raise
    _shared.append(one)
