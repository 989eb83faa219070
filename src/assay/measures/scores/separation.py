"""How far the scores of the two classes stand apart: Gini and Kolmogorov-Smirnov."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Exemption, define
from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.scores.areas import ONE_SIDE, area_under_roc, delong_influence, delong_interval
from assay.measures.trace_tables import Lines, show_formula


@define(
    "Gini",
    bounds=(-1, 1),
    aliases=["gini", "gini_coefficient", "somers_d"],
    undefined=ONE_SIDE,
    label="Gini coefficient of the scores",
)
def gini(table: ThresholdTable) -> Floats:
    """2 · AUC − 1: 0 is chance, and below 0 the scores are reversed.

    >>> measure("Gini")(scored("PPNPPPNNPNPNPNNNPNPN")).round(2)
    array([0.36])
    """
    return 2 * area_under_roc(table) - 1


@gini.interval
def gini_interval(table: ThresholdTable, confidence: float) -> tuple[float, float]:
    """Return DeLong's interval of the area, on this scale."""
    low, high = delong_interval(table, confidence, area_under_roc.bind()) or (math.nan, math.nan)
    return 2 * low - 1, 2 * high - 1


@gini.influence
def gini_influence(table: ThresholdTable) -> Floats | None:
    """Return twice the influence on the area."""
    moved = delong_influence(table, area_under_roc.bind())
    return None if moved is None else 2 * moved


@define(
    "KS",
    aliases=["kolmogorov_smirnov", "ks_statistic"],
    undefined=ONE_SIDE,
    exempt=Exemption(
        "raising",
        "a distance has no direction: reversed scores are as far from chance",
        ([("N", 0), ("P", -1)], 1),
    ),
    label="Kolmogorov-Smirnov distance",
    biased=True,
)
def kolmogorov_smirnov(table: ThresholdTable) -> Floats:
    """The largest difference between true and false positive rate at any threshold.

    >>> measure("KS")(scored("PPNPPPNNPNPNPNNNPNPN")).round(2)
    array([0.4])
    """
    gap = ratio(table.tp, table.positives.sum(axis=1)[:, None]) - ratio(
        table.fp, table.negatives.sum(axis=1)[:, None]
    )
    return np.abs(gap).max(axis=1, initial=0) if gap.size else ratio(gap.sum(axis=1), 0)


@kolmogorov_smirnov.trace
def kolmogorov_smirnov_trace(table: ThresholdTable) -> Columns:
    """Return for each score both rates, their difference, and the largest so far."""
    true = ratio(table.tp[0], table.positives[0].sum())
    false = ratio(table.fp[0], table.negatives[0].sum())
    return {
        "score": table.score,
        "true positive rate": true,
        "false positive rate": false,
        "apart": np.abs(true - false),
        "most so far": np.maximum.accumulate(np.abs(true - false)),
    }


@show_formula(gini, "2 AUC − 1")
def gini_trace(table: ThresholdTable) -> Lines:
    """Return the area under the ROC curve."""
    return {"AUC, which shows its own work": area_under_roc(table)[0]}
