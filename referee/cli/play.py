"""`play`: the guided way. It shows the table, asks with menus, and hands over as `move` does."""

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import options as opt
from referee.cli.flags import key_options
from referee.cli.usage import Usage
from referee.render.text import terminal

if TYPE_CHECKING:
    from referee.cli.waiting import Unsent
    from referee.playing.reader import Reader

LEFT = 1

app = typer.Typer(rich_markup_mode=None)


@app.command()
def play(
    game: opt.GameArg,
    key: opt.KeyOpt = None,
    seat: opt.SeatOpt = None,
    identity: opt.IdentityOpt = None,
    output: opt.OutputOpt = None,
    referee_key: opt.RefereeKeyOpt = None,
    ledger: opt.LedgerOpt = None,
    commit: opt.CommitOpt = False,
    push: opt.PushOpt = False,
    now: opt.NowOpt = None,
    wait: Annotated[
        bool,
        opt.switch("--wait", "Stay after an answer, and ask again when the next question comes."),
    ] = False,
    every: Annotated[
        int,
        opt.option(
            "--every",
            "SECONDS",
            "How often to look, with --wait; over a network less often the longer nothing comes.",
            min=1,
        ),
    ] = 30,
    dry_run: opt.DryRunOpt = False,
    plain: opt.PlainOpt = False,
) -> int:
    """Look at the table and answer by choosing from menus, which list what is legal.

    Type numbers, names or whole plays; the up and down keys recall answers, and Tab completes; ?
    helps, q leaves and signs nothing. Whatever you choose is shown as the `move` command that does
    the same. Where the table takes plans, p adds one: your last, or the bot's.

    If the referee's key is on this machine, your next question follows at once. With --wait it
    follows when the game has gone on: in a clone others' pushes are fetched, and a Maildir or file
    is read again. Ctrl-C ends it, and so does the game.
    """
    from referee.cli import guide, keyring
    from referee.cli.applying import how_to_send
    from referee.cli.delivery import Delivery
    from referee.cli.newest import Missed
    from referee.games.errors import GameError
    from referee.playing.reader import player_of
    from referee.table.signing import load

    if not terminal.asks():
        raise Usage(
            "play asks its questions on a terminal", hint="elsewhere, use `show` and then `move`"
        )
    if wait and (dry_run or str(game) == "-"):
        other = "--dry-run" if dry_run else "standard input"
        raise Usage(f"--wait and {other} do not go together: nothing new would come")
    if plain:
        terminal.read_out()
    options = opt.RefereeOptions(ledger, now, dry_run=dry_run)
    delivery = Delivery(game, output, commit, push, referee_key, options, goes_on=True)
    delivery.begin()
    # `move` would be given these options as well.
    more = key_options(key, identity, seat)
    for name, value in (("--referee-key", referee_key), ("--ledger", ledger)):
        more += [name, str(value)] if value is not None else []
    more += delivery.way
    before: tuple[int, int] | None = None
    is_idle = False
    reader: Reader | None = None
    unsent: Unsent | None = None
    while True:
        file, _ = load(game)
        reached = file.step, sum(answer.number for answer in file.pending)
        # Without the referee nothing is new after an answer.
        if is_idle or reached == before:
            if not wait or reader is None or file.status not in ("open", "playing"):
                return 0
            # Needed with --wait alone.
            from referee.cli import waiting

            terminal.say("Waiting for your next question; Ctrl-C ends it.")
            terminal.flush()
            if not waiting.wait(game, file, reader, every, unsent):
                return 0
            before, is_idle, unsent = None, False, None
            continue
        begins = before is None
        applied = not begins and not delivery.git
        before = reached
        reader = player_of(file, keyring.keys(key, seat, identity, game))
        code: int | None = 1
        try:
            code = guide.play(file, reader, more, delivery, changes=begins, identity=identity)
        except Missed as late:
            terminal.say()
            terminal.warn("note", late.message)
            code, before = 0, None
        except GameError as failed:
            # Needed with --wait alone.
            from referee.cli import waiting

            if not (wait and push and waiting.passes(failed)):
                raise
            terminal.say()
            terminal.warn("note", f"{failed.message}; it is tried again")
            unsent = waiting.unsent_after(failed, file, reader, delivery)
            # An answer that could not even be written is asked for again.
            code, before = (None, reached) if unsent is not None else (0, None)
        finally:
            # The answers given before leaving are still to be sent.
            if applied and code != 0:
                terminal.say()
                terminal.say(how_to_send(game))
        if wait and code not in (None, 0, LEFT):
            # Why it was refused has been told, and the question is still there.
            code, before = 0, None
        if code or (code is None and not wait):
            return code or 0
        is_idle = code is None
        terminal.say()
