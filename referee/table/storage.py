"""Reading and replacing files so that nothing is ever lost or half written."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import ClassVar

from referee.games.hush import unlike_a_name
from referee.games.interface import GameError

MOST = 1 << 22
"""So much of a file is looked at to see what it is."""


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
        why = unlike_a_name(str(path))
        if why:
            raise NotRead(f"what is given as a file {why}", "give the name of the file") from None
        place = Path(path)
        if place.is_symlink() and not place.exists():
            where = f"{path} is a link to {place.readlink()}, and there is nothing"
            raise NotRead(where, "name the file itself, or mend the link") from None
        said = getattr(error, "strerror", None) or error
        raise NotRead(f"cannot read {path}: {said}") from None


def _sync_folder(folder: Path) -> None:
    # The file is in its place by now, and there are file systems that cannot do this.
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def replace(path: Path, text: str | bytes, mode: int = 0o666) -> None:
    """Replace a file in one step: whoever reads it, or a crash, finds the old or the new text.

    A link is followed and the mode of an existing file kept; `mode` is that of a new one. Raises
    NotWritten.
    """
    target = Path(os.path.realpath(path))
    spare = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        mode = target.stat().st_mode & 0o7777 if target.exists() else mode
        _write_spare(spare, text, mode)
        spare.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        with suppress(OSError):
            spare.unlink(missing_ok=True)
        raise not_written(path, error) from None


def put(
    path: Path, data: bytes, what: str, is_ours: Callable[[bytes], bool], private: bool = False
) -> bytes:
    """Write a file that somebody has named; what was in it before (its first megabytes).

    An older one of ours is replaced; into what is no file, such as a pipe, the data is poured; any
    other file is left alone. `what` says what should be there; what is `private` nobody else on
    this machine can read. Raises NotWritten.
    """
    old = b""
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return old
        if path.exists():
            with path.open("rb") as file:
                old = file.read(MOST)
            if old and not is_ours(old):
                raise NotWritten(f"{path} exists already and is no {what}", "choose another name")
            if private:
                path.chmod(0o600)
    except OSError as error:
        raise not_written(path, error) from None
    replace(path, data, 0o600 if private else 0o666)
    return old


def sweep(path: Path) -> None:
    """Remove what a run that was killed has left beside a file, for whoever holds its lock."""
    target = Path(os.path.realpath(path))
    with suppress(OSError):
        for spare in target.parent.glob(f".{escape(target.name)}.[0-9]*.new"):
            spare.unlink(missing_ok=True)


def append(path: Path, line: str, whole: int) -> None:
    """Put a line behind the first `whole` bytes of a file, and see that it is on the disk.

    What lies behind these is the beginning of a line that was being written when the machine
    stopped. Raises NotWritten.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        with os.fdopen(handle, "r+b") as file:
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
    spare = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        _write_spare(spare, text, mode)
        # A second name appears in one step and never replaces anything; not every file system can.
        try:
            os.link(spare, path)
        except FileExistsError:
            raise
        except OSError:
            _write_new(path, text, mode)
    except FileExistsError:
        raise NotWritten(f"{path} exists already", "give another name, or move it away") from None
    except OSError as error:
        raise not_written(path, error) from None
    finally:
        with suppress(OSError):
            spare.unlink(missing_ok=True)


def _write_spare(spare: Path, text: str | bytes, mode: int) -> None:
    # Left behind by a process that was killed, and had our number.
    spare.unlink(missing_ok=True)
    _write_new(spare, text, mode)


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
    return NotWritten(
        f"cannot write {path}: {error.strerror or error}; nothing was changed",
        "make room or choose a folder that you may write to, then run the same command again",
    )


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file (made when missing) while others wait."""
    import fcntl

    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise not_written(path, error) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
