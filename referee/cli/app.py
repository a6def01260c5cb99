"""The program: it runs a command, and turns every failure into a sentence and an exit code."""

import errno
import os
import sys
from functools import partial
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from referee.cli.commands import ABOUT, COMMANDS, GROUPS
from referee.cli.options import switch
from referee.cli.usage import PROGRAM, UsageProblem, check_words, translated
from referee.errors import Mistake
from referee.games import versions
from referee.games.errors import GameError
from referee.redaction import redact_keys
from referee.render.text import terminal
from referee.storage import tell_user

BUG = 70
INTERRUPTED = 130
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Errors that stop the output, whose file has no name."""


tell_user.append(partial(terminal.warn, "note"))

COMPLETIONS = {
    "--install-completion": "Install completion for your shell, or for the one that is named.",
    "--show-completion": "Print the script that completes in your shell, or in the one that is "
    "named: bash, zsh, fish, pwsh.",
}


class Commands(TyperGroup):
    """The group of all commands, which knows their names without importing them."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        # Typer looks here for the names it suggests after a typing error.
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module, summary = COMMANDS[cmd_name]
        app = import_module(f"referee.cli.{module}").app
        for info in app.registered_commands:
            if (info.name or info.callback.__name__) == cmd_name:
                info.short_help = summary
                return _with_page(
                    cmd_name,
                    typer.main.get_command_from_info(
                        info, pretty_exceptions_short=True, rich_markup_mode=None
                    ),
                )
        for group in app.registered_groups:
            if group.name == cmd_name:
                return _with_page(
                    cmd_name,
                    typer.main.get_group_from_info(
                        group,
                        pretty_exceptions_short=True,
                        suggest_commands=True,
                        rich_markup_mode=None,
                    ),
                )
        raise LookupError(cmd_name)

    def get_params(self, ctx: Any) -> Any:
        found = super().get_params(ctx)
        for param in found:
            if param.opts[0] in COMPLETIONS:
                param.help = COMPLETIONS[param.opts[0]]  # type: ignore[attr-defined]
        return found

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        wide = max(map(len, COMMANDS))
        for head, group in GROUPS.items():
            with formatter.section(head):
                rows = [(name.ljust(wide), summary) for name, (_, summary) in group.items()]
                formatter.write_dl(rows)


def _with_page(name: str, command: Any) -> Any:
    """Let the help of a command, and of those in it, name the page of the manual about it."""
    topic = next((topic for topic, names in ABOUT.items() if name in names), "")
    for one in (command, *getattr(command, "commands", {}).values()) if topic else ():
        one.epilog = f"`sanjuan-ref help {topic}` is the page of the manual about it."
    return command


app = typer.Typer(
    cls=Commands,
    help="A referee for card games played by email: one signed file is the whole game.",
    epilog="`sanjuan-ref practice` lets you play now, against bots.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        # Slow, and seldom asked for.
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version(PROGRAM)
        except PackageNotFoundError:
            number = "(run from source)"
        rules = ", ".join(f"{game} {newest}" for game, newest in versions().items())
        terminal.say(f"{PROGRAM} {number}, rules {rules}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, switch("--version -V", "Show the version.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    pass


def execute(words: list[str]) -> Any:
    """Run one command and return what it does. Raises what stops it."""
    return typer.main.get_command(app).main(words, PROGRAM, standalone_mode=False)


def run(words: list[str]) -> int:
    """Run one command, print its failure, if any, and return the exit code."""
    terminal.call_as(sys.argv[0], COMMANDS)
    try:
        check_words(words)
        if words[:1] and words[0].partition("=")[0] in COMPLETIONS:
            # Shells are seldom set up.
            from referee.cli.shells import complete_in

            option, _, shell = words[0].partition("=")
            complete_in(option, [shell, *words[1:]] if shell else words[1:])
            return 0
        done = execute(words)
    except GameError as error:
        return _failed(error, words)
    except UsageProblem as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()
            return int(error.exit_code)
        return _failed(translated(error), words)
    except (KeyboardInterrupt, typer.Abort):
        done = INTERRUPTED
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.errno in FULL and not error.filename:
            raise
        where = f"{error.filename}: " if error.filename else ""
        return _failed(GameError(f"{where}{error.strerror or error}"), words)
    except (SystemExit, GeneratorExit):
        raise
    # No traceback ever reaches a user. A panic of a library in Rust is not an Exception.
    except BaseException as error:
        return _bug(error, "--json" in words)
    if done == INTERRUPTED:
        # The terminal shows ^C, or a question that stays open, and ends no line.
        if terminal.asks():
            terminal.say(error=True)
        terminal.warn("error", "interrupted")
    return done if isinstance(done, int) else 0


def _failed(error: GameError, words: list[str]) -> int:
    # Only where something has failed: commands that work start faster without.
    from referee.cli.advice import advise, failure

    game = next((word for word in words[1:] if word.endswith(".toml")), "")
    advise(error, game, pushed="--push" in words, command=words[0] if words else "")
    if "--json" in words:
        terminal.document(failure(error), error.exit_code)
    else:
        terminal.complain(error)
    return error.exit_code


def _bug(error: BaseException, as_json: bool) -> int:
    if os.environ.get("SANJUAN_DEBUG"):
        # Only for those who work on the program.
        import traceback

        terminal.verbatim_error(redact_keys("".join(traceback.format_exception(error))))
    mistake = Mistake.of(error)
    if as_json:
        # A command that works starts faster without.
        from referee.cli.advice import failure

        terminal.document(failure(mistake), BUG)
        return BUG
    terminal.warn("bug", mistake.message)
    terminal.warn("hint", mistake.hint)
    return BUG
