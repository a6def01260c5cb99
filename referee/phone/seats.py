"""Notes about seats for the app: days away, leaving, votes for the end, and whose a seat is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from referee.bots.names import parts_of
from referee.crypto.keys import PublicKey
from referee.crypto.keytext import public_lines
from referee.errors import NoKey
from referee.games.errors import Illegal, NotUnderstood
from referee.games.texts import FALLBACK
from referee.notes.forms import read_day
from referee.notes.kinds import Leave, Transfer, Vacation, Vote
from referee.phone import desk
from referee.phone.refusal import told_lines
from referee.playing import player
from referee.playing.outgoing import Outgoing
from referee.table import transfer as transfers
from referee.table.clock import days_away, today
from referee.table.standing import Standing
from referee.table.times import current_time

if TYPE_CHECKING:
    from datetime import date

    from referee.crypto.keys import PrivateKey
    from referee.table.gamefile import GameFile

    Document = dict[str, Any]

SAME = ("kind", "seat", "play", "by")
STANDING: dict[str, type[Vote | Leave]] = {Vote.kind: Vote, Leave.kind: Leave}


def seats(given: Document) -> Document:
    """Return how it is with the seats of a table, and what the holder of a key can say of that."""
    file = desk.file_of(given["text"])
    key = desk.key_of(given)
    mine = desk.seat_of(file, key)
    standing = Standing.after(file)
    found: Document = {
        "title": file.title,
        "seat": mine,
        "bot": bot.level if (bot := parts_of(file.bot)) is not None else file.bot,
        "left": standing.left,
        "voting": standing.voting,
        "seats": [seat.name for seat in file.seats if not seat.bot],
        "away": _away(file, mine),
        "transfers": [
            {
                "seat": one.seat,
                "to": one.key.text,
                "fingerprint": one.key.fingerprint,
                "seal": one.seal,
                "missing": told_lines(
                    transfers.still_to_sign(file, one), given.get("lang", FALLBACK)
                ),
                "needs_new": transfers.NEW_KEY in transfers.still_to_sign(file, one),
                "needs_mine": key is not None and transfers.is_wanted(file, one, key.public),
            }
            for one in file.transfers
        ],
    }
    if mine:
        found |= {
            kind: made.plays[standing.stands(kind, mine) == made.plays[0]]
            for kind, made in STANDING.items()
        }
    return found


def _away(file: GameFile, mine: str) -> Document | None:
    """Return the days away of a seat, and how many there may be; None without a clock."""
    if file.clock is None:
        return None
    own = [one for one in file.vacations if one.seat == mine]
    return {
        "most": file.clock.vacation,
        "taken": days_away(own),
        "spans": [[str(one.first), str(one.last)] for one in own],
        "today": str(today(file.clock, current_time())),
    }


def say(given: Document) -> Document:
    """Sign a note about a seat: `kind` says which, and each takes what the command of it takes.

    `notes` are those that were signed before in this game: what says the same, and may be on its
    way still, is not signed anew.
    """
    file = desk.file_of(given["text"])
    key = desk.key_of(given)
    if key is None:
        raise NoKey("make a key first")
    kind, notes = str(given["kind"]), given.get("notes") or []
    if kind == Vacation.kind:
        return _vacation(file, key, given, notes)
    if kind == Transfer.kind:
        return _transfer(file, key, given, notes)
    if kind in STANDING:
        return _stand(file, key, kind, notes, back=bool(given.get("back")))
    raise NotUnderstood(f"there is no note of the kind {kind!r}")


def _vacation(
    file: GameFile, key: PrivateKey, given: Document, notes: Sequence[Document]
) -> Document:
    first, last = _day(given["first"]), _day(given["until"])
    if last < first:
        raise Illegal("the last day is before the first one")
    if last < today(file.clock, current_time()):
        raise Illegal(f"{last} is in the past")
    seat = player.my_seat(file, key.public)
    signed = player.sign_vacation(file, seat, key, first, last)
    about = {"seat": seat.name, "play": f"{first} {last}"}
    return _handed(Outgoing(signed, f"{seat.name}-{first}", about), key, notes)


def _day(text: object) -> date:
    try:
        return read_day(str(text))
    except ValueError:
        raise NotUnderstood("say the first day and the last one") from None


def _stand(
    file: GameFile, key: PrivateKey, kind: str, notes: Sequence[Document], *, back: bool
) -> Document:
    seat = player.my_seat(file, key.public)
    made = STANDING[kind]
    signed = player.sign_standing(file, seat, key, made, back=back)
    about = {"seat": seat.name, "play": made.plays[back]}
    name = f"{seat.name}-{file.step}-{about['play']}"
    since = Standing.after(file).since(seat.name)
    return _handed(Outgoing(signed, name, about), key, notes, since)


def _transfer(
    file: GameFile, key: PrivateKey, given: Document, notes: Sequence[Document]
) -> Document:
    seat, new = str(given["seat"]), key.public
    if given.get("to"):
        new = _public(str(given["to"]))
    seal = str(given.get("seal") or "")
    signed = player.sign_transfer(file, seat, key, new, seal)
    player.check_transfer(file, seat, new, seal)
    about = {"seat": seat, "play": f"{new.fingerprint} {seal}".rstrip()}
    name = f"{seat}-{key.public.hex[:8]}"
    since = transfers.since(file.log, seat)
    return _handed(Outgoing(signed, name, about), key, notes, since)


def _public(text: str) -> PublicKey:
    """Return the one public key in a text that somebody has pasted."""
    if "PRIVATE KEY-----" in text or "AGE-SECRET-KEY-" in text:
        raise NotUnderstood(
            "this is a private key, and its public half is wanted",
            "nobody but its owner may ever have it: whoever sent it makes a new one",
        )
    lines = public_lines(text)
    if len(lines) > 1:
        raise NotUnderstood("these are several public keys", "paste the one that is meant")
    return PublicKey.parse(lines[0] if lines else text)


def _handed(note: Outgoing, key: PrivateKey, notes: Sequence[Document], since: int = 0) -> Document:
    """Return a note to be sent, or the same one if it was signed before, at step `since` or later.

    Earlier ones have had their effect.
    """
    said = note.signed.note
    made = {
        **desk.document_of(note),
        "seat": note.about["seat"],
        "step": said.step,
        "by": key.public.hex,
    }
    for one in reversed(notes):
        if all(one.get(name) == made[name] for name in SAME) and one["step"] >= since:
            return {**one, "again": True}
    return made


REQUESTS = {"seats": seats, "seat_note": say}
