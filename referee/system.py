"""Steps that operating systems do differently: locks, processes, links, commands of the user.

Nothing else in this program asks which system it runs on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess
    from concurrent.futures import ProcessPoolExecutor
    from types import FrameType

POSIX = hasattr(os, "getuid")
"""True where files have owners and modes, and processes take signals."""
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
FLAGS = ":" if POSIX else "!"
"""The sign before the flags in the name of a message in a Maildir; Windows has no colon in names,
and mail programs put this in its place."""
TRIES = 20
PAUSE = 0.05
"""Tries to replace a file that another program has open, and the seconds between them."""
PARENT_LOOKED_AT = 1.0
"""The seconds after which a worker looks again whether the process is there that it works for."""


def open_own(path: Path | str, flags: int) -> int:
    """Return a handle of a file of ours, made for its owner only; raise OSError for a link."""
    if not NO_FOLLOW and Path(path).is_symlink():
        raise OSError(f"{path} is a link")
    return os.open(path, flags | NO_FOLLOW, 0o600)


def keep_private(handle: int) -> None:
    """Let only its owner read an open file, where files have modes."""
    keep_mode(handle, 0o600)


def keep_mode(handle: int, mode: int) -> None:
    """Give an open file a mode, where files have modes. Raises OSError."""
    if POSIX:
        os.fchmod(handle, mode)


def mode_within(folder: Path) -> int:
    """Return the mode of a file that whoever may write into its folder can read and write.

    Nobody else can: somebody who reads a lock can hold it. Raises OSError.
    """
    may = folder.stat().st_mode
    return 0o600 | (0o060 if may & 0o020 else 0) | (0o006 if may & 0o002 else 0)


def is_mine(there: os.stat_result) -> bool:
    """Return True if a file belongs to whoever runs this, or files have no owners here."""
    return not POSIX or there.st_uid == os.getuid()


def move_over(spare: Path, target: Path) -> None:
    """Put a file in the place of another in one step.

    Windows refuses that as long as another program reads the other one, so it is tried for a
    second. Raises OSError.
    """
    if not POSIX:
        from time import sleep

        for _ in range(TRIES):
            with suppress(PermissionError):
                spare.replace(target)
                return
            sleep(PAUSE)
    spare.replace(target)


if sys.platform == "win32":

    def is_running(process: int) -> bool:
        """Return True if there is a process of that number; a signal would end it here."""
        import ctypes

        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        handle = kernel.OpenProcess(0x1000, False, process)
        if not handle:
            # It runs, but is somebody else's.
            return ctypes.get_last_error() == 5
        code = ctypes.c_ulong()
        kernel.GetExitCodeProcess(handle, ctypes.byref(code))
        kernel.CloseHandle(handle)
        return code.value == 259
else:

    def is_running(process: int) -> bool:
        """Return True if there is a process of that number."""
        try:
            os.kill(process, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except OSError:
            # Somebody else's.
            pass
        return True


if sys.platform == "win32":

    def takes_colours() -> bool:
        """Return True if the terminal shows colours; a console of Windows is told to."""
        import ctypes

        kernel, mode = ctypes.WinDLL("kernel32"), ctypes.c_ulong()
        kernel.GetStdHandle.restype = ctypes.c_void_p
        # Standard output and standard error.
        for number in (-11, -12):
            console = ctypes.c_void_p(kernel.GetStdHandle(number))
            # A terminal that is not a console of Windows knows colours.
            if kernel.GetConsoleMode(console, ctypes.byref(mode)) and not (
                mode.value & 4 or kernel.SetConsoleMode(console, mode.value | 4)
            ):
                return False
        return True
else:

    def takes_colours() -> bool:
        """Return True, as every terminal shows colours that does not say otherwise."""
        return True


if sys.platform == "win32":

    def forget_typed() -> None:
        """Throw away what was typed at a terminal and not read yet."""
        import msvcrt

        if sys.stdin is not None and sys.stdin.isatty():
            while msvcrt.kbhit():
                msvcrt.getwch()
else:

    def forget_typed() -> None:
        """Throw away what was typed at a terminal and not read yet."""
        import termios

        if sys.stdin is not None and sys.stdin.isatty():
            # A terminal whose other end is gone has nothing to forget.
            with suppress(termios.error):
                termios.tcflush(sys.stdin, termios.TCIFLUSH)


@contextmanager
def held(handle: int) -> Iterator[None]:
    """Hold the lock of an open file while others wait; it ends with the process that holds it.

    Raises OSError.
    """
    try:
        import fcntl
    except ImportError:
        # The standard library's own way gives up after ten seconds.
        import portalocker

        while True:
            try:
                portalocker.lock(handle, portalocker.LOCK_EX)
                break
            except portalocker.AlreadyLocked:
                continue
            except portalocker.LockException as error:
                raise OSError(f"a file cannot be locked: {error}") from None
        try:
            yield
        finally:
            portalocker.unlock(handle)
        return
    # The system ends this one when the file is closed.
    fcntl.flock(handle, fcntl.LOCK_EX)
    yield


def take_lock(handle: int) -> bool:
    """Take the lock of an open file until it is closed. Return False if somebody else has it."""
    try:
        import fcntl
    except ImportError:
        import portalocker

        try:
            portalocker.lock(handle, portalocker.LOCK_EX | portalocker.LOCK_NB)
        except portalocker.LockException:
            return False
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def interrupts_later() -> Iterator[None]:
    """Let an interrupt wait until the end of a few steps that belong together."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        # No signal comes to other threads.
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    before = signal.signal(signal.SIGINT, lambda *said: came.append(said))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came and callable(before):
            before(*came[0])


def worker_pool(
    jobs: int, prepare: Callable[[], None] | None = None, leave: Callable[[], None] | None = None
) -> ProcessPoolExecutor:
    """Return a pool of processes that end with this one, however it ends.

    Each of them begins with `prepare`, and calls `leave` in a thread once this process is gone.
    """
    # Slow to import.
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(jobs, initializer=_begin_work, initargs=(prepare, leave))


def _begin_work(prepare: Callable[[], None] | None, leave: Callable[[], None] | None) -> None:
    from threading import Thread

    Thread(target=_end_with_parent, args=(os.getppid(), leave), daemon=True).start()
    if prepare is not None:
        prepare()


def _end_with_parent(parent: int, leave: Callable[[], None] | None) -> None:
    from multiprocessing import parent_process

    made_by = parent_process()
    assert made_by is not None
    # Processes that were forked later hold the first sign open.
    while made_by.is_alive() and os.getppid() == parent:
        made_by.join(PARENT_LOOKED_AT)
    if leave is not None:
        leave()
    os._exit(1)


def interrupt_main() -> None:
    """Interrupt the main thread, from another one, as Ctrl-C does."""
    import signal
    import threading

    if POSIX:
        # It may wait for something, which only a real signal ends.
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        import _thread

        _thread.interrupt_main()


def start_family(words: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a program with pipes to it, in a group of its own, to be ended with `end_family`.

    Raises OSError, or ValueError for what can be no command.
    """
    import subprocess

    return subprocess.Popen(  # noqa: S603 - the user's own command
        words,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=POSIX,
    )


if sys.platform == "win32":

    def end_family(process: subprocess.Popen[bytes]) -> None:
        """End a program that `start_family` has started, and all that it has started itself."""
        import subprocess

        if process.poll() is None:
            subprocess.run(  # noqa: S603 - a number is all that it is given
                ["taskkill", "/T", "/F", "/PID", f"{process.pid}"],  # noqa: S607
                capture_output=True,
                check=False,
            )
            process.kill()
else:

    def end_family(process: subprocess.Popen[bytes]) -> None:
        """End a program that `start_family` has started, and all that it has started itself."""
        import signal

        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def split_command(text: str) -> list[str]:
    """Return the words of a command that the user has set, such as `$EDITOR`.

    The path of a program may have blanks in it. Backslashes part folders on Windows, and quote
    elsewhere. Raises ValueError for a quote without its end.
    """
    import shlex

    if os.path.isfile(text):  # noqa: PTH113 - also for what can be no name
        return [text]
    if os.sep == "/":
        return shlex.split(text)
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.escape, lexer.commenters, lexer.quotes = True, "", "", '"'
    return list(lexer)


def default_editor() -> str:
    """Return the editor where the user has named none."""
    return "vi" if POSIX else "notepad"


def has_terminal() -> bool:
    """Return True if there is a terminal, even where standard input is a file."""
    place, flags = ("/dev/tty", getattr(os, "O_NOCTTY", 0)) if POSIX else ("CONIN$", 0)
    try:
        os.close(os.open(place, os.O_RDWR | flags))
    except OSError:
        return False
    return True
