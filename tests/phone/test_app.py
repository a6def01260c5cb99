"""The app in a real Chromium: joining, playing whole games, what is refused, and attacks."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from referee.games import rules_of
from referee.library import Table
from referee.table.times import Clock
from tests.mail.office import run
from tests.page.sight import faults
from tests.phone.phone import Phone
from tests.table.tables import REFEREE, key_of

ROOT = Path(__file__).parents[2]
GAMES = {
    "sanjuan": (("new-buildings",), {"round_limit": "1"}),
    "xanadu": ((), {}),
}
WITHOUT = "() => document.querySelector('#view').innerText"


def do(*words: str | Path) -> str:
    done = run(*map(str, words))
    assert done.code == 0, (words, done.err)
    return done.out


def new_table(
    folder: Path, name: str = "sanjuan", seats: str = "ana ben carl", clock: Clock | None = None
) -> Path:
    """A table of the referee's, and a key for whoever plays on a terminal."""
    expansions, options = GAMES[name]
    rules = rules_of(name).choose(None, expansions, (), options)
    game = folder / "game.toml"
    game.write_text(Table.new(rules, seats.split(), REFEREE, clock=clock).text)
    (folder / "referee.key").write_bytes(REFEREE.openssh())
    (folder / "referee.key").chmod(0o600)
    return game


def joined(folder: Path, phone: Phone, clock: Clock | None = None) -> Path:
    """A game of two that has begun: ana has the phone."""
    game = new_table(folder, seats="ana ben", clock=clock)
    ben = folder / "ben.key"
    ben.write_bytes(key_of("ben").openssh())
    ben.chmod(0o600)
    phone.open(game.read_bytes())
    (folder / "ana.join").write_text(phone.join(folder, "ana"))
    do("join", game, "--seat", "ben", "--key", ben, "-o", folder / "ben.join")
    do("apply", game, folder / "ana.join", folder / "ben.join", *by(folder))
    phone.open(game.read_bytes())
    return game


def by(folder: Path) -> list[str]:
    return ["--referee-key", str(folder / "referee.key"), "--ledger", str(folder / "ledger")]


def asked(game: Path) -> str:
    file = Table.open(game).file
    waits = {one.decision for one in file.pending}
    return next((one.seat for one in file.asked if one.id not in waits), "")


@pytest.mark.parametrize("name", GAMES)
def test_two_phones_and_a_terminal_play_a_whole_game(
    name: str, phones: Callable[..., Phone], workplace: Path
) -> None:
    folder = workplace
    game = new_table(folder, name)
    players = {"ana": phones(), "ben": phones()}
    for seat, phone in players.items():
        phone.open(game.read_bytes())
        (folder / f"{seat}.join").write_text(phone.join(folder, seat))
    (folder / "carl.key").write_bytes(key_of("carl").openssh())
    (folder / "carl.key").chmod(0o600)
    do("join", game, "--seat", "carl", "--key", folder / "carl.key", "-o", folder / "carl.join")
    do("apply", game, *(folder / f"{seat}.join" for seat in ("ana", "ben", "carl")), *by(folder))
    chance = random.Random(name)
    while seat := asked(game):
        note = folder / "next.move"
        if seat in players:
            players[seat].open(game.read_bytes())
            note.write_text(players[seat].answer(chance))
        else:
            view = Table.open(game).view(key_of("carl"))
            do("move", game, "--play", view.suggest(), "--key", folder / "carl.key", "-o", note)
        do("apply", game, note, *by(folder))
    assert Table.open(game).status == "finished"
    phone = players["ana"]
    phone.open(game.read_bytes())
    phone.page.click("text=Audit")
    phone.page.wait_for_selector("#checked")
    assert told_by(phone.page) == terminal("audit", game)


def told_by(page: Page) -> list[str]:
    lines = [
        f"ok  {line.inner_text().removeprefix('ok').strip()}"
        for line in page.locator("#checked li").all()
    ]
    return [*lines, *page.inner_text("#conclusion").split(), page.inner_text("#state")]


def terminal(command: str, game: Path) -> list[str]:
    """The checks of a command, one a line, then its conclusion word by word, then the state."""
    lines = do(command, game).splitlines()
    checks = [line for line in lines if line.startswith("ok  ")]
    rest = lines[len(checks) : -1]
    return [*checks, *" ".join(rest).split(), lines[-1].partition(f"{game}: ")[2]]


def test_audit_of_the_example_is_the_terminal_s_word_for_word(phones: Callable[..., Phone]) -> None:
    game = ROOT / "examples" / "finished" / "game.toml"
    phone = phones()
    phone.open(game.read_bytes())
    phone.page.click("text=Audit")
    phone.page.wait_for_selector("#checked")
    assert told_by(phone.page) == terminal("audit", game)


def test_the_same_answer_is_not_signed_anew_and_another_takes_its_place(
    phones: Callable[..., Phone], workplace: Path
) -> None:
    phone = phones()
    game = joined(workplace, phone)
    assert asked(game) == "ana"
    texts = []
    for number in (0, 0, 1):
        phone.frame.locator(f"main [data-choice='{number}']").click()
        phone.page.wait_for_selector("#sign")
        phone.page.click("#sign")
        texts.append(phone.note())
        phone.page.click("text=To the table")
        phone.page.wait_for_selector("iframe")
    assert texts[0] == texts[1]
    assert "number 2" in texts[2]
    phone.page.click("text=Notes you signed")
    expect(phone.page.locator("#view ul button")).to_have_count(3)


def test_a_lost_phone_goes_on_with_the_saved_key(
    phones: Callable[..., Phone], workplace: Path
) -> None:
    game = joined(workplace, phones())
    other = phones()
    other.open(game.read_bytes())
    assert other.page.is_hidden(".agree")
    other.home()
    other.page.click("#keys-h + button")
    key = workplace / "ana.key"
    subprocess.run(["ssh-keygen", "-q", "-p", "-a", "2", "-N", "secret", "-f", key], check=True)
    other.page.set_input_files("input[type=file]", key)
    for passphrase, right in (("wrong", False), ("secret", True)):
        other.page.fill("#passphrase", passphrase)
        other.page.click("#unlock")
        wanted = "The key is here" if right else "passphrase is not right"
        expect(other.page.locator("#status")).to_contain_text(wanted)
    other.open(game.read_bytes())
    note = workplace / "again.move"
    note.write_text(other.answer(random.Random(1)))
    do("apply", game, note, *by(workplace))


def test_what_a_terminal_refuses_is_refused_in_its_words(
    phones: Callable[..., Phone], workplace: Path
) -> None:
    phone = phones()
    game = joined(workplace, phone)
    first = game.read_bytes()
    files: dict[str, tuple[bytes, str]] = {}
    files["damaged"] = (first.replace(b"title = ", b"title= "), "")
    files["changed"] = (first.replace(b"step = 1\n", b"step = 2\n"), "")
    files["nothing"] = (b"dear ana", "there is no game file in this")
    twin = Table.open(game)
    notes = {}
    for name, play in (("one", "role builder"), ("two", "role trader")):
        text = twin.apply([_signed(workplace, twin, play)], REFEREE).table.text
        notes[name] = text.encode()
    phone.open(notes["one"])
    files["fork"] = (notes["two"], "the referee has signed two histories")
    for name, (data, said) in files.items():
        phone.give(data)
        phone.page.wait_for_selector("[role=alert]")
        told = phone.page.inner_text("[role=alert]")
        bad = workplace / "bad.toml"
        bad.write_bytes(data)
        if not said:
            done = run("show", str(bad))
            said = (
                done.err.splitlines()[0].removeprefix("error: ").replace(str(bad), "this game file")
            )
        assert said in told or told in said, name
    phone.give(first)
    phone.page.wait_for_selector("[role=alert]")
    assert "older than the one you have (1 steps there, 2 here)" in phone.page.inner_text(
        "[role=alert]"
    )
    phone.page.click("text=Show the game")
    phone.page.wait_for_selector("iframe")
    assert "step 2" in phone.page.inner_text(".strip")


def _signed(folder: Path, table: Table, play: str) -> str:
    from referee.crypto.keys import PrivateKey

    return table.sign(PrivateKey.load(folder / "ana.key"), play)


def test_an_email_is_opened_and_a_text_pasted(phones: Callable[..., Phone]) -> None:
    phone = phones()
    phone.give((ROOT / "examples" / "mail" / "prompt.eml").read_bytes(), "prompt.eml")
    phone.page.wait_for_selector("iframe")
    phone.home()
    phone.page.click("text=Paste a text")
    text = (ROOT / "examples" / "finished" / "game.toml").read_text()
    phone.page.evaluate("text => { document.querySelector('#pasted').value = text; }", text)
    phone.page.click("#view button.main")
    phone.page.wait_for_selector("iframe")
    phone.home()
    expect(phone.page.locator("[data-game]")).to_have_count(2)


def test_a_page_in_its_frame_reaches_nothing(phones: Callable[..., Phone], workplace: Path) -> None:
    phone = phones()
    joined(workplace, phone)
    phone.frame.locator("main [data-choice]").first.wait_for()
    inside = phone.page.frames[-1]
    assert inside.evaluate("window.origin") == "null"
    for attempt in (
        "parent.document.title",
        "top.localStorage.length",
        "localStorage.length",
        "parent.indexedDB.open('sanjuan-ref')",
        "navigator.serviceWorker.register('sw.js')",
    ):
        script = f"() => {{ try {{ {attempt}; return 'in'; }} catch {{ return 'out'; }} }}"
        assert inside.evaluate(script) == "out", attempt
    fetched = "url => fetch(url).then(() => 'in', () => 'out')"
    assert inside.evaluate(fetched, phone.address + "app.js") == "out"
    answers: list[str] = []
    phone.page.on("response", lambda one: answers.append(one.url))
    inside.evaluate(
        "url => { const one = new Image(); one.src = url; }", phone.address + "leak.png"
    )
    inside.evaluate(
        """url => { const one = document.createElement('iframe');
            one.src = url; document.body.append(one); }""",
        phone.address + "leak.html",
    )
    assert inside.evaluate("() => open('about:blank') === null")
    # Neither may it go somewhere itself, with a hand in the address.
    inside.evaluate("url => { location.href = url; }", phone.address + "leak?hand")
    phone.page.wait_for_timeout(300)
    assert answers == []


def test_forged_messages_sign_nothing(phones: Callable[..., Phone], workplace: Path) -> None:
    phone = phones()
    joined(workplace, phone)
    phone.frame.locator("main [data-choice]").first.wait_for()
    inside = phone.page.frames[-1]
    good = {
        "answer": [["role", "builder"]],
        "plan": [],
        "keep": False,
        "withdraw": False,
        "begun": True,
    }
    phone.page.evaluate("data => postMessage(data, '*')", good)
    for data in (
        1,
        None,
        {"answer": "role builder", "plan": []},
        {"answer": None, "plan": "x"},
        {"sign": True, "play": "role builder", "answer": None, "plan": []},
    ):
        inside.evaluate("data => parent.postMessage(data, '*')", data)
    inside.evaluate("data => parent.postMessage(data, '*')", good | {"answer": [["<b>", "x"]]})
    expect(phone.page.locator(".agree .wrong")).to_contain_text("what is no answer")
    inside.evaluate("data => parent.postMessage(data, '*')", good | {"answer": [["role", "king"]]})
    expect(phone.page.locator(".agree .wrong")).not_to_contain_text("what is no answer")
    assert phone.page.locator("#sign").count() == 0
    # What is offered is what the program understands, whatever the page shows.
    inside.evaluate("data => parent.postMessage(data, '*')", good)
    expect(phone.page.locator("#canonical")).to_have_text("role builder")
    phone.page.click("#sign")
    assert "play role builder\n" in phone.note()


def test_one_tab_at_a_time(phones: Callable[..., Phone]) -> None:
    phone = phones()
    second = phone.tab("text=open in another tab")
    second.click("text=Use it here")
    second.wait_for_selector(READY_GAMES)
    expect(phone.page.locator("#view")).to_contain_text("goes on in another tab")


READY_GAMES = "body[data-ready] #open-h"


def test_nothing_is_signed_where_nothing_can_be_kept(
    phones: Callable[..., Phone], workplace: Path
) -> None:
    phone = phones()
    joined(workplace, phone)
    phone.compose(random.Random(1))
    phone.page.evaluate(
        """() => { IDBObjectStore.prototype.put = () => {
            throw new DOMException("", "QuotaExceededError"); }; }"""
    )
    phone.page.click("#sign")
    expect(phone.page.locator("#status")).to_contain_text("no room left")
    assert phone.page.locator("#note").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_screen_is_accessible_in_both_languages(
    scheme: str, phones: Callable[..., Phone], workplace: Path
) -> None:
    phone = phones(scheme=scheme)
    page = phone.page
    assert faults(page) == []
    game = new_table(workplace, seats="ana ben")
    phone.open(game.read_bytes())
    page.click("text=Take a seat")
    page.click("#make-key")
    page.wait_for_selector("#save-key")
    assert faults(page) == []
    with page.expect_download():
        page.click("#save-key")
    page.click("#join-sign")
    page.wait_for_selector("#note")
    assert faults(page) == []
    for language, heading in (("de", "Senden"), ("en", "Send")):
        page.select_option("#language", language)
        expect(page.locator("#heading")).to_have_text(heading)
        assert page.get_attribute("html", "lang") == language
    phone.home()
    page.click("#keys-h + button")
    page.wait_for_selector("details")
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_what_is_heard_is_said_once_and_in_order(phones: Callable[..., Phone]) -> None:
    phone = phones()
    tree = phone.page.locator("body").aria_snapshot()
    lines = [line.strip() for line in tree.splitlines()]
    assert lines == [
        "- banner:",
        '- heading "Your games" [level=1]',
        "- text: Language",
        '- combobox "Language":',
        '- option "English" [selected]',
        '- option "Deutsch"',
        "- main:",
        '- region "Open a file":',
        '- heading "Open a file" [level=2]',
        "- paragraph: No game yet. Open the game file that your referee sent, "
        "or the email it came with.",
        "- text: Open a file",
        '- button "Open a file"',
        '- button "Paste a text"',
        '- region "Practice":',
        '- heading "Practice" [level=2]',
        '- paragraph: "Play against bots, here and now: nothing to set up, nothing to send."',
        '- button "Play a practice game"',
        '- button "Choose rules and bots"',
        '- region "Your keys":',
        '- heading "Your keys" [level=2]',
        '- button "Your keys"',
    ]


def test_the_self_test_says_that_this_browser_plays(
    phones: Callable[..., Phone], address: str
) -> None:
    page = phones().context.new_page()
    page.goto(f"{address}selftest.html")
    expect(page.locator("#result")).to_have_text("This device plays.", timeout=120_000)
    assert "WRONG" not in page.inner_text("body")
