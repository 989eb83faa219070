"""Inferred average precision."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Exemption, define
from assay.core.facts import Facts, Range, Settings
from assay.core.parameters import Grade
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.rankings.precision_extremes import Divisor, precision_extremes

SMOOTHING = 1e-5


def expected_precision(rankings: Rankings, rel: float) -> tuple[Hits, Floats]:
    """The relevant documents, and the precision that is expected at each."""
    pooled = rankings.hits
    is_relevant = pooled.grade >= rel
    found = pooled.where(is_relevant)
    relevant = found.place - 1
    judged = pooled.running(pooled.grade >= 0)[is_relevant] - 1
    above = pooled.place[is_relevant] - 1
    before = found.rank - 1.0
    # Of the documents above, so many are in the pool, and of these the judged ones tell the rest.
    inside = ratio(above, before)
    share = (relevant + SMOOTHING) / (judged + 2 * SMOOTHING)
    inferred = 1 / found.rank + before / found.rank * inside * share
    return found, np.where(before == 0, 1.0, inferred)


@define(
    "infAP",
    undefined="no relevant document is known",
    variants=["infAP(rel=2)"],
    label="inferred average precision",
    exempt=[
        Exemption(
            "promotion",
            "a pooled document without a judgment counts as partly relevant",
            ("??~2|", 2),
        )
    ],
    facts=Facts(rises_with_order=lambda s, grades: bool(grades.min(initial=0) >= 0)),
)
def inferred_average_precision(rankings: Rankings, rel: Grade = 1) -> Floats:
    """Average precision as estimated from a pool of which a random sample was judged.

    A negative grade means pooled but not judged; a document without a judgment stands outside the
    pool. At each relevant document the precision is 1/i for itself, and (i − 1)/i times the share
    of the pool above it times the share of relevant ones among the judged there, smoothed by
    0.00001 as in trec_eval.

    >>> measure("infAP")(rankings("+~-+|+")).round(4)
    array([0.5417])
    """
    found, precision = expected_precision(rankings, rel)
    return ratio(found.sum(precision), rankings.relevant_count(rel))


@inferred_average_precision.trace
def inferred_average_precision_trace(rankings: Rankings, s: Settings) -> Columns:
    """The expected precision at each relevant document."""
    found, precision = expected_precision(rankings, s.rel)
    part = precision / rankings.relevant_count(s.rel)[0]
    return {
        "rank": found.rank,
        "expected precision": precision,
        "part": part,
        "sum": np.cumsum(part),
    }


@inferred_average_precision.extremes
def inferred_average_precision_range(
    rankings: Rankings, grades: Floats, s: Settings
) -> Range | None:
    """With every hole judged the list is its pool: average precision, but for the smoothing.

    Not where some documents are pooled and not judged: then nothing is known.
    """
    if (rankings.hits.grade < 0).any():
        return None
    divisor = Divisor.relevant(rankings, s.rel)
    low, high = precision_extremes(rankings, s.rel, _precision, divisor)
    return low, high, True


def _precision(rank: Floats) -> tuple[Floats, Floats]:
    """What a relevant document has by itself at each rank, and what each above it adds."""
    more = (rank - 1) / rank / (rank - 1 + 2 * SMOOTHING)
    return 1 / rank + more * SMOOTHING, more
