"""`move`: its flags are the words of the games' plays, in the order in which they are given."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from referee.cli.options import (
    CommitOpt,
    GameArg,
    IdentityOpt,
    JsonOpt,
    KeyOpt,
    LedgerOpt,
    NowOpt,
    OutputOpt,
    PushOpt,
    RefereeKeyOpt,
    SeatOpt,
    Time,
)
from referee.cli.usage import TYPED_WORDS, Usage, UsageProblem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.cli.access import Reader
    from referee.cli.output import Git, Referee
    from referee.games.interface import GameError, Illegal, Phrase, Rules, View, Word
    from referee.table.gamefile import GameFile
    from referee.table.hands import Hand

app = typer.Typer(rich_markup_mode=None)

DEST = "word_"
FEW = 8
"""So many answers are listed below a slip."""


class MoveCommand(TyperCommand):
    """A command that takes every word of every game as a flag."""

    def __init__(self, name: str | None, **attrs: Any) -> None:
        super().__init__(name, **attrs)
        from referee.cli.completing import values_of
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
                        metavar=repr(word.takes) if " " in word.takes else word.takes or None,
                        help=f"{word.help[:1].upper()}{word.help[1:]}.",
                        expose_value=False,
                        autocompletion=values_of(word.name, word.takes) if word.takes else None,
                        default=None if word.takes else False,
                        show_default=False,
                    ),
                )

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # The parser sorts values under their options; who said what when is in its third result.
        try:
            values, _, order = self.make_parser(ctx).parse_args(list(args))
        except UsageProblem as error:
            error.ctx = ctx
            raise
        from referee.cli.flags import LETTER
        from referee.games import words
        from referee.games.interface import Phrase

        # Cards may be typed in capitals; these words stand for others.
        blanks = {LETTER, *(one for word in words().values() for one in word.takes.split())}
        said: list[Phrase] = []
        seen: dict[str, int] = {}
        for param in order:
            if param.name in self.words:
                at = seen.get(param.name, 0)
                seen[param.name] = at + 1
                given = values[param.name]
                value = given[at] if isinstance(given, list) else ""
                blank = next((one for one in value.split(" ") if one.rstrip("….") in blanks), "")
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
    commit: CommitOpt = False,
    push: PushOpt = False,
    now: NowOpt = None,
    json: JsonOpt = False,
) -> int:
    """Answer what is asked of you: the play is checked, signed, and written as a note.

    Say the play in flags (--role trader; --build library --pay well) or whole (--play "…").
    Cards are named by name, the beginning of one, or letter. What has one answer may be left out.
    A flag that names a card or plot may be given once for each: --pay well --pay crane.

    Where the referee's key is on this machine the move is applied at once, unless -o is given.
    """
    from referee.cli.access import player_of
    from referee.cli.flags import given
    from referee.cli.output import Git, Referee
    from referee.games.interface import GameError, Illegal, NotUnderstood
    from referee.playing import player
    from referee.table import views
    from referee.table.replay import rules_for
    from referee.table.signing import load

    said: list[Phrase] = ctx.meta[TYPED_WORDS]
    if play is not None and said:
        raise Usage("say the play in flags or with --play, not both", ctx)
    git = Git(commit, push)
    git.begin(game, output)
    file, _ = load(game)
    reader = player_of(file, key, seat, identity)
    if reader.hand is None:
        raise no_hand(file)
    decision = player.decision_of(file, reader.hand.seat)
    view = views.view_of(file, reader.hand)
    rules = rules_for(file)
    waits = player.waits(file, decision)
    try:
        chosen = _settled(file, rules, reader.hand, view, play or "", said, json or waits)
    except GameError as error:
        # Which answers would be legal is of no use to somebody who has given one.
        if waits:
            raise player.answered(decision) from None
        if isinstance(error, NotUnderstood) and said:
            words = {word.name: word for word in rules.words}
            error.hint = _in_flags(error.hint, decision, words)
        if not isinstance(error, Illegal):
            raise
        empty = not (play or said)
        return _refused(game, file, error, view, empty, given(key, identity), json)
    referee = Referee(referee_key, ledger, Time(now))
    return hand_over(game, file, reader, decision, chosen, seal, output, referee, git, json)


def hand_over(
    game: Path,
    file: GameFile,
    reader: Reader,
    decision: str,
    chosen: str,
    seal: bool | None,
    output: str | None,
    referee: Referee,
    git: Git,
    json: bool,
) -> int:
    """Sign a legal play and send it, or apply it where the referee is here; the exit code.

    Raises AlreadyApplied or Stale when the decision is answered, NotWritten and GitFailed.
    """
    from referee.cli.output import deliver
    from referee.playing import player

    assert reader.key is not None
    assert reader.hand is not None
    player.check_first(file, reader.key, decision, chosen)
    sealed = player.is_parallel(file, decision) if seal is None else seal
    note = player.write_move(file, reader.key, decision, chosen, sealed)
    told = (("bold", f"{decision}: {chosen}"), ("dim", named(chosen, reader.hand)))
    beside = game.with_name(f"{file.game[:8]}-{decision}.move")
    what = {"decision": decision, "play": chosen}
    plain = player.write_move(file, reader.key, decision, chosen, False)
    return deliver(note, output, beside, game, file, what, told, referee, git, plain, json)


def no_hand(file: GameFile) -> GameError:
    from referee.errors import Damaged, Stale, not_dealt

    if file.status == "open":
        return not_dealt()
    if file.asked:
        return Damaged("the file asks, but holds no hand", "ask the referee for the file again")
    return Stale("the game is over", reason="game-over")


def _settled(
    file: GameFile,
    rules: Rules,
    hand: Hand,
    view: View,
    text: str,
    flags: Sequence[Phrase],
    quiet: bool,
) -> str:
    """The complete legal play that a text or flags mean; on a terminal, what is open is asked."""
    from referee.games.interface import Illegal, Incomplete
    from referee.render.text import overview, terminal

    asks = terminal.asks() and not quiet
    left: Incomplete | None = None
    if text or flags:
        try:
            return view.read(text, flags)
        except Incomplete as error:
            if not error.choices or not asks:
                raise
            left = error
    elif not asks:
        choices = view.choices()
        kind = "answer" if choices[0].exact else "kind of answer"
        only = f", and there is one {kind}" if len(choices) == 1 else ""
        raise Illegal(f"say what you play{only}", choices=choices)
    from referee.cli.asking import guided, helper

    # Standard output may be where the note goes.
    with redirect_stdout(sys.stderr):
        overview.hand_lines(file, rules, hand)
        terminal.say()
    words = {word.name: word for word in rules.words}
    return guided(view, words, f"What do you play? ({hand.decision})", helper(rules, view), left)


def _in_flags(hint: str, decision: str, words: Mapping[str, Word]) -> str:
    """What a play has to be, for somebody who types flags."""
    from referee.cli.flags import as_flags

    before, form, usage = hint.partition("a play here is: ")
    if not form:
        return hint
    return f"{before}you are asked {decision}, one answer at a time: {as_flags(usage, words)}"


def named(play: str, hand: Hand) -> str:
    """The cards behind the letters of a play, for the one who holds them."""
    cards = {card.label: card.name for card in hand.cards}
    names = [cards[token] for token in play.split(" ") if token in cards]
    return f"  ({', '.join(names)})" if names else ""


def _refused(
    game: Path,
    file: GameFile,
    error: Illegal,
    view: View,
    empty: bool,
    more: list[str],
    json: bool,
) -> int:
    """Say why the play is refused, and every answer that would not be, or where they are listed."""
    from referee.cli.advice import failure
    from referee.cli.flags import command, shown
    from referee.cli.show import as_flags, documents
    from referee.games.interface import Incomplete
    from referee.render.text import overview, terminal
    from referee.table.replay import rules_for

    choices = error.choices or view.choices()
    rules = rules_for(file)
    if json:
        told = failure(error)
        told["choices"] = documents(game, rules, choices, more)
        terminal.document(told, error.exit_code)
        return error.exit_code
    long = not empty and len(choices) > FEW and not isinstance(error, Incomplete)
    if long and not error.hint:
        error.hint = f"`{shown(['sanjuan-ref', 'show', str(game), *more])}` lists what you may play"
    terminal.complain(error)
    if long:
        return error.exit_code
    overview.commands(command(game, "", {}, more), as_flags(rules, choices), error=True)
    return error.exit_code
