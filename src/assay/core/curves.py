"""Curves: declared next to their formulas, and found with the measures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from assay.core.frozen_dataclass import dataclass
from assay.core.parameters import Value

Columns: TypeAlias = dict[str, Any]
"""A small table of a curve or a trace: column name to array."""


@dataclass(frozen=True)
class Curve:
    """A curve as declared next to its formula: a function from a view to a table of points."""

    key: str
    function: Callable[..., Columns]
    module: str
    """The module in which the curve is declared."""

    def __call__(self, view: Any, **parameters: Value) -> Columns:
        """Return the points of the curve."""
        return self.function(view, **parameters)


def curve(name: str) -> Callable[[Callable[..., Columns]], Curve]:
    """Declare a curve."""
    return lambda function: Curve(name, function, function.__module__)
