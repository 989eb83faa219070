"""Areas under curves over thresholds: average precision, and the area under the ROC curve."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.closed_form_intervals import normal_margin
from assay.core.curves import Columns
from assay.core.definition import Exemption, define
from assay.core.facts import Settings
from assay.core.parameters import Flag, Share
from assay.evidence.views.threshold_table import ThresholdTable

FEW_OF_A_CLASS = 50
"""Up to so many items of a class the area under the ROC curve is skewed."""


@define(
    "AP",
    aliases=["average_precision", "average_precision_score", "pr_auc"],
    undefined="no item is positive",
    exempt=Exemption(
        "raising",
        "two tied positive items have the precision of the lower rank; one alone has less",
        ([("N", 4), ("P", 2), ("P", 2)], 1),
    ),
    standard=True,
)
def average_precision(table: ThresholdTable) -> Floats:
    """The precision at the score of each positive item, averaged; tied items share theirs.

    It is the area under the precision-recall curve as steps, without interpolation between points.

    >>> measure("AP")(scored("PPNP")).round(3)
    array([0.917])
    """
    return _mean_precision(table)


def _mean_precision(table: ThresholdTable) -> Floats:
    """Return the precision at the scores of the positive items, averaged over these."""
    precision = ratio(table.tp, table.tp + table.fp)
    found = (table.positives * np.nan_to_num(precision)).sum(axis=1)
    return ratio(found, table.positives.sum(axis=1))


@average_precision.trace
def average_precision_trace(table: ThresholdTable) -> Columns:
    """Return for each score the precision, its part for the positive items, and the sum so far."""
    positives, found, total = table.positives[0], table.tp[0], table.positives[0].sum()
    precision = ratio(found, found + table.fp[0])
    part = positives * np.nan_to_num(precision)
    return {
        "score": table.score,
        "positives": positives,
        "negatives": table.negatives[0],
        "positives so far": found,
        "negatives so far": table.fp[0],
        "precision": precision,
        "part": part,
        "all positives": np.full(len(part), total),
        "AP": ratio(np.cumsum(part), total),
    }


@average_precision.interval
def average_precision_interval(table: ThresholdTable, confidence: float) -> tuple[float, float]:
    """Return the interval from the influence of each item, on the log-odds scale.

    It is undefined with fewer than two positive items, and has no width where no item moves the
    value, as in a perfect table.
    """
    error, value = _precision_error(_in_items(table)), float(_mean_precision(table)[0])
    if math.isnan(error):
        return math.nan, math.nan
    if error == 0 or value == 1:
        return value, value
    return log_odds_ends(value, error, confidence)


def _precision_error(table: ThresholdTable) -> float:
    """Return the root of the summed squares of how much each item moves the value."""
    positives, negatives = table.positives[0], table.negatives[0]
    tp, fp = table.tp[0], table.fp[0]
    total = positives.sum()
    if total <= 1:
        return math.nan
    said = tp + fp
    below_gain = np.cumsum((positives * ratio(fp, said**2))[::-1])[::-1]
    below_loss = np.cumsum((positives * ratio(tp, said**2))[::-1])[::-1]
    value = float(_mean_precision(table)[0])
    of_positive = (ratio(tp, said) + below_gain - value) / total
    of_negative = below_loss / total
    return math.sqrt(float(positives @ of_positive**2 + negatives @ of_negative**2))


ONE_SIDE = "the items are all positive or all negative"


@define(
    "AUC",
    aliases=["roc_auc", "AUROC", "ROC_AUC", "AUC_ROC", "roc_auc_score"],
    undefined=ONE_SIDE,
    chance=0.5,
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
    return _whole_area(table)


def _whole_area(table: ThresholdTable) -> Floats:
    """Return the share of pairs of a positive and a negative item that are in the right order."""
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

    With few items of a class it is on the log-odds scale, since the area is then skewed. It is
    undefined with fewer than two items on a side, and has no width where every placement is the
    same, as in a perfect table.
    """
    if s.max_fpr is not None:
        return None
    far = normal_margin(_delong_error(table), confidence)
    if math.isnan(far):
        return math.nan, math.nan
    area = float(_whole_area(table)[0])
    counted = _in_items(table)
    least = min(float(counted.positives[0].sum()), float(counted.negatives[0].sum()))
    if least <= FEW_OF_A_CLASS and 0 < area < 1:
        return log_odds_ends(area, _delong_error(table), confidence)
    return max(0.0, area - far), min(1.0, area + far)


@area_under_roc.influence
def delong_influence(table: ThresholdTable, s: Settings) -> Floats | None:
    """Return how far one item at each score moves the area, by its placement among the other class.

    The squares add up to DeLong's variance, and those of the differences of two scores of the same
    items to DeLong's variance of the difference of two areas.
    """
    if s.max_fpr is not None:
        return None
    counted = _in_items(table)
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


def _delong_error(table: ThresholdTable) -> float:
    """Return DeLong's standard error of the area; NaN with fewer than two items of a class."""
    counted = _in_items(table)
    positives, negatives = counted.positives[0], counted.negatives[0]
    if min(positives.sum(), negatives.sum()) <= 1:
        return math.nan
    beaten, above = _placements(counted)
    return math.sqrt(_variance_of_mean(beaten, positives) + _variance_of_mean(above, negatives))


def _variance_of_mean(values: Floats, counts: Floats) -> float:
    """Return the variance of the mean of values, each of which occurs so often."""
    total = counts.sum()
    mean = values @ counts / total
    return float(counts @ (values - mean) ** 2 / (total - 1) / total)


def _in_items(table: ThresholdTable) -> ThresholdTable:
    """Return the (first) table in numbers of items: weights count by their effective size.

    So a formula that takes its entries for items gives the same in whatever unit they weigh.
    """
    if table.effective is None:
        return table
    total = table.positives[0].sum() + table.negatives[0].sum()
    each = table.effective / total if total else 0.0
    return replace(
        table, positives=table.positives * each, negatives=table.negatives * each, effective=None
    )


def log_odds_ends(value: float, error: float, confidence: float) -> tuple[float, float]:
    """Return the ends of an interval of a share that is symmetric in its log-odds."""
    middle = math.log(value / (1 - value))
    far = normal_margin(error / (value * (1 - value)), confidence)
    low, high = (1 / (1 + math.exp(-(middle + side))) for side in (-far, far))
    return low, high
