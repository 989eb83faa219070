"""Counterfactual estimators: inverse propensity, self-normalized, doubly robust, by position.

The value of a ranking is the expected number of clicks on its first results, per list. An estimator
returns a contribution of each list, whose mean is the value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.core.arrays import Floats, Ints, sum_at

METHODS = ("ips", "snips", "dr", "position")


@dataclass(frozen=True)
class Matches:
    """Impressions of documents that the new ranking has too, with their weights."""

    lists: int
    """How many lists were logged for queries of the new ranking."""
    list: Ints
    """The list of each match, from 0."""
    rank: Ints
    """The new rank of each match, from 0."""
    click: Floats
    weight: Floats
    """How much more likely it is examined, or shown there, under the new ranking."""
    predicted: Floats
    """The click probability that a model predicts for the match."""
    direct: Floats
    """The clicks that a model predicts for the new list of each logged one."""

    def clipped(self, most: float | None) -> Floats:
        """Return the weights, no larger than a limit."""
        return self.weight if most is None else np.minimum(self.weight, most)


def ips(matches: Matches, weight: Floats) -> Floats:
    """Return the clicks of each list, weighted by the inverse of their propensities."""
    return sum_at(matches.list, weight * matches.click, matches.lists)


def snips(matches: Matches, weight: Floats) -> Floats:
    """Return contributions to the weighted mean of each rank, linearized around the estimate."""
    depth = int(matches.rank.max(initial=-1)) + 1
    total = sum_at(matches.rank, weight, depth)
    hits = sum_at(matches.rank, weight * matches.click, depth)
    rate = np.divide(hits, total, out=np.zeros(depth), where=total > 0)
    scale = np.divide(matches.lists, total, out=np.zeros(depth), where=total > 0)
    away = weight * (matches.click - rate[matches.rank]) * scale[matches.rank]
    return rate.sum() + sum_at(matches.list, away, matches.lists)


def dr(matches: Matches, weight: Floats) -> Floats:
    """Return the prediction of a model, corrected by the weighted residuals."""
    residual = weight * (matches.click - matches.predicted)
    return matches.direct + sum_at(matches.list, residual, matches.lists)


ESTIMATORS: dict[str, Callable[[Matches, Floats], Floats]] = {
    "ips": ips,
    "snips": snips,
    "dr": dr,
    "position": ips,
}


def effective_size(weight: Floats) -> float:
    """Return (Σw)² / Σw²."""
    squares = float((weight**2).sum())
    return float(weight.sum()) ** 2 / squares if squares else 0.0


def session_error(contribution: Floats, session: Ints) -> float:
    """Return the standard error of the mean contribution of a list, over sessions."""
    units = int(session.max()) + 1
    size = sum_at(session, np.ones(len(session)), units)
    total = sum_at(session, contribution, units)
    away = total - contribution.mean() * size
    return float(np.sqrt((away**2).sum() * units / max(units - 1, 1)) / len(contribution))


def new_ranks(run: pl.DataFrame, depth: int) -> pl.DataFrame:
    """Return query, doc and new_rank of the first results, by score and then by document."""
    ordered = run.select("query", "score", "doc").sort(
        "query", "score", "doc", descending=[False, True, True]
    )
    ranked = ordered.with_columns(new_rank=pl.int_range(1, pl.len() + 1).over("query"))
    return ranked.filter(pl.col("new_rank") <= depth).select("query", "doc", "new_rank")
