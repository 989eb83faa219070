"""Samples of the queries of a log, for a benchmark, with known inclusion probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assay.behavior.logs.click_log import open_log
from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError, unknown_name

METHODS = ("frequency", "uniform", "strata")
STRATA = ("head", "torso", "tail")


def sample_queries(
    log: Any, size: int = 50, *, by: str = "frequency", least: int = 1, seed: int = 1
) -> pl.DataFrame:
    """Sample queries of a log; return query, lists, probability, weight and perhaps stratum.

    ``by`` frequency samples in proportion to the number of lists (systematic sampling, without
    replacement), so that a mean over the sample with equal weights is what users see; uniform gives
    every query the same probability; strata takes as many queries of the head, torso and tail,
    which are thirds of the lists. ``weight`` is 1 / probability: with it, a mean estimates that
    over all queries. Queries with fewer than ``least`` lists are left out.
    """
    if by not in METHODS:
        raise unknown_name("method", by, METHODS)
    if size < 1:
        raise UsageError("a sample has at least one query")
    counts = [
        piece.group_by("query").agg(lists=pl.col("list").n_unique())
        for piece in open_log(log).pieces()
    ]
    queries = pl.concat(counts).group_by("query").agg(pl.col("lists").sum().cast(pl.Int64))
    queries = queries.filter(pl.col("lists") >= least).sort("query")
    if queries.height < size:
        raise DataError(f"{size} queries are to be sampled, but the log has {queries.height:,}")
    random = np.random.default_rng(seed)
    if by == "strata":
        return _stratified(queries, size, random)
    lists = queries["lists"].to_numpy().astype(np.float64)
    weight = lists if by == "frequency" else np.ones(len(lists))
    probability = inclusion_probabilities(weight, size)
    return _draw(queries, probability, random)


def inclusion_probabilities(weight: Floats, size: int) -> Floats:
    """Return probabilities in proportion to the weights that add up to the size; none exceeds 1."""
    probability = np.zeros(len(weight))
    certain = np.zeros(len(weight), dtype=bool)
    while True:
        rest = size - certain.sum()
        probability = np.where(certain, 1.0, rest * weight / max(weight[~certain].sum(), 1e-300))
        over = (probability > 1) & ~certain
        if not over.any():
            return probability
        certain |= over


def _draw(queries: pl.DataFrame, probability: Floats, random: np.random.Generator) -> pl.DataFrame:
    """Sample systematically, in random order: the probabilities are met exactly."""
    order = random.permutation(len(probability))
    ends = np.cumsum(probability[order])
    points = random.random() + np.arange(round(float(ends[-1])))
    chosen = np.minimum(np.searchsorted(ends, points, side="right"), len(order) - 1)
    place = np.sort(order[np.unique(chosen)])
    picked = queries.with_columns(probability=pl.Series(probability))[place]
    return picked.with_columns(weight=1 / pl.col("probability"))


def _stratified(queries: pl.DataFrame, size: int, random: np.random.Generator) -> pl.DataFrame:
    ordered = queries.sort("lists", "query", descending=[True, False])
    reached = ordered["lists"].cum_sum().to_numpy() - ordered["lists"].to_numpy()
    third = np.minimum(3 * reached // int(ordered["lists"].sum()), 2)
    sizes = np.bincount(third, minlength=len(STRATA))
    parts = []
    for number, wanted in enumerate(_allocate(size, sizes.tolist())):
        part = ordered.filter(pl.Series(third == number))
        if wanted:
            chance = np.full(part.height, wanted / part.height)
            named = _draw(part, chance, random).with_columns(stratum=pl.lit(STRATA[number]))
            parts.append(named)
    return pl.concat(parts).sort("query")


def _allocate(size: int, available: list[int]) -> list[int]:
    """Return how many queries each stratum gives: as equal as their sizes allow."""
    given = [0] * len(available)
    for _ in range(size):
        open_ones = [n for n, most in enumerate(available) if given[n] < most]
        given[min(open_ones, key=lambda n: given[n])] += 1
    return given
