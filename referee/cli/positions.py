"""`try` and `position`: what would happen, and where a finished game stood."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.options import GameArg, JsonOpt, RefereeKeyOpt
from referee.cli.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.games.interface import Choice, Illegal
    from referee.games.match import Match, Outcome

app = typer.Typer(rich_markup_mode=None)


@app.command("try")
def attempt(
    position: Annotated[Path, typer.Argument(metavar="POSITION", help="A position, as TOML.")],
    play: Annotated[
        list[str] | None,
        typer.Option("--play", metavar="'SEAT: PLAY'", help="A play; more follow in turn."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Write the position that follows.")
    ] = None,
    json: JsonOpt = False,
) -> int:
    """Play on a position in which nothing is hidden, and see what the rules make of it."""
    from referee.games.interface import Illegal
    from referee.games.match import Match
    from referee.render.text import terminal
    from referee.storage import put

    match = Match.from_position(_read(position))
    before = match.game.table()
    outcomes: list[Outcome] = []
    for row in play or []:
        try:
            outcomes += match.play_row(row)
        except Illegal as error:
            return _refused(match, row, error, json)
    document = match.document()
    if save is not None:
        import tomli_w

        if put(save, tomli_w.dumps(document).encode(), "position", _is_position, named=True):
            terminal.warn("note", f"{save} is replaced")
    if json:
        terminal.document(_report(match, outcomes) | {"position": document})
        return 0
    _tell(match, before, outcomes)
    if save is not None:
        terminal.say(("bold", f"{save}"), " holds the position that follows")
    return 0


def _read(path: Path) -> dict[str, Any]:
    from referee.games.interface import NotUnderstood
    from referee.storage import read_limited
    from referee.table.filetext import load_toml
    from referee.table.gamefile import MAX_FILE

    document = load_toml(read_limited(path, MAX_FILE), "position")
    if "format" in document:
        raise NotUnderstood(
            "this is a game file, not a position",
            f"once the game is over, `sanjuan-ref position {quote(str(path))}` makes one of it",
        )
    return document


def _is_position(data: bytes) -> bool:
    from referee.errors import Damaged
    from referee.table.filetext import load_toml

    try:
        document = load_toml(data, "position")
    except Damaged:
        return False
    return "format" not in document and "seats" in document


def _refused(match: Match, row: str, error: Illegal, json: bool) -> int:
    """Say why a play is refused, and every one that would not be."""
    from referee.cli.advice import failure
    from referee.render.text import terminal

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
    from referee.render.text import terminal

    cells = [(f"--play {quote(f'{seat}: {choice.play}')}", choice.note) for choice in choices]
    terminal.rows(cells, error=error)


def _report(match: Match, outcomes: list[Outcome]) -> dict[str, Any]:
    return {
        "opened": match.opened,
        "plays": [
            {"decision": one.decision, "play": one.play, "then": list(one.lines)}
            for one in outcomes
        ],
        "waiting": [{"decision": id_, "play": said} for id_, said in match.waiting.items()],
        "asked": match.missing(),
        "over": match.game.over,
        "scores": [
            {"seat": one.seat, "points": one.points, "tie": one.tie, "wins": one.wins}
            for one in (match.game.scores() if match.game.over else [])
        ],
    }


def _tell(match: Match, before: dict[str, Any], outcomes: list[Outcome]) -> None:
    from referee.render.text import overview, terminal
    from referee.render.text.board import draw

    _tell_plays(match, before, outcomes)
    table = match.game.table()
    draw(match.rules.board(table), None, match.rules.legend)
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
    """What was played, and what each play caused."""
    from referee.render.text import story, terminal

    teller = match.rules.teller(before)
    for sentence in story.sentences(match.opened, teller, match.seats):
        terminal.say(f"  {sentence}")
    for one in outcomes:
        terminal.say(("bold", one.decision), f"  {one.play}")
        for sentence in story.sentences(one.lines, teller, match.seats):
            terminal.say(f"  {sentence}")
    for id_, said in match.waiting.items():
        left = ", ".join(match.missing())
        terminal.say(("bold", id_), f"  {said}  (accepted; it waits for {left})")
    if match.opened or outcomes or match.waiting:
        terminal.say()


@app.command("position")
def export(
    game: GameArg,
    step: Annotated[
        int | None,
        typer.Option("--step", metavar="STEP", min=1, help="After which step; else the last."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Else standard output.")
    ] = None,
    referee_key: RefereeKeyOpt = None,
    json: JsonOpt = False,
) -> None:
    """The position after a step of a game that is over (its referee: of any game)."""
    import tomli_w

    from referee.cli import keyring
    from referee.games.match import document_of
    from referee.playing.reader import secret_of
    from referee.render.text import terminal
    from referee.storage import create
    from referee.table.replay import at_step
    from referee.table.signing import load

    file, _ = load(game)
    secret = secret_of(file, keyring.keys(referee_key))
    if step is not None and step > file.step:
        raise Usage(
            f"--step: the log has {file.step} step{'' if file.step == 1 else 's'}",
            hint="see `sanjuan-ref position --help`",
        )
    found = at_step(file, secret, step or file.step)
    document = document_of(file.module, found)
    text = tomli_w.dumps(document)
    # While the game goes on, all hands are in it.
    mode = 0o600 if file.opened is None else 0o666
    if json:
        if output is not None:
            create(output, text, mode)
        terminal.document({"game": file.game, "step": step or file.step, "position": document})
    elif output is None:
        terminal.verbatim(text)
    else:
        create(output, text, mode)
        terminal.say(("bold", f"{output}"), f" holds the position after step {step or file.step}")
