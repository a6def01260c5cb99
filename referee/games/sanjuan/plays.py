"""Plays as text: one grammar from which parsing, rendering and the help come.

A play is a row of clauses in fixed order: a word and what it names, or `pass` alone. Cards in the
hand are named by letters, buildings by plots; both ascend.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from referee.games.errors import GameError, Illegal, NotUnderstood
from referee.games.flat import letter_order, shortened
from referee.games.sanjuan import builder, councillor, draft, flow, producer, roles, round_start
from referee.games.sanjuan.cards import EVENTS, NAMES
from referee.games.sanjuan.flow import Action, plots_of
from referee.games.sanjuan.state import (
    AMNESTY,
    BUILD,
    DRAFT,
    EARTHQUAKE,
    EMPTY,
    FREE_BUILD,
    KEEP,
    MINE,
    OFFICE,
    PRODUCE,
    ROLE,
    ROLES,
    SELL,
    TAXES,
    TIDY,
    VISIT,
    State,
)

ROLE_ARG, CARD, PLOT, LETTER, DISCOUNT = "ROLE", "CARD", "PLOT", "LETTER", "NAME"
EVENT_ARG = "EVENT"

NAMED: dict[str, tuple[str, ...]] = {
    ROLE_ARG: ROLES,
    EVENT_ARG: EVENTS + ROLES,
    CARD: NAMES,
    PLOT: tuple(str(plot + 1) for plot in range(99)),
    DISCOUNT: builder.discounts(),
}
"""By argument: the names that a play may use, each by its number; letters depend on the hand."""

Clause = tuple[str, str, bool]
"""A word, the argument that it names, and True if it may name several."""

GRAMMAR: dict[int, tuple[Clause, ...]] = {
    ROLE: (("role", ROLE_ARG, False), ("event", EVENT_ARG, True), ("no-library", "", False)),
    BUILD: (
        ("build", CARD, False),
        ("over", PLOT, False),
        ("goods", PLOT, True),
        ("pay", LETTER, True),
        ("decline", DISCOUNT, True),
    ),
    PRODUCE: (("produce", PLOT, True),),
    SELL: (("sell", PLOT, True),),
    KEEP: (("keep", LETTER, True), ("discard", LETTER, True)),
    TIDY: (
        *((tuck.word, LETTER, tuck.several) for tuck in round_start.TUCKS),
        ("discard", LETTER, True),
    ),
    DRAFT: (("keep", LETTER, True),),
    OFFICE: (("discard", LETTER, True),),
    MINE: (("take", CARD, False),),
    EARTHQUAKE: (("lose", PLOT, False),),
    TAXES: (("discard", LETTER, False),),
    AMNESTY: (("discard", LETTER, True),),
    FREE_BUILD: (("build", CARD, False),),
}
"""By kind of decision: its clauses in canonical order."""

MAY_PASS = (BUILD, SELL, TIDY, OFFICE, AMNESTY, FREE_BUILD)
"""Kinds of decisions in which `pass` can be legal."""

Clauses = dict[str, tuple[int, ...]]
"""The clauses of a play: for each word the kinds, plots, places or numbers that it names."""


_OFFERED: dict[tuple[str, int], tuple[Clause, ...]] = {}


def grammar(st: State) -> tuple[Clause, ...]:
    """Return the clauses of the open decision that mean something in this rule set."""
    key = st.cards.digest, st.kind
    found = _OFFERED.get(key)
    if found is None:
        tucks = {tuck.word: st.cards.deals(tuck.kind) for tuck in round_start.TUCKS}
        there = {**tucks, "event": bool(st.cards.events())} if st.kind in (TIDY, ROLE) else {}
        found = tuple(clause for clause in GRAMMAR[st.kind] if there.get(clause[0], True))
        _OFFERED[key] = found
    return found


def parse(st: State, seat: int, text: str, letters: Sequence[str]) -> Action:
    """Parse a canonical play; `letters[i]` is the letter of the i-th card of the hand.

    Raises NotUnderstood unless the text is canonical, Illegal when it names a letter that no card
    has.
    """
    if text == "pass":
        return ()
    clauses: Clauses = {}
    words = text.split(" ")
    at = 0
    for word, names, several in grammar(st):
        if at == len(words) or words[at] != word:
            continue
        at += 1
        found: list[int] = []
        if names:
            known = numbers_of(names, letters)
            while at < len(words) and (several or not found) and words[at] in known:
                found.append(known[words[at]])
                at += 1
            if not found:
                raise _unknown(st, words, at)
        clauses[word] = tuple(found)
    if at < len(words):
        raise _unknown(st, words, at)
    action = assemble(st, seat, clauses)
    if render(st, seat, action, letters) != text:
        raise NotUnderstood("letters, plots and names must ascend, each named once")
    return action


def _unknown(st: State, words: Sequence[str], at: int) -> GameError:
    """Return the error for the word at which parsing stopped."""
    named = {word: names for word, names, _ in grammar(st)}
    several = {word for word, _, more in grammar(st) if more}
    hint = f"a play here is: {usage(st)}"
    if at == len(words):
        return NotUnderstood(f"{words[-1]} must be followed by {named[words[-1]]}", hint)
    word = words[at]
    clause = next((before for before in reversed(words[:at]) if before in named), "")
    wanted = clause in several or (at and words[at - 1] == clause)
    if (
        wanted
        and named.get(clause) == LETTER
        and 0 < len(word) < 3
        and word.isascii()
        and word.isalpha()
    ):
        return Illegal(f"you hold no card {word}")
    return NotUnderstood(f"{shortened(word)!r} is not part of this answer", hint)


_NUMBERS = {
    names: {name: number for number, name in enumerate(known)} for names, known in NAMED.items()
}


def numbers_of(names: str, letters: Sequence[str]) -> Mapping[str, int]:
    """Return the names that a clause may use, with their numbers."""
    if names == LETTER:
        return {text: place for place, text in enumerate(letters)}
    return _NUMBERS[names]


def assemble(st: State, seat: int, clauses: Clauses) -> Action:
    """Return the action of clauses; raises NotUnderstood or Illegal when they do not fit."""
    kind = st.kind
    first = GRAMMAR[kind][0][0]
    if kind == TIDY:
        action = tuple(_ordered(clauses.get(word, ())) for word, _, _ in GRAMMAR[TIDY])
        return action if any(action) else ()
    if kind == KEEP:
        word = keep_word(st, seat)
        if set(clauses) != {word}:
            raise Illegal(f"here you say which cards you {word}")
        return _ordered(clauses[word])
    if kind == ROLE:
        return _assemble_role(st, clauses)
    if first not in clauses and clauses:
        hint = f"a play here is: {usage(st)}"
        raise NotUnderstood(f"{next(iter(clauses))} needs {first}", hint)
    if first not in clauses:
        raise NotUnderstood(f"a play here is: {usage(st)}")
    if kind == BUILD:
        return (
            clauses["build"][0],
            clauses.get("over", (EMPTY,))[0],
            _ordered(clauses.get("goods", ())),
            _ordered(clauses.get("pay", ())),
            sum(1 << number for number in set(clauses.get("decline", ()))),
        )
    return _ordered(clauses[first])


def _assemble_role(st: State, clauses: Clauses) -> Action:
    named = clauses.get("event", ())
    events = [number for number in named if number < len(EVENTS)]
    chosen = [number - len(EVENTS) for number in named if number >= len(EVENTS)]
    chosen += clauses.get("role", ())
    if len(chosen) > 1 or len(events) > 1 or bool(events) != ("event" in clauses):
        raise NotUnderstood(f"a play here is: {usage(st)}")
    if not events and not chosen:
        raise NotUnderstood(f"a play here is: {usage(st)}")
    return (*(chosen or (-1,)), "no-library" in clauses, *(events or (-1,)))


def _ordered(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(set(numbers)))


def take_apart(st: State, seat: int, action: Action) -> Clauses:
    """Return the clauses of an action, in canonical order."""
    kind = st.kind
    if kind == ROLE:
        role, keep_library, event = action
        found: Clauses = {"role": (role,)}
        if event >= 0:
            found = {"event": (event, len(EVENTS) + role) if role >= 0 else (event,)}
        return found | ({"no-library": ()} if keep_library else {})
    if kind == BUILD:
        built, over, goods, pay, declined = action
        found = {
            "build": (built,),
            "over": (over,) if over != EMPTY else (),
            "goods": goods,
            "pay": pay,
            "decline": plots_of(declined),
        }
        return {word: numbers for word, numbers in found.items() if numbers}
    if kind == TIDY:
        words = (clause[0] for clause in GRAMMAR[TIDY])
        return {word: places for word, places in zip(words, action, strict=True) if places}
    return {keep_word(st, seat) if kind == KEEP else GRAMMAR[kind][0][0]: action}


def render(st: State, seat: int, action: Action, letters: Sequence[str]) -> str:
    """Return the canonical play of an action."""
    if not action:
        return "pass"
    words: list[str] = []
    names = {word: named for word, named, _ in GRAMMAR[st.kind]}
    for word, numbers in take_apart(st, seat, action).items():
        words.append(word)
        named = names[word]
        if named == LETTER:
            words += sorted((letters[place] for place in numbers), key=letter_order)
        elif named:
            words += [NAMED[named][number] for number in numbers]
    return " ".join(words)


def keep_word(st: State, seat: int) -> str:
    """Return `discard` for a seat with an archive, else `keep`."""
    return "discard" if st.own_mask[seat] & councillor.ARCHIVE else "keep"


def _spent_on_building(st: State, seat: int, action: Action) -> Action:
    place = builder.place_of(st, seat, action[0], action[3])
    return (*action[3], place) if place >= 0 else tuple(action[3])


_SPENDS: dict[int, Callable[[State, int, Action], Action]] = {
    BUILD: _spent_on_building,
    KEEP: councillor.discarded,
    DRAFT: draft.discarded,
    TIDY: lambda st, seat, action: tuple(place for places in action for place in places),
    FREE_BUILD: lambda st, seat, action: (builder.place_of(st, seat, action[0]),),
    OFFICE: lambda st, seat, action: action,
    TAXES: lambda st, seat, action: action,
    AMNESTY: lambda st, seat, action: action,
}


def spent_places(st: State, seat: int, action: Action) -> list[int]:
    """Return the places of the hand cards that a legal action takes out of the hand."""
    if not action or st.kind not in _SPENDS:
        return []
    return sorted(_SPENDS[st.kind](st, seat, action))


def usage(st: State) -> str:
    """Return the form of the plays of the open decision."""
    kind = st.kind
    clauses = []
    for word, named, several in grammar(st):
        clause = f"{word} {named}{'…' if several else ''}".strip()
        clauses.append(clause if word == GRAMMAR[kind][0][0] and kind != TIDY else f"[{clause}]")
    if kind == KEEP:
        clauses = ["keep LETTER… or discard LETTER…"]
    if kind == ROLE and st.cards.events():
        clauses = ["role ROLE [no-library], or event EVENT [ROLE] [no-library]"]
    return " ".join(clauses) + (", or pass" if kind in MAY_PASS else "")


def _may_choose(st: State, seat: int) -> tuple[str, ...]:
    rows = [f"role {role}" for bit, role in enumerate(ROLES) if not st.roles_used >> bit & 1]
    library = roles.may_use_library(st, seat)
    if library:
        rows.append("role ROLE no-library")
    for event in roles.open_events(st):
        if event != VISIT:
            rows.append(f"event {EVENTS[event]}")
        elif st.roles_used:
            rows += [f"event {EVENTS[event]} {ROLES[role]}" for role in plots_of(st.roles_used)]
            if library:
                rows.append(f"event {EVENTS[event]} ROLE no-library")
    return tuple(rows)


def _may_build(st: State, seat: int) -> tuple[str, ...]:
    over = " [over PLOT]" if st.own_mask[seat] & builder.CRANE else ""
    goods = " [goods PLOT…]" if builder.payable_goods(st, seat) else ""
    return f"build CARD{over}{goods} [pay LETTER…] [decline NAME…]", "pass"


def _may_produce(st: State, seat: int) -> tuple[str, ...]:
    plots = plots_of(producer.empty_mask(st, seat))
    return (f"produce {producer.production_limit(st, seat)} of {_spots(plots)}",)


def _may_sell(st: State, seat: int) -> tuple[str, ...]:
    plots, _, most = flow.SELECT[SELL](st, seat)
    return f"sell up to {most} of {_spots(plots)}", "pass"


def _may_keep(st: State, seat: int) -> tuple[str, ...]:
    kept, drawn = councillor.keep_limit(st, seat), st.drawn[seat]
    if keep_word(st, seat) == "keep":
        return (f"keep {kept} of the {drawn} cards drawn",)
    return (f"discard {drawn - kept} of the hand, drawn cards included",)


def _may_tidy(st: State, seat: int) -> tuple[str, ...]:
    rows = [
        f"{tuck.word} LETTER{'…' if tuck.several else ''}"
        for tuck in round_start.TUCKS
        if tuck.most(st, seat)
    ]
    excess = len(st.hand[seat]) - round_start.hand_limit(st, seat)
    if excess > 0:
        return (*rows, f"discard down to {round_start.hand_limit(st, seat)} cards")
    return (*rows, "pass")


def _may_discard(st: State, seat: int) -> tuple[str, ...]:
    _, least, most = flow.SELECT[st.kind](st, seat)
    if least:
        return (f"discard {least} of the hand",)
    return f"discard up to {most} of the hand, and draw as many", "pass"


_MAY: dict[int, Callable[[State, int], tuple[str, ...]]] = {
    ROLE: _may_choose,
    BUILD: _may_build,
    PRODUCE: _may_produce,
    SELL: _may_sell,
    KEEP: _may_keep,
    TIDY: _may_tidy,
    DRAFT: lambda st, seat: (f"keep {draft.HAND} of the hand",),
    OFFICE: _may_discard,
    MINE: lambda st, seat: tuple(f"take {st.cards.name(card)}" for card in st.turned),
    EARTHQUAKE: lambda st, seat: (f"lose 1 of {_spots(flow.SELECT[EARTHQUAKE](st, seat)[0])}",),
    TAXES: _may_discard,
    AMNESTY: _may_discard,
    FREE_BUILD: lambda st, seat: ("build CARD", "pass"),
}


def may_answer(st: State, seat: int) -> tuple[str, ...]:
    """Return the answers open to the seat, as far as everybody knows them."""
    return _MAY[st.kind](st, seat)


def _spots(plots: Sequence[int]) -> str:
    return " ".join(str(plot + 1) for plot in plots)
