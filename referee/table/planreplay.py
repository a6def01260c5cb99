"""Plans in a game that is replayed: their answers, and all that their owners have to be told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from referee.crypto.keys import PrivateKey
from referee.crypto.sealing import AgeIdentity, recipients_of, unseal
from referee.errors import Damaged, NoKey, OtherRules
from referee.games.errors import NotUnderstood
from referee.games.interface import PlanLanguage, Rules
from referee.notes.plantext import PlanText, without_padding
from referee.table.decisions import DecisionId
from referee.table.gamefile import Entry, GameFile, KeptPlan
from referee.table.hands import Card, Loss
from referee.table.plans import InForce, PlanBook, is_plan, read_plan

if TYPE_CHECKING:
    from referee.games.interface import View


def plan_language(file: GameFile, rules: Rules) -> PlanLanguage | None:
    """Return the language in which the seats of a table plan; None where they do not.

    Raises OtherRules for another version of it than ours.
    """
    if not file.plan_language:
        return None
    # Whoever has no plans need not wait for the import.
    from referee.games.plans import language_of

    language = language_of(rules, [seat.name for seat in file.seats])
    if file.plan_language != language.version:
        raise OtherRules(
            f"the plans of this table are of version {file.plan_language}, "
            f"and this sanjuan-ref has version {language.version}",
            "go on with the sanjuan-ref that opened the table",
        )
    return language


class Planning:
    """The plans of a game, followed along its log. At a table without plans there are none.

    `texts` are those of the plans that whoever replays the game can read, `view` gives a seat's
    view of the game as it is.
    """

    def __init__(self, file: GameFile, rules: Rules, view: Callable[[str], View]) -> None:
        self.file = file
        self.language = plan_language(file, rules)
        self.book = PlanBook(file, self.language)
        self.texts: PlanTexts = {}
        self._view = view
        self._losses: dict[str, list[Loss]] = {}
        self._expected: dict[str, str] = {}

    def follow(self, step: int, entry: Entry, decisions: Sequence[str], *, audit: bool) -> None:
        """Go over the log's next entry; `decisions` are open then.

        With `audit`, work out what plans answer where it puts questions, to compare it later.
        """
        self.book.follow(step, entry)
        if entry.then and entry.then[-1].startswith("ask "):
            self._expected = self.answers(decisions) if audit else {}

    def answers(self, decisions: Sequence[str]) -> dict[str, str]:
        """Return what plans answer to open questions, none of which has its answer in the log."""
        under = {one: self.book.under[one] for one in decisions if one in self.book.under}
        found = {decision: self.answer(decision, plan) for decision, plan in under.items()}
        return {decision: play for decision, play in found.items() if play}

    def answer(self, decision: str, under: InForce) -> str:
        """Return what a plan answers to an open question; nothing where it leaves that to its seat.

        Raises Damaged where the text of the plan is not at hand.
        """
        assert self.language is not None
        seat = DecisionId.parse(decision).seat
        text = self.texts.get((seat, under.number))
        if text is None:
            raise Damaged(f"the text of plan {under.number} of {seat} is missing")
        return self.language.evaluate(text.clauses, self._view(seat), under.turn_alive) or ""

    def check(self, decision: str, play: str, number: int) -> None:
        """Raise Damaged where an answer is said to be that of plan `number` which it is not."""
        under = self.book.under.get(decision)
        right = under is not None and under.number == number
        if not right or self._expected.get(decision) != play:
            raise Damaged(f"{decision} was not answered as the plan of its seat says")

    def check_silent(self, decision: str, how: str) -> None:
        """Raise Damaged where somebody else answered, and a plan had an answer to that."""
        if decision in self._expected:
            raise Damaged(f"{decision} was {how}, and its seat had a plan with an answer")

    # Cards that left a hand while its owner looked away.

    def watched(self, decision: str, planned: bool) -> list[str]:
        """Return the seats that have to be told what an answer takes out of their hands."""
        if self.language is None:
            return []
        asked = DecisionId.parse(decision).seat
        return [
            seat
            for seat in self.file.seating
            if self.book.unseen(seat) or (planned and seat == asked)
        ]

    def lose(
        self,
        decision: str,
        letters: Sequence[str] | None,
        gone: Mapping[str, Sequence[Card]],
    ) -> None:
        """Note what the next entry takes out of hands; it has `letters` if a plan answers."""
        asked, step = DecisionId.parse(decision).seat, self.file.step + 1
        for seat, cards in gone.items():
            mine = letters is not None and seat == asked
            if cards or mine:
                named = tuple(letters or ()) if mine else ()
                loss = Loss(step, decision if mine else "", named, tuple(cards))
                self._losses.setdefault(seat, []).append(loss)

    def losses(self, seat: str) -> tuple[Loss, ...] | None:
        """Return what left a hand from the first answer of a plan on that its owner has not seen.

        None at a table without plans.
        """
        if self.language is None:
            return None
        unseen = self.book.unseen(seat)
        first = unseen[0].step if unseen else self.file.step + 1
        return tuple(loss for loss in self._losses.get(seat, ()) if loss.step >= first)

    # The part that the file keeps.

    def seal(self) -> None:
        """Seal each plan to the referee, and to its seat as long as that has use for it."""
        for one in self.file.plans:
            to = recipients(self.file, self.book, one)
            if not one.sealed or recipients_of(one.sealed) != len(to):
                one.sealed = self.texts[one.seat, one.number].sealed_to(to)

    def publish(self) -> None:
        """Put the texts of all plans in the log into the file, for everybody to read."""
        found = []
        for entry in self.file.log:
            if is_plan(entry.decision):
                number, _ = read_plan(entry.play)
                text = self.texts[entry.by, number]
                found.append(KeptPlan(entry.by, number, salt=text.salt, lines=text.clauses))
        order = [seat.name for seat in self.file.seats]
        self.file.plans = sorted(found, key=lambda one: (order.index(one.seat), one.number))


def recipients(file: GameFile, book: PlanBook, plan: KeptPlan) -> list[str]:
    """Return to whom a plan is sealed while the game goes on."""
    seat = file.seat(plan.seat)
    assert seat is not None
    needed = plan.waits or book.is_needed(plan.seat, plan.number)
    return [file.referee.text, *([file.recipient(seat)] if needed else [])]


PlanTexts = dict[tuple[str, int], PlanText]
"""Texts of plans by seat and number."""


def texts_of(file: GameFile, key: PrivateKey | AgeIdentity | None = None) -> PlanTexts:
    """Return the texts of the plans in a file: the published ones, and those that a key opens.

    Raises Damaged for one that is not the text to which its plan is bound, like `unseal`.
    """
    logged = {}
    for entry in file.log:
        if is_plan(entry.decision):
            number, clauses = read_plan(entry.play)
            logged[entry.by, number] = clauses
    found: PlanTexts = {}
    for one in file.plans:
        what = f"plan {one.number} of {one.seat}"
        text = PlanText(one.salt, one.lines)
        if one.sealed:
            if key is None:
                continue
            try:
                text = PlanText.read(without_padding(unseal(one.sealed, key)))
            except NoKey:
                continue
            except NotUnderstood:
                raise Damaged(f"what is sealed as {what} is no plan") from None
        bound = one.clauses if one.waits else logged.get((one.seat, one.number))
        if text.hash(file.game, one.seat, one.number) != bound:
            raise Damaged(f"the text of {what} is not the one that was signed")
        found[one.seat, one.number] = text
    return found
