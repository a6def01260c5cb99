"""The address book: what it says, and that what is wrong with it is named."""

from __future__ import annotations

import pytest

from referee.errors import Damaged
from referee.mail.addresses import Way, chosen, is_address, parse
from tests.mail.office import BOOK


def test_a_book_is_read() -> None:
    book = parse(BOOK.encode())
    assert book.referee == "table@example.org"
    assert book.seats == {
        "ana": ("ana@example.org",),
        "ben": ("ben@example.org", "ben@work.example.org"),
    }
    assert book.out == Way("eml", "mails")
    assert book.seats_at("BEN@Work.example.org") == ["ben"]
    assert book.seats_at("zoe@example.org") == book.seats_at("") == []


def test_answers_go_to_an_address_of_the_game_if_the_book_says_so() -> None:
    game = "0" * 16
    assert parse(BOOK.encode()).address_of(game) == "table@example.org"
    longest = BOOK.replace("[seats]", "plus = true\n[seats]").replace("table@", f"{'t' * 47}@")
    found = parse(longest.encode()).address_of(game)
    assert found == f"{'t' * 47}+{game}@example.org"
    assert is_address(found)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("[referee]", "[host]", "referee is missing"),
        ('address = "table@example.org"', "address = 1", "referee.address"),
        ('address = "table@example.org"', 'address = "table"', "referee.address"),
        (
            'address = "table@example.org"',
            'address = "Dora <table@example.org>"',
            "referee.address",
        ),
        ('address = "table@example.org"', 'name = "Dora"', "referee.address"),
        ('"table@example.org"\n', '"table@example.org"\nname = "Dora"\n', "referee.name"),
        ('ana = "ana@example.org"', "ana = []", "seats.ana"),
        ('ana = "ana@example.org"', "ana = 1", "seats.ana"),
        ('ana = "ana@example.org"', 'ana = ["ana@example.org", 1]', "seats.ana"),
        ('ana = "ana@example.org"', 'ana = "ana@example.org\\nBcc: zoe@example.org"', "seats.ana"),
        ('ana = "ana@example.org"', 'ana = "ana@example.org, zoe@example.org"', "seats.ana"),
        ('ana = "ana@example.org"', 'ana = "äna@example.org"', "seats.ana"),
        ('ana = "ana@example.org"', 'ana = "TABLE@example.org"', "seats.ana is the address of"),
        ("[seats]", "plus = 1\n[seats]", "referee.plus"),
        (
            '[referee]\naddress = "table',
            f'[referee]\nplus = true\naddress = "{"t" * 48}',
            "referee.plus: the id of a game makes",
        ),
        (
            '[seats]\nana = "ana@example.org"',
            'plus = true\n[seats]\nana = "Table+x@example.org"',
            "seats.ana is the address of",
        ),
        ("ana =", '"ana x" =', "seats.ana x"),
        ("ana =", "Ana =", "seats.Ana"),
        ("[seats]", 'about = ""\n[seats]', "referee.about is not one line"),
        ("[seats]", 'about = "a\\nb"\n[seats]', "referee.about is not one line"),
        ("[seats]", 'about = "\\u001b[31m"\n[seats]', "referee.about is not one line"),
        ("[seats]", 'about = "Get sanjuan-ref/1 move"\n[seats]', "referee.about looks like a note"),
        ("[seats]", 'about = "-----BEGIN AGE ENCRYPTED FILE-----"\n[seats]', "looks like a note"),
        (
            "[seats]",
            f'about = "{"x" * 301}"\n[seats]',
            "referee.about must be a text of at most 300",
        ),
        ("[seats]", "about = 1\n[seats]", "referee.about"),
        ("[seats]", 'app = "http://example.org/"\n[seats]', "referee.app should look like"),
        ("[seats]", 'app = "https://example.org/a b"\n[seats]', "referee.app should look like"),
        ("[seats]", 'app = "https://example.org"\n[seats]', "referee.app should look like"),
        ("[seats]", "[people]", "seats is missing"),
        ('eml = "mails"', "", "[out]"),
        ('eml = "mails"', 'eml = ""', "[out]"),
        ('eml = "mails"', 'eml = "mails"\npipe = "cat"', "[out]"),
        ('eml = "mails"', "eml = 1", "out.eml"),
        ('eml = "mails"', 'eml = "mails"\nsmtp = "x"', "out.smtp"),
        ("[out]", "[more]\n[out]", "more"),
        ("[out]", "[[", "TOML"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, named: str) -> None:
    assert old in BOOK
    with pytest.raises(Damaged) as caught:
        parse(BOOK.replace(old, new, 1).encode())
    assert named in caught.value.message
    assert caught.value.message.isprintable()


@pytest.mark.parametrize(
    "text",
    ["a@b", "a.b+c@x-y.example.org", "o'neil@example.org", "a@1.2.3.4", f"{'a' * 64}@example.org"],
)
def test_addresses(text: str) -> None:
    assert is_address(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "a",
            "@b",
            "a@",
            "a@b@c",
            ".a@b",
            "a.@b",
            "a..b@c",
            "a@-b",
            "a@b-",
            "a@b..c",
            "a b@c",
        ),
        *('"a b"@c', "a@[1.2.3.4]", "a@b\n", "a\r\n@b", "a@b\0", "<a@b>", "ä@b", "a@b" * 99),
    ],
)
def test_no_addresses(text: str) -> None:
    assert not is_address(text)


def test_the_command_line_goes_before_the_book() -> None:
    book = parse(BOOK.encode())
    assert chosen(book, []) == Way("eml", "mails")
    assert chosen(book, [Way("pipe", "cat")]) == Way("pipe", "cat")
