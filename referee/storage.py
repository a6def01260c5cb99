"""Reading and replacing files so that nothing is ever lost or half written."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from time import monotonic, sleep
from typing import ClassVar

from referee.games.errors import GameError
from referee.redaction import filename_fault
from referee.system import (
    held,
    interrupts_later,
    is_mine,
    is_running,
    keep_mode,
    keep_private,
    mode_within,
    move_over,
    open_own,
    take_lock,
)

SNIFF_LIMIT = 1 << 22
"""So much of a file is looked at to see what it is."""
SWEEP_LIMIT = 2000
"""So many names of a folder are looked at for what killed runs have left."""
AGAIN = 0.1
"""The seconds between two tries for a lock."""
SAID_AFTER = 2.0
"""So many seconds after which the user is told for what a command waits."""
tell_user: list[Callable[[str], None]] = []
"""Functions that tell the user for what a command waits, or what it has put aside; nothing is
printed by what has to tell it."""


class NotWritten(GameError):
    """A file could not be written (disk full, read-only, no such folder); the old one stands."""

    exit_code: ClassVar[int] = 1
    reason: ClassVar[str] = "not-written"


class NotRead(GameError):
    """A file named on the command line cannot be read."""

    exit_code: ClassVar[int] = 2
    reason: ClassVar[str] = "not-read"


def read_limited(path: Path | str, limit: int) -> bytes:
    """The bytes of a file, or of standard input for `-`, at most one more than `limit`.

    Raises NotRead.
    """
    if str(path) == "-":
        return sys.stdin.buffer.read(limit + 1)
    try:
        with Path(path).open("rb") as file:
            return file.read(limit + 1)
    except (OSError, ValueError) as error:
        why = filename_fault(str(path))
        if why:
            raise NotRead(f"what is given as a file {why}", "give the name of the file") from None
        lost = describe_broken_link(Path(path))
        if lost:
            raise NotRead(lost, "name the file itself, or mend the link") from None
        if isinstance(error, IsADirectoryError):
            game = Path(path) / "game.toml"
            inside = f"{path}/game.toml" if game.is_file() else ""
            hint = f"name the game file in it: {inside}" if inside else "name a file in it"
            raise NotRead(f"{path} is a folder, not a file", hint) from None
        said = getattr(error, "strerror", None) or error
        raise NotRead(f"cannot read {path}: {said}") from None


# Path's own methods raise for names that are too long.
def is_file(path: Path) -> bool:
    """Return True for a file; False too for what can be no name."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    """Return True for a folder; False too for what can be no name."""
    return os.path.isdir(path)  # noqa: PTH112


def exists(path: Path) -> bool:
    """Return True for what is there; False too for what can be no name."""
    return os.path.exists(path)  # noqa: PTH110


def describe_broken_link(path: Path) -> str:
    """Return what is said of a link to what is not there; "" for anything else."""
    # These two answer for names that are too long as well.
    if not os.path.islink(path) or os.path.exists(path):  # noqa: PTH114, PTH110
        return ""
    return f"{path} is a link to {path.readlink()}, and there is nothing"


def _sync_folder(folder: Path) -> None:
    # The file is in its place by now, and there are file systems that cannot do this.
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def replace(
    path: Path,
    text: str | bytes,
    mode: int = 0o666,
    *,
    named: bool = False,
    private: bool = False,
    shared: bool = False,
) -> None:
    """Replace a file in one step: whoever reads it, or a crash, finds the old or the new text.

    The mode of an existing file is kept, `mode` is that of a new one; what is `private` nobody
    else on this machine can read; what is `shared` everybody can who may write into its folder. A
    link is replaced, because somebody else may have put it where we write; where the user has
    `named` the path it is followed. Raises NotWritten.
    """
    target = Path(os.path.realpath(path)) if named else path
    spare = _spare_of(target)
    try:
        there = _regular(target)
        if private:
            mode = 0o600
        elif there is not None:
            mode = there.st_mode & 0o777
        sweep(target)
        _write_new(spare, text, mode)
        if there is not None:
            spare.chmod(mode)
        if shared:
            spare.chmod(stat.S_IMODE(spare.stat().st_mode) | mode_within(target.parent))
        move_over(spare, target)
        _sync_folder(target.parent)
    except OSError as error:
        with suppress(OSError):
            spare.unlink(missing_ok=True)
        raise not_written(path, error) from None


def write_named(
    path: Path,
    data: bytes,
    what: str,
    is_ours: Callable[[bytes], bool],
    *,
    named: bool,
    private: bool = False,
) -> bytes:
    """Write a file whose name the user has given (`named`) or we have made; what was in it before.

    An older one of ours is replaced, any other file is left alone. Into what is no file, such as
    a pipe, the data is poured where it was named. `what` says what should be there; what is
    `private` nobody else on this machine can read. Only the first megabytes are returned. Raises
    NotWritten.
    """
    try:
        if named and path.exists() and not path.is_file():
            path.write_bytes(data)
            return b""
    except OSError as error:
        raise not_written(path, error) from None
    old = replaced(path, what, is_ours, named=named)
    replace(path, data, named=named, private=private)
    return old


def replaced(path: Path, what: str, is_ours: Callable[[bytes], bool], *, named: bool) -> bytes:
    """Return what `write_named` would replace, the first megabytes of it. Raises NotWritten."""
    try:
        target = Path(os.path.realpath(path)) if named else path
        if _regular(target) is None:
            # A link to a folder is replaced.
            if target.is_dir() and not target.is_symlink():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not path.parent.is_dir():
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            return b""
        with path.open("rb") as file:
            old = file.read(SNIFF_LIMIT)
    except OSError as error:
        raise not_written(path, error) from None
    if old and not is_ours(old):
        raise NotWritten(f"{path} already exists and is not a {what}", "choose another name")
    return old


def _regular(path: Path) -> os.stat_result | None:
    """Return what the system knows of a file; None where there is none, or something else."""
    try:
        there = path.lstat()
    except FileNotFoundError:
        return None
    return there if stat.S_ISREG(there.st_mode) else None


def _spare_of(target: Path) -> Path:
    return target.with_name(f".{target.name}.{os.getpid()}.new")


def sweep(target: Path) -> None:
    """Remove what runs that were killed have left beside a file that they were writing."""
    _sweep(target.parent, f".{target.name}.")


def sweep_folder(folder: Path) -> None:
    """Remove what runs that were killed have left in a folder of ours, whatever it was to be."""
    _sweep(folder, ".")


def _sweep(folder: Path, begin: str) -> None:
    """Look through the first of the names in a folder: it may be one of very many games."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in islice(entries, SWEEP_LIMIT):
            name = entry.name
            if not (name.startswith(begin) and name.endswith(".new")):
                continue
            process = name[: -len(".new")].rpartition(".")[2]
            if (begin == "." or name == f"{begin}{process}.new") and _is_left(process):
                Path(entry.path).unlink(missing_ok=True)


def _is_left(process: str) -> bool:
    """Return whether what belongs to a process is of no use any more: it has ended, or is ours."""
    if not process.isdecimal() or int(process) == os.getpid():
        return process.isdecimal()
    return not is_running(int(process))


def replace_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace a folder of ours, with all that is in it, by one with these files.

    They are written beside it, so whoever is killed leaves the old or the new one; between two
    renames the old one lies beside, where `recover_folder` finds it. Raises NotWritten.
    """
    from shutil import rmtree

    spare = _spare_of(folder)
    old = spare.with_suffix(".old")
    try:
        spare.mkdir(parents=True)
        for name, data in files.items():
            place = spare / name
            place.parent.mkdir(parents=True, exist_ok=True)
            _write_new(place, data, 0o666)
        with interrupts_later():
            if folder.exists():
                folder.rename(old)
            try:
                spare.rename(folder)
            except OSError:
                if old.exists():
                    old.rename(folder)
                raise
        _sync_folder(folder.parent)
    except OSError as error:
        raise not_written(folder, error) from None
    finally:
        rmtree(spare, ignore_errors=True)
    rmtree(old, ignore_errors=True)


def recover_folder(folder: Path) -> None:
    """Clear up what a `replace_folder` that was killed has left, and put back what it took away."""
    from shutil import rmtree

    begin = f".{folder.name}."
    with suppress(OSError), os.scandir(folder.parent) as entries:
        for entry in entries:
            process, _, end = entry.name.removeprefix(begin).partition(".")
            ours = entry.name.startswith(begin) and end in ("new", "old") and _is_left(process)
            if not ours or not entry.is_dir(follow_symlinks=False):
                continue
            if end == "old" and not folder.exists():
                Path(entry.path).rename(folder)
            else:
                rmtree(entry.path, ignore_errors=True)


@contextmanager
def scratch() -> Iterator[Path]:
    """A new folder, for its owner only, and for as long as it is needed.

    Those that are left by runs that were killed are removed.
    """
    from shutil import rmtree
    from tempfile import TemporaryDirectory, gettempdir

    begin = "sanjuan-ref-"
    with suppress(OSError):
        for left in Path(gettempdir()).glob(f"{begin}[0-9]*-*"):
            there = left.lstat()
            own = stat.S_ISDIR(there.st_mode) and is_mine(there)
            if own and _is_left(left.name.split("-")[2]):
                rmtree(left, ignore_errors=True)
    with TemporaryDirectory(prefix=f"{begin}{os.getpid()}-") as folder:
        yield Path(folder)


def make_private(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for their owner only.

    Raises NotWritten.
    """
    missing = [at for at in (folder, *folder.parents) if not at.exists()]
    try:
        for at in reversed(missing):
            at.mkdir(mode=0o700, exist_ok=True)
        if not folder.is_dir():
            folder.mkdir()
    except OSError as error:
        raise not_written(folder, error) from None


def append(path: Path, line: str, whole: int, *, named: bool = False) -> None:
    """Put a line behind the first `whole` bytes of a file, and see that it is on the disk.

    What lies behind these is the beginning of a line that was being written when the machine
    stopped: where whole lines do, somebody else writes to the file as well, and it stays as it is.
    The file is for its owner only; a link is followed only where the user has `named`
    it. Raises NotWritten.
    """
    try:
        flags = os.O_RDWR | os.O_CREAT
        handle = os.open(path, flags, 0o600) if named else open_own(path, flags)
        with os.fdopen(handle, "r+b") as file:
            keep_private(handle)
            file.seek(whole)
            if b"\n" in file.read():
                raise NotWritten(
                    f"another run has written to {path}; nothing was changed",
                    "run one after the other",
                )
            file.truncate(whole)
            file.seek(whole)
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise not_written(path, error) from None


def create(path: Path, text: str, mode: int = 0o666) -> None:
    """Write a new file, whole or not at all.

    Raises NotWritten, also when there is one of that name already.
    """
    spare = _spare_of(path)
    try:
        sweep(path)
        _write_new(spare, text, mode)
        # A second name appears in one step and never replaces anything; not every file system can.
        try:
            os.link(spare, path)
        except FileExistsError:
            raise
        except OSError:
            _write_new(path, text, mode)
    except FileExistsError:
        raise NotWritten(f"{path} already exists", "give another name, or move it away") from None
    except OSError as error:
        raise not_written(path, error) from None
    finally:
        with suppress(OSError):
            spare.unlink(missing_ok=True)


def _write_new(path: Path, text: str | bytes, mode: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode() if isinstance(text, str) else text)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        path.unlink(missing_ok=True)
        raise


def not_written(path: Path | str, error: OSError) -> NotWritten:
    """The error for a failed write."""
    place = os.path.dirname(path) or "."  # noqa: PTH120 - also for names that are too long
    if isinstance(error, FileNotFoundError) and not os.path.isdir(place):  # noqa: PTH112
        return NotWritten(
            f"cannot write {path}: the folder {place} does not exist",
            "create the folder, or give another name",
        )
    if isinstance(error, IsADirectoryError):
        return NotWritten(f"{path} is a folder; nothing was changed", "name a file in it")
    if isinstance(error, PermissionError):
        hint = "you may not write there: choose a folder that you may write to"
    elif error.errno in (errno.ENOSPC, errno.EDQUOT):
        hint = "make room, then run the same command again"
    else:
        hint = "make room or choose a folder that you may write to, then run the same command again"
    return NotWritten(f"cannot write {path}: {error.strerror or error}; nothing was changed", hint)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file (made when missing) while others wait."""
    try:
        handle = open_own(path, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise not_written(path, error) from None
    try:
        with held(handle):
            yield
    finally:
        os.close(handle)


@contextmanager
def locked_if_free(path: Path, patience: float, why: str) -> Iterator[bool]:
    """Hold the lock of a file (made when missing); False if others have it so many seconds long.

    Whoever may write into its folder can take it. `why` is what the user is told after a while.
    Where nothing can be written or locked, nothing is held and nobody is kept out.
    """
    try:
        handle = open_own(path, os.O_RDWR | os.O_CREAT)
    except OSError:
        yield True
        return
    try:
        # Only its owner can share it.
        with suppress(OSError):
            keep_mode(handle, mode_within(path.parent))
        yield _taken(handle, patience, why)
    finally:
        os.close(handle)


def _taken(handle: int, patience: float, why: str) -> bool:
    since, is_told = monotonic(), False
    try:
        while not take_lock(handle):
            waited = monotonic() - since
            if waited >= patience:
                return False
            if waited >= SAID_AFTER and not is_told:
                is_told = True
                for tell in tell_user:
                    tell(why)
            sleep(AGAIN)
    except OSError:
        # There are file systems without locks.
        pass
    return True
