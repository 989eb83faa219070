"""Measures of a set that need the number of documents in the collection, and its utility."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import MONOTONE, Facts, Range, Settings
from assay.core.parameters import Grade, Number
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.precision_recall import set_counts

UNKNOWN_SIZE = Undefined(
    answer="the number of documents in the collection is unknown (set `corpus=…`)"
)


def collection_size(rankings: Rankings) -> Floats:
    """Return the number of documents in the collection, NaN where it is not known."""
    size = np.nan if rankings.corpus is None else float(rankings.corpus)
    return np.full(len(rankings.queries), size)


def contingency_counts(rankings: Rankings, rel: float) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the documents as (relevant and retrieved, only retrieved, only relevant, neither)."""
    found = rankings.relevant(rel).count
    retrieved, relevant = rankings.depth(), rankings.relevant_count(rel)
    neither = collection_size(rankings) - retrieved - relevant + found
    return found, retrieved - found, relevant - found, neither


@define(
    "fallout",
    better="lower",
    aliases=["fall-out", "fall_out", "FPR"],
    undefined=UNKNOWN_SIZE,
    variants=["fallout(rel=2)"],
    facts=Facts(unjudged_as_zero=True, rises_with_order=True),
)
def fallout(rankings: Rankings, rel: Grade = 1) -> Ratio:
    """The share of the non-relevant documents that are retrieved.

    >>> measure("fallout")(sets((90, 70, 100), corpus=120)).round(2)
    array([1.])
    """
    _, noise, _, neither = contingency_counts(rankings, rel)
    return Ratio(noise, noise + neither)


@define(
    "generality",
    better="neither",
    aliases=["total_recall"],
    undefined=UNKNOWN_SIZE,
    variants=["generality(rel=2)"],
    facts=Facts(unjudged_as_zero=True, rises_with_order=True),
)
def generality(rankings: Rankings, rel: Grade = 1) -> Ratio:
    """The share of the collection that is relevant; also called total recall.

    >>> measure("generality")(sets((80, 80, 100), corpus=120)).round(2)
    array([0.83])
    """
    return Ratio(rankings.relevant_count(rel), collection_size(rankings))


@define(
    "ACC", aliases=["accuracy"], undefined=UNKNOWN_SIZE, variants=["ACC(rel=2)"], facts=MONOTONE
)
def accuracy(rankings: Rankings, rel: Grade = 1) -> Ratio:
    """The share of the collection that is retrieved if and only if relevant.

    >>> measure("ACC")(sets((80, 80, 100), (0, 0, 100), corpus=120)).round(2)
    array([0.83, 0.17])
    """
    found, _, _, neither = contingency_counts(rankings, rel)
    return Ratio(found + neither, collection_size(rankings))


@fallout.extremes
def fallout_range(rankings: Rankings, grades: Floats, s: Settings) -> Range:
    """Return the range: (noise - m)/(not relevant - m) falls with each relevant one of m."""
    _, noise, _, neither = contingency_counts(rankings, s.rel)
    holes = rankings.depth() - rankings.judged().count
    return ratio(noise - holes, noise + neither - holes), ratio(noise, noise + neither), True


@generality.extremes
def generality_range(rankings: Rankings, grades: Floats, s: Settings) -> Range:
    """Return what is known to be relevant, and all holes besides."""
    known, size = rankings.relevant_count(s.rel), collection_size(rankings)
    return known / size, (known + rankings.depth() - rankings.judged().count) / size, True


@accuracy.extremes
def accuracy_range(rankings: Rankings, grades: Floats, s: Settings) -> Range:
    """Return what is known, and all holes besides: each was retrieved, so it is treated rightly."""
    found, _, _, neither = contingency_counts(rankings, s.rel)
    holes, size = rankings.depth() - rankings.judged().count, collection_size(rankings)
    return ratio(found + neither, size), ratio(found + neither + holes, size), True


@fallout.trace
@generality.trace
@accuracy.trace
def table_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the four kinds of document."""
    names = ["relevant, retrieved", "not relevant, retrieved", "relevant, not retrieved", "neither"]
    return set_counts(names, [float(count[0]) for count in contingency_counts(rankings, s.rel)])


@define(
    "utility",
    bounds=(-math.inf, math.inf),
    undefined=UNKNOWN_SIZE,
    variants=["utility(tp=2,fp=-1,fn=-1)"],
    facts=MONOTONE.but(
        ignores_pool=lambda s, grades: s.fn == 0 == s.tn,
        rises_with_grades=lambda s, grades: s.tp - s.fp >= s.fn - s.tn,
        falls_with_pool=lambda s, grades: s.fn <= s.tn,
    ),
)
def utility(
    rankings: Rankings,
    rel: Grade = 1,
    tp: Number = 1,
    fp: Number = -1,
    fn: Number = 0,
    tn: Number = 0,
) -> Ratio:
    """The sum over the retrieved and missed documents of a weight for each kind.

    The prices are those of relevant documents retrieved (``tp``), others retrieved (``fp``),
    relevant ones missed (``fn``) and others left alone (``tn``, for which the size of the
    collection must be known). Queries are averaged, as in trec_eval.

    >>> measure("utility")(sets((14, 7, 20), (6, 4, 20)))
    array([0., 2.])
    """
    priced = zip(contingency_counts(rankings, rel), (tp, fp, fn, tn), strict=True)
    # A kind without a price is left out: the last is not even known without the collection's size.
    worth = [count * price for count, price in priced if price]
    each = np.ones(len(rankings.queries))
    return Ratio(sum(worth, start=0 * each), each)


@utility.trace
def utility_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the four kinds of document, their prices and their parts of the sum."""
    columns = table_trace(rankings, s)
    price = np.asarray([s.tp, s.fp, s.fn, s.tn], dtype=np.float64)
    part = np.where(price == 0, 0.0, columns["count"] * price)
    return columns | {"price": price, "part": part, "sum": np.cumsum(part)}
