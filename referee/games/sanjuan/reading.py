"""Tolerant reading: typed answers, completed to an action where only one can be meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from referee.games.errors import Illegal, Incomplete, NotUnderstood
from referee.games.flat import (
    BY_HAND,
    BY_PLOT,
    Clause,
    Names,
    Reading,
    Step,
    Token,
    all_readings,
    joined,
    shortened,
)
from referee.games.near import near
from referee.games.sanjuan import builder, choices, flow, plays, producer, round_start
from referee.games.sanjuan.cards import ALIASES, EVENTS, KINDS, NAMES
from referee.games.sanjuan.flow import Action
from referee.games.sanjuan.state import BUILD, EMPTY, KEEP, MINE, ROLE, TIDY, VISIT, State
from referee.games.values import MAX_LISTED_PLAYS

_COMPLETED = ("pay", "keep", "discard", "produce", "sell", *(t.word for t in round_start.TUCKS))
"""Words that may stand alone: the rest is filled in where only one answer is possible."""

_WHAT = {plays.ROLE_ARG: "role", plays.EVENT_ARG: "event", plays.DISCOUNT: "discount"}

_ONE = {plays.LETTER: "card", plays.CARD: "card", plays.PLOT: "plot"} | _WHAT

_WORDS = {word for clauses in plays.GRAMMAR.values() for word, _, _ in clauses}
_NAMES = Names((*NAMES, *ALIASES, *EVENTS))


def readings(st: State, tokens: Sequence[Token]) -> list[Reading]:
    """Return every way to read tokens; raises NotUnderstood where there is none."""
    usage = f"a play here is: {plays.usage(st)}"
    takes = {word: names for word, names, _ in plays.grammar(st)}
    if any(token.word and token.text == "pass" for token in tokens):
        if len(tokens) > 1:
            raise NotUnderstood("pass cannot be combined with anything else", usage)
        return [(Clause("pass"),)]

    def steps(reading: Reading, at: int) -> Iterator[Step]:
        for size in (2, 1):
            some = tokens[at : at + size]
            if len(some) == size and some[0].word and joined(some) in takes:
                yield size, (*reading, Clause(joined(some)))
        if reading and takes[reading[-1].word]:
            word, names = reading[-1]
            for size, name in _NAMES.at(tokens, at, _WORDS if names else takes):
                yield size, (*reading[:-1], Clause(word, (*names, name)))

    found, reached = all_readings(tokens, steps)
    if not tokens:
        raise NotUnderstood("there is no play here", usage)
    if not found:
        text = shortened(tokens[reached].text)
        raise NotUnderstood(f"{text!r} is not part of this answer", usage)
    # Nobody says a word twice and names nothing after it.
    return [reading for reading in found if not _repeats(reading, takes)] or found


def _repeats(reading: Reading, takes: Mapping[str, str]) -> bool:
    words = [clause.word for clause in reading]
    return any(takes[word] and not names and words.count(word) > 1 for word, names in reading)


def read(st: State, seat: int, reading: Reading, letters: Sequence[str]) -> Action:
    """Return the complete action that a reading means; it may still be illegal.

    Raises NotUnderstood, Illegal for what the seat does not have, or Incomplete with the
    completions when there are several.
    """
    if reading == (Clause("pass"),):
        return ()
    raw: dict[str, list[str]] = {}
    for word, names in reading:
        raw.setdefault(word, []).extend(names)
    takes = {word: (names, several) for word, names, several in plays.grammar(st)}
    for word, tokens in raw.items():
        what, several = takes[word]
        if not several and len(tokens) > 1:
            shown = ", ".join(shortened(token) for token in tokens[:5])
            raise NotUnderstood(
                f"{word} takes one {_ONE[what]}, not several: {shown}",
                f"a play here is: {plays.usage(st)}",
            )
        if not tokens and what and word not in _COMPLETED:
            rows = choices.listed_choices(st, seat, letters)
            raise Incomplete(f"{word} must be followed by {what}", choices=rows)
    reader = _Reader(st, seat, letters)
    action = plays.assemble(st, seat, reader.resolve(raw))
    return _complete(st, seat, action, raw, letters)


class _Reader:
    """A reader of words as kinds, plots, places and numbers, from what the seat has."""

    def __init__(self, st: State, seat: int, letters: Sequence[str]) -> None:
        self.st = st
        self.seat = seat
        self.places = {text: place for place, text in enumerate(letters)}
        self.kinds = [st.cards.kind_of[card] for card in st.hand[seat]]

    def resolve(self, raw: dict[str, list[str]]) -> plays.Clauses:
        """Return the clauses in numbers; letters come first, so names take what is left."""
        named = {word: names for word, names, _ in plays.grammar(self.st)}
        taken = {
            self.places[token]
            for word, tokens in raw.items()
            if named[word] == plays.LETTER
            for token in tokens
            if token in self.places
        }
        found: plays.Clauses = {}
        for word, tokens in raw.items():
            numbers: list[int] = []
            for token in tokens:
                if named[word] == plays.LETTER:
                    number = self._place(word, token, taken)
                    taken.add(number)
                elif named[word] == plays.PLOT:
                    number = self._plot(word, token, numbers)
                elif named[word] == plays.CARD:
                    number = self._card(token)
                else:
                    known = plays.NAMED[named[word]]
                    number = _one_of(ALIASES.get(token, token), known, _WHAT[named[word]])
                if number in numbers:
                    what = "plot " if named[word] == plays.PLOT else ""
                    raise NotUnderstood(f"you named {what}{token} twice")
                numbers.append(number)
            found[word] = tuple(numbers)
        return found

    def _card(self, token: str) -> int:
        st = self.st
        if st.kind == MINE:
            turned = [st.cards.kind_of[card] for card in st.turned]
            return self._kind(token, turned, "among the cards turned over")
        if token in self.places:
            return self.kinds[self.places[token]]
        beside = builder.beside(st) if st.kind == BUILD else []
        return self._kind(token, self.kinds + beside, "in your hand")

    def _place(self, word: str, token: str, taken: set[int]) -> int:
        if token in self.places:
            return self.places[token]
        held = len(self.kinds)
        among = range(held)
        drawn_only = word == "keep" and self.st.kind == KEEP
        if drawn_only:
            among = range(held - self.st.drawn[self.seat], held)
        where = "among the cards drawn" if drawn_only else "in your hand"
        kind = self._kind(token, [self.kinds[place] for place in among], where)
        for place in among:
            if self.kinds[place] == kind and place not in taken:
                return place
        raise Illegal(f"you hold no further {NAMES[kind]} for {word}")

    def _plot(self, word: str, token: str, named: Sequence[int]) -> int:
        if re.fullmatch("[1-9][0-9]{0,2}", token):
            return int(token) - 1
        if re.fullmatch(r"[+-]?[0-9.]+", token):
            raise Illegal(f"you have no building on plot {shortened(token)}")
        st, seat = self.st, self.seat
        city = st.city[seat]
        may = {"produce": producer.empty_mask(st, seat), "over": -1, "lose": -1}.get(
            word, st.full_mask[seat]
        )
        kinds = {plot: st.cards.kind_of[card] for plot, card in enumerate(city) if card != EMPTY}
        kind = self._kind(token, list(kinds.values()), "in your city")
        spots = [plot for plot, found in kinds.items() if found == kind and plot not in named]
        fitting = [plot for plot in spots if may >> plot & 1] or spots
        if not fitting:
            raise Illegal(f"you have no further {NAMES[kind]} to {word}")
        goods = [plot for plot in fitting if st.full_mask[seat] >> plot & 1]
        if 0 < len(goods) < len(fitting):
            told = " or ".join(
                f"plot {plot + 1}, {'with' if plot in goods else 'without'} a good"
                for plot in fitting
            )
            raise NotUnderstood(f"{NAMES[kind]} can mean {told}", "name the plot")
        return fitting[0]

    def _kind(self, token: str, have: Sequence[int], where: str) -> int:
        """Return the kind that a name, alias or prefix means, if possible one that the seat has."""
        token = ALIASES.get(token, token)
        if token in KINDS and KINDS[token] in have:
            return KINDS[token]
        known = {name: name for name in NAMES if self.st.cards.copies[KINDS[name]]}
        known |= {alias: name for alias, name in ALIASES.items() if name in known}
        known |= {text.replace("-", ""): name for text, name in known.items()}
        meant = {name for text, name in known.items() if text.startswith(token)}
        mine = sorted(name for name in meant if KINDS[name] in have)
        if len(mine) == 1 and token not in KINDS:
            return KINDS[mine[0]]
        if token in known or (len(meant) == 1 and not mine):
            name = known[token] if token in known else meant.pop()
            raise Illegal(f"there is no {name} {where}")
        if len(mine) > 1:
            raise NotUnderstood(f"{token} can mean {' or '.join(mine)}")
        if meant:
            raise Illegal(f"nothing {where} has a name that begins with {token}")
        letter = len(token) < 3 and token.isascii() and token.isalpha()
        if letter and where in ("in your hand", "among the cards drawn"):
            raise Illegal(f"you hold no card {token}")
        mine = [NAMES[kind] for kind in have]
        by = {
            "in your hand": BY_HAND,
            "among the cards drawn": BY_HAND,
            "in your city": BY_PLOT,
        }
        hint = near(token, mine) or near(token, known, by.get(where, ""))
        what = "building" if where == "in your city" else "card"
        raise NotUnderstood(f"there is no {what} {shortened(token)!r}", hint)


def _one_of(token: str, known: Sequence[str], what: str) -> int:
    if token in known:
        return known.index(token)
    found = [number for number, name in enumerate(known) if name.startswith(token)]
    if len(found) > 1:
        raise NotUnderstood(f"{token} can mean {' or '.join(known[number] for number in found)}")
    if not found:
        raise NotUnderstood(
            f"there is no {what} {shortened(token)!r}",
            near(token, known, f"{what}s: {', '.join(known)}"),
        )
    return found[0]


def _complete(
    st: State, seat: int, action: Action, raw: dict[str, list[str]], letters: Sequence[str]
) -> Action:
    """Fill in what was left out, if it has one answer."""
    if st.kind == BUILD:
        return _complete_build(st, seat, action, raw, letters)
    if st.kind == ROLE:
        return _complete_role(st, seat, action, letters)
    if st.kind == TIDY:
        return _complete_tidy(st, seat, action, raw, letters)
    if not action and _names_letters(st, raw):
        among, least, most = flow.SELECT[st.kind](st, seat)
        actions = (
            places
            for count in range(max(least, 1), most + 1)
            for places in choices.multisets(st, seat, among, count)
        )
        return _only(st, seat, actions, letters, "which cards?")
    if not action or not any(raw.values()):
        possible = choices.legal_actions(st, seat, MAX_LISTED_PLAYS) or []
        word = next(iter(raw))
        return _only(st, seat, iter([x for x in possible if x]), letters, f"{word} what?")
    return action


def _complete_role(st: State, seat: int, action: Action, letters: Sequence[str]) -> Action:
    """Fill in the role that governor-visit repeats, where only one was used."""
    role, keep_library, event = action
    visits = [(used, keep_library, event) for used in flow.plots_of(st.roles_used)]
    visits = [visit for visit in visits if not flow.refuse(st, seat, visit)]
    if event != VISIT or role >= 0 or not visits:
        return action
    return _only(st, seat, iter(visits), letters, "which of the roles used in this round?")


def _names_letters(st: State, raw: dict[str, list[str]]) -> bool:
    return any(word in raw for word, names, _ in plays.GRAMMAR[st.kind] if names == plays.LETTER)


def _only(
    st: State,
    seat: int,
    actions: Iterator[Action],
    letters: Sequence[str],
    question: str,
) -> Action:
    """Return the only action; raises Incomplete with all of them when there are more."""
    found = list(islice(actions, MAX_LISTED_PLAYS))
    if len(found) == 1:
        return found[0]
    rows = choices.in_order(choices.exact_choices(st, seat, found, letters))
    raise Incomplete(question, "name the cards, or take one of these plays", rows)


def _complete_build(
    st: State, seat: int, action: Action, raw: dict[str, list[str]], letters: Sequence[str]
) -> Action:
    kind, over, goods, pay, declined = action
    name = NAMES[kind]
    full = builder.price(st, seat, kind, over, declined) if _on_city(st, seat, over) else 0
    count = full - len(goods)
    reason = flow.refuse(st, seat, action)
    # Only a payment is filled in: any other fault comes first.
    if count <= 0 or not reason.startswith((f"{name} costs", f"the {name} cannot pay")):
        return action
    rest = builder.payable_cards(st, seat, kind)
    if count > rest:
        if pay:
            return action
        if over == EMPTY and not goods and (cheaper := _builds_over(st, seat, kind, declined)):
            # Which building is given up for it nobody else can say.
            rows = choices.in_order(choices.exact_choices(st, seat, cheaper, letters))
            asks = f"{name} costs {full} beside your buildings, more than you can pay: over which?"
            raise Incomplete(asks, "name its plot, or take one of these plays", rows)
        raise Illegal(f"{name} costs {full} here; you can pay {rest + len(goods)}")
    held = range(len(st.hand[seat]))
    actions = (
        (kind, over, goods, places, declined)
        for places in choices.multisets(st, seat, held, count, kind)
    )
    if pay:
        # Cards that were named are not replaced unasked; only payments for this building help.
        rows = choices.exact_choices(st, seat, list(islice(actions, MAX_LISTED_PLAYS)), letters)
        raise Incomplete(reason, choices=choices.in_order(rows))
    return _only(st, seat, actions, letters, f"{name} costs {full} here: pay with which cards?")


def _builds_over(st: State, seat: int, kind: int, declined: int) -> list[Action]:
    """Return the builds of a kind over another building that the hand can pay for, at most so many
    as are listed."""
    held = range(len(st.hand[seat]))
    found = (
        (kind, over, goods, places, left_out)
        for _, over, goods, left_out, count in choices.prices(st, seat, [kind])
        if over != EMPTY and left_out == declined
        for places in choices.multisets(st, seat, held, count, kind)
    )
    return list(islice(found, MAX_LISTED_PLAYS))


def _on_city(st: State, seat: int, over: int) -> bool:
    city = st.city[seat]
    return over == EMPTY or (0 <= over < len(city) and city[over] != EMPTY)


def _complete_tidy(
    st: State, seat: int, action: Action, raw: dict[str, list[str]], letters: Sequence[str]
) -> Action:
    for tuck in round_start.TUCKS:
        if tuck.word in raw and not tuck.most(st, seat):
            raise Illegal(f"you have no {tuck.word} that you could put cards under now")
    parts = list(action) if action else [()] * len(plays.GRAMMAR[TIDY])
    open_ = [
        number
        for number, tuck in enumerate(round_start.TUCKS)
        if tuck.word in raw and not parts[number] and tuck.most(st, seat)
    ]
    found = _tidies(st, seat, tuple(parts), open_)
    if open_:
        question = f"which card goes under the {round_start.TUCKS[open_[0]].word}?"
    else:
        question = "discard which of your cards?"
    done = _only(st, seat, found, letters, question)
    if not any(done):
        raise Illegal("you are within the limit and discard nothing")
    return done


def _tidies(st: State, seat: int, parts: Action, open_: Sequence[int]) -> Iterator[Action]:
    """Yield the answers that fill the open parts, then the discards if there are none yet."""
    gone = {place for part in parts for place in part}
    free = [place for place in range(len(st.hand[seat])) if place not in gone]
    if open_:
        number = open_[0]
        most = round_start.TUCKS[number].most(st, seat)
        for count in range(1, min(most, len(free)) + 1):
            for places in choices.multisets(st, seat, free, count):
                filled = (*parts[:number], places, *parts[number + 1 :])
                yield from _tidies(st, seat, filled, open_[1:])
        return
    excess = len(free) - round_start.hand_limit(st, seat)
    if excess > 0 and not parts[-1]:
        for places in choices.multisets(st, seat, free, excess):
            yield (*parts[:-1], places)
    else:
        yield parts
