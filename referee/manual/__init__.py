"""The manual: pages of text inside the package, shown by `help`."""

from __future__ import annotations

from pathlib import Path

from referee.records import NamedTuple

HERE = Path(__file__).parent
PACKAGE = HERE.parent
COMMANDS = "commands"
"""The folder of the schemas of what commands print."""
_SCHEMAS = {
    "engine.schema.json": "JSON Schema of the lines of an engine",
    "game.schema.json": "JSON Schema of a game file",
    "position.schema.json": "JSON Schema of a position",
    "xanadu-deck.schema.json": "JSON Schema of a Xanadu deck",
    "xanadu-position.schema.json": "JSON Schema of a Xanadu position",
}


class Page(NamedTuple):
    """A page of the manual: the word by which `help` finds it, its first line, and its file."""

    topic: str
    title: str
    path: Path

    @property
    def of_a_command(self) -> bool:
        """Return True for the schema of what a command prints."""
        return self.path.parent.name == COMMANDS

    def text(self) -> str:
        """Return the page as it is written, in Markdown or JSON."""
        return self.path.read_text(encoding="utf-8")


def pages() -> dict[str, Page]:
    """Return all pages by topic, in the order in which a reader may want them."""
    paths = [*sorted(HERE.glob("*.md")), PACKAGE / "CHANGES.md"]
    paths += [path for path in sorted(_schemas().iterdir()) if path.suffix in (".md", ".json")]
    paths += sorted((_schemas() / COMMANDS).iterdir())
    found = (Page(_topic(path), _title(path), path) for path in paths)
    return {page.topic: page for page in found}


def _schemas() -> Path:
    # A wheel has them inside the package, a checkout beside it.
    inside = PACKAGE / "schemas"
    return inside if inside.is_dir() else PACKAGE.parent / "schemas"


def _topic(path: Path) -> str:
    if path.parent.name == COMMANDS:
        return f"{COMMANDS}/{path.name}"
    return path.stem.lower() if path.suffix == ".md" else path.name


def _title(path: Path) -> str:
    if path.suffix == ".json":
        return _SCHEMAS.get(path.name, "JSON Schema")
    with path.open(encoding="utf-8") as lines:
        return next((line.strip("# \n") for line in lines if line.startswith("# ")), "")
