"""What a choice is worth on data that took no part in it, beside the value by which it was made."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import exact_mean
from assay.core.errors import UsageError
from assay.selection.cross_validation.fold_intervals import Overlap
from assay.selection.cross_validation.folds import Fold
from assay.selection.tuning.objectives import EstimatorObjective
from assay.selection.tuning.search import Search, choose, run_trials
from assay.selection.tuning.trials import Trial
from assay.statistics.paired.student import mean_ends_from
from assay.tasks.evidence import Progress

CONFIDENCE = 0.95


@dataclass(frozen=True)
class NestedEstimate:
    """The value of the choice where it was made, and on data that took no part in it."""

    optimistic: float
    """The mean on the data by which the choice was made."""
    value: float
    low: float
    high: float
    folds: pl.DataFrame
    """A row for each fold: the values chosen without it, and their mean within and without it."""

    @property
    def difference(self) -> float:
        """By how much the optimistic value is better or worse than the nested one."""
        return self.optimistic - self.value

    def describe(self, measure: str) -> str:
        """Return both values and their difference in words."""
        return (
            f"{measure} of the choice: {self.optimistic:.4f} on the data on which it was chosen,"
            f" {self.value:.4f} [{self.low:.4f}, {self.high:.4f}] nested, chosen anew without each"
            f" of {self.folds.height} folds; difference {self.difference:+.4f}, the optimism of"
            " choosing and reporting on the same data"
        )


def nested_by_units(
    trials: Sequence[Trial], chosen: Trial, search: Search, folds: int
) -> NestedEstimate:
    """Choose without the queries of each fold, and evaluate that choice on them.

    The trials know the value of every query, so nothing is run again.
    """
    units = chosen.defined
    order = np.random.default_rng(search.seed).permutation(len(units))
    by_number = {each.number: each for each in trials}
    left_out: dict[str, float] = {}
    rows = []
    for number, part in enumerate(np.array_split(order, folds), 1):
        tested = {units[place] for place in part}
        inside = [_restrict(each, tested, keep=False) for each in trials]
        _, pick, _ = choose(inside, search)
        outside = _restrict(by_number[pick.number], tested, keep=True)
        left_out |= outside.units
        own = {"inside": pick.value, "left_out": outside.value}
        rows.append({"fold": number, **pick.parameters, **own})
    values = np.array([value for value in left_out.values() if math.isfinite(value)])
    widening = 1 + folds / (folds - 1)
    variance = np.atleast_1d(values.var(ddof=1) / len(values) * widening)
    low, high = mean_ends_from(values[:, None], variance, len(values) - 1, CONFIDENCE)
    least, most = search.parsed.definition.bounds
    ends = max(float(np.squeeze(low)), least), min(float(np.squeeze(high)), most)
    return NestedEstimate(chosen.value, exact_mean(values), *ends, pl.DataFrame(rows))


def _restrict(trial: Trial, units: set[str], *, keep: bool) -> Trial:
    """Return the trial with these units only, or without them."""
    kept = {unit: value for unit, value in trial.units.items() if (unit in units) is keep}
    return replace(trial, stages=(*trial.stages[:-1], kept))


def nested_by_folds(
    search: Search, chosen: Trial, folds: Sequence[Fold], progress: Progress
) -> NestedEstimate:
    """Search anew on the training items of each fold, and evaluate the choice on its test items."""
    from sklearn.utils import _safe_indexing

    objective = search.objective
    if not isinstance(objective, EstimatorObjective):
        raise UsageError("nested folds of items are for estimators")
    target = np.asarray(objective.y)
    groups = None if objective.groups is None else np.asarray(objective.groups)
    rows: list[Mapping[str, Any]] = []
    for fold in folds:
        progress(f"nested fold {fold.name}")
        part = replace(
            objective,
            X=_safe_indexing(objective.X, fold.train),
            y=target[fold.train],
            groups=None if groups is None else groups[fold.train],
            tested=(_safe_indexing(objective.X, fold.test), target[fold.test]),
            test_measures=(search.measure,),
        )
        inner = replace(search, objective=part)
        _, pick, _ = choose(run_trials(inner, None, 1, progress), inner)
        tested = part.test(inner.budget.add(pick.parameters))
        value = tested.results[0].value if tested is not None else math.nan
        rows.append({"fold": fold.name, **pick.parameters, "inside": pick.value, "left_out": value})
    values = np.array([row["left_out"] for row in rows], dtype=np.float64)
    kept = values[np.isfinite(values)]
    low, high = Overlap.of(folds).ends(kept, CONFIDENCE, search.parsed.definition.bounds)
    mean = exact_mean(kept) if len(kept) else math.nan
    return NestedEstimate(chosen.value, mean, low, high, pl.DataFrame(rows, strict=False))
