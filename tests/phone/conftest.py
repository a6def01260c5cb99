"""The app, built once in a run, and its cryptography in node."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.crypto.primitives import use
from referee.phone.browser import BrowserPrimitives
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
