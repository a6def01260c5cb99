"""Signatures that a transfer of a seat still needs, and the address of its new holder."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from referee.cli.flags import of_seat, shell_join
from referee.games.errors import GameError
from referee.mail import addresses
from referee.notes.kinds import Transfer
from referee.render.text import terminal
from referee.table import transfer as transfers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from referee.mail.addresses import Book
    from referee.refereeing.judging import Verdict
    from referee.table.gamefile import GameFile
    from referee.table.gamefile import Transfer as Waiting


def tell_missing(game: Path, file: GameFile, waiting: Waiting) -> None:
    """Print who else has to sign a transfer, and with which command."""
    missing = transfers.still_to_sign(file, waiting)
    if not missing:
        return
    terminal.say()
    text = f"It takes effect when all have signed. Still to sign: {'; '.join(missing)}."
    terminal.paragraph(f"{text} They sign with:")
    terminal.pass_on(f"{command(game, waiting, missing, [])} --key FILE")


def command(game: Path, waiting: Waiting, missing: Sequence[str], more: Sequence[str]) -> str:
    """Return the command that signs a transfer, with the options `more` about keys."""
    words = ["sanjuan-ref", "transfer", str(game), "--seat", waiting.seat]
    if missing != [transfers.NEW_KEY]:
        words += ["--to", waiting.key.text]
    words += ["--seal", waiting.seal] if waiting.seal else []
    return shell_join([*words, *of_seat(game, more)])


def tell_waiting(game: Path, file: GameFile, verdicts: Sequence[Verdict]) -> None:
    """Print what is missing of each transfer that one of these notes has agreed to."""
    told = []
    for verdict in verdicts:
        signed = verdict.found.signed if verdict.found is not None else None
        if verdict.is_transfer and signed is not None and isinstance(signed.note, Transfer):
            note = signed.note
            told += [
                one
                for one in file.transfers
                if (one.seat, one.key.hex, one.seal or None) == (note.seat, note.key, note.seal)
                and one not in told
            ]
    for one in told:
        tell_missing(game, file, one)


def old_addresses(game: Path, seats: Sequence[str], book: Book) -> list[str]:
    """Return a sentence for the host on the address of each of the seats that changed hands."""
    return [
        f"{seat} has another key now, and {book.path} still has {' and '.join(known)} for {seat}; "
        f"if somebody else plays there now, write the new address in the line `{seat} =` "
        f"of [seats], and `sanjuan-ref mail out {quote(str(game))}` sends the game there"
        for seat in seats
        if (known := book.seats.get(seat, ()))
    ]


def tell_old_addresses(game: Path, file: GameFile, step: int) -> None:
    """Note the address of each seat that has changed hands since a step.

    The address book lies beside the game file, or in the folder above.
    """
    seats = transfers.moved_since(file, step)
    places = (game.parent / addresses.NAME, game.absolute().parent.parent / addresses.NAME)
    path = next((path for path in places if path.exists()), None)
    if not seats or path is None:
        return
    try:
        for text in old_addresses(game, seats, addresses.read(path)):
            terminal.warn("note", text)
    except GameError as error:
        terminal.complain(error)
