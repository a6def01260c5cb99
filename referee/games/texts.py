"""The data files beside a game: its texts in several languages, its rulings, signs and colours."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from referee import toml

FALLBACK = "en"
"""The language that every game speaks."""


@cache
def data_of(module: str, name: str) -> Mapping[str, Any]:
    """Return a TOML file that lies beside an imported module; empty where there is none."""
    path = Path(sys.modules[module].__file__ or "").with_name(name)
    return toml.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
