"""Named tuples that are made quickly: every command makes dozens before it does anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    _PASSED = {"__annotations__", "__module__", "__qualname__"}

    class _Maker(type):
        """Makes what `typing.NamedTuple` makes, without compiling each annotation once more."""

        def __new__(cls, name, bases, space):
            if not bases:
                return super().__new__(cls, name, bases, space)
            types = space["__annotations__"]
            defaults = [space[field] for field in types if field in space]
            made = namedtuple(name, types, defaults=defaults, module=space["__module__"])
            made.__annotations__ = types
            made.__qualname__ = space["__qualname__"]
            for key, value in space.items():
                if key not in types and key not in _PASSED:
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Maker):
        """The base of classes that become named tuples."""
