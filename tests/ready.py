"""The program, already imported: a process that forks for each command, and a script that asks it.

The tests of git run hundreds of commands, as players and in hooks, and their start takes most of
the time. Each has a process, an environment, a folder and files of its own all the same.
"""

from __future__ import annotations

import gc
import json
import os
import pkgutil
import socket
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from tests.once import new_folder, once, runner

SCRIPT = """\
#!{python} -IS
import json, os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
request = json.dumps([sys.argv, os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(server, [len(request).to_bytes(4, "big")], [0, 1, 2])
server.sendall(request)
os._exit(int(server.makefile().readline()))
"""
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
    """Run one command, and tell how it ended."""
    length, files, _, _ = socket.recv_fds(asking, 4, 3)
    request = b""
    while len(request) < int.from_bytes(length, "big"):
        request += asking.recv(1 << 16)
    (script, *words), folder, environment = json.loads(request)
    child = os.fork()
    if child == 0:
        asking.close()
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        words = words[3:] if words[:3] == PYTHON else words
        sys.argv, sys.executable = [script, *words], script
        sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w", errors="surrogateescape")
        sys.stderr = os.fdopen(2, "w", 1, errors="backslashreplace")
        from referee.cli.main import main

        main()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    asking.sendall(f"{status}\n".encode())
    os._exit(0)


if __name__ == "__main__":
    with suppress(ProcessLookupError):
        _serve(sys.argv[1], int(sys.argv[2]))
