"""Retrieved and relevant documents as two sets: specificity, miss and error rate, MCC, Jaccard."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import MONOTONE, Facts, Settings
from assay.core.parameters import Flag, Grade
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.collection import UNKNOWN_SIZE, contingency_counts
from assay.measures.rankings.precision_recall import NO_RELEVANT
from assay.measures.trace_tables import Lines, show_formula

SET_FACTS = Facts(unjudged_as_zero=True, rises_with_order=True)


@define(
    "TNR",
    aliases=["specificity", "true_negative_rate", "selectivity"],
    undefined=UNKNOWN_SIZE,
    variants=["TNR(rel=2)"],
    label="specificity",
    facts=MONOTONE,
)
def specificity(rankings: Rankings, rel: Grade = 1) -> Ratio:
    """The share of the non-relevant documents that are not retrieved: 1 − fall-out.

    >>> measure("TNR")(sets((80, 80, 100), (90, 70, 100), corpus=120))
    array([1., 0.])
    """
    _, noise, _, neither = contingency_counts(rankings, rel)
    return Ratio(neither, noise + neither)


@define(
    "FNR",
    better="lower",
    aliases=["miss_rate", "false_negative_rate"],
    undefined=NO_RELEVANT,
    variants=["FNR(rel=2)"],
    label="miss rate",
    facts=SET_FACTS,
)
def miss_rate(rankings: Rankings, rel: Grade = 1) -> Ratio:
    """The share of the relevant documents that are not retrieved: 1 − recall.

    >>> measure("FNR")(sets((14, 7, 20), (6, 4, 20)))
    array([0.65, 0.8 ])
    """
    relevant = rankings.relevant_count(rel)
    return Ratio(relevant - rankings.relevant(rel).count, relevant)


@define(
    "error_rate",
    better="lower",
    aliases=["misclassification_rate"],
    undefined=UNKNOWN_SIZE,
    variants=["error_rate(rel=2)"],
    facts=SET_FACTS,
)
def error_rate(rankings: Rankings, rel: Grade = 1) -> Ratio:
    """The share of the collection that is retrieved but not relevant, or relevant but missed.

    >>> measure("error_rate")(sets((90, 70, 100), corpus=120)).round(2)
    array([0.42])
    """
    found, noise, missed, neither = contingency_counts(rankings, rel)
    return Ratio(noise + missed, found + noise + missed + neither)


@define(
    "MCC",
    bounds=(-1, 1),
    aliases=["matthews", "phi"],
    undefined=Undefined(
        answer=f"none or all documents are relevant or retrieved, or {UNKNOWN_SIZE.answer}"
    ),
    variants=["MCC(rel=2)"],
    label="Matthews correlation coefficient of sets",
    facts=MONOTONE,
)
def matthews(rankings: Rankings, rel: Grade = 1) -> Floats:
    """The correlation between being retrieved and being relevant, over the whole collection.

    1 is perfect, 0 is what a random choice gives, −1 is a set of all the wrong documents.

    >>> measure("MCC")(sets((125, 95, 100), corpus=200)).round(2)
    array([0.67])
    """
    found, noise, missed, neither = contingency_counts(rankings, rel)
    retrieved, relevant = found + noise, found + missed
    left, other = missed + neither, noise + neither
    spread = np.sqrt(retrieved * left) * np.sqrt(relevant * other)
    return np.clip(ratio(found * neither - noise * missed, spread), -1, 1)


@define(
    "Jaccard",
    bounds=(0, 100),
    aliases=["JI", "IoU", "Jaccard-Index"],
    undefined=NO_RELEVANT,
    variants=["Jaccard(percent=true)", "Jaccard(rel=2)"],
    label="Jaccard's index of sets",
    facts=MONOTONE,
)
def jaccard(rankings: Rankings, rel: Grade = 1, percent: Flag = False) -> Ratio:
    """The documents both retrieved and relevant, as a share of those that are either.

    >>> measure("Jaccard")(sets((125, 95, 100))).round(2)
    array([0.73])
    >>> measure("Jaccard(percent=true)")(sets((125, 95, 100))).round()
    array([73.])
    """
    found, relevant = rankings.relevant(rel).count, rankings.relevant_count(rel)
    either = rankings.depth() + relevant - found
    return Ratio((100 if percent else 1) * found, either, undefined=relevant == 0)


@show_formula(specificity, "neither / (only retrieved + neither)")
@show_formula(miss_rate, "only relevant / (both + only relevant)")
@show_formula(error_rate, "(only retrieved + only relevant) / all four")
@show_formula(matthews, "(both · neither − only retrieved · only relevant) / √(products of sums)")
@show_formula(jaccard, "both / (both + only retrieved + only relevant)")
def set_quantities(rankings: Rankings, s: Settings) -> Lines:
    """Return the four kinds of document."""
    names = ("both: retrieved and relevant", "only retrieved", "only relevant", "neither")
    counts = contingency_counts(rankings, s.rel)
    return {name: float(count[0]) for name, count in zip(names, counts, strict=True)}
