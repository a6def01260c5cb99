"""The app in a real Chromium: joining, playing whole games, and what is refused."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from referee.games import rules_of
from referee.library import Table
from referee.playing import player
from referee.table.times import Clock
from tests.cli.world import locked, text_of
from tests.mail.office import run
from tests.phone.phone import HOME, Phone
from tests.phone.test_words import LANGUAGES
from tests.table.tables import REFEREE, key_of, load

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "finished" / "game.toml"
GAMES = {
    "sanjuan": (("new-buildings",), {"round_limit": "1"}),
    "xanadu": ((), {}),
}
SELF_TEST = {"en": "This device plays.", "de": "Dieses Gerät spielt."}
SECONDS = {"en": r"\d+\.\d", "de": r"\d+,\d"}


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


@pytest.mark.parametrize("name", ["sanjuan", pytest.param("xanadu", marks=pytest.mark.long)])
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


def test_audit_of_the_example_is_the_terminal_s_word_for_word(phone: Phone) -> None:
    game = EXAMPLE
    phone.open(game.read_bytes())
    phone.page.click("text=Audit")
    phone.page.wait_for_selector("#checked")
    assert told_by(phone.page) == terminal("audit", game)


def test_the_same_answer_is_not_signed_anew_and_another_takes_its_place(
    phone: Phone, workplace: Path
) -> None:
    game = joined(workplace, phone)
    assert asked(game) == "ana"
    texts = []
    for number in (0, 0, 1):
        phone.frame.locator(f"main [data-choice='{number}']").click()
        phone.page.wait_for_selector("#sign")
        replaces = phone.page.locator("#replaces")
        if number:
            expect(replaces).to_contain_text("You have signed another answer: ")
        else:
            expect(replaces).to_have_count(0)
        phone.page.click("#sign")
        texts.append(phone.note())
        expect(phone.page.locator("#number")).to_have_count(number)
        phone.page.click("text=To the table")
        phone.page.wait_for_selector("iframe")
    assert texts[0] == texts[1]
    assert "number 2" in texts[2]
    # The list says what was answered, in the language of the app.
    said = {"en": phone.frame.locator("main [data-choice='1'] b").inner_text()}
    phone.page.select_option("#language", "de")
    phone.frame.locator("html[lang=de]").wait_for()
    said["de"] = phone.frame.locator("main [data-choice='1'] b").inner_text()
    phone.home()
    for language in ("de", "en"):
        phone.page.select_option("#language", language)
        told = LANGUAGES[language]["answered"].format(what=said[language])
        expect(phone.page.locator("[data-game]")).to_contain_text(told)
    phone.page.click("[data-game]")
    phone.page.wait_for_selector("iframe")
    # Until it stands in a file the table says what was signed, and gives it again.
    way = phone.page.locator("#on-its-way")
    expect(way).to_contain_text(f"is not in this file yet: {said['en']}.")
    way.get_by_role("button").click()
    assert phone.note() == texts[2]
    phone.page.click("text=To the table")
    phone.page.wait_for_selector("iframe")
    (workplace / "ana.move").write_text(texts[2])
    do("apply", game, workplace / "ana.move", *by(workplace))
    phone.open(game.read_bytes())
    expect(way).to_have_count(0)
    phone.page.click("text=Notes you signed")
    expect(phone.page.locator("#view ul button")).to_have_count(3)


def test_an_answer_that_came_too_late_is_said(phone: Phone, workplace: Path) -> None:
    game = joined(workplace, phone)
    page = phone.page
    said, texts = [], []
    for number in (0, 1):
        phone.frame.locator(f"main [data-choice='{number}']").click()
        said.append(page.inner_text(".agree b"))
        page.click("#sign")
        texts.append(phone.note())
        page.click("text=To the table")
        page.wait_for_selector("iframe")
    (workplace / "ana.move").write_text(texts[0])
    do("apply", game, workplace / "ana.move", *by(workplace))
    # An answer that was signed in English is listed in German.
    page.select_option("#language", "de")
    page.wait_for_selector("text=Was du unterschrieben hast")
    last = phone.frame.locator("main [data-choice='1'] b").inner_text()
    assert last != said[1]
    expect(page.locator("#on-its-way")).to_contain_text(f": {last}.")
    page.select_option("#language", "en")
    page.wait_for_selector("text=Notes you signed")
    phone.open(game.read_bytes())
    told = LANGUAGES["en"]["overtaken"].format(what=said[1], counted=said[0])
    expect(page.locator("#status")).to_have_text(f"The game went on: step 2. {told}")


def test_whoever_has_no_key_here_is_told_where_to_bring_it(phone: Phone, workplace: Path) -> None:
    page = phone.page
    key = workplace / "my.key"
    key.write_bytes(key_of("ana").openssh())
    phone.open(text_of("dealt").encode())
    expect(page.locator("#no-key")).to_contain_text("No key of yours sits at this table.")
    # The screen on seats says so, too.
    page.click("#seats")
    page.wait_for_selector("#take-h")
    page.click("#view button:text('Your keys')")
    expect(page.locator("#heading")).to_have_text("Your keys")
    page.click("#back")
    page.wait_for_selector("#take-h")
    page.click("#back")
    page.click("#no-key button")
    page.set_input_files("input[type=file]", key)
    expect(page.locator("#status")).to_have_text("The key is here.")
    page.click("#back")
    phone.frame.locator("main [data-choice]").first.wait_for()
    expect(page.locator("#no-key")).to_have_count(0)


def test_a_key_that_is_opened_as_a_game_is_brought_in(phone: Phone, workplace: Path) -> None:
    page = phone.page
    for number, data in enumerate((key_of("ana").openssh(), locked("ben", "secret"))):
        phone.give(data, "my.key")
        expect(page.locator("[role=alert]")).to_have_text("This is a private key, not a game file.")
        hint = page.locator("[role=alert] + p")
        expect(hint).to_have_text("Bring it in as a key of yours, and send it to nobody.")
        assert page.locator("text=Save this file").count() == 0
        page.click("#take-key")
        if number:
            page.fill("#passphrase", "secret")
            page.click("#unlock")
        expect(page.locator("#status")).to_have_text("The key is here.")
    phone.home()
    page.click("#keys")
    expect(page.locator("details")).to_have_count(2)
    phone.give(phone_note().encode(), "ana.move")
    expect(page.locator("[role=alert]")).to_contain_text("which goes to the referee")
    assert page.locator("#take-key").count() == 0


def test_a_file_that_is_too_large_is_said_to_be_so(phone: Phone, workplace: Path) -> None:
    page = phone.page
    large = workplace / "large"
    for screen, size, words in (("", 24, "too-large"), ("#keys", 16, "key-too-large")):
        with large.open("wb") as file:
            file.truncate((1 << size) + 1)
        if screen:
            page.click(screen)
            expect(page.locator("#heading")).to_have_text("Your keys")
        page.set_input_files("input[type=file]", large)
        expect(page.locator("#status")).to_have_text(LANGUAGES["en"][words])


def phone_note() -> str:
    """An answer of ana's, as it is sent."""
    return player.move_text(
        load(text_of("dealt")), key_of("ana"), "1.1.role.ana", "role builder", sealed=False
    )


def test_what_is_wrong_with_one_key_file_is_not_said_of_the_next(phone: Phone) -> None:
    page = phone.page
    page.click("#keys")
    expect(page.locator("#heading")).to_have_text("Your keys")
    for data, wanted in ((b"nothing", "is not a private key"), (locked("ben", "secret"), "")):
        file = {"name": "key", "mimeType": "text/plain", "buffer": data}
        page.set_input_files("input[type=file]", file)  # type: ignore[arg-type]
        if not wanted:
            page.wait_for_selector("#passphrase")
        expect(page.locator("#status")).to_contain_text(wanted)
    expect(page.locator("#status")).to_have_text("")


def test_a_key_is_saved_under_the_name_of_its_seat(phone: Phone, workplace: Path) -> None:
    page = phone.page
    phone.open(new_table(workplace, seats="ana ben").read_bytes())
    page.click("text=Take a seat")
    page.select_option("#seat", "ben")
    page.click("#make-key")
    names = []
    for again in (False, True):
        if again:
            phone.home()
            page.click("#keys")
        with page.expect_download() as saved:
            page.click("button:text('Save the key')")
        names.append(saved.value.suggested_filename)
    assert re.fullmatch("sanjuan-ref-ben-[0-9a-f]{8}\\.key", names[0])
    assert names[1] == names[0]


def test_whoever_has_joined_elsewhere_is_told_where_to_bring_the_key(
    phone: Phone, workplace: Path
) -> None:
    page = phone.page
    game = new_table(workplace, seats="ana ben")
    phone.open(game.read_bytes())
    (workplace / "ana.join").write_text(phone.join(workplace, "ana"))
    phone.home()
    page.click("[data-game]")
    page.click("text=Take a seat")
    page.wait_for_selector("#seat")
    assert page.locator("text=No key of yours sits").count() == 0
    do("apply", game, workplace / "ana.join", *by(workplace))
    phone.empty()
    phone.open(game.read_bytes())
    page.click("text=Take a seat")
    page.wait_for_selector("#seat")
    page.click("#view button:text('Your keys')")
    page.set_input_files("input[type=file]", workplace / "ana.key")
    expect(page.locator("#status")).to_have_text("The key is here.")
    phone.home()
    page.click("[data-game]")
    page.wait_for_selector("iframe")
    assert page.locator("text=Take a seat").count() == 0


def test_a_list_tells_games_of_one_title_apart(phone: Phone, workplace: Path) -> None:
    page = phone.page
    for seats in ("ana ben", "ana ben carl"):
        phone.open(new_table(workplace, seats=seats).read_bytes())
        phone.join(workplace, "ana")
    phone.home()
    rows = page.locator("[data-game]")
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text="ana, with ben, carl")).to_have_count(1)
    expect(rows.filter(has_text="Joining as ana: signed; not arrived yet")).to_have_count(2)
    page.select_option("#language", "de")
    expect(rows.filter(has_text="ana, mit ben, carl")).to_have_count(1)


def test_an_app_that_was_emptied_goes_on_with_the_saved_key(
    phones: Callable[..., Phone], workplace: Path
) -> None:
    phone = phones()
    page = phone.page
    game = joined(workplace, phone)
    session = phone.context.new_cdp_session(page)
    origin = {"origin": phone.address.rstrip("/"), "storageTypes": "all"}
    page.goto("about:blank")
    session.send("Storage.clearDataForOrigin", origin)
    page.goto(phone.address)
    page.wait_for_selector(HOME, timeout=120_000)
    assert page.locator("[data-game]").count() == 0
    phone.open(game.read_bytes())
    assert page.is_hidden(".agree")
    phone.home()
    page.click("#keys")
    assert page.locator("details").count() == 0
    key = workplace / "ana.key"
    subprocess.run(["ssh-keygen", "-q", "-p", "-a", "2", "-N", "secret", "-f", key], check=True)
    page.set_input_files("input[type=file]", key)
    for passphrase, right in (("wrong", False), ("secret", True)):
        page.fill("#passphrase", passphrase)
        page.click("#unlock")
        wanted = "The key is here" if right else "passphrase is not right"
        expect(page.locator("#status")).to_contain_text(wanted)
    phone.open(game.read_bytes())
    note = workplace / "again.move"
    note.write_text(phone.answer(random.Random(1)))
    do("apply", game, note, *by(workplace))


def test_games_lie_side_by_side_and_those_that_wait_for_me_come_first(phone: Phone) -> None:
    phone.keep_key(key_of("ana"))
    texts = [EXAMPLE.read_text(), *map(text_of, ("xanadu", "tidying", "keeping"))]
    for text in texts:
        phone.open(text.encode())
    phone.home()
    page = phone.page
    expect(page.locator("[data-game]")).to_have_count(4)
    said = page.locator("[data-game]").all_inner_texts()
    asked = ["You are asked" in one for one in said]
    assert asked == sorted(asked, reverse=True)
    assert asked[:2] == [True, True]
    # Each opens as itself, and goes on from where it is.
    page.click("[data-game] >> nth=0")
    phone.frame.locator("main [data-choice]").first.wait_for()
    phone.home()
    page.click("[data-game] >> nth=-1")
    page.wait_for_selector("iframe")


def test_what_a_terminal_refuses_is_refused_in_its_words(phone: Phone, workplace: Path) -> None:
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
        # Here it is a sentence.
        assert (told[0], told[-1]) == (told[0].upper(), "."), name
        told = f"{told[0].lower()}{told[1:-1]}"
        assert said in told or told in said, name
    # In another language it is said in that, or the program's own words are quoted.
    phone.page.select_option("#language", "de")
    expect(phone.page.locator("#heading")).to_have_text("Das lässt sich nicht verwenden")
    phone.give(files["nothing"][0])
    phone.page.wait_for_selector("[role=alert]:text('Darin ist keine Spieldatei.')")
    assert not phone.page.is_visible("[lang=en]")
    phone.give(first.replace(b"[[seats]]\nname", b"[[seats]]\nnome", 1))
    phone.page.wait_for_selector("[role=alert]:text('Die Datei ist beschädigt')")
    assert "seats[0].name" in phone.page.inner_text("main [lang=en]")
    phone.page.select_option("#language", "en")
    expect(phone.page.locator("#heading")).to_have_text("This cannot be used")
    phone.give(first)
    phone.page.wait_for_selector("[role=alert]:text('older')")
    assert "older than the one you have (step 1 there, 2 here)" in phone.page.inner_text(
        "[role=alert]"
    )
    phone.page.click("text=Show the game")
    phone.page.wait_for_selector("iframe")
    assert "step 2" in phone.page.inner_text(".strip")


def _signed(folder: Path, table: Table, play: str) -> str:
    from referee.crypto.keys import PrivateKey

    return table.sign(PrivateKey.load(folder / "ana.key"), play)


def test_an_email_is_opened_and_a_text_pasted(phone: Phone) -> None:
    phone.give((ROOT / "examples" / "mail" / "prompt.eml").read_bytes(), "prompt.eml")
    phone.page.wait_for_selector("iframe")
    phone.home()
    phone.page.click("text=Paste a text")
    text = EXAMPLE.read_text()
    phone.page.evaluate("text => { document.querySelector('#pasted').value = text; }", text)
    phone.page.click("#view button.main")
    phone.page.wait_for_selector("iframe")
    phone.home()
    expect(phone.page.locator("[data-game]")).to_have_count(2)


@pytest.mark.parametrize(("lang", "plays"), SELF_TEST.items())
def test_the_self_test_says_that_this_browser_plays(
    lang: str, plays: str, phones: Callable[..., Phone], address: str
) -> None:
    page = phones().context.new_page()
    page.goto(f"{address}selftest.html")
    expect(page.locator("#result")).to_have_text(SELF_TEST["en"], timeout=120_000)
    if lang != "en":
        page.select_option("#language", lang)
    expect(page.locator("#result")).to_have_text(plays, timeout=120_000)
    words = LANGUAGES[lang]
    text = page.inner_text("body")
    for what in ("signature", "verify", "open", "seal"):
        assert words["test-right"].format(what=words[f"test-{what}"]) in text
    assert re.search(words["test-usable"].format(seconds=SECONDS[lang]), text)
    assert page.evaluate("document.documentElement.lang") == lang
    assert page.locator("h1").inner_text() == words["test"]
