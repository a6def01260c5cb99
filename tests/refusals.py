"""A note for every kind of refusal, open and sealed, at a seat's second question."""

from __future__ import annotations

from collections.abc import Mapping

from referee.crypto import sshsig
from referee.crypto.keys import PrivateKey
from referee.crypto.sealing import seal_note
from referee.games.sanjuan.cards import NAMES
from referee.notes.kinds import Move, Transfer
from referee.table import chain, views
from referee.table.decisions import DecisionId
from referee.table.gamefile import GameFile
from tests.table.tables import key_of

STRANGER = key_of("stranger")


def hand_of(file: GameFile, seat: str, key: PrivateKey) -> set[str]:
    """The names of the cards that a seat holds."""
    here = file.seat(seat)
    assert here is not None
    return {card.name for card in views.open_hand(file, here, key).cards}


def refused(file: GameFile, keys: Mapping[str, PrivateKey]) -> dict[str, str]:
    """Return notes that a seat that is to build could send, by a name for what is wrong."""
    turn, seat, _ = file.asked[0]
    key = keys[seat]
    other = next(name for name in keys if file.seat(name) is not None and name != seat)
    missing = next(name for name in NAMES if name not in hand_of(file, seat, key))

    def note(
        play: str = "pass",
        *,
        game: str = file.game,
        at: str = turn,
        step: int = file.step,
        head: str = file.head.hex(),
        by: PrivateKey = key,
    ) -> str:
        move = Move(game, at, step, head, play)
        return move.armoured(by.public, move.sign(by))

    first = file.log[1]
    moved = Transfer(file.game, other, file.step, file.head.hex(), key_of("eve").public.hex, None)
    fine = note()
    open_ = {
        "illegal": note(f"build {missing} pay a"),
        "illegal too": note("build library pay z"),
        "no play": note("dance on the table"),
        "other game": note(game="0" * 16),
        "no note inside": "sanjuan-ref/1 move\nwrong\n-----END SSH SIGNATURE-----\n",
        "cut off": fine[: fine.index(sshsig.BEGIN)],
        "other key": note(by=STRANGER),
        "changed": fine.replace("play pass", "play build library"),
        "not yours": note(by=keys[other]),
        "no seat": note(at=str(DecisionId.parse(turn)._replace(seat="zoe"))),
        "not open": note(at=f"9.9.build.{seat}"),
        "ahead": note(step=file.step + 1),
        "too early": note(step=1, head=chain.heads(file)[1].hex()),
        "fork": note(head="0" * 64),
        "otherwise": note(
            "role prospector", at=first.decision, step=1, head=chain.heads(file)[1].hex()
        ),
        "transfer": moved.armoured(STRANGER.public, moved.sign(STRANGER)),
    }
    found = {f"open {name}": text for name, text in open_.items()}
    found |= {f"sealed {name}": seal_note(text, file.referee) for name, text in open_.items()}
    block = seal_note(fine, file.referee)
    found["damaged"] = block.replace("\n", "\nAAAA\n", 4)
    found["cut block"] = block[: len(block) // 2]
    found["other referee"] = seal_note(fine, STRANGER.public)
    return found


def cards_in(text: str) -> set[str]:
    """The names of cards that stand in a text."""
    return set(NAMES) & set(text.replace(",", " ").replace(".", " ").split())
