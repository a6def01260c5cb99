"""The registry of games. A rules module is imported when it is asked for.

A game is a package with three modules: `rules` (`VERSIONS`, the Rules classes of all its versions,
the newest last), `words` (`WORDS` and `TERMS`, cheap to import) and `position` (see
`match.Positions`). It comes with the program (GAMES), is registered by a call (`register`), or is
installed beside the program, with the name of its package as an entry point:

    [project.entry-points."sanjuan_ref.games"]
    highcard = "highcard_game"
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType

from referee.games.errors import NotUnderstood, OtherVersion
from referee.games.interface import Rules
from referee.games.values import Word

GAMES = ("sanjuan", "xanadu")
"""The games that come with the program, each a folder here; the first is the usual one."""
DEFAULT = GAMES[0]
GROUP = "sanjuan_ref.games"
"""The group of entry points by which installed packages offer games."""

_packages = {name: f"referee.games.{name}" for name in GAMES}


def register(name: str, package: str) -> None:
    """Make the game of a package known under a name. Raises ValueError if another game has it."""
    if _packages.setdefault(name, package) != package:
        raise ValueError(f"there is a game {name!r} already")


def all_games(installed: bool = True) -> list[str]:
    """Return the names of all games; to look for those `installed` beside the program is slow."""
    return list({**_packages, **(_installed() if installed else {})})


@cache
def _installed() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {found.name: found.module for found in entry_points(group=GROUP)}


def known(name: str) -> bool:
    """Return whether there is a game of this name."""
    return name in _packages or name in _installed()


def part(name: str, module: str) -> ModuleType:
    """Import a module of a game. Raises NotUnderstood if there is no such game.

    Raises OtherVersion if the game is installed and cannot be imported.
    """
    if not known(name):
        raise NotUnderstood(f"there is no game {name!r}", f"games: {', '.join(all_games())}")
    try:
        return import_module(f"{_packages.get(name) or _installed()[name]}.{module}")
    except ImportError as error:
        if name in GAMES:
            raise
        problem = f"the game {name!r} is installed, but cannot be imported: {error}"
        raise OtherVersion(problem, "install it again") from error


def parts(module: str, installed: bool = True) -> Iterator[tuple[str, ModuleType]]:
    """Import a module of every game, by the names of the games, but for those that cannot be."""
    for name in all_games(installed):
        try:
            yield name, part(name, module)
        except OtherVersion:
            continue


def rules_of(name: str, version: int | None = None) -> type[Rules]:
    """Return the rules class of a game: the newest, or that of a rules version.

    Raises NotUnderstood for an unknown game, OtherVersion for a version that is not there.
    """
    versions: tuple[type[Rules], ...] = part(name, "rules").VERSIONS
    newest = versions[-1]
    if version is None:
        return newest
    for rules in versions:
        if rules.version == version:
            return rules
    have = ", ".join(str(rules.version) for rules in versions)
    raise OtherVersion(
        f"this game is played under version {version} of the rules of {newest.title}, and this "
        f"sanjuan-ref has version {have}",
        "update sanjuan-ref, and the game goes on"
        if version > newest.version
        else "go on with an older sanjuan-ref, which has that version",
    )


def deck_template() -> str:
    """Return a deck file for a table to change and bring, of the first game that takes one."""
    found: Iterator[str] = (rules.VERSIONS[-1].deck_template() for _, rules in parts("rules"))
    return next(filter(None, found))


def versions() -> dict[str, int]:
    """Return the newest rules version of every game."""
    return {name: rules.VERSIONS[-1].version for name, rules in parts("rules")}


def terms(option: str) -> str:
    """Return what an option of `new` or `demo` takes, game by game; cheap to import."""
    found = {name: words_.TERMS.get(option, "") for name, words_ in parts("words")}
    return "; ".join(f"{name}: {choices}" for name, choices in found.items() if choices)


def words(installed: bool = True) -> dict[str, Word]:
    """Return the words of all games' plays, which `move` takes as flags; cheap to import.

    A word that several games have is explained as the first of them explains it.
    """
    found: dict[str, Word] = {}
    for _, module in parts("words", installed):
        for word in module.WORDS:
            found.setdefault(word.name, word)
    return found
