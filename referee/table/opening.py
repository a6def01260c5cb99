"""Opening a table and joining it: what is fixed before the deal (DESIGN 5.1, 5.2)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from referee.crypto import sshsig
from referee.crypto.hashing import H
from referee.crypto.keys import PrivateKey, PublicKey
from referee.crypto.sealing import AgeIdentity, canonical_recipient, names, pad, seal, unseal
from referee.errors import (
    AlreadyApplied,
    BadSignature,
    Damaged,
    NoKey,
    Stale,
    backup_key,
    key_in_use,
    no_longer_open,
    referees_key,
    seat_reserved,
)
from referee.games.errors import Illegal, NotUnderstood
from referee.games.interface import Rules
from referee.notes.forms import A_TITLE
from referee.notes.kinds import Join
from referee.notes.signed import SignedNote
from referee.table import chain
from referee.table.dealing import SECRET_SIZE, deal_commitment
from referee.table.fields import FileFields
from referee.table.filetext import load_toml
from referee.table.gamefile import FORMAT, GameFile, Seat, is_seat_name
from referee.table.joins import join_of
from referee.table.rules import check_bots, rules_for
from referee.table.seatnames import no_name, no_seat, seat_taken
from referee.table.times import Clock

if TYPE_CHECKING:
    from datetime import datetime


NO_BOTS: Mapping[str, str] = MappingProxyType({})


def open_table(
    rules: Rules,
    title: str,
    seats: Sequence[tuple[str, PublicKey | None]],
    referee: PrivateKey,
    *,
    backups: Sequence[str] = (),
    shuffle_seats: bool = False,
    me: tuple[str, PrivateKey] | None = None,
    clock: Clock | None = None,
    now: datetime | None = None,
    plans: bool = False,
    ahead: int = 0,
    hints: bool = True,
    bots: Mapping[str, str] = NO_BOTS,
    late_bot: str = "",
    game: str | None = None,
    secret: bytes | None = None,
) -> GameFile:
    """Return a table that waits for its players, ready to be signed.

    `seats` are names with the keys they are reserved for; `me` is the seat of a referee who
    plays, with its key: it joins here, so that its salt is bound before any other exists. `clock`
    is what is agreed on about time, if anything; `now` is what the time is then. With `plans`
    players may answer ahead; `ahead` of the seats whose turns come next are invited to. Without
    `hints` programs advise nobody. `bots` are the seats of programs, each with name and version;
    `late_bot` is who answers for seats that are late, by default the game's own.
    `game` and `secret` are drawn at random unless given. Raises NotUnderstood or Illegal.
    """
    names = [name for name, _ in seats]
    for name in names:
        if not is_seat_name(name):
            raise no_name(name)
    twice = [name for at, name in enumerate(names) if name in names[:at]]
    if twice:
        raise Illegal(f"the seat {twice[0]} is given twice", "give each seat a name of its own")
    if not A_TITLE.fits(title):
        raise NotUnderstood(f"a title is one line of at most {A_TITLE.most} characters that show")
    misfit = rules.fits(len(names))
    if misfit:
        raise Illegal(misfit)
    game = game or os.urandom(8).hex()
    secret = secret or os.urandom(SECRET_SIZE)
    commitment = deal_commitment(game, secret)
    held = [key for _, key in seats if key is not None]
    if me is not None:
        if me[0] not in names:
            raise NotUnderstood(f"there is no seat {me[0]!r}", f"seats: {', '.join(names)}")
        held = [key for name, key in seats if key is not None and name != me[0]]
        held.append(me[1].public)
    if len(set(held)) < len(held):
        raise Illegal("two seats are reserved for the same key")
    for name, key in seats:
        if key == referee.public and (me is None or me[0] != name):
            raise Illegal(
                f"the seat {name} is reserved for the referee's key",
                f"a referee who plays says so: --me {name}",
            )
    _check_bots(bots, seats, me)
    if late_bot:
        _check_known(late_bot, rules)
    recipients = [referee.public.text, *(canonical_recipient(one) for one in backups)]
    for name, key in seats:
        if key is not None and key.text in recipients[1:] and (me is None or me[0] != name):
            raise Illegal(
                f"the key of {name} would open the deal secret, and with it every hand",
                "a backup is for somebody who does not play",
            )
    text = (
        f'kind = "deal-secret"\nformat = "{FORMAT}"\ngame = "{game}"\nsecret = "{secret.hex()}"\n'
    )
    file = GameFile(
        game,
        title,
        rules.module,
        rules.version,
        late_bot or rules.bot,
        rules.terms(),
        referee.public,
        [seal(pad(text), [one]) for one in recipients],
        [Seat(name, key, reserved=key is not None, bot=bots.get(name, "")) for name, key in seats],
        commitment,
    )
    if plans:
        # Most commands read files of tables that are open already.
        from referee.games.plans import language_of

        file.plan_language = language_of(rules, names).version
    file.ahead = _invited_ahead(file, ahead, me)
    file.hints = hints
    file.shuffle_seats = shuffle_seats
    file.clock = clock
    file.now = now if clock is not None else None
    if me is not None:
        _sit_down(file, *me)
    file.head = chain.first_head(file)
    return file


def _check_bots(
    bots: Mapping[str, str],
    seats: Sequence[tuple[str, PublicKey | None]],
    me: tuple[str, PrivateKey] | None,
) -> None:
    """Raise NotUnderstood or Illegal where bots sit where they cannot."""
    keys = dict(seats)
    for name in bots:
        if name not in keys:
            raise NotUnderstood(f"there is no seat {name!r}", f"seats: {', '.join(keys)}")
        if keys[name] is not None or (me is not None and me[0] == name):
            raise Illegal(f"{name} is a bot's seat, and cannot be a player's as well")
    if len(bots) == len(keys):
        raise Illegal("nobody sits at this table but bots", "`arena` lets bots play alone")


def _check_known(late_bot: str, rules: Rules) -> None:
    """Raise NotUnderstood for a bot that this program does not have: nobody could join."""
    # Few tables have one, and what plays is large.
    from referee.bots import named

    try:
        named(late_bot, rules)
    except NotUnderstood:
        raise NotUnderstood(
            f"this sanjuan-ref does not have the bot {late_bot}, which is to answer for the late",
            "choose another one with --late",
        ) from None


def _invited_ahead(file: GameFile, ahead: int, me: tuple[str, PrivateKey] | None) -> int:
    """Return how many seats can be invited to plan their turns. Raises Illegal for none."""
    if not ahead:
        return 0
    if not file.plan_language:
        raise Illegal("nobody is invited to plan at a table without plans", "let it take plans")
    if me is not None:
        raise Illegal(
            "nobody is invited to plan turns where the referee plays, who could read them first",
            "open the table without --ahead, or let somebody else be the referee",
        )
    return min(ahead, len(file.seats) - 1)


def _sit_down(file: GameFile, name: str, key: PrivateKey) -> None:
    seat = file.seat(name)
    assert seat is not None
    if seat.key is not None and seat.key != key.public:
        raise seat_reserved(name)
    seat.key, seat.reserved, seat.referee = key.public, True, True
    # Head 0 does not exist yet, and must contain this salt: it comes from a signature over what
    # is bound already.
    bound = H("referee-salt", file.game, file.commitment)
    seat.salt = H("salt", sshsig.sign(key, sshsig.SALT, bound))
    seat.signature = join_of(file, seat).sign(key)


def deal_secret(file: GameFile, key: PrivateKey | AgeIdentity) -> bytes:
    """Return the deal secret, opened with the referee's key (or a backup's).

    Raises NoKey when no block is sealed to the key, Damaged when the text is another game's.
    """
    if not file.secret:
        raise Damaged("referee.secret is empty")
    for index, block in enumerate(file.secret):
        try:
            text = unseal(block, key)
            break
        except NoKey:
            if index == len(file.secret) - 1:
                raise
    try:
        fields = FileFields(load_toml(text.encode(), "deal secret"), "deal secret")
        kind, game = fields.text("kind"), fields.text("game")
        secret = fields.hex("secret", SECRET_SIZE)
    except Damaged:
        raise Damaged("referee.secret is not a deal secret") from None
    if kind != "deal-secret" or game != file.game:
        raise Damaged("referee.secret belongs to another game")
    return secret


def is_backup(file: GameFile, seat: Seat, key: PublicKey) -> bool:
    """Return True if a key may not sit there, as the deal secret is sealed to it (`new --backup`).

    A referee who plays sees every card anyway, but whoever has that seat next does not. Only an SSH
    key can be known for what it is, by the blocks that name it. Raises Damaged.
    """
    if key == file.referee or (seat.referee and key == seat.key):
        return False
    return any(names(block, key) for block in file.secret)


def sign_join(file: GameFile, name: str, key: PrivateKey, seal_to: str = "") -> SignedNote:
    """Sign the join of a seat.

    Joining twice gives the same note: the salt comes from the player's own signature over head 0.
    Raises NotYours or Stale when the seat is not to be had, or was taken by another join.
    """
    seat = file.seat(name)
    if seat is None:
        raise no_seat(file, name)
    if seat.bot:
        raise seat_taken(file, name)
    if seat.key is not None and seat.key != key.public:
        if seat.joined:
            raise seat_taken(file, name)
        raise seat_reserved(name)
    other = file.seat_of(key.public)
    if other is not None and other is not seat:
        raise key_in_use(other.name)
    if key.public == file.referee and not seat.referee:
        raise referees_key()
    if is_backup(file, seat, key.public):
        raise backup_key()
    if file.status != "open":
        if seat.joined:
            raise AlreadyApplied(f"you already hold the seat {name}, and the game has begun")
        raise no_longer_open()
    rules = rules_for(file)
    check_bots(rules, file.bot)
    misfit = rules.fits(len(file.seats))
    if misfit:
        raise Illegal(misfit)
    head = chain.first_head(file)
    # A host who could fix a player's salt before head 0 could choose among deals.
    bound = H("referee-salt", file.game, file.commitment) if seat.referee else head
    salt = H("salt", sshsig.sign(key, sshsig.SALT, bound))
    if seat.referee and salt != seat.salt:
        raise BadSignature(
            f"the host has fixed what {name} adds to the shuffle, which is for you to choose",
            "do not join this table",
        )
    to = canonical_recipient(seal_to) if seal_to else None
    if seat.joined and (seat.salt, seat.seal) != (salt, to or ""):
        # Whoever has two joins of one seat can choose between two deals.
        raise Stale(
            f"your key already holds the seat {name}, by a different join",
            "once the cards are dealt, `transfer` changes where your hands are sealed to",
            reason="seat-taken",
        )
    note = Join(file.game, name, head.hex(), key.public.hex, salt.hex(), to)
    return SignedNote.by(key, note)
