"""`transfer`, `leave`, `vote`: whose a seat is, if it plays, and if the game goes on."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import completing
from referee.cli import options as opt

if TYPE_CHECKING:
    from referee.cli.delivery import Delivery
    from referee.notes.kinds import Leave, Vote
    from referee.table.gamefile import GameFile

app = typer.Typer(rich_markup_mode=None)


@app.command()
def transfer(
    game: opt.GameArg,
    seat: Annotated[
        str,
        opt.option(
            "--seat",
            "NAME",
            "The seat that is to get another key.",
            autocompletion=completing.seats,
        ),
    ],
    to: Annotated[
        str | None,
        opt.option(
            "--to", "KEY", "The new key: a .pub file or its content (default: your own key)."
        ),
    ] = None,
    seal: Annotated[
        str,
        opt.option(
            "--seal", "RECIPIENT", "Seal hands to this age recipient (age1…) instead of that key."
        ),
    ] = "",
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
    """Write a note agreeing that a seat gets another key.

    Both keys must sign. If the old key is lost, the new key and every other seat must sign (plus
    the referee if only one other seat is left). The transfer takes effect with the last signature.
    """
    from referee.cli import consents, keyring
    from referee.cli.delivery import Delivery
    from referee.cli.public import public_line
    from referee.crypto.keys import PublicKey
    from referee.crypto.sealing import canonical_recipient
    from referee.playing import player
    from referee.playing.outgoing import Outgoing
    from referee.playing.reader import referee_key_here
    from referee.table import transfer as transfers
    from referee.table.gamefile import Consent

    options = opt.RefereeOptions(ledger, now, dry_run=dry_run)
    delivery = Delivery(game, output, commit, push, referee_key, options, json)
    file = delivery.open()
    signer = keyring.keys(key).own()
    new = PublicKey.parse(public_line(to)) if to is not None else signer.public
    recipient = canonical_recipient(public_line(seal)) if seal else ""
    signed = player.sign_transfer(file, seat, signer, new, recipient)
    player.check_transfer(file, seat, new, recipient)
    # One file a signer, or the notes of two people would have the same name.
    name = f"{seat}-{signer.public.hex[:8]}"
    note = Outgoing(signed, name, {"seat": seat, "key": new.text})
    applied = not delivery.git and output is None and referee_key_here(file, referee_key)
    told = f"{seat} is to get the key {new.fingerprint}"
    if (holder := file.seat_of(new)) is not None and holder.name == seat:
        told = f"{seat}'s hands are to be sealed to {recipient or 'its own key'}"
    code = delivery.deliver(file, note, [("bold", told)])
    if not code and not json and not applied and output != "-":
        consent = Consent(signer.public, file.step, signed.raw64)
        consents.tell_missing(game, file, transfers.agreed(file, seat, new, recipient, consent))
    return code


SeatOpt = Annotated[
    str | None,
    opt.option(
        "--seat",
        "NAME",
        "Your seat (default: that of your key).",
        autocompletion=completing.seats,
    ),
]
ReturnOpt = Annotated[
    bool, opt.switch("--back", "Come back: answer again yourself, from the next question on.")
]
BackOpt = Annotated[bool, opt.switch("--back", "Take your vote back.")]


@app.command()
def leave(
    game: opt.GameArg,
    seat: SeatOpt = None,
    back: ReturnOpt = False,
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
    """Leave your seat, for a while or for good: the table's bot answers for it, at once.

    This writes the note that says so. The seat stays yours: you can look at your hand, and with
    --back you answer again yourself, from the next question on. A game that all have left ends:
    on a terminal, the last who plays is asked first.
    """
    from referee.cli.delivery import Delivery
    from referee.notes.kinds import Leave

    options = opt.RefereeOptions(ledger, now, dry_run=dry_run)
    delivery = Delivery(game, output, commit, push, referee_key, options, json)
    return _stand(delivery, Leave, seat, key, back=back)


@app.command()
def vote(
    game: opt.GameArg,
    seat: SeatOpt = None,
    back: BackOpt = False,
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
    """Vote for the end of the game, here and without a winner.

    This writes the note that says so. Everybody sees your vote, and --back takes it back. The game
    ends when all who have not left have voted for it; then everybody can see how it was dealt. On a
    terminal, the last whose vote is missing is asked first.
    """
    from referee.cli.delivery import Delivery
    from referee.notes.kinds import Vote

    options = opt.RefereeOptions(ledger, now, dry_run=dry_run)
    delivery = Delivery(game, output, commit, push, referee_key, options, json)
    return _stand(delivery, Vote, seat, key, back=back)


def _stand(
    delivery: "Delivery",
    made: "type[Vote | Leave]",
    name: str | None,
    key: Path | None,
    *,
    back: bool,
) -> int:
    # `transfer` needs other modules.
    from referee.bots.names import a_spoken
    from referee.cli import keyring
    from referee.errors import NotYours
    from referee.playing import player
    from referee.playing.outgoing import Outgoing
    from referee.playing.reader import signer_of
    from referee.table.seatnames import players_seat
    from referee.table.standing import Standing

    file = delivery.open()
    if name is not None:
        players_seat(file, name)
    signer = signer_of(file, keyring.keys(key, game=delivery.game))
    seat = player.my_seat(file, signer.public)
    if name not in (None, seat.name):
        raise NotYours(f"your key holds the seat of {seat.name}, not that of {name}")
    signed = player.sign_standing(file, seat, signer, made, back=back)
    play = made.plays[back]
    ends = not back and Standing.after(file).silent == [seat.name]
    if ends and not _ends_knowingly(file, delivery, made):
        return STAYED
    said = ENDS[play] if ends else SAID[play].format(bot=a_spoken(file.bot))
    told = (("bold", f"{seat.name} {said}"), " once the referee has applied this note")
    about = {"seat": seat.name, "play": play}
    return delivery.deliver(file, Outgoing(signed, f"{seat.name}-{file.step}-{play}", about), told)


def _ends_knowingly(file: "GameFile", delivery: "Delivery", made: "type[Vote | Leave]") -> bool:
    """Say that the game ends by this seat's note, and ask on a terminal; False to stay."""
    if delivery.json:
        return True
    # Most who leave leave others behind.
    from referee.render.text import prompt, terminal

    alone = len([one for one in file.seats if not one.bot]) == 1
    others = "nobody else but bots plays here" if alone else "all others have left or want the end"
    leaves = made.kind == "leave"
    told = f"{others}, so {'leaving' if leaves else 'your vote'} ends the game for good"
    if delivery.is_rehearsal or not terminal.asks():
        terminal.warn("note", told)
        return True
    terminal.paragraph(f"{told[:1].upper()}{told[1:]}. Without that it waits for you.")
    what = "Leave" if leaves else "Vote"
    if prompt.ask(f"{what} and end it? Type yes: ").lower() in ("y", "yes"):
        return True
    terminal.say("You stay; nothing was changed.")
    return False


STAYED = 1
SAID = {
    "end": "votes for the end of the game",
    "go-on": "takes the vote for the end back",
    "leave": "leaves, and {bot} answers",
    "back": "is back from the next question on",
}
ENDS = {
    "end": "votes for the end, and the game ends",
    "leave": "leaves, and the game ends",
}
