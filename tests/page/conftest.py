"""A real Chromium for the tests of the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.page.sight import Sight


@pytest.fixture
def sight(chromium: Browser, tmp_path: Path) -> Iterator[Sight]:
    """Opens pages, and sees afterwards that none of them complained or asked for anything."""
    one = Sight(chromium, tmp_path)
    yield one
    one.close()
