"""`bot`: a program answers for a player: one of ours, or any that speaks our protocol."""

from typing import Annotated

import typer

from referee.bots.names import LEVELS
from referee.cli import completing
from referee.cli import options as opt
from referee.cli.usage import Usage, check_level
from referee.render.text import terminal

app = typer.Typer(rich_markup_mode=None)

NOTHING = 1


@app.command()
def bot(
    game: opt.GameArg,
    key: opt.KeyOpt = None,
    level: Annotated[
        str | None,
        opt.option(
            "--level",
            "LEVEL",
            f"The bot that answers: {', '.join(LEVELS)} (default: medium).",
            autocompletion=completing.listed(lambda: LEVELS),
        ),
    ] = None,
    engine: Annotated[
        str | None,
        opt.option(
            "--engine", "CMD", "A program of your own; `help engine` says what it reads and writes."
        ),
    ] = None,
    limit: Annotated[
        float,
        opt.option("--limit", "SECONDS", "How long the engine may take for an answer.", min=0.01),
    ] = 10.0,
    seat: opt.SeatOpt = None,
    identity: opt.IdentityOpt = None,
    output: opt.OutputOpt = None,
    referee_key: opt.RefereeKeyOpt = None,
    ledger: opt.LedgerOpt = None,
    commit: opt.CommitOpt = False,
    push: opt.PushOpt = False,
    now: opt.NowOpt = None,
    dry_run: opt.DryRunOpt = False,
) -> int:
    """Let a program answer what is asked of you, as `move` would: signed, and written or sent.

    The program is told what you see, and nothing else. If nothing is asked of you, or your answer
    is on its way, nothing is done, and the exit code is 1. Cron may run it with --push, or a mail
    program on each email: `bot -` reads one, and -o - prints the note. If the referee's key is on
    this machine, it goes on until others are asked.
    """
    from referee.bots.engine import words_of
    from referee.cli import keyring, turns
    from referee.cli.delivery import Delivery
    from referee.cli.newest import tell_newer
    from referee.cli.showing import unsent
    from referee.playing.botanswer import Answerer, answer
    from referee.playing.reader import player_of
    from referee.playing.turn import Turn
    from referee.table.decisions import NO_DECISION
    from referee.table.signing import load

    if level is not None and engine is not None:
        raise Usage("--level and --engine do not go together")
    if level is not None:
        check_level("--level", level, LEVELS)
    if engine is not None:
        words_of(engine)
    who = Answerer(level or "medium", engine or "", limit)
    options = opt.RefereeOptions(ledger, now, dry_run=dry_run)
    delivery = Delivery(game, output, commit, push, referee_key, options, goes_on=True)
    file = delivery.open(looks=True)
    before, code = -1, NOTHING
    while file.step != before:
        reader = player_of(file, keyring.keys(key, seat, identity, game))
        reader.check_seat()
        hand = reader.hand
        asked = hand is not None and hand.decision != NO_DECISION
        turn = Turn(file, reader) if asked or reader.seat is None else None
        left = unsent(game, file, reader)
        if turn is not None and left is not None:
            # It may have been written while nothing could be committed, or pushed.
            sent = delivery.send_again(left, turn.decision, patiently=True)
            if sent is not None:
                return sent
        if turn is None or turn.waits or left is not None:
            break
        tell_newer(game, file, decision=turn.decision)
        code = turns.hand_over(turn, answer(turn, who), delivery)
        if code or dry_run or delivery.key_at_once(file) is None:
            return code
        before = file.step
        file, _ = load(game)
    if code == NOTHING:
        terminal.warn("note", "nothing is asked of you, or your answer is on its way")
    return code
