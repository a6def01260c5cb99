"""Notes and game files that somebody forged, cut, or spoiled; each by its name."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import tomli_w

from referee.crypto import sealing, sshsig
from referee.crypto.keys import PrivateKey
from referee.notes.kinds import Join, Move
from referee.table import chain, views
from referee.table.gamefile import GameFile
from referee.table.hands import render_hand
from referee.table.signing import signed_text
from tests.cli.world import KEYS, story
from tests.table.tables import key_of, laid_out, load

ANA, BEN, STRANGER, REFEREE = (KEYS[name] for name in ("ana", "ben", "stranger", "referee"))


class Forger:
    """Makes the bad things for one game file."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.file: GameFile = load(text)
        self.heads = chain.heads(self.file)

    def move(
        self,
        turn: str,
        play: str,
        key: PrivateKey = ANA,
        *,
        step: int | None = None,
        head: str | None = None,
        game: str | None = None,
        namespace: str = sshsig.MOVE,
    ) -> str:
        """A signed move that may be wrong in any way."""
        step = self.file.step if step is None else step
        if head is None:
            head = self.heads[min(step, self.file.step)].hex()
        note = Move(game or self.file.game, turn, step, head, play)
        raw = sshsig.sign(key, namespace, note.text.encode())
        return note.text + sshsig.armour(key.public, namespace, raw)

    def join(self, seat: str, key: PrivateKey, head: str | None = None) -> str:
        note = Join(self.file.game, seat, head or self.heads[0].hex(), key.public.hex, "5" * 64)
        return note.armoured(key.public, note.sign(key))

    def resigned(self, key: PrivateKey = REFEREE) -> str:
        return signed_text(self.file, key)

    def changed(self, path: str, value: object) -> str:
        """The file with one value changed and the old signature kept."""
        body = tomllib.loads(self.text)
        *way, last = path.split(".")
        spot = body
        for key in way:
            spot = spot[int(key)] if isinstance(spot, list) else spot[key]
        spot[last] = value
        return laid_out(body)


def _swapped_armour(note: str, public: bytes) -> str:
    """A note whose armour names another key."""
    text, _, _ = note.partition(sshsig.BEGIN)

    class Key:
        blob = b"\0\0\0\x0bssh-ed25519" + len(public).to_bytes(4, "big") + public

    return text + sshsig.armour(Key, sshsig.MOVE, bytes(64))  # type: ignore[arg-type]


def hand_of(forger: Forger, text: str, reader: str) -> str:
    """The file with another text sealed as ana's hand, signed by its referee."""
    forger.file.hands["ana"].sealed = sealing.seal(text, [key_of(reader).public.text])
    return forger.resigned()


def _own_hand(forger: Forger, **change: Any) -> str:
    seat = forger.file.seat("ana")
    assert seat is not None
    hand = views.open_hand(forger.file, seat, ANA)._replace(**change)
    return hand_of(forger, sealing.pad(render_hand(forger.file.game, hand)), "ana")


def _bens_hand(forger: Forger) -> str:
    return sealing.unseal(forger.file.hands["ben"].sealed, BEN)


def _evil_referee(forger: Forger) -> str:
    forger.file.referee = STRANGER.public
    forger.file.head = chain.heads(forger.file)[-1]
    return forger.resigned(STRANGER)


def _other_layout(forger: Forger) -> str:
    body = tomllib.loads(forger.text)
    return tomli_w.dumps(dict(sorted(body.items(), reverse=True)), indent=1).replace("\n", "\n\n")


def _retitled(forger: Forger, title: str) -> str:
    """A host who changes the terms after the joins."""
    forger.file.title = title
    forger.file.head = chain.heads(forger.file)[-1]
    return forger.resigned()


ROLE = "1.1.role.ana"
BUILD = "1.1.build.ana"
KEEP = "1.2.keep.ana"

NOTES: dict[str, Callable[[Forger], str]] = {
    "good": lambda f: f.move(ROLE, "role builder"),
    "last": lambda f: story().notes[-1],
    "otherwise": lambda f: f.move(ROLE, "role trader", step=1),
    "other-game": lambda f: f.move(ROLE, "role builder", game="f" * 16),
    "not-open": lambda f: f.move("9.9.role.ana", "role builder"),
    "no-seat": lambda f: f.move("1.1.role.carl", "role builder"),
    "not-yours": lambda f: f.move(ROLE, "role builder", BEN),
    "wrong-key": lambda f: f.move(ROLE, "role builder", STRANGER),
    "small-order": lambda f: _swapped_armour(f.move(ROLE, "role builder"), bytes([1] + 31 * [0])),
    "namespace": lambda f: f.move(ROLE, "role builder", namespace="file"),
    "other-head": lambda f: f.move(ROLE, "role builder", head="0" * 64),
    "ahead": lambda f: f.move(ROLE, "role builder", step=99),
    "too-early": lambda f: f.move(ROLE, "role builder", step=0),
    "gibberish": lambda f: f.move(ROLE, "dance wildly"),
    "illegal": lambda f: f.move(BUILD, "build guild-hall"),
    "no-such-letter": lambda f: f.move(BUILD, "build smithy pay x"),
    "changed": lambda f: f.move(ROLE, "role builder").replace("builder", "trader"),
    "cut": lambda f: f.move(ROLE, "role builder")[:-40],
    "unsigned": lambda f: f.move(ROLE, "role builder").replace("BEGIN SSH", "BEGIN MY"),
    "empty": lambda f: "Dear referee, I pass.\n",
    "huge": lambda f: "x" * 70_000,
    "control": lambda f: f.move(ROLE, "role builder").replace("play", "pl\x1b[31may"),
    "hand-block": lambda f: f.file.hands["ben"].sealed,
    "sealed-to-ana": lambda f: sealing.seal(f.move(ROLE, "role builder"), [ANA.public.text]),
    "sealed": lambda f: sealing.seal(f.move(ROLE, "role builder"), [REFEREE.public.text]),
    "sealed-rubbish": lambda f: sealing.seal("I pass.", [REFEREE.public.text]),
    "bens-keep-as-anas": lambda f: f.move(KEEP, "keep a", BEN),
    "join-ana": lambda f: f.join("ana", ANA),
    "join-twice": lambda f: f.join("ben", ANA),
    "join-no-seat": lambda f: f.join("carl", ANA),
    "join-other-terms": lambda f: f.join("ana", ANA, head="0" * 64),
    "join-small-order": lambda f: f.join("ana", ANA).replace(ANA.public.hex, "01" + 62 * "0"),
    "join-late": lambda f: f.join("ana", STRANGER),
}
"""Notes as text."""

FILES: dict[str, Callable[[Forger], bytes]] = {
    "truncated": lambda f: f.text.partition("e]\n")[0].encode(),
    "edited-title": lambda f: f.text.replace('title = "A test"', 'title = "Mine"').encode(),
    "edited-table": lambda f: f.changed("table.deck", 7).encode(),
    "edited-log": lambda f: f.changed("log.0.play", "deal 00").encode(),
    "other-layout": lambda f: _other_layout(f).encode(),
    "crlf": lambda f: f.text.replace("\n", "\r\n").encode(),
    "bom": lambda f: b"\xef\xbb\xbf" + f.text.encode(),
    "nul": lambda f: f.text.replace("step = ", "step = \0").encode(),
    "not-utf8": lambda f: b"\xff\xfe" + f.text.encode(),
    "empty": lambda f: b"",
    "deck": lambda f: b'schema = 1\ndeck = "mine"\n[[card]]\nname = "Meeting Room"\n',
    "other-toml": lambda f: b'name = "something"\n',
    "brackets": lambda f: b"[" * 1_000_000,
    "bracket-values": lambda f: b"a = " + b"[" * 900_000,
    "bracket-lines": lambda f: b"a = " + b"[\n" * 400_000,
    "too-big": lambda f: f.text.encode() + b"#" * 1_000_001,
    "digits": lambda f: f.text.replace("step = ", "step = " + "9" * 5000, 1).encode(),
    "dotted": lambda f: b".".join([b"a"] * 2000) + b" = 1\n",
    "dotted-lines": lambda f: b"".join([b"a.b.c.d.e.f.g.h.i.j%d = 1\n" % n for n in range(9000)]),
    "float": lambda f: f.text.replace("step = ", "step = 1.0 #", 1).encode(),
    "unknown-key": lambda f: f.text.replace("step = ", "stop = 1\nstep = ", 1).encode(),
    "new-referee": lambda f: _evil_referee(f).encode(),
    "new-terms": lambda f: _retitled(f, "Another $(touch x)").encode(),
    "colours": lambda f: _retitled(f, "\x1b[31mred\u202e").encode(),
    "hand-of-ben": lambda f: hand_of(f, _bens_hand(f), "ana").encode(),
    "hand-sealed-to-ben": lambda f: hand_of(f, _bens_hand(f), "ben").encode(),
    "hand-other-salt": lambda f: _own_hand(f, salt=bytes(32)).encode(),
    "hand-fewer-cards": lambda f: _own_hand(f, cards=()).encode(),
}
"""Game files as bytes."""
