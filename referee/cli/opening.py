"""`new` and `join`: from an empty table to the deal."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import completing
from referee.cli.options import (
    ChoosesRules,
    CommitOpt,
    DeckOpt,
    EditionOpt,
    ExpansionOpt,
    GameArg,
    JsonOpt,
    KeyOpt,
    LedgerOpt,
    NowOpt,
    OutputOpt,
    PushOpt,
    RefereeKeyOpt,
    RefereeOptions,
    RuleOpt,
    RulesOpt,
    VariantOpt,
    Words,
)
from referee.cli.usage import Usage
from referee.games import DEFAULT, deck_template, rules_of

if TYPE_CHECKING:
    from referee.crypto.keys import PublicKey
    from referee.games.interface import GameError, Rules
    from referee.table.gamefile import GameFile
    from referee.table.times import Clock

GRACE = 1
VACATION = 28

app = typer.Typer(rich_markup_mode=None)


def _template(wanted: bool) -> None:
    if wanted:
        from referee.render.text import terminal

        terminal.verbatim(deck_template())
        raise typer.Exit


@app.command(cls=ChoosesRules)
def new(
    game: Annotated[Path, typer.Argument(metavar="GAME", help="The game file to be made.")],
    seat: Annotated[
        Words,
        typer.Option(
            "--seat",
            metavar="NAME[=KEY]",
            help="A seat, once for each; KEY (a .pub file or its content) reserves it.",
        ),
    ] = None,
    rules: RulesOpt = DEFAULT,
    edition: EditionOpt = None,
    expansion: ExpansionOpt = None,
    variant: VariantOpt = None,
    option: RuleOpt = None,
    title: Annotated[
        str | None, typer.Option("--title", metavar="TEXT", help="What you call this game.")
    ] = None,
    me: Annotated[
        str | None,
        typer.Option("--me", metavar="NAME", help="The seat that you play yourself, with --key."),
    ] = None,
    key: KeyOpt = None,
    shuffle_seats: Annotated[
        bool, typer.Option("--shuffle-seats", help="Seat the players in a dealt order.")
    ] = False,
    backup: Annotated[
        Words,
        typer.Option(
            "--backup",
            metavar="RECIPIENT",
            help="Who else can open the deal secret: age1… or an ssh-ed25519 key or .pub file.",
        ),
    ] = None,
    deck: DeckOpt = None,
    deck_template: Annotated[
        bool,
        typer.Option(
            "--deck-template",
            is_eager=True,
            callback=_template,
            help="Print a deck to change and give to --deck (Xanadu), and do nothing else.",
        ),
    ] = False,
    days: Annotated[
        int | None,
        typer.Option("--days", metavar="N", help="Every answer is due after so many days."),
    ] = None,
    late: Annotated[
        str | None,
        typer.Option(
            "--late",
            metavar="POLICY",
            help="For who is late: wait (the default), pass (where that is legal) or bot.",
            autocompletion=completing.listed(lambda: ("wait", "pass", "bot")),
        ),
    ] = None,
    grace: Annotated[
        int | None,
        typer.Option("--grace", metavar="N", help="How many days later that is done (else 1)."),
    ] = None,
    vacation: Annotated[
        int | None,
        typer.Option(
            "--vacation", metavar="N", help="How many days each seat may be away (else 28)."
        ),
    ] = None,
    referee_key: RefereeKeyOpt = None,
    ledger: LedgerOpt = None,
    now: NowOpt = None,
    json: JsonOpt = False,
) -> None:
    """Open a table. You referee it; the deal is bound now, the cards are dealt at the last join.

    The file names the version of the rules, and the game is played to its end under that one.
    """
    from referee.cli import keyring
    from referee.cli.public import public_line
    from referee.notes.forms import A_TITLE
    from referee.refereeing import commit
    from referee.render.text import overview, terminal
    from referee.storage import NotWritten
    from referee.table.opening import open_table
    from referee.table.times import current_time

    if not seat:
        raise Usage("name the seats: --seat ana --seat ben")
    seats = _with_me(seat, me)
    if title is not None and not A_TITLE.fits(title):
        raise Usage("--title takes one line of text", hint="see `sanjuan-ref new --help`")
    if game.exists():
        raise NotWritten(f"{game} exists already", "give another name, or move it away")
    chosen = chosen_rules(rules, edition, expansion, variant, option, deck)
    file = open_table(
        chosen,
        title if title is not None else chosen.title,
        [_seat(text) for text in seats],
        keyring.referee_key(referee_key),
        backups=[public_line(text) for text in backup or []],
        shuffle_seats=shuffle_seats,
        me=(me, keyring.keys(key).own()) if me is not None else None,
        clock=_clock(days, late, grace, vacation),
        now=now or current_time(),
    )
    commit.begin(game, file, keyring.referee_key(referee_key), ledger)
    if json:
        terminal.document(overview.document(file))
        return
    overview.header(file, chosen)
    overview.open_seats(file)
    terminal.say()
    free = [one.name for one in file.seats if not one.joined]
    if len(free) == 1:
        terminal.say(f"Send {game} to {free[0]}, who takes the seat with:")
    else:
        terminal.say(f"Send {game} to the players. Each takes a seat with one of:")
    for name in free:
        terminal.say(f"  sanjuan-ref join {quote(game.name)} --seat {name}")


def chosen_rules(
    game: str,
    edition: str | None,
    expansion: Words,
    variant: Words,
    option: Words,
    deck: Path | None,
) -> Rules:
    """The rules that the flags of `new` name."""
    from referee.notes.finding import decode
    from referee.storage import read_limited
    from referee.table.gamefile import MAX_FILE

    return rules_of(game).choose(
        edition,
        expansion or [],
        variant or [],
        dict(_pair(text) for text in option or []),
        None if deck is None else decode(read_limited(deck, MAX_FILE)),
    )


def _clock(
    days: int | None, late: str | None, grace: int | None, vacation: int | None
) -> Clock | None:
    from referee.table.times import WAIT, policy

    if days is None:
        for flag, given in (("--late", late), ("--grace", grace), ("--vacation", vacation)):
            if given is not None:
                raise Usage(f"{flag} goes with --days", hint="see `sanjuan-ref new --help`")
        return None
    if grace is not None and late in (None, WAIT):
        raise Usage("--grace goes with --late pass or bot", hint="see `sanjuan-ref new --help`")
    days_of_grace = GRACE if grace is None else grace
    away = VACATION if vacation is None else vacation
    return policy(days, late or WAIT, days_of_grace, away)


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise Usage(f"--option takes NAME=VALUE, not {text!r}", hint="see `sanjuan-ref new --help`")
    return name, value


def _with_me(seats: list[str], me: str | None) -> list[str]:
    """Return the seats as they were given, and before them that of a host who named it alone."""
    from referee.table.seatnames import meant

    names = [text.partition("=")[0] for text in seats]
    if me is None or me in names:
        return seats
    like = meant(me, names)
    if like:
        # A slip of the finger must not open another seat.
        hint = f"{like} If not, add --seat {quote(me)}"
        raise Usage(f"--me: there is no seat {me!r}", hint=hint)
    return [me, *seats]


def _seat(text: str) -> tuple[str, PublicKey | None]:
    from referee.cli.public import public_line
    from referee.crypto.keys import PublicKey

    name, sign, of = text.partition("=")
    return name, PublicKey.parse(public_line(of)) if sign else None


@app.command()
def join(
    game: GameArg,
    seat: Annotated[str | None, typer.Option("--seat", metavar="NAME", help="The seat.")] = None,
    key: KeyOpt = None,
    seal: Annotated[
        str,
        typer.Option(
            "--seal",
            metavar="RECIPIENT",
            help="An age1… that your hand is sealed to, in place of your SSH key.",
        ),
    ] = "",
    output: OutputOpt = None,
    referee_key: RefereeKeyOpt = None,
    ledger: LedgerOpt = None,
    commit: CommitOpt = False,
    push: PushOpt = False,
    json: JsonOpt = False,
) -> int:
    """Write the note with which you take a seat.

    With it you accept the terms in the game file, and add your part to the shuffle. Joining twice
    gives the same note. Where the referee's key is on this machine it is applied at once, unless
    -o is given.
    """
    from referee.cli import keyring
    from referee.cli.delivery import Delivery
    from referee.cli.public import public_line
    from referee.playing.outgoing import Outgoing
    from referee.table.opening import sign_join
    from referee.table.signing import load

    options = RefereeOptions(ledger)
    delivery = Delivery(game, output, commit, push, referee_key, options, json)
    delivery.begin()
    file, _ = load(game)
    signer = keyring.keys(key).own()
    if seat is None:
        mine = file.seat_of(signer.public)
        free = [one.name for one in file.seats if one.key is None]
        if mine is None and len(free) != 1:
            raise _which_seat(file, game, free, key)
        seat = mine.name if mine is not None else free[0]
    signed = sign_join(file, seat, signer, public_line(seal) if seal else "")
    return delivery.deliver(file, Outgoing(signed, seat, {"seat": seat}))


def _which_seat(file: GameFile, game: Path, free: list[str], key: Path | None) -> GameError:
    from referee.cli.flags import given, shown
    from referee.errors import Stale

    if file.status != "open":
        return Stale("this table is no longer open", reason="not-open")
    if not free:
        return Stale("no seat is free", "look at `sanjuan-ref show`", reason="seat-taken")
    return Usage(
        f"which seat? Free are {', '.join(free)}",
        hint=shown(["sanjuan-ref", "join", str(game), "--seat", free[0], *given(key, None)]),
    )
