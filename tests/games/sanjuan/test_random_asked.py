"""In random games of any rule set it follows from public facts alone who is asked."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from referee.games.sanjuan.game import SanJuan
from tests.games.sanjuan import plain_rules
from tests.games.sanjuan.plain_asked import Ahead, could_build
from tests.games.sanjuan.plain_rules import Clauses, Seen
from tests.games.sanjuan.random_deals import AGAIN, DEALS, Deal, waits
from tests.games.sanjuan.randomly import Turn, taken_apart
from tests.games.sanjuan.rule_sets import RuleSet


@AGAIN
@settings(max_examples=25, deadline=None)
@given(how=DEALS)
def test_seats_are_asked_as_public_facts_say(again: int, how: Deal) -> None:
    """The table on which a phase begins tells who is asked, and the turns go round."""
    game, rng = how.begin()
    ahead: Ahead | None = None
    if "draft-start" in how.rule_set.variants:
        ahead = Ahead(Seen(how.rule_set, game.table()), "draft")
        assert _asked(game) == ahead.seats
    while not game.over:
        turn = Turn(game, rng)
        table = game.table()
        play = turn.pick()
        clauses = taken_apart(play, turn.kind)
        if turn.kind == "role":
            ahead = _phase_of(how.rule_set, table, clauses)
        else:
            assert ahead is not None
            ahead.seats = ahead.seats[ahead.seats.index(turn.seat) + 1 :]
        turn.take(play)
        if game.over:
            break
        _judge_asked(game, ahead, table)
        now = game.table()
        if now["round"] > table["round"] or (turn.kind == "office" and not waits(game, "office")):
            ahead = _round_start(how.rule_set, game, turn.kind)


def _asked(game: SanJuan) -> list[str]:
    return [decision.seat for decision in game.decisions()]


def _phase_of(rule_set: RuleSet, table: dict[str, Any], clauses: Clauses) -> Ahead:
    """Return who will be asked after this choice of a role or an event."""
    chosen = [*clauses.get("role", ()), *clauses.get("event", ())]
    phase = chosen[-1]
    seen = Seen(rule_set, table)
    chooser = table["chooser"]
    in_use = phase in plain_rules.ROLES and seen.library_is_free(chooser)
    doubled = in_use and "no-library" not in clauses
    return Ahead(Seen(rule_set, {**table, "doubled": doubled}), phase)


def _judge_asked(game: SanJuan, ahead: Ahead, before: dict[str, Any]) -> None:
    """The open decisions are those of the phase, or it is over and the next seat chooses."""
    kinds = {decision.kind for decision in game.decisions()}
    assert len(kinds) == 1
    now, asked, passed = game.table(), _asked(game), ahead.seats
    goes_on = kinds == {ahead.kind} and now["round"] == before["round"]
    if goes_on and ahead.serial:
        assert len(asked) == 1
        passed = ahead.seats[: ahead.seats.index(asked[0])]
    elif goes_on:
        assert asked == ahead.seats
        passed = []
    if ahead.kind == "build":
        # Of what the others wait for, only what lies beside the deck can have changed.
        table = {**ahead.seen.table, "beside": now.get("beside", [])}
        seen = ahead.seen._replace(table=table)
        assert not any(could_build(seen, seat) for seat in passed)
        assert not goes_on or could_build(seen, asked[0])
    elif ahead.kind != "mine":
        assert passed == []
    if not goes_on:
        _judge_turn(before, now, kinds)


def _judge_turn(before: dict[str, Any], now: dict[str, Any], kinds: set[str]) -> None:
    """Turns go round clockwise from the governor, who moves one seat on in every round."""
    names = [row["name"] for row in now["seats"]]
    turns = 3 if len(names) == 2 else len(names)
    if kinds <= {"office", "tidy"} or now["turn"] == 1:
        assert now["governor"] == names[(now["round"] - 1) % len(names)]
        assert now["used"] == now["library-used"] == []
        assert before["turn"] in (0, turns)
    else:
        assert kinds == {"role"}
        assert now["round"] == before["round"]
        assert now["turn"] == before["turn"] + 1
    if kinds == {"role"}:
        chooser = (names.index(now["governor"]) + now["turn"] - 1) % len(names)
        assert now["chooser"] == names[chooser]


def _round_start(rule_set: RuleSet, game: SanJuan, kind: str) -> Ahead | None:
    """Return who will be asked next in a round that begins, after checking who is asked now."""
    seen = Seen(rule_set, {**game.table(), "chooser": game.table()["governor"]})
    office, tidy = Ahead(seen, "office"), Ahead(seen, "tidy")
    due = [step for step in (office, tidy) if step.seats]
    if kind == "office":
        due = [tidy] if tidy.seats else []
    if not due:
        assert waits(game, "role")
        return None
    assert _asked(game) == due[0].seats
    assert waits(game, due[0].kind)
    return due[0]
