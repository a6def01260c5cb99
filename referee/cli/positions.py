"""`try` and `position`: what would happen, and where a finished game stood."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import options as opt
from referee.cli.usage import Usage
from referee.render.text import terminal

if TYPE_CHECKING:
    from referee.games.match import Outcome

app = typer.Typer(rich_markup_mode=None)


@app.command("try")
def attempt(
    position: Annotated[Path, opt.argument("POSITION", "A position, as TOML.")],
    play: Annotated[
        list[str] | None,
        opt.option("--play", "'SEAT: PLAY'", "A play; repeat for later plays, in order."),
    ] = None,
    save: Annotated[
        Path | None, opt.place("--save", "FILE", "Write the position that results.")
    ] = None,
    json: opt.JsonOpt = False,
) -> int:
    """Play on a position in which nothing is hidden, and see what the rules make of it."""
    import tomli_w

    from referee.cli import trying
    from referee.games.errors import Illegal
    from referee.games.match import Match
    from referee.storage import write_named

    match = Match.from_position(trying.read(position))
    before = match.game.table()
    outcomes: list[Outcome] = []
    for row in play or []:
        try:
            outcomes += match.play_row(row)
        except Illegal as error:
            return trying.refuse(match, row, error, json)
    document = match.document()
    if save is not None and write_named(
        save, tomli_w.dumps(document).encode(), "position", trying.is_position, named=True
    ):
        terminal.warn("note", f"{save} is replaced")
    if json:
        terminal.document(trying.report(match, outcomes) | {"position": document})
        return 0
    trying.tell(match, before, outcomes)
    if save is not None:
        terminal.say(("bold", f"{save}"), " holds the position that results")
    return 0


@app.command("position")
def export(
    game: opt.GameArg,
    step: Annotated[
        int | None, opt.option("--step", "STEP", "The step (default: the last).", min=1)
    ] = None,
    output: Annotated[
        Path | None,
        opt.place("-o --output", "FILE", "Write the position to FILE (default: standard output)."),
    ] = None,
    referee_key: opt.RefereeKeyOpt = None,
    json: opt.JsonOpt = False,
) -> None:
    """The position after a step of a game that is over (with --referee-key: of any game)."""
    import tomli_w

    from referee.cli import keyring
    from referee.errors import Stale
    from referee.games.match import document_of
    from referee.playing.reader import secret_of
    from referee.storage import create
    from referee.table.replay import at_step
    from referee.table.signing import load

    file, _ = load(game)
    if file.revealed_secret is None and referee_key is None:
        # The key that is found by itself may be that of a host who plays along.
        raise Stale(
            "the game is not over, and its position holds the whole deck and every hand",
            "a referee who does not play may look, with --referee-key FILE",
            reason="not-over",
        )
    secret, _ = secret_of(file, keyring.keys(referee_key))
    if step is not None and step > file.step:
        raise Usage(
            f"there is no step {step}: the log ends at step {file.step}",
            hint="see `sanjuan-ref position --help`",
        )
    found = at_step(file, secret, step or file.step)
    document = document_of(file.rules_module, found)
    text = tomli_w.dumps(document)
    # While the game goes on, all hands are in it.
    mode = 0o600 if file.revealed_secret is None else 0o666
    if json:
        if output is not None:
            create(output, text, mode)
        terminal.document({"game": file.game, "step": step or file.step, "position": document})
    elif output is None:
        terminal.verbatim(text)
    else:
        create(output, text, mode)
        terminal.say(("bold", f"{output}"), f" holds the position after step {step or file.step}")
