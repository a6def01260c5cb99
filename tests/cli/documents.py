"""The JSON Schemas of what commands print with `--json`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import typer.main
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from referee.cli.app import app
from referee.cli.commands import COMMANDS

FOLDER = Path(__file__).parents[2] / "schemas" / "commands"
COMMON = "common.schema.json"
GROUPS = ("mail", "git", "phone")


@cache
def validator(name: str) -> Draft202012Validator:
    """The schema of a command, `mail-in` being one."""
    schemas = {path.name: json.loads(path.read_text()) for path in FOLDER.iterdir()}
    found = [(file, Resource.from_contents(schema)) for file, schema in schemas.items()]
    registry: Registry[Any] = Registry().with_resources(found)
    return Draft202012Validator(schemas[f"{name}.schema.json"], registry=registry)


def check_document(words: Sequence[str], text: str) -> None:
    """Fail if what a command has printed with `--json` is not what its schema says."""
    name = "-".join(words[: 2 if words[0] in GROUPS else 1])
    faults = list(validator(name).iter_errors(json.loads(text)))
    assert not faults, [inner.message for fault in faults for inner in fault.context or [fault]]


def commands() -> Iterator[str]:
    """All commands that take `--json`, by the names of their schemas."""
    top = typer.main.get_command(app)
    context = top.make_context("sanjuan-ref", [], resilient_parsing=True)
    for name in COMMANDS:
        command: Any = top.get_command(context, name)  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        for said, one in [(name, command)] if inner is None else inner.items():
            if any("--json" in param.opts for param in one.params):
                yield said if inner is None else f"{name}-{said}"
