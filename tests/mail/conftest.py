"""A directory to work in, in which the machine's own keys are not found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.mail.office import BOOK, Office

Open = Callable[..., Office]


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Lays out a referee's directory: `office("dealt")`."""
    for name in ("SANJUAN_KEY", "SANJUAN_REFEREE_KEY", "SANJUAN_IDENTITY", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)

    def laid_out(state: str, book: str = BOOK) -> Office:
        return Office(work, state, book)

    return laid_out
