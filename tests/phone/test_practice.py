"""Practice at the app's desk, without a browser: whole games, and what is refused."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from referee.bots.names import LEVELS
from referee.crypto.keys import PrivateKey
from referee.games import GAMES, rules_of
from referee.library import Table
from referee.phone import practice
from referee.phone.door import answers, call

Document = dict[str, Any]
SHORT: dict[str, Document] = {
    "sanjuan": {"game": "sanjuan", "options": {"round_limit": "2"}, "seats": 2},
    "xanadu": {"game": "xanadu", "options": {"passes": "2"}, "seats": 2, "levels": ["medium"]},
}


def ask(request: str, /, **given: Any) -> Document:
    """The answer to a request, which must not be an error."""
    found: Document = json.loads(call(request, json.dumps(given)))
    assert "error" not in found, found
    done: Document = found["done"]
    return done


def refusal(request: str, /, **given: Any) -> Document:
    """The error that answers a request."""
    found: Document = json.loads(call(request, json.dumps(given)))["error"]
    return found


class Player:
    """An app that keeps a game of practice, and plays anything."""

    def __init__(self, **wanted: Any) -> None:
        self.kept = ask("practice_begin", **wanted)
        self.rest()

    @property
    def asks(self) -> Document:
        return {"text": self.kept["text"], "key": self.kept["key"], "lang": "en"}

    def rest(self) -> None:
        """Wait for the bots."""
        while self.kept["thinks"]:
            self.take(ask("practice_go_on", **self.asks, referee=self.kept["referee"]))

    def take(self, found: Document) -> None:
        assert found["step"] > self.kept["step"]
        self.kept |= found

    def play(self, chance: random.Random) -> str:
        table = Table.parse(self.kept["text"])
        key = PrivateKey.read(practice.KEY, self.kept["key"])
        plays = table.view(key).plays(200)
        play = chance.choice(plays) if plays else table.view(key).suggest()
        self.take(ask("practice_answer", **self.asks, referee=self.kept["referee"], play=play))
        self.rest()
        return play


def test_all_that_can_be_practised_is_offered_in_both_languages() -> None:
    for lang, said in (("en", "new buildings"), ("de", "neue Gebäude")):
        found = ask("practice_games", lang=lang)
        assert [one["game"] for one in found["games"]] == list(GAMES)
        assert found["levels"] == list(LEVELS)
        expansions = found["games"][0]["choices"]["expansion"]
        assert expansions[0] == {"value": "new-buildings", "said": said}


@pytest.mark.parametrize("game", GAMES)
def test_each_choice_that_is_offered_can_be_made(game: str) -> None:
    rules = rules_of(game)
    for what, values in rules.offered.items():
        for value in values:
            wanted = {"edition": value} if what == "edition" else {f"{what}s": [value]}
            begun = ask("practice_begin", game=game, **wanted)
            terms = Table.parse(begun["text"]).file.terms
            assert value in (terms["edition"], *terms["expansions"], *terms["variants"])


@pytest.mark.parametrize("name", SHORT)
def test_a_whole_game_is_refereed_and_can_be_audited(name: str) -> None:
    player = Player(**SHORT[name], name="Zoë", title="Übung")
    chance = random.Random(name)
    taught = set()
    while player.kept["status"] == "playing":
        seen = ask("table", **player.asks, lessons=True)
        assert seen["seat"] == "zoe"
        assert seen["title"].startswith("Übung: ")
        taught |= {one["title"] for one in seen["lessons"]}
        # What is kept of the session is a saving of time, and no more.
        if chance.random() < 0.3:
            practice._kept.take(practice.PLACE, b"")
        player.play(chance)
    assert player.kept["status"] == "finished"
    assert len(taught) > 2
    assert ask("table", **player.asks)["thinks"] == []
    assert seen["reviewable"] is False
    assert "answers of bots: each is what" in " ".join(ask("audited", **player.asks)["checked"])


def test_what_mattered_most_is_marked_after_a_game() -> None:
    player, chance = Player(**SHORT["sanjuan"]), random.Random(5)
    assert ask("table", **player.asks)["reviewable"] is False
    assert refusal("review_begin", **player.asks)["reason"] == "not-over"
    while player.kept["status"] == "playing":
        player.play(chance)
    before = ask("table", **player.asks)
    assert before["reviewable"] is True
    count = ask("review_begin", **player.asks)["count"]
    rows = [ask("review_one", **player.asks, at=at) for at in range(count)]
    after = ask("review_table", **player.asks, review=rows)
    assert any(row["loss"] for row in rows)
    badge = 'class="badge turn"'
    assert badge in after["page"]
    assert badge not in before["page"]
    assert refusal("review_one", **player.asks, at=count)["message"]


def test_the_browser_s_cryptography_seals_and_opens_it_too(browsers: None) -> None:
    player = Player(**SHORT["sanjuan"])
    for _ in range(3):
        player.play(random.Random(1))
    assert ask("verified", **player.asks)["checked"]


def test_lessons_come_once_and_in_the_language_of_the_app() -> None:
    player = Player(game="sanjuan", seats=2)
    first = ask("table", **player.asks, lessons=True)["lessons"]
    german = ask("table", **player.asks | {"lang": "de"}, lessons=True)["lessons"]
    assert first
    assert len(first) == len(german)
    assert first != german
    assert ask("table", **player.asks)["lessons"] == []
    # A topic may come again with other rulings.
    chance, seen = random.Random(2), list(first)
    for _ in range(6):
        player.play(chance)
        seen += ask("table", **player.asks, lessons=True)["lessons"]
    assert len(seen) > len(first)
    assert all(seen.count(one) == 1 for one in seen)


def test_a_hint_is_a_play_in_the_words_of_the_language() -> None:
    player = Player(game="sanjuan", seats=2)
    hint, german = (ask("hint", **player.asks | {"lang": lang}) for lang in ("en", "de"))
    assert hint["play"] == german["play"]
    assert hint["said"] != german["said"]
    table = Table.parse(player.kept["text"])
    view = table.view(PrivateKey.read(practice.KEY, player.kept["key"]))
    assert view.read(hint["play"]) == hint["play"]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"game": "chess"}, "there is no game"),
        ({"game": "sanjuan", "seats": 7}, "2 to 4 players"),
        ({"game": "xanadu", "seats": 10**9}, "2 to 6 players"),
        ({"game": "xanadu", "seats": 5, "variants": ["advanced"]}, "the advanced rules"),
        ({"game": "sanjuan", "levels": ["nightmare"]}, "there is no level"),
        ({"game": "sanjuan", "edition": "1999"}, "1999"),
    ],
)
def test_what_cannot_be_played_is_said(wanted: Document, said: str) -> None:
    assert said in refusal("practice_begin", **wanted)["message"]


def test_what_is_wrong_changes_nothing() -> None:
    player = Player(game="sanjuan", seats=2)
    given = {**player.asks, "referee": player.kept["referee"]}
    assert refusal("practice_answer", **given, play="role king")["code"]
    other = ask("practice_begin", game="sanjuan", seats=2)
    for wrong in ({"referee": other["referee"]}, {"key": other["key"]}):
        assert refusal("practice_answer", **given | wrong, play="role builder")["message"]
    player.play(random.Random(4))


def test_every_request_has_a_name_of_its_own() -> None:
    assert len(answers()) == len(set(answers().values()))
