"""What the app says when something is refused: in every language, whatever it is."""

from __future__ import annotations

import ast
import importlib
import itertools
import json
import re
import time
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.checking import conclusions
from referee.checking import verify as verifying
from referee.checking.audit import audit
from referee.checking.verify import verify
from referee.errors import OtherRules
from referee.games import GAMES, rules_of
from referee.games.errors import GameError, OtherVersion
from referee.games.interface import Rules
from referee.games.texts import FALLBACK
from referee.phone import build, refusal
from referee.phone.door import call, said_by_game
from referee.phone.refusal import translated
from referee.table import opening, rebuild, transfer
from referee.table.gamefile import Entry, GameFile
from referee.table.replay import Session
from referee.table.signing import checked
from tests.cli.world import text_of
from tests.phone.test_words import LANGUAGES
from tests.table.tables import Table, key_of

OTHERS = sorted(LANGUAGES.keys() - {FALLBACK})
APP = sorted(name for name in build._needed(build.START) if name != "referee")
MET = {
    *("phone.desk", "phone.seats", "phone.review", "playing.player", "playing.numbering"),
    *("playing.turn", "playing.planning", "playing.reviewing", "table.opening", "table.transfer"),
    *("table.standing", "table.seatnames", "table.signing", "table.joins", "checking.compare"),
    *("crypto.keytext", "crypto.keys", "errors"),
}
"""The modules whose refusals are met by whoever plays by the rules: each is said in its own words.

Those of all others tell of files that somebody has changed, or of a referee, and are told by their
reason, and quoted.
"""
ELSEWHERE = (
    # Opening a table, and the referee's own business.
    *(
        "the seat 7 is given twice",
        "two seats are reserved",
        "a title is one line",
        "referee.secret",
    ),
    "this sanjuan-ref does not have the bot 7, which is to answer for the late",
    *("nobody sits at this table but bots", "nobody is invited to plan", "a seat is named like"),
    *("7 is a bot's seat, and", "this sealed note is for", "this note is for game 7"),
    *("the program fails on this note", "there is no seat '7'", "7: answer 7 has taken its place"),
    # What is wrong in a log, where the step comes first.
    *("7: ", "the play of a transfer names no key"),
    # Put together of others, which are tried where they come from.
    *("7 7", "your hand 7", "7, which differ", "the game is over7", "the seat 7 is taken, and"),
    # A terminal's own: flags, files and editors.
    *("the key 7 needs a passphrase", "this plan", "the key 7 is damaged: 7", "plan 7 is"),
    *("this key already signs", "there is no key file", "7 can be read by others"),
    "7 already exists; it was not changed",
    "7, so no hand can be seen",
)
"""The beginnings of sentences in those modules that no player meets in the app."""


def templates(node: ast.AST) -> list[str]:
    """The sentences that an expression can stand for, with 7 in place of what is put in."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.IfExp):
        return templates(node.body) + templates(node.orelse)
    if isinstance(node, ast.JoinedStr):
        parts = [
            templates(part) if isinstance(part, ast.Constant) else templates(part.value) or ["7"]  # type: ignore[attr-defined]
            for part in node.values
        ]
        return ["".join(row) for row in itertools.product(*parts)]
    return []


def trees(modules: list[str]) -> Iterator[tuple[str, ast.Module]]:
    for name in modules:
        path = build._path_of(name)
        assert path is not None
        yield name, ast.parse(path.read_text("utf-8"))


def errors() -> dict[str, type[GameError]]:
    """All errors of the program that the app can raise, by name."""
    for name in APP:
        importlib.import_module(name)
    found: dict[str, type[GameError]] = {}
    queue: list[type[GameError]] = [GameError]
    while queue:
        one = queue.pop()
        found[one.__name__] = one
        queue += one.__subclasses__()
    return {name: one for name, one in found.items() if one.__module__ in APP}


def sentences() -> Iterator[tuple[str, str]]:
    """Each sentence and hint of an error in a module of those that are met."""
    known = errors()
    for name, tree in trees([f"referee.{one}" for one in sorted(MET)]):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in known:
                message, *hints = (templates(argument) for argument in node.args[:2] or [node])
                met = [one for one in message if " " in one and not one.startswith(ELSEWHERE)]
                more = [one for hint in hints if met or not message for one in hint if " " in one]
                for said in [*met, *more]:
                    yield name, said


@pytest.mark.parametrize("language", OTHERS)
def test_every_kind_of_error_has_words(language: str) -> None:
    reasons = refusal._file(language)["reasons"]
    assert len(reasons) > 10
    # No engine runs in a browser, no note of another is read, and no file is named.
    elsewhere = {"engine", "no-note", "not-read", "not-written"}
    assert {error.reason for error in errors().values()} - elsewhere <= reasons.keys()


@pytest.mark.parametrize("language", OTHERS)
def test_what_players_meet_is_said_in_its_own_words(language: str) -> None:
    found = list(sentences())
    assert len(found) > 100
    missing = {
        said
        for _, said in found
        # A hint at a command is not shown.
        if "`" not in said and "--" not in said and said != "7 7" and not translated(said, language)
    }
    assert missing == set()


def is_put_together(text: str, constants: set[str]) -> bool:
    """Return True if a text stands in one of the program's constants, or is made of whole ones."""

    @cache
    def from_(at: int) -> bool:
        left = text[at:]
        return not left or any(left.startswith(one) and from_(at + len(one)) for one in constants)

    return any(text in one for one in constants) or from_(0)


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_is_told_by_the_pattern_of_another(language: str) -> None:
    patterns = refusal._patterns(language)
    hidden = []
    for (sentence, _), own in zip(refusal._file(language)["said"], patterns, strict=True):
        filled = refusal._FIELD.sub("ana", sentence)
        first = next(one for one in patterns if refusal._fields(one, filled) is not None)
        if first is not own:
            hidden.append((sentence, first.said))
    assert hidden == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_who_has_still_to_sign_is_said_in_one_language(seats: int, language: str) -> None:
    table = Table(seats)
    file = table.file
    names = [seat.name for seat in file.seats]
    for signed in ([], names[1:2]):
        held = {name: [key_of(name).public] for name in names}
        by = [key_of(one).public for one in signed]
        for one in transfer.missing(file, held, names[0], key_of("new").public, by):
            told = translated(one, language)
            assert told
            assert not re.search(r"\b(and|or|the)\b", told), told


@pytest.mark.parametrize("language", OTHERS)
def test_each_sentence_is_still_one_of_the_program_s(language: str) -> None:
    nodes = [node for _, tree in trees(APP) for node in ast.walk(tree)]
    said = {one for node in nodes for one in templates(node)}
    constants = {
        node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) is str
    } - {""}
    sentences = [sentence for sentence, _ in refusal._file(language)["said"]]
    unmatched = [
        sentence
        for sentence, pattern in zip(sentences, refusal._patterns(language), strict=True)
        if not any(refusal._fields(pattern, one) is not None for one in said)
        and not all(is_put_together(one, constants) for one in refusal._FIELD.split(sentence)[::2])
    ]
    assert unmatched == []


@pytest.mark.parametrize(
    "harm",
    [
        ("[[seats]]", "[[seats"),
        ("status =", 'status = "'),
        ("step =", "#" * 5000 + "\nstep ="),
        ("[signature]", "[signature"),
    ],
    ids=lambda harm: harm[1][:9],
)
@pytest.mark.parametrize("language", OTHERS)
def test_a_file_that_is_no_game_file_is_said_to_be_none(
    language: str, harm: tuple[str, str]
) -> None:
    text = text_of("dealt")
    for given in (text.replace(*harm, 1), text[: len(text) // 2], "From: ana\n\nHello", "{}", "x"):
        assert given != text
        said = json.loads(call("look", json.dumps({"text": given, "lang": language})))["error"]
        assert said["words"] == ""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", OTHERS)
def test_a_game_says_why_a_play_is_refused(game: str, language: str) -> None:
    folder = Path(build.PACKAGE / "games" / game)
    path = folder / f"texts.{language}.toml"
    rows = tomllib.loads(path.read_text("utf-8"))["refusals"]
    table = {"sanjuan": "dealt", "xanadu": "xanadu"}[game]
    said = {
        sentence
        for path in sorted(folder.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and ("refuse" in node.name or node.name == "fits")
        for part in ast.walk(node)
        if isinstance(part, ast.Return) and part.value is not None
        for sentence in templates(part.value)
        # A page lists cards in their order.
        if " " in sentence and "not in order" not in sentence
    }
    assert len(said) > 8
    given = {"text": text_of(table)}
    missing = {one for one in said if not said_by_game(one, language, given)}
    assert missing == set()
    assert len({row[0] for row in rows}) == len(rows)


class Counted:
    """A log that was checked, and in which everything was found so many times."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __call__(self, file: GameFile, heads: list[bytes]) -> Counted:
        return self

    def entry(self, step: int, entry: Entry) -> None:
        """Find nothing wrong."""

    def finish(self) -> None:
        """Find nothing wrong."""

    def __getattr__(self, name: str) -> int:
        return self._count


def missing_words(sentence: str, language: str) -> list[str]:
    """Return the parts of a sentence of the program that have no words in a language."""
    for pattern in refusal._patterns(language):
        fields = refusal._fields(pattern, sentence)
        if fields is not None:
            inside = [fields[name] for name in fields if name.startswith(refusal.NESTED)]
            return [more for one in inside if one for more in missing_words(one, language)]
    return [sentence]


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("language", OTHERS)
def test_what_was_checked_is_said_however_often_it_is_there(
    language: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Table(3)
    for name in ("ana", "ben")[:count]:
        opened.apply(opening.sign_join(opened.file, name, key_of(name)).armoured)
    over, heads = checked(text_of("finished").encode(), "game.toml")
    said = [*verify(opened.file, []), conclusions.hand_checked("ana", count)]
    replay = Session.replay

    def replayed(*given: Any, **more: Any) -> Session:
        session = replay(*given, **more)
        session.by_bots = [None] * count  # type: ignore[list-item]
        return session

    monkeypatch.setattr(verifying, "LogVerifier", Counted(count))
    monkeypatch.setattr(Session, "replay", replayed)
    said += audit(over, heads, bots=lambda answers, rules: [])
    said += [conclusions.verified(over), conclusions.audited(over)]
    assert len(said) > 10
    assert [more for one in said for more in missing_words(one, language)] == []


@pytest.mark.parametrize("state", ["open", "dealt"])
@pytest.mark.parametrize("language", OTHERS)
def test_a_check_under_rules_that_are_not_here_says_so(
    language: str, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, heads = checked(text_of(state).encode(), "game.toml")

    def unknown(_: GameFile) -> Rules:
        try:
            return rules_of(file.rules_module, 99).load(file.terms)
        except OtherVersion as error:
            raise OtherRules(error.message) from None

    for module in (verifying, rebuild):
        monkeypatch.setattr(module, "rules_for", unknown)
    monkeypatch.setattr(verifying, "LogVerifier", Counted(1))
    said = [*verify(file, heads), conclusions.verified(file)]
    assert "is not known: this game is played under version" in " ".join(said)
    assert [more for one in said if one for more in missing_words(one, language)] == []


def test_an_error_comes_in_the_language_of_the_app() -> None:
    given: dict[str, Any] = {"text": text_of("dealt"), "key": key_of("ana").openssh().decode()}
    given |= {"play": "build library", "clauses": None, "notes": []}
    told = {}
    for lang in ("en", "de"):
        told[lang] = json.loads(call("sign", json.dumps({**given, "lang": lang})))["error"]
    assert told["en"]["words"] == ""
    assert told["de"]["message"] != told["en"]["message"]
    assert (told["de"]["reason"], told["de"]["code"]) == (told["en"]["reason"], told["en"]["code"])


def test_what_has_no_words_of_its_own_is_quoted() -> None:
    damaged = text_of("dealt").replace("[[seats]]\nname", "[[seats]]\nnome", 1)
    told = {
        lang: json.loads(call("look", json.dumps({"text": damaged, "lang": lang})))["error"]
        for lang in ("en", "de")
    }
    assert told["de"]["message"] == refusal._file("de")["reasons"]["damaged"]
    assert told["de"]["words"] == told["en"]["message"]


def test_a_long_sentence_costs_no_time() -> None:
    """Others may have written what stands in it."""
    began = time.perf_counter()
    for language in OTHERS:
        for sentence, _ in refusal._file(language)["said"]:
            longer = refusal._FIELD.sub((sentence + " ").replace("\\", "") * 40, sentence)
            translated(f"{longer}!", language)
    assert time.perf_counter() - began < 20
