"""Hashes against those of `hashlib`, with `cryptography` and where there is none."""

from __future__ import annotations

import hashlib
import hmac
import subprocess
import sys
from collections.abc import Iterator

import pytest

from referee import hashes

DATA = [b"", b"ana", bytes(range(256)) * 9]
CACHED = (hashes._digest, hashes._hmac, hashes._shake)


@pytest.fixture(params=["with cryptography", "as in a browser"])
def _library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if request.param != "with cryptography":
        monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives", None)
        monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.hashes", None)
    for one in CACHED:
        one.cache_clear()
    yield
    for one in CACHED:
        one.cache_clear()


@pytest.mark.usefixtures("_library")
@pytest.mark.parametrize("data", DATA, ids=len)
def test_hashes_are_the_standard_ones(data: bytes) -> None:
    assert hashes.sha256(data) == hashlib.sha256(data).digest()
    assert hashes.sha512(data) == hashlib.sha512(data).digest()
    assert hashes.hmac_sha256(b"key", data) == hmac.digest(b"key", data, "sha256")
    assert hashes.shake_256(data, 500) == hashlib.shake_256(data).digest(500)
    # Nothing is left of one text in the hash of the next.
    assert hashes.sha256(data) == hashlib.sha256(data).digest()


def test_one_openssl_is_enough() -> None:
    """`hashlib` would load a second one."""
    script = (
        "import sys, referee.crypto.hashing as hashing\n"
        "hashing.permutation(hashing.derive(b'secret', 'tag', 'part'), 9)\n"
        "print('_hashlib' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
