"""`new` and `join`: from an empty table to the deal."""

import os
from pathlib import Path
from typing import Annotated

import typer

from referee.bots.names import LEVELS
from referee.cli import completing
from referee.cli import options as opt
from referee.cli.flags import key_options, sending, shell_join
from referee.cli.usage import Usage, typed
from referee.games import DEFAULT
from referee.games import deck_template as template
from referee.render.text import terminal

app = typer.Typer(rich_markup_mode=None)


def _template(wanted: bool) -> None:
    if wanted:
        terminal.verbatim(template())
        raise typer.Exit


@app.command(cls=opt.ChoosesRules)
def new(
    game: Annotated[Path, opt.place_argument("GAME", "The game file to create.")],
    seat: Annotated[
        opt.Words,
        opt.option(
            "--seat",
            "NAME[=KEY]",
            "A seat (repeat for each); KEY (a .pub file or its content) reserves it.",
        ),
    ] = None,
    bot: Annotated[
        opt.Words,
        opt.option(
            "--bot",
            "NAME=LEVEL",
            f"A seat that a program plays (repeat for each); levels: {', '.join(LEVELS)}; with a "
            "limit on its work as hard/40.",
        ),
    ] = None,
    like: Annotated[
        Path | None,
        opt.option(
            "--like",
            "FILE",
            "Seats, keys, rules and terms as in another game of yours; what else you say counts "
            "instead.",
        ),
    ] = None,
    rules: opt.RulesOpt = DEFAULT,
    edition: opt.EditionOpt = None,
    expansion: opt.ExpansionOpt = None,
    variant: opt.VariantOpt = None,
    option: opt.RuleOpt = None,
    title: Annotated[str | None, opt.option("--title", "TEXT", "A title for this game.")] = None,
    me: Annotated[
        str | None, opt.option("--me", "NAME", "The seat you play yourself, with --key.")
    ] = None,
    key: opt.KeyOpt = None,
    shuffle_seats: Annotated[
        bool, opt.switch("--shuffle-seats", "Draw the seating order at random.")
    ] = False,
    backup: Annotated[
        opt.Words,
        opt.option(
            "--backup",
            "RECIPIENT",
            "Also seal the deal secret to this recipient: age1…, an ssh-ed25519 key or a "
            ".pub file. Its private half audits the game with `audit --identity`.",
        ),
    ] = None,
    deck: opt.DeckOpt = None,
    deck_template: Annotated[
        bool,
        opt.switch(
            "--deck-template",
            "Print a template for --deck and exit.",
            is_eager=True,
            callback=_template,
        ),
    ] = False,
    days: Annotated[
        str | None,
        opt.option("--days", "N", "Days allowed for each answer; hours as 12h."),
    ] = None,
    late: Annotated[
        str | None,
        opt.option(
            "--late",
            "POLICY",
            "What happens when an answer is overdue: wait (the default), pass (where "
            f"legal), bot, or the level of a bot ({', '.join(LEVELS)}).",
            autocompletion=completing.listed(lambda: ("wait", "pass", "bot", *LEVELS)),
        ),
    ] = None,
    grace: Annotated[
        str | None,
        opt.option(
            "--grace",
            "N",
            "Days of grace before the referee answers, or hours as 6h (default: 1, but no longer "
            "than --days).",
        ),
    ] = None,
    vacation: Annotated[
        int | None, opt.option("--vacation", "N", "Days of vacation per seat (default 28).")
    ] = None,
    skip: Annotated[
        str | None,
        opt.option(
            "--skip",
            "WHAT",
            "When the clock stands still for all: weekends.",
            autocompletion=completing.listed(lambda: ("weekends",)),
        ),
    ] = None,
    utc_offset: Annotated[
        str | None,
        opt.option(
            "--utc-offset",
            "+HH:MM",
            "Where weekends and days of vacation begin at midnight (default: UTC).",
        ),
    ] = None,
    plans: Annotated[
        bool,
        opt.switch("--plans/--no-plans", "Let players answer ahead, with `plan` (the default)."),
    ] = True,
    ahead: Annotated[
        str | None,
        opt.option(
            "--ahead",
            "N",
            "How many of those whose turns come next are invited to plan them while others still "
            "think: 0 (the default), 1, or all.",
            autocompletion=completing.listed(lambda: ("0", "1", "all")),
        ),
    ] = None,
    hints: Annotated[
        str | None,
        opt.option(
            "--hints",
            "on|off",
            "Let programs advise players, by `show --hint` and `bot`: on (the default) or off.",
            autocompletion=completing.listed(lambda: ("on", "off")),
        ),
    ] = None,
    referee_key: opt.RefereeKeyOpt = None,
    ledger: opt.LedgerOpt = None,
    now: opt.NowOpt = None,
    dry_run: opt.DryRunOpt = False,
    json: opt.JsonOpt = False,
) -> None:
    """Open a table. You are the referee.

    The deal is fixed now; the cards are dealt when the last player joins. The whole game is played
    under the rules version named in the file.
    """
    from referee.cli import keyring, terms
    from referee.cli.public import public_line
    from referee.notes.forms import A_TITLE
    from referee.playing.shared import table_around
    from referee.refereeing import commit
    from referee.render.text import overview
    from referee.storage import NotWritten
    from referee.table.opening import open_table
    from referee.table.times import current_time

    model = terms.of_game(like, json=json) if like is not None else None
    if not seat and model is None:
        if me is None or not bot:
            raise Usage("name the seats: --seat ana --seat ben")
        seat = [me]
    me = me if me is not None or model is None or seat else model.me
    if title is not None and not A_TITLE.fits(title):
        raise Usage("--title takes one line of text", hint="see `sanjuan-ref new --help`")
    if game.exists():
        raise NotWritten(f"{game} already exists", "give another name, or move it away")
    said = opt.RulesOptions(rules, edition, expansion or (), variant or (), option or (), deck)
    if model is not None and said != opt.RulesOptions(DEFAULT, None, (), (), (), None):
        raise Usage("the rules are those of --like", hint="leave --like out to choose others")
    chosen = terms.choose(said) if model is None else model.rules
    # Typed words are looked at before any key is.
    bots = terms.bots(bot or [], chosen)
    held = dict(model.seats) if model is not None else {}
    kept = {name: of for name, of in held.items() if name != me and name not in bots}
    rows = [terms.seat(text, kept) for text in terms.with_host(seat, me)] if seat else []
    backups = [public_line(text) for text in backup or []]
    before = model.clock if model is not None else None
    agreed = terms.clock(days, late, grace, vacation, skip, utc_offset, before)
    late_bot = terms.late_bot(late, chosen)
    if model is not None:
        bots = bots if rows else model.bots | bots
        rows = rows or model.seats
        plans = plans and model.plans
        title = title if title is not None else model.title
        shuffle_seats = shuffle_seats or model.shuffle_seats
        late_bot = model.late_bot if late is None else late_bot
    rows += [(name, None) for name in bots if name not in dict(rows)]
    invited = terms.ahead(ahead, len(rows), plans=plans)
    advised = terms.hints(hints, model is None or model.hints)
    if ahead is None and model is not None and plans:
        invited = min(model.ahead, len(rows) - 1)
    signer = keyring.referee_key(referee_key, to_open=True)
    host = (me, keyring.keys(key).own()) if me is not None else None
    with typed():
        file = open_table(
            chosen,
            title if title is not None else chosen.title,
            rows,
            signer,
            backups=backups,
            shuffle_seats=shuffle_seats,
            me=host,
            clock=agreed,
            now=now or current_time(),
            plans=plans,
            ahead=invited,
            hints=advised,
            bots=bots,
            late_bot=late_bot,
        )
    commit.create_table(game, file, signer, ledger, dry_run=dry_run)
    free = [seat.name for seat in file.seats if seat.is_free]
    if not (free or dry_run):
        at = now or current_time()
        with commit.open_game(game, signer, ledger=ledger) as opened:
            commit.apply_notes(opened, [], at)
            commit.let_bots_go_on(opened, at)
            file = opened.file
    if json:
        terminal.document(({"dry_run": True} if dry_run else {}) | overview.document(file))
        return
    overview.header(file, chosen)
    if file.status == "open":
        overview.open_seats(file)
        terminal.say()
    if dry_run:
        terminal.say("Nothing was written. The table that you open will have an id of its own.")
        return
    if not free:
        terminal.say("Nobody else is to join, so the cards are dealt. Look, and answer:")
        more = key_options(key, None)
        for words in (["show", str(game), *more], ["play", str(game), *sending(game, more)]):
            terminal.say(f"  {shell_join(['sanjuan-ref', *words])}")
    elif len(free) == 1:
        terminal.say(f"Send {game} to {free[0]}, who takes the seat with:")
    else:
        terminal.say(f"Send {game} to the players. Each takes a seat with one of:")
    for name in free:
        words = ["sanjuan-ref", "join", game.name, "--seat", name, *sending(game, [])]
        terminal.pass_on(shell_join(words))
    table = table_around(game)
    if table is not None:
        where = table if game.is_absolute() else os.path.relpath(table)
        terminal.warn(
            "note",
            f"this repository is that of {where}, and nobody referees {game} in it: "
            "its notes go by hand or by email",
        )
        terminal.warn(
            "hint",
            "to play it through git make a repository of its own: `sanjuan-ref help git.md`",
        )


@app.command()
def join(
    game: opt.GameArg,
    seat: Annotated[
        str | None,
        opt.option("--seat", "NAME", "The seat.", autocompletion=completing.free_seats),
    ] = None,
    key: opt.KeyOpt = None,
    seal: Annotated[
        str,
        opt.option(
            "--seal",
            "RECIPIENT",
            "Seal your hand to this age recipient (age1…) instead of your SSH key.",
        ),
    ] = "",
    output: opt.OutputOpt = None,
    referee_key: opt.RefereeKeyOpt = None,
    ledger: opt.LedgerOpt = None,
    commit: opt.CommitOpt = False,
    push: opt.PushOpt = False,
    dry_run: opt.DryRunOpt = False,
    json: opt.JsonOpt = False,
) -> int:
    """Write the note that takes your seat.

    With it you accept the terms in the game file, and add your part to the shuffle. Joining twice
    gives the same note. If the referee's key is on this machine, the note is applied at once,
    unless -o is given.
    """
    from referee.cli import keyring, terms
    from referee.cli.delivery import Delivery
    from referee.cli.public import public_line
    from referee.playing.outgoing import Outgoing
    from referee.table.opening import sign_join

    options = opt.RefereeOptions(ledger, dry_run=dry_run)
    delivery = Delivery(game, output, commit, push, referee_key, options, json)
    recipient = public_line(seal) if seal else ""
    file = delivery.open()
    invited = terms.addressee(file, game) if seat is None else ""
    # An invitation says which seat is meant, unless a key that was named says that itself.
    keys = keyring.keys(key, seat or invited or None)
    signer = keys.to_join(file)
    told = []
    if seat is None:
        mine = file.seat_of(signer.public)
        free = [other.name for other in file.seats if other.key is None and not other.bot]
        seat = invited
        if mine is not None and (keys.is_named or not invited):
            seat = mine.name
        if not seat and len(free) != 1:
            raise terms.which_seat(file, game, free, [*key_options(key, None), *delivery.way])
        seat = seat or free[0]
        told = [("bold", f"You are {seat}.")]
    signed = sign_join(file, seat, signer, recipient)
    return delivery.deliver(file, Outgoing(signed, seat, {"seat": seat}), told)
