"""A folder to work in, in which the machine's own keys are not found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.mail.office import BOOK, Office

Open = Callable[..., Office]


@pytest.fixture
def office(workplace: Path) -> Open:
    """Lays out a referee's folder: `office("dealt")`."""

    def laid_out(state: str, book: str = BOOK) -> Office:
        return Office(workplace, state, book)

    return laid_out
