"""A Python in which there is nothing of POSIX, as far as a program of ours can tell.

Every process imports it in whose PYTHONPATH its folder is: hooks of git, too.
"""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess  # noqa: F401 - it needs what is taken away
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

MODULES = (
    *("crypt", "curses", "fcntl", "grp", "nis", "ossaudiodev", "posix", "pty", "pwd", "readline"),
    *("resource", "spwd", "syslog", "termios", "tty", "_curses", "_posixsubprocess", "_posixshmem"),
)
NAMES = (
    *("O_NOFOLLOW", "O_NOCTTY", "O_DIRECTORY", "O_CLOEXEC", "O_NONBLOCK", "O_SYNC", "O_DSYNC"),
    *("fork", "forkpty", "register_at_fork", "posix_spawn", "posix_spawnp", "posix_fallocate"),
    *("getuid", "geteuid", "getgid", "getegid", "getgroups", "setuid", "setgid", "initgroups"),
    *("chown", "lchown", "fchown", "fchmod", "fchdir", "chroot", "mkfifo", "mknod", "statvfs"),
    *("fdatasync", "sync", "pread", "pwrite", "readv", "writev", "sendfile", "lockf", "fpathconf"),
    *("killpg", "getpgid", "setpgid", "getpgrp", "setsid", "getsid", "nice", "getpriority"),
    *("uname", "sysconf", "getloadavg", "ttyname", "openpty", "ctermid", "wait3", "wait4"),
    *(
        "environb",
        "getenvb",
        "set_blocking",
        "get_blocking",
        "listxattr",
        "memfd_create",
    ),
)
SIGNALS = ("SIGHUP", "SIGQUIT", "SIGALRM", "SIGPIPE", "SIGUSR1", "SIGCHLD", "SIGXFSZ")


class _Missing:
    """An importer that knows of no module that Windows lacks."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def _refuse(path: Any) -> None:
    """Raise PermissionError for a file that this process has open, as Windows does."""
    try:
        there = os.lstat(path)
    except OSError:
        return
    for handle in _listdir("/dev/fd"):
        try:
            held = os.fstat(int(handle))
        except OSError:
            continue
        if stat.S_ISREG(held.st_mode) and os.path.samestat(held, there):
            raise PermissionError(errno.EACCES, "it is open", path)


def _careful(call: Callable[..., Any], *places: int) -> Callable[..., Any]:
    def refusing(*args: Any, **more: Any) -> Any:
        for place in places:
            _refuse(args[place])
        return call(*args, **more)

    return refusing


def _open(path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
    if Path(path).is_dir():
        raise PermissionError(errno.EACCES, "it is a folder", path)
    return _os_open(path, flags, mode, **more)


def _kill(process: int, number: int) -> None:
    if not number:
        raise AssertionError("on Windows this ends the process")
    _os_kill(process, number)


os.supports_dir_fd, os.supports_fd = set(), set()
for _where, _names in ((os, NAMES), (signal, SIGNALS)):
    for _name in _names:
        vars(_where).pop(_name, None)
# Its lock for Windows cannot be had here.
import portalocker  # noqa: E402, F401

_os_open, _os_kill, _listdir = os.open, os.kill, os.listdir
os.open, os.kill = _open, _kill
os.replace, os.rename = _careful(os.replace, 0, 1), _careful(os.rename, 0, 1)
os.unlink, os.remove = _careful(os.unlink, 0), _careful(os.remove, 0)
sys.meta_path.insert(0, _Missing())
for _name in MODULES:
    sys.modules.pop(_name, None)
