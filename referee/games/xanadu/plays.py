"""Plays as text: one grammar from which parsing, rendering and the help come.

    open LETTER [LETTER]
    [sell PLOT…] {work LETTER SEAT PLOT | build CARD}…
    pass

Letters of an opening and plots sold ascend; workers and builds take effect in the order given.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.games.errors import GameError, Illegal, NotUnderstood
from referee.games.flat import letter_order, shortened
from referee.games.xanadu import flow, opening
from referee.games.xanadu.flow import Action
from referee.games.xanadu.state import AFTER, FULL, State

OPEN_USAGE = "open LETTER…"
TURN_USAGE = "[sell PLOT…] [work LETTER SEAT PLOT | build CARD]…, or pass"
AFTER_USAGE = "[work LETTER SEAT PLOT | build CARD]…, or pass"
_PLOTS = {str(plot): plot for plot in range(1, 1000)}


def usage(st: State) -> str:
    """Return the form of the plays that are asked for."""
    if flow.is_opening(st):
        return OPEN_USAGE
    return AFTER_USAGE if st.kind == AFTER else TURN_USAGE


def not_understood(st: State, text: str) -> NotUnderstood:
    """Return the error for a text that is not a play, with the form that it should have."""
    return NotUnderstood(text, f"a play here is: {usage(st)}")


def parse(st: State, seat: int, text: str, letters: Sequence[str]) -> Action:
    """Parse a canonical play; `letters[i]` is the letter of the i-th card of the hand.

    Raises NotUnderstood unless the text is canonical, Illegal when it names a card, a seat or a
    plot that is not there.
    """
    if flow.is_opening(st):
        return _parse_opening(st, text, letters)
    if text == "pass":
        return ()
    words = text.split(" ")
    at = 0
    sells: list[int] = []
    if words[0] == "sell":
        at = 1
        while at < len(words) and words[at] in _PLOTS:
            sells.append(_PLOTS[words[at]])
            at += 1
        if not sells:
            raise not_understood(st, "sell must be followed by PLOT")
        if sells != sorted(set(sells)):
            raise NotUnderstood("plots must ascend, each named once")
    steps: list[Action] = []
    while at < len(words):
        if words[at] == "work" and at + 3 < len(words):
            steps.append(_worker(st, words[at + 1 : at + 4], letters))
            at += 4
        elif words[at] == "build" and at + 1 < len(words):
            steps.append((_held(st, seat, words[at + 1]),))
            at += 2
        elif words[at] in ("work", "build"):
            raise not_understood(st, f"{words[at]} is not complete")
        else:
            raise not_understood(st, f"{shortened(words[at])!r} is not part of this answer")
    return tuple(sells), tuple(steps)


def _parse_opening(st: State, text: str, letters: Sequence[str]) -> Action:
    words = text.split(" ")
    named = words[1:]
    if words[0] != "open" or not named:
        raise not_understood(st, "here you name a card to begin with")
    if named != sorted(set(named), key=letter_order):
        raise NotUnderstood("letters must ascend, each named once")
    return tuple(sorted(_place(st, word, letters) for word in named))


def _place(st: State, word: str, letters: Sequence[str]) -> int:
    if word in letters:
        return letters.index(word)
    raise no_letter(st, word)


def no_letter(st: State, word: str) -> GameError:
    """Return the error for a word that stands in place of a letter."""
    if len(word) < 3 and word.isascii() and word.isalpha() and word.islower():
        return Illegal(f"you hold no card {word}")
    return not_understood(st, f"{shortened(word)!r} is not a letter")


def _worker(st: State, words: Sequence[str], letters: Sequence[str]) -> Action:
    card, seat, plot = words
    place = _place(st, card, letters)
    if seat not in st.seats:
        raise NotUnderstood(
            f"there is no seat {shortened(seat)!r}", f"seats: {', '.join(st.seats)}"
        )
    if plot not in _PLOTS:
        raise not_understood(st, f"{shortened(plot)!r} is not a plot")
    return place, st.seats.index(seat), _PLOTS[plot]


def _held(st: State, seat: int, name: str) -> int:
    """Return the place in the hand of a card that is named."""
    number = st.cards.number.get(name, -1)
    if number < 0:
        raise NotUnderstood(f"there is no card {shortened(name)!r}")
    if number not in st.hand[seat]:
        raise Illegal(f"you hold no {name}")
    return st.hand[seat].index(number)


def render(st: State, seat: int, action: Action, letters: Sequence[str]) -> str:
    """Return the canonical play of an action."""
    if flow.is_opening(st):
        return " ".join(["open", *sorted((letters[place] for place in action), key=letter_order)])
    if not action:
        return "pass"
    sells, steps = action
    words = ["sell", *map(str, sells)] if sells else []
    for step in steps:
        if len(step) == 1:
            words += ["build", st.cards.names[st.hand[seat][step[0]]]]
        else:
            place, owner, plot = step
            words += ["work", letters[place], st.seats[owner], str(plot)]
    return " ".join(words)


def spent_places(st: State, action: Action) -> list[int]:
    """Return the places of the hand cards that a legal action takes out of the hand."""
    if flow.is_opening(st):
        return list(action)
    return sorted(step[0] for step in action[1]) if action else []


def may_answer(st: State, seat: int) -> tuple[str, ...]:
    """Return the answers open to the seat, as far as everybody knows them."""
    if flow.is_opening(st):
        return (" ".join(["open", *["LETTER"] * opening.lay_count(st, seat)]),)
    rows: list[str] = []
    if st.kind != AFTER and st.city[seat]:
        rows.append(f"sell any of {_spots(st.city[seat])}")
    for owner, city in enumerate(st.city):
        free = [plot for plot, (_, crew) in city.items() if len(crew) < FULL]
        if free and st.hand[seat]:
            rows.append(f"work LETTER {st.seats[owner]} {_spots(free)}")
    if st.hand[seat]:
        rows.append("build CARD")
    return (*rows, "pass")


def _spots(plots: Iterable[int]) -> str:
    return " ".join(map(str, plots))
