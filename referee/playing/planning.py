"""A seat's plans: the one that there is, the next one, and what it would answer."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from referee.crypto.sealing import AgeIdentity, load_age_identity
from referee.errors import Stale, not_dealt
from referee.games.errors import Illegal, NotUnderstood
from referee.notes.plantext import sealed_with
from referee.playing import player
from referee.playing.outgoing import Outgoing
from referee.playing.shared import ANSWERED, MOVES, own_files
from referee.records import NamedTuple
from referee.table.planreplay import plan_language, texts_of
from referee.table.plans import PlanBook, highest_number
from referee.table.rules import rules_for
from referee.table.source import folder_of
from referee.table.standing import game_over
from referee.table.views import view_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.games.interface import PlanLanguage
    from referee.games.values import Foreseen
    from referee.playing.reader import Reader
    from referee.table.gamefile import GameFile, KeptPlan
    from referee.table.planreplay import PlanTexts


class Present(NamedTuple):
    """The newest plan of a seat: its number, and whether it waits or is in force already.

    `clauses` are None where they cannot be read here. `alive` says if its turn clauses still hold
    for what is asked next, `next_turn` if they do for the question that begins a turn.
    """

    number: int
    waits: bool
    alive: bool
    next_turn: bool
    clauses: tuple[str, ...] | None

    @property
    def over(self) -> list[str]:
        """The clauses that can give no answer any more."""
        alive = self.alive or self.next_turn
        return [one for one in self.clauses or () if not (alive or _is_lasting(one))]

    @property
    def living(self) -> list[str]:
        """The clauses that can still give an answer."""
        over = self.over
        return [one for one in self.clauses or () if one not in over]


class WrittenPlan(NamedTuple):
    """A plan of the player's in a file: its number, and where it lies."""

    number: int
    path: Path


class PublicPlans(NamedTuple):
    """The numbers of the plans of one seat that everybody can see; 0 for none."""

    waiting: int
    in_force: int


def public_plans(file: GameFile) -> dict[str, PublicPlans]:
    """Return, for each seat that has a plan, which one waits and which one is in force."""
    if not file.plans or file.status != "playing":
        return {}
    book = PlanBook(file)
    for step, entry in enumerate(file.log, 1):
        book.follow(step, entry)
    waiting = {one.seat: one.number for one in file.plans if one.waits}
    found = {name: PublicPlans(waiting.get(name, 0), book.in_force(name)) for name in file.seating}
    return {name: plans for name, plans in found.items() if any(plans)}


def present_plan(
    file: GameFile, language: PlanLanguage, name: str, texts: PlanTexts
) -> Present | None:
    """Return the newest plan of a seat, if it has any; `texts` are those that can be read here."""
    book = PlanBook(file, language)
    for step, entry in enumerate(file.log, 1):
        book.follow(step, entry)
    waiting = next((one for one in file.plans if one.seat == name and one.waits), None)
    number = waiting.number if waiting is not None else book.in_force(name)
    if not number:
        return None
    seen = waiting.seen if waiting is not None else None
    alive, next_turn = book.is_alive(name, seen), book.has_planned_turn(name, seen)
    text = texts.get((name, number))
    clauses = text.clauses if text else None
    return Present(number, waiting is not None, alive, next_turn, clauses)


def _is_lasting(clause: str) -> bool:
    return clause.startswith("always ")


def _alive(present: Present | None) -> tuple[bool, bool]:
    """Return what turn clauses count for: those of a plan that is new, or is there already."""
    return (True, True) if present is None else (present.alive, present.next_turn)


def _subject(clause: str) -> str:
    return clause.removeprefix("always ").partition(":")[0]


def written_plan(game: Path, file: GameFile, seat: str) -> WrittenPlan | None:
    """Return the newest plan of a seat that lies in a file and has not arrived yet."""
    if not file.plan_language or file.status != "playing":
        return None
    known = max((one.number for one in file.plans if one.seat == seat), default=0)
    last = highest_number(file.step)
    found = [
        one
        for one in _plans_at(game, file, seat)
        if known < one.number <= last
        # A plan that the referee has refused in a clone does not arrive any more.
        and not one.path.with_name(one.path.name + ANSWERED).exists()
    ]
    return max(found, default=None)


def _plans_at(game: Path, file: GameFile, seat: str) -> list[WrittenPlan]:
    """Return the plans of a seat in files that are the player's own."""
    number, here = "plan([1-9][0-9]{0,5})", folder_of(game)
    places = (
        (here, "plan", rf"{file.game[:8]}-{seat}-{number}\.plan"),
        (here, "move", rf"{file.game[:8]}-[a-z0-9.-]+\.{seat}(?:\.[2-8])?\.{number}\.move"),
        (game.parent / MOVES, "plan", rf"{seat}-{number}-[0-9a-f.]+\.plan"),
    )
    found: dict[Path, int] = {}
    for folder, kind, form in places:
        for path in folder.glob(f"*{seat}*plan*.{kind}"):
            match = re.fullmatch(form, path.name)
            if match is not None:
                found[path] = int(match[1])
    return [WrittenPlan(found[path], path) for path in own_files(list(found))]


class Planner:
    """A seat that plans, with its key and hand.

    `present` is its newest plan, if it has any. Raises Stale where no cards are dealt, or the game
    is over, Illegal at a table that takes no plans.
    """

    def __init__(
        self, file: GameFile, reader: Reader, identity: Path | AgeIdentity | None = None
    ) -> None:
        if file.status == "open":
            raise not_dealt()
        if file.status != "playing":
            raise game_over(file)
        self.file = file
        self.rules = rules_for(file)
        language = plan_language(file, self.rules)
        if language is None:
            raise no_plans()
        self.language: PlanLanguage = language
        assert reader.seat is not None
        assert reader.key is not None
        assert reader.hand is not None
        self.seat = reader.seat
        self.key = reader.key
        self.hand = reader.hand
        self.view = view_of(file, self.hand)
        opener = load_age_identity(identity) if isinstance(identity, Path) else identity
        texts = texts_of(file, opener or reader.key)
        self.present = present_plan(file, language, self.seat.name, texts)

    @property
    def waits(self) -> bool:
        """True if an answer to what the seat is asked has arrived already."""
        return self.file.waiting_answer(self.hand.decision) is not None

    def foresee(self, play: str) -> None:
        """Plan from now on for what follows a legal play of the seat's own."""
        self.view = self.view.foreseen(play)

    @property
    def referees(self) -> str:
        """The seats of a referee who plays, and so can read plans before answering; "" for none."""
        return ", ".join(
            seat.name
            for seat in self.file.seats
            if seat.name != self.seat.name and (seat.referee or seat.holder == self.file.referee)
        )

    def read(self, lines: Sequence[str]) -> list[str]:
        """Return the clauses that lines mean. Raises NotUnderstood, with what would be right."""
        return self.language.read(lines, self.view)

    def check_whole(self, clauses: Sequence[str]) -> None:
        """Raise NotUnderstood where clauses do not make sense as a whole plan."""
        lacks = self.language.unfinished(clauses)
        if lacks:
            raise NotUnderstood(lacks)

    def suggested(self) -> list[str]:
        """Return the clauses that the table's bot would write."""
        return self.language.suggest(self.view)

    def proposed(self) -> list[str]:
        """Return the clauses of the present plan as they could be planned anew, or the bot's."""
        clauses = self.present.clauses if self.present is not None else None
        return self.language.renewed(clauses or (), self.view) or self.suggested()

    def foreseen(self, clauses: Sequence[str], present: Present | None = None) -> list[Foreseen]:
        """Return what clauses would answer to questions that can be put before long.

        They are those of a new plan, or of the present one.
        """
        return self.language.foresee(clauses, self.view, *_alive(present))

    def told(self, clauses: Sequence[str], present: Present | None = None) -> list[str]:
        """Return the same in words."""
        return self.language.tell(clauses, self.view, *_alive(present))

    def with_present(self, clauses: Sequence[str], *, for_good: bool = False) -> list[str]:
        """Return new clauses, followed by those of the present plan that can still count.

        A clause takes the place of those about the same; one for this turn alone leaves those that
        begin with `always`. With `for_good` these are the only ones that stay.
        """
        found = list(clauses)
        said = {_subject(one): False for one in clauses}
        said |= {_subject(one): True for one in clauses if _is_lasting(one)}
        for clause in self.present.living if self.present is not None else ():
            lasting, replaced = _is_lasting(clause), said.get(_subject(clause))
            if clause in found or (for_good and not lasting):
                continue
            if not for_good and (replaced or (replaced is not None and not lasting)):
                continue
            try:
                self.language.check([*found, clause])
            except NotUnderstood:
                continue
            found.append(clause)
        return found

    def check_withdrawal(self, game: Path) -> None:
        """Raise Stale where there is no plan that could be withdrawn, be it on its way."""
        name, number = self.seat.name, max((one.number for one in self._mine()), default=0)
        if self.next_number(game) > number + 1:
            return
        if self.present is None:
            raise Stale(f"{name} has no plan to be withdrawn")
        if self.present.clauses == ():
            raise Stale(f"plan {self.present.number} of {name} is withdrawn already")

    def next_number(self, game: Path | None = None) -> int:
        """Return one more than the file knows, and than plans that lie beside it unanswered."""
        known = {one.number for one in self._mine()}
        number, name = max(known, default=0) + 1, self.seat.name
        sent = {one.number for one in _plans_at(game, self.file, name)} if game is not None else ()
        while number in sent and number < highest_number(self.file.step):
            number += 1
        return number

    def sign(self, clauses: Sequence[str], number: int) -> Outgoing:
        """Sign a plan, sealed to the referee together with its text.

        Raises Stale, NotUnderstood or Illegal where it would be refused, or makes no sense.
        """
        self.check_whole(clauses)
        if number <= max((one.number for one in self._mine()), default=0):
            raise Stale(
                f"{self.seat.name} has plan {number} already, or a newer one",
                "leave --number away: the program numbers plans itself",
                reason="older-plan",
            )
        signed, text = player.sign_plan(self.file, self.seat, self.key, clauses, number)
        about = {"seat": self.seat.name, "number": number, "clauses": list(clauses)}
        block = sealed_with(signed, text, self.file.referee)
        return Outgoing(signed, f"{self.seat.name}-plan{number}", about, block)

    def _mine(self) -> list[KeptPlan]:
        return [one for one in self.file.plans if one.seat == self.seat.name]


def no_plans() -> Illegal:
    """Return the error for a table that takes no plans."""
    return Illegal("this table takes no plans", "answer each question with `move`")
