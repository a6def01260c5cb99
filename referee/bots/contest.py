"""Many games between programs, to see which plays better: dealt in pairs, counted, continued.

Each deal is played once for every way in which the players can sit, with the same cards, so that
luck is the same for all. What a deal comes to depends on the contest and its number alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations
from math import factorial
from random import Random
from time import perf_counter, process_time
from typing import Any

from referee.bots import Player, player
from referee.bots.engine import LIMIT, Engine, EngineFailed, Question
from referee.bots.names import RANDOM
from referee.bots.plain import Medium, RandomPlayer
from referee.games import rules_of
from referee.games.interface import Rules
from referee.games.match import Match
from referee.games.values import letter
from referee.records import NamedTuple
from referee.standings import Finish, Rating, interval, ratings
from referee.system import interrupts_later

MAX_ORDERS = 24
"""The most ways of sitting that are all played with the same cards."""
LONGEST_FAILURE = 2000
"""Characters that are kept of what an engine did."""
MAX_POINTS = 1_000_000
"""More than any game gives, to either side of zero."""


def player_of(level: str, rules: Rules) -> Player:
    """Return a player by a name of PLAYERS. Raises NotUnderstood for any other name."""
    return RandomPlayer() if level == RANDOM else player(level, rules)


class Entrant(NamedTuple):
    """A player in a contest: its name there, and its level or the command of an engine."""

    name: str
    level: str
    command: str = ""


class Contest(NamedTuple):
    """Players who meet under one rule set; who is named several times has several seats."""

    module: str
    terms: Mapping[str, Any]
    entrants: tuple[Entrant, ...]
    seed: int
    limit: float = LIMIT

    def remark(self, deal: Deal) -> str:
        """Return what an engine did that has failed in every game of a deal; or nothing."""
        for one in self.entrants:
            failed = [
                failed
                for game in deal.games
                for name, failed in zip(game.seats, game.failed, strict=True)
                if name == one.name
            ]
            if all(failed):
                return deal.failure
        return ""

    def document(self) -> dict[str, Any]:
        """Return all that the results depend on, for a file in which they are kept."""
        rules = self.rules()
        return {
            "contest": self.module,
            "rules": rules.version,
            "terms": dict(self.terms),
            "seats": [
                {"name": one.name, "player": one.command or player_of(one.level, rules).name}
                for one in self.entrants
            ],
            "seed": self.seed,
            "limit": str(self.limit),
        }

    def rules(self) -> Rules:
        """Return the rule set."""
        return _loaded(self.module, json.dumps(dict(self.terms)))

    def orders(self, deal: int) -> list[tuple[Entrant, ...]]:
        """Return the ways in which the players sit in the games of a deal."""
        players = sorted(self.entrants)
        counts = [players.count(one) for one in dict.fromkeys(players)]
        ways = factorial(len(players))
        for count in counts:
            ways //= factorial(count)
        if ways <= MAX_ORDERS:
            return sorted(set(permutations(players)))
        # Everybody sits everywhere once, beside neighbours that change with the deal.
        draws = Random(f"{self.seed}/{deal}")
        order = [one for _, one in sorted((draws.random(), one) for one in players)]
        return [(*order[at:], *order[:at]) for at in range(len(order))]


class Result(NamedTuple):
    """A game of a contest, by places at the table: who sat there, points, who won, who failed."""

    seats: tuple[str, ...]
    points: tuple[int, ...]
    wins: tuple[bool, ...]
    failed: tuple[bool, ...]
    places: tuple[int, ...]

    @property
    def shares(self) -> list[float]:
        """The parts of the win: all of it, or as much as those who share it have each."""
        winners = sum(self.wins) or 1
        return [won / winners for won in self.wins]

    @property
    def is_possible(self) -> bool:
        """Return True if a game can end like this, as far as that shows without playing it."""
        if any(abs(points) > MAX_POINTS for points in self.points):
            return False
        if any(place != 1 + sum(one < place for one in self.places) for place in self.places):
            return False
        won = not all(self.failed)
        if self.wins != tuple(won and place == 1 for place in self.places):
            return False
        lost = [-points for points in self.points]
        ends = sorted(zip(self.places, self.failed, lost, strict=True))
        in_order = [end[1:] for end in ends] == sorted(end[1:] for end in ends)
        return in_order and len(set(ends)) == len(set(self.places))


class Deal(NamedTuple):
    """The games of one deal, the time (in milliseconds) of each answer by players, and what the
    first engine that failed did."""

    number: int
    games: tuple[Result, ...]
    times: Mapping[str, Sequence[float]] = {}
    failure: str = ""


class Row(NamedTuple):
    """The sum of a player's games: each of its seats in each game counts as one."""

    name: str
    games: int
    wins: float
    share: float
    low: float
    high: float
    points: float
    failures: int
    rating: Rating | None


def play_deal(contest: Contest, number: int) -> Deal:
    """Return the games of a deal, which are played."""
    rules = contest.rules()
    times: dict[str, list[float]] = {one.name: [] for one in contest.entrants}
    games, failure = [], ""
    for order in contest.orders(number):
        # An engine that remembers must not play otherwise for who has several processors.
        with _Game(contest, rules, number, order) as game:
            games.append(game.play(times))
            failure = failure or game.failure
    return Deal(number, tuple(games), times, failure)


@cache
def _loaded(module: str, terms: str) -> Rules:
    """Return a rule set, which all deals of a process share."""
    return rules_of(module).load(json.loads(terms))


class _Game:
    """One game of a contest."""

    def __init__(self, contest: Contest, rules: Rules, deal: int, order: Sequence[Entrant]) -> None:
        self.rules = rules
        self.order = order
        self.seats = [f"p{place}" for place in range(1, len(order) + 1)]
        self.seed = f"{contest.seed}/{deal}"
        self.match = Match.deal(rules, self.seats, self.seed)
        self.limit = contest.limit
        self.failure = ""
        self._failed = [False] * len(order)
        self._players: list[Player | Engine | None] = [
            None if one.command else player_of(one.level, rules) for one in order
        ]

    def __enter__(self) -> _Game:
        return self

    def __exit__(self, *_: object) -> None:
        with interrupts_later():
            for one in self._players:
                if isinstance(one, Engine):
                    one.close()

    def play(self, times: Mapping[str, list[float]]) -> Result:
        """Play to the end. Whose engine fails has lost; the game's greedy player goes on for it."""
        game = self.match.game
        while not game.over:
            batch = game.decisions()
            answers = []
            # All that are asked together look at the same table.
            for decision in batch:
                place = self.seats.index(decision.seat)
                one = self.order[place]
                # An engine is another process.
                clock = perf_counter if one.command else process_time
                began = clock()
                answers.append(self._answer(place, decision.id))
                times[one.name].append((clock() - began) * 1000)
            for decision, play in zip(batch, answers, strict=True):
                letters = [letter(at) for at in range(len(game.hand(decision.seat)))]
                game.take(decision.id, play, letters)
        return self._result()

    def _answer(self, place: int, decision: str) -> str:
        view = self.match.view(self.seats[place])
        who = self._players[place]
        if who is not None and not isinstance(who, Engine):
            return who.answer(view, _seed(f"{self.seed}/{decision}"))
        # From a seed that has to do with the deal, an engine could find that out.
        seed = _seed(f"{decision} {[(card.letter, card.name) for card in view.hand]}")
        question = Question(self.rules, self.seats, self.match.game.table(), view, seed)
        try:
            if who is None:
                with interrupts_later():
                    who = self._players[place] = Engine(self.order[place].command, self.limit)
            return who.answer(question)
        except EngineFailed as error:
            self.failure = self.failure or error.report[:LONGEST_FAILURE]
            self._failed[place] = True
            self._players[place] = Medium(self.rules.bot)
            return view.suggest()

    def _result(self) -> Result:
        scores = self.match.scores()
        keys = [
            (not failed, score.wins, score.points, score.tie)
            for failed, score in zip(self._failed, scores, strict=True)
        ]
        best = max(keys)
        places = [1 + sum(other > key for other in keys) for key in keys]
        wins = [key == best and not all(self._failed) for key in keys]
        if not any(self._failed):
            # Where no engine failed, the game decides who wins and who shares.
            wins = [score.wins for score in scores]
        return Result(
            tuple(one.name for one in self.order),
            tuple(score.points for score in scores),
            tuple(wins),
            tuple(self._failed),
            tuple(places),
        )


def rows(contest: Contest, deals: Iterable[Deal]) -> list[Row]:
    """Return the sums of all players, in the order in which they were named."""
    played = [game for deal in deals for game in deal.games]
    rated = ratings(
        [Finish(*pair) for pair in zip(game.seats, game.places, strict=True)] for game in played
    )
    found = []
    for name in dict.fromkeys(one.name for one in contest.entrants):
        games, points, failures, wins = 0, 0, 0, 0.0
        for game in played:
            shares = game.shares
            for place, whose in enumerate(game.seats):
                if whose == name:
                    games += 1
                    points += game.points[place]
                    failures += game.failed[place]
                    wins += shares[place]
        low, high = interval(wins, games)
        share, mean = (wins / games, points / games) if games else (0.0, 0.0)
        rating = rated.get(name) if rated is not None else None
        found.append(Row(name, games, wins, share, low, high, mean, failures, rating))
    return found


class Tally:
    """The deals of a contest in their order, until there are enough.

    There are after `games`, or before that once every interval is no wider than `within` to each
    side (as shares), after `least` games.
    """

    def __init__(
        self, contest: Contest, games: int, within: float | None = None, least: int = 200
    ) -> None:
        self.contest = contest
        self.most = games
        self.within = within
        self.least = least
        self.deals: list[Deal] = []
        self.games = 0
        self._sums = {one.name: [0, 0.0] for one in contest.entrants}

    def add(self, deal: Deal) -> None:
        """Count the next deal."""
        self.deals.append(deal)
        self.games += len(deal.games)
        for game in deal.games:
            for name, share in zip(game.seats, game.shares, strict=True):
                self._sums[name][0] += 1
                self._sums[name][1] += share

    @property
    def enough(self) -> bool:
        """Return whether no further deal counts."""
        if self.games >= self.most:
            return True
        if self.within is None or self.games < self.least:
            return False
        return self.spread <= self.within

    @property
    def spread(self) -> float:
        """Return half the width of the widest interval."""
        ends = [interval(wins, int(games)) for games, wins in self._sums.values()]
        return max((high - low) / 2 for low, high in ends)

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of the deals that may still count, counted ones left out."""
        number, games = len(self.deals), self.games
        while games < self.most:
            yield number
            games += len(self.contest.orders(number))
            number += 1


def _seed(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
