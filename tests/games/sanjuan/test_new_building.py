"""A building that nobody has thought of: its card and its phase say all that the rest needs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import referee

ROOT = Path(__file__).parents[3]
CARDS = "[expansions.new-buildings]\n"
ROWS = """\
granary = [2, 1, 3]
depot = [3, 2, 3]
quay = [3, 2, 3]
diviner = [3, 2, 3]
"""
PHASES = {
    "builder": 'AFTER.append(Reward(bit("granary"), lambda st, seat, kind, held: 2))',
    "round_start": 'TUCKS.append(Tuck("granary", several=True))',
    "scoring": 'BONUSES.append((bit("granary"), lambda st, seat, kinds: len(kinds)))',
    "councillor": 'STOCKED.append(KINDS["depot"])',
    "trader": 'KEEPERS.append(KINDS["quay"])',
    "prospector": 'DIGGERS.append(Digger(bit("diviner"), "vision", _goldsmith))',
}
SCRIPT = """
import json, sys
from referee.games.match import Match
from referee.games.values import Said

match = Match.from_position(json.loads(sys.argv[1]))
log, told, menus, greedy = [], [], [], []
for row in sys.argv[2:]:
    seat = row.partition(":")[0]
    view = match.view(seat)
    menus.append({choice.play: view.outlook(choice) for choice in view.choices()})
    greedy.append(view.suggest())
    narrator = match.rules.narrator(match.game.table())
    for outcome in match.play_row(row):
        lines = [event.words for event in outcome.events if isinstance(event, Said)]
        log += lines
        told += [narrator.tell(line) for line in lines]
sheets = match.rules.sheets(match.game.table(), log)
print(json.dumps([menus, greedy, told, [dict(sheet.parts) for sheet in sheets]]))
"""

FILES = """
import json
from referee.checking.verify import verify
from referee.games import rules_of
from referee.table import chain
from tests.table.tables import Table

NEW = ("granary", "depot", "quay", "diviner")
WORDS = ("granary", "depot", "quay", "vision")

def choose(view):
    plays = [choice.play for choice in view.choices() if choice.exact]
    new = (play for play in plays if set(NEW) & set(play.split(" ")[:2]))
    return next(new, view.suggest())

seen = {}
for seed in range(20):
    rules = rules_of("sanjuan").choose(None, ["new-buildings"], [], {})
    file = Table(2, f"{seed}", rules=rules).join_all().rush(choose).file
    verify(file, chain.heads(file))
    for entry in file.log:
        for line in entry.then:
            seen.setdefault(line.split(" ")[0], line)
    if seen.keys() >= set(WORDS):
        break
print(json.dumps([seen.get(word, "") for word in WORDS]))
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program in which `cards.toml` and the phases, and nothing else, say more."""
    root = tmp_path_factory.mktemp("house")
    program = Path(referee.__file__).parent
    shutil.copytree(program, root / "referee", ignore=shutil.ignore_patterns("*.pyc"))
    san_juan = root / "referee" / "games" / "sanjuan"
    cards = san_juan / "cards.toml"
    text = cards.read_text("utf-8").replace(CARDS, CARDS + ROWS)
    cards.write_text(text.replace("[holders]\n", "[holders]\ndepot = 3\n"), "utf-8")
    for phase, line in PHASES.items():
        with (san_juan / f"{phase}.py").open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
    return root


def play(house: Path, ana: dict[str, Any], *rows: str, **position: Any) -> Any:
    """Menus, greedy answers, story and sheets while rows are played from a position."""
    seats = [{"name": "ana", **ana}, {"name": "ben"}]
    document = {"expansions": ["new-buildings"], "seats": seats, **position}
    return run(house, SCRIPT, json.dumps(document), *rows)


def run(house: Path, *script: str) -> Any:
    """Return what a script prints that finds the copy before this program, and these tests."""
    done = subprocess.run(
        [sys.executable, "-c", *script],
        cwd=house,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_menu_promises_what_it_brings(house: Path) -> None:
    menus, greedy, _, sheets = play(
        house,
        {"hand": ["well", "statue"], "city": ["indigo-plant", "granary"]},
        "ana: role builder",
        "ana: build well pay statue",
    )
    assert menus[1]["build well pay b"] == "for 1, leaves 0 cards; granary draws 2; pay statue"
    assert greedy[1] == "build well pay b"
    assert sheets[0] == {"buildings": 3, "granary": 3}


def test_the_score_sheet_and_the_story_tell_it(house: Path) -> None:
    menus, _, told, sheets = play(
        house,
        {"hand": ["well", "statue", "hero"], "city": ["indigo-plant", "granary"]},
        "ana: granary a b",
        round=2,
        phase="round-start",
    )
    assert menus[0]["granary LETTER…"] == "up to 3 cards"
    assert "ana puts 2 cards under the granary" in told
    assert sheets[0] == {"buildings": 2, "under granary": 2, "granary": 2}


def test_the_greedy_player_builds_it(house: Path) -> None:
    city = ["indigo-plant", "sugar-mill"]
    hand = {"hand": ["depot", "well", "well", "well", "statue"], "city": city}
    _, greedy, _, _ = play(house, hand, "ana: role builder", "ana: pass")
    assert greedy[1].startswith("build depot pay ")


def test_the_story_tells_of_goods_and_cards_that_it_takes(house: Path) -> None:
    city = ["indigo-plant", "depot"]
    menus, _, told, _ = play(house, {"city": city}, "ana: role councillor", deck=["well", "hero"])
    assert menus[0]["role councillor"] == "draw 1, keep 1"
    assert told[1] == "ana gets a good on depot (plot 2)"
    good = {"card": "indigo-plant", "good": "well"}
    depot = {"card": "depot", "good": "hero"}
    ana = {"city": [good, depot, "quay"]}
    menus, _, told, sheets = play(house, ana, "ana: role trader", "ana: sell 2", deck=["statue"])
    assert menus[1]["sell 2"] == "sell depot; draw 1, then hold 1"
    assert told[3] == "ana keeps one of them under the quay"
    assert sheets[0]["under quay"] == 1
    ana = {"city": ["indigo-plant", "diviner"]}
    _, _, told, _ = play(house, ana, "ana: role prospector", deck=["statue", "hero", "..."])
    assert told[1] == "ana gets hero from the diviner"


def test_everybody_can_follow_a_game_with_it(house: Path) -> None:
    lines = run(house, FILES)
    assert [line.split(" ")[0] for line in lines] == ["granary", "depot", "quay", "vision"]
