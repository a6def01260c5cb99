"""Anything that a hostile referee signs is refused in a sentence, or is text and never markup."""

from __future__ import annotations

import re
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from referee.games import GAMES
from referee.games.errors import GameError
from referee.playing import player
from referee.render.page.image import svg
from referee.render.page.model import model_of
from referee.render.page.write import FOLDER, page
from referee.table import chain, views
from referee.table.filetext import parse
from referee.table.gamefile import GameFile
from referee.table.signing import signed_text
from tests.games import fullest
from tests.table.tables import REFEREE, Table, key_of, laid_out, load

PAYLOAD = (
    "<script>alert(1)</script>\"><img src=x onerror='alert(2)'> javascript:alert(3) ]]></style>"
)
Where = tuple[str | int, ...]


@cache
def game(module: str) -> str:
    """A game in the middle, where all that a table may have is on it."""
    whole, half = (Table(2, "hostile", rules=fullest(module)).join_all() for _ in range(2))
    return half.rush(until=whole.rush().file.step // 2).text


@cache
def known(module: str) -> GameFile:
    return load(game(module))


def places(value: Any, at: Where = ()) -> Iterator[Where]:
    """Every key and row of a document; of long lists the ends, which are like the rest."""
    if isinstance(value, dict):
        for key in value:
            yield (*at, key)
            yield from places(value[key], (*at, key))
    elif isinstance(value, list):
        for index in sorted({0, len(value) - 2, len(value) - 1} & {*range(len(value))}):
            yield (*at, index)
            yield from places(value[index], (*at, index))


def put(document: Any, where: Where, value: object) -> Any:
    """The document with another value in one place."""
    found = inner = deepcopy(document)
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = value
    return found


def signed(file: GameFile) -> GameFile:
    """The file as its readers get it from a referee who signs anything; raises GameError."""
    if file.log and all(name in file.hands for name in file.seating):
        hands = [file.hands[name].commitment for name in file.seating]
        file.log[-1].root = chain.step_root(file.table, file.asked, chain.deal_hash(file), hands)
    file.head = chain.heads(file)[-1]
    return load(signed_text(file, REFEREE))


def drawn(file: GameFile, seat: str) -> list[str]:
    """Return what a reader makes of a file: a page, and without a hand a picture too."""
    hand = None
    if seat:
        mine = player.my_seat(file, key_of(seat).public)
        hand = views.open_hand(file, mine, key_of(seat))
    model = model_of(file, hand)
    return [page(model), *([svg(model)] if model.boards and not seat else [])]


def elements(text: str) -> set[str]:
    """Every element that there is in a text, as a browser would see it."""
    return set(re.findall(r"<([a-z0-9!?]+)", re.sub(r"(?s)<script>.*?</script>", "", text)))


@cache
def usual() -> set[str]:
    """The elements of the pages and pictures of honest files."""
    files = [Table(2).file, *map(known, GAMES)]
    texts = [text for file in files for text in drawn(file, "")]
    texts += [text for file in files[1:] for text in drawn(file, file.asked[0].seat)]
    return set().union(*map(elements, texts))


def look(file: GameFile, seat: str) -> None:
    """Look at a file, perhaps with the hand of a seat: nothing in it is markup or does anything."""
    html, *pictures = drawn(file, seat)
    assert html.count("<script") == 2
    for text in (html, *pictures):
        assert elements(text) <= usual()
        assert not re.search(r"<[^>]* on[a-z]+=", text.partition("<script>")[0])
        assert not re.search(r'(?:href|src)="(?!#)', text)
        assert "]]>" not in text
    for text in pictures:
        ET.fromstring(text)


def refused(file: GameFile, *seats: str) -> int:
    """By how many readers a file that the referee has signed is refused, each time with a reason.

    A reader is a seat, or "" for anybody.
    """
    count = 0
    for seat in seats:
        try:
            look(signed(file), seat)
        except GameError as error:
            is_told(error)
            count += 1
    return count


def is_told(error: GameError) -> None:
    """A file that is refused is damaged, or its seats or signatures are wrong."""
    assert error.exit_code in (12, 15, 16, 18), error
    assert error.message


@pytest.mark.parametrize("module", GAMES)
def test_no_value_of_a_signed_file_is_markup(module: str) -> None:
    document = tomllib.loads(game(module))
    seat = document["asked"][0]["seat"]
    told = 0
    for where in places(document):
        try:
            file, _ = parse(laid_out(put(document, where, PAYLOAD)).encode())
        except GameError as error:
            is_told(error)
            told += 1
        else:
            refused(file, "", seat)
    # Nothing that is read has such a form; what is not read can say anything.
    assert told > 100


@pytest.mark.parametrize("module", GAMES)
def test_a_table_of_wrong_kinds_is_refused(module: str) -> None:
    for where in places(known(module).table):
        values: tuple[object, ...] = (-1, [PAYLOAD], {PAYLOAD: [[]]})
        for value in values:
            file = deepcopy(known(module))
            file.table = put(file.table, where, value)
            assert refused(file, "")


@pytest.mark.parametrize("module", GAMES)
def test_a_log_of_wrong_words_is_refused(module: str) -> None:
    lines = {line.split(" ")[0]: line for entry in known(module).log for line in entry.then}
    for line in lines.values():
        words = line.split(" ")
        for at in range(1, len(words)):
            for word in ("-9", "999999999", PAYLOAD.replace(" ", "")):
                file = deepcopy(known(module))
                file.log[-2].then += (" ".join([*words[:at], word, *words[at + 1 :]]),)
                assert refused(file, "", file.seating[0]) == 2


def test_what_is_not_markup_is_text() -> None:
    from referee.render.page.markup import element, joined, text

    inner = element("b", {"title": '"<&', "hidden": True, "lang": None}, "<i>", "\0")
    assert inner == '<b title="&quot;&lt;&amp;" hidden>&lt;i&gt;\ufffd</b>'
    assert joined([inner, "&"]) == f"{inner}&amp;"
    # Whatever is put together in any other way is no longer markup.
    assert text(inner + "") == text(f"{inner}") != inner


def test_markup_is_written_in_one_place() -> None:
    for path in FOLDER.glob("*.py"):
        if path.name != "markup.py":
            text = path.read_text()
            assert not re.search(r"""f?["']</?[a-z]""", text), path
            # Files of ours, and the document in which every `<` is written in another way.
            assert text.count(" Markup(") == {"write.py": 2, "results.py": 1}.get(path.name, 0), (
                path
            )
