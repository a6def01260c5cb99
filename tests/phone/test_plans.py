"""Plans in the app: what they would do is told in its language, whatever is asked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.games.values import OTHERS, OWN
from referee.phone.desk import reader_of
from referee.phone.door import call
from referee.playing.planning import Planner
from referee.render.page.language import Language
from tests.cli.world import text_of
from tests.phone.test_refusals import OTHERS as LANGUAGES
from tests.phone.worlds import questions
from tests.table.tables import key_of, load


def told(text: str, seat: str, plan: list[str], lang: str) -> dict[str, Any]:
    key = key_of(seat).openssh().decode()
    given = {"text": text, "key": key, "lang": lang, "answer": None, "plan": plan}
    done: dict[str, Any] = json.loads(call("read", json.dumps(given)))["done"]
    return done


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_word_of_what_a_plan_would_do_is_missing_in_a_language(lang: str) -> None:
    missing: set[str] = set()
    lines = 0
    for one in questions().values():
        file = load(one.text)
        planner = Planner(file, reader_of(file, key_of(one.seat)))
        language = Language(lang, planner.rules)
        subjects = [offer.subject for offer in planner.language.offers(planner.view)]
        best = [f"always {subject}: best" for subject in subjects]
        for plan in (best, [clause.replace("best", "ask") for clause in best]):
            for row in planner.foreseen(planner.read(plan)):
                name = row.question
                if name not in language.labels and language.kind(name) == name:
                    missing.add(name)
                for part in row.note.split("; ") if row.note else []:
                    if all(pattern.match(part) is None for pattern in language._notes):
                        missing.add(part)
                for part in row.at.replace(", ", " or ").split(" or ") if row.at else []:
                    if part not in (OTHERS, OWN) and not part.isdecimal():
                        missing.add(part)
            english, other = (told(one.text, one.seat, plan, code)["told"] for code in ("en", lang))
            assert len(english) == len(other) > 0
            missing |= set(english).intersection(other)
            lines += len(other)
    assert lines > 50
    assert missing == set()


def test_a_plan_is_told_in_german() -> None:
    plan = ["always builder: archive palace, else pass if under 3 cards"]
    text = text_of("planning")
    found = told(text, "ben", plan, "de")
    assert found["told"] == [
        "Baumeister (von anderen): Archiv bauen, dafür Triumphbogen, nach Zeile 1",
        "Baumeister (eigener): Archiv bauen (umsonst), nach Zeile 1",
        "Rolle: du wirst gefragt",
    ]
    assert found["silent"] == ["Baumeister"]
    assert told(text, "ben", plan, "en")["silent"] == ["Builder"]
