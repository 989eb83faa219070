"""The training and test rows of each fold, from what a caller gives as ``cv``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.errors import DataError, UsageError
from assay.formats.splits import Splits

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Fold:
    """Rows to train on and rows to test on, from 0."""

    name: str
    train: Rows
    test: Rows


def read_folds(
    cv: Any, X: Any, y: npt.NDArray[Any], groups: Any, *, classifier: bool, name: str = "cv"
) -> list[Fold]:
    """Return the folds of a number, a splitter, pairs of rows, or splits of numbered rows.

    ``name`` is what the folds are called in messages.
    """
    if isinstance(cv, str | Path):
        cv = Splits.read(cv, "item")
    pairs = (
        _from_splits(cv, len(y))
        if isinstance(cv, Splits)
        else _from_splitter(cv, X, y, groups, classifier, name)
    )
    folds = [
        Fold(name, np.asarray(train, dtype=np.int64), np.asarray(test, dtype=np.int64))
        for name, train, test in pairs
    ]
    if not folds:
        raise UsageError(f"`{name}` has no folds")
    for fold in folds:
        if not len(fold.train) or not len(fold.test):
            raise DataError(f"fold {fold.name} has no items to train on, or none to test")
        rows = (fold.train.min(), fold.test.min(), fold.train.max(), fold.test.max())
        if min(rows) < 0 or max(rows) >= len(y):
            raise DataError(f"fold {fold.name} has rows beyond the {len(y)} items")
        trained = np.zeros(len(y), dtype=np.bool_)
        trained[fold.train] = True
        shared = fold.test[trained[fold.test]]
        if len(shared):
            raise DataError(f"fold {fold.name} trains on row {shared[0] + 1}, which it tests")
    if isinstance(cv, Splits):
        return folds
    names = _name_folds([fold.test for fold in folds], len(y))
    return [replace(fold, name=name) for fold, name in zip(folds, names, strict=True)]


def _from_splitter(
    cv: Any, X: Any, y: npt.NDArray[Any], groups: Any, classifier: bool, name: str
) -> Sequence[tuple[str, Any, Any]]:
    from sklearn.model_selection import check_cv

    try:
        splitter = check_cv(cv, y, classifier=classifier)
        pairs = list(splitter.split(X, y, groups))
    except (TypeError, ValueError) as failure:
        raise UsageError(f"`{name}` does not fit the data: {failure}") from None
    return [(str(number), train, test) for number, (train, test) in enumerate(pairs, 1)]


def _name_folds(tests: Sequence[Rows], size: int) -> list[str]:
    """Number the folds; with their repetition, as 2-1, where all repetitions have as many folds.

    A repetition ends where an item is tested again.
    """
    names: list[tuple[int, int]] = []
    seen = np.zeros(size, dtype=np.bool_)
    for rows in tests:
        repetition, fold = names[-1] if names else (1, 0)
        if seen[rows].any():
            seen[:] = False
            repetition, fold = repetition + 1, 0
        names.append((repetition, fold + 1))
        seen[rows] = True
    counts = np.unique([repetition for repetition, _ in names], return_counts=True)[1]
    if len(counts) < 2 or counts.min() < 2 or counts.min() != counts.max():
        return [str(number) for number in range(1, len(tests) + 1)]
    return [f"{repetition}-{fold}" for repetition, fold in names]


def _from_splits(splits: Splits, size: int) -> Sequence[tuple[str, Any, Any]]:
    """Return the outer folds of splits whose items are row numbers; or the one split."""
    made = splits.made.get("items", size)
    if made != size:
        raise DataError(f"the splits were made from {made} items, but there are {size}")
    names: list[str | None] = [fold for fold in splits.folds if "." not in fold] or [None]
    found = []
    for name in names:
        rows: list[Rows] = []
        for part in ("train", "test"):
            try:
                numbers = np.array([int(item) - 1 for item in splits.units(part, name)])
            except ValueError:
                raise UsageError(
                    "the items of the splits are not row numbers: split the same rows without"
                    " `item`"
                ) from None
            if len(numbers) and not (numbers.min() >= 0 and numbers.max() < size):
                raise DataError(f"the splits have rows beyond the {size} items")
            rows.append(numbers)
        found.append((name or "1", rows[0], rows[1]))
    return found
