"""The text of a sealed hand: written by the referee, read and checked by its owner (DESIGN 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from referee.crypto.hashing import b64, unb64
from referee.crypto.sealing import pad
from referee.errors import Damaged
from referee.games.values import Held, letter
from referee.records import NamedTuple
from referee.table.chain import Draw, Taking, asking_step, read_line
from referee.table.dealing import hand_commitment, is_dealt
from referee.table.decisions import NO_DECISION
from referee.table.fields import FileFields
from referee.table.filetext import load_toml
from referee.table.gamefile import FORMAT, GameFile

KEEP = "keep this file as evidence (the referee signed it), and ask the referee about it"
NO_LETTER = "-"
LETTER_WIDTH, PLACE_WIDTH, NAME_WIDTH = 3, 20, 24


Place = tuple[str, int, int]
"""Pile, epoch and position."""


class Card(NamedTuple):
    """A card that its owner sees: under which letter (hand) or place (tucked), and its proof."""

    label: str
    name: str
    pile: str
    epoch: int
    position: int
    salt: bytes

    @property
    def place(self) -> Place:
        """The place in its pile from which the card came."""
        return (self.pile, self.epoch, self.position)

    def row(self, width: int) -> str:
        """Return the card's row in the sealed text, with so many places for the label."""
        return _row_of(self, width)


# In an audit each card lies in a hand for many steps.
@lru_cache(maxsize=1024)
def _row_of(card: Card, width: int) -> str:
    # Fixed widths: the size of the sealed text must not depend on which cards these are.
    return (
        f"{card.label:<{width}} {card.name:<{NAME_WIDTH}} {card.pile:<8} "
        f"{card.epoch:>3} {card.position:>3} {b64(card.salt)}"
    )


class Loss(NamedTuple):
    """The cards that left a hand at a step: for its owner, who has not seen what a plan answered.

    Where a plan of the seat did it, `decision` is what it answered, and `letters` are those of the
    cards that the hand then had, in deal order.
    """

    step: int
    decision: str
    letters: tuple[str, ...]
    cards: tuple[Card, ...]

    def rows(self) -> list[str]:
        """Return the rows in the sealed text: their number and size follow from the log."""
        head = " ".join([str(self.step), self.decision or NO_DECISION, *self.letters])
        return [head, *(card.row(LETTER_WIDTH) for card in self.cards)]


class Hand(NamedTuple):
    """The own cards of a seat: `cards` in deal order, with letters if it is asked.

    `losses` are how it came to be what it is, from the first answer of a plan on that its owner
    has not seen.
    """

    step: int
    decision: str
    seat: str
    salt: bytes
    cards: tuple[Card, ...]
    tucked: tuple[Card, ...]
    losses: tuple[Loss, ...] | None = None

    @property
    def held(self) -> list[Held]:
        """The hand as a rules module wants it."""
        return [Held(card.label, card.name) for card in self.cards]


def _letter_order(card: Card) -> tuple[int, str]:
    return (len(card.label), card.label)


def _array(name: str, rows: Sequence[str]) -> str:
    if not rows:
        return f"{name} = []\n"
    return f"{name} = [\n" + "".join(f'  "{row}",\n' for row in rows) + "]\n"


def render_hand(game: str, hand: Hand) -> str:
    """Return the canonical text of a hand, before padding: rows by letter, or by deal order."""
    cards = hand.cards
    if hand.decision != NO_DECISION:
        cards = tuple(sorted(cards, key=_letter_order))
    return (
        f'kind = "hand"\nformat = "{FORMAT}"\ngame = "{game}"\nstep = {hand.step}\n'
        f'decision = "{hand.decision}"\nseat = "{hand.seat}"\nsalt = "{hand.salt.hex()}"\n'
        + _array("cards", [card.row(LETTER_WIDTH) for card in cards])
        + _array("tucked", [card.row(PLACE_WIDTH) for card in hand.tucked])
        + _losses_text(hand)
    )


def _losses_text(hand: Hand) -> str:
    if hand.losses is None:
        return ""
    return _array("losses", [row for loss in hand.losses for row in loss.rows()])


def _read_losses(rows: Sequence[str]) -> tuple[Loss, ...]:
    """Return the losses that rows say. Raises ValueError for other rows."""
    found: list[Loss] = []
    for row in rows:
        words = row.split(" ")
        if words[0].isdigit():
            decision = "" if words[1] == NO_DECISION else words[1]
            found.append(Loss(int(words[0]), decision, tuple(words[2:]), ()))
        else:
            last = found.pop()
            found.append(last._replace(cards=(*last.cards, _row(row, LETTER_WIDTH))))
    if [row for loss in found for row in loss.rows()] != list(rows):
        raise ValueError(rows)
    return tuple(found)


def _row(text: str, width: int) -> Card:
    words = text.split()
    if len(words) != 6:
        raise ValueError(text)
    label, name, pile, epoch, position, salt = words
    card = Card(label, name, pile, int(epoch), int(position), unb64(salt, 32))
    if card.row(width) != text:
        raise ValueError(text)
    return card


def read_hand(file: GameFile, seat: str, text: str) -> Hand:
    """Return the hand in an unsealed text, proven to be the one the file commits to.

    Checks kind, game, step, seat, decision, the commitment, and each card's leaf. Raises Damaged
    when the text is another seat's, another step's, or not what the referee committed to.
    """
    try:
        fields = FileFields(load_toml(text.encode(), "hand"), "hand")
        kind, form, game = fields.text("kind"), fields.text("format"), fields.text("game")
        step, decision = fields.number("step"), fields.text("decision")
        owner, salt = fields.text("seat"), fields.hex("salt", 32)
        cards = tuple(_row(row, LETTER_WIDTH) for row in fields.texts("cards", ()))
        tucked = tuple(_row(row, PLACE_WIDTH) for row in fields.texts("tucked", ()))
        losses = _read_losses(fields.texts("losses", ())) if file.plan_language else None
        fields.end()
    except (ValueError, IndexError, Damaged):
        raise _bad(seat, "it is not the text of a hand") from None
    if (kind, form, game, owner) != ("hand", FORMAT, file.game, seat):
        raise _bad(seat, f"it is the hand of {owner[:16]!r} in game {game[:16]!r}")
    if step != file.step:
        raise _bad(seat, f"it is of step {step}, the file is at step {file.step}")
    asked = [one.id for one in file.asked if one.seat == seat]
    if decision != (asked[0] if asked else NO_DECISION):
        raise _bad(seat, "it was dealt for another decision")
    block = file.hands[seat]
    if hand_commitment(file.game, step, seat, salt, text) != block.commitment:
        raise _bad(seat, "it does not match the commitment in the file")
    ordered = tuple(sorted(cards, key=lambda card: card.place))
    hand = Hand(step, decision, seat, salt, ordered, tucked, losses)
    if pad(render_hand(file.game, hand)) != text:
        raise _bad(seat, "it says more than a hand, or in another order")
    labels = sorted((len(card.label), card.label) for card in cards)
    if decision == NO_DECISION:
        wanted = [(1, NO_LETTER)] * len(cards)
    else:
        wanted = [(len(letter(index)), letter(index)) for index in range(len(cards))]
    if labels != wanted or not all(_is_word(card.name) for card in (*cards, *tucked)):
        raise _bad(seat, "its letters are not those of a hand")
    _check_cards(file, hand)
    return hand


def _is_word(name: str) -> bool:
    return name.replace("-", "").isalnum() and name.isascii() and name == name.lower()


def _bad(seat: str, why: str) -> Damaged:
    return Damaged(
        f"the sealed hand of {seat} is not right: {why}",
        KEEP,
    )


def drawn_by(file: GameFile, seat: str, since: int = 0) -> set[tuple[str, int, int]]:
    """Return all (pile, epoch, position) that went into the seat's hand after step `since`.

    Raises Damaged where one was drawn that its pile does not have, or had no more.
    """
    sizes = {at: len(leaves) for at, leaves in leaves_of(file).items()}
    out: set[tuple[str, int, int]] = set()
    for entry in file.log[since:]:
        for text in entry.then:
            if not text.startswith(("draw ", "take ")):
                continue
            line = read_line(text)
            if isinstance(line, Draw) and line.who == seat:
                # Written out only now: whoever signs a file can name ranges as he likes.
                if line.last >= sizes.get((line.pile, line.epoch), 0):
                    raise Damaged(f"{entry.decision}: {text!r}: the pile has not so many cards")
                span = {(line.pile, line.epoch, at) for at in range(line.first, line.last + 1)}
                if span & out:
                    raise Damaged(f"{entry.decision}: {text!r}: that was drawn before")
                out |= span
            elif isinstance(line, Taking) and line.who == seat:
                out.add((line.pile, line.epoch, line.position))
    return out


def hands_back(file: GameFile, hand: Hand, first: int) -> dict[int, dict[Place, Card]]:
    """Return the cards of a hand, by place, after each step from `first` on, as its losses say."""
    lost = {loss.step: loss.cards for loss in hand.losses or ()}
    found = {file.step: {card.place: card for card in hand.cards}}
    new = drawn_by(file, hand.seat, file.step)
    for step in range(file.step, first, -1):
        since = drawn_by(file, hand.seat, step - 1)
        found[step - 1] = {at: one for at, one in found[step].items() if at not in since - new}
        found[step - 1].update({card.place: card for card in lost.get(step, ())})
        new = since
    return found


def cards_named(file: GameFile, hand: Hand, loss: Loss) -> list[str]:
    """Return the names of the cards whose letters stand in an answer by plan, in its order."""
    step = asking_step(file, loss.decision)
    held = hands_back(file, hand, step)[step]
    cards = dict(zip(loss.letters, (held[place].name for place in sorted(held)), strict=False))
    play = file.log[loss.step - 1].play
    return [cards[token] for token in play.split(" ") if token in cards]


def leaves_of(file: GameFile) -> Mapping[tuple[str, int], list[bytes]]:
    """(pile, epoch) to the published leaves."""
    return {(pile.pile, pile.epoch): pile.leaves for pile in file.piles}


def _check_cards(file: GameFile, hand: Hand) -> None:
    mine = drawn_by(file, hand.seat)
    leaves = leaves_of(file)
    seen = set()
    _check_losses(file, hand, mine)
    for card in (*hand.cards, *hand.tucked):
        at = card.place
        if at not in mine:
            raise _bad(hand.seat, f"{card.name} was never drawn by {hand.seat}")
        if at in seen:
            raise _bad(hand.seat, f"{card.name} stands there twice")
        seen.add(at)
        if not is_dealt(file.game, leaves, (*at, card.name), card.salt):
            raise _bad(hand.seat, f"{card.name} is not the card that was dealt there")


def _check_losses(file: GameFile, hand: Hand, drawn: set[Place]) -> None:
    """Raise Damaged unless the cards that have left a hand were dealt to it, and are gone."""
    leaves, here = leaves_of(file), {card.place for card in hand.cards}
    for loss in hand.losses or ():
        for card in loss.cards:
            if card.place not in drawn or not is_dealt(
                file.game, leaves, (*card.place, card.name), card.salt
            ):
                raise _bad(hand.seat, f"{card.name} was never dealt to {hand.seat}")
            if card.place in here:
                raise _bad(hand.seat, f"{card.name} is in the hand, and is said to have left it")
            here.add(card.place)
