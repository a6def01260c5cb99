"""`key`: which key will be used, making one, and the signers of a game for ssh-keygen."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.options import JsonOpt, argument, option, switch
from referee.cli.outputs import check_output
from referee.cli.usage import Usage
from referee.render.text import terminal

if TYPE_CHECKING:
    from referee.crypto.keys import PublicKey

app = typer.Typer(rich_markup_mode=None)

HELP = "see `sanjuan-ref key --help`"


@app.command()
def key(
    path: Annotated[
        Path | None,
        argument(
            "[FILE]",
            "A private key (default: $SANJUAN_KEY, ~/.config/sanjuan-ref/key, ~/.ssh/id_ed25519).",
        ),
    ] = None,
    make: Annotated[
        bool,
        switch("--make", "Make a new key: FILE and FILE.pub (default: ~/.config/sanjuan-ref/key)."),
    ] = False,
    explicit: Annotated[Path | None, option("--key", "FILE", "The same as FILE.")] = None,
    allowed_signers: Annotated[
        Path | None,
        option(
            "--allowed-signers",
            "GAME",
            "Print an allowed-signers file for GAME, for `ssh-keygen -Y verify -f`.",
        ),
    ] = None,
    json: JsonOpt = False,
) -> None:
    """Show the key that will be used, or make one.

    Where several are kept, the one that sits at the table plays. `join` takes the one that a seat
    is kept for, or asks which.
    """
    from referee.crypto.keyplace import default_path
    from referee.crypto.keys import PrivateKey, load_public_key
    from referee.errors import NoKey
    from referee.playing.reader import KeyOptions, kept_keys, own_place
    from referee.storage import make_private
    from referee.table.provenance import allowed_signers as signers_of
    from referee.table.signing import load

    if allowed_signers is not None:
        if make or path or explicit:
            raise Usage("--allowed-signers goes without a key", hint=HELP)
        file, _ = load(allowed_signers)
        signers = signers_of(file)
        if json:
            found = [signer._asdict() | {"key": signer.key.text} for signer in signers]
            terminal.document({"game": file.game, "signers": found})
        else:
            for name, spaces, key_ in signers:
                terminal.say(f'{name} namespaces="{",".join(spaces)}" {key_.text}')
        return
    if path is not None and explicit is not None:
        raise Usage("say the key once", hint=HELP)
    chosen = path or explicit
    if make:
        if chosen is None:
            chosen = default_path()
            make_private(chosen.parent)
        check_output(chosen)
        if chosen.suffix == ".pub":
            raise Usage(
                f"{chosen} is a name for a public key",
                hint=f"name the private one, {chosen.with_suffix('')}; its .pub is made with it",
            )
        PrivateKey.generate().save(chosen, "sanjuan-ref")
    options = KeyOptions(chosen)
    kept = [] if options.is_named else kept_keys()
    try:
        chosen = own_place(options)
    except NoKey:
        if not kept:
            raise
        chosen = kept[0][0]
    public = load_public_key(chosen)
    others = [one for one in kept if one[1] != public]
    if json:
        document = _document(chosen, public)
        if others:
            document["others"] = [_document(*one) for one in others]
        terminal.document(document)
        return
    terminal.say("key          ", ("bold", str(chosen)), "  (made; keep it to yourself)" * make)
    terminal.say(f"fingerprint  {public.fingerprint}")
    terminal.say(f"public key   {public.text}")
    if others:
        terminal.say()
        terminal.say(
            "There are others. At a table the one plays that sits there; `join` asks which."
        )
    for path_, public in others:
        terminal.say(f"key          {path_}")
        terminal.say(f"fingerprint  {public.fingerprint}")


def _document(path: Path, public: "PublicKey") -> dict[str, Any]:
    return {"path": str(path), "fingerprint": public.fingerprint, "public": public.text}
