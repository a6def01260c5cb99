"""Programs of others as players: what they are told, and what becomes of those that misbehave."""

from __future__ import annotations

import json
import re
import shlex
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from referee.bots import engine
from referee.bots.engine import Engine, EngineFailed, Question, request
from referee.cli.main import main
from referee.games import rules_of
from referee.games.match import Match
from referee.system import is_running

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "examples" / "engine" / "bot.py"
RULES = rules_of("sanjuan").choose(None, [], [], {})
XANADU = rules_of("xanadu").choose(None, [], [], {})
SEED = bytes(32)


def question(seat: str = "ana") -> Question:
    match = Match.deal(RULES, ["ana", "ben"], 1)
    return Question(RULES, match.seats, match.game.table(), match.view(seat), SEED)


def python(script: str) -> str:
    """The command of an engine that is this script."""
    return shlex.join([sys.executable, "-uc", script])


ANSWERS = "import json,sys\nfor line in sys.stdin: q=json.loads(line);"
RIGHT = ANSWERS + 'print(json.dumps({"id":q["id"],"play":q["suggested"]}))'


def test_an_engine_answers_question_after_question() -> None:
    with Engine(python(RIGHT)) as bot:
        for _ in range(3):
            assert bot.answer(question()) == question().view.suggest()


def test_a_play_may_be_said_as_people_say_it() -> None:
    with Engine(python(ANSWERS + 'print(json.dumps({"id":q["id"],"play":"Role  trad"}))')) as bot:
        assert bot.answer(question()) == "role trader"


MISBEHAVES = {
    "ends": ("import sys; sys.exit(3)", "ended with 3 before it answered"),
    "closes": ("import os,time; os.close(1); time.sleep(99)", "closed its output"),
    "sleeps": ("import time; time.sleep(99)", "did not answer within"),
    "trickles": (
        "import sys,time\nwhile 1: sys.stdout.write(' '); sys.stdout.flush(); time.sleep(.05)",
        "did not answer within",
    ),
    "blank lines": ("while 1: print()", "did not answer within"),
    "no JSON": ("print('role trader')", "answered 'role trader', which is not JSON"),
    "deep JSON": ("print('[' * 60000)", "which is not JSON"),
    "other JSON": ("print([1])", "without a text as `play`"),
    "other types": (ANSWERS + 'print(json.dumps({"id":q["id"],"play":7}))', "as `play`"),
    "other id": (ANSWERS + 'print(json.dumps({"id":99,"play":"role trader"}))', "question 99"),
    "true as id": (
        ANSWERS + 'print(json.dumps({"id":True,"play":"role trader"}))',
        "question True",
    ),
    "a number that is no whole one as id": (
        ANSWERS + 'print(json.dumps({"id":1.0,"play":"role trader"}))',
        "question 1.0",
    ),
    "leaves a child": (
        "import subprocess,sys\n"
        "subprocess.Popen([sys.executable,'-c','import time; time.sleep(99)'])\n"
        "sys.exit(3)",
        "ended with 3, and what it had started did not answer within",
    ),
    "illegal": (ANSWERS + 'print(json.dumps({"id":q["id"],"play":"build chapel"}))', "chapel"),
    "no play": (ANSWERS + 'print(json.dumps({"id":q["id"],"play":"\\x1b[2J"}))', r"'\x1b[2J'"),
    "long play": (ANSWERS + 'print(json.dumps({"id":q["id"],"play":"a "*4096}))', "more than 4096"),
    "flood": ("print('x' * 10**7)", "more than 65536 bytes"),
    "endless": ("while 1: print('x' * 1000, end='')", "more than 65536 bytes"),
    "not text": ("import os; os.write(1, bytes([255, 254, 10]))", "which is not JSON"),
}


@pytest.mark.parametrize("name", MISBEHAVES)
def test_an_engine_that_misbehaves_is_ended(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    script, says = MISBEHAVES[name]
    waits = "within" in says
    monkeypatch.setattr(engine, "START", 0.5 if waits else 60)
    bot = Engine(python(script), 0.5)
    with pytest.raises(EngineFailed) as raised:
        bot.answer(question())
    assert says in str(raised.value)
    assert str(raised.value).isprintable()
    assert not is_running(bot._process.pid)


def test_its_children_end_with_it(tmp_path: Path) -> None:
    place = tmp_path / "child"
    script = (
        "import subprocess,sys\n"
        f"child=subprocess.Popen([sys.executable,'-c','import time; time.sleep(99)'])\n"
        f"open({str(place)!r},'w').write(str(child.pid))\n"
    )
    for rest in (RIGHT, "print('nonsense')"):
        with Engine(python(script + rest)) as bot:
            if rest == RIGHT:
                bot.answer(question())
            else:
                with pytest.raises(EngineFailed):
                    bot.answer(question())
        assert ends(int(place.read_text()))


def ends(process: int) -> bool:
    """True once a process has ended, or is one whose end nobody has asked for yet."""
    state = Path(f"/proc/{process}/stat")
    for _ in range(1000):
        with suppress(FileNotFoundError):
            if not is_running(process) or state.read_text().split(") ")[1][0] == "Z":
                return True
        time.sleep(0.02)
    return False


def test_an_engine_that_reads_nothing_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "START", 0.5)
    asked = question()
    large = asked._replace(table={**asked.table, "large": "x" * 1_000_000})
    with Engine(python("import time; time.sleep(99)"), 0.5) as bot, pytest.raises(EngineFailed):
        bot.answer(large)
    answers = 'print(\'{"id":1,"play":"role trader"}\'); import time; time.sleep(99)'
    monkeypatch.setattr(engine, "FAREWELL", 0.1)
    with Engine(python(answers), 60) as bot:
        assert bot.answer(large) == "role trader"


def test_lines_that_nobody_asked_for_are_no_answers() -> None:
    twice = RIGHT.replace("print(", "print('{}');print(")
    with Engine(python(twice)) as bot, pytest.raises(EngineFailed, match="text as `play`"):
        bot.answer(question())
    later = RIGHT + ";print('{}')"
    with Engine(python(later)) as bot:
        bot.answer(question())
        with pytest.raises(EngineFailed, match="text as `play`"):
            bot.answer(question())


def test_its_last_words_are_told_with_its_failure() -> None:
    script = "import sys; print('Traceback\\nNameError: no \\x1b[2J', file=sys.stderr); sys.exit(1)"
    with Engine(python(script)) as bot, pytest.raises(EngineFailed) as raised:
        bot.answer(question())
    assert "NameError" in raised.value.hint


def test_much_on_standard_error_does_not_stop_it() -> None:
    loud = RIGHT.replace("print(", "print('x' * 10**6, file=sys.stderr);print(")
    with Engine(python(loud)) as bot:
        assert bot.answer(question())


def test_it_is_told_its_view_and_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another world with the same view gives the same request, and no key is in its environment."""
    asked = question()
    text = json.dumps(request(asked, 1, 10))
    match = Match.deal(RULES, ["ana", "ben"], 1)
    state: Any = match.game.state  # type: ignore[attr-defined]
    deck = [*state.hand[1], *state.deck[4:]]
    state.hand[1], state.deck = list(state.deck[:4]), tuple(reversed(deck))
    changed = Question(RULES, match.seats, match.game.table(), match.view("ana"), SEED)
    assert json.dumps(request(changed, 1, 10)) == text
    monkeypatch.setenv("SANJUAN_REFEREE_KEY_TEXT", "secret")
    monkeypatch.setenv("Sanjuan_Key", "secret")
    script = "import os,sys; sys.exit(5 if 'secret' in os.environ.values() else 4)"
    with Engine(python(script)) as bot, pytest.raises(EngineFailed, match="ended with 4"):
        bot.answer(asked)


def test_questions_are_as_the_schema_says() -> None:
    schema = json.loads((ROOT / "schemas" / "engine.schema.json").read_text())
    example = re.findall(
        r"```json\n(.*?)```", (ROOT / "schemas" / "ENGINE.md").read_text(), re.DOTALL
    )
    told, answer = map(json.loads, example)
    for document in (told, request(question(), 1, 10)):
        jsonschema.validate(document, {**schema, "$ref": "#/$defs/question"})
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**document, "hands": {}}, {**schema, "$ref": "#/$defs/question"})
    jsonschema.validate(answer, {**schema, "$ref": "#/$defs/answer"})
    match = Match.deal(XANADU, ["ana", "ben"], 1)
    seat = match.seats_asked[0]
    asked = Question(XANADU, match.seats, match.game.table(), match.view(seat), SEED)
    jsonschema.validate(request(asked, 1, 10), {**schema, "$ref": "#/$defs/question"})
    assert told["id"] == answer["id"]
    assert answer["play"] in told["plays"]


def test_the_example_plays(capsys: pytest.CaptureFixture[str]) -> None:
    lines = EXAMPLE.read_text().splitlines()
    assert len(lines) <= 30
    command = f"mine={sys.executable} {EXAMPLE}"
    for game, games in (("sanjuan", "4"), ("xanadu", "2")):
        words = ["--seat", "easy", "--games", games, "--jobs", "1", "--json", "--game", game]
        assert main(["arena", "--engine", command, *words]) == 0
        told = {row["name"]: row for row in json.loads(capsys.readouterr().out)["seats"]}
        assert told["mine"]["failures"] == 0
        assert told["mine"]["games"] == int(games)


def test_who_fails_has_lost_the_game_and_the_others_play_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The engine fails in every game that it begins, so it ends with the first deal."""
    dies = python(ANSWERS + 'print(json.dumps({"id":q["id"],"play":q["suggested"]})); break')
    few = ["--option", "round_limit=3", "--games", "4", "--jobs", "1"]
    words = ["arena", "--seat", "easy", "--engine", f"dies={dies}", *few]
    assert main([*words, "--json"]) == 19
    said = json.loads(capsys.readouterr().out)
    assert "ended with 0 before it answered" in said["message"]
    # It fails in one game of two where it sits in front.
    script = tmp_path / "half.py"
    script.write_text(
        "import json,sys\n"
        "for line in sys.stdin:\n"
        "    q=json.loads(line)\n"
        "    if q['seat']=='p1': sys.exit(1)\n"
        "    print(json.dumps({'id':q['id'],'play':q['suggested']}), flush=True)\n"
    )
    words[4] = f"half={sys.executable} {script}"
    assert main([*words, "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["seats"]}
    assert rows["half"]["failures"] == 2
    assert rows["easy"]["wins"] >= 2


def test_a_command_goes_through_no_shell() -> None:
    with pytest.raises(EngineFailed, match="cannot be started"):
        Engine("true;echo")
