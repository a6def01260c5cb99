"""Answers and plans in the app: every kind of question, and the same notes as anywhere else."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from playwright.sync_api import expect

from referee.crypto.sealing import unseal
from referee.phone.door import call
from tests.cli.world import text_of
from tests.phone.phone import Phone
from tests.phone.test_app import EXAMPLE
from tests.phone.test_desk import CLAUSES, KINDS
from tests.phone.worlds import judged, questions
from tests.table.tables import REFEREE, key_of

ASK = """([name, given]) => import('./program.js').then(({ ask }) => ask(name, given))
    .catch(error => error.told)"""


def taken(text: str, note: str) -> None:
    """See that the referee takes a note."""
    verdicts, _ = judged(text, note)
    assert verdicts
    assert [verdict.error for verdict in verdicts] == [None] * len(verdicts)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_question_is_answered(kind: str, phone: Phone) -> None:
    _, text, seat = questions()[kind]
    phone.keep_key(key_of(seat))
    phone.open(text.encode())
    taken(text, phone.answer(random.Random(kind)))


def test_of_two_keys_the_one_that_is_asked_has_the_seat(phone: Phone) -> None:
    for state, seat in (("dealt", "ana"), ("passing", "ben")):
        for name in ("ana", "ben"):
            phone.keep_key(key_of(name))
        phone.open(text_of(state).encode())
        assert f".{seat}\n" in phone.answer(random.Random(1))
        phone.empty()


def test_a_plan_is_tapped_signed_and_withdrawn(phone: Phone) -> None:
    page = phone.page
    phone.keep_key(key_of("ben"))
    text = text_of("planning")
    phone.open(text.encode())
    for subject, kind, word in (
        ("trader", "name", "dearest"),
        ("builder", "end", "pass"),
    ):
        phone.frame.locator(f"[data-subject='{subject}'] [data-{kind}='{word}']").click()
    expect(page.locator("#clauses li")).to_have_text(["builder: pass", "trader: sell dearest"])
    expect(page.locator(".agree h2")).to_have_text("You are about to sign this plan")
    # What the hand would answer by it is said before it is signed.
    expect(page.locator(".agree")).to_contain_text("With your hand as it is, it would answer:")
    page.click("#sign")
    note = phone.note()
    taken(text, note)
    # The same again is the same note, and no other number.
    page.click("text=To the table")
    phone.frame.locator("[data-subject='trader'] [data-name='dearest']").click()
    phone.frame.locator("[data-subject='builder'] [data-end='pass']").click()
    expect(page.locator("#clauses li")).to_have_count(2)
    page.click("#sign")
    assert phone.note() == note
    expect(page.locator("#sent")).to_contain_text("You signed this before")
    # When it has come to the table it is shown there, and can be taken back.
    phone.open(text_of("planned").encode())
    phone.frame.locator("[data-ready='withdraw']").click()
    expect(page.locator("#clauses li")).to_have_text(["your plan is taken back"])
    page.click("#sign")
    taken(text_of("planned"), phone.note())


def test_an_answer_and_a_plan_are_signed_in_one_note(phone: Phone) -> None:
    page = phone.page
    phone.keep_key(key_of("ana"))
    text = text_of("planning")
    phone.open(text.encode())
    phone.frame.locator("main [data-choice='0']").click()
    phone.frame.locator("#offers summary").click()
    phone.frame.locator("[data-subject='builder'] [data-end='pass']").click()
    expect(page.locator("#clauses li")).to_have_text(["builder: pass"])
    assert page.inner_text("#canonical") == "role builder"
    page.click("#sign")
    note = phone.note()
    assert "play role builder\n" in note
    verdicts, file = judged(text, note)
    assert [verdict.error for verdict in verdicts] == [None, None]
    assert [entry.play for entry in file.log[2:4]] == ["role builder", "pass"]


REQUESTS: dict[str, tuple[str, dict[str, Any]]] = {
    "a page for anybody": ("table", {"text": EXAMPLE.read_text(), "key": "", "lang": "en"}),
    "a page in German": ("table", {"text": text_of("planned"), "key": "ben", "lang": "de"}),
    "a page of Xanadu": ("table", {"text": text_of("xanadu"), "key": "ana", "lang": "en"}),
    "a join": ("join", {"text": text_of("open"), "key": "ana", "seat": "ana"}),
    "a note": (
        "sign",
        {"text": text_of("dealt"), "key": "ana", "play": "role builder", "clauses": None},
    ),
    "a check": ("verified", {"text": text_of("keeping"), "key": "ana"}),
    "a plan that is read": (
        "read",
        {"text": text_of("planning"), "key": "ben", "lang": "en", "answer": None, "plan": CLAUSES},
    ),
    "a refusal": ("look", {"text": text_of("dealt").replace("step = 1", "step = 2")}),
    "a list": (
        "listed",
        {
            "keys": [key_of("ana").public.hex],
            "games": {"a": text_of("dealt"), "b": text_of("open")},
        },
    ),
}
"""Requests of each kind whose answer is the same each time."""


def as_sentences(told: dict[str, Any]) -> dict[str, Any]:
    """An error as the app tells it, where nothing of a terminal stands around it."""
    texts = ("message", "hint", "words")
    said = {key: told[key] for key in texts if told[key]}
    return told | {key: f"{text[0].upper()}{text[1:]}." for key, text in said.items()}


@pytest.mark.parametrize("name", REQUESTS)
def test_the_browser_s_python_answers_as_this_one(name: str, phone: Phone) -> None:
    request, given = REQUESTS[name]
    if given.get("key"):
        given = given | {"key": key_of(given["key"]).openssh().decode()}
    here = json.loads(call(request, json.dumps(given)))
    wanted = here["done"] if "done" in here else as_sentences(here["error"])
    assert phone.page.evaluate(ASK, [request, given]) == wanted


def test_a_sealed_note_of_the_browser_s_is_what_it_says(phone: Phone) -> None:
    """Sealing is random, but what is inside is not."""
    key = key_of("ben").openssh().decode()
    given = {"text": text_of("keeping"), "key": key, "play": "keep a", "clauses": None}
    there = phone.page.evaluate(ASK, ["sign", given])
    here = json.loads(call("sign", json.dumps(given)))["done"]
    assert there["sealed"]
    assert there["text"] != here["text"]
    assert {**there, "text": ""} == {**here, "text": ""}
    begun = "-----BEGIN AGE"
    inside = [unseal(begun + one["text"].partition(begun)[2], REFEREE) for one in (there, here)]
    assert inside[0] == inside[1]
    taken(text_of("keeping"), there["text"])
