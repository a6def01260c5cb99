"""The example of PROTOCOL 13 follows from the page: once more, without this program."""

from __future__ import annotations

import json
import re
import struct
import tomllib
from base64 import b64decode, b64encode
from collections.abc import Callable
from hashlib import sha256, sha512, shake_256
from hmac import digest
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.table.gamefile import GameFile, file_document
from referee.table.opening import deal_secret
from referee.table.replay import Session
from tests.table import first_step
from tests.table.tables import REFEREE, Table

SCHEMAS = first_step.ROOT / "schemas"
SECTION = first_step.section(first_step.PAGE.read_text(encoding="utf-8"))
ROWS, TEXTS = first_step.rows(SECTION), first_step.blocks(SECTION)
WRITE = "python -m tests.table.first_step"

Part = str | bytes | int


def H(tag: str, *parts: Part) -> bytes:  # noqa: N802
    raw = b"sanjuan-ref/1\0"
    for part in (tag, *parts):
        piece = part if isinstance(part, bytes) else str(part).encode()
        raw += struct.pack(">Q", len(piece)) + piece
    return sha256(raw).digest()


def derive(secret: bytes, tag: str, *parts: Part) -> bytes:
    return digest(secret, H(tag, *parts), "sha256")


def permutation(key: bytes, n: int) -> list[int]:
    words = iter(struct.unpack(">4096I", shake_256(key).digest(4 * 4096)))
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        word = next(word for word in words if word < 2**32 // (i + 1) * (i + 1))
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def b64(raw: bytes) -> str:
    return b64encode(raw).decode().rstrip("=")


def canonical(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


def packed(*strings: bytes) -> bytes:
    return b"".join(struct.pack(">I", len(one)) + one for one in strings)


class Player:
    """Somebody with a key."""

    def __init__(self, seed: str) -> None:
        self.key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
        self.public = self.key.public_key().public_bytes_raw()
        blob = packed(b"ssh-ed25519", self.public)
        self.line = f"ssh-ed25519 {b64encode(blob).decode()}"

    def sign(self, namespace: str, text: bytes) -> bytes:
        parts = (f"{namespace}@sanjuan-ref".encode(), b"", b"sha512", sha512(text).digest())
        return self.key.sign(b"SSHSIG" + packed(*parts))


def dealt() -> dict[str, list[str]]:
    """The names in each pile, from the page on San Juan's cards."""
    page = (SCHEMAS / "san-juan.md").read_text(encoding="utf-8")
    copies = re.findall(r"^\| \d+ \| `(.+)` \|.*\| (\d+) \| \S+ \|$", page, re.MULTILINE)
    deck = [name for name, count in copies for _ in range(int(count))]
    for _ in range(2):
        deck.remove("indigo-plant")
    return {"tiles": re.findall("`([1-3]{5})`", page), "deck": deck}


def padded(text: str) -> str:
    missing = -len(text) % 256
    return text + "#" * (missing - 1) + "\n" if missing else text


def row(label: str, name: str, at: int, salt: bytes) -> str:
    return f'  "{label:3} {name:24} {"deck":8} {0:3} {at:3} {b64(salt)}",\n'


def test_the_example_follows_from_the_page() -> None:
    game, secret = ROWS["`game.id`"], bytes.fromhex(ROWS["*r*"])
    opened, *joins, lines, table, asked, hand_of_ana, hand_of_ben = TEXTS
    players = {name: Player(ROWS[f"seed of {name}"]) for name in ("referee", "ana", "ben")}
    found: dict[str, str] = {}

    commitment = H("deal", game, secret)
    terms = json.loads(opened)
    assert opened == canonical(terms) + "\n"
    assert terms["game"]["id"] == game
    assert (terms["commitment"], terms["referee"]) == (b64(commitment), players["referee"].line)
    assert terms["seats"] == [{"name": "ana"}, {"name": "ben"}]
    head = H("head-0", canonical(terms))
    found |= {"`deal.commitment`": b64(commitment), "head(0)": head.hex()}

    signed: list[str | bytes] = []
    for name, text in zip(("ana", "ben"), joins, strict=True):
        player = players[name]
        salt = H("salt", player.sign("salt", head))
        assert text == (
            f"sanjuan-ref/1 join\ngame {game}\nseat {name}\nseen 0 {head.hex()}\n"
            f"key {player.public.hex()}\nsalt {salt.hex()}\n"
        )
        signature = player.sign("join", text.encode())
        signed += [text, signature]
        found |= {f"salt of {name}": salt.hex(), f"signature of {name}": b64(signature)}
    found["play"] = "deal " + H("joins", *signed).hex()

    deal: dict[str, Any] = {"commitment": b64(commitment), "order": ["ana", "ben"], "piles": []}
    said, orders = "", {}
    for pile, names in dealt().items():
        key = derive(secret, "pile", head, pile, 0, *joins)
        order = [sorted(names)[at] for at in permutation(key, len(names))]
        salts = [derive(secret, "salt", game, pile, 0, at) for at in range(len(names))]
        cards = list(zip(range(len(names)), order, salts, strict=True))
        leaves = [H("leaf", game, pile, 0, at, name, salt) for at, name, salt in cards]
        orders[pile] = cards
        deal["piles"].append({"pile": pile, "epoch": 0, "leaves": [b64(one) for one in leaves]})
        said += f"shuffle {pile} 0 {len(names)} {b64(H('leaves', *leaves))}\n"
        found |= {f"key of `{pile}` 0": key.hex(), f"`{pile}` 0 begins with": ", ".join(order[:8])}
        found |= {f"salt of `{pile}` 0 at 0": b64(salts[0])}
        found |= {f"leaf of `{pile}` 0 at 0": b64(leaves[0])}
    assert lines == said + (
        "draw ana deck 0 0-3\ndraw ben deck 0 4-7\nround 1 governor ana\nask 1.1.role.ana\n"
    )
    for text in (table, asked):
        assert text == canonical(json.loads(text)) + "\n"

    key = derive(secret, "letters", game, "1.1.role.ana")
    letters = ["abcd"[at] for at in permutation(key, 4)]
    found["letters of ana's cards in deal order"] = ", ".join(letters)
    held = {
        "ana": sorted(row(letters[at], name, at, salt) for at, name, salt in orders["deck"][:4]),
        "ben": [row("-", name, at, salt) for at, name, salt in orders["deck"][4:8]],
    }
    commitments = []
    for (name, cards_of), text in zip(held.items(), (hand_of_ana, hand_of_ben), strict=True):
        salt = derive(secret, "hand-salt", game, 1, name)
        decision = "1.1.role.ana" if name == "ana" else "-"
        assert text == padded(
            f'kind = "hand"\nformat = "sanjuan-ref/1"\ngame = "{game}"\nstep = 1\n'
            f'decision = "{decision}"\nseat = "{name}"\nsalt = "{salt.hex()}"\n'
            f"cards = [\n{''.join(cards_of)}]\ntucked = []\n"
        )
        commitments.append(H("hand", game, 1, name, salt, text))
        found[f"commitment to the hand of {name}"] = b64(commitments[-1])

    covered = H("deal-table", canonical(deal))
    root = H("root", table.strip(), asked.strip(), covered, *commitments)
    entry = H("entry", "0.0.deal.referee", "referee", found["play"], 0, b"", *lines.splitlines())
    found |= {"D": covered.hex(), "root(1)": b64(root), "entry(1)": entry.hex()}
    found["head(1)"] = H("head", head, entry, root).hex()
    given = {"`game.id`", "*r*", *(f"seed of {name}" for name in players)}
    assert found | {name: ROWS[name] for name in given} == ROWS


def test_the_example_is_what_this_program_makes() -> None:
    rows, texts = first_step.made()
    assert (rows, texts) == (ROWS, TEXTS), f"after a change of the protocol: {WRITE}"


def test_the_known_answers_are_those_of_the_example() -> None:
    known = tomllib.loads(first_step.VECTORS.read_text(encoding="utf-8"))
    assert known == {"rows": ROWS, "texts": TEXTS}, WRITE


def finished() -> GameFile:
    return Table(2, "page").join_all().rush().file


def abandoned(*, dealt: bool) -> GameFile:
    table = Table(3, "page")
    if dealt:
        table.join_all().rush(until=5)
    file = table.file
    session = Session.replay(file, deal_secret(file, REFEREE))
    session.abandon()
    session.refresh()
    return file


@pytest.mark.parametrize(
    "ended",
    [finished, lambda: abandoned(dealt=False), lambda: abandoned(dealt=True)],
    ids=["finished", "abandoned before the deal", "abandoned"],
)
def test_what_a_file_does_not_have_is_empty_in_its_root(ended: Callable[[], GameFile]) -> None:
    file = ended()
    body = file_document(file)
    assert "asked" not in body
    assert ("table" in body) == bool(file.seating)
    deal = {key: value for key, value in body["deal"].items() if key != "secret"}
    hands = body.get("hands", {})
    commitments = [b64decode(hands[seat]["commitment"] + "=") for seat in deal.get("order", [])]
    root = H(
        "root",
        canonical(body.get("table", {})),
        canonical(body.get("asked", [])),
        H("deal-table", canonical(deal)),
        *commitments,
    )
    assert body["log"][-1]["root"] == b64(root)


def test_what_an_abandoned_game_leaves() -> None:
    file = abandoned(dealt=True)
    body = file_document(file)
    assert {"pending", "transfers", "time"} & body.keys() == set()
    assert {"asking", "waiting"} <= body["table"].keys()
    session = Session.replay(file, deal_secret(file, REFEREE))
    assert {session.hand(seat, file.step).decision for seat in file.seating} == {"-"}
