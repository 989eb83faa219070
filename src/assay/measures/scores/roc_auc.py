"""The area under the ROC curve, whole or up to a false positive rate."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Settings
from assay.core.parameters import Flag, Share
from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.standard_errors import normal_margin, variance_of_mean

ONE_SIDE = "the items are all positive or all negative"


@define(
    "AUC",
    aliases=["roc_auc", "AUROC", "ROC_AUC", "roc_auc_score"],
    undefined=ONE_SIDE,
    variants=["AUC(max_fpr=0.4)", "AUC(max_fpr=0.4,plain=true)"],
    label="area under the ROC curve",
    standard=True,
)
def area_under_roc(
    table: ThresholdTable, max_fpr: Share | None = None, plain: Flag = False
) -> Floats:
    """The probability that a positive item scores higher than a negative one; ties count half.

    ``max_fpr`` keeps the part of the curve up to that false positive rate, and stretches the area
    so that chance is one half and a perfect score 1 (McClish); ``plain`` leaves it as it is.

    >>> measure("AUC")(scored("PPNPPPNNPNPNPNNNPNPN"))
    array([0.68])
    """
    if max_fpr is not None and max_fpr < 1:
        return _partial(table, max_fpr, plain)
    above = table.fp
    above -= table.negatives / 2
    above *= table.positives
    lost = above.sum(axis=1)
    return 1 - ratio(lost, table.positives.sum(axis=1) * table.negatives.sum(axis=1))


@area_under_roc.trace
def area_under_roc_trace(table: ThresholdTable, s: Settings) -> Columns:
    """Return for each score the negative items below a positive one, and the pairs won."""
    positives, negatives = table.positives[0], table.negatives[0]
    columns = {"score": table.score, "positives": positives, "negatives": negatives}
    if s.max_fpr is not None and s.max_fpr < 1:
        return columns | _steps_of_part(table, s.max_fpr, s.plain)
    beaten = negatives.sum() - np.cumsum(negatives) + negatives / 2
    won, pairs = np.cumsum(positives * beaten), positives.sum() * negatives.sum()
    return columns | {
        "beats negatives": beaten,
        "pairs won": positives * beaten,
        "won so far (U)": won,
        "all pairs": np.full(len(won), pairs),
        "AUC": ratio(won, pairs),
    }


def _steps_of_part(table: ThresholdTable, most: float, plain: bool) -> Columns:
    """Return the points of the curve, and the area below it up to the false positive rate."""
    sofar = np.cumsum(_areas(table, most)[0])
    return {
        "false positive rate": ratio(table.fp[0], table.negatives[0].sum()),
        "true positive rate": ratio(table.tp[0], table.positives[0].sum()),
        f"area so far up to {most:g}": sofar,
        "AUC": sofar if plain else _rescale_partial(sofar, most),
    }


def _partial(table: ThresholdTable, most: float, plain: bool) -> Floats:
    area = _areas(table, most).sum(axis=1)
    return area if plain else _rescale_partial(area, most)


def _rescale_partial(area: Floats, most: float) -> Floats:
    least = most**2 / 2
    return ratio(1 + ratio(area - least, most - least), 2) if most else ratio(area, 0)


def _areas(table: ThresholdTable, most: float) -> Floats:
    """Return what each step adds to the area up to a false positive rate."""
    units = len(table.names)
    start = np.zeros((units, 1))
    false = ratio(np.hstack((start, table.fp)), table.negatives.sum(axis=1)[:, None])
    true = ratio(np.hstack((start, table.tp)), table.positives.sum(axis=1)[:, None])
    low, high = np.minimum(false[:, :-1], most), np.minimum(false[:, 1:], most)
    slope = np.nan_to_num(ratio(true[:, 1:] - true[:, :-1], false[:, 1:] - false[:, :-1]))
    before = true[:, :-1]
    middle = before + slope * ((low + high) / 2 - false[:, :-1])
    return (high - low) * middle


@area_under_roc.interval
def delong_interval(
    table: ThresholdTable, confidence: float, s: Settings
) -> tuple[float, float] | None:
    """Return DeLong's interval from the placements of both classes; None for a partial area.

    It is undefined with fewer than two items on a side, and has no width where every placement is
    the same, as in a perfect table.
    """
    if s.max_fpr is not None:
        return None
    far = normal_margin(standard_error(table), confidence)
    if math.isnan(far):
        return math.nan, math.nan
    area = float(area_under_roc(table)[0])
    return max(0.0, area - far), min(1.0, area + far)


@area_under_roc.influence
def delong_influence(table: ThresholdTable, s: Settings) -> Floats | None:
    """Return how far one item at each score moves the area, by its placement among the other class.

    The squares add up to DeLong's variance, and those of the differences of two scores of the same
    items to DeLong's variance of the difference of two areas.
    """
    if s.max_fpr is not None:
        return None
    counted = table.counted
    sides = zip(_placements(table), (counted.positives[0], counted.negatives[0]), strict=True)
    return np.concatenate([_item_influence(placed, counts) for placed, counts in sides])


def _item_influence(placed: Floats, counts: Floats) -> Floats:
    total = counts.sum()
    if total <= 1:
        return np.full(len(placed), math.nan)
    return (placed - placed @ counts / total) / math.sqrt(total * (total - 1))


def _placements(table: ThresholdTable) -> tuple[Floats, Floats]:
    """Return for each score the share of negatives below it, and of positives above it."""
    positives, negatives = table.positives[0], table.negatives[0]
    beaten = 1 - ratio(np.cumsum(negatives) - negatives / 2, negatives.sum())
    above = ratio(np.cumsum(positives) - positives / 2, positives.sum())
    return beaten, above


def standard_error(table: ThresholdTable) -> float:
    """Return DeLong's standard error of the area; NaN with fewer than two items of a class."""
    counted = table.counted
    positives, negatives = counted.positives[0], counted.negatives[0]
    if min(positives.sum(), negatives.sum()) <= 1:
        return math.nan
    beaten, above = _placements(counted)
    return math.sqrt(variance_of_mean(beaten, positives) + variance_of_mean(above, negatives))
