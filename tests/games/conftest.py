"""Games that do not come with the program are registered for the tests of games alone."""

from __future__ import annotations

import pytest

from referee import games
from tests.games.test_contract import TOYS


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_packages", dict(games._packages))
    for name, package in TOYS.items():
        games.register(name, package)
