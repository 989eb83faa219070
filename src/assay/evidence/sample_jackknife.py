"""Samples again and again, each time without some of their documents: how much a draw decides.

A stratum that was drawn without replacement is left out in random groups, and the documents that
stay stand for those taken back. Where documents have probabilities of their own, each is left out
by itself, and counted twice by itself, and the others keep theirs.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.evidence.views.judged_rankings import QuerySample, SampledRankings

GROUPS = 20
"""A stratum is left out in so many groups, or document by document if it has fewer."""


@dataclass(frozen=True)
class JackknifeSamples:
    """One unit for each part that is left out of a query's sample."""

    view: SampledRankings
    query: Ints
    """The number of the query to which each unit belongs."""
    family: Ints
    """Units of one family vary around their own mean."""
    factor: Floats
    """What a squared deviation from that mean counts in the variance of the query's value, and
    the difference from that value in its bias."""
    drawn_once: Bools
    """The queries with a stratum of which a single document was drawn, but not all."""


_Part: TypeAlias = tuple[QuerySample, int, float]
"""A sample in the place of a query's own, its family, and what it counts."""


def jackknife_samples(view: SampledRankings, seed: int) -> JackknifeSamples:
    """Return every query without each part of its sample; completely sampled strata stay."""
    numbers: list[int] = []
    parts: list[_Part] = []
    for number, (name, one) in enumerate(zip(view.queries, view.records, strict=True)):
        draw = np.random.default_rng([seed, zlib.crc32(name.encode())])
        own = list(_stratum_jackknife(one, draw) if one.stratified else _document_jackknife(one))
        numbers += [number] * len(own)
        parts += own
    samples = tuple(sample for sample, _, _ in parts)
    families = [n << 32 | kin for n, (_, kin, _) in zip(numbers, parts, strict=True)]
    once = [one.stratified and _has_singleton_stratum(one) for one in view.records]
    return JackknifeSamples(
        SampledRankings(tuple(view.queries[number] for number in numbers), samples),
        np.asarray(numbers, np.int64),
        np.asarray(families, np.int64),
        np.asarray([factor for _, _, factor in parts]),
        np.asarray(once, np.bool_),
    )


def _has_singleton_stratum(one: QuerySample) -> bool:
    """Whether some stratum has a single drawn document and others: its variance is unknown."""
    size, drawn = (np.bincount(one.stratum, kept) for kept in (None, one.drawn > 0))
    return bool(((drawn == 1) & (size > 1)).any())


def _stratum_jackknife(one: QuerySample, draw: np.random.Generator) -> Iterator[_Part]:
    """Yield the jackknife within strata, with the correction for finite ones."""
    drawn = one.drawn > 0
    for stratum in np.unique(one.stratum).tolist():
        inside = one.stratum == stratum
        own = np.flatnonzero(inside & drawn)
        groups, share = min(GROUPS, len(own)), len(own) / np.count_nonzero(inside)
        if share == 1 or groups < 2:
            continue
        group = np.full(len(drawn), -1)
        group[own] = draw.permutation(len(own)) % groups
        counts = (1 - share) * (groups - 1) / groups
        for number in range(groups):
            less = replace(one, grade=np.where(group == number, -1.0, one.grade))
            yield replace(less, probability=less.drawn_share), stratum, counts


def _document_jackknife(one: QuerySample) -> Iterator[_Part]:
    """Independent draws: the slope and the curvature along the weight of each document."""
    for place in np.flatnonzero((one.drawn > 0) & (one.probability < 1)).tolist():
        chance = float(one.probability[place])
        for count in (0.5, np.inf):
            changed = one.probability.copy()
            changed[place] *= count
            yield replace(one, probability=changed), place, (1 - chance) / 2
