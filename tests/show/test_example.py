"""The picture of a terminal in the README shows what `show` prints now."""

from __future__ import annotations

from tests.show.example import PICTURE, SGR, picture, shown, words


def test_the_picture_of_a_terminal_is_current() -> None:
    text = shown()
    svg = PICTURE.read_text()
    # Where a word begins and ends is for rich to say, whose versions differ.
    assert words(svg) == words(picture(text)), "make it anew: python -m tests.show.example"
    assert "".join(words(svg)) == "".join(SGR.sub("", text).split())


def test_the_picture_needs_nothing_else() -> None:
    svg = PICTURE.read_text()
    assert "url(http" not in svg
    assert "@font-face" not in svg
    assert svg.count("http") == svg.count("http://www.w3.org/") + svg.count("https://www.textual")
