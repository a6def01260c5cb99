"""The program, already imported: a process that forks for each command, and a script that asks it.

The tests of git run hundreds of commands, as players and in hooks, and their start takes most of
the time. Each has a process, an environment, a folder and files of its own all the same.
"""

from __future__ import annotations

import gc
import marshal
import os
import pkgutil
import socket
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from tests.once import new_folder, once, runner

SCRIPT = """\
#!{python} -IS
import marshal, posix, sys, _socket
server = _socket.socket(_socket.AF_UNIX)
server.connect({address!r})
request = marshal.dumps([sys.argv, posix.getcwd(), posix.environ])
length = len(request).to_bytes(4, "big")
files = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
server.sendmsg([length], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)])
server.sendall(request)
posix._exit(int(server.recv(9)))
"""
"""It imports what starts with any Python: `os` and `socket` would take longer than all the rest."""
PYTHON = ["-P", "-m", "referee"]
"""Words behind which a hook names a command: the script stands for Python there."""


@once
def program() -> Path:
    """A script that does what `sanjuan-ref` does, for as long as this run of tests lasts."""
    folder = new_folder()
    script, address = folder / "sanjuan-ref", str(folder / "socket")
    script.write_text(SCRIPT.format(python=sys.executable, address=address))
    script.chmod(0o755)
    words = [sys.executable, "-m", "tests.ready", address, str(runner())]
    root = Path(__file__).parents[1]
    server = subprocess.Popen(
        words,
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        # Nobody can be asked for a passphrase.
        start_new_session=True,
    )
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    return script


def _serve(address: str, until: int) -> None:
    """Answer for as long as a process lives and its folder is there."""
    import referee

    for module in pkgutil.walk_packages(referee.__path__, "referee."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        listener.settimeout(1)
        print("ready", flush=True)
        while Path(address).exists():
            os.kill(until, 0)
            with suppress(TimeoutError), listener.accept()[0] as asking:
                asking.setblocking(True)
                if os.fork() == 0:
                    _answer(asking)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


def _answer(asking: socket.socket) -> None:
    """Run one command as the process that asks for it, and tell how it ended."""
    length, files, _, _ = socket.recv_fds(asking, 4, 3)
    request = b""
    while len(request) < int.from_bytes(length, "big"):
        request += asking.recv(1 << 16)
    (script, *words), folder, environment = marshal.loads(request)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environb.clear()
    os.environb.update(environment)
    words = words[3:] if words[:3] == PYTHON else words
    sys.argv, sys.executable = [script, *words], script
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w", errors="surrogateescape")
    sys.stderr = os.fdopen(2, "w", 1, errors="backslashreplace")
    leave = os._exit

    def tell(status: int) -> NoReturn:
        asking.sendall(f"{status}\n".encode())
        leave(status)

    os._exit = tell
    from referee.cli.main import main

    try:
        code = main()
    except SystemExit as ending:
        code = int(ending.code or 0)
    sys.stdout.flush()
    sys.stderr.flush()
    tell(code)


if __name__ == "__main__":
    with suppress(ProcessLookupError):
        _serve(sys.argv[1], int(sys.argv[2]))
