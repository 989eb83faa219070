"""Precision, recall and F of spans of text, type by type."""

from __future__ import annotations

from functools import partial

from assay.core.definition import Ratio, Undefined, define
from assay.core.parameters import Weight
from assay.evidence.views.spans import Match, Spans

NOTHING_TRUE = "no actual span has the type"
NOTHING_PREDICTED = Undefined(answer="no span of the type was predicted")
define_by_type = partial(define, unit="type", standard=True)


@define_by_type(
    "P",
    undefined=NOTHING_PREDICTED,
    aliases=["precision"],
    variants=["P(match=partial)", "P(match=type)", "P(match=boundary)", "P(average=micro)"],
)
def precision_of_spans(spans: Spans, match: Match = "exact") -> Ratio:
    """The share of the predicted spans that are correct.

    ``match`` says which spans match: exact (same place and type), boundary (same place), type
    (same type and some overlap) or partial (some overlap; half unless the place is the same).

    >>> measure("P")(spans([[(0, 2, "a"), (5, 9, "b")]], [[(0, 2, "a"), (5, 8, "b")]]).by("type"))
    array([1., 0.])
    """
    return Ratio(spans.count(spans.right[match]), spans.count(spans.predicted))


@define_by_type(
    "R",
    undefined=NOTHING_TRUE,
    aliases=["recall", "sensitivity"],
    variants=["R(match=partial)", "R(average=micro)"],
)
def recall_of_spans(spans: Spans, match: Match = "exact") -> Ratio:
    """The share of the actual spans that are found, with the same kinds of match.

    >>> measure("R:match=partial")(spans([[(0, 2, "a"), (5, 9, "a")]], [[(5, 8, "a")]]).by("type"))
    array([0.25])
    """
    return Ratio(spans.count(spans.found[match]), spans.count(spans.true))


@define_by_type(
    "F",
    undefined=Undefined(truth=NOTHING_TRUE, answer=NOTHING_PREDICTED.answer),
    aliases=[
        *("F1", "F_measure", "F_score", "F_beta", "F0.5(beta=0.5)", "F2(beta=2)"),
        *("F_*(beta=*)", "F_0.*(beta=0.*)"),
    ],
    variants=["F(match=type)", "F(beta=2)", "F(average=micro)"],
    label="F measure of spans",
)
def f_measure(spans: Spans, match: Match = "exact", beta: Weight = 1.0) -> Ratio:
    """The harmonic mean of precision and recall of spans.

    >>> measure("F:match=type")(spans([[(0, 2, "a"), (5, 9, "a")]], [[(5, 8, "a")]]).by("type"))
    array([0.66666667])
    """
    share = 1 / (1 + beta**2)
    right, found = spans.count(spans.right[match]), spans.count(spans.found[match])
    predicted, true = spans.count(spans.predicted), spans.count(spans.true)
    # Right and found differ where a match crosses types; the weighted mean of both is pooled.
    top = share * right + (1 - share) * found
    return Ratio(top, share * predicted + (1 - share) * true, (predicted == 0) | (true == 0))
