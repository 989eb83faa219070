"""Results of very many items: summaries are computed block by block, values when asked for."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

import numpy as np

from assay.core.arrays import Floats, exact_parts, largest_size
from assay.core.definition import Ratio
from assay.core.frozen_dataclass import fields
from assay.core.names import Measure
from assay.engine.result import Result

_AT_ONCE = 1 << 16
_LARGEST = 1e280
"""Up to here blocks of numbers are added up exactly."""


class LongResult(Result):
    """A result whose values are computed when they are asked for: most summaries show none."""

    compute: Callable[[], Floats]

    @classmethod
    def over(cls, compute: Callable[[], Floats], **given: Any) -> Result:
        """Return the result with all other fields; those that are not given have their defaults."""
        result = cls.__new__(cls)
        names = [each.name for each in fields(Result) if each.name != "values"]
        known = {name: given[name] if name in given else getattr(Result, name) for name in names}
        result.__dict__.update(known, compute=compute)
        return result

    def __getattr__(self, name: str) -> Any:
        """Return the values, which are kept from then on."""
        if name != "values" or "compute" not in self.__dict__:
            raise AttributeError(name)
        self.__dict__["values"] = values = self.compute()
        return values

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the values in place of the function that computes them."""
        return Result, tuple(getattr(self, each.name) for each in fields(Result))


def mean_of_blocks(view: Any, measure: Measure) -> float | None:
    """Return the mean of a value of each of many items, which is the same to the last bit.

    None where a block has undefined or very large values, or is not a mean of items that count
    once: then all values are needed together.
    """

    def add(start: int) -> list[float] | None:
        """Return few numbers with the sum of a block."""
        with np.errstate(all="ignore"):
            parts = measure.formula(view.block(slice(start, start + _AT_ONCE)))
        if not isinstance(parts, Ratio) or parts.undefined is not None:
            return None
        weight = parts.denominator
        counts_once = weight.strides == (0,) and weight[0] == 1
        if not counts_once or not largest_size(parts.numerator) < _LARGEST:
            return None
        return exact_parts(parts.numerator)

    size = len(view.units)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(add, range(0, size, _AT_ONCE)))
    known = [each for each in found if each is not None]
    return math.fsum(chain.from_iterable(known)) / size if len(known) == len(found) else None
