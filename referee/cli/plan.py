"""`plan`: answers given ahead. Its flags are the subjects of the games' languages of plans."""

import os
import re
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from referee.cli import completing
from referee.cli import options as opt
from referee.cli.flags import key_options
from referee.cli.usage import TYPED_WORDS, Usage, UsageProblem

app = typer.Typer(rich_markup_mode=None)

DEST = "subject_"


class PlanCommand(TyperCommand):
    """A command that takes every subject of every game's plans as a flag."""

    def __init__(self, name: str | None, **attrs: Any) -> None:
        super().__init__(name, **attrs)
        self.subjects: dict[str, str] = {}

    def _add_subjects(self) -> bool:
        """Make options of what can be planned in all games. Return True if there are any new ones.

        A plan that is in a file needs none of them.
        """
        # It takes time to know all games.
        from referee.cli.planned import subjects

        at = next(i for i, param in enumerate(self.params) if param.name == "clause")
        own = {name for param in self.params for name in param.opts}
        known = len(self.subjects)
        for subject, about in subjects().items():
            if f"--{subject}" not in own:
                dest = DEST + subject.replace("-", "_")
                self.subjects[dest] = subject
                self.params.insert(
                    at + len(self.subjects) - known - 1,
                    TyperOption(
                        param_decls=[dest, f"--{subject}"],
                        multiple=True,
                        type=str,
                        metavar="WISHES",
                        help=f"{about[:1].upper()}{about[1:]}.",
                        expose_value=False,
                        autocompletion=completing.clauses(subject),
                        default=None,
                        show_default=False,
                    ),
                )
        return len(self.subjects) > known

    def format_help(self, ctx: Any, formatter: Any) -> None:
        self._add_subjects()
        super().format_help(ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:
            # A shell that completes is to know all options.
            self._add_subjects()
        # The parser sorts values under their options; who said what when is in its third result.
        try:
            values, _, order = self.make_parser(ctx).parse_args(list(args))
        except UsageProblem as error:
            if type(error).__name__ == "NoSuchOption" and self._add_subjects():
                return self.parse_args(ctx, args)
            error.ctx = ctx
            raise
        first = values.get("game")
        if not ctx.resilient_parsing and isinstance(first, str) and _is_clause_alone(first):
            return self.parse_args(ctx, [_game_here(), *args])
        named: list[str] = []
        seen: dict[str, int] = {}
        for param in order:
            name = param.name or ""
            if self._is_clause(param):
                at = seen.get(name, 0)
                seen[name] = at + 1
                value = values[name][at]
                if value.startswith("--"):
                    raise Usage(f"{param.opts[0]} must be followed by {param.metavar}", ctx)
                subject = self.subjects.get(name)
                named.append(f"{subject}: {value}" if subject else value)
        # The first word by itself is the game.
        bare = list(values.get("clauses") or ())
        places = self._order(ctx, args)
        if (places.count(True), places.count(False)) == (len(named), len(bare)):
            queues = {True: iter(named), False: iter(bare)}
            ctx.meta[TYPED_WORDS] = [next(queues[is_named]) for is_named in places]
        else:
            # A line that is being completed has words that stand nowhere yet.
            ctx.meta[TYPED_WORDS] = [*named, *bare]
        return super().parse_args(ctx, args)

    def _is_clause(self, param: Any) -> bool:
        return param.name in self.subjects or param.name == "clause"

    def _order(self, ctx: Any, args: list[str]) -> list[bool]:
        """Return, for each clause as they were typed, True if an option names it."""
        options = {name: one for one in self.get_params(ctx) for name in one.opts}
        found: list[bool] = []
        words = list(args)
        while words:
            word = words.pop(0)
            if word == "--":
                found += [False] * len(words)
                break
            option = options.get(word.partition("=")[0]) if word[:1] == "-" else None
            if option is None:
                found += [False] if word[:1] != "-" or word == "-" else []
                continue
            if self._is_clause(option):
                found.append(True)
            if "=" not in word and not getattr(option, "is_flag", False):
                del words[:1]
        first = found.index(False) if False in found else len(found)
        del found[first : first + 1]
        return found


def _is_clause_alone(text: str) -> bool:
    """Return True if what stands where a game does is a clause, and so the game is left out."""
    return bool(re.match(r"\s*(?:always\s|[a-z-]+:\s)", text, re.IGNORECASE)) and not (
        os.path.lexists(text)
    )


def _game_here() -> str:
    # A game is named in most runs.
    from referee.cli.locating import find_game

    game = str(find_game())
    return f"./{game}" if game.startswith("-") and game != "-" else game


@app.command(cls=PlanCommand)
def plan(
    ctx: typer.Context,
    game: opt.GameArg,
    clauses: Annotated[
        list[str] | None,
        opt.argument(
            "[CLAUSE]...",
            "Clauses, such as 'builder: library palace, else pass'.",
            autocompletion=completing.clauses(),
        ),
    ] = None,
    clause: Annotated[
        opt.Words,
        opt.option(
            "--clause",
            "CLAUSE",
            "One clause; may be repeated.",
            autocompletion=completing.clauses(),
        ),
    ] = None,
    always: Annotated[
        bool, opt.switch("--always", "All that is given here holds until you plan again.")
    ] = False,
    add: Annotated[
        bool,
        opt.switch("--add", "Keep what your present plan says of other questions, or always."),
    ] = False,
    file: Annotated[
        str | None,
        opt.option("--file", "FILE", "Read clauses from FILE; - for standard input."),
    ] = None,
    edit: Annotated[bool, opt.switch("--edit", "Write the plan in your $EDITOR.")] = False,
    suggest: Annotated[
        bool, opt.switch("--suggest", "Print what the table's bot would plan; nothing is signed.")
    ] = False,
    withdraw: Annotated[
        bool, opt.switch("--withdraw", "Withdraw your plan: a plan without clauses.")
    ] = False,
    number: Annotated[
        int | None,
        opt.option("--number", "N", "The plan's number (default: one more than the last).", min=1),
    ] = None,
    key: opt.KeyOpt = None,
    seat: opt.SeatOpt = None,
    identity: opt.IdentityOpt = None,
    output: opt.OutputOpt = None,
    referee_key: opt.RefereeKeyOpt = None,
    ledger: opt.LedgerOpt = None,
    commit: opt.CommitOpt = False,
    push: opt.PushOpt = False,
    now: opt.NowOpt = None,
    dry_run: opt.DryRunOpt = False,
    json: opt.JsonOpt = False,
) -> int:
    """Answer ahead: what you will do when you are asked, so that nobody waits for you.

    A plan is a few clauses: --builder "library palace, else pass" --always. Without clauses, say
    what your present plan would answer now. A new plan takes the place of the one before. It is
    sealed: the others see that you have planned, and what was answered.

    Clauses hold for this turn, or with `always` until you plan again. `help plans` explains how
    they are written, and --edit shows it beside your plan.
    """
    from referee.cli import keyring, planned
    from referee.cli.delivery import Delivery
    from referee.playing.planning import Planner
    from referee.playing.reader import player_of

    said: list[str] = ctx.meta[TYPED_WORDS]
    ways = [
        name
        for name, given in (
            ("clauses", bool(said)),
            ("--file", file is not None),
            ("--suggest", suggest and not edit),
            ("--withdraw", withdraw),
            ("--edit", edit),
        )
        if given
    ]
    if add and (edit or withdraw or suggest):
        ways += ["--add"]
    if always and (withdraw or (suggest and not edit)):
        ways += ["--always"]
    if len(ways) > 1:
        raise Usage(f"{ways[0]} and {ways[1]} do not go together", ctx)
    if not ways and (always or add or number is not None):
        raise Usage("say what you plan", ctx, hint='such as --builder "library, else pass"')
    options = opt.RefereeOptions(ledger, now, dry_run=dry_run)
    delivery = Delivery(game, output, commit, push, referee_key, options, json)
    signs = bool(ways) and ways != ["--suggest"]
    table = delivery.open() if signs else planned.load_game(game, json=json)
    reader = player_of(table, keyring.keys(key, seat, identity, game))
    planner = Planner(table, reader, identity=identity)
    if ways == ["--suggest"]:
        planned.suggest(planner, json=json)
        return 0
    if not ways:
        planned.tell(planner, game, key_options(key, identity), json=json)
        return 0
    if withdraw:
        planner.check_withdrawal(game)
        lines: list[str] = []
    elif edit:
        present = planner.present.living if planner.present is not None else []
        begin = planner.suggested() if suggest else present
        lines = planned.edit(planner, begin, to_change=not suggest, always=always)
    else:
        lines = planned.clauses(planner, said if file is None else planned.lines_of(file), always)
    if add:
        lines = planned.added(planner, lines, game)
    note = planner.sign(lines, number or planner.next_number(game))
    planned.announce(planner, note, quiet=json or output == "-")
    code = delivery.deliver(table, note)
    if lines and not json:
        planned.tell_open(game, table, reader, key_options(key, identity))
    return code
