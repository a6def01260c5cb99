"""A build of the app, served to this machine alone."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from referee.phone.build import MARK
from referee.storage import NotRead, NotWritten

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".zip": "application/zip",
    ".toml": "application/toml",
}


class Handler(SimpleHTTPRequestHandler):
    """Files with the types that browsers insist on, and no word about each on the terminal."""

    extensions_map = KINDS

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""

    def end_headers(self) -> None:
        """Let a browser ask again each time: whoever builds wants to see what was built."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()


def server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of a build on the loopback interface. Raises NotRead or NotWritten."""
    if not (folder / MARK).is_file():
        raise NotRead(f"{folder} is no build of the app", "`sanjuan-ref phone build DIR` makes one")
    try:
        return ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=str(folder)))
    except OSError as error:
        raise NotWritten(
            f"port {port} cannot be used: {error.strerror}", "choose another one with --port"
        ) from None
