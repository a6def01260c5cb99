"""A game file as its reader sees it: the table, the own hand, the question, how to answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from referee.show.terminal import columns, say
from referee.table.errors import Damaged

if TYPE_CHECKING:
    from referee.games.interface import Choice, Rules
    from referee.table.gamefile import GameFile, Seat
    from referee.table.hands import Card, Hand


# Longer commands do without the column in which the notes of the others stand.
SHORT = 76


def waiting(file: GameFile) -> list[tuple[str, str, bool]]:
    """(decision, seat, whether its answer has arrived) for all that is asked."""
    arrived = {one.decision for one in file.pending}
    return [(one["id"], one["seat"], one["id"] in arrived) for one in file.asked]


def state_line(file: GameFile) -> str:
    """One public sentence: where the game is and for whom it waits."""
    if file.status == "open":
        missing = [seat.name for seat in file.seats if not seat.joined]
        return f"open; waiting for {', '.join(missing)} to join"
    if file.status != "playing":
        return f"step {file.step}; the game is {file.status}"
    late = [f"{seat} ({id_.split('.')[2]})" for id_, seat, arrived in waiting(file) if not arrived]
    return f"step {file.step}; waiting for {', '.join(late)}"


def header(file: GameFile, rules: Rules) -> None:
    """Print which game this is and where it stands."""
    terms = terms_line(file, rules)
    title = file.title if file.title != rules.title else ""
    say(("bold", title or terms), f"  {terms}" if title else "")
    say(("dim", f"game {file.game}, {state_line(file)}"))
    say()


def terms_line(file: GameFile, rules: Rules) -> str:
    """What has been agreed on, in a few words."""
    said = [rules.title, str(file.terms.get("edition", ""))]
    for key in ("expansions", "variants"):
        said += [str(name) for name in file.terms.get(key, [])]
    return " ".join(word for word in said if word)


def table(file: GameFile, rules: Rules, seat: str | None) -> None:
    """Print the public table as its rules module shows it."""
    below: list[str] = []
    for line in _lines(file, rules, seat):
        if line.startswith(" "):
            below.append(line.strip())
            continue
        _side_by_side(below)
        if seat is not None and line.startswith(f"{seat} (you)"):
            say(("mine", line))
        elif line[:1] not in ("", " ") and line.split(":")[0].split(" ")[0] in file.order:
            say(("bold", line))
        else:
            say(line)
    _side_by_side(below)


def _lines(file: GameFile, rules: Rules, seat: str | None) -> list[str]:
    # The referee can sign any table; what a rules module cannot read is damage, not a bug.
    try:
        return rules.lines(file.table, seat)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise Damaged("the table is not one of this game") from None


def _side_by_side(lines: list[str]) -> None:
    """Print the indented lines below another, which are short, in columns; and forget them."""
    for row in columns(lines):
        say(row)
    lines.clear()


def open_seats(file: GameFile) -> None:
    """Print who sits where before the deal."""
    for seat in file.seats:
        say(f"  {seat.name:<16} ", _seat_state(seat))


def _seat_state(seat: Seat) -> str:
    if seat.joined and seat.key is not None:
        return f"joined, {seat.key.fingerprint}"
    if seat.key is not None:
        return f"reserved for {seat.key.fingerprint}"
    return "free"


def fresh_cards(file: GameFile, hand: Hand) -> set[tuple[str, int, int]]:
    """(pile, epoch, position) of the cards that came since the seat last played."""
    from referee.table.hands import drawn_by

    mine = [step for step, entry in enumerate(file.log) if entry.by == hand.seat]
    return drawn_by(file, hand.seat, mine[-1]) if mine else set()


def hand_lines(file: GameFile, hand: Hand) -> None:
    """Print the own hand, by letter while something is asked, and the cards put away."""
    fresh = fresh_cards(file, hand)
    count = len(hand.cards)
    say()
    say(("bold", "Your hand"), f"  {count} card{'' if count == 1 else 's'}")
    for line in columns([_cell(card, fresh) for card in in_order(hand)]):
        say(line)
    if any((card.pile, card.epoch, card.position) in fresh for card in hand.cards):
        say(("dim", "  * came since your last play"))
    if hand.tucked:
        say("  put away:")
        for line in columns([f"{card.label} {card.name}" for card in hand.tucked], 4):
            say(line)


def _cell(card: Card, fresh: Iterable[tuple[str, int, int]]) -> str:
    mark = "*" if (card.pile, card.epoch, card.position) in fresh else ""
    return f"{card.label} {card.name}{mark}" if card.label != "-" else f"{card.name}{mark}"


def in_order(hand: Hand) -> list[Card]:
    """The hand by letter, or by name where it has no letters."""
    return sorted(hand.cards, key=lambda card: (len(card.label), card.label, card.name))


def question(decision: str, answers: Sequence[tuple[str, Choice]]) -> None:
    """Print what is asked and every answer as a command with its note."""
    say()
    say(("bold", "You are asked"), f"  {decision}")
    commands(answers)


def commands(answers: Sequence[tuple[str, Choice]], *, error: bool = False) -> None:
    """Print answers as commands, their notes in a column of their own where they are short."""
    wide = max((len(text) for text, _ in answers if len(text) <= SHORT), default=0)
    for text, choice in answers:
        note = f"   {choice.note}" if choice.note else ""
        say(f"  {text:<{wide}}", ("dim", note), error=error)


def brief(file: GameFile) -> dict[str, Any]:
    """Which game it is and where it stands, for programs."""
    return {
        "game": file.game,
        "title": file.title,
        "status": file.status,
        "step": file.step,
        "head": file.head.hex(),
    }


def document(file: GameFile) -> dict[str, Any]:
    """The public part of a game file for programs."""
    return brief(file) | {
        "terms": file.terms,
        "referee": file.referee.text,
        "seats": [
            {
                "name": seat.name,
                "joined": seat.joined,
                "reserved": seat.reserved,
                "key": seat.key.text if seat.key else "",
            }
            for seat in file.seats
        ],
        "order": file.order,
        "table": file.table,
        "asked": [
            {**asked, "answered": arrived}
            for asked, (_, _, arrived) in zip(file.asked, waiting(file), strict=True)
        ],
    }
