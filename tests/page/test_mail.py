"""A mail has a picture of the table in it where the address book asks for one."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

from referee.errors import Damaged
from referee.mail.addresses import parse
from referee.render.page.image import NoImage, svg
from referee.render.page.model import model_of
from tests.mail.office import BOOK, Office


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.mark.parametrize(("form", "kind"), [("svg", "image/svg+xml"), ("png", "image/png")])
def test_a_prompt_has_a_picture(tmp_path: Path, form: str, kind: str) -> None:
    with chdir(tmp_path):
        office = Office(tmp_path, "building", f'{BOOK}picture = "{form}"\n')
        done = office.send()
        assert done.code == 0, done.err
        (mail,) = office.mails().values()
        game, picture = mail.iter_attachments()
        assert game.get_content_type() == "application/toml"
        assert picture.get_content_type() == kind
        assert str(picture.get_filename()).endswith(f".{form}")
        data = picture.get_content()
        if form == "svg":
            # What everybody sees, whoever gets it.
            assert data == svg(model_of(office.file, None)).encode()
        else:
            assert data.startswith(b"\x89PNG")


def test_without_the_library_the_mail_goes_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(text: str) -> bytes:
        raise NoImage("it is missing")

    monkeypatch.setattr("referee.render.page.image.png", missing)
    with chdir(tmp_path):
        office = Office(tmp_path, "building", f'{BOOK}picture = "png"\n')
        assert office.send().code == 0
        (mail,) = office.mails().values()
        assert len(list(mail.iter_attachments())) == 1


def test_before_the_deal_there_is_no_picture(tmp_path: Path) -> None:
    with chdir(tmp_path):
        office = Office(tmp_path, "open", f'{BOOK}picture = "svg"\n')
        assert office.send().code == 0
        for mail in office.mails().values():
            assert len(list(mail.iter_attachments())) == 1


def test_the_book_names_a_form() -> None:
    book = parse(BOOK.replace('eml = "mails"', 'picture = "svg"').encode())
    assert (book.out, book.picture) == (None, "svg")
    assert parse(BOOK.encode()).picture == ""
    with pytest.raises(Damaged, match=r"out\.picture is one of svg, png"):
        parse(f'{BOOK}picture = "gif"\n'.encode())
