"""`log`, `verify`, `compare` and `audit`: what everybody can read out of a game file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import BackupOpt, GameArg, IdentityOpt, JsonOpt, KeyOpt, RefereeKeyOpt

if TYPE_CHECKING:
    from referee.table.gamefile import GameFile
    from referee.table.hands import Hand

app = typer.Typer(rich_markup_mode=None)


@app.command()
def log(
    game: GameArg,
    since: Annotated[
        int, typer.Option("--since", metavar="STEP", min=0, help="Only what came after a step.")
    ] = 0,
    note: Annotated[
        int | None,
        typer.Option("--note", metavar="STEP", min=1, help="Print the signed note of a step."),
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="The lines as they stand in the file and are hashed.")
    ] = False,
    json: JsonOpt = False,
) -> None:
    """The story so far: the plays as they took effect, and what they caused."""
    from referee.show import story, terminal
    from referee.table.signing import load

    file, heads = load(game)
    if note is not None:
        terminal.verbatim(_note(file, heads, note))
        return
    if json:
        terminal.document(story.document(file, heads, since))
    else:
        story.story(file, since, raw=raw)


def _note(file: GameFile, heads: list[bytes], step: int) -> str:
    from referee.table import chain
    from referee.table.replay import join_of
    from referee.table.verify import move_of

    if step > file.step:
        raise typer.BadParameter(f"the log has {file.step} steps", param_hint="--note")
    entry = file.log[step - 1]
    if entry.decision == chain.DEAL:
        joins = [(join_of(file, seat), seat) for seat in file.seats]
        return "".join(
            [one.armoured(seat.key, seat.signature) for one, seat in joins if seat.key is not None]
        )
    seat = file.seat(entry.by)
    if seat is None or seat.key is None:
        raise typer.BadParameter(
            f"step {step} is an act of the referee's, covered by its signature of the file",
            param_hint="--note",
        )
    return move_of(file, entry, heads).armoured(seat.key, entry.signature)


@app.command()
def verify(
    game: GameArg,
    key: KeyOpt = None,
    identity: IdentityOpt = None,
    json: JsonOpt = False,
) -> None:
    """Check all that can be checked without the deal secret, your own hand included."""
    from referee.show import overview, terminal
    from referee.table.signing import load
    from referee.table.verify import verify as check

    file, heads = load(game)
    done = ["the referee has signed this file", *check(file, heads)]
    hand = _hand(file, key, identity)
    if hand is not None:
        done.append(f"the hand of {hand.seat}, {len(hand.cards)} cards, is what was dealt")
    if json:
        found = {"checked": done, "hand": hand.seat if hand else None}
        terminal.document(overview.brief(file) | found)
        return
    _tell(done)
    terminal.say(("bold", f"{game}: "), overview.state_line(file))


def _tell(done: list[str]) -> None:
    from referee.show import terminal

    for line in done:
        terminal.say(("good", "ok"), f"  {line}")


def _hand(file: GameFile, key: Path | None, identity: Path | None) -> Hand | None:
    from referee.cli.access import reader_of

    return reader_of(file, key, identity=identity).hand


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(metavar="GAME", help="A game file.")],
    second: Annotated[Path, typer.Argument(metavar="OTHER", help="Another of the same game.")],
    key: KeyOpt = None,
    identity: IdentityOpt = None,
    json: JsonOpt = False,
) -> None:
    """Say what two files of one game are to each other: same, continued, or a proven fork."""
    from referee.show import terminal
    from referee.table.compare import compare as weigh
    from referee.table.signing import load
    from referee.table.verify import verify as check

    sides = [load(first), load(second)]
    hands: dict[int, Hand] = {}
    for file, heads in sides:
        check(file, heads)
        hand = _hand(file, key, identity)
        if hand is not None:
            hands[file.step] = hand
    relation, done = weigh(*sides[0], *sides[1], hands)
    if json:
        terminal.document({"relation": relation, "checked": done})
        return
    _tell(done)
    words = {"same": "say the same", "newer": "continues", "older": "is continued by"}
    if relation == "same":
        terminal.say(("bold", f"{first} and {second} {words[relation]}"))
    else:
        terminal.say(("bold", f"{second} {words[relation]} {first}"))


@app.command()
def audit(
    game: GameArg,
    referee_key: RefereeKeyOpt = None,
    identity: BackupOpt = None,
    json: JsonOpt = False,
) -> None:
    """Replay the whole game from its deal secret and compare everything.

    Everybody can once the game is over; while it runs, only its referee and whoever holds a backup.
    """
    from referee.cli.access import secret_of
    from referee.show import overview, terminal
    from referee.table.audit import audit as replay
    from referee.table.signing import load

    file, heads = load(game)
    secret = secret_of(file, referee_key, identity)
    done = ["the referee has signed this file", *replay(file, heads, secret)]
    if json:
        terminal.document(overview.brief(file) | {"checked": done})
        return
    _tell(done)
    terminal.say(("bold", f"{game}: "), overview.state_line(file))
