"""Players that look ahead: each good play happens in many worlds that the view leaves possible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from referee.bots.names import HARD, LIMITED
from referee.games.search import OVER, Course, Draws, Search
from referee.records import NamedTuple

if TYPE_CHECKING:
    from referee.games.interface import Rules, View


class Effort(NamedTuple):
    """The work that a player puts into an answer.

    `rounds` says how many of the best plays are tried in how many more worlds, one round after the
    other; `turns` how far each is followed, up to a turn that begins. On the way the seat itself
    answers with the care `own`, others with the care `others`; see Search.guess. Once so much
    `work` is done, no further world is drawn; 0 is no limit.
    """

    rounds: tuple[tuple[int, int], ...]
    turns: int = 1
    own: int = 1
    others: int = 0
    work: int = 0

    def along(self, course: Course) -> Effort:
        """Return the same effort with lines of play that take a course."""
        return self._replace(**course._asdict())

    @property
    def lines(self) -> int:
        """The most lines of play that are looked at: one for each answer and world."""
        return sum(plays * worlds for plays, worlds in self.rounds)

    def within(self, lines: int) -> Effort:
        """Return the effort with fewer worlds in each round, for at most so many lines of play."""
        rounds = [(plays, worlds * lines // self.lines) for plays, worlds in self.rounds]
        return self._replace(rounds=tuple(rounds))


EFFORT = Effort(rounds=((6, 6), (3, 10), (2, 12)))


def choose(search: Search[Any, Any], view: Any, seed: bytes, effort: Effort) -> Any:
    """Return the answer that did best in the worlds drawn from a seed."""
    draws = Draws(seed)
    seat = search.seat(view)
    most_work = search.work + effort.work
    world = search.world(view, draws)
    plays = search.candidates(world, seat, effort.rounds[0][0])
    totals = [0] * len(plays)
    order: Sequence[int] = range(len(plays))
    for most, worlds in effort.rounds:
        order = sorted(order, key=lambda at: (-totals[at], at))[:most]
        if len(order) == 1:
            break
        for _ in range(worlds):
            if effort.work and search.work >= most_work:
                break
            world = world_at_question(search, view, draws, effort)
            for at in order:
                then = search.copy(world)
                search.apply(then, plays[at])
                totals[at] += follow(search, then, seat, effort)
    return plays[max(order, key=lambda at: (totals[at], -at))]


def world_at_question(search: Search[Any, Any], view: Any, draws: Draws, effort: Effort) -> Any:
    """Return a world in which those who are asked before the seat of the view have answered."""
    seat, world = search.seat(view), search.world(view, draws)
    while (asked := search.asked(world)) != seat:
        search.apply(world, search.guess(world, asked, effort.others))
    return world


def follow(search: Search[Any, Any], world: Any, seat: int, effort: Effort) -> int:
    """Go on with likely answers until a turn begins, and return what the seat can hope for."""
    turns = effort.turns
    while True:
        asked = search.asked(world)
        if asked == OVER:
            break
        if search.settled(world):
            turns -= 1
            if not turns:
                break
        search.apply(
            world, search.guess(world, asked, effort.own if asked == seat else effort.others)
        )
    return search.value(world, seat)


class Hard:
    """A player that looks a little ahead; greedy in a game without a search."""

    level = HARD
    effort = EFFORT

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.name = f"{self.level}-{rules.ahead}"

    def within(self, lines: int) -> Hard:
        """Return this player with a limit: at most so many lines of play for each answer."""
        found = type(self)(self._rules)
        found.effort = self.effort.within(lines)
        found.name = f"{self.name}{LIMITED}{lines}"
        return found

    def answer(self, view: View, seed: bytes) -> str:
        """Return the play that did best in worlds that the view leaves possible."""
        search = self._rules.search()
        if search is None:
            return view.suggest()
        return search.play(view, choose(search, view, seed, self.effort_in(search)))

    def effort_in(self, search: Search[Any, Any]) -> Effort:
        """Return the work that the player puts into an answer in a game."""
        return self.effort.along(search.short)
