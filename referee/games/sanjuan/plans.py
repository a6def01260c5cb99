"""The language of San Juan's plans: its grammar as data, for one rule set.

rank: palace library guild-hall
builder: build rank, else pass if under 4 cards
always trader: sell dearest least 2, else pass
role: builder if afford library, else trader if 2 goods, else prospector
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from referee.games.grammar import Item, Numbers, Vocabulary, render
from referee.games.interface import Rules, View
from referee.games.plans import (
    SUBJECT,
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
from referee.games.sanjuan import (
    advice,
    builder,
    events,
    producer,
    prospector,
    roles,
    round_start,
    trader,
)
from referee.games.sanjuan.cards import (
    ALIASES,
    CITY,
    EVENTS,
    KINDS,
    NAMES,
    PRICES,
    PRODUCTION,
    TILES,
    Cards,
    name_of,
)
from referee.games.sanjuan.state import (
    BUILD,
    BUILDER,
    CHOICE,
    EMPTY,
    PRODUCE,
    PRODUCER,
    ROLE,
    ROLES,
    ROUND_START,
    SELL,
    TIDY,
    TRADER,
    VISIT,
    State,
)
from referee.games.sanjuan.view import SanJuanView
from referee.games.sanjuan.wishes import (
    CHEAPEST,
    DEAREST,
    GROUPS,
    RANK,
    WORST,
    fulfilled,
    goods_of,
    holds,
)
from referee.games.values import OTHERS, OWN, Offer

MAX_SUGGESTED, BESIDE, LINES = 920, 6, 6
"""The most characters of a suggested plan, those that each line costs besides its own, and the most
lines besides those of the bot."""
_BY_COST = (DEAREST, CHEAPEST)
_WHOLE = {RANK, WORST, DEAREST, CHEAPEST}
"""Marks that stand for all cards there are."""
_OPPOSITES = (("after", "before"), ("own", "no"))
_PHASES = {name: name for name in ROLES} | {"mine": "prospector"}
"""The role whose phase puts the question of a subject."""
_OFFICE = [KINDS["office-building"]]


def _subjects(cards: Cards) -> list[Subject]:
    """Return the subjects of a rule set, in the order in which their questions come up.

    There is none for the draft: the deal asks for it, and a plan holds from the next question on.
    """
    has_events = bool(cards.events())
    banks = cards.deals(KINDS["bank"])
    visits = "VISIT ROLE [no-library] | EVENT | " if has_events else ""
    bank, discard = "bank NUMBER GIVEN…", "discard GIVEN…"
    tidy = [f"chapel GIVEN… [{bank}] [{discard}]", f"{bank} [{discard}]"]
    if not banks:
        tidy = [f"chapel GIVEN… [{discard}]"]
    found = [
        Subject(
            "rank",
            (),
            ("RANKED…",),
            "the cards you like best, in order: what `rank` means, and what pays last",
        ),
        Subject(
            "role",
            ("role",),
            (f"{{{visits}ROLE [no-library]}}…",),
            "the first that can be taken; no-library keeps the library for later",
            idle=("role", "event"),
        ),
        Subject(
            "builder",
            ("build",),
            (
                "(build) BUILT… [over COVERED…] [goods] [save CARD…] [pay GIVEN…] "
                "[decline DISCOUNT…]",
                "pass",
            ),
            "the first that you can pay; those to pay go first, then the cards you would miss "
            "least, never those to save; goods may help through a black market",
            ("build",),
            passes=True,
        ),
        Subject(
            "producer",
            ("produce",),
            ("(produce) PLANT…",),
            "which plants get goods, in order, if there are as many as you have to fill",
            ("produce",),
        ),
        Subject(
            "trader",
            ("sell",),
            ("(sell) GOOD… [most NUMBER] [least NUMBER] [save GOOD…]", "pass"),
            "what is sold, in order, as much as you may: at most so many goods, and none for less "
            "than so many cards",
            ("sell",),
            passes=True,
        ),
        Subject(
            "councillor",
            ("keep",),
            ("(keep) KEPT…",),
            "what you keep, in order, if there is enough of it",
            ("keep",),
        ),
        Subject(
            "tidy",
            ("tidy",),
            (*tidy, discard, "pass"),
            "what goes under the chapel at the start of a round, and what is over the hand limit",
        ),
    ]
    if any(cards.deals(kind) for kind in _OFFICE):
        found.append(
            Subject(
                "office",
                ("office",),
                ("(discard) GIVEN… [most NUMBER]", "pass"),
                "what you exchange through the office building, as many as you may",
                ("office-building",),
                passes=True,
            )
        )
    if cards.edition in prospector.CHOSEN:
        found.append(
            Subject(
                "mine",
                ("mine",),
                ("(take) KEPT…",),
                "which of the cards turned over you take",
                ("gold-mine", "take", "prospector"),
            )
        )
    if has_events:
        found += [
            Subject("earthquake", ("earthquake",), ("(lose) LOST…",), "the building that falls"),
            Subject("taxes", ("taxes",), ("(discard) GIVEN…",), "the card you give up"),
            Subject(
                "amnesty",
                ("amnesty",),
                ("(discard) GIVEN… [most NUMBER]", "pass"),
                "the cards you exchange: all that are named, or at most so many",
                ("general-amnesty",),
                passes=True,
            ),
            Subject(
                "free-build",
                ("free-build",),
                ("(build) FREE…", "pass"),
                "the first that you hold",
                passes=True,
            ),
        ]
    return found


_ELSEWHERE = {
    "office": "there is no office building in this game: it comes with new-buildings",
    "mine": f"a gold mine's card is chosen only in the edition {prospector.CHOSEN[0]}",
    **dict.fromkeys(
        ("earthquake", "taxes", "amnesty", "free-build"), "there are no events in this game"
    ),
}
"""Subjects that not all rule sets have, and why."""


def _vocabularies(cards: Cards) -> dict[str, Vocabulary]:
    own = [name for name, kind in KINDS.items() if cards.first[kind] >= 0]
    dealt = [NAMES[kind] for kind in cards.dealt]
    absent = {
        name: f"there is no {name} in this game: it comes with new-buildings"
        for name in NAMES
        if name not in own
    }
    absent |= {alias: absent[name] for alias, name in ALIASES.items() if name in absent}
    aliases = {name.replace("-", ""): name for name in own if "-" in name}
    aliases |= ALIASES | {"last": WORST, "dear": DEAREST, "cheap": CHEAPEST}
    beside = {
        name: f"nobody holds the {name}: it lies beside the deck"
        for name in own
        if name not in dealt
    }

    def cards_of(names: Sequence[str], *more: str, **elsewhere: str) -> Vocabulary:
        others = {name: f"the {name} does not fit here" for name in own if name not in names}
        about = f"a card, or {', '.join(more)}" if more else "a card"
        known = absent | others | {name: why for name, why in beside.items() if name not in names}
        return Vocabulary([*names, *more], aliases, known | elsewhere, "card", about)

    plants = [NAMES[kind] for kind in range(len(NAMES)) if PRODUCTION >> kind & 1]
    goods = [NAMES[kind] for kind in goods_of(cards.first)]
    free = [name for name in dealt if cards.cost[KINDS[name]] <= events.FREE]
    covered = [name for name in own if name != "crane"]
    found = {
        "RANKED": cards_of(dealt, *GROUPS),
        "BUILT": cards_of(own, *GROUPS, RANK, *_BY_COST),
        "KEPT": cards_of(dealt, *GROUPS, RANK, *_BY_COST),
        "GIVEN": cards_of(dealt, *GROUPS, WORST, *_BY_COST),
        "LOST": cards_of(own, *GROUPS, WORST, *_BY_COST),
        "FREE": cards_of(
            free,
            *GROUPS,
            RANK,
            *_BY_COST,
            **{
                name: f"the {name} costs {cards.cost[KINDS[name]]}: no more than {events.FREE} "
                "is free"
                for name in dealt
                if name not in free
            },
        ),
        "COVERED": cards_of(
            covered, WORST, *_BY_COST, crane="a crane cannot be built over a crane"
        ),
        "CARD": cards_of(own),
        "DEALT": cards_of(dealt),
        "PLANT": _goods(plants, own, aliases, "make no good"),
        "GOOD": _goods(goods, own, aliases, "have no good to sell"),
        "ROLE": Vocabulary(ROLES, called="role"),
        "DISCOUNT": Vocabulary(builder.discounts(), called="discount"),
        "NUMBER": Numbers(1, 60),
    }
    if cards.events():
        found["EVENT"] = Vocabulary(EVENTS[:VISIT], called="event")
        found["VISIT"] = Vocabulary(EVENTS[VISIT:], called="event")
    return found


def _goods(
    names: Sequence[str], own: Sequence[str], aliases: Mapping[str, str], why: str
) -> Vocabulary:
    others = {name: f"a {name} would {why}" for name in own if name not in names}
    return Vocabulary([*names, *_BY_COST], aliases, others, "good")


_NEEDS = {"office": "office-building", "mine": "gold-mine"}
"""The building without which a question is never put to a seat."""

_LISTS: dict[str, tuple[str, tuple[str, ...], str, bool]] = {
    "builder": ("build", _BY_COST, "BUILT", True),
    "producer": ("produce", _BY_COST, "PLANT", False),
    "trader": ("sell", _BY_COST, "GOOD", False),
    "councillor": ("keep", (*_BY_COST, *GROUPS), "", False),
    "tidy": ("discard", (WORST, CHEAPEST), "", False),
    "office": ("discard", (WORST, CHEAPEST), "", False),
    "mine": ("take", (*_BY_COST, *GROUPS), "", False),
    "earthquake": ("lose", (WORST, CHEAPEST), "LOST", False),
    "taxes": ("discard", (WORST, CHEAPEST), "GIVEN", True),
    # Nobody is to give the whole hand by two taps.
    "amnesty": ("", (), "", False),
    "free-build": ("build", _BY_COST, "FREE", True),
}
"""By subject what can be chosen from: the word of a wish, what may follow it in any case, and the
vocabulary of what else may, of the hand or (False) of the city."""


class SanJuanLanguage(Language[SanJuanView]):
    """The language of plans of one rule set."""

    tests: ClassVar[Mapping[str, str]] = {
        "NUMBER cards": "you hold so many cards or more",
        "under NUMBER cards": "you hold fewer",
        "NUMBER goods": "you have so many goods or more",
        "under NUMBER goods": "you have fewer",
        "NUMBER buildings": "some seat has so many buildings or more",
        "under NUMBER buildings": "no seat has so many",
        "after ROLE": "the role is taken in this round",
        "before ROLE": "it is not taken yet",
        "own CARD": "you have the building",
        "no CARD": "you do not have it",
        "hold DEALT": "the card is in your hand",
        "afford CARD": "you could build it now, as the builder where you choose a role",
    }

    def __init__(self, rules: Rules, seats: Sequence[str], cards: Cards) -> None:
        subjects = _subjects(cards)
        own = {subject.name for subject in subjects}
        elsewhere = {name: why for name, why in _ELSEWHERE.items() if name not in own}
        played = [*ROLES, *builder.discounts(), *(EVENTS if cards.events() else ())]
        super().__init__(rules, seats, subjects, _vocabularies(cards), elsewhere, played)
        self._goods = {
            NAMES[kind]: max(trader.good_price(kind, prices) for prices in PRICES)
            for kind in goods_of(cards.first)
        }

    def _play(self, wish: Wish, view: SanJuanView, living: Sequence[PlanClause]) -> str:
        rank = [
            item.text
            for clause in living
            if clause.subject == RANK
            for item in clause.wishes[0].items
        ]
        action = fulfilled(view.state, view.index, wish.items, list(dict.fromkeys(rank)))
        return "" if action is None else view.play_of(action)

    def _holds(self, test: tuple[Item, ...], view: SanJuanView) -> bool:
        return holds(view.state, view.index, test)

    def _never(self, subject: str, wish: Wish) -> str:
        if wish.form not in ("play", "best", "ask") and subject != "role":
            for word, names in phrases(wish.items):
                twice = repeated(names)
                if twice:
                    return f"{word or subject} names {twice} twice"
            said = dict(phrases(wish.items))
            both = [name for name in said.get("save", ()) if name in said.get("pay", ())]
            if both:
                return f"{both[0]} cannot both pay and be saved"
        reason = contradiction(wish.tests, ("cards", "goods", "buildings"), _OPPOSITES)
        if reason or subject != "role":
            return reason
        used = {test[1].text for test in wish.tests if test[0].text == "after"}
        roles = [item for item in wish.items if item.what in ("ROLE", "EVENT", "VISIT")]
        if roles and all(item.what == "ROLE" and item.text in used for item in roles):
            return f"the {roles[0].text} cannot be taken after it was taken"
        return ""

    def _idle(self, subject: str, wish: Wish) -> str:
        tests = [render(test) for test in wish.tests]
        role = _PHASES.get(subject)
        if role and f"before {role}" in tests:
            return f"the {role} is taken when this is asked, so 'before {role}' never holds"
        if "under 1 buildings" in tests:
            return "there are buildings from the deal on, so 'under 1 buildings' never holds"
        if wish.form in ("best", "ask", "play", "pass"):
            return ""
        if subject == "role":
            return _role_twice(wish)
        said = dict(phrases(wish.items))
        if subject == "builder":
            return _idle_build(said, tests)
        if subject == "trader":
            return _idle_sale(said, tests, self._goods)
        if subject == "amnesty" and "most" not in said and _WHOLE.intersection(said["discard"]):
            return "this gives your whole hand: say how many at most, such as `most 2`"
        return ""

    def _sure(self, subject: str, wish: Wish) -> bool:
        names = {item.text for item in wish.items}
        if subject == "role":
            return names >= set(ROLES)
        # Whoever is asked for some of these has enough.
        all_ = subject in ("producer", "councillor", "mine", "earthquake", "taxes")
        return (subject == "tidy" and wish.form == "discard") or (all_ and bool(names & _WHOLE))

    def suggest(self, view: View) -> list[str]:
        """Return what the table's bot would write: what it would build, and which roles take."""
        assert isinstance(view, SanJuanView)
        lines = ["trader: sell dearest, else pass"]
        told = ("trader", "builder", "role")
        lines += [f"{name}: best" for name in self._asked_subjects() if name not in told]
        lines = self.read(lines)
        room = MAX_SUGGESTED - sum(len(line) + BESIDE for line in lines) - LINES * BESIDE
        return [*self.read(advice.written(view.state, view.index, room)), *lines]

    def unfinished(self, clauses: Sequence[str]) -> str:
        """Return what a plan lacks that builds by a rank it does not have, or has nothing else."""
        read = [self.parse(text) for text in clauses]
        if read and all(clause.subject == RANK for clause in read):
            return "a rank alone answers nothing: add a line such as `builder: build rank`"
        for living in (read, [clause for clause in read if clause.always]):
            ranked = any(clause.subject == RANK for clause in living)
            for clause in living:
                by_rank = any(_builds_by_rank(wish) for wish in clause.wishes)
                if by_rank and not ranked:
                    line = "always rank:" if clause.always else "rank:"
                    return f"{clause.subject} is by rank, and no line begins with `{line}`"
        return ""

    def follows(self, view: View, play: str) -> str:
        """Return the subject of the phase or event that a choice of the seat's begins."""
        assert isinstance(view, SanJuanView)
        if view.state.kind != ROLE:
            return ""
        words = play.split(" ")
        begun = words[words.index("role" if "role" in words else "event") + 1]
        return self.vocabularies[SUBJECT].meant(begun)

    def _moments(self, view: SanJuanView) -> Iterator[Moment[SanJuanView]]:
        """Yield what is asked now or in this phase, then what a role taken next would ask."""
        yield from super()._moments(view)
        st, seat = view.state, view.index
        if not st.round or st.phase not in (CHOICE, *range(len(ROLES))):
            return
        if st.kind == BUILD and seat in _still_to_come(st):
            then = st.copy()
            then.actor, then.asked = seat, 1 << seat
            yield Moment("builder", _view(view, then))
        for role, kind in ((BUILDER, BUILD), (PRODUCER, PRODUCE), (TRADER, SELL)):
            for whose, chooser in ((OTHERS, (seat + 1) % len(st.seats)), (OWN, seat)):
                if not st.roles_used >> role & 1:
                    then = _moment(st, role, kind, chooser)
                    then.library = chooser == seat and roles.may_use_library(st, seat)
                    yield from _in_phase(view, then, role, whose)
        if view.decision is None or view.decision.kind != "role":
            then = _moment(st, CHOICE, ROLE, seat)
            yield Moment("role", _view(view, then))
        then = _moment(st, ROUND_START, TIDY, (seat + 1) % len(st.seats))
        over = len(then.hand[seat]) > round_start.hand_limit(then, seat)
        if over or any(tuck.most(then, seat) for tuck in round_start.TUCKS):
            yield Moment("tidy", _view(view, then))

    def _listed(self, subject: Subject, view: SanJuanView) -> Offer | None:
        st, seat, name = view.state, view.index, subject.name
        building = _NEEDS.get(name)
        if building is not None and not st.own_mask[seat] >> KINDS[building] & 1:
            return None
        if name == "role":
            events = self.vocabularies["EVENT"].names if "EVENT" in self.vocabularies else ()
            return Offer(name, "", (*ROLES, *events), (), ())
        word, marks, what, of_hand = _LISTS[name]
        cards = st.hand[seat] if of_hand else [card for card in st.city[seat] if card != EMPTY]
        kinds = sorted({st.cards.kind_of[card] for card in cards})
        named = [NAMES[kind] for kind in kinds if what and self.vocabularies[what].has(NAMES[kind])]
        tucks = name == "tidy" and st.own_mask[seat] >> KINDS["chapel"] & 1
        return Offer(name, word, (*marks, *named), (f"chapel {WORST}",) if tucks else (), ())


def _still_to_come(st: State) -> list[int]:
    """Return the seats that are asked after the actor where all are asked one by one."""
    count = len(st.seats)
    return [
        seat % count
        for seat in range(st.actor + 1, st.actor + count)
        if (seat - st.chooser) % count > (st.actor - st.chooser) % count
    ]


def _in_phase(
    view: SanJuanView, then: State, role: int, whose: str
) -> Iterator[Moment[SanJuanView]]:
    """Yield what a phase would ask a seat, if it asks anything."""
    seat = view.index
    if role == BUILDER:
        yield Moment("builder", _view(view, then), whose)
    elif role == PRODUCER:
        spots = producer.empty_mask(then, seat).bit_count()
        if spots > max(1, producer.production_limit(then, seat)):
            yield Moment("producer", _view(view, then), whose)
    elif then.full_mask[seat]:
        for tile in range(len(TILES)):
            then = then.copy()
            then.tiles, then.tile = (tile,), 1
            yield Moment("trader", _view(view, then), whose, TILES[tile])


def _builds_by_rank(wish: Wish) -> bool:
    """Return True if a wish builds nothing without a rank."""
    return wish.form == "build" and dict(phrases(wish.items))["build"] == [RANK]


def _role_twice(wish: Wish) -> str:
    """Return why a list of roles has one too often, or "". A visit comes with a role of its own."""
    visits = [at + 1 for at, item in enumerate(wish.items) if item.what == "VISIT"]
    names = [
        f"{wish.items[at - 1].text} {item.text}" if at in visits else item.text
        for at, item in enumerate(wish.items)
        if item.what in ("ROLE", "EVENT")
    ]
    twice = repeated(names)
    return f"role names {twice} twice" if twice else ""


def _idle_build(said: Mapping[str, list[str]], tests: Sequence[str]) -> str:
    """Return why nothing is ever built so, or ""."""
    built = said["build"]
    if len(built) == 1 and said.get("over") == built:
        return f"a building cannot cover the same building, such as {built[0]}"
    kinds = [KINDS.get(name, -1) for name in built]
    if min(kinds) < 0:
        return ""
    if all(CITY >> KINDS[name] & 1 and f"own {name}" in tests for name in built):
        return f"nobody builds a second {built[0]}"
    for need, cheaper, _ in builder.DISCOUNTS:
        word = name_of(need)
        if word in said.get("decline", ()) and not any(cheaper >> kind & 1 for kind in kinds):
            return f"a {word} takes nothing off the price of the {built[0]}"
    return ""


def _idle_sale(
    said: Mapping[str, list[str]], tests: Sequence[str], goods: Mapping[str, int]
) -> str:
    """Return why nothing is ever sold so, or ""; `goods` have the highest price of each."""
    if "under 1 goods" in tests:
        return "there is nothing to sell with 'under 1 goods'"
    sold = list(goods) if set(said["sell"]) & _WHOLE else said["sell"]
    left = [name for name in sold if name not in said.get("save", ())]
    if not left:
        return f"the {sold[0]} is saved, so nothing is sold"
    most = max(goods[name] for name in left)
    least = int(said.get("least", ["0"])[0])
    return f"no such good is ever sold for more than {most}" if least > most else ""


def _moment(st: State, phase: int, kind: int, chooser: int) -> State:
    """Return a table at which a question of some kind is put to all seats."""
    then = st.copy()
    then.phase, then.kind, then.chooser = phase, kind, chooser
    then.library = False
    then.drawn = [0] * len(st.seats)
    then.asked = (1 << len(st.seats)) - 1
    if phase < len(ROLES):
        then.roles_used |= 1 << phase
    return then


def _view(view: SanJuanView, then: State) -> SanJuanView:
    then.actor = view.index
    return SanJuanView(then, view.seat, lettered(view.hand))
