"""Limits of bots that look ahead: counted in lines of play, part of the terms, and audited."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path

import pytest

from referee.bots import hard, named, player
from referee.bots.hard import Hard
from referee.bots.names import LEVELS, a_spoken, spoken
from referee.checking.audit import audit
from referee.checking.verify import verify
from referee.cli.main import main
from referee.errors import Damaged, OtherRules
from referee.games import rules_of
from referee.games.errors import NotUnderstood
from referee.table import opening
from referee.table.chain import heads
from referee.table.gamefile import GameFile
from referee.table.replay import Session
from tests.bots.test_looking_ahead import begun
from tests.table.tables import REFEREE, Table, key_of, load

ROOT = Path(__file__).parents[2]
RULES = rules_of("sanjuan").choose(None, [], [], {})
SHORT = rules_of("sanjuan").choose(None, [], [], {"round_limit": "3"})
BOTS = {"ben": "hard-1/9"}
MARK = "4ef6eea396d860a2"
"""Of the answers of hard/30, as its version must give them for ever."""


def audited(file: GameFile) -> None:
    chain = heads(file)
    verify(file, chain)
    audit(file, chain, opening.deal_secret(file, REFEREE))


@pytest.mark.parametrize("level", ["hard", "expert", "hard/1", "hard/30", "expert/50"])
def test_no_more_lines_are_looked_at(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0
    followed = hard.follow

    def follow(*words: object) -> int:
        nonlocal count
        count += 1
        return followed(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(hard, "follow", follow)
    name, _, lines = level.partition("/")
    whole = player(name, RULES)
    assert isinstance(whole, Hard)
    most = 0
    for plays in (0, 20, 40):
        match = begun(RULES, 2, plays)
        view = match.view(match.seats_asked[0])
        count = 0
        view.check(player(level, RULES).answer(view, b"seed"))
        most = max(most, count)
        assert count <= int(lines or whole.effort.lines)
    # And nearly as many are, where there is much to choose from.
    assert most >= int(lines or most) // 3


def test_a_limit_never_changes_the_answers_of_its_version() -> None:
    digest = hashlib.sha256()
    for plays in range(0, 90, 6):
        match = begun(RULES, 2 + plays % 3, plays)
        view = match.view(match.seats_asked[0])
        digest.update(f"{player('hard/30', RULES).answer(view, b'%d' % plays)}\n".encode())
    assert digest.hexdigest()[:16] == MARK


def test_a_limit_that_limits_nothing_is_refused() -> None:
    for level in ("hard/90", "expert/202", "hard/0", "hard/", "hard/x", "hard/07", "medium/5"):
        with pytest.raises(NotUnderstood):
            player(level, RULES)
    for name in ("hard-1/90", "greedy-1/5", "hard-2/5", "hard-1/5/5"):
        with pytest.raises(NotUnderstood):
            named(name, RULES)
    assert named("expert-1/201", RULES).name == "expert-1/201"


def test_the_pages_say_how_much_is_looked_at() -> None:
    most = {level: player(level, RULES) for level in ("hard", "expert")}
    manual, search = (
        " ".join((ROOT / path).read_text().split())
        for path in ("referee/manual/bots.md", "schemas/SEARCH.md")
    )
    for level, found in most.items():
        assert isinstance(found, Hard)
        lines = found.effort.lines
        assert re.search(f"`{level}` (looks )?at {lines}[ .]", search), level
        assert f"up to {lines}" in manual, level


def test_a_name_is_said_in_words() -> None:
    assert spoken("greedy-1") == "medium bot (version 1)"
    assert a_spoken("easy-12") == "an easy bot (version 12)"
    assert a_spoken("hard-1/40") == "a hard bot (version 1, at most 40 lines of play)"
    assert a_spoken("genius-3") == "a bot genius-3"
    for level in LEVELS:
        assert spoken(player(level, RULES).name).startswith(f"{level} bot")


def test_a_game_with_a_limit_holds() -> None:
    table = Table(2, "limits", rules=SHORT, bots=BOTS).join_all().play_out()
    assert table.file.status == "finished"
    audited(table.file)
    audited(load(table.text))


def test_a_bot_that_thinks_more_than_was_agreed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def more(session: Session, decision: str) -> str:
        view = session.view("ben")
        return player("hard", session.rules).answer(view, session._seed(decision))

    with monkeypatch.context() as patched:
        patched.setattr(Session, "bot_play", more)
        table = Table(2, "limits", rules=RULES, bots=BOTS).join_all().play_out()
    with pytest.raises(Damaged, match="was not answered as hard-1/9 answers"):
        audited(table.file)


def test_a_limit_that_no_program_keeps_is_no_limit() -> None:
    text = Table(2, "limits", rules=SHORT, bots=BOTS).text
    for wrong in ("hard-1/0", "hard-1/", "hard-1/10000", "hard-1/5/5", "hard-1/-5"):
        with pytest.raises(Damaged):
            load(text.replace('"hard-1/9"', f'"{wrong}"'))
    table = Table(2, "limits", rules=SHORT, bots={"ben": "hard-1/90"})
    with pytest.raises(OtherRules, match="hard-1/90"):
        table.join_all()


def test_nobody_joins_where_the_late_bot_is_none_that_could_be_checked() -> None:
    file = Table(2).file
    file.bot = "greedy-9"
    with pytest.raises(OtherRules, match="greedy-9"):
        opening.sign_join(file, "ana", key_of("ana"))


@pytest.mark.usefixtures("workplace")
def test_a_limit_is_agreed_on_when_a_table_is_opened(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("r.key", "a.key"):
        assert main(["key", "--make", name]) == 0
    new = ["--referee-key", "r.key", "--seat", "ana"]
    late = ["--days", "2", "--late", "hard/20"]
    assert main(["new", "game.toml", *new, "--bot", "ben=expert/100", *late]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "ben is an expert bot (version 1, at most 100 lines of play)" in said
    assert "1 more before a hard bot (version 1, at most 20 lines of play) answers" in said
    document = tomllib.loads(Path("game.toml").read_text())
    assert document["game"]["bot"] == "hard-1/20"
    assert [seat.get("bot") for seat in document["seats"]] == [None, "expert-1/100"]
    # The only free seat need not be named.
    assert main(["join", "game.toml", "--key", "a.key", "-o", "a.join"]) == 0
    assert main(["new", "like.toml", "--like", "game.toml", "--referee-key", "r.key"]) == 0
    assert tomllib.loads(Path("like.toml").read_text())["game"]["bot"] == "hard-1/20"
    capsys.readouterr()
    for words in (
        ["new", "x.toml", *new, "--bot", "ben=expert/1000"],
        ["new", "x.toml", *new, "--bot", "ben=medium/5"],
        ["new", "x.toml", *new, "--seat", "ben", "--days", "2", "--late", "pass/5"],
        ["practice", "x", "--against", "easy/5"],
        ["arena", "--seat", "random/5", "--seat", "medium"],
    ):
        assert main(words) == 2, words
        assert "limit" in capsys.readouterr().err
    assert not Path("x.toml").exists()


@pytest.mark.usefixtures("workplace")
def test_practice_goes_on_with_a_limit(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["practice", "--against", "hard/9,easy", "--seed", "3"]
    assert main(words) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "2 bots: " in said
    assert "(hard) and" in said
    assert main(words) == 0
    assert not Path("practice-2").exists()
