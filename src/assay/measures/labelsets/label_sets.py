"""Measures of label sets, by item and by label."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from assay.core.arrays import Floats
from assay.core.definition import Ratio, Undefined, define
from assay.core.parameters import Weight
from assay.evidence.views.label_sets import LabelSets

Form = Literal["ratio", "count"]
NOTHING_TRUE = "the item has no label"
NOTHING_PREDICTED = "no label was predicted"
NEVER_TRUE = "no item has the label"
NEVER_PREDICTED = "the label was never predicted"
define_by_label = partial(define, unit="label", standard=True)
define_by_item = partial(define, unit="item", standard=True)


@define_by_item(
    "P",
    undefined=Undefined(answer=NOTHING_PREDICTED),
    aliases=["precision", "precision_samples", "P[average=samples]"],
    variants=["P(average=micro)"],
)
def precision_of_each_item(sets: LabelSets) -> Ratio:
    """The share of the predicted labels of each item that are correct.

    >>> measure("P")(label_sets("ab c", "a cd").by("item")).round(2)
    array([1. , 0.5])
    """
    return Ratio(sets.common, sets.predicted)


@define_by_item(
    "R",
    undefined=NOTHING_TRUE,
    aliases=["recall", "recall_samples", "sensitivity", "R[average=samples]"],
    variants=["R(average=micro)"],
)
def recall_of_each_item(sets: LabelSets) -> Ratio:
    """The share of the actual labels of each item that are predicted.

    >>> measure("R")(label_sets("ab c", "a cd").by("item")).round(2)
    array([0.5, 1. ])
    """
    return Ratio(sets.common, sets.true)


@define(
    "TNR",
    unit="item",
    undefined="the item has all labels",
    aliases=["specificity"],
    label="specificity of each item",
)
def specificity_of_each_item(sets: LabelSets) -> Ratio:
    """The share of the labels that an item does not have that are not predicted.

    >>> measure("TNR")(label_sets("ab c", "a cd").by("item")).round(2)
    array([1.  , 0.67])
    """
    other = float(len(sets.labels)) - sets.true
    return Ratio(other - (sets.predicted - sets.common), other)


@define_by_item(
    "F",
    undefined=Undefined(truth=NOTHING_TRUE, answer=NOTHING_PREDICTED),
    aliases=[
        "F1",
        "F_measure",
        "F_score",
        "F_beta",
        *("F0.5(beta=0.5)", "F2(beta=2)", "F_*(beta=*)", "F_0.*(beta=0.*)"),
        "f1_samples(form=count)",
        "F[average=samples](form=count)",
    ],
    variants=["F(beta=2)", "F(form=count)", "F(average=micro)"],
    label="F measure of each item",
)
def f_measure(sets: LabelSets, beta: Weight = 1.0, form: Form = "ratio") -> Ratio:
    """The harmonic mean of precision and recall of each item.

    The form ``ratio`` is undefined where precision or recall is, the form ``count`` then 0.

    >>> measure("F")(label_sets("ab c", "a cd").by("item")).round(2)
    array([0.67, 0.67])
    """
    return _f_measure(sets, beta, form)


def _f_measure(sets: LabelSets, beta: float, form: Form) -> Ratio:
    share = 1 / (1 + beta**2)
    undefined = (sets.predicted == 0) | (sets.true == 0) if form == "ratio" else None
    return Ratio(sets.common, share * sets.predicted + (1 - share) * sets.true, undefined)


@define_by_item(
    "Jaccard",
    undefined="no label is actual or predicted",
    aliases=["JI", "Jaccard-Index", "jaccard", "jaccard_samples", "Jaccard[average=samples]"],
    label="Jaccard's index of each item",
)
def jaccard(sets: LabelSets) -> Ratio:
    """The actual and predicted labels in common, as a share of those in either, for each item.

    >>> measure("Jaccard")(label_sets("ab c", "a cd").by("item")).round(2)
    array([0.5, 0.5])
    """
    return Ratio(sets.common, sets.true + sets.predicted - sets.common)


@define_by_item("subset", aliases=["accuracy", "subset_accuracy", "exact_match"])
def subset_accuracy(sets: LabelSets) -> Floats:
    """1 if exactly the actual labels are predicted, else 0.

    >>> measure("subset")(label_sets("ab c", "ab cd").by("item"))
    array([1., 0.])
    """
    return ((sets.common == sets.true) & (sets.common == sets.predicted)).astype(np.float64)


@define_by_item(
    "Hamming",
    better="lower",
    aliases=["hamming_loss"],
    undefined="there are no labels",
    label="Hamming loss",
)
def hamming(sets: LabelSets) -> Ratio:
    """The share of all labels that are wrongly predicted or wrongly missing.

    All labels are those that occur anywhere, in truth or prediction.

    >>> measure("Hamming")(label_sets("ab c", "ab cd").by("item"))
    array([0.  , 0.25])
    """
    wrong = sets.true + sets.predicted - 2 * sets.common
    return Ratio(wrong, np.full(len(wrong), float(len(sets.labels))))


@define_by_label(
    "label_P",
    undefined=Undefined(answer=NEVER_PREDICTED),
    aliases=["label_precision", "P[average=macro]", "P[average=weighted](average=weighted)"],
    variants=["label_P(average=micro)"],
)
def precision_of_each_label(sets: LabelSets) -> Ratio:
    """The share of the items predicted to have a label that have it, for each label.

    >>> measure("label_P")(label_sets("ab c", "a cd").by("label")).round(2)
    array([ 1., nan,  1.,  0.])
    """
    return Ratio(sets.common, sets.predicted)


@define_by_label(
    "label_R",
    undefined=NEVER_TRUE,
    aliases=["label_recall", "R[average=macro]", "R[average=weighted](average=weighted)"],
    variants=["label_R(average=micro)"],
)
def recall_of_each_label(sets: LabelSets) -> Ratio:
    """The share of the items with a label that are predicted to have it, for each label.

    >>> measure("label_R")(label_sets("ab c", "a cd").by("label")).round(2)
    array([ 1.,  0.,  1., nan])
    """
    return Ratio(sets.common, sets.true)


@define_by_label(
    "label_F",
    undefined=Undefined(truth=NEVER_TRUE, answer=NEVER_PREDICTED),
    aliases=["label_F1", "F[average=macro]", "F[average=weighted](average=weighted)"],
    variants=["label_F(beta=2)", "label_F(form=count)", "label_F(average=micro)"],
    label="F measure of each label",
)
def label_f_measure(sets: LabelSets, beta: Weight = 1.0, form: Form = "ratio") -> Ratio:
    """The harmonic mean of precision and recall of each label.

    The form ``ratio`` is undefined where precision or recall is, the form ``count`` then 0.

    >>> measure("label_F")(label_sets("ab c", "a cd").by("label")).round(2)
    array([ 1., nan,  1., nan])
    """
    return _f_measure(sets, beta, form)


@define(
    "label_Jaccard",
    unit="label",
    undefined="the label does not occur",
    aliases=[
        "label_jaccard",
        "Jaccard[average=macro]",
        "Jaccard[average=weighted](average=weighted)",
    ],
    label="Jaccard's index of each label",
)
def label_jaccard(sets: LabelSets) -> Ratio:
    """The items with the actual and the predicted label, as a share of those with either.

    >>> measure("label_Jaccard")(label_sets("ab c", "a cd").by("label")).round(2)
    array([1., 0., 1., 0.])
    """
    return Ratio(sets.common, sets.true + sets.predicted - sets.common)
