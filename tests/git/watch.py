"""Counts what a run asks of git: processes, objects that are looked up, objects that are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from referee.git import history
from referee.git.objects import Object, Objects
from referee.git.repo import Repo
from referee.table import filetext


class Watch:
    """Everything in this process from now on: `commands` of git, `looked` up names, `read` objects,
    and the sizes of the game files that were `parsed` whole."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clear()
        words, look, read = Repo.words, Objects.look_all, Objects.read

        def counted(repo: Repo, *given: str) -> list[str]:
            self.commands.append(given)
            return words(repo, *given)

        def looked(objects: Objects, names: Sequence[str]) -> Iterator[Object | None]:
            self.looked += names
            return look(objects, names)

        def seen(objects: Objects, one: Object) -> bytes:
            self.read.append(one)
            return read(objects, one)

        def parsed(data: bytes) -> object:
            self.parsed.append(len(data))
            return filetext.parse(data)

        monkeypatch.setattr(Repo, "words", counted)
        monkeypatch.setattr(Objects, "look_all", looked)
        monkeypatch.setattr(Objects, "read", seen)
        monkeypatch.setattr(history, "parse", parsed)

    def clear(self) -> None:
        """Count from nothing."""
        self.commands: list[tuple[str, ...]] = []
        self.looked: list[str] = []
        self.read: list[Object] = []
        self.parsed: list[int] = []

    def of(self, kind: str) -> list[Object]:
        """The objects of a kind that were read."""
        return [one for one in self.read if one.kind == kind]
