"""Games that do not come with the program are registered for all tests of games."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _toys(toys: None) -> None:
    pass
