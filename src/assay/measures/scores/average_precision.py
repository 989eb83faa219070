"""Average precision over thresholds."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Exemption, define
from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.standard_errors import normal_margin


@define(
    "AP",
    aliases=["average_precision", "average_precision_score", "pr_auc"],
    undefined="no item is positive",
    exempt=[
        Exemption(
            "raising",
            "two tied positive items have the precision of the lower rank; one alone has less",
            ([("N", 4), ("P", 2), ("P", 2)], 1),
        )
    ],
    label="average precision",
    standard=True,
)
def average_precision(table: ThresholdTable) -> Floats:
    """The precision at the score of each positive item, averaged; tied items share theirs.

    It is the area under the precision-recall curve as steps, without interpolation between points.

    >>> measure("AP")(scored("PPNP")).round(3)
    array([0.917])
    """
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
    value, error = float(average_precision(table)[0]), standard_error(table.counted)
    if math.isnan(error):
        return math.nan, math.nan
    if error == 0 or value == 1:
        return value, value
    middle = math.log(value / (1 - value))
    far = normal_margin(error / (value * (1 - value)), confidence)
    low, high = (1 / (1 + math.exp(-(middle + side))) for side in (-far, far))
    return low, high


def standard_error(table: ThresholdTable) -> float:
    """Return the root of the summed squares of how much each item moves the value."""
    positives, negatives = table.positives[0], table.negatives[0]
    tp, fp = table.tp[0], table.fp[0]
    total = positives.sum()
    if total <= 1:
        return math.nan
    said = tp + fp
    below_gain = np.cumsum((positives * ratio(fp, said**2))[::-1])[::-1]
    below_loss = np.cumsum((positives * ratio(tp, said**2))[::-1])[::-1]
    value = float(average_precision(table)[0])
    of_positive = (ratio(tp, said) + below_gain - value) / total
    of_negative = below_loss / total
    return math.sqrt(float(positives @ of_positive**2 + negatives @ of_negative**2))
