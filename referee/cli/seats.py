"""`transfer`: a seat that gets another key, or goes to somebody else."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli import options as opt

app = typer.Typer(rich_markup_mode=None)


@app.command()
def transfer(
    game: opt.GameArg,
    seat: Annotated[str, opt.option("--seat", "NAME", "The seat that is to get another key.")],
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
    signed = player.sign_transfer(file, seat, signer, new, public_line(seal) if seal else "")
    player.check_transfer(file, seat, new)
    # One file a signer, or the notes of two people would have the same name.
    name = f"{seat}-{signer.public.hex[:8]}"
    note = Outgoing(signed, name, {"seat": seat, "key": new.text})
    applied = not delivery.git and output is None and referee_key_here(file, referee_key)
    code = delivery.deliver(file, note, [("bold", f"{seat} is to get the key {new.fingerprint}")])
    if not code and not json and not applied and output != "-":
        consent = Consent(signer.public, file.step, signed.raw64)
        consents.tell_missing(game, file, transfers.agreed(file, seat, new, seal, consent))
    return code
