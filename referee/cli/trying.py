"""Trying out plays on a position: reading it, and saying what the rules made of them."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

from referee.cli.advice import failure
from referee.errors import Damaged
from referee.notes.recognising import begins_as_game_file
from referee.render.text import overview, story, terminal
from referee.render.text.board import draw
from referee.storage import read_limited
from referee.table.filetext import load_toml
from referee.table.gamefile import FORMAT, MAX_FILE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from referee.games.errors import Illegal
    from referee.games.match import Match, Outcome
    from referee.games.values import Choice


def read(path: Path) -> dict[str, Any]:
    """Return the position in a file. Raises NotRead or Damaged."""
    data = read_limited(path, MAX_FILE)
    if not data.strip():
        raise Damaged(f"{path} is empty, not a position", "`sanjuan-ref help positions` shows one")
    is_game = begins_as_game_file(data)
    document = {} if is_game else load_toml(data, "position", str(path))
    if is_game or document.get("format") == FORMAT:
        raise Damaged(
            f"{path} is a game file, not a position",
            f"once the game is over, `sanjuan-ref position {quote(str(path))} -o FILE` writes a "
            "position from it",
        )
    return document


def is_position(data: bytes) -> bool:
    """Return True if a file is a position, which may be replaced."""
    try:
        document = load_toml(data, "position")
    except Damaged:
        return False
    return "format" not in document and "seats" in document


def refuse(match: Match, row: str, error: Illegal, json: bool) -> int:
    """Say why a play is refused, and every one that would not be."""
    seat = row.partition(":")[0].strip()
    choices = list(error.choices)
    if not choices and any(id_.endswith(f".{seat}") for id_ in match.missing()):
        choices = match.view(seat).choices()
    if json:
        told = failure(error) | {"choices": [choice._asdict() for choice in choices]}
        terminal.document(told, error.exit_code)
        return error.exit_code
    terminal.complain(error, row)
    _offer(seat, choices, error=True)
    return error.exit_code


def _offer(seat: str, choices: Sequence[Choice], *, error: bool = False) -> None:
    cells = [(f"--play {quote(f'{seat}: {choice.play}')}", choice.note) for choice in choices]
    terminal.rows(cells, error=error)


def report(match: Match, outcomes: list[Outcome]) -> dict[str, Any]:
    """Return what was played and what it led to, for programs."""
    return {
        "opened": match.opened,
        "plays": [
            {"decision": outcome.decision, "play": outcome.play, "then": list(outcome.lines)}
            for outcome in outcomes
        ],
        "waiting": [{"decision": id_, "play": said} for id_, said in match.waiting.items()],
        "asked": match.missing(),
        "over": match.game.over,
        "scores": [
            {"seat": score.seat, "points": score.points, "tie": score.tie, "wins": score.wins}
            for score in (match.game.scores() if match.game.over else [])
        ],
    }


def tell(match: Match, before: dict[str, Any], outcomes: list[Outcome]) -> None:
    """Print what was played and what it led to."""
    _tell_plays(match, before, outcomes)
    table = match.game.table()
    draw(match.rules.board(table), None, match.rules.legend, match.rules.city_guide)
    for seat in match.seats:
        cards = match.held(seat)
        count = f"{len(cards)} card{'' if len(cards) == 1 else 's'}"
        terminal.say(("bold", f"hand of {seat}"), f"  {count}")
        for line in terminal.columns([f"{card.letter} {card.name}" for card in cards]):
            terminal.say(line)
    if match.game.over:
        overview.results(match.rules.result(table))
        return
    for decision in match.game.decisions():
        if decision.id not in match.waiting:
            terminal.say()
            terminal.say(("mine", decision.id))
            _offer(decision.seat, match.view(decision.seat).choices())


def _tell_plays(match: Match, before: dict[str, Any], outcomes: list[Outcome]) -> None:
    """Print what was played, and what each play caused."""
    narrator = match.rules.narrator(before)
    for sentence in story.sentences(match.opened, narrator, match.seats):
        terminal.say(f"  {sentence}")
    for outcome in outcomes:
        terminal.say(("bold", outcome.decision), f"  {outcome.play}")
        for sentence in story.sentences(outcome.lines, narrator, match.seats):
            terminal.say(f"  {sentence}")
    for id_, said in match.waiting.items():
        left = ", ".join(match.missing())
        terminal.say(("bold", id_), f"  {said}  (accepted; it waits for {left})")
    if match.opened or outcomes or match.waiting:
        terminal.say()
