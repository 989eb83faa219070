"""The share of pairs of documents in the right order."""

from __future__ import annotations

from assay.core.arrays import ratio
from assay.core.catalogue import Columns, Exemption, Ratio, Undefined, define
from assay.core.parameters import Depth, Grade
from assay.evidence.rankings import Rankings


@define(
    "PairAccuracy",
    better="higher",
    bounds=(0, 1),
    aliases=["Accuracy"],
    undefined=Undefined(
        truth="no relevant document is known",
        answer="the list does not have both relevant and other documents",
    ),
    variants=["PairAccuracy@3", "PairAccuracy(rel=2)"],
    label="accuracy of pairs",
    exempt=[
        Exemption(
            "promotion",
            "a document that enters at the cutoff brings pairs in the wrong order",
            ("2-~+|", 2),
        )
    ],
)
def pair_accuracy(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Ratio:
    """The share of the pairs of a relevant and another retrieved document in the right order.

    This is what ir_measures calls Accuracy. Documents that were not retrieved play no part.

    >>> measure("PairAccuracy")(rankings("-+??")).round(3)
    array([0.667])
    """
    found = rankings.relevant(rel, cutoff)
    length = rankings.depth() if cutoff is None else rankings.depth().clip(max=cutoff)
    others = length - found.count
    after = others[found.query] - (found.rank - found.place)
    return Ratio(found.sum(after), found.count * others)


@pair_accuracy.trace
def trace(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Columns:
    """Each relevant document, with the others before and after it."""
    found = rankings.relevant(rel, cutoff)
    length = rankings.depth() if cutoff is None else rankings.depth().clip(max=cutoff)
    others = (length - found.count)[found.query]
    before = found.rank - found.place
    return {
        "rank": found.rank,
        "others before": before,
        "others after": others - before,
        "share": ratio(others - before, others),
    }
