"""The folds of a nested estimate, as a spec names them."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from assay.core.errors import UsageError
from assay.formats.splits import Splits
from assay.selection.cross_validation.folds import Fold
from assay.selection.tuning.objectives import (
    CallableObjective,
    CommandObjective,
    EstimatorObjective,
    Objective,
)

NestedFolds = int | list[Fold] | None
"""A number of folds of queries, the folds of items, or None if the spec says nothing."""


def read_nested(given: Any, objective: Objective) -> NestedFolds:
    """Return the nested folds of a spec; refuse those that the data does not allow."""
    if given is None:
        return None
    number = isinstance(given, Real)
    if number and (given is True or not isinstance(given, Integral) or given < 0 or given == 1):
        raise UsageError(f"nested is {given}: 2 folds or more are expected, or 0 for none")
    if number and given == 0:
        return 0
    if isinstance(objective, EstimatorObjective):
        if isinstance(objective.cv, Splits | str | Path | Sequence):
            raise UsageError(
                "cv names rows of all items, but a nested search has those of one fold: give a"
                " number of folds or a splitter as cv, or nested = 0"
            )
        return objective.read_folds(given, "nested")
    if not number:
        raise UsageError(f"nested is {given!r}: a number of folds is expected")
    if isinstance(objective, CommandObjective | CallableObjective):
        problem = refuse_folds(int(given), objective.evaluation.count_queries())
        if problem:
            raise UsageError(problem)
    return int(given)


def refuse_folds(folds: int, queries: int) -> str:
    """Return why there are too many folds for the queries that have a value; empty if not."""
    if queries >= 2 * folds:
        return ""
    advice = f"use fewer folds, {queries // 2} at most, or" if queries >= 4 else "use"
    return f"nested is {folds}, but there are {queries} validation queries: {advice} nested = 0"
