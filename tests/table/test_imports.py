"""The primitives are cheap to import: what is slow or rare is loaded where it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

MODULES = ("errors", "hashing", "keys", "sshsig", "sealing", "notes", "mail")


@pytest.mark.parametrize("module", MODULES)
def test_nothing_slow_is_imported(module: str) -> None:
    script = (
        "import sys, re, typing, datetime, hashlib, hmac, binascii, referee.games.interface\n"
        "before = set(sys.modules)\n"
        f"import referee.table.{module}\n"
        "print(*(set(sys.modules) - before))"
    )
    loaded = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.')\n{script}"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert f"referee.table.{module}" in loaded
    # Not cryptography, pyrage, email, json or unicodedata, nor anything else.
    assert [name for name in loaded if name.split(".")[0] != "referee"] == []
