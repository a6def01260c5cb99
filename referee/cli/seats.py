"""`transfer`: a seat that gets another key, or goes to somebody else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import (
    CommitOpt,
    GameArg,
    JsonOpt,
    KeyOpt,
    LedgerOpt,
    NowOpt,
    OutputOpt,
    PushOpt,
    RefereeKeyOpt,
    Time,
)

if TYPE_CHECKING:
    from referee.crypto.keys import PublicKey
    from referee.table.gamefile import GameFile

app = typer.Typer(rich_markup_mode=None)


@app.command()
def transfer(
    game: GameArg,
    seat: Annotated[str, typer.Option("--seat", metavar="NAME", help="The seat.")],
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="KEY",
            help="The key that it is to have: a .pub file or its content (else your own).",
        ),
    ] = None,
    seal: Annotated[
        str,
        typer.Option(
            "--seal",
            metavar="RECIPIENT",
            help="An age1… that hands are to be sealed to, in place of that key.",
        ),
    ] = "",
    key: KeyOpt = None,
    output: OutputOpt = None,
    referee_key: RefereeKeyOpt = None,
    ledger: LedgerOpt = None,
    commit: CommitOpt = False,
    push: PushOpt = False,
    now: NowOpt = None,
    json: JsonOpt = False,
) -> int:
    """Write the note with which you agree that a seat gets another key.

    The old key and the new one have to sign; where the old one is lost, all other seats and the
    new one (and the referee, where only one other seat is left). It takes effect with the last.
    """
    from referee.cli.access import my_key
    from referee.cli.output import Git, Referee, deliver
    from referee.cli.public import public_line
    from referee.crypto.keys import PublicKey
    from referee.playing import player
    from referee.table.signing import load

    git = Git(commit, push)
    git.begin(game, output)
    file, _ = load(game)
    signer = my_key(key)
    new = PublicKey.parse(public_line(to)) if to is not None else signer.public
    note = player.write_transfer(file, seat, signer, new, public_line(seal) if seal else "")
    _is_of_use(file, seat, new)
    told = (("bold", f"{seat} gets the key {new.fingerprint}"),)
    # One file a signer, or the notes of two people would have the same name.
    beside = game.with_name(f"{file.game[:8]}-{seat}-{signer.public.hex[:8]}.transfer")
    what = {"seat": seat, "key": new.text}
    referee = Referee(referee_key, ledger, Time(now))
    return deliver(note, output, beside, game, file, what, told, referee, git, note, json)


def _is_of_use(file: GameFile, seat: str, new: PublicKey) -> None:
    """Raises Stale, AlreadyApplied or BadSignature where no referee would take the note."""
    from referee.errors import AlreadyApplied, BadSignature, Stale

    if file.status == "open":
        raise Stale(
            "nothing has been dealt yet, so there is no seat to hand over",
            "whoever has joined plays from the key of that join; open another table otherwise",
            reason="open",
        )
    if file.status != "playing":
        raise Stale("the game is over", reason="game-over")
    holder = file.seat_of(new)
    if holder is not None and holder.name == seat:
        raise AlreadyApplied(f"{seat} has this key already", "name another one with --to")
    if holder is not None:
        raise BadSignature(
            f"this key sits at {holder.name} already", "one key, one seat: use another key"
        )
