"""Counts of a confusion matrix."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.definition import Definition, define
from assay.core.facts import NO_SETTINGS, Settings
from assay.evidence.views.confusion import Confusion
from assay.measures.trace_tables import trace_lines


def show_counts(definition: Definition, formula: str) -> None:
    """Declare that a measure shows the four counts, and then its formula."""

    @definition.trace
    def trace(confusion: Confusion, s: Settings = NO_SETTINGS) -> Columns:
        """Return the four counts and the value."""
        return trace_lines(
            {
                "TP": confusion.tp[0],
                "FP": confusion.fp[0],
                "FN": confusion.fn[0],
                "TN": confusion.tn[0],
                f"{definition.name}: {formula}": definition(confusion, **vars(s))[0],
            }
        )


COUNT = (0.0, np.inf)


@define("TP", bounds=COUNT, aggregate="sum", unit="class", label="true positives")
def true_positives(confusion: Confusion) -> Floats:
    """The number of items of the class that were predicted as the class.

    >>> measure("TP")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([20.])
    """
    return confusion.tp


@define("FP", better="lower", bounds=COUNT, aggregate="sum", unit="class", label="false positives")
def false_positives(confusion: Confusion) -> Floats:
    """The number of items of other classes that were predicted as the class.

    >>> measure("FP")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([180.])
    """
    return confusion.fp


@define("FN", better="lower", bounds=COUNT, aggregate="sum", unit="class", label="false negatives")
def false_negatives(confusion: Confusion) -> Floats:
    """The number of items of the class that were predicted as another class.

    >>> measure("FN")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([10.])
    """
    return confusion.fn


@define("TN", bounds=COUNT, aggregate="sum", unit="class", label="true negatives")
def true_negatives(confusion: Confusion) -> Floats:
    """The number of items of other classes that were predicted as other classes.

    >>> measure("TN")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([1820.])
    """
    return confusion.tn


@define(
    "positives",
    better="neither",
    bounds=COUNT,
    aggregate="sum",
    unit="class",
    aliases=["support", "n_positive"],
    label="positive items (P)",
)
def positives(confusion: Confusion) -> Floats:
    """The number of items of the class: P = TP + FN.

    >>> measure("positives")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([30.])
    """
    return confusion.tp + confusion.fn


@define(
    "negatives",
    better="neither",
    bounds=COUNT,
    aggregate="sum",
    unit="class",
    aliases=["n_negative"],
    label="negative items (N)",
)
def negatives(confusion: Confusion) -> Floats:
    """The number of items of other classes: N = FP + TN.

    >>> measure("negatives")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([2000.])
    """
    return confusion.fp + confusion.tn


@define(
    "predicted_positives",
    better="neither",
    bounds=COUNT,
    aggregate="sum",
    unit="class",
    aliases=["n_predicted_positive"],
    label="predicted positives (T)",
)
def predicted_positives(confusion: Confusion) -> Floats:
    """The number of items predicted as the class: T = TP + FP.

    >>> measure("predicted_positives")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([200.])
    """
    return confusion.tp + confusion.fp


@define(
    "predicted_negatives",
    better="neither",
    bounds=COUNT,
    aggregate="sum",
    unit="class",
    aliases=["n_predicted_negative"],
    label="predicted negatives (F)",
)
def predicted_negatives(confusion: Confusion) -> Floats:
    """The number of items predicted as another class: F = FN + TN.

    >>> measure("predicted_negatives")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([1830.])
    """
    return confusion.fn + confusion.tn


@define(
    "right",
    bounds=COUNT,
    aggregate="sum",
    unit="class",
    aliases=["n_right"],
    label="right decisions",
)
def right(confusion: Confusion) -> Floats:
    """The number of right decisions on the class: TP + TN.

    >>> measure("right")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([1840.])
    """
    return confusion.tp + confusion.tn


@define(
    "wrong",
    better="lower",
    bounds=COUNT,
    aggregate="sum",
    unit="class",
    aliases=["n_wrong"],
    label="wrong decisions",
)
def wrong(confusion: Confusion) -> Floats:
    """The number of wrong decisions on the class: FP + FN.

    >>> measure("wrong")(outcomes(tp=20, fp=180, fn=10, tn=1820))
    array([190.])
    """
    return confusion.fp + confusion.fn


show_counts(true_positives, "of the class, and found")
show_counts(false_positives, "of another class, and found")
show_counts(false_negatives, "of the class, and not found")
show_counts(true_negatives, "of another class, and not found")
show_counts(positives, "TP + FN")
show_counts(negatives, "FP + TN")
show_counts(predicted_positives, "TP + FP")
show_counts(predicted_negatives, "FN + TN")
show_counts(right, "TP + TN")
show_counts(wrong, "FP + FN")
