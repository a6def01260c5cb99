"""A seat's plans: the one that there is, the next one, and what it would answer."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from referee.crypto.sealing import AgeIdentity, load_age_identity
from referee.errors import Stale, game_over, not_dealt
from referee.games.errors import Illegal, NotUnderstood
from referee.notes.plantext import sealed_with
from referee.playing import player
from referee.playing.outgoing import Outgoing
from referee.playing.shared import MOVES, own_files
from referee.records import NamedTuple
from referee.table.planreplay import plan_language, texts_of
from referee.table.plans import PlanBook, highest_number
from referee.table.rules import rules_for
from referee.table.source import folder_of
from referee.table.views import view_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.games.interface import PlanLanguage
    from referee.games.values import Foreseen
    from referee.playing.reader import Reader
    from referee.table.gamefile import GameFile, KeptPlan


class Present(NamedTuple):
    """The newest plan of a seat: its number, and whether it waits or is in force already.

    `clauses` are None where they cannot be read here; `alive` says if its turn clauses still hold.
    """

    number: int
    waits: bool
    alive: bool
    clauses: tuple[str, ...] | None


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
            raise game_over()
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
        self._texts = texts_of(file, opener or reader.key)
        self.present = self._present()

    def _present(self) -> Present | None:
        name = self.seat.name
        book = PlanBook(self.file, self.language)
        for step, entry in enumerate(self.file.log, 1):
            book.follow(step, entry)
        waiting = next((one for one in self.file.plans if one.seat == name and one.waits), None)
        number = waiting.number if waiting is not None else book.in_force(name)
        if not number:
            return None
        alive = book.is_alive(name, waiting.seen if waiting is not None else None)
        text = self._texts.get((name, number))
        return Present(number, waiting is not None, alive, text.clauses if text else None)

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

    def suggested(self) -> list[str]:
        """Return the clauses that the table's bot would write."""
        return self.language.suggest(self.view)

    def foreseen(self, clauses: Sequence[str], alive: bool = True) -> list[Foreseen]:
        """Return what clauses would answer to questions that can be put before long."""
        return self.language.foresee(clauses, self.view, alive)

    def told(self, clauses: Sequence[str], alive: bool = True) -> list[str]:
        """Return the same in words."""
        return self.language.tell(clauses, self.view, alive)

    def with_present(self, clauses: Sequence[str], *, for_good: bool = False) -> list[str]:
        """Return new clauses, followed by those of the present plan that can still count.

        With `for_good` these are only the ones that begin with `always`.
        """
        found = list(clauses)
        for clause in (self.present.clauses or ()) if self.present is not None else ():
            if clause in found or (for_good and not clause.startswith("always ")):
                continue
            try:
                self.language.check([*found, clause])
            except NotUnderstood:
                continue
            found.append(clause)
        return found

    def next_number(self, game: Path | None = None) -> int:
        """Return one more than the file knows, and than plans that lie beside it unanswered."""
        name = self.seat.name
        known = {one.number for one in self.file.plans if one.seat == name}
        number, sent = max(known, default=0) + 1, self._sent(game) if game is not None else set()
        while number in sent and number < highest_number(self.file.step):
            number += 1
        return number

    def _sent(self, game: Path) -> set[int]:
        """Return the numbers of plans in files that are the player's own."""
        name = self.seat.name
        places = (
            (folder_of(game), rf"{self.file.game[:8]}-{name}-plan([1-9][0-9]{{0,5}})\.plan"),
            (game.parent / MOVES, rf"{name}-plan([1-9][0-9]{{0,5}})-[0-9a-f.]+\.plan"),
        )
        found: dict[Path, int] = {}
        for folder, form in places:
            for path in folder.glob(f"*{name}-plan*.plan"):
                match = re.fullmatch(form, path.name)
                if match is not None:
                    found[path] = int(match[1])
        return {found[path] for path in own_files(list(found))}

    def sign(self, clauses: Sequence[str], number: int) -> Outgoing:
        """Sign a plan, sealed to the referee together with its text.

        Raises Stale, NotUnderstood or Illegal where it would be refused.
        """
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
