"""Plans: what a seat will answer to questions that have not been put yet, clause by clause.

    [always] SUBJECT: WISH [if TEST [and TEST]…] [, else WISH …]…

A subject stands for one or several kinds of questions. Of all clauses for a question, the first
wish whose tests hold and that gives a legal play is the answer. In every game a wish may be `best`
(the answer of the table's bot, named with its version), `ask` (put the question to me) or `play`
with a whole play in which cards are named by their names, for letters are dealt with the question.
A clause without `always` dies with the turn.

A game has a language of its own by deriving from Language; PlainLanguage serves all others.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from referee.games.errors import GameError, NotUnderstood
from referee.games.flat import Token, tokens_of
from referee.games.grammar import (
    SHORTEST,
    Group,
    Item,
    Parser,
    Row,
    Vocabulary,
    Word,
    render,
    row_of,
    usage,
)
from referee.games.interface import PlanLanguage, Rules, View
from referee.games.phrases import phrases_of
from referee.games.values import Foreseen, Held, Offer, letter
from referee.records import NamedTuple

MAX_CLAUSES = 32
MAX_LENGTH = 400
"""No plan has more clauses, and no clause more characters."""
MAX_WISHES = 16
"""No more wishes can be for one kind of question, so that an answer is found soon."""

BOT, PLAY, SUBJECT = "BOT", "PLAY", "SUBJECT"


class Subject(NamedTuple):
    """The subject of a clause: the questions that it answers, and the wishes that fit them.

    `forms` are patterns; a wish is known by its first word. With `passes` it is always legal to
    pass. What people say of a play's words is taken for nothing if it is `idle`.
    """

    name: str
    kinds: tuple[str, ...]
    forms: tuple[str, ...]
    help: str
    aliases: tuple[str, ...] = ()
    passes: bool = False
    idle: tuple[str, ...] = ()

    @property
    def verbs(self) -> list[str]:
        """The words before names that people may leave out."""
        return [form[1:].partition(")")[0] for form in self.forms if form[0] == "("]


class Wish(NamedTuple):
    """An answer that is wished for, and the tests that must hold for it."""

    items: tuple[Item, ...]
    tests: tuple[tuple[Item, ...], ...] = ()

    @property
    def form(self) -> str:
        """The word by which the form of the wish is known; "" if it begins with a name."""
        return "" if self.items[0].what else self.items[0].text

    def __str__(self) -> str:
        tests = " and ".join(map(render, self.tests))
        return f"{render(self.items)} if {tests}" if tests else render(self.items)

    @property
    def final(self) -> bool:
        """True if nothing can come after this wish: it always answers, or has the seat asked."""
        return not self.tests and self.form in ("best", "ask")


class PlanClause(NamedTuple):
    """A clause: a subject, and wishes of which the first that is possible counts."""

    always: bool
    subject: str
    wishes: tuple[Wish, ...]

    def __str__(self) -> str:
        wishes = ", else ".join(map(str, self.wishes))
        return f"{'always ' if self.always else ''}{self.subject}: {wishes}"


class Answer(NamedTuple):
    """A play, and the clause (counted from 0) and wish that gave it; no play for `ask`."""

    play: str | None
    number: int
    wish: Wish


V = TypeVar("V", bound=View)


When = tuple[str, ...]
"""States of things in which a question can be put, the more important ones first."""


class Moment(Generic[V]):
    """A question that can be put to a seat, `at` some state of things, and its view then."""

    __slots__ = ("at", "question", "view")

    def __init__(self, question: str, view: V, *at: str) -> None:
        self.question = question
        self.view = view
        self.at = at


def lettered(hand: Sequence[Held]) -> tuple[Held, ...]:
    """Return a hand with letters as a question might deal them."""
    return tuple(Held(letter(number), card.name) for number, card in enumerate(hand))


def phrases(items: Sequence[Item]) -> list[tuple[str, list[str]]]:
    """Return the words of a wish, each with the names after it; names before any under ""."""
    found: list[tuple[str, list[str]]] = []
    for what, text in items:
        if not what:
            found.append((text, []))
        elif found:
            found[-1][1].append(text)
        else:
            found.append(("", [text]))
    return found


class Bots(Vocabulary):
    """The bots that may answer in a plan: none that draws lots, for its seed is not known ahead."""

    def explain(self, text: str) -> tuple[str, str]:
        """Return why a bot cannot be named, and which can."""
        message, _ = super().explain(text)
        return message, f"a plan may name bots without a seed: {', '.join(self.names)}"


class PlayWords(Vocabulary):
    """The words and names of whole plays: anything but letters, which nobody knows ahead."""

    def __init__(self, rules: Rules, seats: Sequence[str], more: Sequence[str]) -> None:
        cards = rules.card_aliases()
        words = [*(word.name for word in rules.words), "pass", *more]
        # A word as short as a letter could be taken for one.
        names = [name for name in (*seats, *cards.values()) if len(name) >= SHORTEST]
        super().__init__([*words, *names], cards, called="word or card")
        self._open = not cards

    def has(self, text: str) -> bool:
        """Return True for a word, a number, or the name of a card in full."""
        return super().has(text) or text.isdecimal() or self._named(text)

    def meant(self, text: str) -> str:
        """Return the word or card that is meant; any name where the game does not list them."""
        return super().meant(text) or (text if self.has(text) else "")

    def _named(self, text: str) -> bool:
        return self._open and len(text) >= SHORTEST and text not in ("if", "and", "else")


class Language(PlanLanguage, Generic[V]):
    """A language of plans, from the grammar that a game gives it as data.

    A subclass says what its wishes and tests mean in a view.
    """

    version = 1
    tests: ClassVar[Mapping[str, str]] = {}
    """The patterns of tests, and what they mean."""
    slips: ClassVar[Mapping[str, str]] = {
        "or": "names stand one after the other, and `else` begins another wish",
        "and": "names stand one after the other; `and` is for tests behind `if`",
        "then": "names stand one after the other, and `else` begins another wish",
    }
    """Words that people use and no pattern has, and what they should say."""

    def __init__(
        self,
        rules: Rules,
        seats: Sequence[str],
        subjects: Sequence[Subject],
        vocabularies: Mapping[str, Vocabulary],
        elsewhere: Mapping[str, str] | None = None,
        played: Sequence[str] = (),
    ) -> None:
        """Put the grammar together; `elsewhere` has subjects that other rule sets have, and why.

        `played` are names in plays that are none of cards and seats.
        """
        self.rules = rules
        self.turn_kind = rules.kinds[0]
        self.subjects = {subject.name: subject for subject in subjects}
        self._elsewhere = dict(elsewhere or {})
        aliases = {alias: one.name for one in subjects for alias in one.aliases}
        self.vocabularies: dict[str, Vocabulary] = {
            BOT: Bots([rules.bot], called="bot"),
            PLAY: PlayWords(rules, seats, played),
            SUBJECT: Vocabulary(self.subjects, aliases, elsewhere, "subject"),
            **vocabularies,
        }
        self._rows = {subject.name: self._row(subject) for subject in subjects}
        self._known: dict[str, PlanClause] = {}

    def _row(self, subject: Subject) -> Row:
        # Where nothing else is to be said, people need not say that it is a play.
        play = "play PLAY…" if subject.forms else "(play) PLAY…"
        ways = [row_of(form) for form in ("best BOT", "ask", *subject.forms, play)]
        wish: Row = (Group(tuple(ways), False, False),)
        if self.tests and subject.kinds:
            test = Group(tuple(map(row_of, self.tests)), False, False)
            more = Group(((Word("and"), test),), True, True)
            wish = (*wish, Group(((Word("if"), test, more),), True, False))
        if not subject.kinds:
            return ways[2]
        return (*wish, Group(((Word("else"), *wish),), True, True))

    # The part that each game says.

    @abstractmethod
    def _play(self, wish: Wish, view: V, living: Sequence[PlanClause]) -> str:
        """Return the play that a wish of the game's own asks for; "" or a GameError for none."""

    def _holds(self, test: tuple[Item, ...], view: V) -> bool:
        """Return True if a test holds."""
        return False

    def _never(self, subject: str, wish: Wish) -> str:
        """Return why a wish could never be fulfilled; "" if it could."""
        return ""

    def _idle(self, subject: str, wish: Wish) -> str:
        """Return why somebody should not write a wish, which may be in a plan all the same.

        Other programs know fewer reasons, and what they have signed is not to be refused.
        """
        return ""

    def _sure(self, subject: str, wish: Wish) -> bool:
        """Return True if a wish of the game's own without tests always gives an answer."""
        return False

    def _as_it_stands(self, clause: PlanClause, view: V) -> PlanClause:
        """Return a clause with what its author takes for granted written out."""
        return clause

    def _moments(self, view: V) -> Iterator[Moment[V]]:
        """Yield the questions that can be put to the seat before long, first the one that is.

        They have the names of their subjects, and those of one follow each other. In its view of
        others the letters are those of `lettered`.
        """
        if view.decision is not None:
            kind = view.decision.kind
            names = [one.name for one in self.subjects.values() if kind in one.kinds]
            yield Moment(names[0] if names else kind, view)

    def _listed(self, subject: Subject, view: V) -> Offer | None:
        """Return what can be chosen for a subject, apart from ends; None if it cannot come up."""
        return Offer(subject.name, "", (), (), ())

    # Reading and writing.

    def read(self, lines: Sequence[str], view: View | None = None) -> list[str]:
        """Return the canonical clauses that people's lines mean; see PlanLanguage."""
        found: list[PlanClause] = []
        for number, line in enumerate(lines, 1):
            text = line.partition("#")[0].strip()
            if not text:
                continue
            try:
                found.append(self._read(text, view))
                self._check_reached(found)
            except NotUnderstood as error:
                where = f"line {number}: " if len(lines) > 1 else ""
                raise NotUnderstood(f"{where}{error.message}", error.hint) from None
        if len(found) > MAX_CLAUSES:
            raise NotUnderstood(f"a plan has {MAX_CLAUSES} clauses at most, not {len(found)}")
        return [str(clause) for clause in found]

    def _read(self, text: str, view: View | None) -> PlanClause:
        clause = self.parse(text, people=True)
        if view is not None:
            clause = self._as_it_stands(clause, view)  # type: ignore[arg-type]
        self._check_clause(clause)
        for wish in clause.wishes:
            reason = self._idle(clause.subject, wish)
            if reason:
                raise NotUnderstood(reason)
        if self.parse(str(clause)) != clause:
            raise NotUnderstood("this can be read in several ways", "name less in one line")
        return clause

    def check(self, clauses: Sequence[str]) -> None:
        """Raise NotUnderstood unless all clauses are canonical."""
        if len(clauses) > MAX_CLAUSES:
            raise NotUnderstood(f"a plan has {MAX_CLAUSES} clauses at most, not {len(clauses)}")
        found: list[PlanClause] = []
        for text in clauses:
            found.append(self._canonical(text))
            self._check_reached(found)

    def _canonical(self, text: str) -> PlanClause:
        if text not in self._known:
            clause = self.parse(text)
            self._check_clause(clause)
            if str(clause) != text:
                raise NotUnderstood("a clause is written with single blanks and its names in full")
            if len(self._known) > 10 * MAX_CLAUSES:
                self._known.clear()
            self._known[text] = clause
        return self._known[text]

    def parse(self, text: str, people: bool = False) -> PlanClause:
        """Return the clause of a canonical text, or of what people write. Raises NotUnderstood."""
        if len(text) > MAX_LENGTH:
            raise NotUnderstood(f"a clause has {MAX_LENGTH} characters at most")
        tokens = tokens_of(text) if people else _plain_tokens(text)
        always = bool(tokens) and tokens[0].text == "always"
        if always:
            tokens = tokens[1:]
        name, size = self._subject(tokens)
        tokens = tokens[size:]
        # The first name of a wish is none of several that belong together.
        tokens[:1] = [token._replace(joins=False) for token in tokens[:1]]
        if people:
            tokens = self._plainer(tokens, self.subjects[name])
        parser = Parser(self.vocabularies, tokens, not people)
        try:
            items = parser.parse(self._rows[name])
        except NotUnderstood:
            hint = self._slip([token.text for token in tokens], parser.reached)
            if not hint:
                raise
            text = tokens[parser.reached].text
            raise NotUnderstood(f"{text!r} does not fit here", hint) from None
        return PlanClause(always, name, tuple(_wishes(items)))

    def _slip(self, words: Sequence[str], at: int) -> str:
        """Return what to say in place of a word at which a clause is not understood any more."""
        if at >= len(words):
            return ""
        begins = at == 0 or words[at - 1] == "else"
        if words[at] == "if":
            return "a wish comes before `if`, and a wish has one: more tests follow after `and`"
        if words[at] in ("best", "ask", "pass", "play") and not begins:
            return f"another wish begins with `else`: else {words[at]}"
        return self.slips.get(words[at], "")

    def _subject(self, tokens: Sequence[Token]) -> tuple[str, int]:
        """Return the subject with which a clause begins, and how many tokens name it."""
        known = self.vocabularies[SUBJECT]
        for size in range(min(known.longest, len(tokens)), 0, -1):
            name = known.meant("-".join(token.text for token in tokens[:size]))
            if name:
                return name, size
        if not tokens:
            raise NotUnderstood("there is no clause here", f"subjects: {', '.join(self.subjects)}")
        message, hint = known.explain(tokens[0].text)
        raise NotUnderstood(message, hint or f"subjects: {', '.join(self.subjects)}")

    def _plainer(self, tokens: Sequence[Token], subject: Subject) -> list[Token]:
        """Leave out words that mean nothing, and write the bot behind `best` where people do not.

        `keep best` is `best` alone.
        """
        found: list[Token] = []
        wish: list[str] = []
        for token in tokens:
            if token.text == "else":
                wish = []
                found.append(token)
                continue
            if token.text == "best" and (not wish or (len(wish) == 1 and wish[0] in subject.verbs)):
                found[len(found) - len(wish) :] = [token, Token(self.rules.bot, False, True)]
                wish = ["best"]
                continue
            if wish == ["best"] and token.text != "if":
                # A bot that is named stands where the usual one was put.
                found[-1] = Token(token.text, False, True)
            elif token.text not in subject.idle or {"play", "if"}.intersection(wish):
                found.append(token)
            wish.append(token.text)
        return found

    def _check_clause(self, clause: PlanClause) -> None:
        """Raise NotUnderstood for a wish that can never apply."""
        subject = self.subjects[clause.subject]
        twice = repeated([str(wish) for wish in clause.wishes])
        if twice:
            raise NotUnderstood(f"{twice!r} is wished twice, and the second time never applies")
        for number, wish in enumerate(clause.wishes):
            reason = self._never(clause.subject, wish)
            if reason:
                raise NotUnderstood(reason)
            if self._answers(subject, wish) and number + 1 < len(clause.wishes):
                more = clause.wishes[number + 1]
                raise NotUnderstood(
                    f"nothing can come after {str(wish)!r}, so {str(more)!r} never applies",
                    "put it last",
                )

    def _check_reached(self, clauses: Sequence[PlanClause]) -> None:
        """Raise NotUnderstood if the last of several clauses never comes to count."""
        *before, last = clauses
        subject = self.subjects[last.subject]
        count = sum(len(one.wishes) for one in clauses if one.subject == last.subject)
        if count > MAX_WISHES:
            raise NotUnderstood(f"{last.subject} has {MAX_WISHES} wishes at most, not {count}")
        for clause in before:
            if clause.subject != last.subject or (last.always and not clause.always):
                continue
            if not subject.kinds:
                raise NotUnderstood(f"there are two lines for {last.subject}", "make them one")
            if self._answers(subject, clause.wishes[-1]):
                raise NotUnderstood(
                    f"'{clause}' leaves nothing to '{last}'", "put the other line first"
                )

    # Answers.

    def evaluate(self, clauses: Sequence[str], view: View, turn_alive: bool = True) -> str | None:
        """Return the legal play with which clauses answer what the view asks; see PlanLanguage."""
        try:
            found = self.answer(clauses, view, turn_alive)
        except Exception:
            # Whoever writes a plan must not be able to stop the game.
            return None
        return found.play if found is not None else None

    def answer(self, clauses: Sequence[str], view: View, turn_alive: bool = True) -> Answer | None:
        """Return the answer with the wish that gave it; raises NotUnderstood for other clauses."""
        if view.decision is None:
            return None
        read = [self._canonical(text) for text in clauses]
        living = [clause for clause in read if clause.always or turn_alive]
        for clause in living:
            if view.decision.kind not in self.subjects[clause.subject].kinds:
                continue
            for wish in clause.wishes:
                if not all(self._holds(test, view) for test in wish.tests):  # type: ignore[arg-type]
                    continue
                if wish.form == "ask":
                    return Answer(None, read.index(clause), wish)
                play = self._try(wish, view, living)
                if play:
                    return Answer(play, read.index(clause), wish)
        return None

    def _try(self, wish: Wish, view: View, living: Sequence[PlanClause]) -> str:
        """Return the legal play that fulfils a wish, or ""."""
        try:
            if wish.form == "best":
                play = view.suggest()
            elif wish.form == "pass":
                play = "pass"
            elif wish.form == "play":
                play = view.read(render(wish.items[1:]))
            else:
                play = self._play(wish, view, living)  # type: ignore[arg-type]
            if play:
                view.check(play)
        except GameError:
            return ""
        return play

    def foresee(
        self,
        clauses: Sequence[str],
        view: View,
        turn_alive: bool = True,
        next_turn: bool | None = None,
    ) -> list[Foreseen]:
        """Return what clauses would answer now to the questions that can be put."""
        found: dict[str, list[tuple[When, Foreseen]]] = {}
        for moment in self._moments(view):  # type: ignore[arg-type]
            then = moment.view
            kind = then.decision.kind if then.decision is not None else ""
            of_turn = next_turn is not None and kind == self.turn_kind
            answer = self.answer(clauses, then, bool(next_turn) if of_turn else turn_alive)
            line = answer.number + 1 if answer is not None else 0
            play = (answer.play or "") if answer is not None else ""
            note = next((one.note for one in then.choices() if play and one.play == play), "")
            if then is not view:
                play = self._by_name(play, then)
                # Of cards that are named there is no more to be told.
                if set(note.replace(",", " ").split()) <= set(play.split()):
                    note = ""
            row = Foreseen(moment.question, "", line, play, note)
            found.setdefault(moment.question, []).append((moment.at, row))
        return [one for rows in found.values() for one in _merged((), rows)]

    def _by_name(self, play: str, view: V) -> str:
        """Return a play with names in place of letters."""
        words = {word.name: word for word in self.rules.words}
        names = {card.letter: card.name for card in view.hand}
        said = [play] if play in ("", "pass") else []
        last = ""
        for word, named in phrases_of(play, words) if not said else ():
            takes = words[word].takes.split()
            values = [
                names.get(value, value) if take == "CARD" else value
                for take, value in zip(takes, named.split(), strict=True)
            ]
            # A word that takes one thing stands before several of them once.
            again = word == last and len(takes) == 1
            said += values if again else [word, *values]
            last = word
        return " ".join(said)

    def offers(self, view: View) -> list[Offer]:
        """Return what people may choose from for each subject that can come up."""
        found: list[Offer] = []
        for subject in self.subjects.values():
            offer = self._listed(subject, view) if subject.kinds else None  # type: ignore[arg-type]
            if offer is not None:
                passes = ("pass",) if subject.passes else ()
                found.append(offer._replace(ends=(*passes, "best", "ask")))
        return found

    def suggest(self, view: View) -> list[str]:
        """Return the clauses that the table's bot would write, as far as they can be said ahead."""
        return self.read([f"always {name}: best" for name in self._asked_subjects()], view)

    def _asked_subjects(self) -> list[str]:
        return [one.name for one in self.subjects.values() if one.kinds]

    def silences(self, clauses: Sequence[str]) -> list[str]:
        """Return the subjects of clauses that may give no answer, which everybody then sees."""
        read = [self._canonical(text) for text in clauses]
        lasting = [clause for clause in read if clause.always]
        found: list[str] = []
        for name in dict.fromkeys(clause.subject for clause in read):
            # Behind what the turn takes with it, less may be left.
            for living in (read, lasting):
                mine = [clause for clause in living if clause.subject == name]
                wishes = [wish for clause in mine for wish in clause.wishes]
                subject = self.subjects[name]
                sure = any(self._always_answers(subject, wish) for wish in wishes)
                if mine and subject.kinds and not sure and name not in found:
                    found.append(name)
        return found

    def endings(self, subject: str) -> list[str]:
        """Return the wishes that answer a subject in any case."""
        return ["pass", "best"] if self.subjects[subject].passes else ["best"]

    def _always_answers(self, subject: Subject, wish: Wish) -> bool:
        if self._answers(subject, wish):
            return True
        own = wish.form not in ("best", "ask", "play", "pass")
        return own and not wish.tests and self._sure(subject.name, wish)

    def _answers(self, subject: Subject, wish: Wish) -> bool:
        """Return True if a wish always gives an answer, or says that the seat is asked."""
        return wish.final or (subject.passes and wish.form == "pass" and not wish.tests)

    # Help.

    def about(self) -> dict[str, str]:
        """Return the subjects, each with what it is about; see PlanLanguage."""
        aliases = {
            alias: f"the same as {one.name}"
            for one in self.subjects.values()
            for alias in one.aliases
        }
        return {
            **{name: one.help for name, one in self.subjects.items()},
            **self._elsewhere,
            **aliases,
        }

    def help(self) -> list[str]:
        """Return the grammar and what it means, line by line."""
        tested = " [if TEST [and TEST]…]" if self.tests else ""
        lines = [
            f"[always] SUBJECT: WISH{tested} [, else WISH …]…",
            "The first wish that is possible is the answer; without one you are asked.",
            "A line without `always` is for this turn alone.",
        ]
        for subject in self.subjects.values():
            lines += ["", f"{subject.name}: {subject.help}"]
            lines += [f"  {usage(row_of(form))}" for form in subject.forms]
        lines += [
            "",
            "and for every question:",
            f"  best    the answer of {self.rules.bot}",
            "  ask     put the question to me",
            "  play PLAY…    a whole play, its cards by name",
        ]
        if self.tests:
            lines += ["", "TEST:"]
            lines += [f"  {usage(row_of(test))}    {told}" for test, told in self.tests.items()]
        for what, vocabulary in self.vocabularies.items():
            if what not in (BOT, PLAY, SUBJECT) and vocabulary.names:
                lines += ["", f"{what}: {vocabulary.about or ', '.join(vocabulary.names)}"]
        return lines

    def complete(self, text: str) -> list[str]:
        """Return the words that can follow, or complete, the beginning of a clause."""
        tokens = tokens_of(text[:MAX_LENGTH])
        begun = ""
        if tokens and not text[-1:].isspace() and text[-1] not in ",;:":
            begun = tokens.pop().text
        found = self._following(tokens)
        return [word for word in found if word.startswith(begun)]

    def _following(self, tokens: list[Token]) -> list[str]:
        if not tokens:
            return ["always", *(f"{name}:" for name in self.subjects)]
        if tokens[0].text == "always":
            tokens = tokens[1:]
        if not tokens:
            return [f"{name}:" for name in self.subjects]
        try:
            name, size = self._subject(tokens)
            return Parser(self.vocabularies, tokens[size:]).next_words(self._rows[name])
        except NotUnderstood:
            return []


def _plain_tokens(text: str) -> list[Token]:
    """Return the tokens of a canonical text; another one will not be rendered alike."""
    return [Token(part, True, True) for part in text.replace(":", " ").replace(",", " ").split()]


def _merged(begun: When, rows: Sequence[tuple[When, Foreseen]]) -> list[Foreseen]:
    """Return each answer to a question once, with no more of when it is given than is needed."""
    if len({one for _, one in rows}) == 1:
        return [rows[0][1]._replace(at=", ".join(begun))]
    parts: dict[str, list[tuple[When, Foreseen]]] = {}
    for (word, *more), one in rows:
        parts.setdefault(word, []).append((tuple(more), one))
    # Ways in which all the same follows are told together.
    alike: dict[tuple[tuple[When, Foreseen], ...], list[str]] = {}
    for word, some in parts.items():
        alike.setdefault(tuple(some), []).append(word)
    found: list[Foreseen] = []
    for same, words in alike.items():
        told = (" or ".join(words),) if len(alike) > 1 else ()
        found += _merged((*begun, *told), same)
    return found


def repeated(names: Sequence[str]) -> str:
    """Return the first name that is there twice, or ""."""
    return next((name for at, name in enumerate(names) if name in names[:at]), "")


def contradiction(
    tests: Sequence[tuple[Item, ...]], nouns: Sequence[str], opposites: Sequence[tuple[str, str]]
) -> str:
    """Return why tests can never hold together, or "".

    `nouns` are counted (`3 cards`, `under 3 cards`); `opposites` are words that never hold of one
    name.
    """
    said = [render(test) for test in tests]
    twice = repeated(said)
    if twice:
        return f"{twice!r} is tested twice"
    for one, other in opposites:
        for text in said:
            word, _, name = text.partition(" ")
            if word == one and f"{other} {name}" in said:
                return f"'{text}' and '{other} {name}' never hold together"
    for noun in nouns:
        counts = [test for test in tests if test[-1].text == noun]
        least = max((int(test[0].text) for test in counts if len(test) == 2), default=0)
        below = min((int(test[1].text) for test in counts if len(test) == 3), default=1000)
        if least >= below:
            return f"'{least} {noun}' and 'under {below} {noun}' never hold together"
    return ""


def _wishes(items: Sequence[Item]) -> Iterator[Wish]:
    """Take the items of a clause apart into wishes."""
    parts: list[list[list[Item]]] = [[[]]]
    for item in items:
        if item == ("", "else"):
            parts.append([[]])
        elif item in (("", "if"), ("", "and")):
            parts[-1].append([])
        else:
            parts[-1][-1].append(item)
    for wish, *tests in parts:
        yield Wish(tuple(wish), tuple(map(tuple, tests)))


class PlainLanguage(Language[View]):
    """The language of a game that has none of its own: the bot's answers, and whole plays."""

    def __init__(self, rules: Rules, seats: Sequence[str]) -> None:
        subjects = [Subject(kind, (kind,), (), f"what `{kind}` asks") for kind in rules.kinds]
        super().__init__(rules, seats, subjects, {})

    def _play(self, wish: Wish, view: View, living: Sequence[PlanClause]) -> str:
        return ""


def language_of(rules: Rules, seats: Sequence[str]) -> PlanLanguage:
    """Return the language of plans of a game with these seats."""
    return rules.plan_language(seats) or PlainLanguage(rules, seats)
