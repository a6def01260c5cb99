"""Notes in their canonical form: known answers, what is refused, and ssh-keygen."""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.crypto.hashing import unb64
from referee.crypto.keys import PrivateKey
from referee.crypto.sealing import AgeIdentity
from referee.crypto.sshsig import BEGIN
from referee.errors import BadSignature
from referee.games.errors import GameError, NotUnderstood
from referee.games.plans import MAX_LENGTH
from referee.notes import forms, kinds
from referee.notes.finding import find
from referee.notes.kinds import Join, Move, Note, Plan, Transfer, Vacation, parse, render
from referee.notes.plantext import PlanText, plan_salt
from referee.notes.signed import SignedNote
from tests.tools import with_tools

HERE = Path(__file__).parents[1] / "vectors"
KNOWN = tomllib.loads((HERE / "signing.toml").read_text(encoding="utf-8"))
NOTES = {case["name"]: case for case in KNOWN["note"]}
REFUSED = tomllib.loads((HERE / "notes_refused.toml").read_text(encoding="utf-8"))["refused"]
KEY = PrivateKey(bytes.fromhex(KNOWN["key"]["seed"]))
GAME = "759c3a44e1d09b52"
HEAD = "8f14e45fceea167a5a36dedd4bea25434bc1f1e1ad0a8d3c3d2a9b5c0f7e6d11"
AGE = AgeIdentity(KNOWN["sealed"]["identity"]).recipient


def text_of(name: str) -> str:
    text: str = NOTES[name]["text"]
    return text[: text.index(BEGIN)]


@pytest.mark.parametrize("case", NOTES.values(), ids=list(NOTES))
def test_note_has_its_known_answer(case: dict[str, Any]) -> None:
    note = parse(text_of(case["name"]))
    raw = unb64(case["raw"], 64)
    assert note.sign(KEY) == raw
    assert note.armoured(KEY.public, raw) == case["text"]
    assert note.verify(KEY.public, raw)
    assert not note.verify(PrivateKey.generate().public, raw)


@pytest.mark.parametrize("case", NOTES.values(), ids=list(NOTES))
def test_a_note_that_is_signed_here_is_the_one_that_is_found(case: dict[str, Any]) -> None:
    signed = SignedNote.by(KEY, parse(text_of(case["name"])))
    assert signed.holds()
    assert signed.armoured == case["text"]
    (found,) = find(signed.armoured)
    assert found.signed is not None
    assert (found.signed.note, found.signed.raw64) == (signed.note, signed.raw64)


def test_a_move_says_what_it_was_made_of() -> None:
    move = Move(GAME, "7.2.build.ana", 41, HEAD, "build library pay a f")
    assert render(move) == text_of("move")
    assert (move.kind, move.game, move.turn) == ("move", GAME, "7.2.build.ana")
    assert (move.step, move.head, move.play) == (41, HEAD, "build library pay a f")
    assert move.number == 1
    second = Move(GAME, "7.2.build.ana", 41, HEAD, "build library pay a f", 2)
    assert render(second) == text_of("move-second")
    assert (second.number, second.play) == (2, move.play)
    assert parse(repr(move)[7:-2].encode().decode("unicode_escape")) == move


def test_a_plan_says_what_it_was_made_of_and_binds_its_text() -> None:
    plan = parse(text_of("plan"))
    assert isinstance(plan, Plan)
    assert (plan.seat, plan.number, plan.step, plan.head) == ("ana", 3, 41, HEAD)
    text = PlanText.read(KNOWN["plan"]["text"])
    assert text.clauses[1] == "always trader: sell dearest"
    assert text.salt == plan_salt(KEY, GAME, "ana", 3)
    assert text.hash(GAME, "ana", 3) == plan.clauses
    assert text.text == KNOWN["plan"]["text"]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda text: text + "\n",
        lambda text: text.replace("sell dearest", "sell $(dearest)"),
        lambda text: text.replace("salt = ", "salt="),
        lambda text: text.replace('  "always', ' "always'),
        lambda text: text.replace("sell dearest", "sell dearest" * 40),
        lambda text: "",
    ],
)
def test_another_text_is_no_plan(wrong: Callable[[str], str]) -> None:
    with pytest.raises(NotUnderstood):
        PlanText.read(wrong(KNOWN["plan"]["text"]))


def test_no_clause_is_longer_than_the_language_has_them() -> None:
    assert forms.A_CLAUSE.most == MAX_LENGTH


def test_a_join_says_what_it_was_made_of() -> None:
    join = parse(text_of("join-age"))
    assert isinstance(join, Join)
    assert (join.seat, join.step, join.head) == ("ana", 0, HEAD)
    assert (join.key, join.seal) == (KEY.public.hex, AGE)
    assert Join(GAME, "ana", HEAD, join.key, join.salt, AGE) == join
    assert Join(GAME, "ana", HEAD, join.key, join.salt) == parse(text_of("join")) != join
    assert Join(GAME, "ana", HEAD, join.key, join.salt).seal is None


def test_notes_about_seats_say_what_they_were_made_of() -> None:
    away = Vacation(GAME, "ana", 41, HEAD, date(2026, 12, 20), date(2026, 12, 27))
    assert render(away) == text_of("vacation")
    assert (away.seat, away.step, away.days) == (
        "ana",
        41,
        (date(2026, 12, 20), date(2026, 12, 27)),
    )
    move = Transfer(GAME, "ana", 41, HEAD, KEY.public.hex, AGE)
    assert render(move) == text_of("transfer-age")
    assert (move.seat, move.key, move.seal) == ("ana", KEY.public.hex, AGE)
    assert Transfer(GAME, "ana", 41, HEAD, KEY.public.hex).seal is None


def test_a_day_that_no_calendar_has() -> None:
    note = parse(text_of("vacation").replace("2026-12-20", "2026-02-30"))
    assert isinstance(note, Vacation)
    with pytest.raises(NotUnderstood, match="no calendar"):
        _ = note.days


@with_tools("ssh-keygen")
@pytest.mark.parametrize("name", list(NOTES))
def test_ssh_keygen_verifies_a_note(tmp_path: Path, name: str) -> None:
    text = NOTES[name]["text"]
    at = text.index(BEGIN)
    kind = name.split("-")[0]
    (tmp_path / "signers").write_text(f"ana {KEY.public.text}\n")
    (tmp_path / "sig").write_text(text[at:])
    checked = subprocess.run(
        [
            *("ssh-keygen", "-Y", "verify", "-n", f"{kind}@sanjuan-ref", "-I", "ana"),
            *("-f", str(tmp_path / "signers"), "-s", str(tmp_path / "sig")),
        ],
        input=text[:at],
        text=True,
        capture_output=True,
    )
    assert checked.returncode == 0, checked.stderr


@with_tools("ssh-keygen")
def test_a_note_signed_by_hand_is_found(tmp_path: Path) -> None:
    KEY.save(tmp_path / "key")
    (tmp_path / "note").write_text(text_of("move"))
    subprocess.run(
        [
            *("ssh-keygen", "-q", "-Y", "sign", "-n", "move@sanjuan-ref"),
            *("-f", str(tmp_path / "key"), str(tmp_path / "note")),
        ],
        check=True,
        capture_output=True,
    )
    by_hand = (tmp_path / "note").read_text() + (tmp_path / "note.sig").read_text()
    assert by_hand == NOTES["move"]["text"]
    (found,) = find(by_hand)
    assert found.signed
    assert found.signed.holds()


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["why"])
def test_other_texts_are_no_note(case: dict[str, str]) -> None:
    error = {13: NotUnderstood, 15: BadSignature}[int(case.get("code", 13))]
    with pytest.raises(error, match=case["says"]):
        parse(case["text"])


@pytest.mark.parametrize("at", range(len(text_of("move"))))
def test_a_text_has_one_layout_and_a_layout_one_meaning(at: int) -> None:
    """Whatever blank is put in or taken out, the text is refused or says something else."""
    text = text_of("move")
    changes = [text[:at] + blank + text[at:] for blank in (" ", "\n", "\u00a0")]
    if text[at].isspace():
        changes += [text[:at] + blank + text[at + 1 :] for blank in ("", "\t", "  ", "\r\n", " ")]
    for changed in changes:
        if changed != text:
            try:
                note = parse(changed)
            except NotUnderstood:
                continue
            assert render(note) == changed


def test_lines_other_than_the_play_stay_within_76_columns() -> None:
    seat = "a" * 16
    kind = "k" * 31
    move = Move(GAME, f"999999.999999.{kind}.{seat}", 999999, HEAD, "x" * 4000)
    join = Join(GAME, seat, HEAD, KEY.public.hex, "0" * 64, AGE)
    lines = render(move).splitlines()[:-1] + render(join).splitlines()
    assert max(map(len, lines)) == 76


def test_the_longest_play() -> None:
    assert len(render(Move(GAME, "1.1.a.b", 1, HEAD, "x" * 4090)).splitlines()[-1]) == 4095
    with pytest.raises(NotUnderstood):
        Move(GAME, "1.1.a.b", 1, HEAD, "x" * 4091)


@pytest.mark.parametrize("word", kinds.KEYS)
def test_the_keys_are_reserved(word: str) -> None:
    for made in (
        lambda: Move(GAME, "1.1.build.ana", 1, HEAD, f"build {word} a"),
        lambda: Join(GAME, word, HEAD, KEY.public.hex, "0" * 64),
    ):
        with pytest.raises(NotUnderstood, match="reserved"):
            made()


WORDS = st.from_regex(forms.WORD, fullmatch=True).filter(lambda word: word not in kinds.KEYS)
SEATS = st.from_regex(forms.SEAT, fullmatch=True).filter(lambda word: word not in kinds.KEYS)
HEX = {size: st.binary(min_size=size, max_size=size).map(bytes.hex) for size in (8, 32)}
NUMBERS = st.integers(0, 999_999)
TURNS = st.builds(
    "{}.{}.{}.{}".format,
    NUMBERS,
    NUMBERS,
    st.from_regex("[a-z][a-z-]{0,30}", fullmatch=True),
    SEATS,
)
MOVES = st.builds(
    Move,
    HEX[8],
    TURNS,
    NUMBERS,
    HEX[32],
    st.lists(WORDS, min_size=1, max_size=30).map(" ".join).filter(lambda play: len(play) < 4091),
)
PUBLIC = HEX[32].map(lambda text: PrivateKey(bytes.fromhex(text)).public.hex)
JOINS = st.builds(Join, HEX[8], SEATS, HEX[32], PUBLIC, HEX[32], st.none() | st.just(AGE))


@given(MOVES | JOINS)
def test_parse_reads_what_render_writes(note: Note) -> None:
    assert parse(render(note)) == note
    assert render(parse(render(note))) == render(note)
    assert type(parse(render(note))) is type(note)


@given(st.text() | st.lists(st.sampled_from([*kinds.KEYS, "a", "1", HEAD, "\n"])).map(" ".join))
@example("sanjuan-ref/1")
@example("sanjuan-ref/1 move")
@example("sanjuan-ref/1 move\n")
def test_garbage_is_no_note(text: str) -> None:
    for garbage in (text, f"sanjuan-ref/1 move\n{text}", f"sanjuan-ref/1 join\n{text}\n"):
        with pytest.raises(GameError):
            parse(garbage)
