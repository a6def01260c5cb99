"""`log`, `verify`, `compare` and `audit`: what everybody can read out of a game file."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import completing
from referee.cli import options as opt
from referee.cli.usage import Usage
from referee.render.text import terminal

if TYPE_CHECKING:
    from referee.table.hands import Hand

app = typer.Typer(rich_markup_mode=None)

HELP = "see `sanjuan-ref log --help`"


@app.command()
def log(
    game: opt.GameArg,
    since: Annotated[
        int, opt.option("--since", "STEP", "Only what happened after a step.", min=0)
    ] = 0,
    note: Annotated[
        int | None, opt.option("--note", "STEP", "Print the signed note of a step.", min=1)
    ] = None,
    seat: Annotated[
        str | None,
        opt.option(
            "--seat", "NAME", "Only what concerns this seat.", autocompletion=completing.seats
        ),
    ] = None,
    follow: Annotated[
        bool, opt.switch("--follow", "Keep following the game; in a git clone, pull first.")
    ] = False,
    every: Annotated[int, opt.option("--every", "SECONDS", "How often to look.", min=1)] = 20,
    plain: opt.PlainOpt = False,
    raw: Annotated[
        bool, opt.switch("--raw", "The exact lines that are stored and hashed.")
    ] = False,
    json: opt.JsonOpt = False,
) -> None:
    """The story so far: what was played, and what it caused."""
    from referee.cli import records
    from referee.errors import OtherRules
    from referee.render.text import overview, story
    from referee.table.rules import rules_for
    from referee.table.seatnames import no_seat
    from referee.table.signing import load

    if plain:
        terminal.read_out()
    file, heads = load(game)
    if seat is not None and file.seat(seat) is None:
        raise no_seat(file, seat)
    if note is not None:
        text = records.note_of(file, heads, note)
        if json:
            terminal.document({"game": file.game, "step": note, "note": text})
        else:
            terminal.verbatim(text)
        return
    if since > file.step:
        raise Usage(f"there is no step {since}: {records.length_of(file)}", hint=HELP)
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
        # This alone needs git.
        from referee.cli.following import follow as go_on

        go_on(game, since, seat or "", every)
        return
    story.story(file, rules, since, seat or "")
    if file.status == "finished":
        overview.result(file, rules)
    elif file.step == since or not file.log:
        terminal.say(f"Nothing has happened{' since' if since else ' yet'}.")


@app.command()
def verify(
    game: opt.GameArg,
    key: opt.KeyOpt = None,
    identity: opt.IdentityOpt = None,
    json: opt.JsonOpt = False,
) -> None:
    """Check all that can be checked without the deal secret, your own hand included."""
    from referee.checking import conclusions
    from referee.checking.verify import verify as check
    from referee.cli import records
    from referee.render.text import overview
    from referee.table.signing import load

    file, heads = load(game)
    done = [conclusions.SIGNED, *check(file, heads)]
    hand = records.checked_reader(file, key, identity).hand
    if hand is not None:
        done.append(conclusions.hand_checked(hand.seat, len(hand.cards)))
    if json:
        found = {"checked": done, "hand": hand.seat if hand else None}
        terminal.document(overview.brief(file) | found)
        return
    records.tell_checks(done)
    terminal.paragraph(conclusions.verified(file))
    if hand is None and file.hands:
        terminal.warn("note", "no hand was checked; --key FILE checks that of a seat")
    terminal.say(("bold", f"{game}: "), overview.state_line(file))


@app.command()
def compare(
    first: Annotated[Path, opt.argument("GAME", "A game file.")],
    second: Annotated[Path, opt.argument("OTHER", "Another file of the same game.")],
    key: opt.KeyOpt = None,
    identity: opt.IdentityOpt = None,
    json: opt.JsonOpt = False,
) -> None:
    """Say how two files of one game relate: identical, one continues the other, or a fork."""
    from referee.checking.compare import compare as weigh
    from referee.checking.verify import verify as check
    from referee.cli import keyring, records
    from referee.errors import BadSignature, Damaged
    from referee.playing.reader import reader_of
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
    records.tell_checks(done)
    words = {"same": "say the same", "newer": "continues", "older": "is continued by"}
    if relation == "same":
        terminal.say(("bold", f"{first} and {second} {words[relation]}"))
    else:
        terminal.say(("bold", f"{second} {words[relation]} {first}"))


@app.command()
def audit(
    game: opt.GameArg,
    games: opt.GamesOpt = None,
    jobs: Annotated[
        int | None,
        opt.option(
            "--jobs",
            "N",
            "So many games, or answers of bots, at once (default: all processors).",
            min=1,
        ),
    ] = None,
    referee_key: opt.RefereeKeyOpt = None,
    identity: opt.BackupOpt = None,
    json: opt.JsonOpt = False,
) -> int:
    """Replay the whole game from its deal secret and compare everything.

    Anybody can do this once the game is over; until then only the referee, or the holder of a
    backup.
    """
    from referee.checking import conclusions
    from referee.checking.audit import audit as replay
    from referee.cli import keyring, records
    from referee.cli.longwork import compared
    from referee.playing.reader import secret_of
    from referee.render.text import overview
    from referee.table.signing import load

    if games is not None:
        # Few hosts want all their games at once.
        from referee.cli import manygames

        return manygames.audit_all(games, jobs, json=json)
    file, heads = load(game)
    secret, opener = secret_of(file, keyring.keys(referee_key, identity=identity))
    bots = partial(compared, jobs=jobs)
    done = [conclusions.SIGNED, *replay(file, heads, secret, opener, bots)]
    if json:
        terminal.document(overview.brief(file) | {"checked": done})
        return 0
    records.tell_checks(done)
    terminal.paragraph(conclusions.audited(file))
    terminal.say(("bold", f"{game}: "), overview.state_line(file))
    return 0
