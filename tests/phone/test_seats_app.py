"""Notes about seats on a phone, whose player has no terminal to go away, leave or hand over."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from playwright.sync_api import expect

from referee.library import Table
from referee.table.standing import Standing
from referee.table.times import current_time, policy
from tests.page.sight import faults
from tests.phone.phone import Phone
from tests.phone.test_app import by, do, joined

CLOCK = policy(72, "wait", 0, 28, "", 0)


def seats(phone: Phone) -> None:
    """Open the screen of the seat, at the table."""
    phone.page.click("#seats")
    phone.page.wait_for_selector("#view > section h2")


def apply(game: Path, phone: Phone, note: str) -> None:
    """Let the referee apply a note, and the phone open what it sends then."""
    place = game.parent / "seat.note"
    place.write_text(note)
    do("apply", game, place, *by(game.parent))
    phone.open(game.read_bytes())


def test_a_player_goes_away_votes_leaves_and_comes_back(
    phones: Callable[..., Phone], workplace: Path
) -> None:
    phone = phones()
    page = phone.page
    game = joined(workplace, phone, CLOCK)
    seats(phone)
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    until = (current_time() + timedelta(days=3)).date()
    page.fill("#away-until", f"{until}")
    page.click("#away-sign")
    apply(game, phone, phone.note())
    seats(phone)
    expect(page.locator("#away-spans")).to_contain_text(f"{until}")
    for name, back in (("vote", False), ("vote", True), ("leave", False), ("leave", True)):
        # The first tap asks, the second signs.
        page.click(f"#{name}")
        expect(page.locator(f"#{name}")).to_contain_text("Sign: ")
        page.click(f"#{name}")
        apply(game, phone, phone.note())
        standing = Standing.after(Table.open(game).file)
        said = {"vote": standing.voting, "leave": standing.left}[name]
        assert said == ([] if back else ["ana"])
        seats(phone)
    page.select_option("#language", "de")
    expect(page.locator("#vote-h")).to_have_text("Das Spiel beenden")
    page.click("#back")
    page.wait_for_selector("iframe")
    page.click("text=Was du unterschrieben hast")
    expect(page.locator("#view ul button")).to_have_count(6)
    expect(page.locator("#view ul")).to_contain_text("ana ist abwesend")


def test_a_seat_moves_from_one_phone_to_another(
    phones: Callable[..., Phone], workplace: Path
) -> None:
    old, new = phones(), phones(scheme="dark")
    game = joined(workplace, old)
    new.open(game.read_bytes())
    seats(new)
    assert faults(new.page) == []
    new.page.select_option("#seat", "ana")
    new.page.click("#make-key")
    new.page.wait_for_selector("#save-key")
    # Here too a key is saved before it signs.
    assert not new.page.is_visible("#join-sign")
    with new.page.expect_download():
        new.page.click("#save-key")
    new.page.click("#join-sign")
    apply(game, old, new.note())
    waits = old.page.locator("[data-transfer=ana]")
    expect(waits).to_contain_text("Your seat is to get another key")
    waits.get_by_role("button").click()
    old.page.wait_for_selector("#waiting-h")
    expect(old.page.locator("#waiting-h + ul")).to_contain_text("Still to sign: the old key of ana")
    old.page.click("text=Agree and sign")
    apply(game, new, old.note())
    new.frame.locator("main [data-choice]").first.wait_for()
    old.open(game.read_bytes())
    assert old.frame.locator("main [data-choice]").count() == 0


def test_what_the_terminal_refuses_is_refused_in_its_words(
    phones: Callable[..., Phone], workplace: Path
) -> None:
    phone = phones()
    page = phone.page
    joined(workplace, phone, CLOCK)
    seats(phone)
    page.fill("#to", (workplace / "ben.key").read_text())
    page.click("#give-sign")
    expect(page.locator("#status")).to_contain_text(
        "This is a private key, and its public half is wanted. Nobody "
    )
    page.fill("#away-first", f"{(current_time() + timedelta(days=3)).date()}")
    page.click("#away-sign")
    expect(page.locator("#status")).to_have_text("The last day is before the first one.")
    page.fill("#away-until", f"{(current_time() + timedelta(days=90)).date()}")
    page.click("#away-sign")
    expect(page.locator("#status")).to_contain_text("days away for ana")
    assert page.locator("#note").count() == 0
