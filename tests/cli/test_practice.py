"""`practice`: games against bots, each in a folder of its own, real in all that they leave."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.bots.plain import RandomPlayer
from referee.cli import practicetable, practiceterms, practicing
from referee.cli.main import main
from referee.errors import Damaged
from referee.games import GAMES, rules_of
from referee.games.interface import Rules
from referee.games.lessons import lessons
from referee.games.match import Match
from referee.games.rulings import rulings
from referee.refereeing import commit, practising
from referee.render.text import prompt, terminal
from referee.table.gamefile import GameFile
from referee.table.signing import load
from tests.cli.test_terminal import typed
from tests.games.test_contract import RULE_SETS
from tests.table.tables import NAMES

ASKED, SIGN, LESSON = "q to leave: ", "n goes back, q leaves: ", "Enter goes on, q leaves: "
ALWAYS = {ASKED: "1", SIGN: "", LESSON: ""}
SHORT = ["practice", "--seed", "1", "--option", "round_limit=2", "--seats", "2", "--name", "ana"]


def game(folder: str = "practice") -> GameFile:
    return load(Path(folder) / "game.toml")[0]


def test_a_whole_game_and_then_another(workplace: Path) -> None:
    said = typed(workplace, SHORT, otherwise=ALWAYS, NO_COLOR="1")
    assert said.endswith("[0]")
    assert "You are ana, and play against a bot: ben (easy)." in said
    file = game()
    assert file.status == "finished"
    # Whatever has come up was explained, once.
    for title in ("Course of a round", "Builder", "Trader"):
        assert said.count(f"\n{title}\n") == 1, title
    # What the referee's desk did is not told, as the next table shows what came of it.
    assert "your note" not in said
    assert "the referee's key is on this machine" not in said
    assert "review practice/game.toml --seat ana" in said
    assert "page practice/game.toml -o practice/game.html --review ana" in said
    for words in (["audit"], ["score"], ["log"], ["verify"], ["review", "--seat", "ana"]):
        assert main([words[0], "practice/game.toml", *words[1:]]) == 0
    assert main(["page", "practice/game.toml", "-o", "practice/game.html"]) == 0
    for number in ("2", "3"):
        assert main(["practice", "--name", "zoe", "--seed", number]) == 0
        assert game(f"practice-{number}").status == "playing"


def test_who_leaves_goes_on_later_with_the_same_command(workplace: Path) -> None:
    said = typed(workplace, SHORT, (LESSON, "q"))
    assert said.endswith("Go on whenever you like: sanjuan-ref practice\n[1]")
    assert game().step == 1
    words = ["practice", "--no-lessons"]
    said = typed(workplace, words, (ASKED, "role builder"), (SIGN, ""), (ASKED, "q"), NO_COLOR="1")
    assert "This is your game in practice." in said
    assert "\nBuilder" not in said
    assert said.endswith("Go on whenever you like: sanjuan-ref practice\n[1]")
    assert game().step == 2
    # What has come up meanwhile is explained, and not what was known before.
    said = typed(workplace, ["practice"], (LESSON, ""), (ASKED, "q"), NO_COLOR="1")
    assert "\nBuilder\n" in said
    assert "Course of a round" not in said


def test_help_is_there_on_a_page_that_explains_and_nothing_else_passes_it(workplace: Path) -> None:
    words = [(LESSON, text) for text in ("?", "? smithy", "hint", "? nothing", "role builder", "q")]
    said = typed(workplace, SHORT, *words, NO_COLOR="1")
    assert "Such a page explains what comes up for the first time" in said
    assert "\nsmithy (cost 1" in said
    assert "A hard bot would play: role " in said
    assert "error: there is no card 'nothing'" in said
    assert "hint: the question comes next: Enter goes on to it" in said
    assert game().step == 1


def test_an_answer_by_another_command_is_taken_in(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody else is there to apply it."""
    typed(workplace, SHORT, (LESSON, "q"))
    words = ("move", "practice/game.toml", "--key", "practice/keys/ana", "--role", "builder")
    assert main([*words]) == 0
    assert "\n`sanjuan-ref practice practice` takes it from there" in capsys.readouterr().out
    assert game().step == 1
    said = typed(workplace, ["practice", "--no-lessons"], (ASKED, "q"), NO_COLOR="1")
    assert said.endswith("Go on whenever you like: sanjuan-ref practice\n[1]")
    assert game().step == 2
    assert "And the next game" not in said


@pytest.mark.parametrize("other", ["role trader", "role builder", "leave"])
def test_another_command_may_be_faster(
    other: str,
    workplace: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    keys = ("--key", "practice/keys/ana", "--referee-key", "practice/keys/referee")
    ways = (*keys, "--ledger", "practice/referee.ledger")
    play = ("leave",) if other == "leave" else ("move", "--play", other)

    def elsewhere() -> str:
        monkeypatch.setattr(terminal, "asks", lambda: False)
        assert main([play[0], "practice/game.toml", *play[1:], *ways]) == 0
        monkeypatch.setattr(terminal, "asks", lambda: True)
        return ""

    steps = iter([lambda: "role builder", elsewhere])
    monkeypatch.setattr(terminal, "asks", lambda: True)
    monkeypatch.setattr(prompt, "ask", lambda *_: next(steps, lambda: "q")())
    assert main([*SHORT, "--no-lessons"]) == (0 if other == "leave" else 1)
    told = capsys.readouterr()
    assert "Your answer came too late: another command" in told.out
    assert "error" not in told.err
    assert ("This question stays open" in told.err) == (other != "leave")


def test_another_command_may_go_on_while_a_lesson_is_read(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def ask(question: str, *_: object) -> str:
        asked.append(question)
        if len(asked) > 1:
            return "q"
        monkeypatch.setattr(terminal, "asks", lambda: False)
        keys = ("--key", "practice/keys/ana", "--referee-key", "practice/keys/referee")
        ways = (*keys, "--ledger", "practice/referee.ledger")
        assert main(["move", "practice/game.toml", "--role", "builder", *ways]) == 0
        monkeypatch.setattr(terminal, "asks", lambda: True)
        return ""

    monkeypatch.setattr(terminal, "asks", lambda: True)
    monkeypatch.setattr(prompt, "ask", ask)
    assert main([*SHORT]) == 1
    told = capsys.readouterr()
    assert "\nAnother command has brought this game further" in told.out
    assert "error" not in told.err
    # The lesson on what came up meanwhile is shown as well.
    assert asked == [LESSON, LESSON]
    assert "\nBuilder\n" in told.out.partition("Another command")[2]


def test_in_the_folder_of_a_game_it_goes_on(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SHORT]) == 0
    monkeypatch.chdir(workplace / "practice")
    before = sorted(Path().iterdir())
    capsys.readouterr()
    assert main(["practice"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("This is your game in the folder you are in.\n")
    assert practicing.go_on_command(Path("../practice")) == "sanjuan-ref practice"
    assert practicing.go_on_command(Path("practice")) == "sanjuan-ref practice practice"
    # Another game gets a folder beside it.
    assert main(["practice", "--seed", "2"]) == 0
    assert game("../practice-2").status == "playing"
    assert sorted(Path().iterdir()) == before


def test_leaving_the_seat_ends_the_game_and_is_asked_first(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SHORT]) == 0
    before = Path("practice/game.toml").read_bytes()
    keys = ("--key", "practice/keys/ana", "--referee-key", "practice/keys/referee")
    leave = ("leave", "practice/game.toml", *keys, "--ledger", "practice/referee.ledger")
    said = typed(workplace, leave, ("Type yes: ", ""), NO_COLOR="1")
    assert "Nobody else but bots plays here, so leaving ends the game for good." in said
    assert said.endswith("You stay; nothing was changed.\n[1]")
    assert Path("practice/game.toml").read_bytes() == before
    said = typed(workplace, ("vote", *leave[1:]), ("Type yes: ", "no"), NO_COLOR="1")
    assert "Nobody else but bots plays here, so your vote ends the game for good." in said
    assert Path("practice/game.toml").read_bytes() == before
    said = typed(workplace, leave, ("Type yes: ", "yes"), NO_COLOR="1")
    assert "ana leaves, and the game ends" in said
    assert game().status == "abandoned"
    assert main(["move", "practice/game.toml", "--key", "practice/keys/ana"]) == 11
    assert "the game is over: all who played have left it" in capsys.readouterr().err


def test_what_was_typed_too_early_passes_no_lesson(
    workplace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = ["", ""]
    monkeypatch.setattr("referee.cli.practicing.forget_typed", keys.clear)
    monkeypatch.setattr(terminal, "asks", lambda: True)
    monkeypatch.setattr(prompt, "ask", lambda *_: keys.pop(0) if keys else "q")
    assert main([*SHORT]) == 1
    assert game().step == 1


def test_where_nobody_can_be_asked_the_commands_are_shown(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["practice", "mine", "--seed", "1", "--name", "ana"]) == 0
    said = capsys.readouterr().out
    assert "Course of a round" in said
    shown = "sanjuan-ref move mine/game.toml --key mine/keys/ana --referee-key mine/keys/referee"
    assert f"{shown} --ledger mine/referee.ledger" in said
    words = f"{shown} --ledger mine/referee.ledger --role prospector".split()[1:]
    assert main(words) == 0
    # Bots have answered since.
    assert game("mine").step > 2
    assert "ana" in {one.seat for one in game("mine").asked}
    capsys.readouterr()
    assert main(["show", "mine/game.toml"]) == 0
    assert "--key mine/keys/ana shows a hand." in " ".join(capsys.readouterr().out.split())
    assert main(["practice", "mine"]) == 0
    assert "\nProspector\n" in capsys.readouterr().out


@pytest.mark.parametrize("words", ["show --hint", "move --pass", "plan", "leave", "play", "bot"])
def test_the_key_that_lies_there_is_named_to_who_gives_none(
    words: str, workplace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["practice"])
    capsys.readouterr()
    monkeypatch.setattr(terminal, "asks", lambda: True)
    command, *more = words.split()
    assert main([command, "practice/game.toml", *more]) == 18
    assert "--key practice/keys/ana" in capsys.readouterr().err


def test_a_seed_deals_the_same_game(workplace: Path) -> None:
    files = []
    for folder, seed in (("one", ["--seed", "7"]), ("two", ["--seed", "7"]), ("three", [])):
        assert main(["practice", folder, "--name", "ana", *seed]) == 0
        files.append(game(folder))
    assert files[0].head == files[1].head
    assert len({file.game for file in files}) == 2


def test_a_seed_deals_another_game_under_other_rules(workplace: Path) -> None:
    """Two games of one number would be two histories of it."""
    numbers: set[str] = set()
    for words in (
        [],
        ["--game", "xanadu"],
        ["--edition", "2004"],
        ["--against", "medium"],
        ["--seats", "4"],
        ["--name", "zoe"],
    ):
        folder = f"game-{len(numbers)}"
        assert main(["practice", folder, "--seed", "7", "--name", "ana", *words]) == 0
        numbers.add(game(folder).game)
    assert len(numbers) == 6


@pytest.mark.parametrize(
    ("words", "bots", "module"),
    [
        ([], 2, "sanjuan"),
        (["--against", "medium"], 2, "sanjuan"),
        (["--against", "easy,medium", "--against", "medium"], 3, "sanjuan"),
        (["--seats", "4", "--against", "easy,medium"], 3, "sanjuan"),
        (["--game", "xanadu", "--seats", "2"], 1, "xanadu"),
        (["--edition", "2004", "--expansion", "events", "--variant", "draft-start"], 2, "sanjuan"),
    ],
)
def test_against_whom_and_by_which_rules(
    words: list[str], bots: int, module: str, workplace: Path
) -> None:
    assert main(["practice", *words, "--name", "ana"]) == 0
    file = game()
    assert len([seat for seat in file.seats if seat.bot]) == bots == len(file.seats) - 1
    assert file.rules_module == module
    assert file.status == "playing"


@pytest.mark.parametrize(
    ("against", "said"),
    [
        ("easy", "a bot: ben (easy)."),
        ("easy,medium", "2 bots: ben (easy) and carla (medium)."),
        ("easy,hard/9,medium", "3 bots: ben (easy), carla (hard) and dario (medium)."),
    ],
)
def test_the_bots_are_named(
    against: str, said: str, workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = str(against.count(",") + 2)
    words = ["practice", "--name", "ana", "--against", against, "--seats", seats]
    assert main(words) == 0
    assert f"You are ana, and play against {said}" in " ".join(capsys.readouterr().out.split())


def test_a_new_game_beside_one_that_is_not_over(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["practice", "--name", "ana"]) == 0
    first = Path("practice/game.toml").read_bytes()
    assert main(["practice", "--against", "medium"]) == 0
    assert "The game in practice waits for you" in capsys.readouterr().out
    assert {seat.bot for seat in game("practice-2").seats} == {"", rules_of("sanjuan").bot}
    assert main(["practice", "practice-2", "--against", "easy"]) == 2
    assert "is not over" in capsys.readouterr().err
    assert Path("practice/game.toml").read_bytes() == first


@pytest.mark.parametrize("named", [[], ["practice"]])
@pytest.mark.parametrize(
    "words",
    [
        ["--against", "medium"],
        ["--game", "xanadu", "--seats", "2"],
        ["--seed", "3"],
        ["--edition", "2004", "--name", "zoe", "--against", "easy,medium"],
    ],
)
def test_the_same_command_goes_on(
    named: list[str], words: list[str], workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for says in ("The game lies in practice:", "This is your game in practice."):
        assert main(["practice", *named, *words]) == 0
        assert says in " ".join(capsys.readouterr().out.split())
    # Another seat at the table is another game, and goes on likewise.
    for says in ("The game lies in practice-2:", "This is your game in practice-2."):
        assert main(["practice", *words, "--seats", "4"]) == 0
        assert says in " ".join(capsys.readouterr().out.split())
    assert len(list(workplace.iterdir())) == 2


@pytest.mark.parametrize(
    ("words", "again"),
    [
        ("", "practice"),
        ("--against medium", "practice --against medium"),
        ("--game xanadu --seats 2 --seed 4", "practice --game xanadu --seats 2"),
        ("duel --seats 2 --name zoe", "practice duel --seats 2 --name zoe"),
        (
            "--edition 2004 --expansion events --against easy,medium --option round_limit=9",
            "practice --edition 2004 --expansion events --option round_limit=9 "
            "--against easy,medium",
        ),
    ],
)
def test_the_next_game_is_like_the_one_before(
    words: str,
    again: str,
    workplace: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LOGNAME", "ana")
    assert main(["practice", *words.split()]) == 0
    table, file = practicetable.find(Path("duel" if words.startswith("duel") else "practice"))
    assert file is not None
    practicing._end(table, file)
    assert f"And the next game: sanjuan-ref {again}\n" in capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_the_options_of_a_game_choose_it_again(name: str, workplace: Path) -> None:
    rules = RULE_SETS[name]
    if rules.terms().get("own-deck") or rules.module not in GAMES:
        pytest.skip("its deck or game does not come with the program")
    seats = next(count for count in rules.seats if not rules.fits(count))
    bots = practising.bots(["medium"], seats - 1, "zoe", rules)
    table = practicetable.PracticeTable(workplace / "practice")
    head = practicetable.make(table, rules, "zoe", bots, 1).head
    options = practiceterms.options_of(game())
    assert main(["practice", "again", "--seed", "1", *options]) == 0
    assert game("again").head == head


def test_a_game_beside_one_of_a_name_comes_from_there(workplace: Path) -> None:
    assert main(["practice", "practice-2"]) == 0
    folder = Path("practice-2")
    assert practicetable.first_of(folder) == folder
    assert main(["practice", "practice"]) == 0
    assert practicetable.first_of(folder) == Path("practice")


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["--against", "grand-master"], 2, "--against takes easy"),
        (["--seats", "9"], 2, "--seats: San Juan is for 2 to 4"),
        (["--seats", "2", "--against", "easy,easy"], 2, "2 seats have room for 1"),
        (["--against", "easy,easy,easy,easy"], 2, "--seats: San Juan is for 2 to 4"),
        (["--name", "referee"], 13, "cannot be the name of a seat"),
        (["--name", "../ben"], 13, "cannot be the name of a seat"),
        (["--edition", "1066"], 2, "1066"),
    ],
)
def test_what_cannot_be_leaves_nothing_behind(
    words: list[str], code: int, says: str, workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["practice", *words]) == code
    assert says in capsys.readouterr().err
    assert not list(workplace.iterdir())


def test_a_failure_in_the_middle_leaves_nothing_behind(
    workplace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise Damaged("no")

    monkeypatch.setattr(commit, "apply_notes", fails)
    assert main(["practice"]) == 16
    assert not list(workplace.iterdir())


def test_folders_with_something_else_in_them_are_left_alone(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workplace / "photos").mkdir()
    (workplace / "photos" / "cat").touch()
    assert main(["practice", "photos"]) == 1
    (workplace / "empty").mkdir()
    assert main(["practice", "empty", "--name", "ana"]) == 0
    assert main(["practice", "other", "--name", "ana"]) == 0
    Path("other/keys/ana").unlink()
    assert main(["practice", "other"]) == 2
    assert "is not for practice" in capsys.readouterr().err


def test_own_names_are_those_of_people(monkeypatch: pytest.MonkeyPatch) -> None:
    for login, name in (("Zoë", "zoe"), ("root", "ana"), ("!!", "ana"), ("referee", "ana")):
        monkeypatch.setenv("LOGNAME", login)
        assert practicetable.own_name() == name


@pytest.mark.parametrize("module", GAMES)
def test_lessons_name_what_there_is(module: str) -> None:
    """Every topic is one of the rulings, and what calls for it is a kind of question or a play."""
    rules = rules_of(module)
    data = rules.data("lessons.toml")
    parts = data["parts"]
    words = {word.name for word in rules.words}
    for topic, beginnings in data["lessons"].items():
        assert topic in rulings(rules.whole())
        for begin in beginnings:
            assert begin in rules.kinds or begin.split()[0] in words, begin
    assert not data["lessons"].keys() & parts.keys()
    for key, part in parts.items():
        said = rulings(rules.whole())[part["topic"]].rulings
        for begin in part["begins"]:
            assert sum(ruling.sentence.startswith(begin) for ruling in said) == 1, (key, begin)
        for begin in part["after"]:
            assert begin in rules.kinds or begin.split()[0] in words, begin


def chances(rules: Rules) -> tuple[set[str], set[str]]:
    """The kinds of questions of some random games, and what was chosen first in turns."""
    kinds, chosen = set(), set()
    chance = RandomPlayer()
    # More takes long to list.
    chance._most = 30
    for number in range(5):
        seats = [count for count in rules.seats if not rules.fits(count)]
        match = Match.deal(rules, NAMES[: seats[number % len(seats)]], number)
        while not match.over:
            seat = match.seats_asked[0]
            view = match.view(seat)
            assert view.decision is not None
            kinds.add(view.decision.kind)
            play = chance.answer(view, f"{number} {view.decision.id}".encode())
            chosen.add(" ".join(play.split(" ")[:2]))
            match.play(seat, play)
    return kinds, chosen


def test_whatever_comes_up_is_explained_when_it_does() -> None:
    """Every question of every rule set, and every role and event that anybody chooses."""
    asked: dict[str, set[str]] = {module: set() for module in GAMES}
    for name, rules in RULE_SETS.items():
        kinds, chosen = chances(rules)
        asked[rules.module] |= kinds
        turns = {play for play in chosen if play.split()[0] in ("role", "event")}
        assert len(turns) >= 5 or rules.module != "sanjuan"
        for said in sorted(kinds | turns):
            taught = lessons(rules, [], [said])
            assert taught, f"{name}: nothing is said of {said!r}"
            # And once only.
            assert not lessons(rules, [said], [said])
            about = " ".join(
                one.title + ruling.sentence for one in taught.values() for ruling in one.rulings
            )
            if said in turns:
                words = said.split()[1].replace("-", " ").replace("governor visit", "governor's")
                assert words in about.lower(), f"{name}: {said!r} is not explained"
    # So nothing was left out because it never came up.
    for module, kinds in asked.items():
        assert kinds == set(rules_of(module).kinds)


def test_lessons_are_told_once_and_only_where_they_apply() -> None:
    plain = RULE_SETS["sanjuan-2014"]
    first = lessons(plain, [], ["role"])
    assert list(first) == ["course", "scoring"]
    # Nobody has seen a card by then.
    for kinds in (["role"], ["role builder", "build"]):
        found = lessons(plain, [], kinds).values()
        told = " ".join(ruling.sentence for one in found for ruling in one.rulings)
        cards = {card.replace("-", " ") for card in plain.card_aliases().values()}
        assert not [card for card in cards if card in told]
    assert list(lessons(plain, ["role", "role builder"], ["build", "role trader"])) == ["trader"]
    assert not lessons(plain, [], ["bank", "event taxes", "events", "rolefoo"])
    assert "bank" in lessons(rules_of("sanjuan").whole(), [], ["tidy"])
    assert "bank" not in lessons(plain, [], ["tidy"])


def test_of_a_topic_only_what_is_needed_is_told_and_all_of_it_at_once() -> None:
    rules = RULE_SETS["sanjuan-2014-events"]
    told = lessons(rules, ["event taxes"], ["event earthquake", "earthquake"])["events"]
    assert [one.sentence.split()[0] for one in told.rulings] == ["Earthquake:"]
    german = lessons(rules, ["event taxes"], ["event earthquake"], "de")["events"]
    assert german.title != told.title or german.rulings != told.rulings
    assert len(german.rulings) == 1
    both = lessons(rules, [], ["event earthquake"])["events"].rulings
    assert len(both) == 3
    assert both[-1] == told.rulings[0]
