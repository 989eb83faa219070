"""The average precision of a set."""

from __future__ import annotations

from assay.core.curves import Columns
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import MONOTONE, Settings
from assay.core.parameters import Grade
from assay.evidence.views.rankings import Rankings
from assay.measures.trace_tables import trace_lines


@define(
    "SetAP",
    aliases=["set_map", "SetMAP"],
    undefined=Undefined(truth="no relevant document is known", answer="nothing was retrieved"),
    variants=["SetAP(rel=2)"],
    label="average precision of a set",
    facts=MONOTONE,
)
def set_average_precision(rankings: Rankings, rel: Grade = 1) -> Ratio:
    """The product of the precision and the recall of the whole list, taken as a set.

    That is the average precision when every relevant document has the precision of the set.

    >>> measure("SetAP")(sets((4, 2, 8)))
    array([0.125])
    """
    found = rankings.relevant(rel).count
    return Ratio(found * found, rankings.depth() * rankings.relevant_count(rel))


@set_average_precision.trace
def set_average_precision_trace(rankings: Rankings, s: Settings) -> Columns:
    """The counts from which precision and recall come."""
    found, listed, known = (
        float(each[0])
        for each in (
            rankings.relevant(s.rel).count,
            rankings.depth(),
            rankings.relevant_count(s.rel),
        )
    )
    return trace_lines(
        {
            "relevant, retrieved": found,
            "retrieved": listed,
            "relevant": known,
            "SetAP: precision × recall": set_average_precision(rankings, rel=s.rel)[0],
        }
    )
