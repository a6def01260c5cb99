"""`log`, `verify`, `compare` and `audit`: what everybody can read out of a game file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import completing
from referee.cli.options import (
    BackupOpt,
    GameArg,
    IdentityOpt,
    JsonOpt,
    KeyOpt,
    PlainOpt,
    RefereeKeyOpt,
)
from referee.cli.usage import Usage

if TYPE_CHECKING:
    from referee.playing.reader import Reader
    from referee.table.gamefile import GameFile
    from referee.table.hands import Hand

app = typer.Typer(rich_markup_mode=None)

HELP = "see `sanjuan-ref log --help`"


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
    seat: Annotated[
        str | None,
        typer.Option(
            "--seat",
            metavar="NAME",
            help="Only what a seat does and gets.",
            autocompletion=completing.seats,
        ),
    ] = None,
    follow: Annotated[
        bool,
        typer.Option("--follow", help="Go on telling, and pull what is new where git keeps it."),
    ] = False,
    every: Annotated[
        int, typer.Option("--every", metavar="SECONDS", min=1, help="How often to look.")
    ] = 20,
    plain: PlainOpt = False,
    raw: Annotated[
        bool, typer.Option("--raw", help="The lines as they stand in the file and are hashed.")
    ] = False,
    json: JsonOpt = False,
) -> None:
    """The story so far: what was played, and what it caused."""
    from referee.errors import OtherRules
    from referee.render.text import overview, story, terminal
    from referee.table.replay import rules_for
    from referee.table.seatnames import no_seat
    from referee.table.signing import load

    if plain:
        terminal.read_out()
    file, heads = load(game)
    if seat is not None and file.seat(seat) is None:
        raise no_seat(file, seat)
    if note is not None:
        text = _note(file, heads, note)
        if json:
            terminal.document({"game": file.game, "step": note, "note": text})
        else:
            terminal.verbatim(text)
        return
    if since > file.step:
        raise Usage(f"--since: {_steps(file)}", hint=HELP)
    if raw and not json:
        story.lines(file, since)
        return
    try:
        rules = rules_for(file)
    except OtherRules as error:
        if follow:
            raise
        terminal.warn("note", f"{error.message}; the lines are told as they stand in the file")
        if json:
            terminal.document(story.document(file, None, heads, since))
        else:
            story.lines(file, since)
        return
    if json:
        terminal.document(story.document(file, rules, heads, since))
        return
    if follow:
        from referee.cli.following import follow as go_on

        go_on(game, since, seat or "", every)
        return
    story.story(file, rules, since, seat or "")
    if file.status == "finished":
        overview.result(file, rules)
    elif file.step == since or not file.log:
        terminal.say(f"Nothing has happened{' since' if since else ' yet'}.")


def _steps(file: GameFile) -> str:
    return f"the log has {file.step} step{'' if file.step == 1 else 's'}"


def _note(file: GameFile, heads: list[bytes], step: int) -> str:
    from referee.table import chain
    from referee.table.provenance import move_of
    from referee.table.replay import join_of
    from referee.table.transfer import Holders, is_transfer, notes_of

    if step > file.step:
        raise Usage(f"--note: {_steps(file)}", hint=HELP)
    entry = file.log[step - 1]
    if entry.decision == chain.DEAL:
        joins = [(join_of(file, seat), seat) for seat in file.seats]
        return "".join(
            [one.armoured(seat.key, seat.signature) for one, seat in joins if seat.key is not None]
        )
    if is_transfer(entry.decision):
        signed = notes_of(file, entry, heads)
        return "".join([note.armoured(by.key, by.signature) for note, by in signed])
    if entry.by == chain.REFEREE:
        raise Usage(
            f"--note: step {step} is an act of the referee's, covered by its signature of the file",
            hint=HELP,
        )
    walk = Holders(file)
    for at, one in enumerate(file.log[:step], 1):
        walk.follow(at, one, heads)
    key = walk.at(entry.by, entry.seen)
    assert key is not None
    return move_of(file, entry, heads).armoured(key, entry.signature)


@app.command()
def verify(
    game: GameArg,
    key: KeyOpt = None,
    identity: IdentityOpt = None,
    json: JsonOpt = False,
) -> None:
    """Check all that can be checked without the deal secret, your own hand included."""
    from referee.checking.verify import verify as check
    from referee.render.text import overview, terminal
    from referee.table.rebuild import followed
    from referee.table.signing import load

    file, heads = load(game)
    done = ["the referee has signed this file", *check(file, heads)]
    reader = _reader(file, key, identity)
    hand = reader.hand
    if hand is not None:
        count = f"{len(hand.cards)} card{'' if len(hand.cards) == 1 else 's'}"
        done.append(f"the hand of {hand.seat}, {count}, is what was dealt")
    if json:
        found = {"checked": done, "hand": hand.seat if hand else None}
        terminal.document(overview.brief(file) | found)
        return
    _tell(done)
    known = followed(file) is not None
    made = "what the plays have made of it" if known else "the one that the referee answers for"
    if file.hands:
        _conclude(
            f"So every play is its player's own{_or_late(file)}, every card drawn is accounted "
            f"for, and the table is {made}."
        )
    if hand is None and file.hands:
        terminal.warn("note", "no hand was checked; --key FILE checks that of a seat")
    terminal.say(("bold", f"{game}: "), overview.state_line(file))


def _conclude(text: str) -> None:
    from referee.render.text import terminal

    for line in terminal.wrapped(text, 0):
        terminal.say(line)


def _or_late(file: GameFile) -> str:
    from referee.table.chain import ABANDON, DEAL, REFEREE

    acted = [one for one in file.log if one.by == REFEREE and one.decision not in (DEAL, ABANDON)]
    return " or what was agreed on for who is late" if acted else ""


def _tell(done: list[str]) -> None:
    from referee.render.text import terminal

    for line in done:
        terminal.say(("good", "ok"), f"  {line}")


def _reader(file: GameFile, key: Path | None, identity: Path | None) -> Reader:
    from referee.cli import keyring
    from referee.playing.reader import reader_of

    reader = reader_of(file, keyring.keys(key, identity=identity))
    if reader.stranger is not None:
        raise reader.stranger
    return reader


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(metavar="GAME", help="A game file.")],
    second: Annotated[Path, typer.Argument(metavar="OTHER", help="Another of the same game.")],
    key: KeyOpt = None,
    identity: IdentityOpt = None,
    json: JsonOpt = False,
) -> None:
    """Say what two files of one game are to each other: same, continued, or a proven fork."""
    from referee.checking.compare import compare as weigh
    from referee.checking.verify import verify as check
    from referee.cli import keyring
    from referee.errors import BadSignature, Damaged
    from referee.playing.reader import reader_of
    from referee.render.text import terminal
    from referee.table.signing import load

    sides, readers = [], []
    hands: dict[int, Hand] = {}
    for path in (first, second):
        try:
            file, heads = load(path)
            check(file, heads)
        except (Damaged, BadSignature) as error:
            if not error.message.startswith(str(path)):
                error.message = f"{path}: {error.message}"
            raise
        sides.append((file, heads))
        reader = reader_of(file, keyring.keys(key, identity=identity))
        readers.append(reader)
        if reader.hand is not None:
            hands[file.step] = reader.hand
    # A key may have come to its seat in between.
    strangers = [reader.stranger for reader in readers if reader.stranger is not None]
    if len(strangers) == len(readers):
        raise strangers[0]
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
    from referee.checking.audit import audit as replay
    from referee.cli import keyring
    from referee.playing.reader import secret_of
    from referee.render.text import overview, terminal
    from referee.table.signing import load

    file, heads = load(game)
    secret = secret_of(file, keyring.keys(referee_key, identity=identity))
    done = ["the referee has signed this file", *replay(file, heads, secret)]
    if json:
        terminal.document(overview.brief(file) | {"checked": done})
        return
    _tell(done)
    if file.hands:
        _conclude(
            "So the cards lay as it was fixed before the first move, every play was legal "
            f"and its player's own{_or_late(file)}, and no hand, table or score was altered."
        )
    terminal.say(("bold", f"{game}: "), overview.state_line(file))
