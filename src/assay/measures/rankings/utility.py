"""The utility of a set."""

from __future__ import annotations

import math

import numpy as np

from assay.core.curves import Columns
from assay.core.definition import Ratio, define
from assay.core.facts import MONOTONE, Settings
from assay.core.parameters import Grade, Number
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.collection import UNKNOWN_SIZE, contingency_counts, table_trace


@define(
    "utility",
    bounds=(-math.inf, math.inf),
    undefined=UNKNOWN_SIZE,
    variants=["utility(tp=2,fp=-1,fn=-1)"],
    label="utility",
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
    """What a set is worth when each of its four kinds of document has a price.

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
    """The four kinds of document, their prices and their parts of the sum."""
    columns = table_trace(rankings, s)
    price = np.asarray([s.tp, s.fp, s.fn, s.tn], dtype=np.float64)
    part = np.where(price == 0, 0.0, columns["count"] * price)
    return columns | {"price": price, "part": part, "sum": np.cumsum(part)}
