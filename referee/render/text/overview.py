"""A game file as its reader sees it: the table, the own hand, the question, how to answer."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from referee.bots.names import a_spoken
from referee.errors import counted
from referee.games.texts import FALLBACK
from referee.render.text import terminal
from referee.render.text.terminal import columns, say
from referee.table.ahead import next_turns
from referee.table.clock import bots_think
from referee.table.clock import today as day_at
from referee.table.decisions import DecisionId
from referee.table.plans import is_by_bot, plan_behind
from referee.table.standing import Standing, for_bots
from referee.table.times import current_time, format_offset, format_time, readable_time

if TYPE_CHECKING:
    from datetime import datetime

    from referee.games.board import Board
    from referee.games.interface import Rules
    from referee.games.values import Choice
    from referee.table.gamefile import GameFile, Seat
    from referee.table.hands import Card, Hand, Place


T = TypeVar("T")
# What is printed on a card stands beside its name as long as it is not longer.
SHORT = 8
FEW_ANSWERS = 6
"""More answers than that are not listed where room is shortest."""


def waiting(file: GameFile) -> list[tuple[str, str, bool]]:
    """Return all open decisions as (decision, seat, True if its answer has arrived)."""
    arrived = {one.decision for one in file.pending}
    return [(one.id, one.seat, one.id in arrived) for one in file.asked]


def state_line(file: GameFile) -> str:
    """Return a public sentence on where the game is and for whom it waits."""
    if file.status == "open":
        missing = [seat.name for seat in file.seats if seat.is_free]
        return f"open; waiting for {', '.join(missing) or 'nobody else'} to join"
    if file.status != "playing":
        return f"step {file.step}; the game is {file.status}"
    theirs = for_bots(file)
    late = [
        f"{seat} ({DecisionId.parse(id_).kind})"
        for id_, seat, arrived in waiting(file)
        if not arrived and (id_ not in theirs or bots_think(file))
    ]
    coming = next_turns(file)
    after = f"; next {', then '.join(coming)}" if coming else ""
    return f"step {file.step}; waiting for {', '.join(late)}{after}"


def due_piece(file: GameFile, decision: str, now: datetime | None = None) -> terminal.Piece:
    """Return when an answer is due, as a piece of a line, and how far that is from `now`."""
    due = file.due.get(decision)
    if due is None:
        return ""
    when = readable_time(due)
    if now is None:
        return f"{'was due' if due < current_time() else 'due'} {when}"
    left = due - now
    hours = abs(left).total_seconds() / 3600
    far = f"{hours / 24:.0f} days" if hours >= 48 else f"{hours:.0f} hours"
    if hours < 2:
        far = counted(round(hours * 60), "minute")
    if left.total_seconds() < 0:
        return ("bad", f"overdue since {when}, for {far}")
    return f"due {when}, in {far}"


def _turns(text: str) -> bool:
    """Return True if a text has letters that are read from right to left."""
    if text.isascii():
        return False
    # Slow to load, and most titles have nothing but ASCII in them.
    from unicodedata import bidirectional

    return any(bidirectional(char) in ("R", "AL") for char in text)


def header(file: GameFile, rules: Rules, first: str = "") -> None:
    """Print which game this is and where it stands; `first` is what its reader wants to know."""
    terms = terms_line(file, rules)
    title = file.title if file.title != rules.title else ""
    # Words that are read from right to left would turn what stands beside them around.
    if len(title) + 2 + len(terms) <= terminal.width() and not _turns(title):
        beside = f"  {terms}" if title else ""
        length = len((title or terms) + beside)
        if first and length + 2 + len(first) <= terminal.width():
            say(("bold", title or terms), f"{beside}  ", ("mine", first))
            first = ""
        else:
            say(("bold", title or terms), beside)
    else:
        for line in [title] if title else []:
            say(("bold", line))
        for line in terminal.wrapped(terms, 2):
            say(line if title else ("bold", line))
    terminal.paragraph(first, 2, style="mine")
    plans = f", plans {file.plan_language}" if file.plan_language else ""
    if file.ahead:
        plans += f", ahead {file.ahead if file.ahead < len(file.seats) - 1 else 'all'}"
    if not file.hints:
        plans += ", no hints"
    state = f"game {file.game}, rules {file.version}{plans}, {state_line(file)}"
    for text in (*([state] if not terminal.brief() else []), *seat_lines(file)):
        terminal.paragraph(text, 2, style="dim")
    say()


def seat_lines(file: GameFile) -> list[str]:
    """Return lines on absences, bots, and seats that are to get another key."""
    today = day_at(file.clock, file.now) if file.now is not None else None
    lines = [
        f"{vacation.seat} is away from {vacation.first} to {vacation.last}"
        for vacation in file.vacations
        if today is not None and vacation.last >= today
    ]
    if file.bots:
        lines.append(", ".join(f"{seat} is {a_spoken(bot)}" for seat, bot in file.bots.items()))
        if file.referee_alone:
            lines.append("only the referee holds keys here, so nothing is proven of the deal")
    backups = file.secret_keys - 1
    if backups > 0 and file.revealed_secret is None:
        keys = "one key" if backups == 1 else f"{backups} keys"
        lines.append(f"{keys} beside the referee's can open every hand (`new --backup`)")
    standing = Standing.after(file) if file.status == "playing" else Standing(file)
    lines += [f"{seat} has left, and {a_spoken(file.bot)} answers" for seat in standing.left]
    if standing.voting:
        voting, silent = (" and ".join(names) for names in (standing.voting, standing.silent))
        lines.append(f"voted for the end of the game: {voting}; not yet: {silent}")
    for transfer in file.transfers:
        count = len(transfer.consents)
        lines.append(
            f"{transfer.seat} is to get the key {transfer.key.fingerprint}: "
            f"signed by {count} so far"
        )
    return lines


def terms_line(file: GameFile, rules: Rules) -> str:
    """Return the terms of the table in a few words."""
    clock = file.clock
    parts = [rules.title, str(file.terms.get("edition", ""))]
    for key in ("expansions", "variants"):
        parts += [str(name) for name in file.terms.get(key, [])]
    if clock is not None:
        bot = a_spoken(file.bot)
        how = f"a pass or {bot}" if clock.late == "pass" else bot
        late = (
            f", {clock.grace} more before {how} answers" if clock.grace else f", then {how} answers"
        )
        away = f", {counted(clock.vacation, 'day')} of vacation" if clock.vacation else ""
        skip = f", {clock.skip} do not count" if clock.skip else ""
        if clock.offset:
            skip += f", days of UTC{format_offset(clock.offset)}"
        time = counted(clock.length, "hour" if clock.hourly else "day")
        parts.append(f"({time} per answer{late if clock.acts else ''}{away}{skip})")
    return " ".join(word for word in parts if word)


def table(file: GameFile, rules: Rules, seat: str | None) -> None:
    """Print the public table as its rules module tells it."""
    board(rules.board(file.table, file.log_lines()), rules, seat)


def board(drawn: Board, rules: Rules, seat: str | None) -> None:
    """Print a board of a game, `seat` being the reader's own."""
    from referee.render.text.board import draw

    draw(drawn, seat, rules.legend, rules.city_guide)


def result(file: GameFile, rules: Rules) -> None:
    """Print, below a blank line, who has won and by what, if the rules module can tell."""
    results(rules.result(file.table))


def results(lines: Sequence[str]) -> None:
    """Print the lines of a result, if there are any."""
    for number, line in enumerate(lines):
        if not number:
            say()
        begin = line[: len(line) - len(line.lstrip())]
        for part in terminal.wrapped(line.strip(), len(begin) + 4, begin):
            say(("bold", part) if not number else part)


def open_seats(file: GameFile) -> None:
    """Print the seats before the deal."""
    for seat in file.seats:
        say(f"  {seat.name:<16} ", seat_state(seat))


def seat_state(seat: Seat) -> str:
    """Return who has a seat before the deal."""
    if seat.bot:
        return a_spoken(seat.bot)
    if seat.joined and seat.holder is not None:
        return f"joined, {seat.holder.fingerprint}"
    if seat.key is not None:
        return f"reserved for {seat.key.fingerprint}"
    return "free"


def fresh_cards(file: GameFile, hand: Hand) -> set[Place]:
    """Return the places of the cards that came since the seat last played."""
    from referee.table.hands import drawn_by

    last = last_play(file, hand.seat)
    return drawn_by(file, hand.seat, last - 1) if last else set()


def last_play(file: GameFile, seat: str) -> int:
    """Return the step of the seat's last play; 0 when it has not played yet.

    Answers of its plan, or of the bot while it is away, are no plays of which it knows.
    """
    return max(
        (
            step
            for step, entry in enumerate(file.log, 1)
            if entry.answers_for(seat) and not (plan_behind(entry) or is_by_bot(entry))
        ),
        default=0,
    )


def batch_start(file: GameFile, seat: str) -> int:
    """Return the first step of the batch in which the seat last answered; 0 if it has not."""
    from referee.table.chain import asking_step

    last = last_play(file, seat)
    if not last:
        return 0
    opened = asking_step(file, file.log[last - 1].decision)
    together = file.log[opened - 1].then[-1].split(" ")
    return next(step for step, entry in enumerate(file.log, 1) if entry.decision in together)


def drawn_cards(file: GameFile, hand: Hand) -> set[Place]:
    """Return the places of the cards that were drawn right before the open question."""
    from referee.table.decisions import NO_DECISION
    from referee.table.hands import drawn_by

    # With the opening hand there is nothing to tell it from.
    return drawn_by(file, hand.seat, file.step - 1) if hand.decision != NO_DECISION else set()


def hand_lines(file: GameFile, rules: Rules, hand: Hand, texts: bool = False) -> None:
    """Print the own hand, by letter while something is asked, and the cards put away.

    With `texts` each card says what it does.
    """
    fresh, star = drawn_cards(file, hand), "* just drawn"
    if file.step == 1 or not fresh:
        fresh, star = fresh_cards(file, hand), "* came since your last play"
    # Many commands that say how a game stands draw no cards.
    from referee.render.text.board import spelled

    facts = {card.name: spelled(rules.facts(card.name), rules.legend) for card in hand.cards}
    short = all(len(text) <= SHORT for text in facts.values()) or terminal.reading()
    count = len(hand.cards)
    new = any(card.place in fresh for card in hand.cards) and not terminal.reading()
    told = [rules.legend] if rules.legend and count and not terminal.reading() else []
    told += [star] if new and terminal.tight() else []
    says = "says all of them" if terminal.brief() else "says it in words"
    told += [f"show --cards {says}"] if not short and not texts else []
    legend = f" ({', '.join(told)})" if told else ""
    say()
    heading = f"  {count} card{'' if count == 1 else 's'}"
    beside = len("Your hand" + heading + legend) <= terminal.full_width()
    say(("bold", "Your hand"), f"{heading}{legend if beside else ''}")
    for line in terminal.wrapped(legend.strip(" ()"), 2, "  ") if not beside else ():
        say(("dim", line))
    if count and not texts and not terminal.brief():
        terminal.paragraph(rules.hand_guide, 2, "  ", "dim")
    cards = in_order(rules, hand, fresh)
    # What came last lies apart, where there is room for another line.
    split = sum(card.place not in fresh for card in cards) if not terminal.tight() else count
    for part in (cards[:split], cards[split:]):
        if short and part:
            _draw_cards(rules, part, fresh, facts, texts=texts)
        elif texts:
            terminal.rows([(_cell(card, fresh), rules.text(card.name)) for card in part])
        elif terminal.brief():
            says_cost = not terminal.briefest()
            begins = [facts[card.name].partition(": ")[0] if says_cost else "" for card in part]
            cells = [
                _cell(card, fresh) + (f"  {begin}" if begin else "")
                for card, begin in zip(part, begins, strict=True)
            ]
            for line in columns(cells):
                say(line)
        else:
            for card in part:
                _draw_long(_cell(card, fresh), facts[card.name])
    if new and not terminal.tight():
        say(("dim", f"  {star}"))
    if hand.tucked and terminal.brief():
        terminal.paragraph(", ".join(card.name for card in hand.tucked), 2, "Put away: ", "dim")
    elif hand.tucked:
        say(("bold", "Put away"), "  (hidden from the others)")
        for place in dict.fromkeys(card.label for card in hand.tucked):
            names = ", ".join(card.name for card in hand.tucked if card.label == place)
            where = f"on plot {place}" if place.isdecimal() else place
            terminal.paragraph(names, 4, f"  {where}: ")


def _draw_cards(
    rules: Rules, cards: list[Card], fresh: set[Place], facts: Mapping[str, str], *, texts: bool
) -> None:
    """Print cards with their facts beside them: in rows, as pictures, or in columns."""
    cells = [_cell(card, fresh, facts[card.name]) for card in cards]
    if texts:
        notes = [rules.text(card.name) for card in cards]
        terminal.rows(list(zip(cells, notes, strict=True)))
    elif terminal.graphic():
        from referee.render.text import fancy

        fancy.hand(
            [
                fancy.Card(
                    card.label if card.label != "-" else "",
                    card.name,
                    rules.colour(card.name),
                    facts[card.name],
                    card.place in fresh,
                )
                for card in cards
            ]
        )
    else:
        for line in columns(cells):
            say(line)


def _draw_long(cell: str, facts: str) -> None:
    """Print a card and, beside and below it, facts such as `blue, costs 2 clay: 1 ink | 3`."""
    begin, _, fields = facts.partition(": ")
    begin += ":" if fields else ""
    if 4 + len(cell) + len(begin) <= terminal.full_width():
        say(f"  {cell}  ", ("dim", begin))
    else:
        say(f"  {cell}")
        terminal.paragraph(begin, 6, " " * 6, "dim")
    # A field stays whole.
    whole = fields.replace(" ", "\xa0").replace("\xa0|\xa0", "\xa0| ")
    terminal.paragraph(whole, 6, " " * 6, "dim")


def _cell(card: Card, fresh: Iterable[Place], facts: str = "") -> str:
    new = card.place in fresh
    letter = card.label if card.label != "-" else ""
    if terminal.reading():
        told = ", ".join([card.name, *([facts] if facts else []), *(["new"] if new else [])])
        return f"{letter}: {told}" if letter else told
    return f"{letter}{' ' if letter else ''}{card.name}{'*' if new else ''} {facts}".rstrip()


def by_letter(hand: Hand) -> list[Card]:
    """Return the hand by letter, or by name if it has no letters."""
    return sorted(hand.cards, key=_letter_order)


def in_order(rules: Rules, hand: Hand, fresh: Container[Place]) -> list[Card]:
    """Return the hand as its owner likes to hold it: by rank, and `fresh` cards after the others.

    The order follows from what the owner sees alone, and letters stay with their cards.
    """

    def order(card: Card) -> tuple[bool, tuple[int, int], str, tuple[int, str, str]]:
        is_new = card.place in fresh
        return is_new, rules.hand_rank(card.name), card.name, _letter_order(card)

    return sorted(hand.cards, key=order)


def _letter_order(card: Card) -> tuple[int, str, str]:
    return len(card.label), card.label, card.name


def your_turn(rules: Rules, decision: str) -> str:
    """Say whose turn it is and what is asked, in words."""
    *_, kind, seat = DecisionId.parse(decision)
    return f"Your turn, {seat}: {rules.texts(FALLBACK).get('kinds', {}).get(kind, kind)}"


def question(
    file: GameFile,
    rules: Rules,
    decision: str,
    command: str,
    answers: Sequence[tuple[str, Choice]],
) -> None:
    """Print what is asked, when it is due, and how to answer it."""
    due = due_piece(file, decision)
    say()
    say(("bold", f"{your_turn(rules, decision)} ({decision})"), f"  {due}" if due else "")
    commands(command, answers)


def commands(command: str, answers: Sequence[tuple[str, Choice]], *, error: bool = False) -> None:
    """Print the command that answers, and the flags to add to it, each with its note."""
    if len(answers) == 1:
        flags, choice = answers[0]
        terminal.rows([(f"{command} {flags}", choice.note)], error=error)
        return
    if terminal.brief() and len(answers) > FEW_ANSWERS and not error:
        tokens = [one for said, _ in answers for one in said.split() if one.startswith("--")]
        say("  ", ("bold", command), f"  and one of {len(answers)} answers:")
        words = ", ".join(dict.fromkeys(tokens))
        terminal.paragraph(f"{words}; `play` asks by menus", 4, " " * 4)
        return
    say("  ", ("bold", command), "  and one of", error=error)
    terminal.rows([(f"  {flags}", choice.note) for flags, choice in answers], error=error)


def brief(file: GameFile) -> dict[str, Any]:
    """Return the identity and the state of a game, for programs."""
    return {
        "game": file.game,
        "title": file.title,
        "status": file.status,
        "step": file.step,
        "head": file.head.hex(),
    }


def document(file: GameFile) -> dict[str, Any]:
    """Return the public part of a game file for programs."""
    standing = Standing.after(file)
    return brief(file) | {
        "module": file.rules_module,
        "rules": file.version,
        "bot": file.bot,
        "plans": file.plan_language,
        "ahead": file.ahead,
        "hints": file.hints,
        "terms": file.terms,
        "referee": file.referee.text,
        "seats": [
            {
                "name": seat.name,
                "joined": seat.joined,
                "reserved": seat.reserved,
                "bot": seat.bot,
                "key": seat.holder.text if seat.holder else "",
            }
            for seat in file.seats
        ],
        "left": standing.left,
        "voting": standing.voting,
        "order": file.seating,
        "table": file.table,
        "asked": [
            {**asked.document(), "answered": arrived}
            | ({"due": format_time(file.due[asked.id])} if asked.id in file.due else {})
            for asked, (_, _, arrived) in zip(file.asked, waiting(file), strict=True)
        ],
    }
