"""An answer that says what its author does next too: the play, and a clause for what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games.errors import GameError, Incomplete, NotUnderstood
from referee.games.values import Phrase

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.games.interface import PlanLanguage, View
    from referee.games.values import Word


def with_next(
    view: View,
    language: PlanLanguage,
    words: Sequence[Word],
    text: str,
    flags: Sequence[Phrase],
) -> tuple[str, str, bool] | None:
    """Return the play with which a text or flags begin, the rest as a clause for what follows, and
    if that is known to give an answer.

    None where they do not begin with a play that brings such a question upon its author. Raises
    GameError for a rest that is no answer to that.
    """
    for play, rest in _parts(view, words, text, flags):
        subject = language.follows(view, play)
        if subject and rest.split()[0] in language.complete(f"{subject}: "):
            then = view.foreseen(play)
            known = then is not view and then.decision is not None
            clauses = _clauses(language, then, subject, rest)
            return play, _meant(language, then, clauses, rest) if known else clauses[0], known
    return None


def _parts(
    view: View, words: Sequence[Word], text: str, flags: Sequence[Phrase]
) -> Iterator[tuple[str, str]]:
    """Yield each legal play with which a text or flags begin, and the rest as text."""
    known = {word.name for word in words} | {"pass"}
    typed = text.split()
    for at in range(len(typed) - 1, 0, -1):
        if typed[at] in known:
            try:
                yield view.read(" ".join(typed[:at])), " ".join(typed[at:])
            except GameError:
                continue
    for at in range(len(flags) - 1, 0, -1):
        try:
            play = view.read("", flags[:at])
        except GameError:
            continue
        said: dict[str, list[str]] = {}
        for one in flags[at:]:
            said.setdefault(one.word, []).append(one.names)
        yield play, " ".join(" ".join([word, *names]).strip() for word, names in said.items())


def _clauses(language: PlanLanguage, view: View, subject: str, rest: str) -> list[str]:
    """Return the clauses that could answer a question with what somebody would `move` there."""
    found: list[str] = []
    slips: list[NotUnderstood] = []
    # Plots, and what exactly pays, are for whole plays.
    for wish in (rest, f"play {rest}"):
        try:
            found += language.read([f"{subject}: {wish}"], view)
        except NotUnderstood as error:
            slips.append(error)
    if not found:
        raise slips[0]
    return found


def _meant(language: PlanLanguage, view: View, clauses: Sequence[str], rest: str) -> str:
    """Return the clause that answers what a view asks just as it is meant."""
    try:
        meant = view.read(rest)
    except Incomplete:
        # The language knows what else to pay.
        meant = ""
    for clause in clauses:
        answer = language.evaluate([clause], view)
        if answer and meant in ("", answer):
            return clause
    raise NotUnderstood(f"'{clauses[0]}' has no answer with these cards")
