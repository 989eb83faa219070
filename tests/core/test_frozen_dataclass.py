"""Frozen dataclasses of our own behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import Any

import pytest

from assay.core import frozen_dataclass

STANDARD, OWN = dataclasses.dataclass, frozen_dataclass.dataclass
PAIRS = [(STANDARD, STANDARD), (OWN, OWN), (OWN, STANDARD), (STANDARD, OWN)]
"""What makes the base class, and the class that inherits from it."""


def classes(make_base: Callable[..., Any], make: Callable[..., Any]) -> tuple[Any, Any, Any]:
    """Return a base class, one that inherits from it, and one without comparison."""

    @make_base(frozen=True)
    class Base:
        """Numbers."""

        first: int
        rest: tuple[int, ...] = ()
        hidden: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

        @cached_property
        def total(self) -> int:
            """The sum."""
            return self.first + sum(self.rest)

    @make(frozen=True, kw_only=True)
    class Derived(Base):
        """Numbers with a name."""

        name: str = "a"
        size: int = field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "size", len(self.rest))

    @make(frozen=True, repr=False, eq=False)
    class Alone:
        """One number."""

        number: int = 0

    return Base, Derived, Alone


@pytest.mark.parametrize("makers", PAIRS)
def test_the_same_as_in_the_standard_library(makers: tuple[Any, Any]) -> None:
    """Representation, comparison, hash, signature, and what is refused with which message."""

    def observe(base: Any, derived: Any, alone: Any) -> list[Any]:
        one = derived(3, (1, 2), name="b")
        again = dataclasses.replace(one, hidden={"x": 1})
        seen: list[Any] = [repr(one), repr(base(1)), one == again, hash(one) == hash(again)]
        seen += [one == dataclasses.replace(one, first=4), base(3, (1, 2)) == one, one.total]
        seen += [alone() == alone(), object.__repr__(alone())[:10] == repr(alone())[:10]]
        seen += [inspect.signature(kind) for kind in (base, derived, alone)]
        seen += [kind.__match_args__ for kind in (base, derived, alone)]
        seen += [[each.name for each in dataclasses.fields(kind)] for kind in (base, derived)]
        seen += [copy.copy(one) == one, copy.deepcopy(one) == one, dataclasses.asdict(one)]
        for change in (
            lambda: setattr(one, "first", 1),
            lambda: setattr(one, "other", 1),
            lambda: setattr(base(1), "other", 1),
            lambda: delattr(one, "rest"),
            lambda: delattr(alone(), "other"),
            lambda: hash(base([])) and hash(base(1, [])),
            lambda: base(),
        ):
            with pytest.raises((AttributeError, TypeError)) as refused:
                change()
            seen.append((type(refused.value), str(refused.value)))
        return seen

    assert observe(*classes(*makers)) == observe(*classes(STANDARD, STANDARD))


@frozen_dataclass.dataclass(frozen=True)
class Node:
    """A record that may contain itself, with a hash of its own."""

    children: list[Any]

    def __hash__(self) -> int:
        return 7


def test_cycles_own_methods_and_pickles() -> None:
    """A cycle is written once, a declared method stays, and copies of other processes compare."""
    node = Node([])
    node.children.append(node)
    assert repr(node) == "Node(children=[...])"
    assert hash(node) == 7
    assert pickle.loads(pickle.dumps(Node([1]))) == Node([1])


def test_only_for_frozen_classes() -> None:
    """Others are left to the standard library."""
    with pytest.raises(TypeError, match="not frozen"):
        OWN(frozen=False)
