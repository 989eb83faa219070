"""An interval for a ratio of two sums over units, as of a micro or a weighted average."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints, ratio
from assay.core.definition import Ratio
from assay.evidence.effective_size import effective_size
from assay.measures.standard_errors import MANY_ITEMS, influence_error, normal_margin
from assay.statistics.intervals import interval_ends
from assay.statistics.intervals.few_units import MOST, few_ratio_interval
from assay.statistics.intervals.interval_settings import CLOSED_FORM, Bootstrap, Interval
from assay.statistics.intervals.resampling import resampled_means
from assay.statistics.intervals.unit_clusters import by_cluster
from assay.statistics.intervals.zero_width import UNBOUNDED, all_equal, bound_interval


def ratio_interval(
    parts: Ratio,
    bootstrap: Bootstrap,
    clusters: Ints | None = None,
    bounds: tuple[float, float] = UNBOUNDED,
) -> Interval:
    """Numerators and denominators are drawn together, unit by unit or in whole clusters.

    Student's t is for means, where all denominators are alike; Wilson's interval for shares, where
    each unit counts 0 or 1. Elsewhere both give way to the default. Units that stand alone are put
    in the order of what they count, so that neither their names nor their lines matter.
    """
    values = parts.values[parts.denominator != 0]
    if all_equal(values):
        weights = by_cluster(parts.denominator[:, None], clusters)[:, 0]
        size = effective_size(weights) or 0.0
        return bound_interval(float(values[0]), size, bounds, bootstrap.confidence)
    if clusters is None:
        parts = parts[np.lexsort((parts.denominator, parts.numerator))]
        if direct := _closed_form_interval(parts, bootstrap):
            return direct
    top, below = parts.numerator, parts.denominator
    size = len(top) if clusters is None else len(np.unique(clusters))
    if size <= MOST and bootstrap.method not in ("percentile", "bca"):
        return few_ratio_interval(parts, bounds, bootstrap.confidence, clusters)
    drawn = _bootstrap_interval(parts, bootstrap, clusters)
    if bootstrap.method == "percentile":
        ends = interval_ends.percentile_ends(drawn, bootstrap.confidence)
        return _single_interval(ends, "percentile")
    if bootstrap.method == "bca" and below.sum():
        observed = np.asarray([top.sum() / below.sum()])
        own = [by_cluster(each[:, None], clusters)[:, 0] for each in (top, below)]
        left_out = ratio(top.sum() - own[0], below.sum() - own[1])
        acceleration = interval_ends.mean_acceleration(-left_out[~np.isnan(left_out), None])
        return _single_interval(
            interval_ends.bca_ends(drawn, observed, acceleration, bootstrap.confidence), "bca"
        )
    return _single_interval(
        interval_ends.expanded_ends(drawn, size, bootstrap.confidence), "expanded"
    )


def _closed_form_interval(parts: Ratio, bootstrap: Bootstrap) -> Interval | None:
    """An interval without resamples, where one was asked for and applies, or units are many."""
    top, below = parts.numerator, parts.denominator
    if bootstrap.method == "t" and len(below) and below[0] and (below == below[0]).all():
        return _single_interval(
            interval_ends.student_ends((top / below)[:, None], bootstrap.confidence), "t"
        )
    if bootstrap.method == "wilson" and _is_share(parts):
        sums = np.asarray([top.sum()]), np.asarray([below.sum()])
        return _single_interval(interval_ends.wilson_ends(*sums, bootstrap.confidence), "wilson")
    return _linearized_interval(parts, bootstrap.confidence) if len(top) > MANY_ITEMS else None


def _is_share(parts: Ratio) -> bool:
    """Whether each unit counts 0 or 1 below, and no more than that above."""
    top, below = parts.numerator, parts.denominator
    binary = np.isin(top, (0, 1)) & np.isin(below, (0, 1)) & (top <= below)
    return bool(binary.all() and below.any())


def _bootstrap_interval(parts: Ratio, bootstrap: Bootstrap, clusters: Ints | None) -> Floats:
    columns = np.stack((parts.numerator, parts.denominator), axis=1)
    means = resampled_means(columns, bootstrap.resamples, bootstrap.seed, clusters)
    return means[:, :1] / np.where(means[:, 1:], means[:, 1:], np.nan)


def _linearized_interval(parts: Ratio, confidence: float) -> Interval:
    """From how much each unit moves the ratio."""
    below = parts.denominator.sum()
    if not below:
        return Interval(float("nan"), float("nan"), CLOSED_FORM)
    value = parts.numerator.sum() / below
    moved = (parts.numerator - value * parts.denominator) / below
    far = normal_margin(influence_error(moved), confidence)
    return Interval(float(value - far), float(value + far), CLOSED_FORM)


def _single_interval(ends: interval_ends.Ends, method: str) -> Interval:
    return Interval(float(ends[0][0]), float(ends[1][0]), method)
