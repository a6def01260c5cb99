"""A seat that changes hands by email: who has still to sign, and where its new holder reads."""

from __future__ import annotations

import shlex
from pathlib import Path

from referee.playing import player
from tests.cli.world import KEYS
from tests.mail.conftest import Open
from tests.mail.office import HOST, NOW, Office, run

OLD = (
    "note: ben has another key now, and addresses.toml still has ben@example.org and "
    "ben@work.example.org for ben; if somebody else plays there now, write the new address in the "
    "line `ben =` of [seats], and `sanjuan-ref mail out game.toml` sends the game there\n"
)


def consent(at: Office, signer: str) -> str:
    """A signature that ben's seat gets the stranger's key."""
    new = KEYS["stranger"].public
    return player.sign_transfer(at.file, "ben", KEYS[signer], new).armoured


def test_the_command_of_the_new_key_comes_with_the_old_ones_receipt(office: Open) -> None:
    at = office("building")
    done = at.take(at.mail("ben", consent(at, "ben")))
    assert (done.code, done.err) == (0, "")
    (text,) = at.texts("ben answer")
    said = " ".join(text.split())
    assert "Your seat gets the key SHA256:" in said
    assert "when all have signed. Still to sign: its new key." in said
    (line,) = [line for line in text.splitlines() if " transfer game-" in line]
    assert len(line) <= 72
    words = shlex.split(line)
    Path(words[2]).write_bytes(Path("game.toml").read_bytes())
    words[-1] = "stranger.key"
    assert run(*words[1:], "-o", "new.transfer").code == 0
    done = at.take(at.mail("stranger", Path("new.transfer").read_text()))
    assert (done.code, done.err) == (0, OLD)
    seat = at.file.seat("ben")
    assert seat is not None
    assert seat.holder == KEYS["stranger"].public


def test_others_are_told_only_of_what_they_have_agreed_to(office: Open) -> None:
    at = office("building")
    at.take(at.mail("stranger", consent(at, "stranger")))
    assert "gets the key" not in at.texts("ana prompt")[0]
    at.take(at.mail("ana", consent(at, "ana")))
    (text,) = at.texts("ana answer")
    assert "The seat ben gets the key" in text
    assert "the old key of ben, or else the referee" in " ".join(text.split())
    assert f"--seat ben --to '{KEYS['stranger'].public.text}' --key FILE" in text


def test_the_host_who_applies_by_hand_is_told_alike(office: Open) -> None:
    at = office("building")
    apply = ("apply", "game.toml", *HOST, "--now", NOW)
    Path("old").write_text(consent(at, "ben"))
    Path("new").write_text(consent(at, "stranger"))
    done = run(*apply, "old")
    assert done.out.count("sanjuan-ref transfer game.toml --seat ben --key FILE\n") == 1
    assert run(*apply, "new").err == OLD
    # It was said once.
    assert run(*apply, "new").err.count("address") == 0
    assert "transfer" not in run(*apply, "new", "old").out
