"""A build of the app for tests, and its cryptography as Python sees it, run by node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.phone import parts
from referee.phone.build import build
from tests.once import new_folder, once


def check_parts() -> None:
    """Skip a test where the app cannot be built."""
    if shutil.which("node") is None:
        pytest.skip("there is no node on this machine, which compiles the app")
    if parts.missing():
        pytest.skip("the parts of the app are not here: `sanjuan-ref phone fetch` gets them")


@once
def built() -> Path:
    """The folder of a build, the same for all tests of a run."""
    folder = new_folder() / "site"
    build(folder)
    return folder


SCRIPT = """
import { createInterface } from "node:readline";
const engine = await import(process.argv[2]);
await engine.ciphers();
const give = (one) => (one && typeof one === "object" && "hex" in one
  ? Uint8Array.from(Buffer.from(one.hex, "hex")) : one);
for await (const line of createInterface({ input: process.stdin })) {
  const [name, args] = JSON.parse(line);
  let found;
  try {
    const value = engine[name](...args.map(give));
    found = value instanceof Uint8Array ? { hex: Buffer.from(value).toString("hex") } : { value };
  } catch (error) {
    found = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(found)}\\n`);
}
"""


class Bytes:
    """Bytes as a browser gives them."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def to_bytes(self) -> bytes:
        return self.data


class Engine:
    """The functions of `crypto.js`, each called in node."""

    def __init__(self, site: Path, folder: Path) -> None:
        shutil.copytree(site, folder, dirs_exist_ok=True)
        (folder / "package.json").write_text('{"type": "module"}')
        (folder / "calls.js").write_text(SCRIPT)
        node = shutil.which("node")
        assert node is not None
        self.process = subprocess.Popen(
            [node, str(folder / "calls.js"), str(folder / "crypto.js")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __getattr__(self, name: str) -> Any:
        return lambda *args: self.call(name, args)

    def call(self, name: str, args: Sequence[Any]) -> Any:
        given = [{"hex": one.hex()} if isinstance(one, bytes) else one for one in args]
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([name, given]) + "\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        if "error" in found:
            raise RuntimeError(found["error"])
        return Bytes(bytes.fromhex(found["hex"])) if "hex" in found else found["value"]

    def close(self) -> None:
        # To close its input is not enough: a process that was forked since may hold that too.
        self.process.kill()
        self.process.wait()
