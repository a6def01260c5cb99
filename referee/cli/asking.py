"""Questions to somebody at a terminal, asked until the answer is a legal play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from referee.cli.flags import is_blank
from referee.games.interface import GameError, Illegal, Incomplete
from referee.show import terminal

if TYPE_CHECKING:
    from referee.games.interface import Choice, View, Word

PROMPT = "Number, cards, or the whole play (Enter leaves it): "
GUIDED = "Number or words, ? for help, q to leave: "
LEFT = 1
FEW = 16
"""More completions than that are not listed: it is asked for their cards."""
_NOUNS = {"LETTER": "cards", "PLOT": "plots"}

Help = Callable[[str], None]
"""Prints help about a card, or with "" about the question."""


def settled(view: View, text: str, words: Mapping[str, Word]) -> str:
    """The complete legal play that a text means; what it leaves open is asked.

    Raises NotUnderstood or Illegal for the text itself, but not for what is typed afterwards.
    """
    question, choices = "What do you play?", view.choices()
    if text:
        try:
            return view.read(text)
        except Incomplete as error:
            if not error.choices:
                raise
            question, choices = error.message, list(error.choices)
    while True:
        terminal.offer(question, [(choice.play, choice.note) for choice in choices])
        play, left = _answered(view, choices, words)
        if left is None:
            return play
        question, choices = left.message, list(left.choices)


def guided(view: View, words: Mapping[str, Word], question: str, help_: Help) -> str:
    """A legal play that is chosen from menus; whoever leaves it ends the command.

    Each answer stands there with what it costs or brings. "" goes back to the first menu.
    """
    choices = view.choices()
    first = True
    while True:
        if len(choices) > FEW and not first:
            terminal.say(("bold", question), error=True)
        else:
            cells = [(_label(choice), view.outlook(choice)) for choice in choices]
            terminal.offer(question, cells)
        play, left = _answered(view, choices, words, help_)
        if left is None:
            return play
        question, choices, first = left.message, list(left.choices), False


def _label(choice: Choice) -> str:
    """A choice in a menu; what is asked afterwards is left open: `build library pay …`."""
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
    view: View, choices: Sequence[Choice], words: Mapping[str, Word], help_: Help | None = None
) -> tuple[str, Incomplete | None]:
    """The play that is typed, or what it still leaves open."""
    while True:
        if help_:
            offers = [choice.play if choice.exact else _stem(choice.play) for choice in choices]
            names = [card.name for card in view.hand]
            said = terminal.ask_among(GUIDED, [offer for offer in offers if offer], names)
        else:
            said = terminal.ask(PROMPT)
        if help_ and said.startswith("?"):
            help_(said[1:].strip())
            continue
        if help_ and not said and not terminal.ended():
            continue
        if not said or (help_ and said.lower() in ("q", "quit")):
            terminal.say("Nothing was played.")
            raise typer.Exit(LEFT)
        slip: GameError | None = None
        for text in _readings(said, choices, words, bool(help_)):
            try:
                return view.read(text), None
            except Incomplete as error:
                if error.choices:
                    return "", error
                slip = error
            except GameError as error:
                # What a player meant as a card may read like a play, so a later reading counts.
                slip = error
                if isinstance(error, Illegal):
                    break
        if slip is not None:
            terminal.complain(slip)


def _readings(
    said: str, choices: Sequence[Choice], words: Mapping[str, Word], stepwise: bool
) -> list[str]:
    """The plays that an answer may be: a number, a whole play, or what the question left out."""
    if said.isdecimal():
        number = int(said[:9])
        if not 0 < number <= len(choices):
            terminal.warn("hint", f"the numbers go from 1 to {len(choices)}")
            return []
        choice = choices[number - 1]
        if choice.exact:
            return [choice.play]
        return [
            _stem(choice.play) if stepwise and _stem(choice.play) else _filled(choice.play, words)
        ]
    begin = _begin(choices, words)
    if not begin:
        return [said]
    whole = [said] if said.split()[0].lower() in words else []
    return [*whole, f"{begin} {said}"]


def _stem(pattern: str) -> str:
    """A pattern without its last word, where all that is left open belongs to that one.

    What has been left out is asked next, with all that may stand there.
    """
    tokens = pattern.split()
    solid = [number for number, token in enumerate(tokens) if not is_blank(token)]
    last = solid[-1]
    if last + 1 == len(tokens) or solid != list(range(last + 1)):
        return ""
    return " ".join(tokens[:last]) or tokens[0]


def _begin(choices: Sequence[Choice], words: Mapping[str, Word]) -> str:
    """What all choices have in common, up to the word that the question is about."""
    rows = [choice.play.split() for choice in choices if choice.play != "pass"]
    common = 0
    while rows and all(len(row) > common and row[common] == rows[0][common] for row in rows):
        common += 1
    while common and not (rows[0][common - 1] in words and words[rows[0][common - 1]].takes):
        common -= 1
    return " ".join(rows[0][:common]) if rows else ""


def _filled(pattern: str, words: Mapping[str, Word]) -> str:
    """A pattern such as `build well pay LETTER` with what is typed for its blanks."""
    said: list[str] = []
    tokens = pattern.replace("[", "").replace("]", "").split()
    while tokens:
        token = tokens.pop(0)
        said.append(token)
        blanks = 0
        while blanks < len(tokens) and is_blank(tokens[blanks]):
            blanks += 1
        if not blanks:
            continue
        kinds = list(dict.fromkeys(token.rstrip("…") for token in tokens[:blanks]))
        several = ", ".join(kinds).lower().replace("letter", "card")
        noun = _NOUNS.get(kinds[0], several) if len(kinds) == 1 else several
        del tokens[:blanks]
        answer = terminal.ask(f"{token}: which {noun}? ")
        if answer:
            said.append(answer)
        elif len(said) > 1:
            # Left out: where there is more than one way, the next question is about it.
            said.pop()
    return " ".join(said)
