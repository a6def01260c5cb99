"""Plain `ssh-keygen` and `age` read a whole game file, and this program reads theirs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from referee.crypto.sealing import AgeIdentity, unseal
from referee.playing import player
from referee.table import chain, hands, views
from referee.table.decisions import DecisionId
from referee.table.filetext import unsigned
from referee.table.signing import state_text
from tests.table.tables import REFEREE, Table, key_of
from tests.tools import with_tools


def run(*words: str | Path, given: str = "") -> str:
    done = subprocess.run(
        [str(word) for word in words], input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(2, seed="interop").join_all().rush(until=20)


@with_tools("ssh-keygen")
def test_ssh_keygen_verifies_the_referees_signature(table: Table, tmp_path: Path) -> None:
    file = table.file
    signers = tmp_path / "signers"
    signers.write_text(f"referee {REFEREE.public.text}\n")
    armour = tmp_path / "state.sig"
    armour.write_text(file.signature)
    said = run(
        *("ssh-keygen", "-Y", "verify", "-f", signers, "-I", "referee"),
        *("-n", "state@sanjuan-ref", "-s", armour),
        given=state_text(file, unsigned(file).encode()),
    )
    assert "Good" in said


@with_tools("age")
def test_age_opens_a_hand(table: Table, tmp_path: Path) -> None:
    file = table.file
    key_of("ana").save(tmp_path / "ana")
    block = tmp_path / "hand.age"
    block.write_text(file.hands["ana"].sealed)
    text = run("age", "-d", "-i", tmp_path / "ana", block)
    hand = hands.read_hand(file, "ana", text)
    assert hand.held == list(table.view("ana").hand)


@with_tools("age", "ssh-keygen")
def test_a_move_signed_and_sealed_by_the_plain_tools(table: Table, tmp_path: Path) -> None:
    file = table.file
    decision = file.asked_ids()[0]
    name = DecisionId.parse(decision).seat
    key_of(name).save(tmp_path / "key")
    play = table.view(name).suggest()
    text = tmp_path / "move.txt"
    step = len(file.log)
    text.write_text(
        f"sanjuan-ref/1 move\ngame {file.game}\nturn {decision}\n"
        f"seen {step} {chain.heads(file)[step].hex()}\nplay {play}\n"
    )
    run("ssh-keygen", "-q", "-Y", "sign", "-f", tmp_path / "key", "-n", "move@sanjuan-ref", text)
    note = text.read_text() + (tmp_path / "move.txt.sig").read_text()
    sealed = run("age", "-a", "-r", REFEREE.public.text, given=note)
    (verdict,) = table.apply(sealed)
    assert verdict.error is None


@with_tools("age", "age-keygen")
def test_hands_sealed_to_an_age_key(tmp_path: Path) -> None:
    """A seat may give an `age1…` recipient with its join."""
    from referee.table import opening

    run("age-keygen", "-o", tmp_path / "id")
    secret = (tmp_path / "id").read_text().splitlines()[-1]
    identity = AgeIdentity(secret)
    table = Table(2, seed="age")
    table.apply(
        opening.sign_join(table.file, "ana", key_of("ana"), identity.recipient).armoured,
        opening.sign_join(table.file, "ben", key_of("ben")).armoured,
    )
    file = table.file
    seat = player.my_seat(file, key_of("ana").public)
    assert len(views.open_hand(file, seat, identity).cards) == 4
    assert 'kind = "hand"' in unseal(file.hands["ana"].sealed, identity)
