"""The app in a Firefox of this machine, where SANJUAN_REF_FIREFOX is set: it takes a while."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.phone.phone import served

WANTED = "SANJUAN_REF_FIREFOX"
EXAMPLE = Path(__file__).parents[2] / "examples" / "finished" / "game.toml"
pytestmark = pytest.mark.skipif(not os.environ.get(WANTED), reason=f"{WANTED} is not set")


class Firefox:
    """A browser without a window that is told what to do by its own protocol, Marionette."""

    def __init__(self, program: str, profile: Path) -> None:
        with closing(socket.socket()) as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        profile.mkdir()
        (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
        words = [program, "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.line = self._connected(port)
        self.asked = 0
        self._read()
        self.call("WebDriver:NewSession")

    def _connected(self, port: int) -> socket.socket:
        for _ in range(600):
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=300)
            except OSError:
                time.sleep(0.1)
        raise AssertionError("Firefox does not listen")

    def _read(self) -> Any:
        size = b""
        while not size.endswith(b":"):
            size += self.line.recv(1)
        data = b""
        while len(data) < int(size[:-1]):
            data += self.line.recv(1 << 16)
        return json.loads(data)

    def call(self, name: str, **given: Any) -> Any:
        self.asked += 1
        message = json.dumps([0, self.asked, name, given])
        self.line.sendall(f"{len(message)}:{message}".encode())
        _, _, error, found = self._read()
        assert error is None, error
        return found

    def run(self, script: str, *given: Any) -> Any:
        """Run a script in the page, and return what it returns."""
        return self.call("WebDriver:ExecuteScript", script=script, args=list(given))["value"]

    def wait(self, script: str) -> Any:
        """Wait until a script returns something, and return that."""
        for _ in range(1200):
            if found := self.run(script):
                return found
            time.sleep(0.1)
        raise AssertionError(self.run("return document.body.innerText"))

    def close(self) -> None:
        self.line.close()
        self.process.terminate()
        self.process.wait()


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        pytest.fail(f"{WANTED} is set, but there is no Firefox on this machine")
    one = Firefox(program, tmp_path / "profile")
    yield one
    one.close()


def test_firefox_plays(firefox: Firefox, site: Path) -> None:
    with served(site) as address:
        firefox.call("WebDriver:Navigate", url=f"{address}selftest.html")
        said = firefox.wait(
            "const one = document.getElementById('result').textContent; return one !== '…' && one;"
        )
        assert said == "This device plays."
        firefox.call("WebDriver:Navigate", url=address)
        firefox.wait("return document.body.dataset.ready && document.querySelector('#open')")
        firefox.wait("return navigator.serviceWorker.controller && 1")
        file = "const file = new File([arguments[0]], 'game.toml'); const all = new DataTransfer();"
        give = (
            "all.items.add(file); const one = document.querySelector('input[type=file]');"
            "one.files = all.files; one.dispatchEvent(new Event('change'));"
        )
        firefox.run(file + give, EXAMPLE.read_text())
        firefox.wait("return document.querySelector('iframe') && 1")
    # The server is gone. To refresh would go round what the app has kept.
    firefox.call("WebDriver:Navigate", url=f"{address}?again")
    firefox.wait("return document.querySelector('[data-game]') && 1")
    firefox.run("document.querySelector('[data-game]').click()")
    firefox.wait("return document.querySelector('.strip') && 1")
    firefox.run(
        "[...document.querySelectorAll('.strip button')]"
        ".find(one => one.innerText === 'Audit').click()"
    )
    said = firefox.wait("return document.querySelector('#conclusion')?.innerText")
    assert "every play was legal" in said
