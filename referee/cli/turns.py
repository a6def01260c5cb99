"""A turn: a play is understood, or completed by menus, and handed over."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.advice import failure
from referee.cli.flags import REMARK, as_flags, command, commands_of, documents, named, shell_join
from referee.cli.newest import check_still_asked
from referee.games.errors import GameError, Illegal, Incomplete, NotUnderstood
from referee.games.texts import FALLBACK
from referee.playing.numbering import check_number, number_for, written_answer
from referee.playing.turn import Turn
from referee.records import NamedTuple
from referee.render.text import overview, terminal
from referee.table.decisions import DecisionId

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from referee.cli.delivery import Delivery
    from referee.games.values import Phrase, Word
    from referee.playing.outgoing import Outgoing
    from referee.playing.planning import Planner

SIGNS = "signs"
SIGN = f"Enter {SIGNS} it, n goes back, q leaves: "
FEW = 8
"""The most answers that are listed below a slip."""


class Then(NamedTuple):
    """Clauses that are to hold after an answer, and the planner of its seat, made when needed."""

    clauses: Sequence[str]
    planner: Callable[[], Planner]


def move(
    turn: Turn,
    text: str,
    flags: Sequence[Phrase],
    more: list[str],
    delivery: Delivery,
    seal: bool | None,
    then: Then,
) -> int:
    """Sign and send the play that a text or flags mean, or say why it is refused; the exit code.

    `more` are the options that a command repeats. Clauses that are to hold `then`, and what the
    text or the flags say of the next question of one's own, go with it as a plan. Raises
    AlreadyApplied when just this answer waits, Stale when no more are taken, NotWritten and
    GitFailed.
    """
    clauses, is_sure = list(then.clauses), False
    text = REMARK.sub("", text)
    try:
        play = _complete(turn, text, flags, more, delivery)
    except GameError as error:
        both = None
        if isinstance(error, NotUnderstood) and turn.file.plan_language:
            # Few answers say what follows.
            from referee.playing.combined import with_next

            both = with_next(turn.view, then.planner().language, turn.rules.words, text, flags)
        if both is None:
            if isinstance(error, NotUnderstood) and flags:
                _say_in_flags(error, turn)
            if not isinstance(error, Illegal):
                raise
            return _refuse(turn, error, delivery, more, empty=not (text or flags))
        play, clause, is_sure = both
        clauses.insert(0, clause)
    plan = None
    if clauses:
        # Most answers come without a plan.
        from referee.cli import planned

        sure = clauses[:1] if is_sure else []
        plan = planned.after(then.planner(), play, clauses, delivery, sure)
        if sure and not (delivery.json or delivery.output == "-"):
            planned.tell_spent(then.planner(), turn.view.foreseen(play), sure[0])
    return hand_over(turn, play, delivery, seal, plan)


def hand_over(
    turn: Turn,
    play: str,
    delivery: Delivery,
    seal: bool | None = None,
    plan: Outgoing | None = None,
) -> int:
    """Sign a legal play and send it, or apply it where the referee is here; the exit code.

    A `plan` goes with it.
    """
    number = _number(turn, play, delivery)
    note = turn.sign(play, seal, number)
    if number > 1:
        terminal.warn(
            "note",
            f"this is answer {number} to {turn.decision}: it takes the place of the one before, "
            "unless that has taken effect",
        )
    if plan is not None:
        note = note._replace(plan=plan, about={**note.about, "plan": plan.about})
    told = (("bold", f"{turn.decision}: {play}"), ("dim", named(play, turn.hand)))
    return delivery.deliver(turn.file, note, told)


def _number(turn: Turn, play: str, delivery: Delivery) -> int:
    """Return the number of an answer: the one that was said, or the next. Raises like `move`."""
    if delivery.number is not None:
        check_number(turn, play, delivery.number)
        return delivery.number
    named = delivery.output if delivery.output != "-" else None
    return number_for(turn, play, delivery.game, Path(named) if named is not None else None)


def _complete(
    turn: Turn, text: str, flags: Sequence[Phrase], more: Sequence[str], delivery: Delivery
) -> str:
    """Return the complete legal play that is meant; on a terminal, what is left open is asked.

    Where nothing is said, the only legal play is meant if there is but one.
    """
    asks = terminal.asks() and not delivery.json
    left: Incomplete | None = None
    if text or flags:
        try:
            return turn.view.read(text, flags)
        except Incomplete as error:
            if not error.choices or not asks:
                raise
            left = error
    else:
        choices = turn.view.choices()
        if len(choices) == 1 and choices[0].exact:
            terminal.warn("note", f"no other answer is legal, so this plays `{choices[0].play}`")
            return turn.view.read(choices[0].play)
        answer = written_answer(turn, delivery.game)
        if answer is not None and not delivery.json:
            play = f", {answer.play}," if answer.play else ""
            text = f"your answer to {turn.decision}{play} lies in {answer.path} and has not arrived"
            terminal.warn("note", text)
        if not asks:
            only = ", and there is one kind of answer" if len(choices) == 1 else ""
            raise Illegal(f"say what you want to play{only}", choices=choices)
    # Standard output may be where the note goes.
    with terminal.diagnostics():
        overview.hand_lines(turn.file, turn.rules, turn.hand)
        terminal.say()
    again = [*more, *delivery.way]
    play, _ = chosen(turn, delivery.game, again, left, signing(SIGN, delivery))
    check_still_asked(delivery.game, turn.file, turn.decision, push=delivery.push)
    return play


def chosen(
    turn: Turn,
    game: Path,
    more: Sequence[str],
    left: Incomplete | None,
    sign: str,
    letter: str = "",
) -> tuple[str, str]:
    """Return the play that somebody chooses from menus and then confirms; leaving ends the command.

    It is shown with the command that does the same, and another answer to the last menu may be
    given in place of the Enter that signs it. `left` is what a play leaves open so far. `sign` is
    the last question; besides Enter it may take a `letter`. Returned with the play is y or that.
    """
    # Most plays are typed whole.
    from referee.cli.asking import answers, guided, helper, signs, wanted_help

    question = (
        f"{overview.your_turn(turn.rules, turn.decision)} ({turn.decision}). What do you play?"
    )

    def advise() -> None:
        # Few ask for it.
        from referee.cli import hints

        hints.tell(hints.hint_for(turn), turn.hand)

    help_ = helper(turn.rules, turn.view, advise)
    words = words_of(turn)
    at, said = left, ""
    while True:
        play, at = guided(turn.view, words, question, help_, at, said)
        terminal.say(("bold", play), ("dim", named(play, turn.hand)), error=True)
        terminal.say(f"  {command(game, play, words, more)}", error=True)
        while (said := signs(sign, letter)) not in ("y", "n", letter):
            about = wanted_help(said, [card.name for card in turn.view.hand])
            if about is not None:
                help_(about)
            elif answers(turn.view, words, at, said):
                break
            else:
                terminal.warn("hint", sign.rstrip(": "))
        if said in ("y", letter):
            return play, said
        if said == "n":
            at, said = left, ""


def signing(question: str, delivery: Delivery) -> str:
    """Return the last question, which promises no signature where all is only tried."""
    return question.replace(SIGNS, "only tries") if delivery.is_rehearsal else question


def words_of(turn: Turn) -> Mapping[str, Word]:
    """Return the words of plays by their names."""
    return {word.name: word for word in turn.rules.words}


def _say_in_flags(error: NotUnderstood, turn: Turn) -> None:
    """Say what is wrong with a play, and what it has to be, to somebody who types flags."""
    words = words_of(turn)
    other = re.fullmatch("'([a-z-]+)' is not part of this answer", error.message)
    if other and other[1] in words:
        error.message = f"--{other[1]} does not answer what you are asked now"
    before, form, usage = error.hint.partition("a play here is: ")
    if form:
        kind = DecisionId.parse(turn.decision).kind
        asked = turn.rules.texts(FALLBACK).get("kinds", {}).get(kind, kind)
        usage = as_flags(usage, words)
        question = f"you are asked {turn.decision} ({asked}), one answer at a time"
        error.hint = f"{before}{question}: {usage}"
        if turn.file.plan_language:
            error.hint += "; --then CLAUSE plans what follows"


def _refuse(turn: Turn, error: Illegal, delivery: Delivery, more: list[str], *, empty: bool) -> int:
    """Say why a play is refused, and every answer that would not be, or where they are listed."""
    game, choices = delivery.game, error.choices or turn.view.choices()
    again = [*more, *delivery.way]
    if delivery.json:
        choices_ = documents(game, turn.rules, choices, again)
        terminal.document(failure(error) | {"choices": choices_}, error.exit_code)
        return error.exit_code
    long = not empty and len(choices) > FEW and not isinstance(error, Incomplete)
    if long and not error.hint:
        error.hint = (
            f"`{shell_join(['sanjuan-ref', 'show', str(game), *more])}` lists what you may play"
        )
    terminal.complain(error)
    if not long:
        overview.commands(
            command(game, "", {}, again), commands_of(turn.rules, choices), error=True
        )
    return error.exit_code
