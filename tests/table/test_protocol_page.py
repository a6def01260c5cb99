"""PROTOCOL.md gives the known answers that the tests use, and they stay the same ones."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.table.gamefile import RESERVED, is_seat_name

HERE = Path(__file__).parent
PAGE = (HERE.parent.parent / "schemas" / "PROTOCOL.md").read_text(encoding="utf-8")


def vectors(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / "vectors" / f"{name}.toml").read_text(encoding="utf-8"))


HASHING, SIGNING = vectors("hashing"), vectors("signing")


@pytest.mark.parametrize(
    "answer",
    [
        *(case["out"] for case in HASHING["hash"] + HASHING["derive"]),
        *(case["text"] for case in HASHING["canonical"]),
        *(", ".join(map(str, case["out"][:24])) for case in HASHING["permutation"][2:5]),
        ", ".join(map(str, HASHING["permutation"][5]["out"][:10])),
        *SIGNING["key"].values(),
        *(SIGNING["signature"][key] for key in ("namespace", "signed", "raw")),
        *SIGNING["signature"]["armour"].splitlines(),
        *SIGNING["note"][0]["text"].splitlines(),
    ],
    ids=lambda answer: answer[:30],
)
def test_the_page_gives_the_known_answer(answer: str) -> None:
    assert answer in PAGE


def test_every_link_within_the_page_leads_somewhere() -> None:
    headings = [line[3:] for line in PAGE.splitlines() if line.startswith("## ")]
    for heading in headings:
        anchor = "".join(c for c in heading.lower() if c.isalnum() or c in " -").replace(" ", "-")
        assert f"- [{heading}](#{anchor})" in PAGE


def test_the_page_lists_the_words_that_no_seat_is_called() -> None:
    listed = PAGE.split("could be misread:\n")[1].split("\n")[0]
    assert set(re.findall("`([a-z]+)`", listed)) == RESERVED
    assert not any(is_seat_name(word) for word in RESERVED)
