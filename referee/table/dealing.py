"""Secret orders from the deal secret, and the proofs of each card's place (DESIGN 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from referee.crypto.hashing import H, derive, permutation
from referee.games.values import letter

SECRET_SIZE = 32


def deal_commitment(game: str, secret: bytes) -> bytes:
    """Return the commitment to the deal secret that stands in head 0."""
    return H("deal", game, secret)


def leaf_hash(game: str, pile: str, epoch: int, position: int, name: str, salt: bytes) -> bytes:
    """Return the published hash of the card at one position of a pile."""
    return H("leaf", game, pile, epoch, position, name, salt)


def is_dealt(
    game: str,
    leaves: Mapping[tuple[str, int], Sequence[bytes]],
    card: tuple[str, int, int, str],
    salt: bytes,
) -> bool:
    """Return True if a card (pile, epoch, position, name) has the leaf that was published there."""
    pile, epoch, position, _ = card
    dealt = leaves.get((pile, epoch), ())
    return position < len(dealt) and dealt[position] == leaf_hash(game, *card, salt)


def hand_commitment(game: str, step: int, seat: str, salt: bytes, text: str) -> bytes:
    """Return the commitment to the text of a sealed hand."""
    return H("hand", game, step, seat, salt, text)


def pending_commitment(game: str, decision: str, note: str, signature: bytes) -> bytes:
    """Return the commitment to an answer that waits; nobody can guess the signature in it."""
    return H("pending", game, decision, note, signature)


class Dealer:
    """Shuffles piles as the deal secret, head 0 and the joins have fixed them.

    `joins` are the signed join texts in the order of `[[seats]]`; `card_name(pile, card)` names a
    card. Equal names are interchangeable, so only the sorted names and the key decide an order.
    """

    def __init__(
        self,
        game: str,
        secret: bytes,
        head: bytes,
        joins: Sequence[str],
        card_name: Callable[[str, int], str],
    ) -> None:
        self.game = game
        self._secret = secret
        self._head = head
        self._joins = tuple(joins)
        self._card_name = card_name
        self.piles: list[tuple[str, int, tuple[str, ...]]] = []
        self._orders: dict[tuple[str, int], tuple[int, ...]] = {}
        self._where: dict[tuple[str, int], tuple[int, int, int]] = {}
        self._salts: dict[tuple[str, int, int], bytes] = {}
        self._letters: dict[tuple[str, int], list[str]] = {}
        self.told = 0
        """So many shuffles the log has come to: while there is none, cards keep their places."""

    def __call__(self, pile: str, epoch: int, cards: Sequence[int]) -> tuple[int, ...]:
        """Return the cards in the secret order of an epoch of a pile; the first is drawn first."""
        key = derive(self._secret, "pile", self._head, pile, epoch, *self._joins)
        named = sorted((self._card_name(pile, card), card) for card in cards)
        order = [named[index] for index in permutation(key, len(named))]
        self.piles.append((pile, epoch, tuple(name for name, _ in order)))
        return self._laid(pile, epoch, tuple(card for _, card in order))

    def _laid(self, pile: str, epoch: int, order: tuple[int, ...]) -> tuple[int, ...]:
        self._orders[pile, epoch] = order
        return order

    def record_shuffle(self, pile: str, epoch: int) -> None:
        """Note where a shuffle has put its cards: the log has come to it.

        A card may be shown, thrown away and shuffled into the next epoch by one and the same play.
        """
        self.told += 1
        for position, card in enumerate(self._orders[pile, epoch]):
            self._where[pile, card] = (self.told, epoch, position)

    def where(self, piles: Sequence[str], card: int) -> tuple[str, int, int]:
        """(pile, epoch, position) from which a card came, as far as the log has been gone over.

        `piles` share one numbering of cards; the card lay in the one that was shuffled last.
        """
        if len(piles) == 1:
            _, epoch, position = self._where[piles[0], card]
            return piles[0], epoch, position
        last = max((self._where[pile, card], pile) for pile in piles if (pile, card) in self._where)
        (_, epoch, position), pile = last
        return pile, epoch, position

    def salt(self, pile: str, epoch: int, position: int) -> bytes:
        """Return the salt of one leaf."""
        salts, at = self._salts, (pile, epoch, position)
        if at not in salts:
            salts[at] = derive(self._secret, "salt", self.game, pile, epoch, position)
        return salts[at]

    def leaves(self, pile: str, epoch: int, names: Sequence[str]) -> list[bytes]:
        """Return the leaves of a shuffled pile, in order."""
        return [
            leaf_hash(self.game, pile, epoch, at, name, self.salt(pile, epoch, at))
            for at, name in enumerate(names)
        ]

    def letters(self, decision: str, count: int) -> list[str]:
        """For each of `count` cards in deal order, the letter that names it in this decision."""
        if (decision, count) not in self._letters:
            key = derive(self._secret, "letters", self.game, decision)
            found = [letter(index) for index in permutation(key, count)]
            self._letters[decision, count] = found
        return self._letters[decision, count][:]

    def hand_salt(self, step: int, seat: str) -> bytes:
        """Return the salt of a hand commitment."""
        return derive(self._secret, "hand-salt", self.game, step, seat)


SEATS_PILE = "seats"
