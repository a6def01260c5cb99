"""A page holds nothing that its reader may not know, and nothing that could be markup."""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

from referee.errors import Stale
from referee.games import GAMES, rules_of
from referee.playing import player
from referee.render.page import image
from referee.render.page.draw import INK, PAPER, PLAIN
from referee.render.page.image import png, svg
from referee.render.page.language import codes
from referee.render.page.model import Model, model_of
from referee.render.page.write import page
from referee.table import views
from referee.table.gamefile import GameFile, HandBlock
from referee.table.hands import Hand
from referee.table.times import Clock
from tests.make_examples import EXAMPLES
from tests.page.sight import Sight
from tests.page.worlds import all_kinds, game_of
from tests.show.sight import contrast
from tests.table.tables import Table, key_of

NASTY = "\"'><script>alert(1)</script></title><!-- ${lang} \u2028 <img src=x onerror=alert(1)>&amp;"


def hand_of(file: GameFile, name: str) -> Hand:
    seat = player.my_seat(file, key_of(name).public)
    return views.open_hand(file, seat, key_of(name))


def without_secrets(file: GameFile) -> GameFile:
    """The same file for somebody who could open nothing in it."""
    file.hands = {name: HandBlock("gone", b"") for name in file.hands}
    for one in file.pending:
        one.sealed = "gone"
    file.secret = []
    return file


class Cards(HTMLParser):
    """The cards that a page shows, which are those that can be tapped."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for key, value in attrs if key == "data-card" and value]


def test_a_page_is_made_of_public_things_and_one_hand() -> None:
    for name in (None, "ana", "ben"):
        file = game_of("in-progress")
        hand = hand_of(file, name) if name else None
        text = page(model_of(file, hand))
        assert text == page(model_of(without_secrets(file), hand))
        public = {one["card"] for row in file.table["seats"] for one in row["city"]}
        own = {card.name for card in hand.cards} if hand else set()
        assert set(Cards(text).found) == public | own
        assert "AGE ENCRYPTED" not in text


def test_a_public_page_does_not_know_who_made_it() -> None:
    text = page(model_of(game_of("in-progress"), None))
    assert 'id="hand"' not in text
    assert 'id="play"' not in text
    assert '"me":""' in text


def embedded(text: str) -> str:
    found = re.search(r'<script type="application/json" id="model">(.*?)</script>', text, re.DOTALL)
    assert found
    return found[1]


def test_nothing_that_people_typed_is_markup(sight: Sight) -> None:
    file = game_of("in-progress")
    hand = hand_of(file, "ben")
    file.title = NASTY
    text = page(model_of(file, hand, "sanjuan-ref move '<b>.toml'", "--key '<i>'"))
    assert "<script>alert" not in text
    assert "<img" not in text
    assert "<b>.toml" not in text
    assert re.search("[<>&\u2028\u2029]", embedded(text)) is None
    shown = sight.open(text)
    for code in ("de", "en"):
        shown.select_option("#language", code)
        assert shown.inner_text("h1").startswith("\"'><script>alert(1)</script></title>")
        assert shown.locator("img, main script").count() == 0
        shown.click("[data-choice='0']")
    assert "'<b>.toml' --sell" in shown.inner_text("#command")
    assert "<script>alert" not in svg(model_of(file, None))


def test_a_page_needs_nothing_else() -> None:
    text = page(model_of(game_of("finished"), None))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    assert policy[1].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy[1]
    assert re.findall(r'(?:src|href)="(?!#)', text) == []
    assert "http:" not in text.replace('"http://www.w3.org/2000/svg"', "")
    assert "https:" not in text
    assert "url(" not in text


def test_a_page_is_small_and_quickly_made() -> None:
    file = game_of("finished")
    began = time.process_time()
    text = page(model_of(file, None))
    assert time.process_time() - began < 1
    assert len(text.encode()) < 300_000
    for asked in all_kinds().values():
        assert len(asked.text.encode()) < 300_000


def test_before_the_deal_there_are_seats() -> None:
    file = Table(3).file
    text = page(model_of(file, None))
    assert text.count('data-t="free"') == 3
    file.seats[1].key = key_of("ben").public
    text = page(model_of(file, None))
    assert (text.count('data-t="free"'), text.count('data-t="reserved"')) == (2, 1)
    with pytest.raises(Stale):
        svg(model_of(file, None))


def pictures() -> list[Model]:
    return [model_of(game_of("finished"), None), all_kinds()["turn"].model]


@pytest.mark.parametrize("code", codes())
def test_a_picture_is_one_of_its_own(code: str) -> None:
    for model in pictures():
        text = svg(model, code)
        root = ET.fromstring(text)
        known = {one.get("id") for one in root.iter() if one.get("id")}
        used = [one.get("href", "") for one in root.iter("{http://www.w3.org/2000/svg}use")]
        assert {name.removeprefix("#") for name in used} == known
        assert len(used) >= sum(len(place.city) for place in model.boards[-1].places)
        assert len(text) < 100_000
        assert png(text).startswith(b"\x89PNG")


def test_what_is_written_on_cards_and_pictures_can_be_read() -> None:
    pairs = [(INK, PAPER), (image.INK, image.BACK), (image.SOFT, image.BACK)]
    groups = [one for module in GAMES for one in rules_of(module).data("colours.toml").values()]
    for dark, tint, *_ in (*groups, PLAIN):
        pairs += [(dark, PAPER), (INK, tint)]
    assert min(contrast(ink, back) for ink, back in pairs) >= 4.5


def test_the_example_page_is_current() -> None:
    text = page(model_of(game_of("finished"), None))
    assert (EXAMPLES / "page" / "finished.html").read_text() == text, (
        "make it anew: python -m tests.page.example"
    )
    assert (EXAMPLES / "page" / "finished.svg").read_text() == svg(pictures()[0])


@pytest.mark.parametrize(("lang", "due"), [("en", "due "), ("de", "fällig ")])
def test_a_page_says_when_an_answer_is_due(lang: str, due: str) -> None:
    timed, untimed = Table(2, clock=Clock(3)).join_all().file, Table(2).join_all().file
    seat = timed.asked[0].seat
    text = page(model_of(timed, hand_of(timed, seat)), lang)
    for place in ("status", "asked"):
        found = re.search(rf'id="{place}">([^<]*)<', text)
        assert found is not None
        assert f"{due}2026-03-04 12:00 UTC" in found[1], place
    assert "2026-03-04" not in page(model_of(untimed, hand_of(untimed, seat)), lang)
