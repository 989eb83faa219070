"""Average precision, its geometric mean over queries, and experimental variants of trec_eval."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Undefined, define
from assay.core.facts import MONOTONE, Range, Settings, only_first_rank
from assay.core.parameters import Depth, Flag, Grade
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.precision_recall import (
    highest_at_recall,
    precision_and_recall,
    relevant_steps,
)
from assay.measures.trace_tables import at_every_rank

Denominator = Literal["relevant", "reachable", "found", "retrieved"]
UNDEFINED = Undefined(truth="no relevant document is known", answer="nothing was retrieved")


def denominator_of(
    rankings: Rankings, rel: float, cutoff: int | None, denominator: Denominator
) -> Floats:
    """Return the divisor of the sum of precisions; 0 where no relevant document is known."""
    known = rankings.relevant_count(rel)
    if denominator == "relevant":
        return known
    if denominator == "reachable":
        return known if cutoff is None else np.minimum(known, cutoff)
    if denominator == "found":
        # With nothing found the sum is 0, and so is the mean.
        return np.where(known > 0, np.maximum(rankings.relevant(rel, cutoff).count, 1), 0)
    length = rankings.depth()
    return np.where(known > 0, length if cutoff is None else np.minimum(length, cutoff), 0)


@define(
    "AP",
    aliases=["map", "MAP", "map_cut", "average_precision", "AveP"],
    undefined=UNDEFINED,
    variants=[
        "AP@3",
        "AP(rel=2)",
        "AP(denominator=reachable)@3",
        "AP(denominator=found)",
        "AP(denominator=retrieved)",
        "AP(interpolated=true)",
    ],
    standard=True,
    facts=MONOTONE.but(
        ignores_pool=lambda s, grades: s.denominator in ("found", "retrieved"),
        sum_over_documents=only_first_rank,
        fixed_weights=only_first_rank,
        rises_with_order=lambda s, grades: s.denominator != "found" or s.cutoff in (None, 1),
        rises_with_grades=lambda s, grades: s.denominator != "found",
    ),
)
def average_precision(
    rankings: Rankings,
    rel: Grade = 1,
    denominator: Denominator = "relevant",
    interpolated: Flag = False,
    cutoff: Depth | None = None,
) -> Floats:
    """The mean of the precision at the rank of each relevant document; 0 for those not retrieved.

    The sum is divided by all ``relevant`` documents, also when there is a cutoff k. Others divide
    by the ``reachable`` ones, min(R, k); by the relevant documents ``found``; or, as one lecture
    prints the formula, by the documents ``retrieved``. ``interpolated=true`` takes the best
    precision at that rank or any later one.

    >>> measure("AP")(rankings("++-+-+------+-")).round(2)
    array([0.76])
    >>> measure("AP(denominator=found)")(rankings("+-+++--+|+")).round(2)
    array([0.77])
    """
    divisor = denominator_of(rankings, rel, cutoff, denominator)
    found = rankings.relevant(rel, cutoff)
    precision = found.highest_after(found.precision) if interpolated else found.precision
    return ratio(found.sum(precision), divisor)


@average_precision.trace
def average_precision_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return precision and recall at each rank, and the parts of the relevant documents."""
    columns = precision_and_recall(rankings, s.rel, s.cutoff)
    divisor = denominator_of(rankings, s.rel, s.cutoff, s.denominator)[0]
    so_far, height = columns["relevant so far"], columns["precision"]
    if s.interpolated:
        height = highest_at_recall(height, so_far)
        columns |= {"interpolated": height}
    part = np.where(np.diff(so_far, prepend=0) > 0, ratio(height, divisor), 0.0)
    return columns | {"part": part, "sum": np.cumsum(part)}


@average_precision.expected
def average_precision_over_ties(rankings: Rankings, s: Settings) -> Floats | None:
    """Return the expected value over the orders of tied documents.

    Each of k relevant documents among n tied ones has each rank equally often. Above it, at rank
    r, it has (r - first)(k - 1)/(n - 1) of the others on average.
    """
    if s.interpolated or (s.denominator == "found" and s.cutoff is not None):
        return None
    from assay.evidence.tied_rankings import TieGroups

    groups = TieGroups.of(rankings, rankings.hits.grade >= s.rel)
    last = groups.within(s.cutoff)
    inverse = np.cumsum(np.append(0.0, 1 / np.arange(1, groups.last.max(initial=0) + 1)))
    inverses = inverse[last] - inverse[groups.first - 1]
    above = last - groups.first + 1 - groups.first * inverses
    others = (groups.count - 1) / np.maximum(groups.size - 1, 1)
    share = groups.count / groups.size
    gained = groups.sum(share * ((groups.before + 1) * inverses + others * above))
    return ratio(gained, denominator_of(rankings, s.rel, s.cutoff, s.denominator))


@average_precision.extremes
def average_precision_range(rankings: Rankings, grades: Floats, s: Settings) -> Range | None:
    """Return the range: of m relevant unjudged ones the topmost give most, the lowest least."""
    if s.interpolated or s.denominator == "retrieved":
        return None
    if s.denominator == "found":
        return _divide_by_retrieved(rankings, s.rel, s.cutoff)
    from assay.measures.rankings.precision_extremes import Divisor, precision_extremes

    most = s.cutoff if s.denominator == "reachable" and s.cutoff is not None else np.inf
    divisor = Divisor.relevant(rankings, s.rel, most)
    low, high = precision_extremes(rankings, s.rel, divisor, s.cutoff)
    return low, high, True


def _divide_by_retrieved(rankings: Rankings, rel: float, cutoff: int | None) -> Range:
    """Return the range where documents below the cutoff do not count; 0 with nothing found."""
    from assay.measures.rankings.precision_extremes import Divisor, precision_extremes

    divisor = Divisor.relevant_retrieved(rankings, rel, cutoff)
    low, high = precision_extremes(rankings, rel, divisor, cutoff)
    hidden = rankings.depth() - rankings.judged().count - divisor.count
    zero = (divisor.known == 0) & ((rankings.relevant_count(rel) > 0) | (hidden > 0))
    return np.where(zero, 0.0, low), np.where(zero, np.fmax(high, 0.0), high), True


@define(
    "GMAP",
    aggregate="geometric",
    aliases=["gm_map"],
    undefined="no relevant document is known",
    variants=["GMAP(rel=2)"],
    facts=MONOTONE,
)
def geometric_mean_of_average_precision(rankings: Rankings, rel: Grade = 1) -> Floats:
    """Average precision, averaged over queries by the geometric mean.

    A value below 0.00001 counts as 0.00001, as in trec_eval, so that one failure does not make
    all of it 0.

    >>> measure("GMAP")(rankings("+-", "-+"))
    array([1. , 0.5])
    """
    return average_precision(rankings, rel=rel)


@geometric_mean_of_average_precision.expected
def geometric_over_ties(rankings: Rankings, s: Settings) -> Floats | None:
    """Return the expected average precision."""
    return average_precision_over_ties(rankings, average_precision.bind(rel=s.rel))


@geometric_mean_of_average_precision.extremes
def geometric_range(rankings: Rankings, grades: Floats, s: Settings) -> Range | None:
    """Return the range of average precision."""
    return average_precision_range(rankings, grades, average_precision.bind(rel=s.rel))


@geometric_mean_of_average_precision.trace
def geometric_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the precision at each relevant document, and its part of the average."""
    return average_precision_trace(rankings, average_precision.bind(rel=s.rel))


@define(
    "yaap",
    bounds=(-math.inf, math.inf),
    undefined="no relevant document is known",
    variants=["yaap(rel=2)"],
    facts=MONOTONE.but(falls_with_pool=False),
)
def yet_another_average_precision(rankings: Rankings, rel: Grade = 1) -> Floats:
    """Average precision as log odds: ln((1 + S)/(1 + R − S)).

    S is the sum of the precisions at the R relevant documents. The values are spread more like a
    normal distribution than those of average precision.

    >>> measure("yaap")(rankings("+-+")).round(4)
    array([0.6931])
    """
    found, known = rankings.relevant(rel), rankings.relevant_count(rel)
    total = found.sum(found.precision)
    return np.where(known > 0, np.log((1 + total) / (1 + known - total)), np.nan)


@yet_another_average_precision.trace
def yaap_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the precision at each rank, its sum at relevant documents, and the log odds so far."""
    found, known = rankings.relevant(s.rel), rankings.relevant_count(s.rel)[0]
    columns = precision_and_recall(rankings, s.rel)
    total = np.cumsum(at_every_rank(columns["rank"], found, found.precision))
    return columns | {
        "sum": total,
        "log odds": np.log((1 + total) / (1 + known - total)) if known else total * np.nan,
    }


@define(
    "binG",
    undefined="no relevant document is known",
    variants=["binG(rel=2)"],
    label="binary G",
    facts=MONOTONE,
)
def binary_g(rankings: Rankings, rel: Grade = 1) -> Floats:
    """The mean over relevant documents of 1 / log2(2 + non-relevant documents above it).

    >>> measure("binG")(rankings("+-+")).round(4)
    array([0.8155])
    """
    found = rankings.relevant(rel)
    return ratio(
        found.sum(1 / np.log2(2.0 + found.rank - found.place)), rankings.relevant_count(rel)
    )


@binary_g.trace
def binary_g_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the documents that are not relevant so far, and the parts of relevant ones."""
    found, columns = rankings.relevant(s.rel), relevant_steps(rankings, s.rel)
    others = columns["rank"] - columns["relevant so far"]
    part = at_every_rank(columns["rank"], found, 1) / np.log2(2.0 + others)
    part = ratio(part, rankings.relevant_count(s.rel)[0])
    return columns | {"others so far": others, "part": part, "sum": np.cumsum(part)}
