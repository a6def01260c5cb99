"""`due`, `expire` and `vacation`: who is late, what then, and who may be away."""

from datetime import date, timedelta
from shlex import quote
from typing import Annotated

import typer

from referee.bots.names import a_spoken
from referee.cli import options as opt
from referee.cli.usage import Usage
from referee.errors import counted
from referee.render.text import terminal

app = typer.Typer(rich_markup_mode=None)


def day(text: str) -> date:
    """Return the day that a flag says."""
    # Only one command of three needs it.
    from referee.notes.forms import read_day

    try:
        return read_day(text)
    except ValueError:
        raise typer.BadParameter("write the day as 2026-12-24") from None


@app.command()
def due(
    game: opt.GameArg,
    games: opt.GamesOpt = None,
    now: opt.NowOpt = None,
    json: opt.JsonOpt = False,
) -> int:
    """List who owes an answer, when it is due, and what is overdue."""
    from referee.cli.overdue import grace_end
    from referee.render.text import overview
    from referee.table import clock, times
    from referee.table.signing import load

    now = now or times.current_time()
    if games is not None:
        # Few hosts want all their games at once.
        from referee.cli import manygames

        return manygames.due(games, now, json=json)
    file, _ = load(game)
    late = clock.overdue_decisions(file, now)
    if json:
        owed = [
            {"id": id_, "seat": seat}
            | ({"due": times.format_time(file.due[id_])} if id_ in file.due else {})
            | {"late": id_ in late}
            for id_, seat, arrived in overview.waiting(file)
            if not arrived
        ]
        terminal.document(overview.brief(file) | {"now": times.format_time(now), "owed": owed})
        return 0
    owing = clock.owed_decisions(file)
    if file.clock is None and owing:
        terminal.paragraph(f"No deadlines in this game. Waiting for: {', '.join(owing)}.")
    if file.now is not None and file.now > now + timedelta(hours=1):
        written = times.format_time(file.now)
        terminal.say(
            ("bad", f"The file says that it was written at {written}, which is in the future.")
        )
    for id_ in owing if file.clock is not None else ():
        terminal.say(f"  {id_:<22} ", overview.due_piece(file, id_, now))
    if not file.asked:
        terminal.say(overview.state_line(file))
    elif late and file.clock is not None and file.clock.acts:
        wait = "" if now > grace_end(file) else f" from {times.readable_time(grace_end(file))} on,"
        text = f"The referee answers for overdue seats, as was agreed,{wait} with:"
        terminal.paragraph(text)
        terminal.say(f"  sanjuan-ref expire {quote(str(game))}")
    return 0


@app.command()
def expire(
    game: opt.ChangedGameArg,
    games: opt.GamesOpt = None,
    jobs: opt.JobsOpt = None,
    referee_key: opt.RefereeKeyOpt = None,
    ledger: opt.LedgerOpt = None,
    override_ledger: opt.OverrideOpt = False,
    now: opt.NowOpt = None,
    override_clock: opt.ClockOpt = False,
    dry_run: opt.DryRunOpt = False,
    json: opt.JsonOpt = False,
) -> int:
    """Answer for overdue seats, as the table agreed (`new --late`).

    They are answered for only once the time of grace has passed; an overdue player carries on with
    the next question.
    """
    from referee.cli import applying, keyring
    from referee.cli.overdue import why_not
    from referee.refereeing import commit
    from referee.render.text import overview
    from referee.table import times

    at, key = now or times.current_time(), keyring.referee_key(referee_key)
    if games is not None:
        # Few hosts want all their games at once.
        from referee.cli import manygames

        if ledger is not None or override_ledger:
            raise Usage("a ledger is that of one game, so it does not go with --games")
        options = opt.RefereeOptions(None, at, any_time=override_clock, dry_run=dry_run)
        return manygames.expire(games, key, at, options, jobs, json=json)
    options = opt.RefereeOptions(ledger, now, override_ledger, override_clock, dry_run)
    with applying.open_for(game, key, options) as opened:
        applying.remarks(opened)
        answered = commit.expire(opened, at)
    said = [{"decision": decision, "play": play} for decision, play in answered]
    if json and not dry_run:
        terminal.document(applying.summary(game, opened) | {"answered": said})
        return 0
    for decision, play in answered if not json else ():
        by = "as was agreed on" if play == "pass" else f"by {a_spoken(opened.file.bot)}"
        terminal.say(("bold", f"{decision}: {play}"), f"  late; {by}")
    if dry_run:
        # Seats are seldom only looked at.
        from referee.cli.rehearsal import tell_state

        if not answered and not json:
            terminal.paragraph(why_not(opened.file, at))
        tell_state(opened, {"answered": said}, changed=bool(answered), json=json)
        return 0
    if answered:
        terminal.say(("bold", f"{game}: "), overview.state_line(opened.file))
        applying.tell_next(game, opened)
    else:
        terminal.paragraph(why_not(opened.file, at))
    return 0


@app.command()
def vacation(
    game: opt.GameArg,
    until: Annotated[
        date, opt.option("--until", "DAY", "The last day, e.g. 2026-12-24.", parser=day)
    ],
    first: Annotated[
        date | None,
        opt.option("--from", "DAY", "The first day, e.g. 2026-12-20 (default: today).", parser=day),
    ] = None,
    key: opt.KeyOpt = None,
    output: opt.OutputOpt = None,
    referee_key: opt.RefereeKeyOpt = None,
    ledger: opt.LedgerOpt = None,
    commit: opt.CommitOpt = False,
    push: opt.PushOpt = False,
    now: opt.NowOpt = None,
    dry_run: opt.DryRunOpt = False,
    json: opt.JsonOpt = False,
) -> int:
    """Write a note saying you will be away: your clock stops on those days (of UTC, or of the
    offset that the table has agreed on).

    Questions already asked keep their due time.
    """
    from referee.cli import keyring
    from referee.cli.delivery import Delivery
    from referee.playing import player
    from referee.playing.outgoing import Outgoing
    from referee.playing.reader import signer_of
    from referee.table.clock import still_due
    from referee.table.clock import today as today_at
    from referee.table.times import current_time

    options = opt.RefereeOptions(ledger, now, dry_run=dry_run)
    delivery = Delivery(game, output, commit, push, referee_key, options, json)
    file = delivery.open()
    signer = signer_of(file, keyring.keys(key, game=game))
    seat = player.my_seat(file, signer.public)
    at = now or current_time()
    today = today_at(file.clock, at)
    if until < today:
        raise Usage(f"--until {until} is in the past", hint="see `sanjuan-ref vacation --help`")
    first = first or today
    if until < first:
        raise Usage("--until is before --from: the vacation would end before it begins")
    signed = player.sign_vacation(file, seat, signer, first, until)
    days = (until - first) // timedelta(days=1) + 1
    told = (
        ("bold", f"{seat.name} will be away from {first} to {until}"),
        f"  ({counted(days, 'day')}) once the referee has applied this note"
        f"{still_due(file, seat.name, at)}",
    )
    about = {"seat": seat.name, "from": str(first), "until": str(until)}
    return delivery.deliver(file, Outgoing(signed, f"{seat.name}-{first}", about), told)
