"""Tolerant reading: what a player types, completed to an action where only one is meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.interface import MOST, Choice, Illegal, Incomplete, NotUnderstood
from referee.games.near import near
from referee.games.xanadu import choices, flow, opening, plays, turn
from referee.games.xanadu.flow import Action
from referee.games.xanadu.greedy import Mind
from referee.games.xanadu.state import State
from referee.games.xanadu.turn import Walk

_OPENING = ("open",)
_TURN = ("sell", "work", "build", "pass")


def read(st: State, seat: int, text: str, letters: Sequence[str]) -> Action:
    """The complete action that a text means; it may still be illegal.

    Raises NotUnderstood, Illegal for what the seat does not have, or Incomplete with the
    completions when there are several.
    """
    clauses = _clauses(st, text)
    reader = _Reader(st, seat, letters)
    if flow.is_opening(st):
        return reader.opening([token for _, tokens in clauses for token in tokens])
    return reader.turn(clauses)


def _clauses(st: State, text: str) -> list[tuple[str, list[str]]]:
    """The words of a text, each with what follows it."""
    known = _OPENING if flow.is_opening(st) else _TURN
    tokens = text.lower().replace(",", " ").replace(";", " ").replace(":", " ").split()
    found: list[tuple[str, list[str]]] = []
    for token in tokens:
        if token in known and not (
            # A seat may have the name of a word.
            token in st.seats and found and found[-1][0] == "work" and len(found[-1][1]) == 1
        ):
            found.append((token, []))
        elif found and found[-1][0] != "pass":
            found[-1][1].append(token)
        else:
            raise plays.not_understood(st, f"{plays.short(token)!r} has no place here")
    if not found:
        raise plays.not_understood(st, "there is no play here")
    if len(found) > 1 and any(word == "pass" for word, _ in found):
        raise NotUnderstood("pass stands alone")
    return found


def match(token: str, names: Mapping[str, int], where: str, known: Sequence[str]) -> int:
    """What a name or the unique beginning of one means among `names`.

    Raises Illegal when it means something that is elsewhere, NotUnderstood when it means nothing.
    """
    if token in names:
        return names[token]
    mine = sorted(name for name in names if name.startswith(token))
    if len(mine) == 1:
        return names[mine[0]]
    if mine:
        raise NotUnderstood(f"{plays.short(token)} can mean {' or '.join(mine)}")
    elsewhere = [name for name in known if name.startswith(token)]
    if token in elsewhere or len(elsewhere) == 1:
        raise Illegal(f"there is no {token if token in elsewhere else elsewhere[0]} {where}")
    if elsewhere:
        raise Illegal(f"nothing {where} has a name that begins with {token}")
    hint = near(token, names) or near(token, known)
    raise NotUnderstood(f"there is no card {plays.short(token)!r}", hint)


class _Reader:
    """Turns words into places and plots, from what the seat can see."""

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
        """The place of a hand card that is named by letter, name or the beginning of one."""
        if token in self.places:
            return self.places[token]
        if len(token) < 3 and token.isascii() and token.isalpha():
            raise Illegal(f"you hold no card {token}")
        return match(token, self.held, "in your hand", self.known)

    # Openings.

    def opening(self, tokens: list[str]) -> Action:
        """The cards to begin with; those not named where only one choice is left."""
        st, seat = self.st, self.seat
        named = [self.place(token) for token in tokens]
        if len(set(named)) < len(named):
            raise NotUnderstood("a card is named twice")
        size = opening.count(st, seat)
        if len(named) >= size:
            return tuple(sorted(named))
        found = [a for a in choices.every(st, seat, MOST) or [] if set(named) <= set(a)]
        if not found:
            raise Illegal(opening.refuse(st, seat, tuple(sorted(named))))
        if len(found) > 1:
            rows = choices.exact(st, seat, found, self.letters)
            raise Incomplete("begin with which cards?" if size > 1 else "which card?", "", rows)
        return found[0]

    # Turns.

    def turn(self, clauses: Sequence[tuple[str, list[str]]]) -> Action:
        """A turn: sales first, then workers and builds as typed, or builds last if that helps."""
        if clauses[0][0] == "pass":
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

    def _sold(self, tokens: list[str]) -> list[int]:
        if not tokens:
            plots = list(self.st.city[self.seat])
            if len(plots) == 1:
                return plots
            rows = [((plot,), ()) for plot in plots]
            raise Incomplete(
                "sell what?", "", choices.exact(self.st, self.seat, rows, self.letters)
            )
        return [self._plot(token, self.seat) for token in tokens]

    def _plot(self, token: str, owner: int) -> int:
        if token.isascii() and token.isdigit() and len(token) < 4 and int(token) > 0:
            return int(token)
        names = {name: spot[1] for name, spot in self.spots.items() if spot[0] == owner}
        whose = "your city" if owner == self.seat else f"the city of {self.st.seats[owner]}"
        return match(token, names, f"in {whose}", self.known)

    def _built(self, tokens: list[str]) -> list[dict[str, Any]]:
        if not tokens:
            raise Incomplete("build what?", "", choices.listing(self.st, self.seat, self.letters))
        return [{"step": (self.place(token),)} for token in tokens]

    def _workers(self, tokens: list[str]) -> list[dict[str, Any]]:
        """`CARD… SEAT PLOT` or `CARD… BUILDING`, once or more; without cards, one is chosen."""
        found: list[dict[str, Any]] = []
        cards: list[str] = []
        at = 0
        while at < len(tokens):
            spot = self._spot(tokens, at)
            if spot is None:
                cards.append(tokens[at])
                at += 1
                continue
            at += spot[2]
            found += [
                {"spot": spot[:2], "place": self.place(card) if card else -1}
                for card in cards or [""]
            ]
            cards = []
        if cards or not found:
            if len(cards) > 1 and cards[-1].isdecimal() and cards[-2] not in self.st.seats:
                seats = ", ".join(self.st.seats)
                raise NotUnderstood(
                    f"there is no seat {plays.short(cards[-2])!r}", f"seats: {seats}"
                )
            for card in cards:
                if card not in self.st.seats:
                    self.place(card)
            rest = f"work {' '.join(map(plays.short, cards))}".strip()
            rows = choices.listing(self.st, self.seat, self.letters)
            rows = [row for row in rows if row.play.startswith("work") and not row.exact]
            raise Incomplete(f"{rest} on which building?", "", rows)
        return found

    def _spot(self, tokens: list[str], at: int) -> tuple[int, int, int] | None:
        """(seat, plot, how many words) of the building that is named here, if one is."""
        token = tokens[at]
        if token in self.st.seats and at + 1 < len(tokens):
            following = tokens[at + 1]
            if following.isdigit() or token not in self.places:
                owner = self.st.seats.index(token)
                return owner, self._plot(following, owner), 2
        if token in self.places or token in self.held:
            return None
        named = [name for name in self.spots if name.startswith(token)]
        if token in self.spots or (len(named) == 1 and len(token) > 2):
            held = [name for name in self.held if name.startswith(token)]
            if token in self.spots or not held:
                return (*self.spots[token if token in self.spots else named[0]], 1)
        return None

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
        """What is complete once each worker has a card: all ways for one worker, else one way."""
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
        return choices.exact(self.st, self.seat, legal, self.letters)

    def _completed(self, sold: tuple[int, ...], steps: tuple[Action, ...]) -> Action | None:
        """The turn with the workers that its one build lacks; Incomplete if there are choices."""
        st, seat = self.st, self.seat
        builds = [step for step in steps if len(step) == 1]
        if len(builds) != 1 or (sold and turn.refuse_sales(st, seat, sold)):
            return None
        if turn.empties(st, seat, sold):
            return None
        walk = Walk(st, seat, sold)
        place = builds[0][0]
        if walk.refuse(steps[:-1]) or walk.used >> place & 1 or walk.rows >= st.limit:
            return None
        found = choices.paid(st, seat, place, walk, MOST)
        if not found:
            return None
        spare = Mind(st, seat).spare(walk.used | 1 << place)
        whole = [(sold, (*steps[:-1], *more)) for more in found]
        if len(found) == len(spare) == 1:
            return whole[0]
        name = st.cards.names[st.hand[seat][place]]
        lacks = st.cards.told(st.cards.missing(walk.pool, st.cards.cost[st.hand[seat][place]]))
        raise Incomplete(
            f"{name} needs {lacks} more here: which workers bring it?",
            "name them, or take one of these plays; other hand cards can do the same work",
            choices.exact(st, seat, whole, self.letters),
        )
