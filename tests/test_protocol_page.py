"""PROTOCOL.md gives the known answers that the tests use, and they stay the same ones."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from referee.crypto import sshsig
from referee.git import answers, checkpoint
from referee.table import clock, times
from referee.table.gamefile import RESERVED, is_seat_name
from referee.table.times import Away, Clock

HERE = Path(__file__).parent
PAGE = (HERE.parent / "schemas" / "PROTOCOL.md").read_text(encoding="utf-8")


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


def test_the_page_names_every_namespace() -> None:
    listed = PAGE.split("a *namespace*: ")[1].split(" With\n")[0]
    there = {word.split("@")[0] for word in re.findall("`([a-z]+@)[^`]+`", listed)}
    have = [text for text in vars(sshsig).values() if str(text).endswith("@sanjuan-ref")]
    assert there == {
        text.split("@")[0] for text in [*have, answers.NAMESPACE, checkpoint.NAMESPACE]
    }


DUE = re.findall(r"\n\| (2\S+Z) \| (\d+) \| (.*?) ?\| (2\S+Z) \|", PAGE)


@pytest.mark.parametrize(("opened", "days", "away", "due"), DUE)
def test_the_page_says_when_an_answer_is_due(opened: str, days: str, away: str, due: str) -> None:
    spans = [span.split(" to ") for span in away.split(", ") if span]
    days_of = [[date.fromisoformat(day) for day in span] for span in spans]
    vacations = [Away("ana", first, last, 1, b"") for first, last in days_of]
    assert (
        times.format_time(clock.due_after(Clock(int(days)), times.parse_time(opened), vacations))
        == due
    )


def test_the_page_gives_due_times() -> None:
    assert len(DUE) == 5
