"""Plays as text: one grammar from which parsing, rendering and the help come.

A play is a row of clauses in fixed order: a word and what it names, or `pass` alone. Cards in the
hand are named by letters, buildings by plots; both ascend.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.games.interface import GameError, Illegal, NotUnderstood
from referee.games.sanjuan import builder, councillor, producer, roles, round_start, trader
from referee.games.sanjuan.cards import KINDS, NAMES
from referee.games.sanjuan.flow import Action, plots_of
from referee.games.sanjuan.state import (
    BUILD,
    EMPTY,
    KEEP,
    PRODUCE,
    ROLE,
    ROLES,
    SELL,
    TIDY,
    State,
)

ROLE_ARG, CARD, PLOT, LETTER, DISCOUNT = "ROLE", "CARD", "PLOT", "LETTER", "NAME"

GRAMMAR: dict[int, tuple[tuple[str, str, bool], ...]] = {
    ROLE: (("role", ROLE_ARG, False), ("no-library", "", False)),
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
        *((tuck.word, LETTER, tuck.word != "chapel") for tuck in round_start.TUCKS),
        ("discard", LETTER, True),
    ),
}
"""By kind of decision: its clauses in canonical order, as word, what it names, whether several."""

MAY_PASS = (BUILD, SELL, TIDY)
"""Kinds of decisions in which `pass` can be legal."""

Clauses = dict[str, tuple[int, ...]]
"""A play taken apart: for each word the kinds, plots, places or numbers that it names."""


def letter_order(text: str) -> tuple[int, str]:
    """Letters ascend by length, then by alphabet."""
    return len(text), text


def parse(st: State, seat: int, text: str, letters: Sequence[str]) -> Action:
    """The action of a canonical play; `letters[i]` is the letter of the i-th card of the hand.

    Raises NotUnderstood unless the text is canonical, Illegal when it names a letter that no card
    has.
    """
    if text == "pass":
        return ()
    clauses: Clauses = {}
    words = text.split(" ")
    at = 0
    for word, names, several in GRAMMAR[st.kind]:
        if at == len(words) or words[at] != word:
            continue
        at += 1
        found: list[int] = []
        if names:
            known = _numbers(st, names, letters)
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
    """What to say about the word at which parsing stopped."""
    named = {word: names for word, names, _ in GRAMMAR[st.kind]}
    hint = f"a play here is: {usage(st.kind)}"
    if at == len(words):
        return NotUnderstood(f"{words[-1]} must be followed by {named[words[-1]]}", hint)
    word = words[at]
    clause = next((before for before in reversed(words[:at]) if before in named), "")
    if named.get(clause) == LETTER and 0 < len(word) < 3 and word.isascii() and word.isalpha():
        return Illegal(f"you hold no card {word}")
    return NotUnderstood(f"{short(word)!r} has no place here", hint)


def short(word: str) -> str:
    """A word as a message may repeat it."""
    return word if len(word) <= 40 else word[:40] + "…"


_ROLE_NUMBERS = {name: number for number, name in enumerate(ROLES)}
_PLOT_NUMBERS = {str(plot + 1): plot for plot in range(99)}
_DISCOUNT_NUMBERS = {word: number for number, (word, _) in enumerate(builder.DISCOUNTS)}


def _numbers(st: State, names: str, letters: Sequence[str]) -> Mapping[str, int]:
    if names == LETTER:
        return {text: place for place, text in enumerate(letters)}
    if names == PLOT:
        return _PLOT_NUMBERS
    if names == ROLE_ARG:
        return _ROLE_NUMBERS
    return KINDS if names == CARD else _DISCOUNT_NUMBERS


def assemble(st: State, seat: int, clauses: Clauses) -> Action:
    """The action that clauses make; raises NotUnderstood or Illegal when they do not fit."""
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
    if first not in clauses:
        raise NotUnderstood(f"a play here is: {usage(kind)}")
    if kind == ROLE:
        return clauses["role"][0], "no-library" in clauses
    if kind == BUILD:
        return (
            clauses["build"][0],
            clauses.get("over", (EMPTY,))[0],
            _ordered(clauses.get("goods", ())),
            _ordered(clauses.get("pay", ())),
            sum(1 << number for number in set(clauses.get("decline", ()))),
        )
    return _ordered(clauses[first])


def _ordered(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(set(numbers)))


def take_apart(st: State, seat: int, action: Action) -> Clauses:
    """The clauses of an action, in canonical order."""
    kind = st.kind
    if kind == ROLE:
        return {"role": (action[0],)} | ({"no-library": ()} if action[1] else {})
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
    """The canonical play of an action."""
    if not action:
        return "pass"
    words: list[str] = []
    names = {word: named for word, named, _ in GRAMMAR[st.kind]}
    for word, numbers in take_apart(st, seat, action).items():
        words.append(word)
        named = names[word]
        if named == LETTER:
            words += sorted((letters[place] for place in numbers), key=letter_order)
        elif named == PLOT:
            words += [str(plot + 1) for plot in numbers]
        elif named == CARD:
            words += [NAMES[number] for number in numbers]
        elif named == ROLE_ARG:
            words += [ROLES[number] for number in numbers]
        elif named == DISCOUNT:
            words += [builder.DISCOUNTS[number][0] for number in numbers]
    return " ".join(words)


def keep_word(st: State, seat: int) -> str:
    """With an archive a seat says what it discards, without what it keeps."""
    return "discard" if st.own[seat] & councillor.ARCHIVE else "keep"


def spends(st: State, seat: int, action: Action) -> list[int]:
    """The places of the hand cards that leave the hand by a legal action."""
    if not action or st.kind not in (BUILD, KEEP, TIDY):
        return []
    if st.kind == BUILD:
        return sorted((builder.place_of(st, seat, action[0], action[3]), *action[3]))
    if st.kind == TIDY:
        return sorted(place for places in action for place in places)
    return list(councillor.gone(st, seat, action))


def usage(kind: int) -> str:
    """The form of the plays of a kind of decision."""
    clauses = []
    for word, named, several in GRAMMAR[kind]:
        clause = f"{word} {named}{'…' if several else ''}".strip()
        clauses.append(clause if word == GRAMMAR[kind][0][0] and kind != TIDY else f"[{clause}]")
    if kind == KEEP:
        clauses = ["keep LETTER… or discard LETTER…"]
    return " ".join(clauses) + (", or pass" if kind in MAY_PASS else "")


def may(st: State, seat: int) -> tuple[str, ...]:
    """What the seat may answer, as far as everybody knows it."""
    kind = st.kind
    if kind == ROLE:
        rows = [f"role {role}" for bit, role in enumerate(ROLES) if not st.used >> bit & 1]
        if roles.has_library(st, seat):
            rows.append("role ROLE no-library")
        return tuple(rows)
    if kind == BUILD:
        over = " [over PLOT]" if st.own[seat] & builder.CRANE else ""
        goods = " [goods PLOT…]" if builder.goods_for(st, seat) else ""
        return f"build CARD{over}{goods} [pay LETTER…] [decline NAME…]", "pass"
    if kind == PRODUCE:
        return (f"produce {producer.most(st, seat)} of {_spots(producer.empty(st, seat))}",)
    if kind == SELL:
        most = min(trader.most(st, seat), st.full[seat].bit_count())
        return f"sell up to {most} of {_spots(st.full[seat])}", "pass"
    if kind == KEEP:
        kept, drawn = councillor.kept(st, seat), st.drawn[seat]
        if keep_word(st, seat) == "keep":
            return (f"keep {kept} of the {drawn} cards drawn",)
        return (f"discard {drawn - kept} of the hand, drawn cards included",)
    rows = [f"{tuck.word} LETTER" for tuck in round_start.TUCKS if tuck.most(st, seat)]
    excess = len(st.hand[seat]) - round_start.hand_limit(st, seat)
    if excess > 0:
        return (*rows, f"discard down to {round_start.hand_limit(st, seat)} cards")
    return (*rows, "pass")


def _spots(mask: int) -> str:
    return " ".join(str(plot + 1) for plot in plots_of(mask))
