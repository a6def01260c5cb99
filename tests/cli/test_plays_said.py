"""Plays said by the names of cards mean what they say, in flags, in text and in menus.

A card may be called like a word of the play, and a seat like a word, a letter or a card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from referee.cli.flags import flags_of
from referee.cli.main import main
from referee.games.errors import Ambiguous
from referee.games.interface import Rules, View
from referee.games.phrases import phrases_of
from referee.games.values import Phrase
from referee.games.xanadu.rules import RULES as XANADU
from tests.cli.saying import phrases
from tests.games.randomly import shuffle_with
from tests.games.sanjuan.randomly import Turn as SanJuanTurn
from tests.games.sanjuan.readings import view as seen
from tests.games.sanjuan.rule_sets import EVERY
from tests.games.sanjuan.test_engine_reading import AMNESTY, BANK, OFFICE
from tests.games.xanadu.randomly import KINDS
from tests.games.xanadu.randomly import Turn as XanaduTurn

STRANGE = ("ana", "work", "a", "build", "map-room", "sell")
SAME_NAMES = ["bank", "chapel", "well", "bank", "chapel", "hut", "black-market", "market-hall"]


class Said:
    """A play in other words, for the seat that plays it: its cards by their names."""

    def __init__(self, rules: Rules, view: View, play: str) -> None:
        self.words = {word.name: word for word in rules.words}
        self.held = {card.letter: card.name for card in view.hand}
        self.phrases = [self._named(one) for one in phrases_of(play, self.words)]

    def _named(self, phrase: Phrase) -> Phrase:
        first, *rest = phrase.names.split(" ")
        if self.words[phrase.word].takes.startswith("CARD"):
            first = self.held.get(first, first)
        return Phrase(phrase.word, " ".join([first, *rest]))

    @property
    def meaning(self) -> object:
        """Return what two plays have in common that differ in equal cards."""
        ordered = "work" in self.words
        return self.phrases if ordered else Counter(self.phrases)

    @property
    def flags(self) -> list[str]:
        """The flags of `move`."""
        return [part for word, names in self.phrases for part in (f"--{word}", names) if part]

    @property
    def texts(self) -> list[str]:
        """The play as a text: each word once or again for each name, and names with blanks."""
        again = " ".join(f"{word} {names}".strip() for word, names in self.phrases)
        once: list[str] = []
        last = ""
        for word, names in self.phrases:
            once += [names] if word == last else [word, names]
            last = word
        plain = " ".join(filter(None, once))
        return [again, plain, plain.replace("-", " ") if "work" not in self.words else plain]


def sample(view: View, rng: Random, chosen: str) -> list[str]:
    plays = view.plays(3000) or [chosen, view.suggest()]
    return rng.sample(plays, min(3, len(plays)))


def san_juan() -> Iterator[tuple[Rules, View, str]]:
    """Plays in random games of rule sets that together have all cards."""
    for number, rule_set in enumerate(EVERY[::3]):
        rng = Random(number)
        rules = rule_set.rules
        game, _ = rules.start(("ana", "ben", "cleo")[: 2 + number % 2], shuffle_with(rng, rules))
        while not game.over:
            turn = SanJuanTurn(game, rng)
            yield from _plays(turn)


def xanadu() -> Iterator[tuple[Rules, View, str]]:
    """Plays in random games of few and many seats, whose names are taken for other words."""
    for number, (seats, advanced) in enumerate(KINDS[::3]):
        rng = Random(number)
        rules = XANADU.choose(None, [], ["advanced"] if advanced else [], {})
        game, _ = rules.start(STRANGE[:seats], shuffle_with(rng, rules))
        while not game.over:
            yield from _plays(XanaduTurn(game, rng))


def _plays(turn: Any) -> Iterator[tuple[Rules, View, str]]:
    view, chosen = turn.view(), turn.pick()
    for play in sample(view, turn.rng, chosen):
        yield turn.game.rules, view, play
    turn.take(chosen)


def positions() -> Iterator[tuple[Rules, View, str]]:
    """Plays where many cards of the hand are called like words."""
    rng = Random(0)
    rules = EVERY[-1].rules
    for document in (BANK, OFFICE, AMNESTY):
        me, *others = cast("list[dict[str, Any]]", document["seats"])
        view = seen({**document, "seats": [{**me, "hand": SAME_NAMES}, *others]})
        plays = view.plays(100_000)
        assert plays is not None
        for play in rng.sample(plays, min(150, len(plays))):
            yield rules, view, play


def read(view: View, text: str) -> str | Ambiguous:
    """The play of a text, or why it is none."""
    try:
        return view.read(text)
    except Ambiguous as error:
        return error


@pytest.mark.parametrize("source", [san_juan, xanadu, positions])
def test_what_is_said_by_name_is_that_play(source: Any) -> None:
    count = refused = 0
    for rules, view, play in source():
        said = Said(rules, view, play)
        count += 1
        for given in (phrases(said.flags), phrases(flags_of(play, said.words))):
            assert Said(rules, view, view.read("", given)).meaning == said.meaning
        assert view.read(play) == play
        for text in said.texts:
            found = read(view, text)
            if isinstance(found, Ambiguous):
                refused += 1
                assert "can be read in" in found.message
                for choice in found.choices:
                    assert not choice.exact or view.read(choice.play) == choice.play
            else:
                assert Said(rules, view, found).meaning == said.meaning, text
    assert count > 300
    assert refused


def test_a_position_refuses_a_play_with_two_readings(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand = ", ".join(f'"{name}"' for name in SAME_NAMES)
    Path("position.toml").write_text(
        'expansions = ["new-buildings"]\nphase = "round-start"\nround = 2\ngovernor = "ana"\n'
        f'[[seats]]\nname = "ana"\nhand = [{hand}]\ncity = ["chapel", "bank"]\n'
        '[[seats]]\nname = "ben"\n'
    )
    assert main(["try", "position.toml", "--play", "ana: bank well chapel hut"]) == 14
    said = capsys.readouterr().err
    assert "can be read in 2 ways: bank well; chapel hut | bank well, chapel, hut" in said
    assert "--play 'ana: chapel f bank c'   chapel hut; bank well" in said
