"""Sampled pools: documents drawn with known probabilities, from which measures are estimated."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.benchmark.pools.pooled_runs import QueryLists
from assay.core.arrays import Bools, Floats
from assay.core.errors import UsageError


@dataclass(frozen=True)
class Stratum:
    """Documents whose best rank is within two ends, and the share of them that is drawn."""

    first: int
    last: int
    rate: float

    @property
    def name(self) -> str:
        """The name of the stratum: its ranks."""
        return f"{self.first}-{self.last}"


def parse_strata(text: str) -> list[Stratum]:
    """Return the strata of ``10:1,50:0.5,100:0.2``: the last rank and the drawn share of each."""
    strata: list[Stratum] = []
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\d+)\s*:\s*([0-9.]+)\s*", part)
        first = strata[-1].last + 1 if strata else 1
        rate = float(found[2]) if found and found[2].count(".") < 2 else 0.0
        if found is None or not 0 < rate <= 1 or int(found[1]) < first:
            raise UsageError(
                f"strata are '{text}': a last rank and a share above 0 for each is expected, with"
                " rising ranks, such as 10:1,50:0.5,100:0.2"
            )
        strata.append(Stratum(first, int(found[1]), rate))
    return strata


@dataclass(frozen=True)
class PoolSample:
    """Which documents of a query were drawn, from which stratum and with which probability."""

    drawn: Bools
    stratum: Sequence[str]
    probability: Floats


def sample_strata(
    lists: QueryLists, strata: Sequence[Stratum], draw: np.random.Generator
) -> PoolSample:
    """Draw so many documents of each stratum as its share says, at least one, without replacement.

    The probability is exactly the drawn share of the stratum.
    """
    best = lists.best_rank
    drawn = np.zeros(len(best), dtype=bool)
    probability = np.zeros(len(best))
    names = np.empty(len(best), dtype=object)
    for stratum in strata:
        own = np.flatnonzero((best >= stratum.first) & (best <= stratum.last))
        if not len(own):
            continue
        count = max(1, math.floor(stratum.rate * len(own) + 0.5))
        drawn[draw.permutation(own)[:count]] = True
        probability[own] = count / len(own)
        names[own] = stratum.name
    return PoolSample(drawn, list(names), probability)


def sample_statap(lists: QueryLists, size: int, draw: np.random.Generator) -> PoolSample:
    """Draw each document independently, the more likely the higher the runs rank it.

    The weight of a rank is that of Aslam and Pavlu: how much a relevant document there adds to
    average precision. Probabilities add up to ``size``, which is therefore the expected number.
    """
    weight = rank_weights(lists.depth)
    mean = np.where(lists.ranks > 0, weight[np.maximum(lists.ranks, 1) - 1], 0.0).mean(axis=0)
    probability = scale_to_sum(mean, size)
    drawn = draw.random(len(mean)) < probability
    return PoolSample(drawn, ["statap"] * len(mean), probability)


def rank_weights(depth: int) -> Floats:
    """Return the prior weight of each rank: 1 + 1/r + … + 1/depth, over twice the depth."""
    rank = np.arange(1, depth + 1, dtype=np.float64)
    tail = np.cumsum((1 / rank)[::-1])[::-1]
    weights: Floats = (1 + tail) / (2 * depth)
    return weights


def scale_to_sum(weight: Floats, total: float) -> Floats:
    """Return probabilities in proportion to weights that add up to a total, none above 1."""
    probability = np.zeros(len(weight))
    sure = np.zeros(len(weight), dtype=bool)
    if total >= len(weight):
        return np.ones(len(weight))
    while True:
        left = total - sure.sum()
        probability = np.where(sure, 1.0, left * weight / weight[~sure].sum())
        over = (probability > 1) & ~sure
        if not over.any():
            return probability
        sure |= over


def draw_rest(lists: QueryLists, kept: Bools, count: int, draw: np.random.Generator) -> PoolSample:
    """Draw ``count`` of the documents that were not chosen, and call them the random stratum."""
    rest = np.flatnonzero(~kept)
    count = min(count, len(rest))
    drawn = kept.copy()
    drawn[draw.permutation(rest)[:count]] = True
    share = count / len(rest) if len(rest) else 1.0
    probability = np.where(kept, 1.0, share)
    return PoolSample(drawn, ["chosen" if each else "random" for each in kept], probability)
