"""Measures of rankings that several assessors judged, averaged over the assessors."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.definition import define
from assay.core.parameters import Depth, Grade, Multiple
from assay.evidence.views.judged_rankings import JudgmentGroups
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.average_precision import average_precision
from assay.measures.rankings.precision_recall import precision

_UNDEFINED = "no assessor has a relevant document"


@define(
    "AP_avgjg",
    aliases=["map_avgjg"],
    undefined=_UNDEFINED,
    variants=["AP_avgjg@3", "AP_avgjg(rel=2)"],
)
def average_precision_over_assessors(
    groups: JudgmentGroups, rel: Grade = 1, cutoff: Depth | None = None
) -> Floats:
    """The average precision by the judgments of each assessor, averaged over the assessors.

    >>> measure("AP_avgjg")(judged_by("+-+", "-++")).round(3)
    array([0.708])
    """
    return groups.mean(lambda one: average_precision(one, rel=rel, cutoff=cutoff))


@define("P_avgjg", undefined=_UNDEFINED, variants=["P_avgjg@3"])
def precision_over_assessors(groups: JudgmentGroups, cutoff: Depth, rel: Grade = 1) -> Floats:
    """The precision at a depth by the judgments of each assessor, averaged over the assessors.

    >>> measure("P_avgjg@2")(judged_by("+-+", "+++"))
    array([0.75])
    """
    return groups.mean(lambda one: precision(one, rel=rel, cutoff=cutoff))


@define(
    "Rprec_avgjg",
    aliases=["Rprec_mult_avgjg"],
    undefined=_UNDEFINED,
    variants=["Rprec_avgjg@0.5"],
    label="precision at a multiple of R over assessors",
)
def rprec_avgjg(groups: JudgmentGroups, multiple: Multiple, rel: Grade = 1) -> Floats:
    """The precision at a multiple of R, the assessor's relevant documents, averaged over assessors.

    The rank is cut off after 0.9 is added, as trec_eval does it.

    >>> measure("Rprec_avgjg@1")(judged_by("+-+", "+++"))
    array([0.75])
    """
    return groups.mean(lambda one: _at_multiple(one, multiple, rel))


def _at_multiple(one: Rankings, multiple: float, rel: float) -> Floats:
    found, known = one.relevant(rel), one.relevant_count(rel)
    depth = np.floor(multiple * known + 0.9)
    return ratio(found.sum(found.rank <= depth[found.query]), depth)
