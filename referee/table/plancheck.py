"""The check that a seat's owner makes of what its plans have answered (PROTOCOL 18).

Nobody else can: the hands by which a plan answers are secret until the game is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.errors import Damaged
from referee.games.errors import NotUnderstood
from referee.games.interface import Game
from referee.games.values import Held, letter
from referee.table.chain import REFEREE
from referee.table.gamefile import Entry, GameFile
from referee.table.hands import KEEP, Card, Hand, Loss, Place, hands_back
from referee.table.planreplay import PlanTexts, plan_language
from referee.table.plans import PlanBook, plan_behind
from referee.table.rebuild import each_step
from referee.table.rules import rules_for

if TYPE_CHECKING:
    from referee.games.interface import View
    from referee.table.plans import InForce


def check_planned(file: GameFile, hand: Hand, texts: PlanTexts) -> list[str]:
    """Return the decisions that plans have answered for a seat, unseen by it so far.

    `texts` are those of the seat's plans. Raises Damaged where a plan was used otherwise than it
    says, or an answer that it had was left out.
    """
    check = _PlannedAnswers(file, hand, texts)
    check.all()
    return [one.decision for one in check.unseen]


class _PlannedAnswers:
    """The answers of plans to a seat's questions, held against the plans."""

    def __init__(self, file: GameFile, hand: Hand, texts: PlanTexts) -> None:
        self.file = file
        self.hand = hand
        self.rules = rules_for(file)
        self._texts = texts
        self._put: dict[str, tuple[int, InForce]] = {}
        self._language = plan_language(file, self.rules)
        book = PlanBook(file, self._language)
        for step, entry in enumerate(file.log, 1):
            book.follow(step, entry)
            if entry.then and entry.then[-1].startswith("ask "):
                self._put.update({one: (step, under) for one, under in book.under.items()})
        self.unseen = book.unseen(hand.seat)
        self._book = book
        self._games: list[tuple[dict[str, Any], int]] = []

    def all(self) -> None:
        """Check every answer that a plan has given or should have given."""
        losses = {loss.step: loss for loss in self.hand.losses or ()}
        said = [(one.step, one.decision) for one in losses.values() if one.decision]
        if said != [(one.step, one.decision) for one in self.unseen]:
            self._accuse("it does not say what your plans have answered")
        self._check_open()
        if not self.unseen:
            return
        self._games = each_step(self.file, _snapshot(self.hand.seat))
        hands = self._hands_back()
        for step, entry in enumerate(self.file.log, 1):
            if step >= self.unseen[0].step and entry.decision in self._put:
                self._check(entry, losses.get(step), hands)

    def _check_open(self) -> None:
        """Check that what the seat is asked now has no answer in its plan."""
        for one in self.file.asked:
            if one.seat == self.hand.seat and one.id in self._put:
                _, under = self._put[one.id]
                if not self._book.is_needed(one.seat, under.number):
                    # The plan is that of who held the seat when the question was put.
                    continue
                waits = self.file.waiting_answer(one.id)
                play = self._evaluate(self._view(self.file.table, self.hand.held), under)
                if waits is not None and waits.plan and not play:
                    self._accuse(f"plan {waits.plan} does not answer {one.id}")
                if waits is None and play:
                    self._accuse(f"plan {under.number} answers {one.id}, and you are asked")

    def _hands_back(self) -> dict[int, dict[Place, Card]]:
        """Return the hand after each step from before the first unseen answer on."""
        found = hands_back(self.file, self.hand, self._first)
        for step, cards in found.items():
            if step < self.file.step and len(cards) != self._games[step - 1][1]:
                self._accuse(f"it does not say which cards you held after step {step}")
        return found

    @property
    def _first(self) -> int:
        """The step before which nothing is to be found out: that of the first question."""
        return min(self._put[one.decision][0] for one in self.unseen)

    def _check(self, entry: Entry, loss: Loss | None, hands: dict[int, dict[Place, Card]]) -> None:
        """Check the answer to one question of the seat's that was put under a plan."""
        step, under = self._put[entry.decision]
        if entry.by not in (self.hand.seat, REFEREE) or step not in hands:
            return
        if not entry.decision.endswith(f".{self.hand.seat}") or entry.signature:
            return
        cards = [hands[step][place] for place in sorted(hands[step])]
        number = plan_behind(entry)
        letters = loss.letters if loss is not None and number else ()
        letters = letters or tuple(letter(index) for index in range(len(cards)))
        if len(letters) != len(cards):
            self._accuse(f"the letters of {entry.decision} are not those of your cards then")
        held = [Held(label, card.name) for label, card in zip(letters, cards, strict=True)]
        view = self._view(self._games[step - 1][0], held)
        play = self._evaluate(view, under)
        if number and play != entry.play:
            self._accuse(f"plan {number} does not answer {entry.decision} with {entry.play!r}")
        if number and loss is not None:
            places = dict(zip(letters, cards, strict=True))
            spent = {places[one].place for one in view.spends(entry.play)}
            if spent != {card.place for card in loss.cards}:
                self._accuse(f"other cards left your hand than those that {entry.play!r} names")
        if not number and play:
            self._accuse(f"plan {under.number} had an answer to {entry.decision}")

    def _view(self, table: dict[str, Any], held: list[Held]) -> View:
        """Return the seat's view at the step that put a question."""
        try:
            return self.rules.view(self.file.seating, table, self.hand.seat, held)
        except NotUnderstood as error:
            raise Damaged(error.message, error.hint) from None

    def _evaluate(self, view: View, under: InForce) -> str:
        """Return what the seat's plan answers in a view."""
        text = self._texts.get((self.hand.seat, under.number))
        if text is None:
            raise _accusation(self.hand.seat, f"the text of plan {under.number} is missing")
        assert self._language is not None
        return self._language.evaluate(text.clauses, view, under.turn_alive) or ""

    def _accuse(self, what: str) -> None:
        raise _accusation(self.hand.seat, what)


def _accusation(seat: str, what: str) -> Damaged:
    return Damaged(f"the referee has not kept to the plans of {seat}: {what}", KEEP)


def _snapshot(seat: str) -> Any:
    """Return a function that keeps of a game its table and how many cards the seat holds."""

    def see(game: Game) -> tuple[dict[str, Any], int]:
        return game.table(), len(game.hand(seat))

    return see
