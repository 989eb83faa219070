"""Frozen dataclasses for the modules of every start: they are created in a third of the time.

The standard library compiles six methods for each frozen class, and a start creates fifty classes.
Here only ``__init__`` is compiled; the other methods are functions over the names of the fields.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import asdict as asdict
from dataclasses import field as field
from dataclasses import fields as fields
from dataclasses import replace as replace
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, TypeAlias

Methods: TypeAlias = dict[str, Callable[..., Any]]

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        cls: type | None = None,
        /,
        *,
        frozen: bool,
        repr: bool = True,
        eq: bool = True,
        kw_only: bool = False,
    ) -> Any:
        """Return the class as a frozen dataclass that behaves as one of the standard library."""
        if not frozen:
            raise TypeError("use the standard library for a dataclass that is not frozen")
        if cls is None:
            return lambda each: dataclass(each, frozen=True, repr=repr, eq=eq, kw_only=kw_only)
        declared = dict(vars(cls))
        inherits = any(dataclasses.is_dataclass(base) for base in cls.__mro__[1:])
        dataclasses.dataclass(frozen=inherits, repr=False, eq=False, kw_only=kw_only)(cls)
        methods = {} if inherits else _refuse_changes(cls)
        methods |= _write_fields(cls) if repr else {}
        methods |= _compare_fields(cls) if eq else {}
        for name, method in methods.items():
            if declared.get(name) is None:  # Python sets __hash__ to None beside an own __eq__.
                method.__qualname__ = f"{cls.__qualname__}.{name}"
                setattr(cls, name, method)
        cls.__dataclass_params__.frozen = True  # Dataclasses that inherit from this one check it.
        return cls


def _refuse_changes(cls: Any) -> Methods:
    """Return methods that let ``__init__`` set each field once, and refuse all else."""
    names = frozenset(each.name for each in fields(cls))

    def set_once(self: Any, name: str, value: object) -> None:
        """Set a field that has no value yet."""
        if name in names and name not in vars(self):
            vars(self)[name] = value
        elif name in names or type(self) is cls:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        else:
            super(cls, self).__setattr__(name, value)

    def keep(self: Any, name: str) -> None:
        """Refuse to delete a field."""
        if name in names or type(self) is cls:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": set_once, "__delattr__": keep}


def _write_fields(cls: type) -> Methods:
    """Return the method that writes the fields."""
    names = [each.name for each in fields(cls) if each.repr]

    @recursive_repr()
    def write(self: Any) -> str:
        """Return the class with its fields."""
        written = (f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({', '.join(written)})"

    return {"__repr__": write}


def _compare_fields(cls: type) -> Methods:
    """Return the methods that compare the fields."""
    declared = fields(cls)
    hashed = [each for each in declared if (each.compare if each.hash is None else each.hash)]
    values = _values_of([each.name for each in declared if each.compare])
    key = _values_of([each.name for each in hashed])

    def equal(self: Any, other: object) -> Any:
        """Return whether both are of one class with the same values."""
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    return {"__eq__": equal, "__hash__": lambda self: hash(key(self))}


def _values_of(names: Sequence[str]) -> Callable[[Any], Any]:
    """Return a function that returns the values of these fields."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda record: tuple(getattr(record, name) for name in names)
