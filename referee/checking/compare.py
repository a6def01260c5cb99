"""Two files of one game: the same, one the continuation of the other, or a proven fork."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set

from referee.errors import Damaged, Fork, OtherGame, OtherRules
from referee.records import NamedTuple
from referee.table.arrivals import arrivals, keeps, lost_arrival
from referee.table.chain import REFEREE, Late, number_of, read_line
from referee.table.clock import due_after, vacations_of
from referee.table.gamefile import GameFile
from referee.table.hands import Hand, Place, drawn_by
from referee.table.plans import plan_behind
from referee.table.rebuild import each_step
from referee.table.rules import rules_for
from referee.table.standing import left_to_bot
from referee.table.times import format_time
from referee.table.transfer import consents, holders, is_transfer, read_play, since
from referee.table.views import view_of

SAME, NEWER, OLDER = "same", "newer", "older"
NOTHING_ADDED = "your hand holds nothing but what it held and what was drawn"
KEEP_BOTH_FILES = "keep both files, together they are the proof"


class Comparison(NamedTuple):
    """The second file as seen from the first: `same`, `newer` or `older`, and what was checked."""

    relation: str
    done: list[str]


def compare(
    first: GameFile,
    first_heads: list[bytes],
    second: GameFile,
    second_heads: list[bytes],
    hands: Mapping[int, Hand] | None = None,
) -> Comparison:
    """Compare two files that both pass `verify`; `hands` are the reader's own, by step.

    Raises OtherGame when they are of different games, Damaged when they have two referees, Fork
    when the referee has signed two histories, or exchanged or dropped what came in beside the log,
    or exchanged a hand.
    """
    if first.game != second.game:
        raise OtherGame(
            f"these files belong to different games, {first.game} and {second.game}",
            "compare two files of one game",
        )
    if first.referee != second.referee:
        raise Damaged(
            "these files have two referees, so neither proves anything about the other",
            "go by the one whose table you joined",
        )
    common = min(first.step, second.step)
    for step in range(common + 1):
        if first_heads[step] != second_heads[step]:
            raise Fork(
                f"the referee has signed two histories: they part at step {step}",
                KEEP_BOTH_FILES,
            )
    if first.step != second.step:
        relation = NEWER if second.step > first.step else OLDER
    else:
        relation = _relation_beside_log(first, second)
    back = relation == OLDER or (
        relation == SAME
        and first.now is not None
        and second.now is not None
        and second.now < first.now
    )
    old, new, heads = (second, first, first_heads) if back else (first, second, second_heads)
    done = [f"the histories agree up to step {common}"]
    if gone := lost_arrival(old, new, heads):
        raise Fork(gone, KEEP_BOTH_FILES)
    done += _said_of_waiting(old, new)
    check_no_stale_keys(old, new)
    check_bots_answered(old, new)
    acted = count_late_answers(old, new)
    if acted:
        done.append(f"{acted} late answer{'' if acted == 1 else 's'} came after the time was over")
    if hands and old.log and new.log and old.step in hands and new.step in hands:
        done.append(compare_hands(old, new, hands[old.step], hands[new.step]))
    return Comparison(relation, done)


def _said_of_waiting(old: GameFile, new: GameFile) -> list[str]:
    """Return what became of the answers that waited in the old file, none of which was lost."""
    waited = {one.decision: one.number for one in old.pending}
    came = [
        number_of(entry) - waited[entry.decision]
        for entry in new.log[old.step :]
        if entry.decision in waited
    ]
    kept, changed = came.count(0), len(came) - came.count(0)
    done = []
    if kept:
        done.append(f"{kept} waiting answer{'' if kept == 1 else 's'} took effect as accepted")
    if changed:
        what = "waiting answer was" if changed == 1 else "waiting answers were"
        done.append(f"{changed} {what} changed by the seat before taking effect")
    return done


def _relation_beside_log(first: GameFile, second: GameFile) -> str:
    """Return what the second of two files of one step is, by what came in beside the log.

    Raises Fork where neither has all that the other has.
    """
    one, two = arrivals(first), arrivals(second)
    where = f"the referee has signed two files for step {first.step}"
    both = one.keys() & two.keys()
    newer = {arrival for arrival in both if keeps(one[arrival], two[arrival])}
    older = {arrival for arrival in both if keeps(two[arrival], one[arrival])}
    if other := both - newer - older:
        raise Fork(f"{where}, which differ in {min(other).what}", KEEP_BOTH_FILES)
    here, there = one.keys() - two.keys() | older - newer, two.keys() - one.keys() | newer - older
    if here and there:
        raise Fork(
            f"{where}: one lacks {min(here).what}, the other {min(there).what}", KEEP_BOTH_FILES
        )
    if not here and not there:
        return SAME
    return NEWER if there else OLDER


def count_late_answers(old: GameFile, new: GameFile) -> int:
    """Return the number of answers the referee gave after the old file for seats that were late.

    Raises Fork for times that take back what the old file has said.
    """
    if old.clock is None or old.now is None or new.now is None:  # `verify` wants both times
        return 0
    if new.now < old.now:
        raise Fork(
            f"the newer file was written at {format_time(new.now)}, before the older one",
            KEEP_BOTH_FILES,
        )
    acted = 0
    dues = dict(new.due)
    for entry in new.log[old.step :]:
        line = read_line(entry.then[0]) if entry.by == REFEREE and entry.then else None
        if isinstance(line, Late):
            if line.now < old.now:
                raise Fork(
                    f"{entry.decision} was called late at a time before the older file",
                    KEEP_BOTH_FILES,
                )
            dues[entry.decision] = line.due
            acted += 1
    for decision, due in dues.items():
        # What was asked since then was asked later than the old file was written.
        least = due_after(old.clock, old.now, vacations_of(old, decision))
        if due != old.due.get(decision, due) or (decision not in old.due and due < least):
            raise Fork(
                f"{decision} is due at another time than the older file had set", KEEP_BOTH_FILES
            )
    return acted


def check_bots_answered(old: GameFile, new: GameFile) -> None:
    """Raise Fork if somebody else answered what had been left to the table's bot."""
    bots = set(left_to_bot(old))
    for entry in new.log[old.step :] if bots else ():
        if entry.decision in bots and (entry.signature or plan_behind(entry)):
            raise Fork(
                f"{entry.decision} was left to the table's bot, and another answer was taken",
                KEEP_BOTH_FILES,
            )


def check_no_stale_keys(old: GameFile, new: GameFile) -> None:
    """Raise Fork if a replaced key acted after the transfer, unless its answer waited.

    That is: it answered, or signed a vacation or another transfer that is new since the old file.
    """
    waited = {one.decision: one.number for one in old.pending}
    for entry in new.log[old.step :]:
        # Of plans, and of what they and bots answer, `verify` knows whose it is.
        if not entry.answers_for(entry.by) or not entry.signature:
            continue
        if waited.get(entry.decision) == number_of(entry):
            continue
        if entry.seen < since(old.log, entry.by):
            raise Fork(
                f"{entry.decision} was answered by a key whose time was over", KEEP_BOTH_FILES
            )
    had = {(one.seat, one.first, one.last) for one in old.vacations}
    for away in new.vacations:
        later = (away.seat, away.first, away.last) not in had
        if later and away.seen < since(old.log, away.seat):
            raise Fork(
                f"the vacation of {away.seat} from {away.first} on is signed by a key whose time "
                "was over",
                KEEP_BOTH_FILES,
            )
    _check_no_stale_consents(old, new)


def _check_no_stale_consents(old: GameFile, new: GameFile) -> None:
    """Raise Fork where a transfer has a new signature of a key that held no seat any more."""
    if not old.log:
        return
    since_then = [entry for entry in new.log[old.step :] if is_transfer(entry.decision)]
    may = {old.referee, *holders(old).values()}
    may |= {read_play(entry.play)[0] for entry in since_then}
    had = {
        (move.seat, move.key, move.seal, by.key) for move in old.transfers for by in move.consents
    }
    signed = [
        *(
            (move.seat, move.key, move.seal, by.key)
            for move in new.transfers
            for by in move.consents
        ),
        *(
            (entry.by, *read_play(entry.play), by.key)
            for entry in since_then
            for by in consents(entry)
        ),
    ]
    for one in signed:
        seat, key, _, signer = one
        if signer not in may | {key} and one not in had:
            raise Fork(
                f"the transfer of {seat} is signed by a key whose time was over", KEEP_BOTH_FILES
            )


def compare_hands(old: GameFile, new: GameFile, before: Hand, after: Hand) -> str:
    seat = before.seat
    drawn = drawn_by(new, seat) - drawn_by(old, seat)
    had = {card.place: card for card in before.cards}
    now = {card.place: card for card in after.cards}
    strangers = [card.name for at, card in now.items() if at not in had and at not in drawn]
    changed = [card.name for at, card in now.items() if at in had and had[at].name != card.name]
    if strangers or changed:
        raise Fork(
            f"your hand holds {(strangers + changed)[0]}, which you neither held nor drew",
            KEEP_BOTH_FILES,
        )
    _compare_tucked(old, new, before, after, had.keys() | drawn)
    mine = [entry for entry in new.log[old.step :] if entry.answers_for(seat)]
    if len(mine) > 1 or (mine and mine[0].decision != before.decision):
        return NOTHING_ADDED
    try:
        gone = set(view_of(old, before).spends(mine[0].play)) if mine else set()
        given = rules_for(new).cards_given
    except OtherRules as error:
        return f"{NOTHING_ADDED}; more cannot be told here: {error.message}"
    left = {at for at, card in had.items() if card.label not in gone}
    kept = (had.keys() - left) & now.keys()
    if kept:
        raise Fork(
            f"your hand still holds {had[min(kept)].name}, which you gave away", KEEP_BOTH_FILES
        )
    missing = (left | drawn) - now.keys()
    if len(missing) != _count_cards_given(old, new, seat, given):
        lost = [had[at].name for at in sorted(missing) if at in had]
        what = f"lacks {lost[0]}, which you did not give away" if lost else ""
        what = what or ("lacks a card that you drew" if missing else "holds what it has lost")
        raise Fork(f"your hand {what}", KEEP_BOTH_FILES)
    return "your hand is exactly what it held, less what you gave away, and what was drawn"


def _compare_tucked(
    old: GameFile, new: GameFile, before: Hand, after: Hand, mine: Set[Place]
) -> None:
    """Raise Fork unless the cards that a seat has put away are those that it had put away before,
    as far as they still lie there, and cards out of `mine`, which it held or drew."""
    if not before.tucked and not after.tucked:
        return
    try:
        rows = each_step(new, lambda game: game.tucked(before.seat))[old.step - new.step - 1 :]
    except OtherRules:
        return
    stay = set(rows[0]).intersection(*rows[1:])
    lay = [card for card, row in zip(before.tucked, rows[0], strict=True) if row in stay]
    lie = [card for card, row in zip(after.tucked, rows[-1], strict=True) if row in stay]
    for was, now in zip(lay, lie, strict=True):
        if was != now:
            raise Fork(
                f"{now.name} lies on your plot {now.label}, where you put {was.name}",
                KEEP_BOTH_FILES,
            )
    for card, row in zip(after.tucked, rows[-1], strict=True):
        if row not in stay and card.place not in mine:
            raise Fork(
                f"{card.name} lies on your plot {card.label}, which you neither held nor drew",
                KEEP_BOTH_FILES,
            )


def _count_cards_given(
    old: GameFile, new: GameFile, seat: str, given: Callable[[str, str], int]
) -> int:
    """Return the number of cards that a seat gave away without being asked."""
    others = (entry for entry in new.log[old.step :] if not entry.answers_for(seat))
    return sum(given(line, seat) for entry in others for line in entry.then)
