"""Questions to somebody at a terminal, asked until the answer is a legal play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from referee.cli.flags import REMARK, is_blank
from referee.games.errors import GameError, Incomplete, NotUnderstood
from referee.games.phrases import phrases_of
from referee.games.rulings import applying
from referee.games.values import MAX_LISTED_PLAYS, Phrase
from referee.records import NamedTuple
from referee.render.text import prompt, terminal
from referee.render.text.cards import cards, topic
from referee.render.text.terminal import say, wrapped

if TYPE_CHECKING:
    from referee.games.interface import Rules, View
    from referee.games.values import Choice, Held, Word

PROMPT = "Number or words, ? for help, q to leave: "
FURTHER = "Number or words, n to go back, ? for help, q to leave: "
LEFT = 1
FEW = 16
"""More completions than that are not listed: it is asked for their cards."""
_NOUNS = {"LETTER": "card"}
PLOTS = ("plot", "plots")

ADVICE = "hint"
"""The word after ? that asks what a bot would play."""
HELP = "help"
Help = Callable[[str], None]
"""Prints help about a card or a topic, or with "" about the question."""


class Answer(NamedTuple):
    """An answer as a view reads it."""

    text: str = ""
    given: Sequence[Phrase] = ()
    alone: bool = False


class Menu(NamedTuple):
    """Answers to choose from, and whether they are listed with numbers."""

    question: str
    choices: Sequence[Choice]
    listed: bool

    def show(self, view: View, words: Mapping[str, Word], first: bool) -> None:
        """Print the question and the answers, each with what it costs or brings."""
        if not self.listed:
            say(("bold", self.question), error=True)
            wanted = self.wanted(view, words, first)
            ways = f"  {_counted(self.choices)} ways, too many to list: {wanted}"
            say(("dim", ways), error=True)
            return
        notes = [view.outlook(choice) for choice in self.choices]
        labels = [_label(choice) for choice in self.choices]
        question = self.question
        if not first:
            # The part that all share is said once.
            shared, notes = _shared(notes)
            question += f" ({shared})" if shared else ""
            begin = _begin(self.choices, words, first).rpartition(" ")[0]
            labels = [label.removeprefix(begin).lstrip() for label in labels]
        prompt.offer(question, list(zip(labels, notes, strict=True)))

    def wanted(self, view: View, words: Mapping[str, Word], first: bool) -> str:
        """Return what to type where the answers are not listed: `name 2 cards, such as c f`."""
        at = len(_begin(self.choices, words, first).split())
        rows = [choice.play.split()[at:] for choice in self.choices]
        held = {card.letter: card.name for card in view.hand}
        cards = [row for row in rows if row and held.keys() >= set(row)]
        if not cards or len(cards) < len(list(filter(None, rows))):
            return "type what you choose"
        sizes = sorted({len(row) for row in rows})
        # Where not all are listed, there may be longer ones.
        known = len(rows) < MAX_LISTED_PLAYS or len(sizes) == 1
        spans = f"{sizes[0]} to {sizes[-1]} " if len(sizes) > 1 else f"{sizes[0]} "
        what = "card" if known and sizes == [1] else "cards"
        row = cards[-1]
        names = ", ".join(held[letter] for letter in row)
        return f"name {spans if known else ''}{what}, such as {' '.join(row)} ({names})"


def guided(
    view: View,
    words: Mapping[str, Word],
    question: str,
    help_: Help,
    left: Incomplete | None = None,
    said: str = "",
) -> tuple[str, Incomplete | None]:
    """Return a legal play that is chosen from menus, and what was left open when the last was
    shown; leaving them ends the command.

    It begins with what is `left` open, or else with all that may be played. `said` is the first
    answer, if it was given already.
    """
    while True:
        menu = _menu(question, view, left)
        if not said:
            menu.show(view, words, left is None)
        play, then = _answered(view, menu, words, help_, left is None, said)
        if play:
            return play, left
        left, said = then, ""


def signs(question: str, letter: str) -> str:
    """Ask if the chosen play is to be signed: return y, n or another answer to the last menu.

    A `letter` besides these is returned as well. Leaving ends the command.
    """
    said = prompt.ask(question)
    if _leaves(said):
        raise _left()
    known = {"": "y", "y": "y", "yes": "y", "n": "n", "no": "n"}
    return known.get(said.lower(), letter if said.lower() == letter else said)


def wanted_help(said: str, names: Iterable[str] = ()) -> str | None:
    """Return what help is asked about, "" for all of it; None for an answer.

    The words for help and for advice may do without their ?, unless one of these names begins so.
    """
    if said.startswith("?"):
        return said[1:].strip()
    word = said.lower()
    if word in (ADVICE, HELP) and not any(name.startswith(word) for name in names):
        return "" if word == HELP else word
    return None


def answers(view: View, words: Mapping[str, Word], left: Incomplete | None, said: str) -> bool:
    """Return True if what is typed answers the last menu: a line of it, or other words.

    Else it is said what is wrong with it.
    """
    menu, said = _menu("", view, left), REMARK.sub("", said)
    if said.isdecimal() and menu.listed and 0 < int(said[:9]) <= len(menu.choices):
        return True
    begin = _begin(menu.choices, words, left is None)
    if _completed(said, view, menu.choices, begin):
        return True
    try:
        view.read(*_as_typed(said, begin, words))
    except GameError as error:
        if isinstance(error, Incomplete) and error.choices:
            return True
        terminal.complain(error)
        return False
    return True


def _menu(question: str, view: View, left: Incomplete | None) -> Menu:
    return Menu(question, view.choices(), True) if left is None else _next(left)


def _counted(choices: Sequence[Choice]) -> str:
    """Return the number of choices in words; a game lists only a limited number."""
    return f"at least {MAX_LISTED_PLAYS}" if len(choices) >= MAX_LISTED_PLAYS else str(len(choices))


def explain(rules: Rules, word: str) -> None:
    """Print what a card does, or else the rulings on a topic that begins with a word.

    Raises NotUnderstood.
    """
    try:
        cards(rules, [rules.called(word)])
    except NotUnderstood:
        topics = applying(rules)
        meant = [one for name, one in topics.items() if word and name.startswith(word.lower())]
        if len(meant) != 1:
            raise
        topic(meant[0].title, [ruling.sentence for ruling in meant[0].rulings])


def helper(rules: Rules, view: View, advise: Callable[[], None]) -> Help:
    """Return help about cards and rules; without a word about the menus and the hand.

    `advise` prints what a bot would play.
    """
    held = {card.letter: card.name for card in sorted(view.hand, key=_by_letter)}

    def help_(about: str) -> None:
        # Standard output may be where a note goes.
        with terminal.diagnostics():
            if about:
                try:
                    if about == ADVICE:
                        advise()
                        return
                    explain(rules, held.get(about, about))
                except GameError as error:
                    terminal.complain(error)
                return
            say("A number takes that line; Enter alone shows the lines again. Cards go by name,")
            say("its beginning, or letter, several with blanks between; a whole play will do too.")
            say("The keys up and down go through the answers, and Tab completes names.")
            say("`? CARD` says what a card does, `? hint` what a bot would play in your place;")
            say("n goes back to the first question; q leaves, and nothing is signed.")
            listed = ", ".join(applying(rules))
            for line in wrapped(f"{listed}.", 4, "`? TOPIC` tells the rules on one of these: "):
                say(line)
            cards(rules, list(dict.fromkeys(held.values())))

    return help_


def _by_letter(card: Held) -> tuple[int, str]:
    return len(card.letter), card.letter


def _next(left: Incomplete) -> Menu:
    return Menu(left.message, left.choices, len(left.choices) <= FEW)


def _shared(notes: Sequence[str]) -> tuple[str, list[str]]:
    """Return the beginning of all notes, and the rest of each: they are parts with `; ` between."""
    rows = [note.split("; ") for note in notes]
    count = 0
    while len(rows) > 1 and all(row[: count + 1] == rows[0][: count + 1] for row in rows):
        if any(len(row) <= count for row in rows):
            break
        count += 1
    return "; ".join(rows[0][:count]), ["; ".join(row[count:]) for row in rows]


def _label(choice: Choice) -> str:
    """Return a choice for a menu; what is asked afterwards is left open: `build library pay …`."""
    if choice.exact:
        return choice.play
    said: list[str] = []
    for token in choice.play.replace("[", "").replace("]", "").split():
        if not is_blank(token):
            said.append(token)
        elif said[-1] != "…":
            said.append("…")
    return " ".join(said)


def _answered(
    view: View, menu: Menu, words: Mapping[str, Word], help_: Help, first: bool, typed: str = ""
) -> tuple[str, Incomplete | None]:
    """Return the play that is typed, or what it leaves open; neither to go back.

    `typed` is the first answer, if there is one already.
    """
    offers = [choice.play if choice.exact else _stem(choice.play) for choice in menu.choices]
    names = [card.name for card in view.hand]
    while True:
        question = PROMPT if first else FURTHER
        said = typed or prompt.ask_among(question, [offer for offer in offers if offer], names)
        said, typed = REMARK.sub("", said), ""
        if _leaves(said):
            raise _left()
        if _back(said, view):
            if not first:
                return "", None
            terminal.warn("hint", "nothing is chosen yet, so there is nothing to go back to")
            continue
        if not said:
            menu.show(view, words, first)
            continue
        about = wanted_help(said, names)
        if about is not None:
            help_(about)
            continue
        meant = _meant(said, menu, view, words, help_, first)
        if meant is None:
            menu.show(view, words, first)
            continue
        if not meant.text and not meant.given:
            continue
        try:
            return view.read(*meant), None
        except Incomplete as error:
            if error.choices:
                return "", error
            terminal.complain(error)
        except GameError as error:
            terminal.complain(error)


def _leaves(said: str) -> bool:
    return prompt.ended() or said.lower() in ("q", "quit")


def _back(said: str, view: View) -> bool:
    """Return True if a word is not a card but means going back."""
    return said.lower() == "n" and all(card.letter != "n" for card in view.hand)


def _left() -> typer.Exit:
    say("This question stays open.", error=True)
    return typer.Exit(LEFT)


def _meant(
    said: str, menu: Menu, view: View, words: Mapping[str, Word], help_: Help, first: bool
) -> Answer | None:
    """Read an answer: a line of the menu, or what the question left out, or a whole play.

    Empty if it is not a line of the menu; None to go back to the menu.
    """
    choices = menu.choices
    begin = _begin(choices, words, first)
    if said.isdecimal():
        number = int(said[:9])
        if menu.listed and 0 < number <= len(choices):
            choice = choices[number - 1]
            if choice.exact:
                return Answer(choice.play)
            stem = _stem(choice.play)
            found = phrases_of(stem, words) if stem else []
            found = found or _filled(choice.play, view, words, help_, choices)
            return Answer(given=found) if found else None
        # No line has this number, but a plot may.
        if not begin or not words[begin.split()[-1]].takes.startswith("PLOT"):
            numbers = f"the numbers go from 1 to {len(choices)}"
            terminal.warn("hint", numbers if menu.listed else menu.wanted(view, words, first))
            return Answer()
    if menu.listed and not begin and all(one.isdecimal() for one in said.split()):
        terminal.warn("hint", f"one number takes one line: from 1 to {len(choices)}")
        return Answer()
    whole = _completed(said, view, choices, begin)
    if whole:
        return Answer(whole)
    return _as_typed(said, begin, words)


def _as_typed(said: str, begin: str, words: Mapping[str, Word]) -> Answer:
    """Return what is typed after the words that all lines of a menu share.

    A word meant as a card may read like a play, and the other way round; but who repeats the word
    that is asked about says a whole play.
    """
    if not begin or said.split()[:1] == begin.split()[-1:]:
        return Answer(said)
    return Answer(said, phrases_of(begin, words), alone=True)


def _is_whole(said: str, view: View, words: Mapping[str, Word]) -> bool:
    """Return True for a whole play, or its beginning, where a part of one is asked for."""
    if said.split(" ")[0] not in words:
        return False
    try:
        view.read(said)
    except GameError as error:
        return isinstance(error, Incomplete)
    return True


def _completed(said: str, view: View, choices: Sequence[Choice], begin: str) -> str:
    """Return the line of a menu that a card alone means: `d` for `work d ana 2`; else nothing.

    All lines must say the same but for that card, and something after it.
    """
    at = len(begin.split())
    rows = [choice.play.split() for choice in choices if choice.exact]
    tails = {tuple(row[at + 1 :]) for row in rows}
    if not begin or len(rows) < len(choices) or len(tails) != 1 or () in tails:
        return ""
    letters = {
        card.letter for card in view.hand if card.letter == said or card.name.startswith(said)
    }
    found = [" ".join(row) for row in rows if row[at] in letters]
    return found[0] if len(found) == 1 else ""


def _stem(pattern: str) -> str:
    """Return a pattern without its last word, where all that is left open belongs to that one.

    What has been left out is asked next, with all that may stand there.
    """
    tokens = pattern.split()
    solid = [number for number, token in enumerate(tokens) if not is_blank(token)]
    last = solid[-1]
    if last + 1 == len(tokens) or solid != list(range(last + 1)):
        return ""
    return " ".join(tokens[:last]) or tokens[0]


def _begin(choices: Sequence[Choice], words: Mapping[str, Word], first: bool) -> str:
    """Return the words that all choices share, up to the word that the question is about.

    That is the first one where nothing is chosen yet, even if there is but one choice.
    """
    rows = [choice.play.split()[: 1 if first else None] for choice in choices]
    rows = [row for row in rows if row != ["pass"]]
    common = 0
    while rows and all(len(row) > common and row[common] == rows[0][common] for row in rows):
        common += 1
    while common and not (rows[0][common - 1] in words and words[rows[0][common - 1]].takes):
        common -= 1
    return " ".join(rows[0][:common]) if rows else ""


def _which(blanks: Sequence[str]) -> str:
    """Return the nouns for blanks such as `LETTER SEAT PLOT`: `card, seat, plot`."""
    kinds = dict.fromkeys(blank.rstrip("…") for blank in blanks)
    several = len(blanks) > len(kinds) or blanks[-1].endswith("…")
    nouns = [_NOUNS.get(kind, kind.lower()) for kind in kinds]
    return f"{nouns[0]}s" if several and len(nouns) == 1 else ", ".join(nouns)


def _filled(
    pattern: str,
    view: View,
    words: Mapping[str, Word],
    help_: Help,
    lines: Sequence[Choice],
) -> list[Phrase]:
    """Ask for the blanks of a pattern such as `build well pay LETTER`.

    `lines` are those of the menu; a number stands for the values of one word in that line. Blanks
    that are left empty are left out. Returns nothing to go back.
    """
    said: list[Phrase] = []
    free = {token[1:] for token in pattern.split() if token.startswith("[")}
    tokens = pattern.replace("[", "").replace("]", "").split()
    # Where every word waits for something, each of them may be left out.
    ends = zip(tokens, [*tokens[1:], ""], strict=True)
    heads = [is_blank(after) for token, after in ends if not is_blank(token)]
    loose = len(heads) > 1 and all(heads)
    alone: list[Phrase] = []
    while tokens:
        word = tokens.pop(0)
        count = 0
        while count < len(tokens) and is_blank(tokens[count]):
            count += 1
        # After its blanks a word may have more of its own: `work LETTER ana 2`.
        size = max(count, len(words[word].takes.split())) if word in words else count
        blanks, more = tokens[:count], tokens[count:size]
        del tokens[:size]
        if not count:
            said.append(Phrase(word, " ".join(more)))
            # A build that can only be paid for over some buildings is one of a few plays.
            if tokens and _lists_few(view, said, tokens[0]):
                return said
            continue
        # Where there is but one thing to be said, the next question is about it.
        alone = [Phrase(word, " ".join(more))] if not said and not tokens else []
        if alone and more and _lists_few(view, alone):
            return alone
        while True:
            numbered = _numbered(word, lines) if count > 1 else {}
            notes = [f"or lines {_span(numbered)} above"] if numbered else []
            notes += ["Enter for none"] if word in free or loose else []
            aside = f" ({', '.join(notes)})" if notes else ""
            plots = _plots(view, word, said, tokens) if _which(blanks) in PLOTS else ""
            if plots:
                say(("dim", f"  {plots}"), error=True)
            answer = REMARK.sub("", prompt.ask(f"{word}: which {_which(blanks)}{aside}? "))
            if _leaves(answer):
                raise _left()
            if _back(answer, view):
                return []
            about = wanted_help(answer, [card.name for card in view.hand])
            if about is not None:
                help_(about)
                continue
            if numbered and answer and all(token.isdecimal() for token in answer.split()):
                if not all(token in numbered for token in answer.split()):
                    terminal.warn("hint", f"of the lines above, {_span(numbered)} are about this")
                    continue
                answer = _from_lines(answer.split(), numbered, help_, view, words)
                if not answer:
                    continue
            if _is_whole(answer, view, words):
                return phrases_of(answer, words)
            part = Phrase(word, " ".join([answer, *more]))
            few = bool(tokens) and len(answer.split()) < count
            slip = _slip(view, [*said, part], few) if answer else None
            if slip is None:
                break
            terminal.complain(slip)
        said += [part] if answer else []
    return said or alone


def _plots(view: View, word: str, said: Sequence[Phrase], more: Sequence[str]) -> str:
    """Return the seat's buildings that may follow a word: `1 indigo-plant, 3 well`."""
    found = []
    for plot, name in view.buildings().items():
        slip = _slip(view, [*said, Phrase(word, plot)], bool(more))
        if slip is None or isinstance(slip, Incomplete):
            found.append(f"{plot} {name}")
    return ", ".join(found)


def _numbered(word: str, lines: Sequence[Choice]) -> dict[str, list[str]]:
    """Return what lines say that are about this word alone, by their numbers, without the word."""
    rows = [line.play.split() for line in lines]
    return {
        str(number): tokens
        for number, (line, [head, *tokens]) in enumerate(zip(lines, rows, strict=True), 1)
        if head == word and not line.exact and not any(map(is_blank, tokens[1:]))
    }


def _span(numbers: Iterable[str]) -> str:
    """Return numbers in words: `8 to 12`, or else `8, 10, 12`."""
    found = sorted(map(int, numbers))
    whole = len(found) > 2 and found[-1] - found[0] == len(found) - 1
    return f"{found[0]} to {found[-1]}" if whole else ", ".join(map(str, found))


def _from_lines(
    numbers: Sequence[str],
    numbered: Mapping[str, Sequence[str]],
    help_: Help,
    view: View,
    words: Mapping[str, Word],
) -> str:
    """Ask for the first word of each of these lines: `d ben 1`; empty to go back.

    A whole play that is typed there stands for all.
    """
    said: list[str] = []
    for number in numbers:
        blank, *more = numbered[number]
        question = f"{' '.join(more)}: which {_which([blank])}? "
        while (about := wanted_help(card := prompt.ask(question))) is not None:
            help_(about)
        if _leaves(card):
            raise _left()
        card = REMARK.sub("", card)
        if not card or _is_whole(card, view, words):
            return card
        said += [card, *more]
    return " ".join(said)


def _lists_few(view: View, given: Sequence[Phrase], word: str = "") -> bool:
    """Return True if what a play leaves open can be listed; with a `word` in each of the plays."""
    left = _slip(view, given, True)
    if not isinstance(left, Incomplete) or not 0 < len(left.choices) <= FEW:
        return False
    return not word or all(word in choice.play.split(" ") for choice in left.choices)


def _slip(view: View, given: Sequence[Phrase], few: bool) -> GameError | None:
    """Return the error of a play that may go on; where `few` was said, also what it lacks."""
    try:
        view.read("", given)
    except Incomplete as error:
        return error if few else None
    except GameError as error:
        return error
    return None
