"""Counts of a confusion matrix."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from assay.core.arrays import Floats
from assay.core.definition import Define, Definition, Ratio, define
from assay.core.facts import NO_SETTINGS, Settings
from assay.evidence.views.confusion import Confusion
from assay.measures.trace_tables import Lines, show_formula


def define_rate(name: str, formula: str, **declaration: Any) -> Define:
    """Declare a measure of each class whose trace shows the four counts, and then the formula.

    ``declaration`` is that of ``define``.
    """

    def declare(function: Callable[..., Floats | Ratio]) -> Definition:
        """Return the definition with its trace."""
        definition = define(name, unit="class", **declaration)(function)
        show_formula(definition, formula)(_four_counts)
        return definition

    return declare


def _four_counts(confusion: Confusion, s: Settings = NO_SETTINGS) -> Lines:
    counts = {"TP": confusion.tp, "FP": confusion.fp, "FN": confusion.fn, "TN": confusion.tn}
    return {name: count[0] for name, count in counts.items()}


define_count = partial(define_rate, bounds=(0.0, np.inf), aggregate="sum")


@define_count("TP", "of the class, and found")
def true_positives(confusion: Confusion) -> Floats:
    """The number of items of the class that were predicted as the class.

    >>> measure("TP")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([20.])
    """
    return confusion.tp


@define_count("FP", "of another class, and found", better="lower")
def false_positives(confusion: Confusion) -> Floats:
    """The number of items of other classes that were predicted as the class.

    >>> measure("FP")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([180.])
    """
    return confusion.fp


@define_count("FN", "of the class, and not found", better="lower")
def false_negatives(confusion: Confusion) -> Floats:
    """The number of items of the class that were predicted as another class.

    >>> measure("FN")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([10.])
    """
    return confusion.fn


@define_count("TN", "of another class, and not found")
def true_negatives(confusion: Confusion) -> Floats:
    """The number of items of other classes that were predicted as other classes.

    >>> measure("TN")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([1820.])
    """
    return confusion.tn


@define_count(
    "positives",
    "TP + FN",
    better="neither",
    aliases=["support", "n_positive"],
    label="positive items (P)",
)
def positives(confusion: Confusion) -> Floats:
    """The number of items of the class: P = TP + FN.

    >>> measure("positives")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([30.])
    """
    return confusion.tp + confusion.fn


@define_count(
    "negatives", "FP + TN", better="neither", aliases=["n_negative"], label="negative items (N)"
)
def negatives(confusion: Confusion) -> Floats:
    """The number of items of other classes: N = FP + TN.

    >>> measure("negatives")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([2000.])
    """
    return confusion.fp + confusion.tn


@define_count(
    "predicted_positives",
    "TP + FP",
    better="neither",
    aliases=["n_predicted_positive"],
    label="predicted positives (T)",
)
def predicted_positives(confusion: Confusion) -> Floats:
    """The number of items predicted as the class: T = TP + FP.

    >>> measure("predicted_positives")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([200.])
    """
    return confusion.tp + confusion.fp


@define_count(
    "predicted_negatives",
    "FN + TN",
    better="neither",
    aliases=["n_predicted_negative"],
    label="predicted negatives (F)",
)
def predicted_negatives(confusion: Confusion) -> Floats:
    """The number of items predicted as another class: F = FN + TN.

    >>> measure("predicted_negatives")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([1830.])
    """
    return confusion.fn + confusion.tn


@define_count("right", "TP + TN", aliases=["n_right"])
def right_decisions(confusion: Confusion) -> Floats:
    """The number of right decisions on the class: TP + TN.

    >>> measure("right")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([1840.])
    """
    return confusion.tp + confusion.tn


@define_count("wrong", "FP + FN", better="lower", aliases=["n_wrong"])
def wrong_decisions(confusion: Confusion) -> Floats:
    """The number of wrong decisions on the class: FP + FN.

    >>> measure("wrong")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([190.])
    """
    return confusion.fp + confusion.fn
