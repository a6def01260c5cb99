"""`move`: its flags are the words of the games' plays, in the order in which they are given."""

from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from referee.cli import options as opt
from referee.cli.completing import clauses, values_of
from referee.cli.flags import LETTER, key_options
from referee.cli.usage import TYPED_WORDS, Usage, UsageProblem
from referee.games import words
from referee.games.values import Phrase
from referee.notes.forms import MOST_ANSWERS

if TYPE_CHECKING:
    from referee.games.values import Word
    from referee.playing.planning import Planner

app = typer.Typer(rich_markup_mode=None)

DEST = "word_"


EXAMPLES = {"PLOT": "1,3", "CARD": "a,b,d", "CARD SEAT PLOT": "'a ana 1, b ben 3'"}
"""Several values of one flag, by what a value is."""


def _explained(word: "Word") -> str:
    text = f"{word.help[:1].upper()}{word.help[1:]}"
    example = EXAMPLES.get(word.takes) if word.several else ""
    return f"{text}; several: --{word.name} {example}." if example else f"{text}."


class MoveCommand(TyperCommand):
    """A command that takes every word of every game as a flag."""

    def __init__(self, name: str | None, **attrs: Any) -> None:
        super().__init__(name, **attrs)
        self.words: dict[str, str] = {}
        # Cards may be typed in capitals; these words stand for others.
        self.blanks = {LETTER}
        self._add_words(installed=False)

    def _add_words(self, installed: bool) -> bool:
        """Make options of the words of all games. Return True if there are any new ones."""
        known = len(self.words)
        # Before the options about keys and files, because players look for these.
        at = next(i for i, param in enumerate(self.params) if param.name == "key")
        own = {opt for param in self.params for opt in param.opts}
        for word in words(installed).values():
            if f"--{word.name}" not in own:
                dest = DEST + word.name.replace("-", "_")
                self.words[dest] = word.name
                self.blanks.update(word.takes.split())
                self.params.insert(
                    at + len(self.words) - known - 1,
                    TyperOption(
                        param_decls=[dest, f"--{word.name}"],
                        is_flag=not word.takes,
                        multiple=bool(word.takes),
                        type=None if not word.takes else str,
                        metavar=repr(word.takes) if " " in word.takes else word.takes or None,
                        help=_explained(word),
                        expose_value=False,
                        autocompletion=values_of(word.name, word.takes) if word.takes else None,
                        default=None if word.takes else False,
                        show_default=False,
                    ),
                )
        return len(self.words) > known

    def format_help(self, ctx: Any, formatter: Any) -> None:
        self._add_words(installed=True)
        super().format_help(ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # The parser sorts values under their options; who said what when is in its third result.
        try:
            values, _, order = self.make_parser(ctx).parse_args(list(args))
        except UsageProblem as error:
            # To look for games that are installed beside the program takes time.
            if type(error).__name__ == "NoSuchOption" and self._add_words(installed=True):
                return self.parse_args(ctx, args)
            error.ctx = ctx
            raise
        said: list[Phrase] = []
        seen: dict[str, int] = {}
        for param in order:
            if param.name in self.words:
                at = seen.get(param.name, 0)
                seen[param.name] = at + 1
                named = values[param.name]
                value = named[at] if isinstance(named, list) else ""
                blank = next(
                    (token for token in value.split(" ") if token.rstrip("….") in self.blanks), ""
                )
                if blank:
                    hint = "put a card, a plot or a name in its place"
                    raise Usage(f"{blank} stands for what you choose", ctx, hint=hint)
                if value.startswith("--"):
                    raise Usage(f"{param.opts[0]} must be followed by {param.metavar}", ctx)
                said.append(Phrase(self.words[param.name], value))
        ctx.meta[TYPED_WORDS] = said
        return super().parse_args(ctx, args)


@app.command(cls=MoveCommand)
def move(
    ctx: typer.Context,
    game: opt.GameArg,
    play: Annotated[str | None, opt.option("--play", "TEXT", "The whole play in one text.")] = None,
    then: Annotated[
        opt.Words,
        opt.option(
            "--then",
            "CLAUSE",
            "Plan what follows, in the same note: 'builder: library, else pass' (see `plan`).",
            autocompletion=clauses(),
        ),
    ] = None,
    key: opt.KeyOpt = None,
    seat: opt.SeatOpt = None,
    identity: opt.IdentityOpt = None,
    output: opt.OutputOpt = None,
    seal: Annotated[
        bool | None,
        opt.switch(
            "--seal/--no-seal",
            "Encrypt the note to the referee (default: only for parallel decisions).",
            show_default=False,
        ),
    ] = None,
    number: Annotated[
        int | None,
        opt.option(
            "--number",
            "N",
            "Which of your answers to this question it is, if that cannot be told from the files "
            "here: the highest counts.",
            min=1,
            max=MOST_ANSWERS,
            show_default=False,
        ),
    ] = None,
    referee_key: opt.RefereeKeyOpt = None,
    ledger: opt.LedgerOpt = None,
    commit: opt.CommitOpt = False,
    push: opt.PushOpt = False,
    now: opt.NowOpt = None,
    dry_run: opt.DryRunOpt = False,
    json: opt.JsonOpt = False,
) -> int:
    """Answer what is asked of you: the play is checked, signed, and written as a note.

    Say the play in flags (--role trader; --build library --pay well) or whole (--play "…").
    Name a card in full, by its first letters, or by letter. Leave out whatever has only one
    possible answer; where only one play is legal, nothing need be said. For several cards or plots
    repeat a flag, or put commas between them: --pay well --pay crane, --pay well,crane.

    What your answer asks of yourself can be answered with it: --role builder --build library. Cards
    are named then, as they have no letters yet. With --then the note has a plan for what follows:
    --role builder --then "builder: library, else pass". Repeat it for several clauses.

    An answer that waits for those of others can be changed: answer again, and the new note takes
    the place of the one before, unless that has taken effect by then.

    Where the referee's key is on this machine the move is applied at once, unless -o is given.
    """
    from referee.cli import keyring, turns
    from referee.cli.delivery import Delivery
    from referee.cli.newest import tell_newer
    from referee.playing.reader import player_of
    from referee.playing.turn import Turn

    said: list[Phrase] = ctx.meta[TYPED_WORDS]
    if play is not None and said:
        raise Usage("say the play in flags or with --play, not both", ctx)
    options = opt.RefereeOptions(ledger, now, dry_run=dry_run)
    delivery = Delivery(game, output, commit, push, referee_key, options, json, number=number)
    file = delivery.open(looks=True)
    reader = player_of(file, keyring.keys(key, seat, identity, game))
    turn = Turn(file, reader)
    tell_newer(game, file, json=json, decision=turn.decision)

    def planner() -> "Planner":
        # Most answers come without a plan.
        from referee.playing.planning import Planner

        return Planner(file, reader, identity)

    more = key_options(key, identity)
    return turns.move(turn, play or "", said, more, delivery, seal, turns.Then(then or (), planner))
