"""Mistakes on the command line, in the words of this program."""

from __future__ import annotations

import re
from contextlib import contextmanager
from shlex import join, quote
from typing import TYPE_CHECKING, Any, ClassVar

import typer

from referee.cli.commands import COMMANDS
from referee.games import words
from referee.games.errors import GameError, Illegal, NotUnderstood
from referee.games.near import near
from referee.redaction import is_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from referee.games.values import Word

PROGRAM = "sanjuan-ref"
QUOTES = "put quotes around anything with spaces"
TYPED_WORDS = "sanjuan-ref.words"
"""Key under which the context of a command line keeps the words of a play, in their order."""
ADDRESS = r"(?i)(?<![^\s'\"])(https?|ssh|git|file|ftps?):/(?=[^/\s])"
"""The beginning of an address that was read as the name of a file, which loses a slash."""
# Typer wraps its errors about usage in this class, whose name differs between its versions.
UsageProblem: Any = typer.BadParameter.__mro__[2]


class Usage(GameError):
    """The command line is wrong; `context` is the command whose help explains it."""

    exit_code: ClassVar[int] = 2
    reason: ClassVar[str] = "usage"

    def __init__(self, message: str, context: Any = None, hint: str = "") -> None:
        path = context.command_path if context is not None else ""
        if path and not hint:
            hint = f"see `{path} --help`"
        super().__init__(message, hint)


def no_address(given: str) -> Usage:
    """Return the error for an address where a file is wanted."""
    return Usage(
        f"{given} is an address, and this program opens none", hint=instead_of_address(given)
    )


def instead_of_address(given: str) -> str:
    """Return what somebody does who has given an address where a file is wanted."""
    if given.lower().startswith("file:"):
        return f"name the file itself: {quote(given[5:].replace('//', '', 1))}"
    return "download what is there, and name the file that you get"


def with_slashes(text: str) -> str:
    """Return a text with the slash that each address in it has lost as the name of a file."""
    return re.sub(ADDRESS, lambda found: f"{found[1]}://{'/' * (found[1].lower() == 'file')}", text)


@contextmanager
def typed() -> Iterator[None]:
    """Raise Usage for an option whose value is unknown, or out of its range.

    What is wrong in a file that an option names is no wrong usage.
    """
    try:
        yield
    except (NotUnderstood, Illegal) as error:
        if error.faults:
            raise
        raise Usage(error.message, hint=error.hint) from None


def check_choice(option: str, value: str, choices: Sequence[str], hint: str = "") -> None:
    """Raise Usage for a value that is none of the choices of an option, at least two."""
    if value not in choices:
        listed = f"{', '.join(choices[:-1])} or {choices[-1]}"
        raise Usage(f"{option} takes {listed}, not {value!r}", hint=hint)


def check_level(option: str, value: str, levels: Sequence[str], hint: str = "") -> None:
    """Raise Usage for a value that is no level of a bot, perhaps with a limit: `hard/40`."""
    # Few commands name bots.
    from referee.bots import check_limit
    from referee.bots.names import level_of

    check_choice(option, level_of(value), levels, hint)
    with typed():
        check_limit(value)


def check_words(words: Sequence[str]) -> None:
    """Raise Usage where a word of the command line is a private key, and no name of its file."""
    for at, word in enumerate(words):
        if is_key(word):
            own = re.match("--[a-z-]+(?==)", word)
            option = own or re.fullmatch("--[a-z-]+|-o", words[at - 1] if at else "")
            name = option[0] if option else ""
            raise Usage(
                f"{name} is given a private key itself" if name else "a private key stands here",
                hint="save the key as a file that nobody else can read, and name that file",
            )


def translated(error: Any) -> Usage:
    """Return an error of Typer's in our words."""
    context = getattr(error, "ctx", None)
    kind = type(error).__name__
    told = _KINDS.get(kind)
    found = told(error, context) if told is not None else None
    if found is None:
        message = error.format_message()
        found = Usage(message[:1].lower() + message[1:].rstrip("."), context)
    return found


def _missing(error: Any, context: Any) -> Usage | None:
    param = error.param
    if param is None or context is None:
        return None
    name = param.metavar or param.name.upper()
    if param.param_type_name == "option":
        name = f"{param.opts[0]} {name}"
    what = getattr(param, "help", "") or ""
    return Usage(f"{name} is missing: {what[:1].lower()}{what[1:].rstrip('.')}", context)


def _unknown_option(error: Any, context: Any) -> Usage:
    params = context.command.params if context is not None else []
    known = [name for param in params for name in param.opts if name.startswith("--")]
    return _unlike(f"there is no option {error.option_name}", error.option_name, known, context)


def _unlike(message: str, name: str, known: list[str], context: Any) -> Usage:
    return Usage(message, context, near(name, known))


def _no_value(error: Any, context: Any) -> Usage:
    params = context.command.params if context is not None else []
    names = [param.metavar for param in params if error.option_name in param.opts]
    metavar = names[0] if names and names[0] else "a value"
    if "does not take a value" in error.message:
        return Usage(f"{error.option_name} stands alone, without a value", context)
    return Usage(f"{error.option_name} must be followed by {metavar}", context)


def _bad_value(error: Any, context: Any) -> Usage | None:
    param = error.param
    name = (param.opts[0] if param is not None and param.opts else error.param_hint) or ""
    if param is None:
        return Usage(f"{name}: {error.message}" if name else error.message, context)
    least, most = getattr(param.type, "min", None), getattr(param.type, "max", None)
    if "int" not in getattr(param.type, "name", ""):
        return Usage(f"{name}: {error.message}", context)
    value = re.match(r"'?(.*?)'? is not ", error.message)
    within = ""
    if least is not None:
        within = f"{least} or more" if most is None else f"from {least} to {most}"
    if value and within and re.fullmatch(r"-?[0-9]+", value[1]):
        return Usage(f"{name} must be {within}, not {value[1]}", context)
    wants = f"a number, {within}" if within.endswith("more") else f"a number {within}".rstrip()
    return Usage(f"{name} takes {wants}" + (f", not {value[1]!r}" if value else ""), context)


def _usage(error: Any, context: Any) -> Usage | None:
    extra = re.search(r"unexpected extra argument\S* \((.*)\)", error.message)
    if extra:
        what = f"unexpected argument {extra[1]!r}"
        return Usage(what, context, _loose(extra[1], context))
    command = re.search(r"No such command '(.*?)'", error.message)
    if command:
        return _unlike(f"there is no command {command[1]!r}", command[1], list(COMMANDS), context)
    return None


def _loose(said: str, context: Any) -> str:
    """Return a hint about words that stand alone on the command line."""
    command = getattr(context, "info_name", "")
    if command == "move":
        return _in_flags(said.split(" "), context.meta.get(TYPED_WORDS, ()), words())
    if command == "new":
        return f"repeat the flag for each: --seat ana --seat ben; {QUOTES}"
    return ""


def _in_flags(loose: list[str], flags: Sequence[tuple[str, str]], words: Mapping[str, Word]) -> str:
    """Return how to say words of a play that stand alone after some flags."""
    for word, value in flags:
        lacks = words[word].takes.count(" ") - value.count(" ")
        if lacks > 0:
            whole = quote(" ".join([value, *loose[:lacks]]))
            return f"{words[word].takes} go together, in quotes: --{word} {whole}"
    whole = quote(" ".join(loose))
    if loose[0] in words:
        return f"say it in flags, --{join(loose)}, or whole, --play {whole}"
    if not flags:
        return "`sanjuan-ref show GAME` lists what you may play, each with its flags"
    word, value = flags[-1]
    if not words[word].several:
        return f"--{word} takes one {words[word].takes}; {QUOTES}"
    return f"put commas between them: --{word} {quote(f'{value},{loose[0]}')}; {QUOTES}"


_KINDS = {
    "MissingParameter": _missing,
    "NoSuchOption": _unknown_option,
    "BadOptionUsage": _no_value,
    "BadParameter": _bad_value,
    "UsageError": _usage,
    "NoSuchCommand": _usage,
}
