"""The picture of a terminal in the README shows what `show` prints now."""

from __future__ import annotations

import re

from tests.show.example import PICTURE, SGR, picture, shown, words
from tests.show.sight import contrast


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


def test_all_of_the_picture_can_be_read() -> None:
    """Each word stands out from the screen, or from the card on which it stands."""
    body = PICTURE.read_text()
    inks = dict(re.findall(r"\.(show-r\d+) \{ fill: (#[0-9a-f]{6})", body))
    rects = [
        (fill, float(x), float(y), float(wide))
        for fill, x, y, wide in re.findall(
            r'<rect fill="(#.{6})"[^>]* x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="24', body
        )
    ]
    screen = re.findall(r'<rect fill="(#.{6})" stroke', body)
    texts = re.findall(r'<text class="(show-r\d+)" x="([\d.]+)" y="([\d.]+)"', body)
    assert len(rects) > 10
    assert len(texts) > 100
    for name, x, y in texts:
        behind = screen + [
            fill
            for fill, left, top, wide in rects
            if left - 1 < float(x) < left + wide - 1 and top < float(y) < top + 24
        ]
        assert contrast(inks[name], behind[-1]) >= 4.5, (name, inks[name], behind)
