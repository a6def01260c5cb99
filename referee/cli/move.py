"""`move`: its flags are the words of the games' plays, in the order in which they are given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from referee.cli.options import (
    GameArg,
    IdentityOpt,
    JsonOpt,
    KeyOpt,
    LedgerOpt,
    OutputOpt,
    RefereeKeyOpt,
    SeatOpt,
)

if TYPE_CHECKING:
    from referee.games.interface import Choice, Illegal, View
    from referee.table.gamefile import GameFile

app = typer.Typer(rich_markup_mode=None)

WORDS = "sanjuan-ref.words"
DEST = "word_"


class MoveCommand(TyperCommand):
    """A command that takes every word of every game as a flag."""

    def __init__(self, name: str | None, **attrs: Any) -> None:
        super().__init__(name, **attrs)
        from referee.games import words

        self.words: dict[str, str] = {}
        # Before the options about keys and files, because players look for these.
        at = next(i for i, param in enumerate(self.params) if param.name == "key")
        own = {opt for param in self.params for opt in param.opts}
        for word in words().values():
            if f"--{word.name}" not in own:
                dest = DEST + word.name.replace("-", "_")
                self.words[dest] = word.name
                self.params.insert(
                    at + len(self.words) - 1,
                    TyperOption(
                        param_decls=[dest, f"--{word.name}"],
                        is_flag=not word.takes,
                        multiple=bool(word.takes),
                        type=None if not word.takes else str,
                        metavar=word.takes or None,
                        help=word.help,
                        expose_value=False,
                        default=None if word.takes else False,
                        show_default=False,
                    ),
                )

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # The parser sorts values under their options; who said what when is in its third result.
        values, _, order = self.make_parser(ctx).parse_args(list(args))
        said: list[tuple[str, str]] = []
        seen: dict[str, int] = {}
        for param in order:
            if param.name in self.words:
                at = seen.get(param.name, 0)
                seen[param.name] = at + 1
                given = values[param.name]
                value = given[at] if isinstance(given, list) else ""
                said.append((self.words[param.name], value))
        ctx.meta[WORDS] = said
        return super().parse_args(ctx, args)


@app.command(cls=MoveCommand)
def move(
    ctx: typer.Context,
    game: GameArg,
    play: Annotated[
        str | None, typer.Option("--play", metavar="TEXT", help="The whole play in one text.")
    ] = None,
    key: KeyOpt = None,
    seat: SeatOpt = None,
    identity: IdentityOpt = None,
    output: OutputOpt = None,
    seal: Annotated[
        bool | None,
        typer.Option(
            "--seal/--no-seal",
            help="Whether only the referee can read the note (else: where answers are parallel).",
            show_default=False,
        ),
    ] = None,
    referee_key: RefereeKeyOpt = None,
    ledger: LedgerOpt = None,
    json: JsonOpt = False,
) -> int:
    """Answer what is asked of you: the play is checked, signed, and written as a note.

    Say the play in flags (--role trader; --build library --pay well) or whole (--play "…").
    Cards are named by name, the beginning of one, or letter. What has one answer may be left out.

    Where the referee's key is on this machine the move is applied at once, unless -o is given.
    """
    from referee.cli.access import player_of
    from referee.cli.flags import given, play_of
    from referee.games.interface import Illegal
    from referee.table import player
    from referee.table.signing import load

    said = ctx.meta[WORDS]
    if play is not None and said:
        raise typer.BadParameter("say the play in flags or with --play, not both")
    file, _ = load(game)
    reader = player_of(file, key, seat, identity)
    assert reader.seat is not None
    assert reader.key is not None
    decision = player.decision_of(file, reader.seat.name)
    assert reader.hand is not None
    view = player.view_of(file, reader.hand)
    try:
        chosen = _settled(view, play if play is not None else play_of(said), json)
    except Illegal as error:
        return _refused(game, file, error, view, given(key, identity), json)
    player.check_first(file, reader.key, decision, chosen)
    sealed = player.is_parallel(file, decision) if seal is None else seal
    note = player.write_move(file, reader.key, decision, chosen, sealed)
    return _deliver(game, file, decision, chosen, note, output, referee_key, ledger, json)


def _settled(view: View, text: str, quiet: bool) -> str:
    """The complete legal play that a text means; on a terminal, what is left open is asked."""
    from referee.games.interface import Illegal, Incomplete
    from referee.show import terminal

    asking = terminal.asks() and not quiet
    if not text:
        if not asking:
            raise Illegal("say what you play", choices=view.choices())
        text = _choose("What do you play?", view.choices())
    while True:
        try:
            return view.read(text)
        except Incomplete as error:
            if not asking or not error.choices:
                raise
            text = _choose(error.message, error.choices)


def _choose(question: str, choices: Any) -> str:
    """The play that the player picks by number, or types."""
    from referee.show import terminal

    terminal.offer(question, [(choice.play, choice.note) for choice in choices])
    while True:
        said = terminal.ask("Number, or the play: ")
        if not said:
            raise typer.Abort
        if not said.isdecimal():
            return said
        if 0 < int(said[:9]) <= len(choices):
            choice: Choice = choices[int(said) - 1]
            if choice.exact:
                return choice.play
            terminal.warn("hint", f"type it with cards in place of capitals: {choice.play}")


def _refused(
    game: Path, file: GameFile, error: Illegal, view: View, more: list[str], json: bool
) -> int:
    """Say why the play is refused, and every answer that would not be, as a command."""
    from referee.cli.app import failure
    from referee.cli.flags import command
    from referee.show import overview, terminal
    from referee.table.replay import rules_for

    choices = error.choices or view.choices()
    words = {word.name: word for word in rules_for(file).words}
    answers = [(command(game, choice.play, words, more), choice) for choice in choices]
    if json:
        told = failure(error)
        told["choices"] = [{**choice._asdict(), "command": text} for text, choice in answers]
        terminal.document(told, error.exit_code)
        return error.exit_code
    terminal.complain(error)
    overview.commands(answers, error=True)
    return error.exit_code


def _deliver(
    game: Path,
    file: GameFile,
    decision: str,
    play: str,
    note: str,
    output: str | None,
    referee_key: Path | None,
    ledger: Path | None,
    json: bool,
) -> int:
    from referee.cli.access import referee_key_here
    from referee.cli.output import put
    from referee.show import terminal

    here = referee_key_here(file, referee_key) if output is None else None
    if here is not None:
        from referee.cli.access import unlock
        from referee.cli.referee import settle

        if not json:
            terminal.say(("bold", f"{decision}: {play}"))
            terminal.say("The referee's key is on this machine, so it is applied at once.")
        return settle(game, [("move", note.encode())], unlock(here), ledger, False, json)
    name = f"{file.game[:8]}-{decision}.move"
    path = put(note, output, game.with_name(name))
    if path is None:
        return 0
    if json:
        terminal.document({"note": str(path), "decision": decision, "play": play})
        return 0
    terminal.say(("bold", f"{decision}: {play}"))
    terminal.say(f"Send {path} to the referee, who runs:")
    terminal.say(f"  sanjuan-ref apply {game.name} {path.name}")
    return 0
