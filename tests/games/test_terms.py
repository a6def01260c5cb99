"""The help of `new` offers the choices that the rules know."""

from __future__ import annotations

import re

import pytest

from referee.games import GAMES, rules_of, terms
from referee.games.errors import NotUnderstood


@pytest.mark.parametrize("module", GAMES)
@pytest.mark.parametrize("option", ["edition", "expansion", "variant", "option"])
def test_help_names_all_there_is(module: str, option: str) -> None:
    rules = rules_of(module)
    given: dict[str, list[str]] = {"expansion": [], "variant": []}
    if option in given:
        given[option] = ["none"]
    with pytest.raises(NotUnderstood) as caught:
        rules.choose(
            "none" if option == "edition" else None,
            given["expansion"],
            given["variant"],
            {"none": ""} if option == "option" else {},
        )
    listed = caught.value.hint.partition(": ")[2].split(", ")
    told = re.findall(rf"{module}: ([^;]*)", terms(option))
    for name in listed:
        # An edition that is the only one is no choice.
        if name != "none" and not (option == "edition" and len(listed) == 1):
            assert name in told[0]
