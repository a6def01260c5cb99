"""Named tuples that are made quickly: every command makes dozens before it does anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import _tuplegetter, namedtuple
    from types import FunctionType

    _tuple_new = tuple.__new__
    _GLOBALS = {"_tuple_new": _tuple_new, "__builtins__": {}}

    class _Record(tuple):
        """The code that all named tuples share, and that `namedtuple` makes anew for each."""

        __slots__ = ()

        @classmethod
        def _make(cls, values):
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, not {len(made)}")
            return made

        def _replace(self, /, **changes):
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise TypeError(f"{type(self).__name__} has no fields {[*changes]}")
            return made

        __replace__ = _replace

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            fields = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({fields})"

        def __getnewargs__(self):
            return tuple(self)

    # The library compiles this code for each class.
    _CODES = [
        one.__code__
        for one in (
            lambda t: _tuple_new(t, ()),
            lambda t, a: _tuple_new(t, (a,)),
            lambda t, a, b: _tuple_new(t, (a, b)),
            lambda t, a, b, c: _tuple_new(t, (a, b, c)),
            lambda t, a, b, c, d: _tuple_new(t, (a, b, c, d)),
            lambda t, a, b, c, d, e: _tuple_new(t, (a, b, c, d, e)),
            lambda t, a, b, c, d, e, f: _tuple_new(t, (a, b, c, d, e, f)),
            lambda t, a, b, c, d, e, f, g: _tuple_new(t, (a, b, c, d, e, f, g)),
            lambda t, a, b, c, d, e, f, g, h: _tuple_new(t, (a, b, c, d, e, f, g, h)),
            lambda t, a, b, c, d, e, f, g, h, i: _tuple_new(t, (a, b, c, d, e, f, g, h, i)),
            lambda t, a, b, c, d, e, f, g, h, i, j: _tuple_new(t, (a, b, c, d, e, f, g, h, i, j)),
        )
    ]
    """The code with which a tuple of so many fields is made, whatever they are called."""

    def _code(count):
        if count < len(_CODES):
            return _CODES[count]
        return namedtuple("_", [f"field{at}" for at in range(count)]).__new__.__code__

    class _Maker(type):
        """Makes what `typing.NamedTuple` makes, without compiling code for each class."""

        def __new__(cls, name, bases, space):
            if not bases:
                return super().__new__(cls, name, bases, space)
            fields = tuple(space["__annotations__"])
            defaults = {field: space[field] for field in fields if field in space}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: fields with a default are the last ones")
            code = _code(len(fields)).replace(co_varnames=("_cls", *fields))
            made = FunctionType(code, _GLOBALS, "__new__", tuple(defaults.values()))
            getters = {field: _tuplegetter(at, "") for at, field in enumerate(fields)}
            return type(
                name,
                (_Record,),
                space
                | getters
                | {
                    "__slots__": (),
                    "__new__": made,
                    "__match_args__": fields,
                    "_fields": fields,
                    "_field_defaults": defaults,
                },
            )

    class NamedTuple(metaclass=_Maker):
        """The base of classes that become named tuples."""
