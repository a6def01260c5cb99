"""Patterns of words: one pattern yields the parser, the renderer, the help and the completion.

    (build) CARD… [over PLOT…] [goods]

Lower-case words stand for themselves, upper-case ones for a name of the vocabulary called so. `…`
repeats what stands before it, `[ ]` may be left out, `{ }` may not, `|` stands between ways to go
on, and people may leave out a word in `( )`. Where a text can be read in several ways, a word of
the pattern goes before a name, and what may be left out is looked for first. No way of a group
that is repeated may be left out as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from referee.games.errors import NotUnderstood
from referee.games.flat import Token, joined, shortened
from referee.games.near import near
from referee.records import NamedTuple

MAX_WORDS = 100
"""No text that is read has more words."""
MAX_TRIES = 20_000
"""A text that takes more tries to read is given up."""
SHORTEST = 3
"""The fewest characters of a name that is not written in full."""


class Item(NamedTuple):
    """A word that was read: a name of the vocabulary `what`, or a word of the pattern itself."""

    what: str
    text: str


class Word(NamedTuple):
    """A word of a pattern; people may leave out one that is `silent`."""

    text: str
    silent: bool = False


class Name(NamedTuple):
    """A place for a name of a vocabulary, or for `many`."""

    what: str
    many: bool = False


class Group(NamedTuple):
    """Ways to go on, one of them or `many` one after the other; all may be left out if `free`.

    People may say an `option` before or after those that stand beside it.
    """

    ways: tuple[Row, ...]
    free: bool
    many: bool
    option: bool = False


Node = Word | Name | Group
Row = tuple[Node, ...]

_MARKS = re.compile(r"[a-z][a-z-]*|\([a-z-]+\)|[A-Z]+…?|[\[{|]|\]…?|\}…?")


def row_of(pattern: str) -> Row:
    """Return a pattern as nodes."""
    marks = _MARKS.findall(pattern)
    ways, at = _ways_of(marks, 0)
    assert (at, len(ways)) == (len(marks), 1), pattern
    return ways[0]


def _ways_of(marks: Sequence[str], at: int) -> tuple[tuple[Row, ...], int]:
    ways: list[list[Node]] = [[]]
    while at < len(marks) and marks[at][0] not in "]}":
        mark = marks[at]
        at += 1
        if mark == "|":
            ways.append([])
        elif mark in "[{":
            inner, at = _ways_of(marks, at)
            free, many = mark == "[", marks[at].endswith("…")
            ways[-1].append(Group(inner, free, many, free and not many and len(inner) == 1))
            at += 1
        elif mark[0] == "(":
            ways[-1].append(Word(mark[1:-1], True))
        elif mark[0].isupper():
            ways[-1].append(Name(mark.rstrip("…"), mark.endswith("…")))
        else:
            ways[-1].append(Word(mark))
    return tuple(map(tuple, ways)), at


def usage(row: Row) -> str:
    """Return a pattern for people."""
    shown = []
    for node in row:
        match node:
            case Word(text):
                shown.append(text)
            case Name(what, many):
                shown.append(f"{what}{'…' if many else ''}")
            case Group(ways, free, many, _):
                inner = " | ".join(map(usage, ways))
                plain = not free and not many and len(ways) == 1
                marks = ("", "") if plain else ("[", "]") if free else ("{", "}")
                shown.append(f"{marks[0]}{inner}{marks[1]}{'…' if many else ''}")
    return " ".join(shown)


def render(items: Iterable[Item]) -> str:
    """Return items as text."""
    return " ".join(item.text for item in items)


class Vocabulary:
    """The names that may stand in one place, under their aliases too.

    `elsewhere` has names that are known and do not fit there, each with the reason; `about` says
    what they are where they are too many to list.
    """

    def __init__(
        self,
        names: Iterable[str],
        aliases: Mapping[str, str] | None = None,
        elsewhere: Mapping[str, str] | None = None,
        called: str = "name",
        about: str = "",
    ) -> None:
        self.about = about
        self.names = tuple(dict.fromkeys(names))
        own = {name: name for name in self.names}
        more = {alias: name for alias, name in (aliases or {}).items() if name in own}
        self._known = {**more, **own}
        self._elsewhere = elsewhere or {}
        self._called = called
        self.longest = 1 + max((name.count("-") for name in self._known), default=0)

    @property
    def offered(self) -> tuple[str, ...]:
        """The names that completion offers."""
        return self.names

    @property
    def label(self) -> str:
        """One of the names, in words."""
        return f"{'an' if self._called[0] in 'aeiou' else 'a'} {self._called}"

    def has(self, text: str) -> bool:
        """Return True if this is a name as it is written in full."""
        return text in self.names

    def meant(self, text: str) -> str:
        """Return what a name, an alias or the beginning of one means; "" if that is not clear."""
        if text in self._known:
            return self._known[text]
        found = self._begun(text)
        return found.pop() if len(found) == 1 and text not in self._elsewhere else ""

    def _begun(self, text: str) -> set[str]:
        # One or two letters are what people know a card of their hand by, and no beginning.
        if len(text) < SHORTEST:
            return set()
        return {name for known, name in self._known.items() if known.startswith(text)}

    def explain(self, text: str) -> tuple[str, str]:
        """Return why this is not one of the names, and a hint at what would be right."""
        if text in self._elsewhere:
            return self._elsewhere[text], ""
        if len(text) < SHORTEST and text.isalpha() and "card" in self._called:
            told = f"{text!r} is the letter of a card, and letters are dealt with each question"
            return told, "name the card"
        found = sorted(self._begun(text))
        if len(found) > 1:
            return f"{shortened(text)!r} can mean {' or '.join(found[:6])}", ""
        meant = [name for name in self._elsewhere if text and name.startswith(text)]
        if len(meant) == 1:
            return self._elsewhere[meant[0]], ""
        inside = [name for name in self.names if text in name.split("-")]
        hint = f"did you mean {inside[0]}?" if len(inside) == 1 else ""
        hint = hint or near(text, [*self._known, *self._elsewhere])
        if not hint and len(self.names) <= 16:
            hint = f"{self._called}s: {', '.join(self.names)}"
        return f"there is no {self._called} {shortened(text)!r}", hint


class Numbers(Vocabulary):
    """Whole numbers from `least` to `most`."""

    def __init__(self, least: int, most: int) -> None:
        about = f"{least} to {most}"
        super().__init__(map(str, range(least, most + 1)), called="number", about=about)
        self._hint = f"a number from {least} to {most} goes here"

    @property
    def offered(self) -> tuple[str, ...]:
        """The first few numbers."""
        return self.names[:9]

    def meant(self, text: str) -> str:
        """Return the number as it is written."""
        return text if text in self._known else ""

    def explain(self, text: str) -> tuple[str, str]:
        """Return why this is not one of the numbers, and which are."""
        return f"{shortened(text)!r} is not such a number", self._hint


class Parser:
    """A parser of tokens by patterns, which knows what could have stood where it got stuck.

    With `strict` it takes nothing but names in full and every word.
    """

    def __init__(
        self, vocabularies: Mapping[str, Vocabulary], tokens: Sequence[Token], strict: bool = False
    ) -> None:
        if len(tokens) > MAX_WORDS:
            raise NotUnderstood(f"this has over {MAX_WORDS} words", "make it shorter")
        self._vocabularies = vocabularies
        self._tokens = tokens
        self._strict = strict
        self._tries = MAX_TRIES
        self.reached = 0
        self.expected: dict[Word | Name, None] = {}

    def parse(self, row: Row) -> tuple[Item, ...]:
        """Return the items of the whole text; raises NotUnderstood with what would be right."""
        for at, items in self._ways(row, 0):
            if at == len(self._tokens):
                return items
            self._expect(at, None)
        raise self._stuck(row)

    def next_words(self, row: Row) -> list[str]:
        """Return the words with which the text can go on."""
        for _ in self._ways(row, 0):
            pass
        if self.reached < len(self._tokens):
            return []
        found: list[str] = []
        for node in self.expected:
            if isinstance(node, Name):
                found += self._vocabularies[node.what].offered
            else:
                found.append(node.text)
        return list(dict.fromkeys(found))

    def _ways(self, row: Row, at: int) -> Iterator[tuple[int, tuple[Item, ...]]]:
        self._tries -= 1
        if self._tries < 0:
            raise NotUnderstood("this can be read in too many ways", "make it shorter")
        if not row:
            yield at, ()
            return
        node, rest = row[0], row[1:]
        if isinstance(node, Word):
            self._expect(at, node)
            for size in sorted({1, 1 + node.text.count("-")}):
                # People write a blank for a hyphen.
                if joined(self._tokens[at : at + size]) == node.text:
                    yield from self._after((Item("", node.text),), rest, at + size)
            if node.silent and not self._strict:
                for end, items in self._ways(rest, at):
                    yield end, (Item("", node.text), *items)
        elif isinstance(node, Name):
            self._expect(at, node)
            for size, name in self._names(node.what, at):
                item = (Item(node.what, name),)
                yield from self._after(item, rest, at + size)
                if node.many:
                    yield from self._after(item, row, at + size)
        elif node.option and not self._strict:
            options = list(takewhile(_is_option, row))
            yield from self._in_any_order(options, row[len(options) :], at, {})
        else:
            again = (Group(node.ways, True, True),) if node.many else ()
            for way in node.ways:
                yield from self._ways((*way, *again, *rest), at)
            if node.free:
                yield from self._ways(rest, at)

    def _in_any_order(
        self,
        options: Sequence[Node],
        rest: Row,
        at: int,
        said: Mapping[int, tuple[Item, ...]],
    ) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Yield the ways to go on with options, their items in the order of the pattern."""
        for number, option in enumerate(options):
            if number not in said and isinstance(option, Group):
                for end, items in self._ways(option.ways[0], at):
                    yield from self._in_any_order(options, rest, end, {**said, number: items})
        begun = [item for number in sorted(said) for item in said[number]]
        for end, more in self._ways(rest, at):
            yield end, (*begun, *more)

    def _after(
        self, items: tuple[Item, ...], row: Row, at: int
    ) -> Iterator[tuple[int, tuple[Item, ...]]]:
        for end, more in self._ways(row, at):
            yield end, (*items, *more)

    def _names(self, what: str, at: int) -> Iterator[tuple[int, str]]:
        vocabulary = self._vocabularies[what]
        if self._strict:
            if at < len(self._tokens) and vocabulary.has(self._tokens[at].text):
                yield 1, self._tokens[at].text
            return
        for size in range(min(vocabulary.longest, len(self._tokens) - at), 0, -1):
            name = vocabulary.meant(joined(self._tokens[at : at + size]))
            if name:
                yield size, name

    def _expect(self, at: int, node: Word | Name | None) -> None:
        if at > self.reached:
            self.reached = at
            self.expected = {}
        if at == self.reached and node is not None:
            self.expected[node] = None

    def _stuck(self, row: Row) -> NotUnderstood:
        nodes = list(self.expected)
        hint = f"here goes {self._listed(nodes)}" if nodes else f"it is written as: {usage(row)}"
        if self.reached >= len(self._tokens):
            last = self._tokens[-1].text if self._tokens else ""
            told = f"something is missing after {shortened(last)!r}" if last else "nothing is said"
            return NotUnderstood(told, hint)
        text = self._tokens[self.reached].text
        words = [node.text for node in nodes if isinstance(node, Word)]
        meant = near(text, words)
        if not meant:
            known = [self._vocabularies[node.what] for node in nodes if isinstance(node, Name)]
            # Of a name, what is wrong with it as a number is not worth telling.
            known.sort(key=lambda one: isinstance(one, Numbers) and not text.isdecimal())
            for vocabulary in known:
                message, more = vocabulary.explain(text)
                return NotUnderstood(message, more or hint)
        return NotUnderstood(f"{shortened(text)!r} does not fit here", meant or hint)

    def _listed(self, nodes: Sequence[Word | Name]) -> str:
        labels = [
            node.text if isinstance(node, Word) else self._vocabularies[node.what].label
            for node in nodes
        ]
        *some, last = dict.fromkeys(labels)
        return f"{', '.join(some)} or {last}" if some else last


def _is_option(node: Node) -> bool:
    return isinstance(node, Group) and node.option
