"""Differences between slices: the widest gaps with intervals and tests, and the worst slices.

Slices have no units in common, so that the interval of each is enough: a difference of two of them
has the interval that their reaches give (MOVER; for shares with Wilson's intervals it is
Newcombe's).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.ambiguous_names import measure_bounds
from assay.core.closed_form_intervals import difference_reach, normal_cdf, student_quantile
from assay.core.errors import UsageError
from assay.core.names import measure_texts
from assay.engine.result import Result
from assay.engine.scores import Scores
from assay.statistics.corrections import adjust_p_values
from assay.statistics.intervals.interval_settings import FEW_UNITS
from assay.statistics.intervals.ratio_intervals import CAUTION, MOST_FEW_UNITS

MIN_SIZE = 5
GAP_COLUMNS = ("system", "measure", "by", "lowest", "low_value", "highest", "high_value")
WORST_COLUMNS = ("system", "measure", "slice", "units", "value", "others", "difference")


def slice_gaps(scores: Scores, measures: Any = None, min_size: int = MIN_SIZE) -> pl.DataFrame:
    """Return for each system, measure and column the widest gap between two of its slices.

    The interval has Bonferroni's correction for all pairs of slices; p is of equal values in all
    slices (Cochran's Q). Slices with fewer units than ``min_size`` are left out.

    >>> import assay
    >>> truth, group = [1, 0] * 20, ["a"] * 20 + ["b"] * 20
    >>> guess = truth[:20] + [1] * 20
    >>> scores = assay.classification(truth, guess, "ACC", by={"group": group})
    >>> assay.slice_gaps(scores).select("measure", "by", "lowest", "gap").rows()
    [('ACC', 'group', 'group=b', 0.5)]
    """
    rows = []
    for own in _families(scores, measures, min_size):
        low, *_, high = sorted(own, key=lambda each: (each.value, each.slice))
        gap = high.value - low.value
        ends = difference_ends(high, low, len(own) * (len(own) - 1) // 2, _level(scores))
        ends_of_all = np.asarray([low.value, high.value])
        least, most = measure_bounds(low.measure, scores.task, ends_of_all)
        ends = np.clip(ends, least - most, most - least).tolist()
        values = (low.system, low.measure, slice_column(low.slice), low.slice, low.value)
        rows.append((*values, high.slice, high.value, gap, *ends, _equal_p(own, _level(scores))))
    numbers = dict.fromkeys(("gap", "low", "high", "p"), pl.Float64)
    schema = dict.fromkeys(GAP_COLUMNS, pl.String) | numbers
    schema |= dict.fromkeys(("low_value", "high_value"), pl.Float64)
    return pl.DataFrame(rows, schema=schema, orient="row").sort(
        "gap", descending=True, maintain_order=True
    )


def worst_slices(scores: Scores, measures: Any = None, min_size: int = MIN_SIZE) -> pl.DataFrame:
    """Return the slices that are worse than the others of their column, most significant first.

    ``others`` is the mean of the other slices, weighted by their sizes: for means over items, the
    mean of all other items. Holm's correction is over all slices that were searched: only those of
    ``measures`` if these are named.

    >>> import assay
    >>> truth, group = [1, 0] * 20, ["a"] * 20 + ["b"] * 20
    >>> guess = truth[:20] + [1] * 20
    >>> scores = assay.classification(truth, guess, "ACC", by={"group": group})
    >>> assay.worst_slices(scores).select("slice", "value").rows()
    [('group=b', 0.5)]
    """
    rows: list[dict[str, Any]] = []
    for own in _families(scores, measures, min_size):
        for each in own if own[0].better != "neither" else ():
            others = [other for other in own if other is not each]
            sizes = [slice_size(scores, one) for one in (each, *others)]
            row = _compare_with_others(each, others, _level(scores), sizes)
            rows += [row] if row else []
    corrected = adjust_p_values(np.asarray([row["p"] for row in rows], dtype=float), "holm")
    for row, p in zip(rows, corrected, strict=True):
        row["corrected"] = float(p)
    worse = [row for row in rows if row.pop("worse")]
    schema: dict[str, Any] = dict.fromkeys(WORST_COLUMNS[:3], pl.String) | {"units": pl.Int64}
    schema |= dict.fromkeys((*WORST_COLUMNS[4:], "p", "corrected"), pl.Float64)
    return pl.DataFrame(worse, schema=schema).sort("corrected", "p", maintain_order=True)


def small_slices(scores: Scores, min_size: int = MIN_SIZE) -> list[str]:
    """Return the slices with fewer units, which are in no gap."""
    found = {each.slice: slice_size(scores, each) for each in scores.results}
    return [f"{name} ({found[name]})" for name in scores.slices if found[name] < min_size]


def difference_ends(
    one: Result, other: Result, pairs: int = 1, level: float = 0.95
) -> tuple[float, float]:
    """Return the interval of the difference of two independent results, from theirs."""
    from scipy.special import ndtri

    with np.errstate(invalid="ignore", divide="ignore"):  # of a level near 0
        wider = float(ndtri(1 - (1 - level) / 2 / pairs) / ndtri((1 + level) / 2))
    difference = one.value - other.value
    below, above = difference_reach(
        (one.value, one.low, one.high), (other.value, other.low, other.high)
    )
    return difference - wider * below, difference + wider * above


def slice_column(name: str) -> str:
    """Return the columns of a slice such as ``age=old, sex=f``; values may have commas, too."""
    return ", ".join(part.partition("=")[0] for part in name.split(", ") if "=" in part)


def _families(scores: Scores, measures: Any, min_size: int) -> list[list[Result]]:
    """Return the slices that are compared with each other: of one system, measure and column.

    Counts are not: they say more of the sizes of slices than of the system.
    """
    if isinstance(measures, int) or not isinstance(min_size, int):
        raise UsageError("the second argument names measures; `min_size` is a number by its name")
    asked = {*map(scores.find_measure, measure_texts(() if measures is None else measures))}
    found: dict[tuple[str, str, str], list[Result]] = {}
    for each in scores.results:
        known = not math.isnan(each.value) and each.slice in scores.slices
        known = known and each.measure in (asked or scores.measures)
        if known and each.aggregate != "sum" and slice_size(scores, each) >= min_size:
            key = (each.system, each.measure, slice_column(each.slice))
            found.setdefault(key, []).append(_without_caution(each, _level(scores)))
    return [own for own in found.values() if len(own) > 1]


def _without_caution(result: Result, level: float) -> Result:
    """Return a result of few units with the plain interval of Student's t.

    That of few units has a smaller probability of error than its level says, since it must hold for
    skewed values alone; a difference would have this caution twice, and a test a false p-value.
    """
    size = int((~np.isnan(result.values)).sum())
    if result.interval != FEW_UNITS or size > MOST_FEW_UNITS:  # more units than clusters
        return result
    plain, cautious = (
        student_quantile(size - 1, (1 - level) / 2 / divisor) for divisor in (1, CAUTION)
    )
    low, high = (
        result.value + (end - result.value) * plain / cautious for end in (result.low, result.high)
    )
    return replace(result, low=low, high=high)


def slice_size(scores: Scores, result: Result) -> int:
    """Return the items of a slice, or else the units of its measure."""
    counts = scores.conventions.get("slices") or {}
    return int(counts.get(result.slice, len(result.units)))


def _level(scores: Scores) -> float:
    settings = scores.conventions.get("interval") or {}
    return float(settings.get("confidence", 0.95))


def _errors(results: Sequence[Result], level: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the standard errors that the intervals imply."""
    from scipy.special import ndtri

    widths = np.asarray([each.high - each.low for each in results])
    with np.errstate(invalid="ignore", divide="ignore"):  # of a level near 0
        return np.asarray(widths / 2 / ndtri((1 + level) / 2))


def _equal_p(results: Sequence[Result], level: float) -> float:
    """Return the p-value that all slices have the same value; NaN without all intervals."""
    from scipy.special import chdtrc

    values, errors = np.asarray([each.value for each in results]), _errors(results, level)
    if not (errors > 0).all():
        return math.nan
    weights = errors**-2.0
    away = values - weights @ values / weights.sum()
    return float(chdtrc(len(values) - 1, weights @ away**2))


def _compare_with_others(
    one: Result, others: Sequence[Result], level: float, sizes: Sequence[int]
) -> dict[str, Any] | None:
    """Return the row of one slice; None where an interval is missing.

    Weights by precision would not do: the error of a share near 1 seems small, so that slices with
    high values would count most.
    """
    error, *errors = _errors([one, *others], level)
    if not (error > 0 and all(each > 0 for each in errors)):
        return None
    weights = np.asarray(sizes[1:]) / sum(sizes[1:])
    mean = float(weights @ [each.value for each in others])
    difference = one.value - mean
    points = difference / math.hypot(error, *(weights * errors))
    values = (one.system, one.measure, one.slice, sizes[0], one.value, mean, difference)
    worse = difference > 0 if one.better == "lower" else difference < 0
    return {
        **dict(zip(WORST_COLUMNS, values, strict=True)),
        "p": 2 * normal_cdf(-abs(points)),
        "worse": worse,
    }
