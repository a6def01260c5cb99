"""The game file: read back as written; schema and parser agree; hostile files are refused."""

from __future__ import annotations

import copy
import functools
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import tomli_w

from referee.crypto.sshsig import STATE, armour, sign
from referee.errors import BadSignature, Damaged
from referee.games import rules_of
from referee.games.errors import GameError
from referee.playing import player
from referee.table import layout
from referee.table.filetext import ending, parse, render, unsigned
from referee.table.gamefile import FIRST_LINE
from referee.table.signing import check_signature, state_text
from referee.table.times import Clock
from tests.once import once
from tests.table.tables import REFEREE, Table, key_of, laid_out, load

SCHEMA = json.loads(Path("schemas/game.schema.json").read_text())


@once
def texts() -> dict[str, str]:
    opened = Table(3, seed="files")
    dealt = Table(3, seed="files").join_all()
    waiting = Table(3, seed="files").join_all()
    waiting.play(lambda file: bool(file.pending))
    first = waiting.file.pending[0].decision
    waiting.apply(waiting.note(first, waiting.view(first.rpartition(".")[2]).suggest(), 2))
    return {
        "open": opened.text,
        "hourly": hourly(),
        "dealt": dealt.text,
        "waiting": waiting.text,
        "timed": timed(),
        "finished": Table(3, seed="files").join_all().rush().text,
        "planning": planning().text,
        "planned": planning().rush().text,
    }


def planning() -> Table:
    """A game in which plans wait, are in the log, and have answered what others are still asked."""
    table = Table(3, seed="files", plans=True).join_all()
    first, second, _ = table.file.seating
    keep = "always councillor: best"
    table.apply(table.plan(first, keep), table.plan(second, keep, number=2))
    table.apply(table.note(table.file.asked_ids()[0], "role councillor"))
    assert [one.plan for one in table.file.pending] == [1, 2]
    table.apply(table.plan(first, keep))
    return table


def timed() -> str:
    """A file with a clock, a vacation and an unfinished transfer."""
    table = Table(3, seed="files", clock=Clock(3, "bot", 1, 28)).join_all()
    file, ana = table.file, key_of("ana")
    mine = player.my_seat(file, ana.public)
    days = date(2026, 3, 2), date(2026, 3, 5)
    away = player.sign_vacation(file, mine, ana, *days).armoured
    table.apply(away, player.sign_transfer(file, "ana", ana, key_of("new").public).armoured)
    return table.text


def hourly() -> str:
    """A file with a clock that counts hours and leaves weekends out."""
    terms = Clock(12, "bot", 6, 28, hourly=True, skip="weekends", offset=-300)
    return Table(2, seed="hours", clock=terms).join_all().text


KINDS = ("open", "hourly", "dealt", "waiting", "timed", "finished", "planning", "planned")


@pytest.mark.parametrize("kind", KINDS)
def test_writing_what_was_read_gives_the_same_bytes(kind: str) -> None:
    text = texts()[kind]
    assert text.startswith(FIRST_LINE + "\n")
    assert render(parse(text.encode())[0]) == text


@pytest.mark.parametrize("kind", KINDS)
def test_line_ends_and_what_stands_around_carry_no_meaning(kind: str) -> None:
    """Email and Windows exchange them."""
    text = "\ufeff" + texts()[kind].replace("\n", "\r\n") + " \r\n\r\n"
    file, covered = parse(text.encode())
    check_signature(file, covered)
    assert render(file) == texts()[kind]


@pytest.mark.parametrize(
    ("what", "other"),
    [
        ("\n    { name", "\n{ name"),
        ("seats = [\n", "seats = [\n\n"),
        ("},\n]\n", "},\n ]\n"),
        ("},\n]\n", "},\n] # mine\n"),
        ("},\n]\n", "}\n]\n"),
        ("},\n]\n", "}]\n"),
    ],
)
def test_its_referee_lays_out_short_tables_in_one_way_alone(what: str, other: str) -> None:
    file = parse(texts()["open"].encode())[0]
    covered = unsigned(file).replace(what, other)
    assert covered != unsigned(file)
    raw = sign(REFEREE, STATE, state_text(file, covered.encode()).encode())
    file.signature = armour(REFEREE.public, STATE, raw)
    with pytest.raises(Damaged, match="not laid out"):
        parse((covered + ending(file)).encode())


def test_blanks_at_the_end_take_no_room() -> None:
    """Anybody could push them, and a full file takes in no answers."""
    text = texts()["waiting"]
    file, covered = parse((text + "\n" * 900_000).encode())
    check_signature(file, covered)
    assert file.size == len(text.encode())


def _sorted(text: str) -> str:
    body = tomllib.loads(text)
    return tomli_w.dumps({key: body[key] for key in sorted(body)}, multiline_strings=True)


RELAID: dict[str, Callable[[str], str]] = {
    "a comment": lambda text: text.replace("\n[deal]\n", "\n# mine\n[deal]\n"),
    "a comment on top": lambda text: f"# mine\n{text}",
    "a comment below": lambda text: f"{text}# mine\n",
    "a blank": lambda text: text.replace("\n[deal]\n", "\n[ deal ]\n"),
    "a blank line": lambda text: text.replace("\n[deal]\n", "\n\n[deal]\n"),
    "another order": _sorted,
    "an escaped letter": lambda text: re.sub(
        r'(?m)^id = "(.)', lambda one: f'id = "\\u{ord(one[1]):04x}', text
    ),
    "a table at the end": lambda text: f"{text}[more]\n",
    "a quoted key": lambda text: text.replace("\nid = ", '\n"id" = '),
    "the signature on one line": lambda text: re.sub(
        r'sshsig = """\n(.*)"""', lambda one: f"sshsig = {json.dumps(one[1])}", text, flags=re.S
    ),
}


@pytest.mark.parametrize("how", RELAID)
def test_a_file_that_is_laid_out_anew_is_refused(how: str) -> None:
    """Programs find much in a file before they take it apart, and others would hide it there."""
    text = RELAID[how](texts()["waiting"])
    assert text != texts()["waiting"]
    with pytest.raises((Damaged, BadSignature)):
        check_signature(*parse(text.encode()))


RELAID |= {
    "an indented heading": lambda text: text.replace("\n[deal]\n", "\n  [deal]\n"),
    "an indented key": lambda text: text.replace("\ntitle = ", "\n  title = "),
    "a key without blanks": lambda text: text.replace("\ntitle = ", "\ntitle="),
    "a quoted key of a seat": lambda text: text.replace('\nname = "', '\n"name" = "', 1),
    "an escaped key": lambda text: text.replace("\ntitle = ", '\n"t\\u0069tle" = '),
    "a key in single quotes": lambda text: text.replace("\ntitle = ", "\n'title' = "),
    "a heading of rows": lambda text: text.replace("[[seats]]", "[[ seats ]]", 1),
    "a quoted heading": lambda text: text.replace("\n[deal]\n", '\n["deal"]\n'),
    "a blank before a row": lambda text: text.replace("\n    {", "\n     {", 1),
    "a comment behind a value": lambda text: re.sub(
        r"(?m)^(title = .*)$", lambda one: f"{one[1]} # mine", text
    ),
    "a text over two lines": lambda text: re.sub(
        r'(?m)^title = "(.*)"$', lambda one: f'title = """\\\n{one[1]}"""', text
    ),
    "empty lines": lambda text: text.replace("\n[game]\n", "\n\n\n[game]\n"),
    "hands before questions": lambda text: re.sub(
        r"(?s)(\n\[\[asked\]\].*?)(\n\[hands\..*?)(\n\[\[log\]\])",
        lambda one: one[2] + one[1] + one[3],
        text,
    ),
    "a comment behind a heading": lambda text: text.replace("\n[deal]\n", "\n[deal] # mine\n"),
    "a comment behind a number": lambda text: text.replace("\nrules = 1\n", "\nrules = 1# mine\n"),
    "a comment behind rows": lambda text: text.replace("\n]\n", "\n] # mine\n", 1),
    "a comment in a list": lambda text: text.replace("\nthen = [\n", "\nthen = [ # mine\n", 1),
    "a number in hex": lambda text: text.replace("\nrules = 1\n", "\nrules = 0x1\n"),
    "a number with a sign": lambda text: text.replace("\nrules = 1\n", "\nrules = +1\n"),
    "a text in single quotes": lambda text: re.sub(r'(?m)^by = "(.*)"$', r"by = '\1'", text),
    "blanks behind a value": lambda text: text.replace("\nrules = 1\n", "\nrules = 1 \n"),
    "a line of blanks": lambda text: text.replace("\n\n[deal]\n", "\n \n[deal]\n"),
    "a wide row": lambda text: text.replace("\n    {", "\n        {"),
    "the log on top": lambda text: _on_top(text, "log"),
    "the questions on top": lambda text: _on_top(text, "asked"),
    "a row in another order": lambda text: re.sub(
        r"(?m)^(decision = .*\n)(by = .*\n)", r"\2\1", text, count=1
    ),
    "an escape in the log": lambda text: text.replace('\nby = "a', '\nby = "\\u0061', 1),
}


def _on_top(text: str, key: str) -> str:
    """Return a file with a list of tables before its first heading, in one line a table."""
    body = tomllib.loads(text)
    rows = [
        json.dumps(row).replace('": ', '" = ').replace("{", "{ ").replace("}", " }")
        for row in body.pop(key)
    ]
    before, heading, rest = layout.dumps(body).partition("\n[game]\n")
    lines = "".join(f"    {row},\n" for row in rows)
    return f"{FIRST_LINE}\n{before}{key} = [\n{lines}]\n{heading}{rest}\n"


ITS_OWN = sorted(RELAID.keys() - {"a blank line", "another order", "a table at the end"})
ITS_OWN.remove("a comment below")
ITS_OWN.remove("the signature on one line")


@pytest.mark.parametrize("how", ITS_OWN)
def test_nor_can_its_referee_hide_whose_file_it_is(how: str) -> None:
    """It could sign any layout; a history looks for these lines alone."""
    file = parse(texts()["waiting"].encode())[0]
    covered = RELAID[how](unsigned(file))
    assert covered != unsigned(file)
    raw = sign(REFEREE, STATE, state_text(file, covered.encode()).encode())
    file.signature = armour(REFEREE.public, STATE, raw)
    with pytest.raises(Damaged, match="not laid out"):
        parse((covered + ending(file)).encode())


@pytest.mark.parametrize("kind", KINDS)
def test_schema_accepts_what_is_written(kind: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(tomllib.loads(texts()[kind]), SCHEMA)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to every key, and to the first item of every array."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key)
            yield from places(inner, (*path, key))
    elif isinstance(value, list) and value:
        yield (*path, 0)
        yield from places(value[0], (*path, 0))


WRONG: tuple[Any, ...] = (
    None,
    7,
    0,
    1,
    -1,
    10**10,
    1.5,
    True,
    False,
    "x",
    "",
    [],
    [1],
    {},
    {"a": "b"},
)
# What a shell, a terminal or a program that is given it as an option would obey, and a title.
NO_TERMS = ("plans", "ahead", "id", "title", "module", "clock", "shuffle-seats")
OBEYED = ("$(touch x)", "a\x1b[2J", "a\nb", "-o", "\u202ex", "Zo\u00eb & ben", "x" * 300)
# Keys that must fit one another, which no schema can say: the parser knows more there.
TOGETHER = {
    ("step",),
    ("log",),
    ("hands",),
    ("seats",),
    ("seats", 0),
    ("seats", 0, "name"),
    ("deal", "order"),
    ("deal", "order", 0),
    ("game", "clock"),
    ("game", "clock", "late"),
    ("game", "clock", "grace"),
    ("time", "vacations", 0, "seat"),
    ("plans", 0, "seat"),
    ("asked", 0, "id"),
    ("asked", 0, "seat"),
    ("transfers", 0, "seat"),
    ("log", 0),
    ("log", 0, "decision"),
    ("log", 0, "by"),
}


def accepts(body: Any) -> bool:
    try:
        text = laid_out(body)
    except TypeError:
        return False
    try:
        parse(text.encode())
    except Damaged:
        return False
    return True


def cut(kind: str) -> dict[str, Any]:
    """A file with one of each, which is enough where only the first of each is changed."""
    whole = tomllib.loads(texts()[kind])
    for pile in whole["deal"].get("piles", []):
        pile["leaves"] = pile["leaves"][:1]
    if "log" in whole:
        whole["log"] = whole["log"][:2]
        whole["step"] = len(whole["log"])
    return whole | ({"table": firsts(whole["table"])} if "table" in whole else {})


def firsts(value: Any) -> Any:
    """The first of every array."""
    if isinstance(value, dict):
        return {key: firsts(inner) for key, inner in value.items()}
    return [firsts(one) for one in value[:1]] if isinstance(value, list) else value


def held(body: Any, path: Sequence[Any]) -> Any:
    return functools.reduce(lambda value, key: value[key], path, body)


def test_schema_and_parser_agree() -> None:
    """Both refuse a text that a shell or a terminal obeys, in every place."""
    validator = jsonschema.Draft202012Validator(SCHEMA)
    tried, seen = 0, set()
    for kind in KINDS:
        whole = cut(kind)
        for path in list(places(whole)):
            *up, last = path
            is_text = isinstance(held(whole, path), str)
            for wrong in (*WRONG, *(OBEYED if is_text else ())):
                # A value is wrong in every file; what is missing may be missing in some.
                if wrong is not None and (path, str(wrong)) in seen:
                    continue
                seen.add((path, str(wrong)))
                body = copy.deepcopy(whole)
                holder = held(body, up)
                if wrong is not None:
                    holder[last] = wrong
                elif isinstance(holder, dict):
                    del holder[last]
                    holder["colour"] = "red"
                else:
                    continue
                schema, parser = validator.is_valid(body), accepts(body)
                tried += 1
                if path in TOGETHER:
                    assert schema or not parser, (kind, path, wrong)
                else:
                    assert schema == parser, (kind, path, wrong)
                if is_text and wrong in OBEYED[:5]:
                    title = path == ("game", "title") and wrong.isprintable()
                    assert title or not parser or not is_played(body["game"]), (kind, path, wrong)
    assert tried > 1500


def test_no_key_of_a_file_is_what_a_shell_or_a_terminal_obeys() -> None:
    seen: set[tuple[Any, ...]] = set()
    for kind in KINDS:
        whole = cut(kind)
        for path in {*places(whole)} - seen:
            seen.add(path)
            for text in OBEYED[:5] if isinstance(held(whole, path), dict) else ():
                body = copy.deepcopy(whole)
                held(body, path)[text] = 1
                assert not accepts(body) or not is_played(body["game"]), (kind, path)
    assert len(seen) > 100


def is_played(game: dict[str, Any]) -> bool:
    """Return True if the rules module knows all terms of a game."""
    terms = {key: value for key, value in game.items() if key not in NO_TERMS}
    try:
        rules_of(game["module"]).load(terms)
    except GameError:
        return False
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_lines_and_answers_in_any_place_of_a_list_are_looked_at(kind: str) -> None:
    body = tomllib.loads(texts()[kind])
    for entry in body.get("log", [])[-1:]:
        entry["then"].insert(len(entry["then"]) // 2, "role ana $(touch x)")
        assert not accepts(body)
        entry["then"].remove("role ana $(touch x)")
    for asked in body.get("asked", []):
        asked["may"].append("role $(touch x)")
        assert not accepts(body)
        asked["may"].pop()


HOSTILE = {
    "empty": b"",
    "not-utf-8": b"\xff\xfe\x00",
    "nul": b'format = "sanjuan-ref/1\0"\n',
    "a-megabyte-of-brackets": b"a = " + b"[" * 1_000_000,
    "brackets-line-by-line": b"a = " + b"[\n" * 100_000,
    "inline-tables": b"a = " + b"{a=" * 1000,
    "five-thousand-digits": b"step = " + b"9" * 5000,
    "four-thousand-digits": b"step = " + b"9" * 4000,
    "dotted-keys": b"\n".join(b"a." * 20 + b"b%d = 1" % index for index in range(20_000)),
    "one-long-key": b".".join([b"a"] * 2000) + b" = 1",
    "headers": b"\n".join(b"[" + b"a." * 30 + b"b%d]" % index for index in range(5000)),
    "too-large": b"#" * 1_000_001,
    "long-line": b'title = "' + b"x" * 5000 + b'"',
    "another-toml": b'format = "something else"\n',
    "a-date": b'format = "sanjuan-ref/1"\nstatus = 2020-01-01\n',
    "a-float": b'format = "sanjuan-ref/1"\nstatus = 1.5\n',
    "mail": b"From: ana\n\nhere is my move\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused(name: str) -> None:
    with pytest.raises(Damaged) as caught:
        parse(HOSTILE[name])
    assert len(caught.value.message) < 400


@pytest.mark.parametrize("kind", KINDS)
def test_every_truncation_is_refused(kind: str) -> None:
    text = texts()[kind].encode()
    for size in range(0, len(text) - 2, max(1, len(text) // 150)):
        with pytest.raises(GameError):
            check_signature(*parse(text[:size]))


@pytest.mark.parametrize("kind", KINDS)
def test_every_edit_breaks_the_signature(kind: str) -> None:
    whole = tomllib.loads(texts()[kind])
    tried = 0
    for path in places(whole):
        *up, last = path
        body = copy.deepcopy(whole)
        holder = held(body, up)
        value = holder[last]
        if isinstance(value, bool):
            holder[last] = not value
        elif isinstance(value, int):
            holder[last] = value + 1
        elif isinstance(value, str) and value:
            holder[last] = value[:-1] + ("b" if value[-1] != "b" else "c")
        else:
            continue
        tried += 1
        with pytest.raises((BadSignature, Damaged)):
            check_signature(*parse(laid_out(body).encode()))
    assert tried > 10


def test_sizes() -> None:
    assert len(Table(4).join_all().text.encode()) < 30_000
    assert len(Table(4).join_all().rush().text.encode()) < 130_000


def everything(value: Any) -> Any:
    """A file with all that is in it, to compare."""
    if isinstance(value, dict):
        return {key: everything(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [everything(one) for one in value]
    names = getattr(value, "__slots__", ()) or getattr(value, "__dict__", ())
    return {name: everything(getattr(value, name)) for name in names} or repr(value)


def test_a_table_of_these_tests_has_the_file_that_is_read() -> None:
    for table in (planning(), planning().rush(until=30), Table(3)):
        assert everything(table.file) == everything(load(table.text))


def test_loading_checks_the_chain() -> None:
    assert load(texts()["finished"]).status == "finished"


def test_seats_and_entries_say_what_they_are() -> None:
    file = Table(3, seed="files").join_all().file
    assert repr(file.seats[0]) == "<Seat ana, joined>"
    assert repr(file.log[0]).startswith("<Entry 0.0.deal.referee by referee: deal ")
