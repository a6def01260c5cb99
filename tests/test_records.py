"""Named tuples that are made quickly, and are otherwise those of `typing`."""

from __future__ import annotations

import pickle
import typing
from typing import Any

import pytest

from referee import records


class Ours(records.NamedTuple):
    """A place on a board."""

    row: int
    column: int = 2
    words: tuple[str, ...] = ("a",)

    @property
    def sum(self) -> int:
        return self.row + self.column

    @classmethod
    def far(cls) -> Ours:
        """Return a far one."""
        return cls(99)


class Theirs(typing.NamedTuple):
    """A place on a board."""

    row: int
    column: int = 2
    words: tuple[str, ...] = ("a",)


def test_they_are_those_of_typing() -> None:
    ours: Any = Ours
    theirs: Any = Theirs
    for name in ("__doc__", "_fields", "_field_defaults", "__module__", "__bases__", "__slots__"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert list(ours.__annotations__) == list(theirs.__annotations__)
    assert ours.__qualname__ == ours.__name__ == "Ours"
    one: Any = Ours(1, words=("b",))
    assert one == (1, 2, ("b",))
    assert repr(one) == "Ours(row=1, column=2, words=('b',))"
    assert one.sum == 3
    assert Ours.far().row == 99
    assert one._replace(row=5) == Ours(5, words=("b",))
    assert pickle.loads(pickle.dumps(one)) == one
    assert not hasattr(one, "__dict__")
    with pytest.raises(TypeError, match="row"):
        Ours()  # type: ignore[call-arg]
