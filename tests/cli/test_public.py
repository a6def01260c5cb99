"""Public keys as people have them: from a forge, from a server, from PuTTY, from the wrong file."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.main import main
from referee.cli.public import public_line
from referee.cli.usage import Usage
from referee.crypto.keys import PublicKey
from referee.errors import BadSignature
from referee.table.signing import load
from tests.cli.world import KEYS, lay_out
from tests.table.tables import key_of

ANA, BEN = KEYS["ana"].public, KEYS["ben"].public
RSA = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDTgvwjlRHZ1n4bB8k3XyQm0Z ana@old"
ONE = {
    "a .pub": f"{ANA.text} ana@home\n",
    "of a forge, rsa first": f"{RSA}\n{ANA.text}\n",
    "of a forge, no line end": f"{ANA.text}\n{RSA}",
    "twice the same": f"{ANA.text} here\n{ANA.text} there\n",
    "options": f'no-pty,from="10.0.0.?" {ANA.text} ana\n',
    "options that look like a key": f'command="echo {BEN.text}" {ANA.text}\n',
    "a comment before it": f"# {BEN.text}\n\n{ANA.text}\n",
    "known hosts": f"forge.example.org,10.0.0.1 {ANA.text}\n",
    "allowed signers": f'ana namespaces="move@sanjuan-ref" {ANA.text}\n',
    "a security key beside it": f"sk-ssh-ed25519@openssh.com AAAAGnNr yubi\n{ANA.text}\n",
    "tabs": ANA.text.replace(" ", "\t") + "\tana\n",
}


@pytest.mark.parametrize("name", ONE)
def test_the_only_key_is_taken(name: str, workplace: Path) -> None:
    Path("keys").write_text(ONE[name])
    assert PublicKey.parse(public_line("keys")) == ANA
    assert PublicKey.parse(public_line(ONE[name])) == ANA
    for form in ("utf-8-sig", "utf-16"):
        Path("keys").write_bytes(ONE[name].replace("\n", "\r\n").encode(form))
        assert PublicKey.parse(public_line("keys")) == ANA


@pytest.mark.parametrize("text", [f"{ANA.text} home\n{RSA}\n{BEN.text} work\n"])
def test_of_several_keys_one_is_asked_for(text: str, workplace: Path) -> None:
    Path("ana.keys").write_text(text)
    for given in ("ana.keys", text):
        with pytest.raises(Usage, match="has 2 keys of kind ssh-ed25519") as caught:
            public_line(given)
        for key in (ANA, BEN):
            assert key.fingerprint in caught.value.message
        assert "give the line of one" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"{RSA}\n", "kind ssh-rsa; only ssh-ed25519"),
        (f"no-pty {RSA}\n", "kind ssh-rsa; only ssh-ed25519"),
        ("ecdsa-sha2-nistp256 AAAAE2Vj x\n", "kind ecdsa-sha2-nistp256"),
        ("sk-ssh-ed25519@openssh.com AAAAGnNr yubi\n", "kind sk-ssh-ed25519@openssh.com"),
        ("hello\n", "not a public key"),
        ("", "not a public key"),
    ],
)
def test_other_keys_are_named(text: str, says: str, workplace: Path) -> None:
    Path("keys").write_text(text)
    with pytest.raises(BadSignature, match=says):
        PublicKey.parse(public_line("keys"))


def test_what_is_no_public_key_is_named(workplace: Path) -> None:
    private = KEYS["ana"].openssh().decode()
    for name, text, says, hint in [
        ("x.pub", private, "is a private key", "`sanjuan-ref key x.pub` prints it"),
        ("x y", private, "is a private key", "`sanjuan-ref key 'x y'` prints it"),
        ("z.ppk", "PuTTY-User-Key-File-3: ssh-ed25519\n", "is a private key", "prints it"),
        ("id", "# public key: age1x\nAGE-SECRET-KEY-1X\n", "an age identity", "age-keygen -y id"),
        ("p.pub", "---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n", "PuTTY", "ssh-keygen -i -f p.pub"),
    ]:
        Path(name).write_text(text)
        with pytest.raises(Usage, match=says) as caught:
            public_line(name)
        assert hint in caught.value.hint
    Path("x.pub.pub").write_text("")
    with pytest.raises(Usage) as caught:
        public_line("x.pub")
    assert "x.pub.pub" not in caught.value.hint


def test_a_file_may_be_called_like_a_kind_of_key(workplace: Path) -> None:
    Path("ssh-ana.pub").write_text(f"{ANA.text}\n")
    assert public_line("ssh-ana.pub") == ANA.text


def test_a_seat_and_a_backup_take_the_keys_of_a_forge(workplace: Path) -> None:
    lay_out(workplace, "nothing")
    Path("ana.keys").write_text(ONE["of a forge, rsa first"])
    for words in (["--seat", "ana=ana.keys"], ["--seat", "ana", "--backup", "ana.keys"]):
        Path("x.toml").unlink(missing_ok=True)
        opened = ["new", "x.toml", *words, "--seat", "ben", "--referee-key", "referee.key"]
        assert main(opened) == 0
        file, _ = load(Path("x.toml"))
        found = [file.seats[0].key == key_of("ana").public, file.secret_keys == 2]
        assert found == ["=" in words[1], "--backup" in words]


def test_a_link_that_leads_nowhere_is_not_its_own_correction(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(workplace, "building")
    Path("mine.key").symlink_to("gone.key")
    Path("mine.toml").symlink_to("gone.toml")
    for words in (["show", "game.toml", "--key", "mine.key"], ["show", "mine.toml"]):
        assert main(words) in (2, 18)
        told = capsys.readouterr().err
        assert f"{words[-1]} is a link to gone" in told
        assert "did you mean" not in told


def test_a_name_that_is_too_long_is_one_that_cannot_be_read(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(workplace, "building")
    name = "a-" * 200
    for words, code in ((["show", name], 2), (["show", "game.toml", "--key", name], 18)):
        assert main(words) == code
        assert "File name too long" in capsys.readouterr().err
