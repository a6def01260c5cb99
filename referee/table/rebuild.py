"""Table, questions and scores as they follow from the log, for everybody (PROTOCOL 12).

Whoever holds the referee's key can sign any table. But plays and lines are public: anybody can play
the game along by its rules, with unknown cards for hidden ones, and see what has come of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeVar

from referee.crypto.sealing import pad
from referee.errors import Damaged, OtherRules, counted
from referee.games.errors import GameError
from referee.games.interface import Follower, Game
from referee.games.values import Drawn, Opened, Picked, PublicEvent, Said, Shuffled, letter
from referee.table import chain
from referee.table.dealing import SEATS_PILE, is_dealt
from referee.table.decisions import NO_DECISION, DecisionId
from referee.table.gamefile import Question
from referee.table.hands import (
    KEEP,
    NO_LETTER,
    Card,
    Hand,
    Loss,
    drawn_by,
    leaves_of,
    render_hand,
)
from referee.table.plans import PlanBook, is_plan, plan_behind
from referee.table.rules import rules_for
from referee.table.standing import is_standing
from referee.table.transfer import is_transfer

if TYPE_CHECKING:
    from referee.table.gamefile import Entry, GameFile

Seen = TypeVar("Seen")
Watch = Callable[["GameFile", Game], object]
"""Sees a file's game as it goes on."""


def each_step(file: GameFile, see: Callable[[Game], Seen]) -> list[Seen]:
    """Call `see` with the game after each entry from the deal on, and return what it returns.

    It is one game, which goes on: what is to be kept of it must be copied. Raises Damaged, naming
    the step where the log says what cannot have happened, or the key of the file that is not what
    the log has made of it.
    """
    seen: list[Seen] = []
    _follow(file, lambda _, game: seen.append(see(game)))
    return seen


def check_table(file: GameFile) -> Game | None:
    """Return the game at the end of the log, or None before the deal. Raises like `each_step`."""
    follower = _follow(file)
    return None if follower is None else follower.game


def _follow(file: GameFile, see: Watch | None = None) -> Follower | None:
    """Go along the whole log. Returns None before the deal; raises like `each_step`."""
    rebuilder = Rebuilder(file)
    for entry in file.log:
        rebuilder.add(entry)
        if see is not None and rebuilder.game is not None:
            see(file, rebuilder.game)
    rebuilder.finish()
    return rebuilder.follower


def followed(file: GameFile, see: Watch | None = None) -> Follower | None:
    """Return who has gone along the log, worked out once, for a file that nobody changes any more.

    Nothing before the deal; nor where this program does not have the rules of the game: whoever
    needs them says so. Where `see` is given, it is called as by `each_step`. Raises like that.
    """
    if see is not None or file.followed is None or file.followed[:2] != (file.step, file.head):
        follower = None
        with suppress(OtherRules):
            follower = _follow(file, see)
        file.followed = file.step, file.head, follower
    return file.followed[2]


def check_hand(file: GameFile, hand: Hand) -> None:
    """Raise Damaged unless a hand has as many cards, and as many put away, as the log says, and
    these can be there."""
    follower = followed(file)
    if follower is None:
        return
    game = follower.game
    held = len(game.hand(hand.seat))
    if len(hand.cards) != held:
        raise Damaged(
            f"the sealed hand of {hand.seat} has {counted(len(hand.cards), 'card')}, and by the "
            f"log {held}",
            KEEP,
        )
    if [card.label for card in hand.tucked] != [place for place, _ in game.tucked(hand.seat)]:
        raise Damaged(
            f"the cards that {hand.seat} has put away are not where the log puts them", KEEP
        )
    cards = [Opened(*card.place, card.name) for card in (*hand.cards, *hand.tucked)]
    try:
        follower.check_hand(hand.seat, cards)
    except GameError as error:
        raise Damaged(f"the sealed hand of {hand.seat} cannot be: {error.message}", KEEP) from None


def padded_sizes(file: GameFile) -> dict[str, int]:
    """Return how many bytes the padded hand of each seat has, which follows from public counts.

    Nothing before the deal. Raises like `each_step`.
    """
    counts: list[dict[str, int]] = []
    if file.plan_language:
        seen = each_step(file, lambda game: (game, _hand_counts(file, game)))
        game = seen[-1][0] if seen else None
        counts = [{}, *(count for _, count in seen)]
    else:
        rules_for(file)
        follower = followed(file)
        game = follower.game if follower is not None else None
    if game is None:
        return {}
    asked = {one.seat: one.id for one in file.asked}
    sizes = {}
    for seat in file.seating:
        # Any cards do: a row has the same size whatever it says.
        hand = [ANY_CARD] * len(game.hand(seat))
        tucked = [ANY_CARD._replace(label=place) for place, _ in game.tucked(seat)]
        asks, losses = asked.get(seat, NO_DECISION), _losses(file, seat, counts)
        text = render_hand(
            file.game, Hand(file.step, asks, seat, bytes(32), tuple(hand), tuple(tucked), losses)
        )
        sizes[seat] = len(pad(text))
    return sizes


ANY_CARD = Card("a", "-", "deck", 0, 0, bytes(32))


def _hand_counts(file: GameFile, game: Game) -> dict[str, int]:
    return {seat: len(game.hand(seat)) for seat in file.seating}


def _losses(
    file: GameFile, seat: str, counts: Sequence[Mapping[str, int]]
) -> tuple[Loss, ...] | None:
    """Return losses as large as those that a seat is shown; `counts` are of the hands by step."""
    if not file.plan_language:
        return None
    book = PlanBook(file)
    for step, entry in enumerate(file.log, 1):
        book.follow(step, entry)
    unseen = {one.step: one.decision for one in book.unseen(seat)}
    found = []
    for step in range(min(unseen, default=file.step + 1), file.step + 1):
        before, after = counts[step - 1][seat], counts[step][seat]
        drawn = len(drawn_by(file, seat, step - 1)) - len(drawn_by(file, seat, step))
        left = (ANY_CARD._replace(label=NO_LETTER),) * (before + drawn - after)
        if step in unseen:
            letters = tuple(letter(index) for index in range(before))
            found.append(Loss(step, unseen[step], letters, left))
        elif left:
            found.append(Loss(step, "", (), left))
    return tuple(found)


class Rebuilder:
    """Goes along a log that somebody else has written, and compares every line of it."""

    def __init__(self, file: GameFile) -> None:
        self.file = file
        self.rules = rules_for(file)
        self.game: Game | None = None
        self.step = 0
        self.follower: Follower | None = None
        self._open: list[str] = []
        self._over = False
        self._cards = _opened(file)

    def finish(self) -> None:
        """Raise Damaged unless table and questions are those at the end of the log."""
        file = self.file
        said = {"table": file.table, "asked": [one.document() for one in file.asked]}
        table = self.game.table() if self.game is not None else {}
        right = {"table": table, "asked": [one.document() for one in self._asked()]}
        if not _same(said, right):
            raise Damaged(_difference("", said, right), KEEP)

    def _asked(self) -> list[Question]:
        """Return the open questions, as a file shows them."""
        if self.game is None or self._over:
            return []
        found = self.game.decisions()
        return [Question(one.id, one.seat, tuple(one.may)) for one in found]

    def add(self, entry: Entry) -> None:
        """Go over the log's next entry; raises Damaged, naming its step."""
        self.step += 1
        try:
            right = self._lines(entry)
            for said, ours in zip_longest(entry.then, right):
                if said != ours and not _proves(said, ours):
                    raise Damaged(_misfit(said, ours))
        except GameError as error:
            raise Damaged(f"step {self.step} ({entry.decision}): {error.message}", KEEP) from None

    def _lines(self, entry: Entry) -> Sequence[str]:
        """Return the lines that an entry must have, those with a proof up to it."""
        if self._over:
            raise Damaged("the game was over before it")
        # No question has round 0: it is for what the referee does, and for transfers.
        if entry.decision.startswith("0."):
            if entry.decision == chain.ABANDON:
                self._over = True
                return []
            if is_plan(entry.decision) or is_standing(entry.decision):
                return []
            if is_transfer(entry.decision):
                return [line for line in entry.then if line.startswith("agreed ")]
        lines = []
        if entry.decision == chain.DEAL:
            events = self._deal()
        elif self.follower is None:
            raise Damaged("nothing was dealt before it")
        else:
            if entry.by == chain.REFEREE:
                lines.append(_late(entry))
            elif DecisionId.parse(entry.decision).seat != entry.by:
                raise Damaged(f"{entry.by} cannot answer this")
            elif entry.by not in self.file.bots:
                lines += chain.lines_of_number(chain.number_of(entry))
                number = plan_behind(entry)
                lines += [chain.Planned(number).line] if number else []
            cards = self._cards[self.step - 1]
            events = self.follower.answer(entry.decision, entry.play, entry.then, cards)
        assert self.game is not None
        lines += [_line(event) for event in events]
        # As long as an answer to what was asked together is missing, nothing new is asked.
        self._open = self._open[1:]
        if not self._open and (asked := self.game.asked()):
            self._open = asked
            lines.append(" ".join(("ask", *asked)))
        return lines

    def _deal(self) -> list[PublicEvent]:
        file = self.file
        names = [seat.name for seat in file.seats]
        begun: list[PublicEvent] = []
        if file.shuffle_seats:
            count = len(names)
            put = [card for card in self._cards[0] if card.pile == SEATS_PILE]
            if sorted(card.name for card in put) != sorted(names):
                raise Damaged("it does not say who sits where")
            names = [card.name for card in put]
            places = [Opened(SEATS_PILE, 0, at, name) for at, name in enumerate(names)]
            begun = [Shuffled(SEATS_PILE, 0, count), Drawn("table", SEATS_PILE, 0, 0, count)]
            begun += places
        if file.seating != names:
            raise Damaged("deal.order is not the order in which the players sit")
        cards = [card for more in self._cards for card in more if card.pile != SEATS_PILE]
        self.follower = self.rules.follower(names, cards)
        self.game = self.follower.game
        return begun + self.follower.dealt


def _late(entry: Entry) -> str:
    """Return the first line of an answer that the referee gave for a seat."""
    if not entry.then or not entry.then[0].startswith("late "):
        raise Damaged("it does not say since when the answer was late")
    return entry.then[0]


def _opened(file: GameFile) -> list[list[Opened]]:
    """Return the cards that each entry shows; raises Damaged for one that was not dealt there."""
    leaves = leaves_of(file)
    found: list[list[Opened]] = []
    for step, entry in enumerate(file.log, 1):
        lines = [chain.read_line(text) for text in entry.then if text.startswith("open ")]
        found.append([])
        for line in lines:
            assert isinstance(line, chain.Opening)
            card = Opened(*line[:4])
            if not is_dealt(file.game, leaves, card, line.salt):
                raise Damaged(
                    f"step {step} ({entry.decision}): {card.name[:40]!a} is not the card that was "
                    f"dealt at {card.position} of {card.pile} {card.epoch}",
                    KEEP,
                )
            found[-1].append(card)
    return found


def _line(event: PublicEvent) -> str:
    """Return the log's line of an event, of a shuffle or a card that is shown without its proof."""
    match event:
        case Said(words):
            return words
        case Drawn(who, pile, epoch, first, count):
            return f"draw {who} {pile} {epoch} {first}-{first + count - 1}"
        case Opened(pile, epoch, position, name):
            return f"open {pile} {epoch} {position} {name}"
        case Shuffled(pile, epoch, count):
            return f"shuffle {pile} {epoch} {count}"
        case Picked(who, pile, epoch, position):
            return f"take {who} {pile} {epoch} {position}"


def _proves(line: str | None, ours: str | None) -> bool:
    """Return True if a line is ours, followed by the proof that belongs there."""
    return (
        line is not None
        and ours is not None
        and ours.startswith(("open ", "shuffle "))
        and line.rpartition(" ")[0] == ours
    )


def _misfit(line: str | None, ours: str | None) -> str:
    if line is None:
        return f"the line {ours!a} is missing"
    if ours is None:
        return f"{line[:80]!a} has no place there"
    return f"it says {line[:80]!a} where {ours[:80]!a} belongs"


def _same(said: Any, right: Any) -> bool:
    """Return True if two values are the same; 1 is not the same as `true`."""
    if type(said) is not type(right):
        return False
    if isinstance(said, dict):
        return said.keys() == right.keys() and all(_same(said[key], right[key]) for key in said)
    if isinstance(said, list):
        return len(said) == len(right) and all(map(_same, said, right))
    return bool(said == right)


def _difference(where: str, said: Any, right: Any) -> str:
    """Return the place in which two values differ, and how."""
    if isinstance(said, Mapping) and isinstance(right, Mapping):
        for key in (*right, *said):
            inner = f"{where}.{key}" if where else str(key)
            if key not in said:
                return f"{inner} is missing, and by the log {_short(right[key])}"
            if key not in right:
                return f"{inner} has by the log no place there"
            if not _same(said[key], right[key]):
                return _difference(inner, said[key], right[key])
    if isinstance(said, list) and isinstance(right, list) and len(said) == len(right):
        for at, (theirs, ours) in enumerate(zip(said, right, strict=True), 1):
            if not _same(theirs, ours):
                return _difference(f"{where}.{_named(ours, at)}", theirs, ours)
    return f"{where} is {_short(said)}, and by the log {_short(right)}"


def _named(row: Any, at: int) -> str:
    """Return the name of a row among several: its seat, plot or question, or else its number."""
    known = row if isinstance(row, Mapping) else {}
    return str(known.get("name", known.get("id", known.get("plot", at))))


def _short(value: Any) -> str:
    text = f"{value!a}"
    return text if len(text) <= 60 else f"{text[:60]}…"
