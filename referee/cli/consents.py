"""Signatures that a transfer of a seat still needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.cli.flags import shell_join
from referee.records import NamedTuple
from referee.render.text import terminal
from referee.table import transfer as transfers

if TYPE_CHECKING:
    from pathlib import Path

    from referee.crypto.keys import PublicKey
    from referee.table.gamefile import GameFile


class Agreement(NamedTuple):
    """A transfer of a seat to a new key, as a signer has just agreed to it."""

    seat: str
    new: PublicKey
    signer: PublicKey
    seal: str


def tell_missing(game: Path, file: GameFile, agreed: Agreement) -> None:
    """Print who else has to sign a transfer, and with which command."""
    seat = agreed.seat
    keys = {name: transfers.keys_of(file, name) for name in transfers.holders(file)}
    signed = {agreed.signer}
    for one in file.transfers:
        if (one.seat, one.key) == (seat, agreed.new):
            signed |= {by.key for by in one.consents}
    missing = transfers.missing(file, keys, seat, agreed.new, signed)
    if not missing:
        return
    terminal.say()
    text = f"It takes effect when all have signed. Still to sign: {'; '.join(missing)}."
    terminal.paragraph(f"{text} Whoever does runs:")
    words = ["sanjuan-ref", "transfer", str(game), "--seat", seat]
    more = ["--seal", agreed.seal] if agreed.seal else []
    if missing != ["its new key"]:
        more = ["--to", agreed.new.text, *more]
    terminal.say(f"  {shell_join([*words, *more])} --key FILE")
