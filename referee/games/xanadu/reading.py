"""Tolerant reading: typed answers, completed to an action where only one can be meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.games.errors import Illegal, Incomplete, NoSeat, NotUnderstood
from referee.games.flat import (
    BY_HAND,
    BY_PLOT,
    Clause,
    Names,
    Reading,
    Step,
    Token,
    all_readings,
    shortened,
)
from referee.games.near import near
from referee.games.values import MAX_LISTED_PLAYS, Choice
from referee.games.xanadu import choices, flow, opening, plays, turn
from referee.games.xanadu.flow import Action
from referee.games.xanadu.greedy import Mind
from referee.games.xanadu.state import State
from referee.games.xanadu.turn import Walk

_OPENING = ("open",)
_TURN = ("sell", "work", "build", "pass")


def readings(
    st: State, seat: int, tokens: Sequence[Token], letters: Sequence[str]
) -> list[Reading]:
    """Return every way to read tokens; raises NotUnderstood where there is none.

    A clause `work` names cards and then, with a blank in it, the seat and plot of their building.
    """
    words = _OPENING if flow.is_opening(st) else _TURN
    reader = _Reader(st, seat, letters)
    names = Names(reader.known)

    def steps(reading: Reading, at: int) -> Iterator[Step]:
        token = tokens[at]
        if token.word and token.text in words:
            yield 1, (*reading, Clause(token.text))
        if not reading or not token.name or reading[-1].word == "pass":
            return
        named = list(names.at(tokens, at, words))
        if reading[-1].word != "work":
            for size, name in named:
                yield size, _further(reading, name)
            return
        # After its building a clause is complete, and what follows is the next worker.
        last = reading[-1].names
        begun = (*reading, Clause("work")) if last and _is_spot(last[-1]) else reading
        spots = [(size, spot) for size, name in named for spot in reader.spots_of(name)]
        if token.text in st.seats:
            plots = names.at(tokens, at + 1, words)
            spots += [(1 + size, f"{token.text} {plot}") for size, plot in plots]
        for size, spot in spots:
            yield size, _further(begun, spot)
        for size, name in named:
            if reader.may_hold(name) or not spots:
                yield size, _further(begun, name)

    found, reached = all_readings(tokens, steps)
    if not tokens:
        raise plays.not_understood(st, "there is no play here")
    if not found:
        raise plays.not_understood(
            st, f"{shortened(tokens[reached].text)!r} is not part of this answer"
        )
    if len(tokens) > 1 and all(any(word == "pass" for word, _ in reading) for reading in found):
        raise NotUnderstood("pass cannot be combined with anything else")
    # Nobody starts another word before saying where the cards work.
    return [reading for reading in found if not _breaks_off(reading)] or found


def _further(reading: Reading, name: str) -> Reading:
    word, names = reading[-1]
    return (*reading[:-1], Clause(word, (*names, name)))


def _is_spot(name: str) -> bool:
    return " " in name


def _breaks_off(reading: Reading) -> bool:
    return any(
        word == "work" and not (names and _is_spot(names[-1])) for word, names in reading[:-1]
    ) or any(word == "pass" for word, _ in reading[1:])


def read(st: State, seat: int, reading: Reading, letters: Sequence[str]) -> Action:
    """Return the complete action that a reading means; it may still be illegal.

    Raises NotUnderstood, Illegal for what the seat does not have, or Incomplete with the
    completions when there are several.
    """
    reader = _Reader(st, seat, letters)
    if flow.is_opening(st):
        return reader.opening([name for _, names in reading for name in names])
    return reader.turn(reading)


def match(token: str, names: Mapping[str, int], where: str, known: Sequence[str]) -> int:
    """Return what a name, or the unique beginning of one, means among `names`.

    Raises Illegal when it means something that is elsewhere, NotUnderstood when it means nothing.
    """
    if token in names:
        return names[token]
    mine = sorted(name for name in names if name.startswith(token))
    if len(mine) == 1:
        return names[mine[0]]
    if mine:
        raise NotUnderstood(f"{shortened(token)} can mean {' or '.join(mine)}")
    elsewhere = [name for name in known if name.startswith(token)]
    if token in elsewhere or len(elsewhere) == 1:
        raise Illegal(f"there is no {token if token in elsewhere else elsewhere[0]} {where}")
    if elsewhere:
        raise Illegal(f"nothing {where} has a name that begins with {token}")
    what = "card" if "hand" in where else "building"
    how = BY_HAND if what == "card" else BY_PLOT
    hint = near(token, names) or near(token, known, how)
    raise NotUnderstood(f"there is no {what} {shortened(token)!r}", hint)


class _Reader:
    """A reader of words as places and plots, from what the seat can see."""

    def __init__(self, st: State, seat: int, letters: Sequence[str]) -> None:
        self.st = st
        self.seat = seat
        self.letters = letters
        self.places = {text: place for place, text in enumerate(letters)}
        names = st.cards.names
        self.known = names[: st.cards.total]
        self.held = {names[card]: place for place, card in enumerate(st.hand[seat])}
        self.spots = {
            names[card]: (owner, plot)
            for owner, city in enumerate(st.city)
            for plot, (card, _) in city.items()
        }

    def place(self, token: str) -> int:
        """Return the place of a hand card named by letter, name or the beginning of one."""
        if token in self.places:
            return self.places[token]
        if len(token) < 3 and token.isascii() and token.isalpha():
            raise Illegal(f"you hold no card {token}")
        return match(token, self.held, "in your hand", self.known)

    # Openings.

    def opening(self, tokens: Sequence[str]) -> Action:
        """Return the cards to begin with, filling in those where only one choice is left."""
        st, seat = self.st, self.seat
        named = [self.place(token) for token in tokens]
        if len(set(named)) < len(named):
            raise NotUnderstood("a card is named twice")
        size = opening.lay_count(st, seat)
        if len(named) >= size:
            return tuple(sorted(named))
        found = [
            a
            for a in choices.legal_actions(st, seat, MAX_LISTED_PLAYS) or []
            if set(named) <= set(a)
        ]
        if not found:
            raise Illegal(opening.refuse(st, seat, tuple(sorted(named))))
        if len(found) > 1:
            rows = choices.exact_choices(st, seat, found, self.letters)
            raise Incomplete("begin with which cards?" if size > 1 else "which card?", "", rows)
        return found[0]

    # Turns.

    def turn(self, clauses: Reading) -> Action:
        """Return a turn: sales, then workers and builds as typed, or builds last if that helps."""
        if clauses[0].word == "pass":
            if len(clauses) > 1:
                raise NotUnderstood("pass cannot be combined with anything else")
            return ()
        sells: list[int] = []
        wishes: list[dict[str, Any]] = []
        for word, tokens in clauses:
            if word == "sell":
                sells += self._sold(tokens)
            elif word == "build":
                wishes += self._built(tokens)
            else:
                wishes += self._workers(tokens)
        if len(set(sells)) < len(sells):
            raise NotUnderstood("a plot is sold twice")
        self._fill_in(wishes)
        sold = tuple(sorted(sells))
        steps = tuple(wish["step"] for wish in wishes)
        typed = (sold, steps)
        if not turn.refuse(self.st, self.seat, typed):
            return typed
        later = (sold, tuple(sorted(steps, key=lambda step: len(step) == 1)))
        if not turn.refuse(self.st, self.seat, later):
            return later
        return self._completed(sold, later[1]) or typed

    def _sold(self, tokens: Sequence[str]) -> list[int]:
        if not tokens:
            plots = list(self.st.city[self.seat])
            if len(plots) == 1:
                return plots
            rows = [((plot,), ()) for plot in plots]
            raise Incomplete(
                "sell what?", "", choices.exact_choices(self.st, self.seat, rows, self.letters)
            )
        return [self._plot(token, self.seat) for token in tokens]

    def _plot(self, token: str, owner: int) -> int:
        if re.fullmatch("[1-9][0-9]{0,2}", token):
            return int(token)
        if re.fullmatch(r"[+-]?[0-9.]+", token):
            whose = "you have" if owner == self.seat else f"{self.st.seats[owner]} has"
            raise Illegal(f"{whose} no building on plot {shortened(token)}")
        names = {name: spot[1] for name, spot in self.spots.items() if spot[0] == owner}
        whose = "your city" if owner == self.seat else f"the city of {self.st.seats[owner]}"
        return match(token, names, f"in {whose}", self.known)

    def _built(self, tokens: Sequence[str]) -> list[dict[str, Any]]:
        if not tokens:
            raise Incomplete(
                "build what?", "", choices.listed_choices(self.st, self.seat, self.letters)
            )
        return [{"step": (self.place(token),)} for token in tokens]

    def _workers(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Read a clause `work`: cards and their building; without cards, one is chosen."""
        if names and _is_spot(names[-1]):
            seat, plot = names[-1].split(" ")
            owner = self.st.seats.index(seat)
            spot = owner, self._plot(plot, owner)
            return [
                {"spot": spot, "place": self.place(card) if card else -1}
                for card in names[:-1] or ("",)
            ]
        if len(names) > 1 and names[-1].isdecimal() and names[-2] not in self.st.seats:
            raise NoSeat(
                f"there is no seat {shortened(names[-2])!r}",
                f"seats: {', '.join(self.st.seats)}",
            )
        for card in names:
            if card not in self.st.seats:
                self.place(card)
        rest = f"work {' '.join(map(shortened, names))}".strip()
        rows = choices.listed_choices(self.st, self.seat, self.letters)
        rows = [row for row in rows if row.play.startswith("work") and not row.exact]
        raise Incomplete(f"{rest} on which building?", "", rows)

    def spots_of(self, token: str) -> list[str]:
        """Return the seat and plot of the one building that a token means, if not a hand card."""
        if token in self.places or token in self.held:
            return []
        named = [name for name in self.spots if name.startswith(token)]
        if token in self.spots or (len(named) == 1 and len(token) > 2):
            owner, plot = self.spots[token if token in self.spots else named[0]]
            return [f"{self.st.seats[owner]} {plot}"]
        return []

    def may_hold(self, token: str) -> bool:
        """Return True if a token may name a card in the hand, which is not in play as well."""
        if token in self.places:
            return True
        return token not in self.spots and any(name.startswith(token) for name in self.held)

    def _fill_in(self, wishes: list[dict[str, Any]]) -> None:
        """Give each worker that is not named a card, if only one is left for it."""
        used = 0
        for wish in wishes:
            place = wish["step"][0] if "step" in wish else wish["place"]
            if place >= 0:
                used |= 1 << place
        missing = [wish for wish in wishes if wish.get("place") == -1]
        spare = Mind(self.st, self.seat).spare(used)
        if missing and len(spare) != 1:
            if len(missing) > len(spare):
                raise Illegal("you hold no further card that could work")
            rows = self._examples(wishes, spare)
            raise Incomplete("which card works there?", "name it by letter or name", rows)
        for wish in wishes:
            if "step" not in wish:
                place = wish["place"] if wish["place"] >= 0 else spare[0]
                wish["step"] = (place, *wish["spot"])

    def _examples(self, wishes: Sequence[dict[str, Any]], spare: list[int]) -> list[Choice]:
        """Return complete turns in which each worker has a card: all for one worker, else one."""
        actions: list[Action] = []
        if len(wishes) == 1:
            actions = [((), ((place, *wishes[0]["spot"]),)) for place in sorted(spare)]
        else:
            left = iter(spare)
            steps = tuple(
                wish.get("step")
                or (wish["place"] if wish["place"] >= 0 else next(left), *wish["spot"])
                for wish in wishes
            )
            actions = [((), steps)]
        legal = [a for a in actions if not turn.refuse(self.st, self.seat, a)]
        return choices.exact_choices(self.st, self.seat, legal, self.letters)

    def _completed(self, sold: tuple[int, ...], steps: tuple[Action, ...]) -> Action | None:
        """Return the turn with the workers that its one build lacks; Incomplete if several fit."""
        st, seat = self.st, self.seat
        builds = [step for step in steps if len(step) == 1]
        if len(builds) != 1 or (sold and turn.refuse_sales(st, seat, sold)):
            return None
        if turn.leaves_nothing(st, seat, sold):
            return None
        walk = Walk(st, seat, sold)
        place = builds[0][0]
        if walk.refuse(steps[:-1]) or walk.used >> place & 1 or walk.rows >= st.city_limit:
            return None
        found = choices.payments(st, seat, place, walk, MAX_LISTED_PLAYS)
        if not found:
            return None
        spare = Mind(st, seat).spare(walk.used | 1 << place)
        whole = [(sold, (*steps[:-1], *more)) for more in found]
        if len(found) == len(spare) == 1:
            return whole[0]
        name = st.cards.names[st.hand[seat][place]]
        lacks = st.cards.told(st.cards.missing(walk.pool, st.cards.cost[st.hand[seat][place]]))
        raise Incomplete(
            f"{name} still needs {lacks} here: which workers bring it?",
            "name them, or take one of these plays; other hand cards can do the same work",
            choices.exact_choices(st, seat, whole, self.letters),
        )
