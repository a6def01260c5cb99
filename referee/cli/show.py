"""`show`: the command that players type most."""

from typing import Annotated

import typer

from referee.cli import completing
from referee.cli import options as opt
from referee.cli.flags import key_options
from referee.render.text import terminal

app = typer.Typer(rich_markup_mode=None)


@app.command()
def show(
    game: opt.GameArg,
    key: opt.KeyOpt = None,
    seat: opt.SeatOpt = None,
    identity: opt.IdentityOpt = None,
    card: Annotated[
        list[str] | None,
        opt.option(
            "--card",
            "CARD",
            "Only what a card does; may be repeated.",
            autocompletion=completing.cards,
        ),
    ] = None,
    cards: Annotated[bool, opt.switch("--cards", "Say what each card in your hand does.")] = False,
    hint: Annotated[
        bool, opt.switch("--hint", "Say what a bot would play in your place, from what you see.")
    ] = False,
    plain: opt.PlainOpt = False,
    json: opt.JsonOpt = False,
) -> None:
    """The table, your hand, what is asked of you, and the command for each kind of answer.

    Without a key that holds a seat you see what everybody sees.
    """
    from referee.cli import keyring, showing
    from referee.cli.newest import tell_newer
    from referee.playing.reader import reader_of
    from referee.playing.shared import is_shared
    from referee.table.rules import rules_for
    from referee.table.signing import load

    if plain:
        terminal.read_out()
    file, _ = load(game)
    rules = rules_for(file)
    if card:
        # A table is shown far more often than a card.
        from referee.render.text import cards as cardtexts

        names = [rules.called(name) for name in card]
        if json:
            terminal.document(cardtexts.document(rules, names))
        else:
            cardtexts.cards(rules, names)
        return
    reader = reader_of(file, keyring.keys(key, seat, identity, game))
    named = seat if key is None and reader.key is not None else None
    more = key_options(key, identity, named)
    advised = None
    if hint:
        # Bots are slow to import.
        from referee.cli import hints

        advised = hints.hint(file, reader)
    if json:
        reader.check_seat()
        document = showing.document(game, file, rules, reader, more)
        if advised is not None:
            document["hint"] = advised._asdict()
        terminal.document(document)
        return
    tell_newer(game, file)
    terminal.fitted(lambda: showing.tell(game, file, rules, reader, more, cards))
    if advised is not None:
        hints.tell_with_command(advised, game, rules, reader, more)
    if is_shared(game) and file.status in ("open", "playing"):
        showing.tell_refused(game, file, reader)
        showing.tell_age(game)
    # A key was named for more than everybody sees, and there is no more.
    reader.check_seat()
