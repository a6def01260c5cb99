"""The referee's signature over a game file, and the checks that every reader makes first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.crypto import sshsig
from referee.crypto.keys import PrivateKey
from referee.errors import BadSignature, Damaged
from referee.games.errors import GameError
from referee.table import chain
from referee.table.filetext import begin_of, ending, parse, plain, unsigned
from referee.table.gamefile import GameFile
from referee.table.hands import KEEP
from referee.table.rebuild import followed
from referee.table.source import read_game

if TYPE_CHECKING:
    from referee.crypto.keys import PublicKey
    from referee.table.rebuild import Watch


def state_text(file: GameFile, covered: bytes) -> str:
    """Return the text that the referee signs for these bytes of a file."""
    return chain.state_text(file.game, file.step, file.head.hex(), covered)


def signed_text(file: GameFile, key: PrivateKey) -> str:
    """Sign the file as it stands now; the text to be written."""
    covered = unsigned(file)
    raw = sshsig.sign(key, sshsig.STATE, state_text(file, covered.encode()).encode())
    file.signature = sshsig.armour(key.public, sshsig.STATE, raw)
    return covered + ending(file)


def check_signature(file: GameFile, covered: bytes) -> None:
    """Raise BadSignature unless the referee named in the file has signed these bytes of it."""
    signature = sshsig.parse(file.signature)
    text = state_text(file, covered).encode()
    if (
        signature.public != file.referee
        or signature.namespace != sshsig.STATE
        or not sshsig.verify(file.referee, sshsig.STATE, text, signature.raw64)
    ):
        raise BadSignature(
            "this game file was changed after the referee signed it",
            "ask the referee for the file again",
        )


def is_signed(data: bytes, game: str, referee: PublicKey) -> bool:
    """Return True if this referee has signed the text in `data` as a file of this game.

    The text is not taken apart for that, so what others have made up costs little.
    """
    text = plain(data)
    begin = begin_of(text)
    covered, _, armour = text.rpartition(b'[signature]\nsshsig = """\n')
    if begin is None:
        return False
    _, step, head = begin
    said = chain.state_text(game, step, head, covered)
    try:
        signature = sshsig.parse(armour.removesuffix(b'"""').decode())
    except (GameError, ValueError):
        return False
    return (signature.public, signature.namespace) == (referee, sshsig.STATE) and sshsig.verify(
        referee, sshsig.STATE, said.encode(), signature.raw64
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


def checked(
    data: bytes, name: str = "this", see: Watch | None = None
) -> tuple[GameFile, list[bytes]]:
    """Return a game file that its referee has signed, and that shows what its log has made of it.

    With its heads; `name` is what it is called in messages. `see` is called with the file and its
    game after each entry of the log, before all are checked. Raises Damaged or BadSignature.
    """
    file, covered = parse(data, name)
    check_signature(file, covered)
    try:
        heads = check_chain(file)
        followed(file, see)
    except Damaged as error:
        # Nobody else can have written it so.
        error.hint = error.hint or KEEP
        raise
    return file, heads


def load(path: Path, see: Watch | None = None) -> tuple[GameFile, list[bytes]]:
    """Return the game file at `path`, checked; see `checked`. Raises NotRead too."""
    return checked(read_game(path), str(path), see)
