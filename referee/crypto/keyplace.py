"""Places of private keys: a file that was named, a variable, or where we look for one."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, TypeAlias

from referee.crypto.keytext import MAKE
from referee.errors import NoKey
from referee.records import NamedTuple
from referee.redaction import filename_fault

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

FILE_LIMIT = 1 << 16
PLAYER_KEY = "SANJUAN_KEY"
REFEREE_KEY = "SANJUAN_REFEREE_KEY"
REFEREE_KEY_TEXT = "SANJUAN_REFEREE_KEY_TEXT"
"""Variables: two that name key files, and one that holds a key, for machines without files."""


class KeyVariable(NamedTuple):
    """A variable of the environment that holds a private key itself, and not its file's name."""

    name: str
    text: str

    def __str__(self) -> str:
        return f"${self.name}"

    def __repr__(self) -> str:
        return f"KeyVariable({self.name!r})"


if TYPE_CHECKING:
    Place: TypeAlias = Path | KeyVariable
    """The place of a private key."""


def find_referee_key(explicit: Path | None) -> Place:
    """Return where the referee's key is: like `find_key`, but a variable can hold it, too."""
    held = os.environ.get(REFEREE_KEY_TEXT)
    if explicit is None and held and not os.environ.get(REFEREE_KEY):
        return KeyVariable(REFEREE_KEY_TEXT, held)
    return find_key(explicit, REFEREE_KEY)


def find_key(explicit: Path | None, env: str) -> Path:
    """Return the private key file that will be used: given, named by $`env`, our own, or SSH's.

    Raises NoKey where there is none. A path that was given is not looked at.
    """
    from pathlib import Path

    if explicit is not None:
        return explicit
    named = os.environ.get(env)
    if named:
        place = os.path.expanduser(named)  # noqa: PTH111 - does not raise without a home
        why = filename_fault(named)
        if why and not os.path.lexists(place):
            held = f"; ${REFEREE_KEY_TEXT} is to hold the key itself" if env == REFEREE_KEY else ""
            raise NoKey(
                f"${env} {why}",
                f"it is to name the file in which the key lies{held}",
                reason="no-name",
            )
        return Path(place)
    home = Path(os.path.expanduser("~"))  # noqa: PTH111
    places = (default_path(), home / ".ssh" / "id_ed25519")
    for path in places:
        if path.is_file():
            return path
    looked = [f"${env}", *([f"${REFEREE_KEY_TEXT}"] if env == REFEREE_KEY else []), *places]
    option = "--referee-key" if env == REFEREE_KEY else "--key"
    raise NoKey(
        f"there is no key: neither {' nor '.join(map(str, looked))}",
        hint_here(keys_here(env), option),
        reason="no-key-found",
    )


def hint_here(names: Sequence[str], option: str) -> str:
    """Return what to do where no key is kept, and key files of these names lie in this folder."""
    if not names:
        return MAKE
    are = "are" if len(names) > 1 else "is"
    return f"name the one you have with {option}; here {are} {', '.join(names)}"


def places_of_keys() -> list[Path]:
    """Return the key files in which a player's keys are looked for where none was named.

    They are our own, others beside it named `*.key`, and SSH's; those that exist.
    """
    from pathlib import Path

    home = Path(os.path.expanduser("~"))  # noqa: PTH111
    own = default_path()
    try:
        others = sorted(path for path in own.parent.glob("*.key"))[:MOST_KEYS]
    except OSError:
        others = []
    return [path for path in (own, *others, home / ".ssh" / "id_ed25519") if path.is_file()]


MOST_KEYS = 100
MAX_NAMED = 4


def keys_here(env: str) -> list[str]:
    """Return the names of some key files in this folder that may be meant: those of a referee have
    that word in their names, and players' have not.

    None of them would be taken apart by a shell.
    """
    from pathlib import Path

    is_referee = env == REFEREE_KEY
    try:
        names = sorted(
            path.name for path in Path().glob("*.key") if ("referee" in path.name) is is_referee
        )
    except OSError:
        return []
    return [name for name in names if re.fullmatch(r"[\w.-]+", name, re.ASCII)][:MAX_NAMED]


CHECK_NAME = (
    "check the name; a new key (`sanjuan-ref key --make FILE`) opens no seat or table that you "
    "have already"
)


def without_keys(env: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without the keys in it, for a program that needs none."""
    return {name: value for name, value in env.items() if name != REFEREE_KEY_TEXT}


def default_path() -> Path:
    """Return the place of our own key: `~/.config/sanjuan-ref/key`."""
    from pathlib import Path

    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - does not raise without a home
    return Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "sanjuan-ref" / "key"


def read_key_file(path: Place) -> bytes:
    """Return the bytes of a key file; raise NoKey."""
    if isinstance(path, KeyVariable):
        return path.text.encode("utf-8", "surrogateescape")
    try:
        with path.open("rb") as file:
            data = file.read(FILE_LIMIT + 1)
    except (OSError, ValueError) as error:
        raise _unread(path, error) from None
    if len(data) > FILE_LIMIT:
        raise NoKey(f"{path} is not a key file: it is too big")
    return data


def _unread(path: Path, error: OSError | ValueError) -> NoKey:
    from referee.storage import describe_broken_link

    why = filename_fault(str(path))
    if why:
        return NoKey(f"what is given as a key file {why}", "name the file in which the key lies")
    lost = describe_broken_link(path)
    if lost:
        return NoKey(lost, "name the key itself, or mend the link")
    if isinstance(error, FileNotFoundError):
        return NoKey(f"there is no key file {path}", CHECK_NAME, reason="no-key-file")
    if isinstance(error, IsADirectoryError):
        return NoKey(f"{path} is a folder, not a key file", "name the private key in it")
    return NoKey(f"cannot read {path}: {getattr(error, 'strerror', None) or error}")
