"""The registry: which games there are. A rules module is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module

from referee.games.interface import NotUnderstood, OtherVersion, Rules, Word

GAMES = ("sanjuan", "xanadu")


def rules_of(module: str, version: int | None = None) -> type[Rules]:
    """The rules class of a game: the newest, or that of a rules version.

    Raises NotUnderstood for an unknown game, OtherVersion for a version that is not there.
    """
    if module not in GAMES:
        raise NotUnderstood(f"there is no game {module!r}", f"games: {', '.join(GAMES)}")
    versions: tuple[type[Rules], ...] = import_module(f"referee.games.{module}.rules").VERSIONS
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
    """A deck file for a table to change and bring, of the first game that takes one."""
    return next(text for module in GAMES if (text := rules_of(module).deck_template()))


def versions() -> dict[str, int]:
    """The newest rules version of every game."""
    return {module: rules_of(module).version for module in GAMES}


def terms(option: str) -> str:
    """What an option of `new` has to choose from, game by game; cheap to import."""
    found = {}
    for module in GAMES:
        choices: dict[str, str] = import_module(f"referee.games.{module}.words").TERMS
        found[module] = choices.get(option, "")
    return "; ".join(f"{module}: {what}" for module, what in found.items() if what)


def words() -> dict[str, Word]:
    """The words of all games' plays, which `move` takes as flags; cheap to import.

    A word that several games have is told as the first of them tells it.
    """
    found: dict[str, Word] = {}
    for module in GAMES:
        for word in import_module(f"referee.games.{module}.words").WORDS:
            found.setdefault(word.name, word)
    return found
