"""A game file shown to one reader: the table, the hand, and how to answer."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

from referee.bots.names import a_spoken
from referee.cli.flags import command, commands_of, documents, of_seat, sending, shell_join
from referee.games.errors import GameError
from referee.playing.player import awaited, waits
from referee.playing.shared import has_standing, is_behind, is_shared
from referee.render.text import overview, terminal
from referee.render.text.news import news
from referee.render.text.terminal import say
from referee.table.ahead import invited, next_turns
from referee.table.clock import runs_ahead
from referee.table.hands import NO_LETTER
from referee.table.standing import Standing, own_question
from referee.table.times import current_time, readable_time
from referee.table.transfer import is_wanted, still_to_sign
from referee.table.views import view_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from referee.games.interface import Rules
    from referee.notes.kinds import StandingNote
    from referee.playing.checkout import Refused
    from referee.playing.numbering import Written
    from referee.playing.reader import Reader
    from referee.table.gamefile import GameFile
    from referee.table.hands import Hand


def tell(
    game: Path,
    file: GameFile,
    rules: Rules,
    reader: Reader,
    more: list[str],
    cards: bool = False,
    ask: bool = True,
) -> None:
    """Print all that the reader may see and, unless somebody else asks, how to answer.

    `cards` says what each card in the hand does. Raises Damaged when the table cannot be read.
    """
    answer = unsent(game, file, reader) if ask else None
    overview.header(file, rules, _asked(file, rules, reader) if ask and not answer else "")
    tell_time(file)
    if not file.table:
        overview.open_seats(file)
        if file.status == "open":
            _how_to_join(game, file, reader, more)
        return
    mine = reader.seat.name if reader.seat else None
    if file.plan_language and file.status == "playing":
        # Not every table takes plans.
        from referee.render.text.planned import plans

        plans(game, file, reader, shell_join(["sanjuan-ref", "plan", str(game), *more]))
    if mine is not None:
        news(file, rules, mine, f"sanjuan-ref log {quote(str(game))}")
    overview.table(file, rules, mine)
    if file.status == "finished":
        overview.result(file, rules)
    if reader.hand is not None:
        overview.hand_lines(file, rules, reader.hand, cards)
        if ask:
            _question(game, file, rules, reader.hand, answer, more)
            _tell_unsent(game, file, reader)
    elif file.asked and reader.remark and reader.stranger is None:
        terminal.say()
        remark = reader.remark[:1].upper() + reader.remark[1:]
        shows = reader.wanted and f"; {reader.wanted} shows a hand"
        terminal.paragraph(f"{remark}, so this is what everybody sees{shows}.", style="dim")
    _vote(game, file, reader, more)
    _transfers(game, file, reader, more)
    if not file.asked:
        terminal.say()
        terminal.say(f"Everybody can check all of it: sanjuan-ref audit {quote(str(game))}")


def _vote(game: Path, file: GameFile, reader: Reader, more: list[str]) -> None:
    """Say how to agree to the end of the game, to a seat whose vote is missing."""
    if file.status != "playing" or reader.seat is None or reader.key is None:
        return
    standing = Standing.after(file)
    if not standing.voting or reader.seat.name not in standing.silent:
        return
    if any(note.play == "end" for note in _unsent_standing(game, file, reader).values()):
        return
    terminal.say()
    voting = " and ".join(standing.voting)
    votes = "votes" if len(standing.voting) == 1 else "vote"
    terminal.say(f"{voting} {votes} for the end of the game. If you agree:")
    agrees = ["vote", str(game), *of_seat(game, more)]
    terminal.say(f"  {shell_join(['sanjuan-ref', *agrees])}")


def _transfers(game: Path, file: GameFile, reader: Reader, more: list[str]) -> None:
    """Say how to sign that a seat gets another key, to somebody whose signature is missing."""
    mine = reader.key.public if reader.key is not None else reader.public
    if mine is None or file.status != "playing":
        return
    # The seat in such a command is the one that gets another key.
    keys = more[:2] if more[:1] == ["--key"] else []
    for waiting in file.transfers:
        if is_wanted(file, waiting, mine):
            # Few seats change hands.
            from referee.cli.consents import command

            missing = still_to_sign(file, waiting)
            say()
            terminal.paragraph(
                f"{waiting.seat} is to get another key. Still to sign: {'; '.join(missing)}. "
                "If you agree:"
            )
            say(f"  {command(game, waiting, missing, keys)}")


def tell_time(file: GameFile) -> None:
    """Note that a file says a time which is still to come for this machine."""
    if runs_ahead(file, current_time()) and file.now is not None:
        terminal.warn(
            "note",
            f"this file says that it was written at {readable_time(file.now)}, which is still to "
            "come by this machine's clock; keep it, and ask the referee about it",
        )


def tell_age(game: Path) -> None:
    """Say that a game file in a clone may be older than the one that was pushed last."""
    terminal.say()
    if is_behind(game):
        terminal.warn("note", "others have pushed since: `git pull`, and then look again")
        return
    terminal.say(("dim", "This is the table as it was at your last `git pull`."))


def tell_refused(game: Path, file: GameFile, reader: Reader) -> None:
    """Tell which notes of the reader's the referee has refused in this clone, and what to do."""
    if not is_shared(game):
        return
    # Few tables go by git.
    from referee.cli.pushing import hint_for
    from referee.notes.mime import printable_line

    try:
        for one in refusals(game, file, reader):
            terminal.say()
            terminal.say(
                ("bad", f"The referee has refused your note {printable_line(str(one.note))}:")
            )
            terminal.paragraph(f"{one.refusal.message}.", 2, "  ")
            if one.refusal.hint:
                hint = hint_for(one.refusal, game)
                terminal.paragraph(f"{hint[:1].upper()}{hint[1:]}.", 2, "  ")
    except GameError as error:
        # The table itself can be shown.
        terminal.complain(error)


def refusals(game: Path, file: GameFile, reader: Reader) -> Sequence[Refused]:
    """Return the refusals of the reader's notes in a clone; none elsewhere. Raises GameError."""
    if not is_shared(game):
        return []
    key = reader.key.public if reader.key is not None else reader.public
    if key is None:
        return []
    # Few tables go by git.
    from referee.playing import checkout

    seat = reader.seat.name if reader.seat is not None and reader.seat.joined else ""
    return checkout.refused(game, file, key, seat, overview.last_play(file, seat))


def unsent(game: Path, file: GameFile, reader: Reader) -> Written | None:
    """Return the reader's newest answer that lies beside the game and has not arrived yet."""
    if reader.key is None or reader.hand is None or not own_question(file, reader.hand.decision):
        return None
    # A reader who only looks needs no turn.
    from referee.playing.numbering import written_answer
    from referee.playing.turn import Turn

    return written_answer(Turn(file, reader), game)


def _asked(file: GameFile, rules: Rules, reader: Reader) -> str:
    """Return what the reader is asked, in words; "" where nothing is, or it is answered."""
    hand = reader.hand
    if hand is None or not own_question(file, hand.decision) or waits(file, hand.decision):
        return ""
    return overview.your_turn(rules, hand.decision)


def _question(
    game: Path,
    file: GameFile,
    rules: Rules,
    hand: Hand,
    answer: Written | None,
    more: list[str],
) -> None:
    decision = hand.decision
    if hand.seat in Standing.after(file).left and file.status == "playing":
        terminal.say()
        text = f"You have left, and {a_spoken(file.bot)} answers for you. To play again:"
        terminal.paragraph(text)
        back = ["leave", str(game), "--back", *of_seat(game, more)]
        terminal.say(f"  {shell_join(['sanjuan-ref', *back])}")
        return
    if not own_question(file, decision):
        if file.asked:
            terminal.say()
            terminal.paragraph(f"It is not your turn; the game waits for {awaited(file)}.")
            _invite(game, file, hand, more)
        return
    again = f"`{command(game, '', {}, more)} …`"
    if answer is not None:
        terminal.say()
        terminal.paragraph(_lies(answer, game, decision, again), style="bold")
        _invite(game, file, hand, more)
        return
    if waits(file, decision):
        terminal.say()
        waiting = file.waiting_answer(decision)
        planned = waiting is not None and waiting.plan
        what = f"Your plan has answered {decision}" if planned else ""
        terminal.paragraph(
            f"{what or f'Your answer to {decision} has arrived'}; until the others are in you can "
            f"change it: {again}"
        )
        if not planned:
            terminal.say(("dim", "(If you have sent none, keep this file and ask the referee.)"))
        _invite(game, file, hand, more)
        return
    answers = commands_of(rules, view_of(file, hand).choices())
    overview.question(file, rules, decision, command(game, "", {}, more), answers)
    if terminal.graphic() and terminal.asks() and not terminal.tight():
        guided = shell_join(["sanjuan-ref", "play", str(game), *sending(game, more)])
        terminal.say(("dim", f"  or, with menus: {guided}"))


def _lies(answer: Written, game: Path, decision: str, again: str) -> str:
    """Say where an answer lies that has not arrived, and how it gets to the referee."""
    play = f", {answer.play}," if answer.play else ""
    return f"{_sent(f'answer to {decision}{play}', answer.path, game)} To change it: {again}"


def _sent(what: str, path: Path, game: Path) -> str:
    """Say where a note lies that has not arrived, and how it gets to the referee."""
    send = "push it" if is_shared(game) else "send it to the referee"
    return f"Your {what} lies in {path} and is not in this game file: {send}, if you have not yet."


def _tell_unsent(game: Path, file: GameFile, reader: Reader) -> None:
    """Say where a vote or the like of the reader's lies that has not arrived."""
    for path, note in _unsent_standing(game, file, reader).items():
        # Few notes are of that kind.
        from referee.cli.gamelist import UNSENT

        terminal.say()
        terminal.paragraph(_sent(UNSENT[note.play], path, game))


def _unsent_standing(game: Path, file: GameFile, reader: Reader) -> Mapping[Path, StandingNote]:
    key = reader.key.public if reader.key is not None else reader.public
    if file.status != "playing" or key is None or not has_standing(game):
        return {}
    # Few notes are of that kind.
    from referee.playing.written import unsent_standing

    return unsent_standing(game, key)


def _invite(game: Path, file: GameFile, hand: Hand, more: list[str]) -> None:
    """Say how to answer ahead, to a seat that could and has no plan."""
    edit = shell_join(["sanjuan-ref", "plan", str(game), *sending(game, more), "--edit"])
    if hand.seat in invited(file):
        terminal.say(f"You may be asked next. Plan your turn now: {edit}")
    elif file.plan_language and all(one.seat != hand.seat for one in file.plans):
        terminal.say(("dim", f"You can answer ahead: {edit}"))


def _how_to_join(game: Path, file: GameFile, reader: Reader, more: list[str]) -> None:
    if reader.seat is not None and reader.seat.joined:
        say()
        say(f"You have joined as {reader.seat.name}; the cards are dealt when all have.")
        return
    free = [seat.name for seat in file.seats if seat.is_free and not seat.reserved]
    if reader.seat is not None:
        free = [reader.seat.name]
    # Only an open table is joined.
    from referee.playing.written import written_joins

    for seat, path in written_joins(game, reader.public).items() if reader.public else ():
        say()
        terminal.paragraph(_sent(f"join as {seat}", path, game))
        return
    if not free:
        return
    say()
    say("Take a seat with:" if len(free) == 1 else "Take one of the seats with:")
    last = of_seat(game, more)
    for name in free:
        say("  " + shell_join(["sanjuan-ref", "join", str(game), "--seat", name, *last]))


def document(
    game: Path, file: GameFile, rules: Rules, reader: Reader, more: list[str]
) -> dict[str, Any]:
    """Return all that the reader may see, for programs."""
    found = overview.document(file)
    found["seat"] = reader.seat.name if reader.seat else None
    if file.plan_language and file.status == "playing":
        # Not every table takes plans.
        from referee.render.text import planned

        found |= planned.document(game, file, reader) | {"next": next_turns(file)}
    if is_shared(game):
        found["refused"] = [
            {"note": str(one.note), **one.refusal._asdict()} for one in refusals(game, file, reader)
        ]
    hand = reader.hand
    if hand is None:
        return found
    fresh, drawn = overview.fresh_cards(file, hand), overview.drawn_cards(file, hand)
    found["hand"] = [
        {
            "letter": card.label if card.label != NO_LETTER else "",
            "name": card.name,
            "new": card.place in fresh,
            "drawn": card.place in drawn,
        }
        for card in overview.by_letter(hand)
    ]
    found["tucked"] = [{"plot": card.label, "name": card.name} for card in hand.tucked]
    found["decision"] = own_question(file, hand.decision) or None
    found["answered"] = any(waiting.decision == hand.decision for waiting in file.pending)
    answer = unsent(game, file, reader)
    found["written"] = (
        {"file": str(answer.path), "number": answer.number, "play": answer.play} if answer else None
    )
    found["unsent"] = [
        {"play": note.play, "file": str(path)}
        for path, note in _unsent_standing(game, file, reader).items()
    ]
    wanted = found["decision"] and not found["answered"]
    found["choices"] = documents(game, rules, view_of(file, hand).choices(), more) if wanted else []
    return found
