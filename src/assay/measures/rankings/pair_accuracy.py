"""The share of pairs of documents in the right order."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints, ratio
from assay.core.curves import Columns
from assay.core.definition import Exemption, Ratio, Undefined, define
from assay.core.facts import Facts, Range, Settings
from assay.core.parameters import Depth, Grade
from assay.evidence.unjudged.unjudged_documents import Holes
from assay.evidence.views.rankings import Hits, Rankings


@define(
    "PairAccuracy",
    aliases=["Accuracy"],
    undefined=Undefined(
        truth="no relevant document is known",
        answer="the list does not have both relevant and non-relevant documents",
    ),
    variants=["PairAccuracy@3", "PairAccuracy(rel=2)"],
    exempt=Exemption(
        "promotion",
        "a document that enters at the cutoff adds pairs in the wrong order",
        ("2-~+|", 2),
    ),
    facts=Facts(
        unjudged_as_zero=True,
        ignores_pool=True,
        rises_with_order=lambda s, grades: s.cutoff is None,
        judgments_undefine=True,
    ),
)
def accuracy_of_pairs(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Ratio:
    """The share of the pairs of a relevant and a non-relevant retrieved document in order.

    This is what ir_measures calls Accuracy. Documents that were not retrieved play no part.

    >>> measure("PairAccuracy")(rankings("-+??")).round(3)
    array([0.667])
    """
    found = rankings.relevant(rel, cutoff)
    length = rankings.depth() if cutoff is None else rankings.depth().clip(max=cutoff)
    others = length - found.count
    after = others[found.query] - (found.rank - found.place)
    return Ratio(found.sum(after), found.count * others)


@accuracy_of_pairs.extremes
def pair_accuracy_range(rankings: Rankings, grades: Floats, s: Settings) -> Range:
    """Return the range: of m relevant unjudged ones the topmost give most, the lowest least.

    The pairs in the right order are what is below each relevant document, without the relevant
    ones: so the ranks of these are all that counts, and each m is tried.
    """
    found, holes = rankings.relevant(s.rel, s.cutoff), Holes(rankings, s.cutoff).rank
    length = np.minimum(rankings.depth(), rankings.depth(s.cutoff))
    ranks, total = holes.total(holes.rank), holes.sum(holes.rank)[holes.query]
    low = _shares(found, length, holes, holes.count[holes.query] - holes.place, total - ranks)
    high = _shares(found, length, holes, holes.place, ranks)
    now = accuracy_of_pairs(rankings, rel=s.rel, cutoff=s.cutoff)
    lowest, highest = now.copy(), now.copy()
    np.fmin.at(lowest, holes.query, np.fmin(low, high))
    np.fmax.at(highest, holes.query, np.fmax(low, high))
    return lowest, highest, True


def _shares(found: Hits, length: Floats, holes: Hits, more: Floats | Ints, ranks: Floats) -> Floats:
    """Return the share of pairs with so many holes relevant, whose ranks add up to this."""
    own = holes.query
    relevant = found.count[own] + more
    after = relevant * length[own] - found.sum(found.rank)[own] - ranks
    pairs = relevant * (length[own] - relevant)
    return ratio(after - relevant * (relevant - 1) / 2, pairs)


@accuracy_of_pairs.trace
def pair_accuracy_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each relevant document, with the others before and after it."""
    found = rankings.relevant(s.rel, s.cutoff)
    length = rankings.depth() if s.cutoff is None else rankings.depth().clip(max=s.cutoff)
    others = (length - found.count)[found.query]
    before = found.rank - found.place
    return {
        "rank": found.rank,
        "others before": before,
        "others after": others - before,
        "after so far": np.cumsum(others - before),
        "all pairs": found.count[found.query] * others,
        "share": ratio(np.cumsum(others - before), found.count[found.query] * others),
    }
