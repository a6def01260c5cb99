"""Ids of decisions: read and written alike, and in the order in which rounds and turns go on."""

from __future__ import annotations

import pytest

from referee.table.decisions import DecisionId


def test_an_id_is_read_as_it_is_written() -> None:
    found = DecisionId.parse("12.3.settle-up.ana-2")
    assert found == DecisionId(12, 3, "settle-up", "ana-2")
    assert str(found) == "12.3.settle-up.ana-2"
    assert f"{found}" == str(found)


def test_later_rounds_and_turns_come_after_earlier_ones() -> None:
    texts = ["10.1.build.ana", "9.2.build.ana", "9.10.build.ana"]
    ordered = sorted(map(DecisionId.parse, texts))
    assert list(map(str, ordered)) == ["9.2.build.ana", "9.10.build.ana", "10.1.build.ana"]


@pytest.mark.parametrize(
    "text",
    [
        "_",
        "1.2.build",
        "1.2.build.ana.x",
        "01.2.build.ana",
        "1.+2.build.ana",
        "1.2..ana",
        "1.2.build.",
        "x.2.build.ana",
        "1_0.2.build.ana",
        "\t1.2.build.ana",
    ],
)
def test_no_other_text_is_an_id(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - unpacking and int() say it in their own words
        DecisionId.parse(text)
