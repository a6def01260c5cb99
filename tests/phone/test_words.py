"""The words of the app: every language has all of them, and the app says none that are missing."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import referee

PHONE = Path(referee.__file__).parent / "phone"
LANGUAGES = {
    path.stem: tomllib.loads(path.read_text("utf-8")) for path in (PHONE / "lang").glob("*.toml")
}
SCRIPTS = "".join(path.read_text("utf-8") for path in sorted((PHONE / "site").glob("*.js")))
PUT_TOGETHER = ("status-", "level-", "note-", "play-", "seat-", "test-")
"""Beginnings of words whose ends come from the program."""


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_says_the_same_with_the_same_fields(code: str) -> None:
    words, english = LANGUAGES[code], LANGUAGES["en"]
    assert words.keys() == english.keys()
    for key, text in words.items():
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", english[key])), key
        assert text.strip() == text, key


def test_the_app_says_only_words_that_there_are() -> None:
    said = set(re.findall(r'\bt\("([a-z-]+)"', SCRIPTS))
    # One of two: t(play ? "agree" : "agree-plan").
    for inside in re.findall(r'\bt\([^"()]*\?((?: *"[a-z-]+" *:)+ *"[a-z-]+")', SCRIPTS):
        said |= set(re.findall(r'"([a-z-]+)"', inside))
    assert len(said) > 80
    assert said <= LANGUAGES["en"].keys()


def test_no_word_is_there_for_nothing() -> None:
    literal = set(re.findall(r'"([a-z-]+)"', SCRIPTS))
    for key in LANGUAGES["en"].keys() - literal:
        assert key.startswith(PUT_TOGETHER) or key == "language-name", key
