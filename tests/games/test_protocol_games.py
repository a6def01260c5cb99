"""Section 16 of PROTOCOL.md against whole games: lines, plays, keys, digests, piles and hands.

The piles and hands are followed from the page alone: plays, lines and the secret orders.
"""

from __future__ import annotations

import re
import tomllib
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from referee.games import rules_of
from referee.games.interface import Game, Rules, View
from referee.games.sanjuan.chance import random_play as sanjuan_play
from referee.games.xanadu.chance import random_play as xanadu_play
from referee.games.xanadu.rules import XanaduRules
from referee.table import opening, rebuild
from referee.table.replay import Session
from tests.games.sanjuan import randomly
from tests.games.sanjuan.plain_rules import (
    Clauses,
    Seen,
    hand_limit,
    most_produced,
    most_sold,
    share,
)
from tests.games.sanjuan.rule_sets import EVENTS, EVERY, PRODUCTION, RuleSet
from tests.games.xanadu.plain_rules import CARDS, COLOURS, DECK, taken_apart
from tests.once import once
from tests.table.tables import NAMES, REFEREE, Table, seats_of

PAGE = (Path(__file__).parents[2] / "schemas" / "PROTOCOL.md").read_text(encoding="utf-8")
TILES = ("11122", "11222", "11223", "12223", "12233")
MODULES = ("sanjuan", "xanadu")
ROLES = "builder|producer|trader|councillor|prospector"
Row = list[str]


# The page.


@cache
def sections() -> dict[str, dict[str, list[Row]]]:
    """By rules module: the rows of each table under the first cell of its head."""
    parts = PAGE.split("\n## 16. ", 1)[1].split("\n## ")[0].split("\n### ")[1:]
    assert [part.splitlines()[0] for part in parts] == ["San Juan", "Xanadu"]
    return {module: _tables(part) for module, part in zip(MODULES, parts, strict=True)}


def _tables(text: str) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for block in re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE):
        head, _, *rows = [[c.strip() for c in r[1:-1].split("|")] for r in block.splitlines()]
        found[head[0]] = rows
    return found


def quoted(cell: str) -> list[str]:
    return re.findall("`([^`]+)`", cell)


class Form:
    """A form of the page; `seen` counts how often it, and each part in brackets, was met."""

    def __init__(self, text: str, values: Mapping[str, str], literal: bool = False) -> None:
        self.text = text
        if literal:
            parts = re.split("<([A-Z]+)>", text)
            parts[::2] = map(re.escape, parts[::2])
            parts[1::2] = [f"(?:{values[name]})" for name in parts[1::2]]
            words = " " + "".join(parts)
        else:
            words = ""
            for token in re.findall(r"[\[\]]|[^][ ]+", text):
                name = token.rstrip("…")
                word = f" (?:{values[name]})" if name in values else " " + re.escape(name)
                word = f"(?:{word})+" if token.endswith("…") else word
                words += {"[": "(", "]": ")?"}.get(token, word)
        self.pattern = re.compile(words)
        self.seen = [0] * (1 + self.pattern.groups)

    def matches(self, text: str) -> bool:
        match = self.pattern.fullmatch(" " + text)
        if match:
            for part, there in enumerate((text, *match.groups())):
                self.seen[part] += there is not None
        return match is not None


def values_of(module: str) -> dict[str, str]:
    """Return the values for which the words in capitals stand."""
    cards = (
        CARDS
        if module == "xanadu"
        else EVERY[-1].cards | EVERY[-1]._replace(expansions=("new-buildings",)).cards
    )
    seats, card, letter = "|".join(NAMES), "|".join(cards), "[a-z]"
    step = f"work {letter} (?:{seats}) [1-9]\\d?|build (?:{card})"
    found = {"SEAT": seats, "CARD": card, "LETTER": letter, "ROLE": ROLES, "STEP": step}
    found |= {"N": r"0|[1-9]\d*", "PLOT": r"[1-9]\d?", "PLOTS": r"[1-9]\d?(?: [1-9]\d?)*"}
    found |= {"TILE": "|".join(TILES), "EVENT": "|".join(EVENTS)}
    return found | {"NAME": "privilege|smithy|quarry"}


# The games.


class Card(NamedTuple):
    name: str
    pile: str
    epoch: int
    position: int


class Piles(ABC):
    """The places of all cards, from plays and lines; whatever is not as the page says is noted."""

    def __init__(self, session: Session, first: Sequence[str]) -> None:
        self.session = session
        self.first = first
        self.apart: dict[str, Sequence[str]] = {"seats": seats_of(session.file), "tiles": TILES}
        self.seats = session.file.seating
        self.hand: dict[str, list[Card]] = {seat: [] for seat in self.seats}
        self.discards: list[str] = []
        self.wrong: list[str] = []
        self.checked: set[tuple[str, bool]] = set()

    def names(self, pile: str, epoch: str | int) -> tuple[str, ...]:
        """The secret order, which an auditor has from the deal secret."""
        piles = self.session.dealer.piles
        return next(names for at, of, names in piles if (at, of) == (pile, int(epoch)))

    def drawn(self, pile: str, epoch: str, span: str) -> list[Card]:
        first, _, last = span.partition("-")
        names = self.names(pile, epoch)
        places = range(int(first), int(last) + 1)
        return [Card(names[place], pile, int(epoch), place) for place in places]

    def shuffled(self, pile: str, epoch: str) -> None:
        """Compare the cards of which a pile is made with those that were dealt there."""
        holds: Sequence[str] = self.apart.get(pile, self.first)
        if epoch != "0":
            holds, self.discards = self.discards, []
        self.checked.add((pile, epoch != "0"))
        if sorted(holds) != sorted(self.names(pile, epoch)):
            self.wrong.append(f"{pile} {epoch}")

    def step(self, by: str, kind: str, play: str, letters: Sequence[str]) -> None:
        if by != "referee" and play != "pass":
            self.play(by, kind, play, dict(zip(letters, self.hand[by], strict=True)))
        for line in self.session.file.log[-1].then:
            self.line(by, line.split(" "))
        game = self.session.game
        assert game is not None
        for seat in self.seats:
            held = [self.card(card) for card in game.hand(seat)]
            away = [(place, self.card(card)) for place, card in game.tucked(seat)]
            if held != self.hand[seat] or away != self.tucked(seat):
                self.wrong.append(f"hand of {seat} after {play}")

    def card(self, card: int) -> Card:
        """A card as the referee's program knows it."""
        piles = self.session.rules.hand_piles
        place = self.session.dealer.where(piles, card)
        return Card(self.session.rules.card_name(piles[0], card), *place)

    @abstractmethod
    def play(self, seat: str, kind: str, play: str, at: Mapping[str, Card]) -> None: ...

    @abstractmethod
    def line(self, by: str, words: Sequence[str]) -> None: ...

    @abstractmethod
    def tucked(self, seat: str) -> list[tuple[str, Card]]: ...


class SanJuanPiles(Piles):
    def __init__(self, session: Session, rule_set: RuleSet) -> None:
        holds = Counter({name: row[2] for name, row in rule_set.cards.items()})
        holds.update(rule_set.events)
        holds["indigo-plant"] -= len(session.file.seating)
        del holds["cathedral"]
        super().__init__(session, list(holds.elements()))
        self.city = {(seat, "1"): ["indigo-plant"] for seat in self.seats}
        self.plots = dict.fromkeys(self.seats, 1)
        self.fresh = dict.fromkeys(self.seats, 0)
        self.good: dict[tuple[str, str], str] = {}
        self.under: list[tuple[str, str, Card]] = []
        self.stored: dict[tuple[str, str], list[str]] = defaultdict(list)
        self.coming: list[tuple[str, str]] = []
        self.open: list[Card] = []
        self.shown: list[tuple[int, int]] = []

    def plot_of(self, seat: str, name: str) -> str:
        return next(at for (who, at), pile in self.city.items() if who == seat and pile[-1] == name)

    def play(self, seat: str, kind: str, play: str, at: Mapping[str, Card]) -> None:
        words = randomly.taken_apart(play, kind)
        gone = [at[letter] for word in ("pay", "discard") for letter in words.get(word, ())]
        left = [card for card in self.hand[seat] if card not in gone]
        if "keep" in words:
            among = left if kind == "draft" else left[-self.fresh[seat] :]
            kept = [at[letter] for letter in words["keep"]]
            gone += [card for card in among if card not in kept]
        for word in ("chapel", "bank"):
            under = [at[letter] for letter in words.get(word, ())]
            for card in sorted(under, key=left.index):
                self.under.append((seat, self.plot_of(seat, word), card))
        if "build" in words:
            built = [card for card in left if card.name == words["build"][0]][:1]
            self.build(seat, words)
            left = [card for card in left if card not in built]
        away = [card for _, _, card in self.under]
        self.hand[seat] = [card for card in left if card not in gone and card not in away]
        self.discards += [card.name for card in gone]

    def build(self, seat: str, words: Clauses) -> None:
        self.plots[seat] += "over" not in words
        plot = words.get("over", [str(self.plots[seat])])[0]
        for spot in (plot, *words.get("goods", ())):
            if (seat, spot) in self.good:
                self.discards.append(self.good.pop((seat, spot)))
        self.city.setdefault((seat, plot), []).append(words["build"][0])

    def line(self, by: str, words: Sequence[str]) -> None:
        match words:
            case ["shuffle", pile, epoch, *_]:
                self.shuffled(pile, epoch)
            case ["draw", "table", "deck", epoch, span]:
                for card in self.drawn("deck", epoch, span):
                    if self.coming and card.name not in EVENTS:
                        self.good[self.coming.pop(0)] = card.name
                    elif card.name not in EVENTS:
                        self.open.append(card)
            case ["draw", seat, pile, epoch, span] if seat != "table":
                cards = self.drawn(pile, epoch, span)
                self.hand[seat] += cards
                self.fresh[seat] += len(cards)
            case ["role", *_]:
                self.fresh = dict.fromkeys(self.seats, 0)
            case ["open", "deck", epoch, place, name, _] if name not in EVENTS:
                self.shown.append((int(epoch), int(place)))
            case ["keep", seat, count] if seat != by and int(count) != self.fresh[seat]:
                self.wrong.append(f"{seat} was not asked, but kept {count}")
            case ["produce", seat, *plots]:
                self.coming = [(seat, plot) for plot in plots]
            case ["customs-office", seat, plot]:
                self.good[seat, plot] = self.open.pop().name
            case ["sell", seat, *plots]:
                self.discards += [self.good.pop((seat, plot)) for plot in reversed(plots)]
            case ["harbor", seat, _]:
                self.stored[seat, self.plot_of(seat, "harbor")].append(self.discards.pop())
            case [("mine" | "goldsmith"), seat, name]:
                if self.shown != [(card.epoch, card.position) for card in self.open]:
                    self.wrong.append(f"cards were turned over as {self.shown}")
                self.shown = []
                found = [card for card in self.open if card.name == name]
                self.hand[seat] += found
                self.discards += [card.name for card in self.open if card not in found]
                self.open = []
            case ["lose", seat, _, _, plot]:
                self.lose(seat, plot)
            case ["discard", seat, "1"] if seat != by:
                self.discards.append(self.hand[seat].pop().name)

    def lose(self, seat: str, plot: str) -> None:
        lost = self.city.pop((seat, plot)) + self.stored.pop((seat, plot), [])
        lost += [self.good.pop((seat, plot))] if (seat, plot) in self.good else []
        lost += [card.name for who, at, card in self.under if (who, at) == (seat, plot)]
        self.under = [row for row in self.under if row[:2] != (seat, plot)]
        self.discards += [name for name in lost if name != "cathedral"]

    def tucked(self, seat: str) -> list[tuple[str, Card]]:
        return [(plot, card) for who, plot, card in self.under if who == seat]


class XanaduPiles(Piles):
    def __init__(self, session: Session) -> None:
        super().__init__(session, list(CARDS))
        self.crews: dict[tuple[str, str], list[tuple[str, Card]]] = defaultdict(list)

    def play(self, seat: str, kind: str, play: str, at: Mapping[str, Card]) -> None:
        gone = []
        if play.startswith("open "):
            gone = [at[letter] for letter in play.split()[1:]]
        else:
            for step in taken_apart(play)[1]:
                if step[0] == "work":
                    gone.append(at[step[1]])
                    self.crews[step[2], step[3]].append((seat, gone[-1]))
                else:
                    gone += [card for card in self.hand[seat] if card.name == step[1]]
        self.hand[seat] = [card for card in self.hand[seat] if card not in gone]

    def line(self, by: str, words: Sequence[str]) -> None:
        match words:
            case ["shuffle", pile, epoch, *_]:
                self.shuffled(pile, epoch)
            case ["draw", "table", "deck", epoch, _]:
                self.apart["end"] = [*self.names("deck", epoch)[:10], "end-of-game"]
            case ["draw", seat, pile, epoch, span] if seat != "table":
                self.hand[seat] += self.drawn(pile, epoch, span)
            case [("sell" | "clear"), seat, card, _, plot, *_]:
                self.discards.append(card)
                self.crews.pop((seat, plot), None)
            case ["open", pile, _, _, name, _] if pile != "seats":
                self.discards.append(name)
            case ["score", *_]:
                self.crews.clear()

    def tucked(self, seat: str) -> list[tuple[str, Card]]:
        spots = sorted(self.crews, key=lambda at: (self.seats.index(at[0]), int(at[1])))
        return [
            (f"{owner}.{plot}", card)
            for owner, plot in spots
            for who, card in self.crews[owner, plot]
            if who == seat
        ]


class Told(NamedTuple):
    """All that was written in the games of a module."""

    lines: set[str]
    answers: set[tuple[str, str]]
    may: set[tuple[str, str]]
    terms: list[dict[str, Any]]
    tables: list[Mapping[str, Any]]
    checked: set[tuple[str, bool]]
    wrong: list[str]
    counts: set[tuple[str, str, str]]
    lost: list[str]


RARE = "event governor-visit"


def chosen(view: View, rng: Random, habit: int) -> str:
    """An answer: any legal one, or a greedy one. A few habits bring about what is rare."""
    seen: Any = view
    decision = view.decision
    assert decision is not None
    first = decision.may[0]
    if habit == 0 and decision.kind == "turn":
        return "pass"
    if habit == 1 and decision.kind == "turn" and first.startswith("sell any of"):
        return first.replace("any of ", "")
    if f"{RARE} ROLE no-library" in decision.may:
        return next(text for text in decision.may if text.startswith(RARE)) + " no-library"
    xanadu = seen.__module__.startswith("referee.games.xanadu")
    if rng.random() < (0.1 if xanadu else 0.4):
        return view.suggest()
    seen.state.actor = seen.index
    pick: Any = xanadu_play if xanadu else sanjuan_play
    play: str = seen._render(pick(seen.state, rng))
    return play


def counted(may: Sequence[str]) -> str:
    """The numbers in what may be answered, names of cards and roles aside."""
    return " ".join(re.findall(r"\b\d+\b", " ".join(may)))


def promised(seen: Seen, seat: str, kind: str) -> str:
    """The numbers that the page says: N, then the plots."""
    row, (draws, kept) = seen.row(seat), share(seen, seat)
    held, drawn, goods = row["hand"], row.get("drawn", 0), seen.goods(seat)
    match kind:
        case "produce":
            return " ".join(map(str, (most_produced(seen, seat), *seen.empty_plants(seat))))
        case "sell":
            return " ".join(map(str, (min(len(goods), most_sold(seen, seat)), *goods)))
        case "office" | "amnesty":
            return str(min(held, 2) if kind == "office" else held)
        case "tidy":
            return str(hand_limit(seen, seat)) if held > hand_limit(seen, seat) else ""
        case "keep":
            assert kept < drawn <= draws
            return str(drawn - kept) if seen.owns(seat, "archive") else f"{kept} {drawn}"
        case "earthquake":
            return " ".join(("1", *seen.city(seat)))
    return {"draft": "4", "taxes": "1"}.get(kind, "")


def rule_sets(module: str) -> Iterator[tuple[Rules, int, RuleSet | None]]:
    """Every rule set, with some numbers of seats."""
    if module == "sanjuan":
        for number, rule_set in enumerate(EVERY):
            yield rule_set.rules, 2 + number % 3, rule_set
            if rule_set.events and rule_set.new_buildings:
                yield rule_set.rules, 4 - number % 3, rule_set
        return
    for variants, passes, guard in product(([], ["advanced"]), ("", "2", "3"), ("on", "off")):
        options = {"stall_guard": guard} | ({"passes": passes} if passes else {})
        rules = rules_of(module).choose(None, [], variants, options)
        for seats in rules.seats:
            if not rules.fits(seats) and (seats + len(variants) + len(passes)) % 2:
                yield rules, seats, None


def seen_by_all(game: Game) -> tuple[Any, ...]:
    """Everything that everybody can know of a game: table, questions, counts of cards, points."""
    seats = game.table()["seats"]
    hands = [len(game.hand(row["name"])) for row in seats]
    away = [[place for place, _ in game.tucked(row["name"])] for row in seats]
    return game.table(), game.decisions(), game.asked(), hands, away, game.scores(), game.over


@once
def told(module: str) -> Told:
    """Whole games of every rule set."""
    found = Told(set(), set(), set(), [], [], set(), [], set(), [])
    for seed, (rules, seats, rule_set) in enumerate(rule_sets(module)):
        rng = Random(seed)
        table = Table(seats, f"page {seed}", bool(seed % 2), rules).join_all()
        file = table.file
        session = Session.replay(file, opening.deal_secret(file, REFEREE))
        piles = SanJuanPiles(session, rule_set) if rule_set else XanaduPiles(session)
        found.terms.append(rules.terms())
        piles.step("referee", "", "", "")
        assert session.game is not None
        public = [seen_by_all(session.game)]
        while decisions := session.decisions():
            assert session.game is not None
            one = decisions[0]
            letters = session.dealer.letters(one.id, len(piles.hand[one.seat]))
            play = chosen(session.view(one.seat), rng, seed % 5)
            found.tables.append(session.game.table())
            found.answers.add((one.kind, play))
            found.may.update((each.kind, text) for each in decisions for text in each.may)
            if rule_set:
                seen = Seen(rule_set, found.tables[-1])
                found.counts.update(
                    (each.kind, counted(each.may), promised(seen, each.seat, each.kind))
                    for each in decisions
                )
            session.accept(one.id, one.seat, play, 1, bytes(64))
            piles.step(one.seat, one.kind, play, letters)
            public.append(seen_by_all(session.game))
        assert session.game is not None
        found.tables.append(session.game.table())
        file.table, file.asked = session.game.table(), session.asked()
        followed = rebuild.each_step(file, seen_by_all)
        pairs = zip(public, followed, strict=True)
        found.lost.extend(f"{seed} step {at}" for at, (was, now) in enumerate(pairs) if was != now)
        protocol = ("shuffle", "draw", "open", "take", "ask")
        said = [line for entry in file.log for line in entry.then]
        found.lines.update(line for line in said if line.split(" ")[0] not in protocol)
        found.checked.update(piles.checked)
        found.wrong.extend(f"{seed} {rules.terms()}: {one}" for one in piles.wrong)
    return found


def judged(forms: Sequence[Form], texts: Sequence[str]) -> list[str]:
    """Texts that are not of just one form, and forms, or parts of them, that no text has."""
    strange = [text for text in texts if sum(form.matches(text) for form in forms) != 1]
    return strange + [f"never: {form.text}" for form in forms if not all(form.seen)]


@pytest.mark.parametrize("module", MODULES)
def test_the_lines_are_those_of_the_page(module: str) -> None:
    head = {"sanjuan": "line of San Juan", "xanadu": "line of Xanadu"}[module]
    values = values_of(module)
    forms = [Form(text, values) for row in sections()[module][head] for text in quoted(row[0])]
    assert judged(forms, sorted(told(module).lines)) == []


@pytest.mark.parametrize("module", MODULES)
def test_plays_and_questions_are_those_of_the_page(module: str) -> None:
    rows, values = sections()[module]["kind"], values_of(module)
    kinds = [quoted(row[0])[0] for row in rows]
    assert sorted(kinds) == sorted(rules_of(module).kinds)
    for kind, (_, _, plays, may) in zip(kinds, rows, strict=True):
        answers = sorted(play for of, play in told(module).answers if of == kind)
        assert judged([Form(text, values) for text in quoted(plays)], answers) == []
        more = [text for text in quoted(may) if text.startswith(" ")]
        forms = [Form(text, values, True) for text in quoted(may) if text not in more]
        asked = sorted(text for of, text in told(module).may if of == kind)
        for text in more:
            assert any(text in question for question in asked)
            asked = [question.replace(text, "") for question in asked]
        assert judged(forms, asked) == []


@pytest.mark.parametrize("module", MODULES)
def test_the_keys_are_those_of_the_page(module: str) -> None:
    tables = told(module).tables
    seats = [row for table in tables for row in table["seats"]]
    cities = [building for row in seats for building in row["city"]]
    for head, found in (
        ("key of `table`", tables),
        ("key of a seat", seats),
        ("key of a building", cities),
    ):
        rows = sections()[module][head]
        keys = {key: bool(row[2]) for row in rows for key in quoted(row[0])}
        assert {key for one in found for key in one} == set(keys)
        sometimes = {key for key in keys if not all(key in one for one in found)}
        assert sometimes == {key for key, is_condition in keys.items() if is_condition}


def words_in(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    return {*value, *(value.values() if isinstance(value, dict) else ())}


@pytest.mark.parametrize("module", MODULES)
def test_the_terms_are_those_of_the_page(module: str) -> None:
    rows = {quoted(row[0])[0]: quoted(row[1]) for row in sections()[module]["key of `game`"]}
    own = rules_of("xanadu").choose(None, [], [], {}, DECK.read_text(encoding="utf-8")).terms()
    terms = told(module).terms + ([own] if module == "xanadu" else [])
    assert {key for one in terms for key in one} == set(rows)
    for key in ("expansions", "variants", "options"):
        assert {word for one in terms for word in words_in(one[key])} <= set(rows[key])


def test_the_phases_are_those_of_the_page() -> None:
    row = next(row for row in sections()["sanjuan"]["key of `table`"] if row[0] == "`phase`")
    named = set(quoted(row[1])) - {"governor-visit"}
    found = {table["phase"] for table in told("sanjuan").tables}
    assert found - {*ROLES.split("|"), *EVENTS} == named
    assert "governor-visit" not in found


def test_roles_and_the_library_are_told_as_the_page_says() -> None:
    roles = ROLES.split("|")
    for table in told("sanjuan").tables:
        assert table["used"] == [role for role in roles if role in table["used"]]
        assert not table["doubled"] or table["phase"] in roles


def test_the_numbers_in_may_are_those_of_the_page() -> None:
    counts = told("sanjuan").counts
    assert [row for row in counts if row[1] != row[2]] == []
    assert {kind for kind, _, numbers in counts if numbers} == {
        "draft",
        "office",
        "tidy",
        "produce",
        "sell",
        "keep",
        "earthquake",
        "taxes",
        "amnesty",
    }


@pytest.mark.parametrize("module", MODULES)
def test_piles_and_hands_are_those_of_the_page(module: str) -> None:
    assert told(module).wrong == []
    more = ("tiles", False) if module == "sanjuan" else ("end", False)
    assert told(module).checked == {("seats", False), ("deck", False), ("deck", True), more}


@pytest.mark.parametrize("module", MODULES)
def test_everybody_can_follow_every_game(module: str) -> None:
    assert told(module).lost == []


@pytest.mark.parametrize("rule_set", EVERY, ids=str)
def test_the_digest_of_san_juan(rule_set: RuleSet) -> None:
    rows = [(name, *map(str, row)) for name, row in rule_set.cards.items()]
    lines = [*sorted(rows), *((name, "event", "1") for name in sorted(rule_set.events))]
    text = "".join(" ".join(line) + "\n" for line in lines) + " ".join(TILES)
    digest = sha256(text.encode()).hexdigest()
    assert rule_set.rules.terms()["cards"] == digest
    plain = not rule_set.expansions and rule_set.edition == "2014"
    whole = len(rule_set.expansions) == 2 and rule_set.edition == "2004"
    assert (f" `{digest}` |" in PAGE) == (plain or whole)


def digest_of(deck: Mapping[str, Any]) -> str:
    def listed(names: Sequence[str]) -> str:
        return ", ".join(names)

    lines = ["schema=1", f"deck={deck['deck']}", f"edition={deck['edition']}"]
    lines += ["official=true" if deck["official"] else "official=false"]
    lines += [f"resources={listed(deck['resources'])}"]
    lines += [f"counts.{colour}={deck['counts'][colour]}" for colour in COLOURS]
    base = deck.get("base")
    lines += [f"base.{one}={base[one]}" for one in COLOURS] if base else []
    keys = ("id", "name", "colour", "cost", "passive", "field", "final_price", "provenance")
    for card in deck["card"]:
        for key in keys:
            if key in card:
                lines.append(f"{key}={listed(card[key]) if key == 'field' else card[key]}")
    return sha256("\n".join(lines).encode()).hexdigest()


def test_the_digest_of_xanadu() -> None:
    deck = tomllib.loads(DECK.read_text(encoding="utf-8"))
    digest = digest_of(deck)
    assert rules_of("xanadu").choose(None, [], [], {}).terms()["cards"] == digest
    assert f"| `{deck['deck']}` | `{digest}` |" in PAGE
    every = " ".join(deck["resources"])
    deck |= {"official": True, "base": dict.fromkeys(COLOURS, every)}
    deck["card"][0] |= {"id": "É 1", "passive": [], "cost": deck["card"][0]["cost"].split()}
    terms = XanaduRules.of(None, [], [], {}, deck).terms()
    assert "passive" not in terms["own-deck"]["card"][0]
    assert terms["own-deck"]["card"][0]["cost"] == " ".join(deck["card"][0]["cost"])
    assert terms["cards"] == digest_of(terms["own-deck"])


def test_goods_lie_where_the_page_says() -> None:
    holders = (*PRODUCTION, "customs-office")
    for table in told("sanjuan").tables:
        for row in table["seats"]:
            for one in row["city"]:
                assert ("good" in one) == (one["card"] in holders)
