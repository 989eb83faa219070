"""Series whose index has the labels of the true values in another order."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any


class IndexOrderWarning(UserWarning):
    """Arrays are paired by position, but the index of a Series says otherwise."""


def warn_of_other_order(truth: Any, arrays: Iterable[tuple[str, Any]]) -> None:
    """Warn where the index of a Series has the labels of that of the true values, reordered.

    An index that only counts the rows says nothing about their order, nor does one that repeats
    labels.
    """
    for name, given in arrays:
        several = given.values() if isinstance(given, Mapping) else (given,)
        if any(_is_reordered(truth, each) for each in several):
            warnings.warn(
                f"the index of `{name}` has the same labels as that of the true values, in another"
                " order: items are paired by position, not by the index. To pair them by it, give"
                f" {name}.loc[y_true.index]",
                IndexOrderWarning,
                stacklevel=7,
            )


def _is_reordered(truth: Any, given: Any) -> bool:
    one: Any = getattr(truth, "index", None)
    other: Any = getattr(given, "index", None)
    if not (hasattr(one, "equals") and hasattr(other, "equals")):
        return False
    counts = any(type(each).__name__ == "RangeIndex" for each in (one, other))
    if counts or len(one) != len(other) or one.equals(other):
        return False
    return bool(one.is_unique and other.is_unique and one.isin(other).all())
