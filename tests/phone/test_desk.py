"""The app's requests without a browser: answered and refused as on a terminal."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from referee import library
from referee.crypto.primitives import Primitives, use
from referee.games import GAMES, rules_of
from referee.games.phrases import phrases_of
from referee.notes.recognising import begins_as_game_file
from referee.phone import shelf
from referee.phone.desk import MAX_INPUT
from referee.phone.door import call
from referee.playing import player
from referee.table import chain, views
from referee.table.rules import rules_for
from referee.table.signing import signed_text
from tests.checking import test_cheats, test_cheats_sanjuan
from tests.checking.cheating import STAGES, Cheater, found_by
from tests.cli.hostile import FILES, Forger
from tests.cli.world import lay_out, locked, text_of
from tests.mail.office import run
from tests.phone.worlds import judged, questions
from tests.table.tables import REFEREE, Table, key_of, load

KINDS = [kind for game in GAMES for kind in rules_of(game).kinds]
ANA, BEN, STRANGER = (key_of(name).openssh().decode() for name in ("ana", "ben", "stranger"))
BENS = key_of("ben").public
NOTHING = "there is no game file in this"
CHEATS = {
    name: (when, act)
    for cheats in (test_cheats.cheat, test_cheats_sanjuan.cheat)
    for name, when, by, act in cheats.all
    if by == "compare" or name in ("give_a_card_that_was_not_drawn", "swap_a_card")
}
"""The faults found in a hand, or between two files."""
CLAUSES = ["trader: sell dearest", "always builder: pass"]


def ask(name: str, **given: Any) -> dict[str, Any]:
    """The answer to the app."""
    found = json.loads(call(name, json.dumps(given)))
    assert "done" in found, found
    done: dict[str, Any] = found["done"]
    return done


def refusal(name: str, **given: Any) -> str:
    """The words for a request that is refused."""
    found = json.loads(call(name, json.dumps(given)))
    assert "error" in found, found
    assert found["error"]["reason"] != "bug", found
    message = str(found["error"]["message"])
    # Others are quoted only of files that no honest table comes to.
    german = json.loads(call(name, json.dumps({**given, "lang": "de"})))["error"]
    assert german["message"] != message
    assert german["words"] == ""
    return message


def said_by(*words: str) -> str:
    """The terminal's words for a fault of a command, in the app's names of files; or nothing."""
    done = run(*words)
    if done.code == 0:
        return ""
    first = done.err.splitlines()[0].removeprefix("error: ")
    first = first.removeprefix("bad.toml: ").replace("bad.toml", "this game file")
    # A key has no file in the app.
    return re.sub(r"the key \w+\.key \((SHA256:[^)]+)\)", r"the key \1", first)


def words_of(text: str, play: str) -> list[list[str]]:
    """A play as the page hands it over."""
    words = {word.name: word for word in rules_for(load(text)).words}
    return [list(one) for one in phrases_of(play, words)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_of_every_question_is_read_and_signed(kind: str) -> None:
    _, text, seat = questions()[kind]
    key = key_of(seat).openssh().decode()
    for lang in ("en", "de"):
        shown = ask("table", text=text, key=key, lang=lang)
        assert (shown["seat"], shown["waits"], shown["plans"]) == (seat, False, True)
    file = load(text)
    mine = file.seat(seat)
    assert mine is not None
    view = views.view_of(file, views.open_hand(file, mine, key_of(seat)))
    exact = [choice.play for choice in view.choices() if choice.exact]
    plays = list(dict.fromkeys([*(view.plays() or exact), view.suggest()]))
    given: dict[str, Any] = {"text": text, "key": key, "lang": "en", "plan": []}
    for play in plays[:: max(1, len(plays) // 6)]:
        assert ask("read", **given, answer=words_of(text, play))["play"] == play
    note = ask("sign", text=text, key=key, play=plays[-1], clauses=None, notes=[])
    verdicts, _ = judged(text, note["text"])
    assert [verdict.error for verdict in verdicts] == [None]
    # What was signed is given again, and another answer takes the next number.
    again = ask("sign", text=text, key=key, play=plays[-1], clauses=None, notes=[note])
    assert again == {**note, "again": True}
    if len(plays) > 1:
        other = ask("sign", text=text, key=key, play=plays[0], clauses=None, notes=[note])
        assert other["number"] == note["number"] + 1


@pytest.mark.parametrize("name", FILES)
def test_a_bad_file_is_refused_in_the_terminal_s_words(name: str, workplace: Path) -> None:
    lay_out(workplace, "nothing")
    data = FILES[name](Forger(text_of("dealt")))
    (workplace / "bad.toml").write_bytes(data)
    wanted = said_by("show", "bad.toml", "--key", "ana.key")
    found = json.loads(call("look", json.dumps({"hex": data.hex()})))
    if "done" in found:
        found = json.loads(
            call("table", json.dumps({"text": found["done"]["text"], "key": ANA, "lang": "en"}))
        )
    if not wanted:
        assert "done" in found, found
        return
    told = found["error"]["message"]
    german = json.loads(call("look", json.dumps({"hex": data.hex(), "lang": "de"})))
    if "error" in german:
        assert german["error"]["message"] != told
        assert german["error"]["words"] in ("", told)
    if told == NOTHING:
        # In the app that may be any file or text: it says what it looks for.
        assert not begins_as_game_file(data)
        return
    assert told == wanted


def forked() -> tuple[str, str]:
    """Two files of one game that went on in two ways."""
    texts = []
    for play in ("role builder", "role trader"):
        table = Table(2, "cli 82687", plans=True).join_all()
        table.apply(table.note(table.file.asked_ids()[0], play))
        texts.append(table.text)
    return texts[0], texts[1]


def usurped() -> tuple[str, str]:
    """A table, and the same one when somebody else has put a key in the referee's place."""
    text = Table(2, "cli 82687").text
    file = load(text)
    file.referee = key_of("stranger").public
    file.head = chain.heads(file)[-1]
    return text, signed_text(file, key_of("stranger"))


@pytest.mark.parametrize("pair", [forked, usurped])
def test_another_history_is_said_as_by_compare(
    pair: Callable[[], tuple[str, str]], workplace: Path
) -> None:
    lay_out(workplace, "nothing")
    texts = pair()
    for name, text in zip(("a.toml", "b.toml"), texts, strict=True):
        (workplace / name).write_text(text)
    wanted = said_by("compare", "a.toml", "b.toml")
    assert wanted
    kept = {load(texts[0]).game: texts[0]}
    assert refusal("look", text=texts[1], kept=kept) == wanted


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 1), (1, 0)])
def test_how_two_files_relate_is_what_compare_says(first: int, second: int) -> None:
    table = Table(2, "cli 82687", plans=True).join_all()
    texts = [table.text]
    table.apply(table.note(table.file.asked_ids()[0], "role builder"))
    texts.append(table.text)
    found = ask("look", text=texts[second], kept={table.file.game: texts[first]})
    assert found["relation"] == {0: "same", 1: "newer", -1: "older"}[second - first]


def test_seats_and_keys_are_refused_in_the_terminal_s_words(workplace: Path) -> None:
    lay_out(workplace, "nothing")
    opened = Table(3, "cli 82687")
    first = ask("join", text=opened.text, key=ANA, seat="ana")
    opened.apply(first["text"])
    assert ask("join", text=opened.text, key=ANA, seat="ana")["text"] == first["text"]
    for text, seat, key in (
        (opened.text, "ana", "ben"),
        (opened.text, "ben", "ana"),
        (opened.text, "zoe", "ben"),
        (text_of("dealt"), "ana", "ana"),
        (text_of("dealt"), "ben", "stranger"),
    ):
        (workplace / "bad.toml").write_text(text)
        wanted = said_by("join", "bad.toml", "--seat", seat, "--key", f"{key}.key", "-o", "a.join")
        assert wanted
        key_text = key_of(key).openssh().decode()
        assert refusal("join", text=text, key=key_text, seat=seat) == wanted
    text = text_of("dealt")
    (workplace / "bad.toml").write_text(text)
    for key_text, name, play in ((STRANGER, "stranger", "role builder"), (BEN, "ben", "sell 1")):
        wanted = said_by("move", "bad.toml", "--play", play, "--key", f"{name}.key", "-o", "a.move")
        given: dict[str, Any] = {"text": text, "key": key_text, "play": play}
        assert wanted
        assert refusal("sign", **given, clauses=None, notes=[]) == wanted


@pytest.mark.parametrize(
    "play", ["role king", "build library", "role", "role builder role trader", "build palace pay z"]
)
def test_an_answer_is_refused_in_the_terminal_s_words(play: str, workplace: Path) -> None:
    lay_out(workplace, "building" if play.startswith("build") else "dealt")
    text = (workplace / "game.toml").read_text()
    wanted = said_by("move", "game.toml", "--play", play, "--key", "ana.key", "-o", "a.move")
    assert wanted
    given: dict[str, Any] = {"text": text, "key": ANA, "clauses": None, "notes": []}
    assert refusal("sign", **given, play=play) == wanted


@pytest.mark.parametrize(
    "answer",
    [
        "role builder",
        [],
        {},
        7,
        [["role"]],
        [["role", "builder", "x"]],
        [["role", 1]],
        [["role", "<b>"]],
        [["Role", "builder"]],
        [["role", "b" * 81]],
        [["role", "builder"]] * 100,
        [["role", "\n"]],
    ],
)
def test_what_a_page_may_not_say_is_refused(answer: object) -> None:
    given: dict[str, Any] = {"text": text_of("dealt"), "key": ANA, "lang": "en", "plan": []}
    assert refusal("read", **given, answer=answer) == "the page said what is no answer"


@pytest.mark.parametrize(
    "clauses", [["dance"], ["trader: sell gold"], ["\n"], ["x" * 5000], ["trader: ask"] * 500]
)
def test_a_plan_is_refused_in_the_terminal_s_words(clauses: list[str], workplace: Path) -> None:
    lay_out(workplace, "planning")
    text = (workplace / "game.toml").read_text()
    given: dict[str, Any] = {"text": text, "key": BEN, "lang": "en", "answer": None}
    wanted = said_by("plan", "game.toml", *clauses, "--key", "ben.key", "-o", "a.plan")
    assert wanted
    assert refusal("read", **given, plan=clauses) == wanted


def test_plans_are_signed_applied_changed_and_withdrawn() -> None:
    text = text_of("planning")
    given: dict[str, Any] = {"text": text, "key": BEN, "lang": "en", "answer": None, "plan": []}
    seen = ask("read", **given | {"plan": CLAUSES})
    assert (seen["play"], seen["clauses"]) == ("", CLAUSES)
    assert seen["told"]
    sign: dict[str, Any] = {"text": text, "key": BEN, "play": "", "clauses": CLAUSES}
    first = ask("sign", **sign, notes=[])
    assert (first["plan"], first["clauses"], first["decision"]) == (1, CLAUSES, "")
    assert ask("sign", **sign, notes=[first]) == {**first, "again": True}
    other = ask("sign", **sign | {"clauses": CLAUSES[:1]}, notes=[first])
    assert other["plan"] == 2
    # One that was signed while the other had not come to the table yet takes its place.
    verdicts, file = judged(text, other["text"])
    assert [verdict.error for verdict in verdicts] == [None]
    assert [(one.seat, one.number) for one in file.plans if one.waits] == [("ben", 2)]
    table = Table(2, "cli 82687", plans=True).join_all()
    table.apply(first["text"])
    given["text"] = table.text
    added = ask("read", **given | {"plan": ["role: trader"], "keep": True})["clauses"]
    assert set(CLAUSES) < set(added)
    taken_back = ask("read", **given | {"withdraw": True})
    assert taken_back["clauses"] == []
    last = ask("sign", text=table.text, key=BEN, play="", clauses=[], notes=[first])
    assert last["plan"] == 2
    assert [verdict.error for verdict in table.apply(last["text"])] == [None]


def test_an_answer_and_a_plan_go_in_one_note() -> None:
    text = text_of("planning")
    clause = "builder: pass"
    given: dict[str, Any] = {"text": text, "key": ANA, "lang": "en"}
    seen = ask("read", **given, answer=[["role", "builder"]], plan=[clause])
    assert (seen["play"], seen["clauses"]) == ("role builder", [clause])
    note = ask("sign", text=text, key=ANA, play=seen["play"], clauses=[clause], notes=[])
    assert (note["decision"], note["plan"]) == ("1.1.role.ana", 1)
    verdicts, file = judged(text, note["text"])
    assert [verdict.error for verdict in verdicts] == [None, None]
    # The plan has answered at once what the role asked its chooser.
    plan, role, build = file.log[1:4]
    assert plan.play.startswith("plan 1 ")
    assert (role.play, build.play) == ("role builder", "pass")


def test_a_table_without_plans_takes_none(workplace: Path) -> None:
    lay_out(workplace, "dealt")
    text = text_of("dealt")
    assert not ask("table", text=text, key=BEN, lang="en")["plans"]
    given: dict[str, Any] = {"text": text, "key": BEN, "lang": "en", "answer": None}
    wanted = said_by("plan", "game.toml", *CLAUSES, "--key", "ben.key", "-o", "a.plan")
    assert refusal("read", **given, plan=CLAUSES) == wanted


@pytest.mark.parametrize("state", ["open", "dealt", "keeping", "xanadu", "planned"])
def test_a_check_says_what_verify_says(state: str, workplace: Path) -> None:
    lay_out(workplace, state)
    text = (workplace / "game.toml").read_text()
    for key, option in ((BEN, ("--key", "ben.key")), ("", ())):
        found = ask("verified", text=text, key=key)
        done = run("verify", "game.toml", *option)
        checks = [line for line in done.out.splitlines() if line.startswith("ok  ")]
        assert [f"ok  {line}" for line in found["checked"]] == checks
        rest = done.out.split("\n", len(checks))[-1].split()
        assert rest == [*found["conclusion"].split(), "game.toml:", *found["state"].split()]


@pytest.mark.parametrize("name", CHEATS)
def test_a_referee_who_cheats_is_found_out_before_the_file_is_kept(name: str) -> None:
    when, act = CHEATS[name]
    cheater = Cheater(STAGES["sanjuan"], when)
    act(cheater)
    text = cheater.signed()
    _, wanted = found_by(cheater, text)
    kept = {cheater.before.game: signed_text(cheater.before, REFEREE)}
    keys = [key_of(seat.name).openssh().decode() for seat in cheater.file.seats]
    assert refusal("look", text=text, kept=kept, keys=keys) == wanted
    assert ask("look", text=signed_text(cheater.honest, REFEREE), kept=kept, keys=keys)


def test_games_that_wait_for_me_come_first() -> None:
    texts = {load(text).game: text for text in map(text_of, ("finished", "xanadu", "tidying"))}
    keys = [key_of("ana").public.hex]
    open_table = Table(2, "another").text
    texts[load(open_table).game] = open_table
    texts["broken"] = "no game"
    rows = ask("listed", keys=keys, games=texts)["games"]
    assert [bool(row["asked"]) for row in rows] == sorted(
        (bool(row["asked"]) for row in rows), reverse=True
    )
    assert rows[0]["asked"]
    german = ask("listed", keys=keys, games=texts, lang="de")["games"]
    assert [row["asked"] for row in german] != [row["asked"] for row in rows]
    assert [row["game"] for row in german] == [row["game"] for row in rows]
    assert [row["status"] for row in rows][-2:] == ["open", "finished"]
    assert len(rows) == len(texts) - 1


def listed(who: str, *tables: Table | str, notes: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """The list of somebody's games."""
    texts = [one.text if isinstance(one, Table) else one for one in tables]
    games = {load(text).game: text for text in texts}
    given = {"keys": [key_of(who).public.hex], "games": games, "notes": list(notes)}
    rows: list[dict[str, Any]] = ask("listed", **given)["games"]
    return rows


def said_of(row: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a row of the list that are not empty."""
    names = ("asked", "answered", "invited", "joining", "voting", "unsent")
    return {name: row[name] for name in names if row[name]}


def test_a_list_says_what_was_signed_and_has_not_arrived() -> None:
    table = Table(2, "cli 82687").join_all()
    (row,) = listed("ana", table)
    assert said_of(row) == {"asked": ["choose a role"]}
    note = ask("sign", text=table.text, key=ANA, play="role builder", clauses=None, notes=[])
    (row,) = listed("ana", table, notes=[note])
    assert said_of(row) == {"answered": [note]}
    # Of two answers to one question the list says the last one.
    given = {"text": table.text, "key": ANA, "clauses": None, "notes": [note]}
    changed = ask("sign", play="role trader", **given)
    for notes in ([note, changed], [changed, note]):
        assert said_of(listed("ana", table, notes=notes)[0]) == {"answered": [changed]}
    # A note answers its own game alone, and a game that was answered is listed below the others.
    other = Table(2, "another").join_all()
    first, second = listed("ana", table, other, notes=[note])
    assert (first["game"], bool(second["answered"])) == (other.file.game, True)
    table.apply(note["text"])
    assert said_of(listed("ana", table, notes=[note])[0]) == {"asked": ["build"]}


def test_a_list_says_which_seat_was_signed_for() -> None:
    table = Table(3)
    assert said_of(listed("ana", table)[0]) == {}
    note = ask("join", text=table.text, key=ANA, seat="ana")
    assert said_of(listed("ana", table, notes=[note])[0]) == {"joining": ["ana"]}
    table.apply(note["text"])
    assert said_of(listed("ana", table, notes=[note])[0]) == {}
    # Somebody else was faster.
    assert said_of(listed("carl", table, notes=[note])[0]) == {}
    # A seat may be kept for a key.
    rules, seats = rules_of("sanjuan").choose(None, [], [], {}), {"ana": None, "ben": BENS}
    kept = library.Table.new(rules, seats, REFEREE).text
    assert said_of(listed("ana", kept)[0]) == {}
    assert said_of(listed("ben", kept)[0]) == {"invited": ["ben"]}
    note = ask("join", text=kept, key=BEN, seat="ben")
    assert said_of(listed("ben", kept, notes=[note])[0]) == {"joining": ["ben"]}


def test_a_list_says_which_votes_have_not_arrived() -> None:
    table = Table(3).join_all()
    vote = ask("seat_note", text=table.text, key=ANA, kind="vote", back=False, notes=[])
    (unsent,) = said_of(listed("ana", table, notes=[vote])[0])["unsent"]
    assert (unsent["kind"], unsent["play"], unsent["seat"]) == ("vote", "end", "ana")
    assert "unsent" not in said_of(listed("ben", table, notes=[vote])[0])
    table.apply(vote["text"])
    assert "unsent" not in said_of(listed("ana", table, notes=[vote])[0])
    assert said_of(listed("ben", table)[0])["voting"] == ["ana"]
    assert "voting" not in said_of(listed("ana", table)[0])


def test_games_of_one_title_are_told_apart() -> None:
    two = Table(2, "two")
    three, again = (Table(3, seed).join_all() for seed in ("three", "again"))
    rules = rules_of("sanjuan").choose(None, [], [], {})
    friday = library.Table.new(rules, ["ana", "ben"], REFEREE, title="Friday").text
    assert [row["apart"] for row in listed("ana", two)] == [None]
    note = ask("join", text=two.text, key=BEN, seat="ben")
    apart = {
        row["game"]: row["apart"] for row in listed("ben", two, three, again, friday, notes=[note])
    }
    assert apart[two.file.game] == {"me": ["ben"], "others": ["ana"], "id": ""}
    for table in (three, again):
        game = table.file.game
        assert apart[game] == {"me": ["ben"], "others": ["ana", "carl"], "id": game[:8]}
    assert apart[load(friday).game] is None


def test_a_table_says_which_answer_waits() -> None:
    text = text_of("keeping")
    notes: list[dict[str, Any]] = []
    for number, play in enumerate(("", "keep a", "keep b")):
        if play:
            given: dict[str, Any] = {"text": text, "key": BEN, "clauses": None, "notes": notes}
            notes.append(ask("sign", **given, play=play))
            _, file = judged(text, notes[-1]["text"])
            text = signed_text(file, REFEREE)
        shown = ask("table", text=text, key=BEN, lang="en")
        assert (shown["waits"], shown["arrived"]) == (number > 0, number)


def test_an_answer_is_kept_in_words_of_each_language() -> None:
    """When it is shown again its letters say nothing any more."""
    given: dict[str, Any] = {"text": text_of("dealt"), "key": ANA, "clauses": None, "notes": []}
    for lang in ("en", "de"):
        said = ask("sign", **given, play="role builder", lang=lang)["said"]
        assert said == {"en": "Builder", "de": "Baumeister"}


def test_what_has_taken_effect_comes_with_the_next_file() -> None:
    table = Table(2, "cli 82687").join_all()
    first = table.text
    kept = {table.file.game: first}
    assert ask("look", text=first, kept={})["played"] == {}
    assert ask("look", text=first, kept=kept)["played"] == {}
    (decision,) = table.file.asked_ids()
    table.apply(table.note(decision, "role builder"))
    assert ask("look", text=table.text, kept=kept)["played"][decision] == "role builder"


PRIVATE = "this is a private key, not a game file"
NOTE = "this is a note, which goes to the referee"
ROLE, SEALED = (
    player.move_text(load(text_of("dealt")), key_of("ana"), "1.1.role.ana", "role builder", sealed)
    for sealed in (False, True)
)
OTHER_FILES = {
    "a key": (key_of("ana").openssh(), "key", PRIVATE),
    "a locked key": (locked("ana", "secret"), "key", PRIVATE),
    "a key of Windows": (
        ANA.replace("\n", "\r\n").encode("utf-16"),
        "key",
        PRIVATE,
    ),
    "half a key": (key_of("ana").openssh()[:200], "no-key", "the key this file is damaged"),
    "an identity of age": (
        b"# created: 2026-03-01\n# public key: age1x\nAGE-SECRET-KEY-1QQ\n",
        "other-kind",
        "this file is an age identity, which can open but not sign",
    ),
    "a public key": (
        key_of("ana").public.text.encode(),
        "public",
        "this file is a public key; the private one is needed here",
    ),
    "a key of PuTTY": (
        b"PuTTY-User-Key-File-3: ssh-ed25519\n",
        "other-kind",
        "this file is a key of PuTTY, not an OpenSSH private key",
    ),
    "a note": (ROLE.encode(), "note", NOTE),
    "a quoted note": (f"I sent this:\n{indent(ROLE, '> ')}".encode(), "note", NOTE),
    "a sealed note": (SEALED.encode(), "note", NOTE),
    "a letter": (b"Dear ana,\n\nwhat a game!\n", "not-understood", NOTHING),
    "nothing": (b"", "not-understood", NOTHING),
}
"""Files that somebody may open by mistake: bytes, the reason, and how the message begins."""


@pytest.mark.parametrize("name", OTHER_FILES)
def test_what_is_no_game_file_is_called_what_it_is(name: str) -> None:
    data, reason, said = OTHER_FILES[name]
    found = json.loads(call("look", json.dumps({"hex": data.hex()})))["error"]
    assert found["message"].startswith(said)
    assert found["reason"] == reason
    refusal("look", hex=data.hex())


def test_the_first_screen_imports_little() -> None:
    script = (
        "import sys, referee.phone.browser\n"
        "from referee.phone.door import call\n"
        """assert call("listed", '{"games": {}, "keys": []}') == '{"done": {"games": []}}'\n"""
        "print(*sys.modules)"
    )
    words = [sys.executable, "-c", script]
    loaded = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    rooms = {name.split(".")[1] for name in loaded if name.startswith("referee.")}
    assert {"phone", "crypto"} <= rooms
    assert not rooms & {"bots", "checking", "notes", "playing", "refereeing", "render", "table"}


@pytest.mark.parametrize(("language", "other"), [("en", "Deutsch"), ("de", "English")])
def test_a_page_speaks_the_language_of_the_app_alone(language: str, other: str) -> None:
    page = ask("table", text=Table().text, key="", lang=language)["page"]
    assert "<label hidden>" in page
    assert other not in page


def test_what_is_too_large_is_not_looked_through() -> None:
    letter = EmailMessage()
    letter["From"] = "ana@example.org"
    letter.set_content(ROLE)
    assert refusal("look", text=letter.as_string()) == NOTE
    letter.add_attachment(b"x" * MAX_INPUT, maintype="image", subtype="png")
    for data in (b"x" * (MAX_INPUT + 1), letter.as_bytes()):
        assert refusal("look", hex=data.hex()) == NOTHING
    assert refusal("read_key", hex=(b"x" * (MAX_INPUT + 1)).hex())


class Missing(Primitives):
    """Cryptography that has not come yet."""

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(name)


def test_a_list_of_games_waits_for_no_cryptography() -> None:
    """The worker answers this before it has any."""
    script = (Path(shelf.__file__).parent / "site" / "worker.js").read_text("utf-8")
    assert 'if (name !== "listed") await equip();' in script
    keys = [key_of(name).public.hex for name in ("ana", "ben")]
    games = {name: text_of(name) for name in ("dealt", "planning", "xanadu")}
    before = use(Missing())
    try:
        assert len(ask("listed", keys=keys, games=games)["games"]) == len(games)
    finally:
        use(before)
