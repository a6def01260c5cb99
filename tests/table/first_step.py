"""The worked example of PROTOCOL 13: what this program makes of it.

`python -m tests.table.first_step` writes it anew, into the page and the known answers.
"""

from __future__ import annotations

import re
from pathlib import Path

import tomli_w

from referee.crypto.hashing import b64, canonical, derive
from referee.crypto.keys import PrivateKey
from referee.games import rules_of
from referee.notes.finding import find
from referee.refereeing.judging import Judge
from referee.table import chain, opening
from referee.table.joins import join_of
from referee.table.replay import Session
from tests.table.tables import NOON

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "schemas" / "PROTOCOL.md"
VECTORS = Path(__file__).parents[1] / "vectors" / "first_step.toml"
TITLE = "### Step 1 of a game\n"
ROW = re.compile(r"^\| (.+?) \| `(.+)` \|$", re.MULTILINE)
BLOCK = re.compile(r"(?:^    .*\n)+", re.MULTILINE)
SEEDS = {"referee": bytes(range(32)), "ana": bytes([10] * 32), "ben": bytes([11] * 32)}
GAME, SECRET = "759c3a44e1d09b52", bytes(range(32, 64))


def section(page: str) -> str:
    """The part of the page with the example."""
    return page.split(TITLE)[1].split("\n## ")[0]


def rows(text: str) -> dict[str, str]:
    """Return what the tables in a part of the page say."""
    return dict(ROW.findall(text))


def blocks(text: str) -> list[str]:
    """The texts of several lines in a part of the page."""
    return [re.sub("^    ", "", block, flags=re.MULTILINE) for block in BLOCK.findall(text)]


def made() -> tuple[dict[str, str], list[str]]:
    """Rows and blocks of the example, as this program makes them."""
    keys = {name: PrivateKey(seed) for name, seed in SEEDS.items()}
    names = ["ana", "ben"]
    file = opening.open_table(
        rules_of("sanjuan").choose(None, [], [], {}),
        "Step 1",
        [(name, None) for name in names],
        keys["referee"],
        game=GAME,
        secret=SECRET,
    )
    session = Session.replay(file, SECRET)
    judge = Judge(session, keys["referee"], NOON)
    for name in names:
        judge.apply(
            [("note", one) for one in find(opening.sign_join(file, name, keys[name]).armoured)]
        )
    session.refresh()
    (entry,), heads = file.log, chain.heads(file)
    joins = [join_of(file, seat).text for seat in file.seats]
    dealer = session.dealer
    out = {f"seed of {name}": seed.hex() for name, seed in SEEDS.items()}
    out |= {"`game.id`": GAME, "*r*": SECRET.hex()}
    out |= {"`deal.commitment`": b64(file.commitment), "head(0)": heads[0].hex()}
    for seat in file.seats:
        out |= {f"salt of {seat.name}": seat.salt.hex()}
        out |= {f"signature of {seat.name}": b64(seat.signature)}
    out["play"] = entry.play
    for pile, epoch, cards in dealer.piles:
        out[f"key of `{pile}` 0"] = derive(SECRET, "pile", heads[0], pile, epoch, *joins).hex()
        out[f"`{pile}` 0 begins with"] = ", ".join(cards[:8])
        salt, leaf = dealer.salt(pile, epoch, 0), dealer.leaves(pile, epoch, cards)[0]
        out |= {f"salt of `{pile}` 0 at 0": b64(salt), f"leaf of `{pile}` 0 at 0": b64(leaf)}
    out["D"] = chain.deal_hash(file).hex()
    out["letters of ana's cards in deal order"] = ", ".join(
        card.label for card in session.hand("ana", 1).cards
    )
    for name in names:
        out[f"commitment to the hand of {name}"] = b64(file.hands[name].commitment)
    out |= {"root(1)": b64(entry.root), "entry(1)": chain.entry_hash(entry).hex()}
    out["head(1)"] = heads[1].hex()
    texts = [
        f"{canonical(chain.accepted_terms(file))}\n",
        *joins,
        "".join(f"{line}\n" for line in entry.then),
    ]
    texts += [
        f"{canonical(file.table)}\n",
        f"{canonical([one.document() for one in file.asked])}\n",
    ]
    return out, texts + [text for _, text in session._texts.values()]


def main() -> None:
    """Write the example into page and known answers."""
    known, texts = made()
    page = PAGE.read_text(encoding="utf-8")
    old = section(page)
    left = iter(texts)
    new = ROW.sub(lambda row: f"| {row[1]} | `{known[row[1]]}` |", old)
    new = BLOCK.sub(lambda _: re.sub("^(?=.)", "    ", next(left), flags=re.MULTILINE), new)
    PAGE.write_text(page.replace(old, new), encoding="utf-8")
    VECTORS.write_text(
        "# Known answers for the example in section 13 of PROTOCOL.md.\n"
        + tomli_w.dumps({"rows": known, "texts": texts}),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
