"""Texts of plans: clauses and salt as they are sealed, and their hash (PROTOCOL 18)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.crypto import sshsig
from referee.crypto.hashing import H
from referee.crypto.sealing import pad, seal
from referee.games.errors import NotUnderstood
from referee.notes.forms import A_CLAUSE
from referee.records import NamedTuple

if TYPE_CHECKING:
    from referee.crypto.keys import PrivateKey, PublicKey
    from referee.notes.signed import SignedNote

SENT_BLOCK, KEPT_BLOCK = 2048, 1024
"""Bytes of a plan on its way, with its note, and of its clauses in the game file. Each is one size
for all plans: a size would tell how much somebody has planned."""


class PlanText(NamedTuple):
    """The secret part of a plan: its `clauses`, and the salt of their hash."""

    salt: bytes
    clauses: tuple[str, ...]

    def hash(self, game: str, seat: str, number: int) -> bytes:
        """Return the hash by which the plan of this number is known."""
        return H("plan", game, seat, number, self.salt, *self.clauses)

    @property
    def text(self) -> str:
        """Canonical TOML of it."""
        rows = "".join(f'  "{clause}",\n' for clause in self.clauses)
        listed = f"[\n{rows}]" if rows else "[]"
        return f'salt = "{self.salt.hex()}"\nclauses = {listed}\n'

    @classmethod
    def read(cls, text: str) -> PlanText:
        """Return what a text without its padding says. Raises NotUnderstood for any other."""
        found = re.fullmatch(r'salt = "([0-9a-f]{64})"\nclauses = \[(\n(?:  ".*",\n)*)?\]\n', text)
        if found is None:
            raise NotUnderstood("this is not the text of a plan")
        rows = (found[2] or "\n")[1:].splitlines()
        plan = cls(bytes.fromhex(found[1]), tuple(row[3:-2] for row in rows))
        if plan.text != text or not all(A_CLAUSE.fits(clause) for clause in plan.clauses):
            raise NotUnderstood("this is not the text of a plan")
        return plan

    def check_size(self) -> None:
        """Raise NotUnderstood where a game file has no room for so many clauses."""
        over = len(self.text.encode()) - KEPT_BLOCK
        if over > 0:
            raise NotUnderstood(
                f"this plan is {over} characters too long",
                "say less in it: what is not planned is asked",
            )

    def sealed_to(self, recipients: Sequence[str]) -> str:
        """Return the block that a game file keeps."""
        return seal(pad(self.text, KEPT_BLOCK), recipients)


def sealed_with(signed: SignedNote, text: PlanText, referee: PublicKey) -> str:
    """Return the block in which a plan travels: its note, and what its hash stands for."""
    return seal(pad(signed.armoured + text.text, SENT_BLOCK), [referee.text])


def text_beside(signed: SignedNote, whole: str) -> PlanText:
    """Return the text that was sealed together with a plan's note. Raises NotUnderstood."""
    return PlanText.read(without_padding(whole).removeprefix(signed.armoured))


def plan_salt(key: PrivateKey, game: str, seat: str, number: int) -> bytes:
    """Return the salt of a plan, which follows from its author's key: a plan that is written twice
    is the same note."""
    return H("salt", sshsig.sign(key, sshsig.SALT, H("plan-salt", game, seat, number)))


def without_padding(text: str) -> str:
    """Return a padded text without the line of `#` at its end."""
    body, end, last = text.removesuffix("\n").rpartition("\n")
    return body + end if last.strip("#") == "" else text
