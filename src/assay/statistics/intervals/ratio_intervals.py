"""Intervals of ratios of two sums over the units: micro and weighted averages, means of items."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Ints, ratio
from assay.core.definition import Ratio
from assay.evidence.column_values import effective_size
from assay.measures.standard_errors import (
    MANY_ITEMS,
    influence_error,
    normal_margin,
    skewed_mean_ends,
)
from assay.statistics.intervals.few_units import (
    MOST,
    Bounds,
    bound_interval,
    cluster_means,
    few_ratio_interval,
    parts_as_column,
)
from assay.statistics.intervals.interval_ends import (
    Ends,
    all_equal,
    by_cluster,
    mean_acceleration,
    resampled_ends,
    resampled_means,
    single_interval,
    student_ends,
    wilson_ends,
)
from assay.statistics.intervals.interval_settings import (
    CLOSED_FORM,
    UNBOUNDED,
    Bootstrap,
    Interval,
)

POSITIVE = (0.0, math.inf)
"""The bounds of errors: their means are skewed."""


def ratio_interval(
    parts: Ratio, bootstrap: Bootstrap, clusters: Ints | None = None, bounds: Bounds = UNBOUNDED
) -> Interval:
    """Return the interval of a ratio of two sums, resampled together by unit or by cluster.

    Student's t is for means, where all denominators are equal; Wilson's interval for shares, where
    each unit counts 0 or 1. Elsewhere both are replaced by the default. Units without clusters are
    sorted by what they count, so that neither their names nor their order in the input matters.
    """
    values = parts.values[parts.denominator != 0]
    if all_equal(values):
        weights = by_cluster(parts.denominator[:, None], clusters)[:, 0]
        worth = effective_size(weights) or 0.0
        return bound_interval(float(values[0]), worth, bounds, bootstrap.confidence)
    if clusters is None:
        parts = _sort_units(parts)
        if direct := _closed_form_interval(parts, bootstrap):
            return direct
    size = len(parts.numerator) if clusters is None else len(np.unique(clusters))
    if size <= MOST and bootstrap.closed_forms:
        return few_ratio_interval(parts, bounds, bootstrap.confidence, clusters)
    if bounds == POSITIVE and bootstrap.closed_forms:
        moved = cluster_means(parts_as_column(parts), clusters)[:, 0]
        return Interval(*skewed_mean_ends(moved, bootstrap.confidence), CLOSED_FORM)
    columns = np.stack((parts.numerator, parts.denominator), axis=1)
    means = resampled_means(columns, bootstrap.resamples, bootstrap.seed, clusters)
    drawn = means[:, :1] / np.where(means[:, 1:], means[:, 1:], np.nan)

    def correction() -> Ends:
        """Return the observed values and their acceleration, for BCa."""
        top, below = parts.numerator.sum(), parts.denominator.sum()
        own = by_cluster(columns, clusters)
        left_out = ratio(top - own[:, 0], below - own[:, 1])
        acceleration = mean_acceleration(-left_out[~np.isnan(left_out), None])
        return np.atleast_1d(ratio(top, below)), acceleration

    method = "expanded" if bootstrap.closed_forms else bootstrap.method
    ends = resampled_ends(drawn, size, bootstrap, correction)
    return single_interval(ends, method)


def _sort_units(parts: Ratio) -> Ratio:
    """Return the units by numerator, then by denominator."""
    below = parts.denominator
    if (below == below[:1]).all():
        return Ratio(np.sort(parts.numerator), below)
    return parts[np.lexsort((below, parts.numerator))]


def _closed_form_interval(parts: Ratio, bootstrap: Bootstrap) -> Interval | None:
    """Return an interval without resamples, where one is chosen and applies, or units are many."""
    top, below = parts.numerator, parts.denominator
    if bootstrap.method == "t" and len(below) and below[0] and (below == below[0]).all():
        ends = student_ends((top / below)[:, None], bootstrap.confidence)
        return single_interval(ends, "t")
    total = below.sum()
    if bootstrap.method == "wilson" and _is_share(parts):
        sums = np.asarray([top.sum()]), np.asarray([total])
        ends = wilson_ends(*sums, bootstrap.confidence)
        return single_interval(ends, "wilson")
    if len(top) <= MANY_ITEMS:
        return None
    if not total:
        return Interval(math.nan, math.nan, CLOSED_FORM)
    value = top.sum() / total
    margin = normal_margin(influence_error((top - value * below) / total), bootstrap.confidence)
    return Interval(float(value - margin), float(value + margin), CLOSED_FORM)


def _is_share(parts: Ratio) -> bool:
    """Return whether each unit counts 0 or 1 in the denominator, and no more in the numerator."""
    top, below = parts.numerator, parts.denominator
    binary = np.isin(top, (0, 1)) & np.isin(below, (0, 1)) & (top <= below)
    return bool(binary.all() and below.any())
