"""Precision, recall, F and Jaccard's index of sets of labels, item by item."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import Floats
from assay.core.definition import Ratio, Undefined, define
from assay.core.parameters import Weight
from assay.evidence.views.label_sets import LabelSets

NOTHING_TRUE = "no label is true"
NOTHING_SAID = "no label was predicted"


@define(
    "P",
    better="higher",
    bounds=(0, 1),
    unit="item",
    undefined=Undefined(answer=NOTHING_SAID),
    aliases=["precision", "precision_samples"],
    variants=["P(average=micro)"],
    label="precision of each item",
    standard=True,
)
def precision(sets: LabelSets) -> Ratio:
    """The share of the predicted labels that is true, item by item.

    >>> measure("P")(label_sets("ab c", "a cd").by("item")).round(2)
    array([1. , 0.5])
    """
    return Ratio(sets.common, sets.said)


@define(
    "R",
    better="higher",
    bounds=(0, 1),
    unit="item",
    undefined=NOTHING_TRUE,
    aliases=["recall", "recall_samples"],
    variants=["R(average=micro)"],
    label="recall of each item",
    standard=True,
)
def recall(sets: LabelSets) -> Ratio:
    """The share of the true labels that is predicted, item by item.

    >>> measure("R")(label_sets("ab c", "a cd").by("item")).round(2)
    array([0.5, 1. ])
    """
    return Ratio(sets.common, sets.true)


@define(
    "F",
    better="higher",
    bounds=(0, 1),
    unit="item",
    undefined=Undefined(truth=NOTHING_TRUE, answer=NOTHING_SAID),
    aliases=["F1", "f1_samples(form=count)"],
    variants=["F(beta=2)", "F(form=count)", "F(average=micro)"],
    label="F measure of each item",
    standard=True,
)
def f_measure(
    sets: LabelSets, beta: Weight = 1.0, form: Literal["ratio", "count"] = "ratio"
) -> Ratio:
    """The harmonic mean of precision and recall, item by item.

    The form ``ratio`` is undefined where precision or recall is, the form ``count`` then 0.

    >>> measure("F")(label_sets("ab c", "a cd").by("item")).round(2)
    array([0.67, 0.67])
    """
    share = 1 / (1 + beta**2)
    undefined = (sets.said == 0) | (sets.true == 0) if form == "ratio" else None
    return Ratio(sets.common, share * sets.said + (1 - share) * sets.true, undefined)


@define(
    "Jaccard",
    better="higher",
    bounds=(0, 1),
    unit="item",
    undefined="no label is true or predicted",
    aliases=["jaccard", "jaccard_samples"],
    label="Jaccard's index of each item",
    standard=True,
)
def jaccard(sets: LabelSets) -> Ratio:
    """The labels that are true and predicted among those that are either, item by item.

    >>> measure("Jaccard")(label_sets("ab c", "a cd").by("item")).round(2)
    array([0.5, 0.5])
    """
    return Ratio(sets.common, sets.true + sets.said - sets.common)


@define(
    "subset",
    better="higher",
    bounds=(0, 1),
    unit="item",
    aliases=["subset_accuracy", "exact_match"],
    label="subset accuracy",
    standard=True,
)
def subset_accuracy(sets: LabelSets) -> Floats:
    """Whether exactly the true labels are predicted.

    >>> measure("subset")(label_sets("ab c", "ab cd").by("item"))
    array([1., 0.])
    """
    return ((sets.common == sets.true) & (sets.common == sets.said)).astype(np.float64)


@define(
    "Hamming",
    better="lower",
    bounds=(0, 1),
    unit="item",
    aliases=["hamming_loss"],
    undefined="there are no labels",
    label="Hamming loss",
    standard=True,
)
def hamming(sets: LabelSets) -> Ratio:
    """The share of all labels that is wrongly predicted or wrongly left out.

    All labels are those that occur anywhere, in truth or prediction.

    >>> measure("Hamming")(label_sets("ab c", "ab cd").by("item"))
    array([0.  , 0.25])
    """
    wrong = sets.true + sets.said - 2 * sets.common
    return Ratio(wrong, np.full(len(wrong), float(len(sets.labels))))
