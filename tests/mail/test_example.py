"""The example mails are what the program writes today, and the address book is a good one."""

from __future__ import annotations

import re
from email import message_from_string
from email.policy import default
from pathlib import Path

from referee.mail.addresses import parse
from tests.mail.example import mails
from tests.mail.office import attached
from tests.make_examples import EXAMPLES
from tests.table.tables import load

FOLDER = EXAMPLES / "mail"


def shown(text: str) -> str:
    """A mail without its game file and its own hash, in which something is sealed anew."""
    text = re.sub(r"(?<=answer\.)([0-9]+)-[0-9a-f]{16}", r"\1-…", text)
    return re.sub(r"(?<=\n\n)(?:[A-Za-z0-9+/=]+\n)+(?=\n--)", "…\n", text)


def test_the_example_mails_are_current(tmp_path: Path) -> None:
    for name, text in mails(tmp_path).items():
        there = (FOLDER / name).read_text()
        assert shown(there) == shown(text), "make them anew: python -m tests.mail.example"
        file = load(attached(message_from_string(there, policy=default)).decode())
        assert file.game == load((EXAMPLES / "in-progress" / "game.toml").read_text()).game


def test_the_address_book_is_good() -> None:
    book = parse((FOLDER / "addresses.toml").read_bytes())
    assert set(book.seats) == {"ana", "ben", "carl", "dora"}


def test_every_command_in_the_configurations_is_one_of_ours() -> None:
    paths = [path for path in FOLDER.iterdir() if path.suffix not in (".eml", ".md")]
    commands = {
        match
        for path in paths
        for match in re.findall(r"sanjuan-ref ([a-z]+(?: [a-z]+)?)", path.read_text())
    }
    assert commands == {"mail in", "mail out", "mail remind", "expire"}
    told = (FOLDER / "README.md").read_text()
    assert all(path.name in told for path in FOLDER.iterdir() if path.name != "README.md")
