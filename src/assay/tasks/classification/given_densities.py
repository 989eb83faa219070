"""Rates at a threshold from given densities of the scores: normal ones, or a table of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats, ratio
from assay.core.errors import DataError, UsageError, missing_column
from assay.core.printable import Printable
from assay.core.tables import convert_column
from assay.formats.containers import to_frame
from assay.tasks.classification.density_functions import (
    SLACK,
    check_support,
    read_density,
    read_normal,
)

REACH = 4.0
"""So many standard deviations of a normal density are tabulated on either side."""
STEPS = 801
GRID = 4001
"""Densities of functions and distributions are tabulated at so many scores."""
COLUMNS = ("score", "f_n", "f_p")


@dataclass(frozen=True, repr=False, eq=False)
class DensityRates(Printable):
    """The rates at thresholds on a score whose densities in both classes are known."""

    rates: pl.DataFrame
    """A row for each threshold: TNR, FPR, FNR, TPR; with a prevalence also PPV, NPV and ACC."""
    curves: Any
    """The densities: a list of score, f_n and f_p, as columns of arrays."""
    notes: tuple[str, ...] = ()


def rates(
    data: Any = None,
    *,
    f_n: Any = None,
    f_p: Any = None,
    support: Sequence[float] | None = None,
    at: Sequence[float] = (),
    prevalence: float | None = None,
) -> DensityRates:
    """Return the true and false rates at thresholds from the densities of both classes.

    ``f_n`` and ``f_p``, of the negative and the positive class, are normal densities such as
    ``"normal(90, 12)"`` (mean and standard deviation), frozen distributions of scipy, or functions
    of the score, which are 0 outside ``support``. Or ``data`` is a table of both with the
    columns score, f_n and f_p, linear between its rows. TNR(T) is the area of f_n below T, FPR(T)
    above it; FNR(T) and TPR(T) are those of f_p. ``prevalence`` is the share of positive items, on
    which PPV, NPV and ACC depend.

    >>> import assay
    >>> found = assay.rates(f_n="normal(90, 10)", f_p="normal(120, 15)", at=[100])
    >>> found.rates.row(0, named=True)["TNR"].__round__(3)
    0.841
    """
    if prevalence is not None and not 0 <= prevalence <= 1:
        raise UsageError(f"`prevalence` is {prevalence:g}; a number from 0 to 1 is expected")
    if not len(at):
        raise UsageError("name the thresholds, such as `at=100,110`")
    if bad := [each for each in at if not np.isfinite(each)]:
        raise UsageError(f"`at` has {bad[0]}; finite numbers are expected")
    notes: list[str] = []
    if data is not None:
        if f_n is not None or f_p is not None:
            raise UsageError("give either a table of both densities, or `f_n` and `f_p`")
        columns = _read_table(data, notes)
        below_n, below_p = (_area_below(columns["score"], columns[f], at) for f in ("f_n", "f_p"))
        area = _area_under_roc(columns)
    else:
        check_support(support)
        columns, below, area = _read_densities((f_n, f_p), at, support, notes)
        below_n, below_p = below
    notes.append(f"area under the ROC curve: {area:.4f}; positive at or above the threshold")
    return DensityRates(_rate_table(at, below_n, below_p, prevalence), columns, tuple(notes))


def _rate_table(
    at: Sequence[float], negative: Floats, positive: Floats, prevalence: float | None
) -> pl.DataFrame:
    columns = {
        "threshold": np.asarray(at, np.float64),
        "TNR": negative,
        "FPR": 1 - negative,
        "FNR": positive,
        "TPR": 1 - positive,
    }
    if prevalence is not None:
        tp, fn = prevalence * columns["TPR"], prevalence * columns["FNR"]
        tn, fp = (1 - prevalence) * columns["TNR"], (1 - prevalence) * columns["FPR"]
        columns |= {"PPV": ratio(tp, tp + fp), "NPV": ratio(tn, tn + fn), "ACC": tp + tn}
    return pl.DataFrame(columns)


def _read_densities(
    given: tuple[Any, Any], at: Sequence[float], support: Sequence[float] | None, notes: list[str]
) -> tuple[dict[str, Floats], list[Floats], float]:
    """Return a table of both densities, their areas below the thresholds, and that of the ROC."""
    if support is None and all(each is None or isinstance(each, str) for each in given):
        one, two = (read_normal(name, each) for name, each in zip(COLUMNS[1:], given, strict=True))
        areas = _normal_below((0.0, 1.0), [(two[0] - one[0]) / np.hypot(one[1], two[1])])
        return (
            _tabulate(one, two),
            [_normal_below(each, at) for each in (one, two)],
            float(areas[0]),
        )
    both = [
        read_density(name, each, support, notes)
        for name, each in zip(COLUMNS[1:], given, strict=True)
    ]
    score = np.linspace(min(each.low for each in both), max(each.high for each in both), GRID)
    columns = dict(zip(COLUMNS, (score, *(each.height(score) for each in both)), strict=True))
    asked = np.asarray(at, np.float64)
    negative, positive = (each.below(score) for each in both)
    area = float(np.trapezoid(1 - positive, negative))
    return columns, [np.asarray(each.below(asked)) for each in both], area


def _normal_below(density: tuple[float, float], at: Sequence[float]) -> Floats:
    from scipy.special import ndtr

    return np.asarray(ndtr((np.asarray(at, np.float64) - density[0]) / density[1]))


def _tabulate(one: tuple[float, float], two: tuple[float, float]) -> dict[str, Floats]:
    """Return both normal densities over the range of the two."""
    low = min(mean - REACH * spread for mean, spread in (one, two))
    high = max(mean + REACH * spread for mean, spread in (one, two))
    score = np.linspace(low, high, STEPS)
    heights = [
        np.exp(-(((score - mean) / spread) ** 2) / 2) / (spread * np.sqrt(2 * np.pi))
        for mean, spread in (one, two)
    ]
    return dict(zip(COLUMNS, (score, *heights), strict=True))


def _read_table(data: Any, notes: list[str]) -> dict[str, Floats]:
    """Return the columns in the order of the score, each density with an area of 1."""
    frame, source = to_frame(data, "the densities")
    if stranger := next((name for name in COLUMNS if name not in frame.columns), None):
        raise missing_column(source.name, stranger, frame.columns)
    columns = {
        name: convert_column(frame, name, pl.Float64(), source).to_numpy() for name in COLUMNS
    }
    for name, values in columns.items():
        bad = ~np.isfinite(values) | ((values < 0) & (name != "score"))
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            raise DataError(
                f"{source.place(row)}: '{name}' is {values[row]:g}; a finite number"
                + ("" if name == "score" else " of at least 0")
                + " is expected"
            )
    order = np.argsort(columns["score"], kind="stable")
    columns = {name: values[order] for name, values in columns.items()}
    if len(order) < 2 or (np.diff(columns["score"]) <= 0).any():
        raise DataError(f"{source.name}: two or more different scores are expected, each once")
    for name in COLUMNS[1:]:
        area = float(np.trapezoid(columns[name], columns["score"]))
        if not area:
            raise DataError(f"{source.name}: the area under '{name}' is 0")
        if abs(area - 1) > SLACK:
            notes.append(f"the area under {name} is {area:.4g}; it was scaled to 1")
        columns[name] = columns[name] / area
    return columns


def _area_below(score: Floats, density: Floats, at: Sequence[float]) -> Floats:
    """Return the area of a density that is linear between its points, below each threshold."""
    found = []
    for each in np.clip(np.asarray(at, np.float64), score[0], score[-1]):
        inside = score < each
        xs = np.append(score[inside], each)
        ys = np.append(density[inside], np.interp(each, score, density))
        found.append(float(np.trapezoid(ys, xs)))
    return np.asarray(found)


def _area_under_roc(columns: dict[str, Floats]) -> float:
    """Return the probability that a positive item scores higher than a negative one."""
    score = np.linspace(columns["score"][0], columns["score"][-1], 4001)
    below = [_area_below(columns["score"], columns[name], score.tolist()) for name in COLUMNS[1:]]
    return float(np.trapezoid(1 - below[1], below[0]))
