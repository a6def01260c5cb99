"""Patterns of words: read, shown to people, and never read for long."""

from __future__ import annotations

import pytest

from referee.games.errors import NotUnderstood
from referee.games.flat import tokens_of
from referee.games.grammar import Item, Numbers, Parser, Vocabulary, render, row_of, usage

KNOWN = {
    "CARD": Vocabulary(["gold-mine", "library", "over", "goods"], {"gilde": "library"}),
    "NUMBER": Numbers(1, 20),
}
BUILD = "(build) CARD… [over NUMBER] [goods]"


def read(pattern: str, text: str) -> str:
    return render(Parser(KNOWN, tokens_of(text)).parse(row_of(pattern)))


@pytest.mark.parametrize("pattern", ["build CARD…", "{a CARD | b}… [c NUMBER]", "a {b | c} [d]…"])
def test_a_pattern_is_shown_as_it_is_written(pattern: str) -> None:
    assert usage(row_of(pattern)) == pattern


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("build library", "build library"),
        ("library gold mine", "build library gold-mine"),
        ("LIB, gilde", "build library library"),
        ("build library over 3 goods", "build library over 3 goods"),
        ("build over over 3", "build over over 3"),
        ("build library goods", "build library goods"),
    ],
)
def test_people_may_leave_out_and_shorten(text: str, meant: str) -> None:
    assert read(BUILD, text) == meant


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("build", "something is missing after 'build'"),
        ("build libary", "there is no name 'libary'"),
        ("build library over 0", "'0' is not such a number"),
        ("build library over 3 over", "'over' does not fit here"),
    ],
)
def test_what_does_not_fit_is_named(text: str, says: str) -> None:
    with pytest.raises(NotUnderstood, match=says):
        read(BUILD, text)


def test_a_word_of_the_pattern_goes_before_a_name() -> None:
    items = Parser(KNOWN, tokens_of("build library goods")).parse(row_of(BUILD))
    assert items[-1] == Item("", "goods")


def test_a_text_that_can_be_read_in_endless_ways_is_given_up() -> None:
    with pytest.raises(NotUnderstood, match="too many ways"):
        read("{CARD | over | CARD…}… end", "over " * 60)
    with pytest.raises(NotUnderstood, match="over 100 words"):
        read("CARD…", "library " * 101)
