"""A reader of a game file: a key found on this machine, its seat, and the hand it opens."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from referee.crypto.keyplace import (
    PLAYER_KEY,
    REFEREE_KEY,
    find_key,
    find_referee_key,
    hint_here,
    keys_here,
    places_of_keys,
)
from referee.crypto.keys import PrivateKey, PublicKey, load_public_key
from referee.crypto.keytext import MAKE
from referee.crypto.sealing import AgeIdentity, holds_ssh_key, load_age_identity
from referee.errors import NoKey, NotYours, secret_not_public
from referee.records import NamedTuple
from referee.table import views
from referee.table.joins import check_seat
from referee.table.seatnames import no_seat, players_seat
from referee.table.transfer import is_transfer, read_play, since, still_to_sign

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from referee.crypto.keyplace import Place
    from referee.table.gamefile import GameFile, Seat
    from referee.table.hands import Hand

    Ask = Callable[[str], str] | None
    """Asks for a passphrase; None where there is nobody to be asked."""
    Choose = Callable[[str, Sequence[str]], int | None] | None
    """Asks which of several things is meant, and returns its place."""

WHOSE = "Several of your keys sit at this table. As whom?"
SEALED_TO_OTHERS = "not-sealed-to-you"


class KeyOptions(NamedTuple):
    """Options that say whose hand is opened; `ask` asks for a passphrase, `choose` for one of some.

    `game` is the place of the game file: keys of its seats may lie beside it.
    """

    key: Path | None = None
    seat: str | None = None
    identity: Path | None = None
    ask: Ask = None
    choose: Choose = None
    game: Path | None = None

    def unlock(self, path: Place) -> PrivateKey:
        """Return the private key in a file. Raises NoKey."""
        return PrivateKey.load(path, self.ask)

    @property
    def is_named(self) -> bool:
        """Return True if a key is given, by an option or the variable, and none is looked for."""
        return self.key is not None or bool(os.environ.get(PLAYER_KEY))

    def own(self) -> PrivateKey:
        """Return the player's key. Raises NoKey."""
        return self.unlock(own_place(self))

    def to_join(self, file: GameFile) -> PrivateKey:
        """Return the key with which the seat, or any, of an open table is taken.

        It is asked for where several could be meant; that of the table's referee is not one of
        them where there is another. Raises NoKey.
        """
        if self.is_named:
            return self.own()
        found = [(path, public) for path, public in kept_keys() if public != file.referee]
        places = _joining_keys(file, self.seat, found) or [path for path, _ in found]
        if len(places) == 1:
            return self.unlock(places[0])
        if places and self.choose is not None:
            at = self.choose("Which of your keys takes the seat?", list(map(str, places)))
            if at is None:
                raise _which_key(places)
            return self.unlock(places[at])
        try:
            path = find_key(None, PLAYER_KEY)
        except NoKey as error:
            if places:
                raise _which_key(places) from None
            if error.reason == "no-key-found":
                names = [name for name in keys_here(PLAYER_KEY) if not _is_referee(file, name)]
                error.hint = hint_here(names, "--key")
            raise
        if places and path not in places:
            raise _which_key(places)
        return self.unlock(path)


class Reader:
    """A seat with its key and hand, as far as they are here, or (all None) anybody.

    `path` is the key that was found, `public` its public half; `stranger` says what is wrong
    with a key that was given and has no seat, `remark` why somebody sees no hand, and `wanted`
    which option would show one.
    """

    __slots__ = ("hand", "key", "path", "public", "remark", "seat", "stranger", "wanted")

    def __init__(
        self,
        seat: Seat | None = None,
        key: PrivateKey | None = None,
        hand: Hand | None = None,
    ) -> None:
        self.seat = seat
        self.key = key
        self.hand = hand
        self.path: Path | None = None
        self.public: PublicKey | None = None
        self.stranger: NotYours | None = None
        self.remark = ""
        self.wanted = ""

    def check_seat(self) -> None:
        """Raise NotYours for a key that was given and has no seat."""
        if self.stranger is not None:
            raise self.stranger


def own_place(options: KeyOptions) -> Path:
    """Return where the player's key lies that signs where no seat decides. Raises NoKey.

    It is the one that was named, or else of those kept here the first, or the only one.
    """
    try:
        return find_key(options.key, PLAYER_KEY)
    except NoKey as error:
        kept = kept_keys() if error.reason == "no-key-found" else []
        if len(kept) > 1:
            raise _which_key([path for path, _ in kept]) from None
        if not kept:
            raise
        return kept[0][0]


def _joining_keys(
    file: GameFile, name: str | None, found: Sequence[tuple[Path, PublicKey]]
) -> list[Path]:
    """Return those of some keys that can be meant to take a seat, or the one that is named.

    That is the key for which it is reserved, and else those that hold no seat.
    """
    held = [(path, file.seat_of(public)) for path, public in found]
    named = file.seat(name) if name is not None else None
    if named is not None:
        mine = [path for path, seat in held if seat is named]
        return mine or [path for path, seat in held if seat is None]
    reserved = [path for path, seat in held if seat is not None and not seat.joined]
    seated = [path for path, seat in held if seat is not None]
    for places in (reserved, seated):
        if len(places) == 1:
            return places
    return [path for path, seat in held if seat is None or not seat.joined]


def _which_key(places: Sequence[Path]) -> NoKey:
    names = ", ".join(map(str, places))
    hint = "say which one with --key"
    return NoKey(f"several of your keys could be meant: {names}", hint, reason="no-key-found")


def _is_referee(file: GameFile, name: str) -> bool:
    """Return True if a file in this folder is the key of a game's referee."""
    with suppress(NoKey):
        return load_public_key(Path(name)) == file.referee
    return False


def key_of_hook(file: GameFile) -> tuple[Place | None, str]:
    """Return the referee's key that a hook would find, and what would keep it from using it."""
    try:
        key = referee_key_here(file)
        if key is not None:
            # Nobody is there to type a passphrase.
            PrivateKey.load(key)
    except NoKey as error:
        return None, error.message
    return key, "" if key is not None else "no key found there is the referee's"


def referee_key(explicit: Path | None, ask: Ask, *, to_open: bool = False) -> PrivateKey:
    """Return the key with which games are refereed, or one is `to_open`.

    Raises NoKey.
    """
    try:
        return PrivateKey.load(find_referee_key(explicit), ask)
    except NoKey as error:
        if error.reason == "no-key-found":
            here = keys_here(REFEREE_KEY)
            file = here[0] if len(here) == 1 else "FILE"
            where = f"say where the referee's key is with --referee-key {file}"
            make = "or make one with `sanjuan-ref key --make FILE`"
            send = "a player sends notes to the referee, who applies them"
            mine = (
                f"give the key this game was opened with: --referee-key {file}; a new key will not"
            )
            error.hint = f"{where}, {make}" if to_open else f"{mine} work for this game; {send}"
        raise


def referee_key_here(file: GameFile, explicit: Path | None = None) -> Place | None:
    """Return where the key of this game's referee lies on this machine; None where it does not."""
    try:
        path = find_referee_key(explicit)
        return path if load_public_key(path) == file.referee else None
    except NoKey:
        if explicit is not None:
            raise
        return None


def secret_of(file: GameFile, options: KeyOptions) -> tuple[bytes, PrivateKey | AgeIdentity | None]:
    """Return the deal secret, and what has opened it; None for that where it is published.

    Raises Stale when it is neither public nor to be opened here, NoKey when a key or an identity
    was given and does not open it, or opens no plans of a game that has some.
    """
    if file.revealed_secret is not None:
        return file.revealed_secret, None
    identity = options.identity
    here = identity or options.key or referee_key_here(file)
    if here is None:
        raise secret_not_public()
    # Only a referee opens it.
    from referee.table.opening import deal_secret

    try:
        opener: PrivateKey | AgeIdentity
        if identity is not None and not holds_ssh_key(identity):
            opener = load_age_identity(identity)
        else:
            opener = options.unlock(here)
        secret = deal_secret(file, opener)
    except NoKey as error:
        if error.reason != SEALED_TO_OTHERS:
            raise
        raise NoKey(
            f"{here} does not open the deal secret of this game",
            "it takes the referee's key, or that of a recipient who was named with --backup",
            reason=SEALED_TO_OTHERS,
        ) from None
    if file.plans and not (isinstance(opener, PrivateKey) and opener.public == file.referee):
        raise NoKey(
            f"{here} does not open the plans of this game, without which it cannot be replayed",
            "until the game is over that takes the referee's key",
            reason=SEALED_TO_OTHERS,
        )
    return secret, opener


def player_of(file: GameFile, options: KeyOptions) -> Reader:
    """Return the reader who is going to sign: a seat with its key, and its hand if there is one.

    Raises NoKey, NotYours, BadSignature (the join does not hold) or Damaged (nor does the hand).
    """
    seat = options.seat
    if seat is not None:
        players_seat(file, seat)
    path, public = _chosen(file, options)
    mine = file.seat_of(public)
    if mine is None or not mine.joined:
        raise _stranger(file, path, public)
    check_seat(file, mine)
    if seat is not None and mine.name != seat:
        raise NotYours(
            f"the key {path} holds the seat {mine.name}, not {seat}",
            f"leave --seat away, or give the key of {seat} with --key",
        )
    signer = options.unlock(path)
    return Reader(mine, signer, _hand(file, mine, signer, options.identity))


def reader_of(file: GameFile, options: KeyOptions) -> Reader:
    """Return the reader, as far as keys can be found; without one, what everybody may see.

    Raises like `player_of`, but has no quarrel with a key that sits elsewhere, unless a seat was
    named as well; where the cards are dealt and the key was given, `stranger` says so.
    """
    key, seat, identity = options.key, options.seat, options.identity
    path, public = _found(file, options)
    mine = file.seat_of(public) if public is not None else None
    if (mine is not None and mine.joined) or (key is not None and seat is not None):
        return player_of(file, options)
    if seat is None and identity is not None:
        seat = _sealed_to(file, identity)
    if seat is None:
        return _onlooker(file, mine, options, path, public)
    chosen = file.seat(seat)
    if chosen is None:
        raise no_seat(file, seat)
    if identity is None or not chosen.joined:
        reader = Reader(chosen)
        if chosen.bot:
            reader.remark = f"the seat {seat} is a bot's"
        else:
            reader.remark = f"no key of {seat} was found"
            reader.wanted = _key_option(file, options)
        return reader
    check_seat(file, chosen)
    return Reader(chosen, None, _hand(file, chosen, None, identity))


def _sealed_to(file: GameFile, identity: Path) -> str:
    """Return the seat whose hands an age identity opens; raises NotYours where there is none."""
    recipient = load_age_identity(identity).recipient
    for seat in file.seats:
        if seat.joined and seat.holder_seal == recipient:
            return seat.name
    raise NotYours(f"no hand of this game is sealed to the identity {identity}")


def signer_of(file: GameFile, options: KeyOptions) -> PrivateKey:
    """Return the key of the player's with which a note of this game is signed. Raises NoKey."""
    return options.unlock(_chosen(file, options)[0])


def _found(file: GameFile, options: KeyOptions) -> tuple[Path | None, PublicKey | None]:
    try:
        return _chosen(file, options)
    except NoKey as error:
        if error.reason != "no-key-found":
            raise
        return None, None


def _chosen(file: GameFile, options: KeyOptions) -> tuple[Path, PublicKey]:
    """Return the key that was named, or of those kept here the one that sits at the table.

    Raises NoKey where there is none, or where several sit there and nobody can be asked.
    """
    if not options.is_named:
        seated = [one for one in kept_keys() if _sits(file, one[1], options.seat)]
        if len(seated) == 1:
            return seated[0]
        if seated:
            names = [_name_of(file, public) for _, public in seated]
            at = options.choose(WHOSE, names) if options.choose is not None else None
            if at is not None:
                return seated[at]
            which = " or ".join(
                f"--key {quote(str(path))} for {name}"
                for (path, _), name in zip(seated, names, strict=True)
            )
            raise NoKey(
                f"several of your keys sit at this table: {', '.join(names)}",
                f"say which one plays: {which}",
                reason="several-keys",
            )
    try:
        path = own_place(options)
    except NoKey as error:
        if file.status != "open" and error.reason == "no-key-found" and error.hint == MAKE:
            # A new key would open none of the seats.
            error.hint = f"give the key of your seat: {_key_option(file, options)}"
        raise
    return path, load_public_key(path)


def _key_option(file: GameFile, options: KeyOptions) -> str:
    """Return the option that gives a key: of a player's in a game of practice, or a blank."""
    game = options.game
    if game is not None and options.key is None:
        seats = [seat.name for seat in file.seats if not seat.bot]
        wanted = [seat for seat in seats if options.seat in (None, seat)]
        for place in (game.parent / "keys" / name for name in wanted):
            if place.is_file():
                return f"--key {quote(str(place))}"
    return "--key FILE"


def kept_keys() -> list[tuple[Path, PublicKey]]:
    """Return the keys that are kept here; unreadable ones are passed over."""
    found: dict[PublicKey, Path] = {}
    for path in places_of_keys():
        try:
            found.setdefault(load_public_key(path), path)
        except NoKey:
            continue
    return [(path, public) for public, path in found.items()]


def _sits(file: GameFile, public: PublicKey, seat: str | None) -> bool:
    mine = file.seat_of(public)
    return mine is not None and mine.joined and seat in (None, mine.name)


def _name_of(file: GameFile, public: PublicKey) -> str:
    mine = file.seat_of(public)
    return mine.name if mine is not None else public.fingerprint


def _onlooker(
    file: GameFile,
    mine: Seat | None,
    options: KeyOptions,
    path: Path | None,
    public: PublicKey | None,
) -> Reader:
    # Before the deal, whoever holds a key may still be about to join.
    reader = Reader(mine)
    reader.path, reader.public = path, public
    reader.wanted = _key_option(file, options)
    if path is None or public is None:
        reader.remark = "no key was found"
    elif public == file.referee:
        reader.remark = f"the key {path} is the referee's and has no seat"
    else:
        reader.remark = f"the key {path} has no seat here"
        if options.key is not None and file.status != "open":
            reader.stranger = _stranger(file, path, public)
    return reader


def _stranger(file: GameFile, path: Path, public: PublicKey) -> NotYours:
    hint = "choose the key with which you joined: --key FILE"
    if public == file.referee:
        return NotYours(f"the key {path} is the referee's, and holds none of the seats", hint)
    if file.status == "open":
        hint = _joining(file, path, public)
    for seat in file.seats:
        if public in _earlier_keys(file, seat):
            step = since(file.log, seat.name)
            hint = f"the seat of {seat.name} has another key since step {step}: --key FILE"
    for waiting in file.transfers:
        if waiting.key == public:
            signs = "; ".join(still_to_sign(file, waiting))
            hint = f"it waits for the seat of {waiting.seat}; still to sign: {signs}"
    return NotYours(
        f"the key {path} ({public.fingerprint}) holds none of the seats: "
        + ", ".join(seat.name for seat in file.seats),
        hint,
    )


def _earlier_keys(file: GameFile, seat: Seat) -> list[PublicKey | None]:
    """Return the keys that a seat had before the one it has now."""
    moves = [entry for entry in file.log if is_transfer(entry.decision) and entry.by == seat.name]
    return [seat.key, *(read_play(entry.play)[0] for entry in moves)][:-1]


def _joining(file: GameFile, path: Path, public: PublicKey) -> str:
    """Return a hint for somebody who has not joined yet."""
    mine = file.seat_of(public)
    free = [seat.name for seat in file.seats if seat.is_free and not seat.reserved]
    free = [mine.name] if mine is not None else free
    if not free:
        return "all seats are taken, or reserved for others"
    command = f"sanjuan-ref join GAME --seat {free[0]} --key {quote(str(path))}"
    whom = f", as {' or '.join(free)}" if len(free) > 1 else ""
    return f"join first{whom}: {command}"


def _hand(file: GameFile, seat: Seat, key: PrivateKey | None, identity: Path | None) -> Hand | None:
    if seat.name not in file.hands:
        return None
    if identity is None and seat.holder_seal.startswith("age1"):
        raise NoKey(
            f"the hand of {seat.name} is sealed to {seat.holder_seal}",
            "give the file with its identity as --identity",
            reason=SEALED_TO_OTHERS,
        )
    try:
        opener = load_age_identity(identity) if identity is not None else key
        assert opener is not None
        return views.open_hand(file, seat, opener)
    except NoKey as error:
        if error.reason != SEALED_TO_OTHERS:
            raise
        raise NoKey(
            f"the hand of {seat.name} is sealed to another key than the one given",
            "if yours is the one you joined with, keep this file as evidence (the "
            "referee signed it), "
            "and ask the referee about it",
            reason=SEALED_TO_OTHERS,
        ) from None
