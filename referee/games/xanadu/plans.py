"""The language of Xanadu's plans: its grammar as data, and what its wishes ask for.

    turn: work any ben 2 build mint if at ben 2 price 3 workers 1, else build mint barracks
    always after: build any, else pass
    opening: any

A wish for a turn holds as the table stood when it was written: its author's program adds a test of
price and workers for every building that it touches, unless the author has said `if anyway`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from referee.games.errors import NotUnderstood
from referee.games.grammar import Item, Numbers, Vocabulary
from referee.games.interface import Rules, View
from referee.games.plans import (
    Language,
    Moment,
    PlanClause,
    Subject,
    Wish,
    contradiction,
    lettered,
    phrases,
    repeated,
)
from referee.games.values import Offer
from referee.games.xanadu import choices, flow, opening
from referee.games.xanadu.deck import Deck
from referee.games.xanadu.flow import Action
from referee.games.xanadu.greedy import Mind
from referee.games.xanadu.state import KIND_NAMES, TURN, State
from referee.games.xanadu.turn import Walk, leaves_nothing
from referee.games.xanadu.view import XanaduView

ANY = "any"
_ANYWAY = (Item("", "anyway"),)
_GUARD = 7
"""The number of words in a test of a building, and in no other one."""
_STEPS = "work WORKER {SEAT PLOT | at CARD} | build BUILT…"
_LEAST = "[least NUMBER]"

Spot = tuple[int, int]
"""A seat and one of its plots."""


def _subjects() -> list[Subject]:
    return [
        Subject(
            "opening",
            ("opening", "reset"),
            ("(open) OPENED…",),
            "the cards you begin with, in order, within the colours that the rules want",
            ("open", "reset"),
        ),
        Subject(
            "turn",
            ("turn",),
            (
                f"sell dearest [most NUMBER] {_LEAST} [{_STEPS}]…",
                f"sell {{PLOT | CARD}}… {_LEAST} [{_STEPS}]…",
                f"{{{_STEPS}}}…",
                "pass",
            ),
            "a whole turn in its order; `sell dearest` sells one building, or as many as `most` "
            "says; of several cards to build the first that can be paid, with workers added where "
            "they are needed; `at` names a building instead of seat and plot",
            passes=True,
        ),
        Subject(
            "after",
            ("after",),
            (f"{{{_STEPS}}}…", "pass"),
            "the rest of a turn whose sales left no building on the table",
            passes=True,
        ),
    ]


class XanaduLanguage(Language[XanaduView]):
    """The language of plans of one deck and its seats."""

    tests: ClassVar[Mapping[str, str]] = {
        "at SEAT PLOT price COUNT workers COUNT": "the building stands as it did",
        "anyway": "whatever has changed",
        "NUMBER cards": "you hold so many cards or more",
        "under NUMBER cards": "you hold fewer",
        "NUMBER coins": "you have so many tong bao or more",
        "under NUMBER coins": "you have fewer",
        "hold CARD": "the card is in your hand",
        "own CARD": "you have the building",
        "last-pass": "the last pass of the pile has begun",
    }

    def __init__(self, rules: Rules, seats: Sequence[str], cards: Deck, advanced: bool) -> None:
        names = cards.names[: cards.total]
        titles = [title.lower().replace(" ", "-") for title in cards.titles]
        written = dict(zip(titles, names, strict=True))
        aliases = written | {name.replace("-", ""): name for name in names}
        vocabularies = {
            "CARD": Vocabulary(names, aliases, called="card", about="a card"),
            "BUILT": _cards(names, aliases, ANY),
            "WORKER": _cards(names, aliases, ANY),
            "OPENED": _cards(names, aliases, *cards.colours, ANY),
            "SEAT": Vocabulary(seats, called="seat"),
            "PLOT": Numbers(1, 999),
            "NUMBER": Numbers(1, 999),
            "COUNT": Numbers(0, 99),
        }
        super().__init__(rules, seats, _subjects(), vocabularies)
        self.turn_kind = KIND_NAMES[TURN]
        self._cards = cards
        self._seats = tuple(seats)
        self._advanced = advanced

    # Wishes that can never be fulfilled.

    def _never(self, subject: str, wish: Wish) -> str:
        if wish.form in ("play", "best", "ask"):
            return ""
        said = phrases(wish.items)
        workers = [names[0] for word, names in said if word == "work" and names[0] != ANY]
        lists = [names for word, names in said if word in ("build", "sell", "open")]
        for names in (*lists, workers):
            twice = repeated(names)
            if twice:
                return f"{twice} is named twice"
        builds = [names for word, names in said if word == "build"]
        if len(builds) > 1 and not self._advanced:
            return "one building a turn, and this wish has several: name them after one `build`"
        for names in builds:
            if set(names) <= set(workers):
                return f"{names[0]} cannot be built and work"
        return ""

    def _idle(self, subject: str, wish: Wish) -> str:
        return contradiction(wish.tests, ("cards", "coins"), (("hold", "own"),))

    # As the table stands.

    def _as_it_stands(self, clause: PlanClause, view: XanaduView) -> PlanClause:
        if clause.subject not in ("turn", "after"):
            return clause
        wishes = tuple(self._guarded(wish, view, clause.always) for wish in clause.wishes)
        return clause._replace(wishes=wishes)

    def _guarded(self, wish: Wish, view: XanaduView, always: bool) -> Wish:
        if wish.form not in ("sell", "work", "build"):
            return wish
        sold, worked = self._touched(wish, view)
        for owner, plot in worked:
            if (owner, plot) in sold:
                raise NotUnderstood(f"plot {plot} is sold before anybody works there")
        if _ANYWAY in wish.tests:
            return wish
        tests = list(wish.tests)
        st = view.state
        # The least price of a sale is a guard by itself.
        least = any(item == ("", "least") for item in wish.items)
        for owner, plot in dict.fromkeys([*([] if least else sold), *worked]):
            name = self._seats[owner]
            if any(test[:3] == _at(name, plot) for test in tests):
                continue
            if plot not in st.city[owner]:
                there = ", ".join(map(str, st.city[owner])) or "none"
                raise NotUnderstood(
                    f"{name} has no building on plot {plot} now",
                    f"plots of {name}: {there}; or say `if anyway`",
                )
            if always:
                raise NotUnderstood(
                    f"plot {plot} of {name} will not stand for long as it does now",
                    "say `if anyway`, or leave `always` away",
                )
            building = st.city[owner][plot]
            tests.append(
                (
                    *_at(name, plot),
                    Item("", "price"),
                    Item("COUNT", str(st.price(building))),
                    Item("", "workers"),
                    Item("COUNT", str(len(building[1]))),
                )
            )
        return wish._replace(tests=tuple(tests))

    def _touched(self, wish: Wish, view: XanaduView) -> tuple[list[Spot], list[Spot]]:
        """Return the buildings that a wish names to sell, and those to work on."""
        sold: list[Spot] = []
        worked: list[Spot] = []
        for word, names in phrases(wish.items):
            if word == "sell":
                spots = [
                    (view.index, int(name)) if name.isdecimal() else self._spot(name, wish, view)
                    for name in names
                ]
                sold += [spot for spot in spots if spot is not None]
            elif word == "at":
                spot = self._spot(names[0], wish, view)
                worked += [spot] if spot is not None else []
            elif word == "work" and len(names) == 3:
                worked.append((self._seats.index(names[1]), int(names[2])))
        return sold, worked

    def _spot(self, name: str, wish: Wish, view: XanaduView) -> Spot | None:
        """Return where a card stands; None where the wish has a guard of its own against that."""
        found = _standing(view.state, name)
        own = (Item("", "own"), Item("CARD", name))
        if found is None and _ANYWAY not in wish.tests and own not in wish.tests:
            raise NotUnderstood(f"no {name} stands on the table now", "or say `if anyway`")
        return found

    def renewed(self, clauses: Sequence[str], view: View) -> list[str]:
        """Return older clauses with buildings tested as they stand now, without what is gone."""
        assert isinstance(view, XanaduView)
        found: list[str] = []
        for text in clauses:
            clause = self.parse(text)
            if clause.always:
                found.append(text)
                continue
            wishes = [wish for old in clause.wishes for wish in self._fresh(old, view)]
            if wishes:
                found.append(str(clause._replace(wishes=tuple(dict.fromkeys(wishes)))))
        return found

    def _fresh(self, wish: Wish, view: XanaduView) -> list[Wish]:
        tests = tuple(test for test in wish.tests if len(test) != _GUARD)
        try:
            return [self._guarded(wish._replace(tests=tests), view, always=False)]
        except NotUnderstood:
            return []

    def follows(self, view: View, play: str) -> str:
        """Return `opening` where sales leave nothing on the table, so that all begin anew."""
        assert isinstance(view, XanaduView)
        sells = tuple(int(word) for word in play.split(" ")[1:] if word.isdecimal())
        begins = play.startswith("sell ") and leaves_nothing(view.state, view.index, sells)
        return "opening" if begins else ""

    # Answers.

    def _play(self, wish: Wish, view: XanaduView, living: Sequence[PlanClause]) -> str:
        st, seat = view.state, view.index
        said = phrases(wish.items)
        opens = flow.is_opening(st)
        action = _opening(st, seat, said[0][1]) if opens else _turn(st, seat, said)
        return "" if action is None else view.play_of(action)

    def _holds(self, test: tuple[Item, ...], view: XanaduView) -> bool:
        st, seat = view.state, view.index
        words = [item.text for item in test]
        if len(test) == _GUARD:
            owner, plot = self._seats.index(words[1]), int(words[2])
            building = st.city[owner].get(plot)
            return building is not None and (st.price(building), len(building[1])) == (
                int(words[4]),
                int(words[6]),
            )
        if words[-1] in ("cards", "coins"):
            count = len(st.hand[seat]) if words[-1] == "cards" else st.coins[seat]
            return count < int(words[1]) if words[0] == "under" else count >= int(words[0])
        if words[0] == "hold":
            return st.cards.number[words[1]] in st.hand[seat]
        if words[0] == "own":
            spot = _standing(st, words[1])
            return spot is not None and spot[0] == seat
        return st.buried if words == ["last-pass"] else True

    def suggest(self, view: View) -> list[str]:
        """Return what the table's bot would write: its next turn, if that were now."""
        assert isinstance(view, XanaduView)
        lines = ["opening: best", "after: best"]
        for moment in self._moments(view):
            if moment.question == "turn":
                turn = _written(moment.view)
                lines.append(f"turn: {turn}" if turn == "pass" else f"turn: {turn}, else best")
        try:
            return self.read(lines, view)
        except NotUnderstood:
            # The cards of a deck that a table brought can have names too long for a clause.
            return self.read([*lines[:2], "turn: best"], view)

    def _moments(self, view: XanaduView) -> Iterator[Moment[XanaduView]]:
        """Yield what is asked now, or the seat's next turn as if it were now."""
        if view.decision is not None:
            yield from super()._moments(view)
        elif any(view.state.city):
            then = view.state.copy()
            then.kind, then.active, then.actor = TURN, view.index, view.index
            then.asked = 1 << view.index
            yield Moment("turn", XanaduView(then, view.seat, lettered(view.hand)))

    def _listed(self, subject: Subject, view: XanaduView) -> Offer | None:
        st, seat, name = view.state, view.index, subject.name
        opens = name == "opening"
        # There is no other opening before all have lost their buildings.
        if opens and any(st.city) and not flow.is_opening(st):
            return None
        held = [st.cards.names[card] for card in st.hand[seat]]
        wishes = []
        if name == "turn":
            turns = [_written(one.view) for one in self._moments(view) if one.question == name]
            wishes = [turn for turn in turns if turn != "pass" and self._is_read(turn, view)]
            wishes += ["sell dearest build any", "sell dearest"]
        return Offer(name, "open" if opens else "build", (ANY, *held), tuple(wishes), ())

    def _is_read(self, turn: str, view: XanaduView) -> bool:
        try:
            return bool(self.read([f"turn: {turn}"], view))
        except NotUnderstood:
            return False


def _written(view: XanaduView) -> str:
    """Return the bot's turn as a wish."""
    words: list[str] = []
    held = {card.letter: card.name for card in view.hand}
    after_work = False
    for word in view.suggest().split():
        words.append(held[word] if after_work else word)
        after_work = word == "work"
    return " ".join(words)


def _cards(names: Sequence[str], aliases: Mapping[str, str], *more: str) -> Vocabulary:
    about = f"a card, or {', '.join(more)}"
    return Vocabulary([*names, *more], aliases, called="card", about=about)


def _at(name: str, plot: int) -> tuple[Item, ...]:
    return Item("", "at"), Item("SEAT", name), Item("PLOT", str(plot))


def _standing(st: State, name: str) -> Spot | None:
    """Return where a card stands as a building."""
    number = st.cards.number[name]
    for owner, city in enumerate(st.city):
        for plot, (card, _) in city.items():
            if card == number:
                return owner, plot
    return None


def _opening(st: State, seat: int, marks: Sequence[str]) -> Action | None:
    """Return the first cards of the list that the rules let the seat begin with."""
    mind = Mind(st, seat)
    hand, have = st.hand[seat], opening.ranks(st, seat)
    best = sorted(range(len(hand)), key=lambda place: (-mind.worth(hand[place], 0), place))
    order: list[int] = []
    for mark in marks:
        if mark == ANY:
            order += best
        elif mark in st.cards.colours:
            order += [place for place in best if have[place] == st.cards.colours.index(mark)]
        elif st.cards.number[mark] in hand:
            order.append(hand.index(st.cards.number[mark]))
    chosen: list[int] = []
    for colour in sorted(have)[: opening.lay_count(st, seat)]:
        fitting = [place for place in order if have[place] == colour and place not in chosen]
        if not fitting:
            return None
        chosen.append(fitting[0])
    return tuple(sorted(chosen))


def _turn(st: State, seat: int, said: Sequence[tuple[str, list[str]]]) -> Action | None:
    """Return the turn that a wish describes, with the workers that it leaves open."""
    asked = dict(said)
    sells = _sold(st, seat, asked) if asked.keys() & {"sell", "dearest"} else ()
    if sells is None:
        return None
    walk = Walk(st, seat, sells)
    named = _places(st, seat, _hand_cards(said))
    steps: list[Action] = []
    for number, (word, names) in enumerate(said):
        row: tuple[Action, ...] | None = ()
        if word == "work":
            spot = names[1:] or said[number + 1][1]
            row = _work(walk, names[0], spot, named)
        elif word == "build":
            row = _build(walk, names, named)
        if row is None:
            return None
        steps += row
    return (sells, tuple(steps)) if sells or steps else None


def _hand_cards(said: Sequence[tuple[str, list[str]]]) -> list[str]:
    """Return the cards that a wish names to work or to be built."""
    workers = [names[0] for word, names in said if word == "work"]
    return workers + [name for word, names in said if word == "build" for name in names]


def _places(st: State, seat: int, names: Sequence[str]) -> int:
    """Return the places (as mask) of those of the cards that the seat holds."""
    numbers = {st.cards.number[name] for name in names if name != ANY}
    return sum(1 << place for place, card in enumerate(st.hand[seat]) if card in numbers)


def _sold(st: State, seat: int, asked: Mapping[str, list[str]]) -> tuple[int, ...] | None:
    city = st.city[seat]
    least = int(asked["least"][0]) if "least" in asked else 0
    if "dearest" in asked:
        most = int(asked["most"][0]) if "most" in asked else 1
        order = sorted(city, key=lambda plot: (-st.price(city[plot]), plot))
        found = [plot for plot in order if st.price(city[plot]) >= least][:most]
        return tuple(sorted(found)) or None
    plots: list[int] = []
    for name in asked["sell"]:
        spot = (seat, int(name)) if name.isdecimal() else _standing(st, name)
        if spot is None or spot[0] != seat or spot[1] not in city:
            return None
        plots.append(spot[1])
    if any(st.price(city[plot]) < least for plot in plots):
        return None
    return tuple(sorted(set(plots)))


def _work(walk: Walk, worker: str, spot: Sequence[str], named: int) -> tuple[Action, ...] | None:
    """Return the step of a worker, taken on the walk; None where it is not possible."""
    st, hand = walk.st, walk.st.hand[walk.seat]
    if len(spot) == 2:
        where: Spot | None = (st.seats.index(spot[0]), int(spot[1]))
    else:
        where = _standing(st, spot[0])
    if worker == ANY:
        spare = Mind(st, walk.seat).spare(walk.used | named)
    else:
        spare = [place for place, card in enumerate(hand) if card == st.cards.number[worker]]
    if where is None or not spare:
        return None
    step = (spare[0], *where)
    return None if walk.refuse((step,)) else (step,)


def _build(walk: Walk, names: Sequence[str], named: int) -> tuple[Action, ...] | None:
    """Return the steps that build the first card that can be paid, taken on the walk."""
    st, hand = walk.st, walk.st.hand[walk.seat]
    for place in _candidates(walk, names):
        lent = walk.copy()
        # Cards that the wish names do not work before others are there to do it.
        lent.used |= named & ~(1 << place)
        rows: list[tuple[Action, ...]] = [((place,),)]
        if walk.rows < st.city_limit and not st.cards.covers(walk.pool, st.cards.cost[hand[place]]):
            rows = choices.payments(st, walk.seat, place, lent, 1)
        for row in rows:
            if not walk.copy().refuse(row):
                walk.refuse(row)
                return row
    return None


def _candidates(walk: Walk, names: Sequence[str]) -> list[int]:
    st, hand = walk.st, walk.st.hand[walk.seat]
    mind = Mind(st, walk.seat)
    found: list[int] = []
    for name in names:
        if name == ANY:
            found += sorted(
                range(len(hand)),
                key=lambda place: (mind.hold(hand[place]) - mind.worth(hand[place], 0), place),
            )
        elif st.cards.number[name] in hand:
            found.append(hand.index(st.cards.number[name]))
    return [place for place in dict.fromkeys(found) if not walk.used >> place & 1]
