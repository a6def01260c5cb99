"""Named tuples that are made quickly, and are otherwise those of `typing`."""

from __future__ import annotations

import copy
import inspect
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


class Wide(records.NamedTuple):
    one: int
    two: int
    three: int


def test_they_are_those_of_typing() -> None:
    ours: Any = Ours
    theirs: Any = Theirs
    for name in (
        "__doc__",
        "_fields",
        "_field_defaults",
        "__module__",
        "__slots__",
        "__match_args__",
    ):
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
    assert str(inspect.signature(Ours)) == "(row, column=2, words=('a',))"


def test_it_is_copied_and_changed_like_one_of_the_library() -> None:
    ours = Ours(1, 5, ("x",))
    assert ours._replace(column=6) == (1, 6, ("x",))
    assert type(ours._replace(column=6)) is Ours
    assert Ours._make([4, 1, ()]) == (4, 1, ())
    assert copy.copy(ours) == copy.deepcopy(ours) == ours
    again = pickle.loads(pickle.dumps(ours))
    assert (type(again), again) == (Ours, ours)
    match ours:
        case Ours(row, column, words):
            assert (row, column, words) == ours
    match ours:
        case Ours(column=column):
            assert column == 5


def test_another_of_so_many_fields_has_its_own_names() -> None:
    assert Wide(1, three=3, two=2) == (1, 2, 3)
    with pytest.raises(TypeError, match="three"):
        Wide(1, 2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="row"):
        Ours()  # type: ignore[call-arg]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(AttributeError):
        Ours(1).column = 4  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Ours(1).other = 4  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="unexpected"):
        Ours(1, other=4)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="other"):
        Ours(1)._replace(other=4)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="not 1"):
        Ours._make([1])
    with pytest.raises(TypeError, match="last"):

        class _Odd(records.NamedTuple):
            one: int = 1
            two: int  # type: ignore[misc]


@pytest.mark.parametrize("count", range(1, 13))
def test_they_have_any_number_of_fields(count: int) -> None:
    names = [f"field{at}" for at in range(count)]
    space = {"__annotations__": dict.fromkeys(names, int)}
    make: Any = type(records.NamedTuple)
    made = make("Made", (records.NamedTuple,), space)
    numbers = tuple(range(count))
    assert made(*numbers) == made(**dict(zip(names, numbers, strict=True))) == numbers
    assert made(*numbers)._asdict() == dict(zip(names, numbers, strict=True))
