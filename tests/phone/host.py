"""A host of the app that publishes new versions, and whose network breaks."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path

from referee.phone.serve import Handler, server
from tests.phone.phone import running


class Host:
    """A copy of a build that can be changed, and served in part; `broken` are cut in the middle."""

    def __init__(self, site: Path, folder: Path) -> None:
        self.folder = folder / "site"
        shutil.copytree(site, self.folder)
        self.broken: set[str] = set()
        self.asked: list[str] = []

    def publish(self, name: str, more: str) -> None:
        """Put a newer version into the place of the old one: one file says more."""
        path = self.folder / name
        old = _integrity(path)
        path.write_text(path.read_text() + more)
        worker = self.folder / "sw.js"
        text = worker.read_text()
        assert old in text
        text = text.replace(old, _integrity(path))
        version = hashlib.sha256(text.encode()).hexdigest()[:16]
        worker.write_text(re.sub('const VERSION = "[^"]+"', f'const VERSION = "{version}"', text))

    def lie(self, name: str, other: str) -> None:
        """Name another hash for a file than it has, in a version that is new."""
        files = json.loads((self.folder / "files.json").read_text())["files"]
        text = (self.folder / "sw.js").read_text().replace(files[name], files[other])
        (self.folder / "sw.js").write_text(text.replace('VERSION = "', 'VERSION = "2'))

    @contextmanager
    def serving(self) -> Iterator[str]:
        """The address at which it is served to this machine."""
        host = self

        class Breaking(Handler):
            def __init__(self, *args: object) -> None:
                super().__init__(*args, directory=str(host.folder))  # type: ignore[arg-type]

            def do_GET(self) -> None:  # noqa: N802
                name = self.path.partition("?")[0].removeprefix("/")
                host.asked.append(name)
                if name not in host.broken:
                    super().do_GET()
                    return
                data = (host.folder / name).read_bytes()
                self.send_response(HTTPStatus.OK)
                self.send_header("Content-Type", self.guess_type(name))
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data[: len(data) // 2])
                self.close_connection = True

        with server(self.folder, 0) as found:
            found.RequestHandlerClass = Breaking
            with running(found) as address:
                yield address


def _integrity(path: Path) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(path.read_bytes()).digest()).decode()
