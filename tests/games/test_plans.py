"""The promises of every language of plans, tried on every rule set with plans made at random.

A random plan is a walk along the words that completion offers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from referee.crypto.hashing import canonical
from referee.games.errors import NotUnderstood
from referee.games.interface import Game, PlanLanguage
from referee.games.match import positions_of
from referee.games.plans import MAX_CLAUSES, MAX_LENGTH, Language, language_of
from referee.games.sanjuan.cards import EVENTS
from referee.notes.plantext import PlanText
from tests.games.test_contract import EVERY, TABLES, held, moments
from tests.table.tables import NAMES

PLACES = [*TABLES[::3], TABLES[-1]]
"""Rule sets and seats of every game; not all, for a plan is evaluated many times."""
each_place = pytest.mark.parametrize(("name", "seats"), TABLES)
some_places = pytest.mark.parametrize(("name", "seats"), PLACES)


def language(name: str, seats: int) -> Language[Any]:
    found = language_of(EVERY[name], NAMES[:seats])
    assert isinstance(found, Language)
    return found


def random_clause(spoken: PlanLanguage, rng: Random, begin: str = "") -> str:
    """A canonical clause; "" where the walk led to none that makes sense."""
    for _ in range(4):
        text = begin
        for _ in range(rng.randint(1, 8)):
            words = spoken.complete(f"{text} ")
            if not words:
                break
            text = f"{text} {rng.choice(words)}".strip()
        for clause in (f"{text} else best", text) if rng.random() < 0.5 else (text,):
            try:
                return spoken.read([clause])[0]
            except NotUnderstood:
                continue
    return ""


def random_plan(spoken: Language[Any], rng: Random) -> list[str]:
    plan: list[str] = []
    for subject in spoken.subjects:
        for _ in range(rng.randint(0, 2)):
            clause = random_clause(spoken, rng, f"{rng.choice(('', 'always '))}{subject}:")
            try:
                spoken.check([*plan, clause])
            except NotUnderstood:
                continue
            plan.append(clause)
    return plan


@cache
def plans_for(name: str, seats: int) -> tuple[Language[Any], list[list[str]]]:
    """The language of a table, and some random plans in it."""
    spoken = language(name, seats)
    rng = Random(f"{name} {seats}")
    return spoken, [random_plan(spoken, rng) for _ in range(8)]


def planned(name: str, seats: int) -> Iterator[tuple[Any, ...]]:
    """Moments of a game with plans for them: language, plans, game, view, letters."""
    spoken, plans = plans_for(name, seats)
    rng = Random(name)
    seen: dict[str, int] = {}
    for game, view, letters in moments(name, seats, "plans"):
        assert view.decision is not None
        if view.decision.kind not in planned_kinds(name, seats):
            continue
        times = seen[view.decision.kind] = seen.get(view.decision.kind, 0) + 1
        if times < 6 or times % 8 == 0:
            yield spoken, rng.sample(plans, 3), game, view, letters


def planned_kinds(name: str, seats: int) -> set[str]:
    """The kinds of questions that a plan can answer: not what the deal alone asks for."""
    return {kind for one in language(name, seats).subjects.values() for kind in one.kinds}


def planned_views(name: str, seats: int, seed: Any) -> Iterator[Any]:
    """Views of the questions of a game that a plan can answer."""
    for _, view, _ in moments(name, seats, seed):
        assert view.decision is not None
        if view.decision.kind in planned_kinds(name, seats):
            yield view


@each_place
def test_plans_are_written_as_they_are_read(name: str, seats: int) -> None:
    spoken, plans = plans_for(name, seats)
    for plan in plans:
        spoken.check(plan)
        assert spoken.read(plan) == plan
        assert [str(spoken.parse(clause)) for clause in plan] == plan
        typed = [f"  {clause.upper().replace(', else', ' else')}  # so" for clause in plan]
        assert spoken.read(typed) == plan


@some_places
def test_what_a_plan_answers_is_legal(name: str, seats: int) -> None:
    answers = 0
    for spoken, plans, game, view, letters in planned(name, seats):
        for plan in plans:
            found = spoken.answer(plan, view)
            play = spoken.evaluate(plan, view)
            assert play == (found.play if found else None)
            if play is not None:
                answers += 1
                view.check(play)
                # As `move` reads it.
                assert view.read(play) == play
                game.copy().take(view.decision.id, play, letters)
    assert answers > 2


@some_places
def test_letters_make_no_difference(name: str, seats: int) -> None:
    rng = Random(name)
    for spoken, plans, game, view, letters in planned(name, seats):
        others = rng.sample(letters, len(letters))
        hand = held(game.rules, game, view.seat, others)
        again = game.rules.view(NAMES[:seats], game.table(), view.seat, hand)
        for plan in plans:
            plays = spoken.evaluate(plan, view), spoken.evaluate(plan, again)
            cards = [
                by_place(play, named) for play, named in zip(plays, (letters, others), strict=True)
            ]
            assert cards[0] == cards[1]


def by_place(play: str | None, letters: list[str]) -> list[str] | None:
    """The words of a play in any order, with places in the hand for letters."""
    places = {named: f"card {place}" for place, named in enumerate(letters)}
    return None if play is None else sorted(places.get(word, word) for word in play.split())


def other_world(game: Game, seat: str, rng: Random) -> Game:
    """A game that looks the same to a seat, with other cards wherever it cannot look."""
    positions: Any = positions_of(game.rules.module)
    document = positions.dump(game)
    hidden = [document["deck"], *(row["hand"] for row in document["seats"] if row["name"] != seat)]
    names = [name for cards in hidden for name in cards if name not in EVENTS]
    rng.shuffle(names)
    for cards in hidden:
        cards[:] = [name if name in EVENTS else names.pop() for name in cards]
    found: Game = positions.load(document)
    return found


@some_places
def test_a_plan_sees_nothing_but_the_view(name: str, seats: int) -> None:
    rng = Random(name)
    told = 0
    for spoken, plans, game, view, letters in planned(name, seats):
        world = other_world(game, view.seat, rng)
        if canonical(world.table()) != canonical(game.table()):
            continue
        told += 1
        hand = held(game.rules, world, view.seat, letters)
        again = game.rules.view(NAMES[:seats], world.table(), view.seat, hand)
        for plan in plans:
            assert spoken.evaluate(plan, view) == spoken.evaluate(plan, again)
            assert spoken.tell(plan, view) == spoken.tell(plan, again)
    assert told > 5


@each_place
def test_best_everywhere_is_the_bot(name: str, seats: int) -> None:
    spoken = language(name, seats)
    plan = spoken.read(
        [f"always {one.name}: best" for one in spoken.subjects.values() if one.kinds]
    )
    assert all(clause.endswith(f": best {EVERY[name].bot}") for clause in plan)
    for view in planned_views(name, seats, "best"):
        assert spoken.evaluate(plan, view, turn_alive=False) == view.suggest()


@some_places
def test_what_the_bot_would_write_is_a_plan(name: str, seats: int) -> None:
    for spoken, _, _, view, _ in planned(name, seats):
        plan = spoken.suggest(view)
        spoken.check(plan)
        assert spoken.read(plan) == plan
        PlanText(bytes(32), tuple(plan)).check_size()
        assert spoken.tell(plan, view)
        # Which cards pay is left: a second one of what is built does so, which the bot overlooks.
        answers = [spoken.evaluate(plan, view), view.suggest()]
        assert len({str(answer).partition(" pay ")[0] for answer in answers}) == 1
        assert set(spoken.silences(plan)) <= set(spoken.subjects)


@some_places
def test_what_is_offered_can_be_planned(name: str, seats: int) -> None:
    """Each wish alone, and all names in any order with one of the ends behind them."""
    rng = Random(name)
    for spoken, _, _, view, _ in planned(name, seats):
        offers = spoken.offers(view)
        kinds = {kind for one in offers for kind in spoken.subjects[one.subject].kinds}
        assert view.decision.kind in kinds
        for offer in offers:
            names = rng.sample(offer.names, len(offer.names))[:20]
            lists = [*([one] for one in names), *([names] if names else [])]
            said = [" ".join([offer.word, *some]).strip() for some in lists]
            for wish in (*said, *offer.wishes, *offer.ends):
                [clause] = spoken.read([f"{offer.subject}: {wish}"], view)
                assert spoken.evaluate([clause], view) is None or wish != "ask"
            for end in offer.ends:
                whole = ", else ".join([*said[-1:], *offer.wishes, end])
                assert spoken.read([f"{offer.subject}: {whole}"], view)


@some_places
def test_what_is_foreseen_needs_no_letters(name: str, seats: int) -> None:
    """Whoever is not asked has none; the answers are the same, with names in their place."""
    for spoken, plans, game, view, letters in planned(name, seats):
        hand = held(game.rules, game, view.seat, ["-"] * len(letters))
        waits = game.rules.view(NAMES[:seats], game.table(), view.seat, hand)
        for plan in plans[:1]:
            assert spoken.foresee(plan, view)[1:] == spoken.foresee(plan, waits)[1:]


@each_place
def test_turn_clauses_die_with_the_turn(name: str, seats: int) -> None:
    spoken = language(name, seats)
    view = next(planned_views(name, seats, 1))
    kind = view.decision.kind if view.decision else ""
    [subject] = [one.name for one in spoken.subjects.values() if kind in one.kinds]
    plan = spoken.read([f"{subject}: best"])
    assert spoken.evaluate(plan, view, turn_alive=True) == view.suggest()
    assert spoken.evaluate(plan, view, turn_alive=False) is None
    asked = spoken.read([f"{subject}: ask", f"always {subject}: best"])
    assert spoken.evaluate(asked, view, turn_alive=True) is None
    assert spoken.evaluate(asked, view, turn_alive=False) == view.suggest()
    assert spoken.turn_kind in EVERY[name].kinds


@some_places
def test_evaluation_never_raises(name: str, seats: int) -> None:
    spoken = language(name, seats)
    _, view, _ = next(moments(name, seats, 1))
    subject = next(iter(spoken.subjects))
    texts = ["", "always", f"{subject}:", f"{subject}: best", f"{subject}: else", "x" * 10_000]
    texts += [f"{subject}: " + " ".join([word] * 90) for word in ("play", "if", "else", "put")]
    texts += [f"{subject}:  best {EVERY[name].bot}", f"{subject}: best medium-1"]
    for text in texts:
        assert spoken.evaluate([text], view) is None
        with pytest.raises(NotUnderstood):
            spoken.check([text])
    many = [f"{subject}: play {word}" for word in spoken.complete(f"{subject}: play ")][:17]
    if len(many) == 17:
        with pytest.raises(NotUnderstood, match="has 16 wishes at most, not 17"):
            spoken.check(many)
    with pytest.raises(NotUnderstood, match="clauses at most"):
        spoken.check([f"always {subject}: ask"] * (MAX_CLAUSES + 1))
    with pytest.raises(NotUnderstood, match="characters at most"):
        spoken.read([f"{subject}: " + "ask, else " * MAX_LENGTH])


@some_places
def test_a_program_that_fails_stops_no_game(
    name: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken = language(name, seats)
    _, view, _ = next(moments(name, seats, 1))
    plan = [f"always {one}: best {EVERY[name].bot}" for one in spoken.subjects if one != "rank"]
    monkeypatch.setattr(type(view), "suggest", lambda view: 1 // 0)
    assert spoken.evaluate(plan, view) is None


@each_place
def test_the_help_names_every_subject(name: str, seats: int) -> None:
    spoken = language(name, seats)
    told = "\n".join(spoken.help())
    for subject in spoken.subjects:
        assert f"\n{subject}: " in told
        assert f"{subject}:" in spoken.complete("")
    assert all(len(line) < 400 for line in spoken.help())
