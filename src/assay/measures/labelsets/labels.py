"""Precision, recall, F and Jaccard's index of sets of labels, label by label."""

from __future__ import annotations

from typing import Literal

from assay.core.definition import Ratio, Undefined, define
from assay.core.parameters import Weight
from assay.evidence.views.label_sets import LabelSets

NOTHING_TRUE = "the label is never true"
NOTHING_SAID = "the label was never predicted"


@define(
    "label_P",
    unit="label",
    undefined=Undefined(answer=NOTHING_SAID),
    aliases=["label_precision"],
    variants=["label_P(average=micro)"],
    label="precision of each label",
    standard=True,
)
def precision(sets: LabelSets) -> Ratio:
    """The share of the predicted labels of that name that is true, label by label.

    >>> measure("label_P")(label_sets("ab c", "a cd").by("label")).round(2)
    array([ 1., nan,  1.,  0.])
    """
    return Ratio(sets.common, sets.said)


@define(
    "label_R",
    unit="label",
    undefined=NOTHING_TRUE,
    aliases=["label_recall"],
    variants=["label_R(average=micro)"],
    label="recall of each label",
    standard=True,
)
def recall(sets: LabelSets) -> Ratio:
    """The share of the true labels of that name that is predicted, label by label.

    >>> measure("label_R")(label_sets("ab c", "a cd").by("label")).round(2)
    array([ 1.,  0.,  1., nan])
    """
    return Ratio(sets.common, sets.true)


@define(
    "label_F",
    unit="label",
    undefined=Undefined(truth=NOTHING_TRUE, answer=NOTHING_SAID),
    aliases=["label_F1"],
    variants=["label_F(beta=2)", "label_F(form=count)", "label_F(average=micro)"],
    label="F measure of each label",
    standard=True,
)
def f_measure(
    sets: LabelSets, beta: Weight = 1.0, form: Literal["ratio", "count"] = "ratio"
) -> Ratio:
    """The harmonic mean of precision and recall, label by label.

    The form ``ratio`` is undefined where precision or recall is, the form ``count`` then 0.

    >>> measure("label_F")(label_sets("ab c", "a cd").by("label")).round(2)
    array([ 1., nan,  1., nan])
    """
    share = 1 / (1 + beta**2)
    undefined = (sets.said == 0) | (sets.true == 0) if form == "ratio" else None
    return Ratio(sets.common, share * sets.said + (1 - share) * sets.true, undefined)


@define(
    "label_Jaccard",
    unit="label",
    undefined="the label is never true or predicted",
    aliases=["label_jaccard"],
    label="Jaccard's index of each label",
    standard=False,
)
def jaccard(sets: LabelSets) -> Ratio:
    """The labels that are true and predicted among those that are either, label by label.

    >>> measure("label_Jaccard")(label_sets("ab c", "a cd").by("label")).round(2)
    array([1., 0., 1., 0.])
    """
    return Ratio(sets.common, sets.true + sets.said - sets.common)
