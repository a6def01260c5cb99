"""Hashes, derivations and encodings against known answers and a second implementation."""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.crypto.hashing import H, b64, canonical, derive, permutation, unb64

VECTORS = tomllib.loads(
    (Path(__file__).parents[1] / "vectors" / "hashing.toml").read_text(encoding="utf-8")
)


def parts_of(case: dict[str, Any]) -> list[str | bytes | int]:
    return [
        bytes.fromhex(part["hex"]) if isinstance(part, dict) else part for part in case["parts"]
    ]


def plain_input(tag: str, parts: list[str | bytes | int]) -> bytes:
    """Return the bytes that are hashed, written from PROTOCOL 1 alone."""
    data = b"sanjuan-ref/1" + bytes(1)
    for part in [tag, *parts]:
        raw = part if isinstance(part, bytes) else str(part).encode("utf-8")
        data += bytes(8 - len(f"{len(raw):x}".zfill(16)) // 2) + bytes.fromhex(f"{len(raw):016x}")
        data += raw
    return data


def plain_permutation(key: bytes, n: int) -> list[int]:
    """PROTOCOL 3 with one long stream and no cleverness."""
    stream = hashlib.shake_256(key).digest(4 * (n + 100))
    words = [int.from_bytes(stream[i : i + 4], "big") for i in range(0, len(stream), 4)]
    order = list(range(n))
    for i in reversed(range(1, n)):
        word = words.pop(0)
        while word >= 2**32 // (i + 1) * (i + 1):
            word = words.pop(0)
        order[i], order[word % (i + 1)] = order[word % (i + 1)], order[i]
    return order


@pytest.mark.parametrize("case", VECTORS["hash"], ids=lambda case: f"{case['tag']}{case['parts']}")
def test_hash_has_its_known_answer(case: dict[str, Any]) -> None:
    assert H(case["tag"], *parts_of(case)).hex() == case["out"]
    plain = plain_input(case["tag"], parts_of(case))
    assert hashlib.sha256(plain).hexdigest() == case["out"]


@pytest.mark.parametrize("case", VECTORS["derive"], ids=lambda case: case["tag"])
def test_derivation_has_its_known_answer(case: dict[str, Any]) -> None:
    secret = bytes.fromhex(case["secret"])
    assert derive(secret, case["tag"], *parts_of(case)).hex() == case["out"]
    inner = hashlib.sha256(plain_input(case["tag"], parts_of(case))).digest()
    assert hmac.new(secret, inner, hashlib.sha256).hexdigest() == case["out"]


@given(st.text(max_size=20), st.lists(st.text(max_size=9) | st.binary(max_size=9) | st.integers()))
def test_hash_agrees_with_the_plain_one(tag: str, parts: list[str | bytes | int]) -> None:
    assert H(tag, *parts) == hashlib.sha256(plain_input(tag, parts)).digest()


@pytest.mark.parametrize("part", [True, None, 1.5, ["a"], bytearray(1)], ids=repr)
def test_hash_takes_nothing_else(part: Any) -> None:
    with pytest.raises(TypeError):
        H("x", part)


@pytest.mark.parametrize("case", VECTORS["base64"], ids=lambda case: case["text"] or "empty")
def test_base64_has_its_known_answer(case: dict[str, Any]) -> None:
    raw = bytes.fromhex(case["hex"])
    assert b64(raw) == case["text"] == base64.b64encode(raw).decode().rstrip("=")
    assert unb64(case["text"], len(raw)) == raw


@pytest.mark.parametrize("case", VECTORS["base64_refused"], ids=lambda case: case["why"])
def test_base64_has_one_text(case: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"not {case['size']} bytes"):
        unb64(case["text"], case["size"])


@given(st.text(max_size=12) | st.text("AZaz09+/=", max_size=12), st.integers(0, 9))
def test_base64_reads_what_it_writes_and_nothing_else(text: str, size: int) -> None:
    try:
        raw = unb64(text, size)
    except ValueError:
        return
    assert len(raw) == size
    assert b64(raw) == text


@pytest.mark.parametrize("case", VECTORS["canonical"], ids=lambda case: case["text"])
def test_canonical_json_has_its_known_answer(case: dict[str, Any]) -> None:
    assert canonical(case["value"]) == case["text"]


VALUES = st.recursive(
    st.text() | st.integers() | st.booleans(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_canonical_json_is_json(value: Any) -> None:
    text = canonical(value)
    assert json.loads(text) == value
    assert text == json.dumps(value, sort_keys=True, separators=(",", ":"))


@pytest.mark.parametrize("value", [None, 1.0, (1,), {1: 2}, {"a": [None]}, b"x", {"a": {2: 1}}])
def test_canonical_json_refuses_other_types(value: object) -> None:
    with pytest.raises(TypeError):
        canonical(value)


@pytest.mark.parametrize("case", VECTORS["permutation"], ids=lambda case: str(case["n"]))
def test_permutation_has_its_known_answer(case: dict[str, Any]) -> None:
    key = bytes.fromhex(case["key"])
    assert permutation(key, case["n"]) == case["out"] == plain_permutation(key, case["n"])


@given(st.binary(max_size=40), st.integers(0, 200))
def test_permutation_agrees_with_the_plain_one(key: bytes, n: int) -> None:
    assert permutation(key, n) == plain_permutation(key, n)


def test_permutation_goes_on_when_words_run_out() -> None:
    # About one word in 23,000 is rejected here, more than the first stretch of stream can spare.
    n = 200_000
    assert permutation(b"long", n) == plain_permutation(b"long", n)


def chi_square(counts: Counter[Any], cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in list(counts)) + expected * (
        cells - len(counts)
    )


# The bounds are those of the chi-square distribution at one in a thousand.
def test_all_orders_of_four_are_equally_frequent() -> None:
    counts = Counter(tuple(permutation(b"four %d" % seed, 4)) for seed in range(24_000))
    assert set(counts) == set(itertools.permutations(range(4)))
    assert chi_square(counts, 24) < 49.7  # 23 degrees of freedom


@pytest.mark.parametrize("place", [0, 54, 109])
def test_every_card_is_equally_often_at_a_place(place: int) -> None:
    counts = Counter(permutation(b"deck %d" % seed, 110)[place] for seed in range(11_000))
    assert chi_square(counts, 110) < 159.8  # 109 degrees of freedom


def test_keys_that_differ_in_one_bit_give_unrelated_orders() -> None:
    fixed = sum(
        a == b
        for seed in range(500)
        for a, b in zip(
            permutation(bytes([seed % 256, seed // 256, 0]), 110),
            permutation(bytes([seed % 256, seed // 256, 1]), 110),
            strict=True,
        )
    )
    # One agreement is expected in each pair, whatever the number of cards.
    assert 400 < fixed < 600
