"""The folder in which the referee's machine remembers its games, parted so that none gets large.

`games/3f/0d/3f0d…ledger` holds what begins with the game 3f0d…. Earlier versions kept all of it in
one flat folder: what is there stays there, and is used by every version, under the same lock. For
any other game a link stands in the flat place where an earlier version makes its lock. None of
them follows it, so each refuses the game, and nobody begins a second memory of it.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from referee.errors import Damaged
from referee.storage import make_private, not_written


def default_folder() -> Path:
    """`$XDG_STATE_HOME/sanjuan-ref`, by default `~/.local/state/sanjuan-ref`."""
    state = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (state if state.is_absolute() else Path.home() / ".local" / "state") / "sanjuan-ref"


def places_of(game: str, ending: str) -> tuple[Path, Path]:
    """Return where a file of a game can be: in the tree, and in the flat folder."""
    root, name = default_folder(), f"{game}{ending}"
    return root / "games" / game[:2] / game[2:4] / name, root / name


def kept_memory_of(game: str, ending: str) -> Path:
    """Return the place of what is remembered of a game, which may be nothing; make nothing."""
    tree, flat = places_of(game, ending)
    return flat if _holds(flat) and not _holds(tree) else tree


def memory_of(game: str, ending: str) -> Path:
    """Return the place of what is remembered of a game, in a folder that is made if missing.

    Whoever comes first decides between the tree and the flat folder, by one name that is made in
    one step. Raises NotWritten, and Damaged if something is in both.
    """
    tree, flat = places_of(game, ending)
    lock = flat.with_name(flat.name + ".lock")
    make_private(flat.parent)
    if _kind(lock) is None and not _holds(flat):
        _mark(lock, tree.with_name(tree.name + ".lock"))
    kind = _kind(lock)
    if kind is not None and not stat.S_ISREG(kind):
        if _holds(flat):
            raise Damaged(
                f"what is remembered of game {game} lies in two places, {flat} and {tree}",
                f"move the older one away, with the files beside it of the same name; {lock} may "
                "stay only if the first of them goes",
            )
        make_private(tree.parent)
        return tree
    if _holds(tree) and not _holds(flat):
        raise Damaged(
            f"{lock} is a plain file, and what is remembered of game {game} lies in {tree}",
            "if the folder is a copy in which links became files, take that file away",
        )
    if _holds(tree):
        raise Damaged(
            f"what is remembered of game {game} lies in two places, {tree} and {flat}",
            "move the older one away, with the files beside it of the same name",
        )
    return flat


def _mark(lock: Path, target: Path) -> None:
    """Put something there that no version takes for its lock. Raises NotWritten."""
    try:
        lock.symlink_to(os.path.relpath(target, lock.parent))
    except FileExistsError:
        pass
    except (OSError, NotImplementedError):
        # Not every system lets everybody make links.
        try:
            lock.mkdir(mode=0o700, exist_ok=True)
        except FileExistsError:
            pass
        except OSError as error:
            raise not_written(lock, error) from None


def _kind(path: Path) -> int | None:
    """Return the mode of what has this name itself; None if nothing has."""
    try:
        return path.lstat().st_mode
    except OSError:
        return None


def _holds(path: Path) -> bool:
    return path.exists() or path.with_name(path.name + ".newest.toml").exists()
