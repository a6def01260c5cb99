"""The referee's signature over a game file, and the checks that every reader makes first."""

from __future__ import annotations

from pathlib import Path

from referee.crypto import sshsig
from referee.crypto.keys import PrivateKey
from referee.errors import BadSignature, Damaged
from referee.table import chain
from referee.table.filetext import ending, parse, unsigned
from referee.table.gamefile import GameFile
from referee.table.hands import KEEP
from referee.table.rebuild import followed
from referee.table.source import read_game


def signed_text(file: GameFile, key: PrivateKey) -> str:
    """Sign the file as it stands now; the text to be written."""
    covered = unsigned(file)
    text = chain.state_text(file, covered.encode()).encode()
    raw = sshsig.sign(key, sshsig.STATE, text)
    file.signature = sshsig.armour(key.public, sshsig.STATE, raw)
    return covered + ending(file)


def check_signature(file: GameFile, covered: bytes) -> None:
    """Raise BadSignature unless the referee named in the file has signed these bytes of it."""
    signature = sshsig.parse(file.signature)
    text = chain.state_text(file, covered).encode()
    if (
        signature.public != file.referee
        or signature.namespace != sshsig.STATE
        or not sshsig.verify(file.referee, sshsig.STATE, text, signature.raw64)
    ):
        raise BadSignature(
            "this game file was changed after the referee signed it",
            "ask the referee for the file again",
        )


def check_chain(file: GameFile) -> list[bytes]:
    """Return the heads of all steps.

    Raises Damaged when the file's head is not their end, or what it shows is not what it covers.
    """
    heads = chain.heads(file)
    if heads[-1] != file.head:
        raise Damaged("the head does not follow from the log")
    chain.check_last_root(file)
    return heads


def checked(data: bytes, name: str = "this") -> tuple[GameFile, list[bytes]]:
    """Return a game file that its referee has signed, and that shows what its log has made of it.

    With its heads; `name` is what it is called in messages. Raises Damaged or BadSignature.
    """
    file, covered = parse(data, name)
    check_signature(file, covered)
    try:
        heads = check_chain(file)
        followed(file)
    except Damaged as error:
        # Nobody else can have written it so.
        error.hint = error.hint or KEEP
        raise
    return file, heads


def load(path: Path) -> tuple[GameFile, list[bytes]]:
    """Return the game file at `path`, checked. Raises NotRead, Damaged, or BadSignature."""
    return checked(read_game(path), str(path))
