"""The parts of others that the app is built of: by their names, versions and hashes, and no other.

They lie in a folder of the user's, `$SANJUAN_REF_PHONE` or `~/.cache/sanjuan-ref/phone`.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import tarfile
import tomllib
from functools import cache
from pathlib import Path, PurePosixPath

from referee.records import NamedTuple
from referee.storage import NotRead, not_written, replace, scratch

FOLDER = Path(__file__).parent
PLACE = "SANJUAN_REF_PHONE"
FETCH = "`sanjuan-ref phone fetch` gets it by npm, and checks it"


class Part(NamedTuple):
    """A package of the npm registry: its name, its exact version, and the hash of its archive."""

    name: str
    version: str
    integrity: str

    @property
    def file(self) -> str:
        """The name of its archive, as npm calls it."""
        return f"{self.name.removeprefix('@').replace('/', '-')}-{self.version}.tgz"

    def fits(self, data: bytes) -> bool:
        """Return True if these are the bytes of its archive."""
        kind, _, said = self.integrity.partition("-")
        return kind == "sha512" and base64.b64encode(hashlib.sha512(data).digest()).decode() == said


@cache
def parts() -> dict[str, Part]:
    """Return all parts, by their names."""
    rows = tomllib.loads((FOLDER / "lock.toml").read_text("utf-8"))["package"]
    return {row["name"]: Part(row["name"], row["version"], row["integrity"]) for row in rows}


def place() -> Path:
    """Return the folder in which the parts lie."""
    named = os.environ.get(PLACE)
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "sanjuan-ref" / "phone"


def missing() -> list[Part]:
    """Return the parts that are not there, or not what they should be."""
    return [part for part in parts().values() if not _there(part)]


def _there(part: Part) -> bool:
    try:
        return part.fits((place() / part.file).read_bytes())
    except OSError:
        return False


def fetch() -> list[Part]:
    """Get what is missing by npm, and return it. Raises NotRead or NotWritten."""
    wanted = missing()
    npm = shutil.which("npm")
    if wanted and npm is None:
        raise NotRead("there is no npm on this machine, which fetches the parts", "install nodejs")
    for part in wanted:
        with scratch() as folder:
            _pack(str(npm), part, folder)
            data = (folder / part.file).read_bytes()
        if not part.fits(data):
            raise NotRead(
                f"{part.name} {part.version} is not what it was: its hash is another",
                "do not use it; somebody may have changed it on the way",
            )
        try:
            place().mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise not_written(place(), error) from None
        replace(place() / part.file, data)
    return wanted


def _pack(npm: str, part: Part, folder: Path) -> None:
    said = subprocess.run(  # noqa: S603
        [npm, "pack", f"{part.name}@{part.version}", "--silent", "--pack-destination", str(folder)],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
    )
    if said.returncode or not (folder / part.file).is_file():
        last = (said.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise NotRead(f"npm cannot fetch {part.name} {part.version}: {last[:200]}")


def unpacked(name: str, folder: Path) -> Path:
    """Unpack a part into a folder, and return where it lies. Raises NotRead."""
    part = parts()[name]
    if not _there(part):
        raise NotRead(f"{part.name} {part.version} is not in {place()}", FETCH)
    target = folder / part.file.removesuffix(".tgz")
    # By hand, as `extractall` has had its filters since Python 3.11.4 only: plain files, and none
    # beside the folder.
    with tarfile.open(place() / part.file) as archive:
        for member in archive:
            path = PurePosixPath(member.name)
            data = archive.extractfile(member) if member.isfile() else None
            if data is None or path.is_absolute() or ".." in path.parts:
                raise NotRead(f"{part.file} holds {member.name!r}, which is no file of a package")
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(data.read())
    return target / "package"
