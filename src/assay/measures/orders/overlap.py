"""Rank-biased overlap and average overlap."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from assay.core.arrays import Floats, Ints, sorted_sum
from assay.core.curves import Columns
from assay.core.definition import Exemption, Ratio, define
from assay.core.facts import Settings
from assay.core.parameters import Depth, Persistence
from assay.evidence.views.order_pairs import RankedLists, Ranking
from assay.measures.orders.tie_overlaps import shared_by_depth, unseen_by_depth

Ties: TypeAlias = Literal["a", "b", "w"]
Bound: TypeAlias = Literal["ext", "min", "max", "res", "base"]
LARGEST_TABLE = 2**28
"""Longer rankings with ties have no table of every depth and thing, but counts of each tie."""


@define(
    "RBO",
    aliases=["rbo", "rank_biased_overlap", "rbo_ext", "rbo_min(bound=min)", "rbo_max(bound=max)"],
    undefined="one of the two rankings is empty",
    variants=[
        "RBO(p=0.98)",
        "RBO(bound=min)",
        "RBO(bound=max)",
        "RBO(bound=res)",
        "RBO(bound=base)",
        "RBO(ties=b)",
        "RBO(ties=w)",
    ],
    exempt=Exemption(
        "ideal",
        "the base, the bounds and their gap depend on the length of the rankings",
        ([["a"]], [["a"], ["b"]]),
    ),
    label="rank-biased overlap",
    standard=True,
)
def rank_biased_overlap(
    lists: RankedLists, p: Persistence = 0.9, ties: Ties = "a", bound: Bound = "ext"
) -> Floats:
    """The overlap of two rankings at each depth, with weights that fall by p at each rank.

    ``bound`` says what is made of the part that nobody has seen: ``ext`` carries on the overlap
    that was seen last, ``min`` and ``max`` assume the least and the most, ``res`` is the gap
    between them, ``base`` adds up no more than was seen. ``ties=a`` is the mean over all ways to
    break ties, ``b`` corrects for the knowledge that ties withhold, ``w`` takes a tie as a place
    that several things share. Things in only one ranking are allowed.

    >>> measure("RBO(p=0.9)")(listed("a b c d e", "b a c e d")).round(3)
    array([0.882])
    >>> measure("RBO(p=0.9,bound=min)")(listed("a b c d e", "b a c e d")).round(3)
    array([0.554])
    """
    return np.asarray([_value(_Overlap.of(one, two, ties), p, bound) for one, two in lists])


@dataclass(frozen=True)
class _Overlap:
    """The agreement at every depth of the longer ranking, under each assumption."""

    short: int
    long: int
    shared: Floats
    """How much is shared at each depth of what was seen."""
    seen: Floats
    """The agreement at each depth, where unseen things of the shorter ranking match nothing."""
    most: Floats
    """The agreement where they match as early as they can."""
    carried: Floats
    """The agreement where they match as often as those at the end of the shorter ranking."""

    @classmethod
    def of(cls, one: Ranking, two: Ranking, ties: Ties) -> _Overlap | None:
        """Return both rankings; their order does not matter."""
        lower, upper = sorted((one, two), key=lambda each: each.length)
        if not lower.length:
            return None
        # Without ties the three ways are one, and counting replaces tables of chances.
        plain = ties == "w" or not (lower.tied or upper.tied)
        parts = (_tie_start_counts if plain else _expected_counts)(lower, upper)
        depths, short = np.arange(1, upper.length + 1), lower.length
        scale = _scale(parts, depths, short, "w" if plain else ties)
        seen = parts.shared / scale
        carried = np.maximum(depths - short, 0) * seen[short - 1] * parts.mean
        return cls(
            short,
            upper.length,
            parts.shared,
            seen,
            (parts.shared + parts.early) / scale,
            (parts.shared + carried) / scale,
        )


@dataclass(frozen=True)
class _Parts:
    """At each depth of the longer ranking, what the formulas are made of."""

    shared: Floats
    low: Floats
    """The size of the shorter ranking, in things or in squared chances."""
    high: Floats
    early: Floats
    """What the unseen things of the shorter ranking share at most."""
    mean: Floats
    """The mean chance of the things that only the longer ranking has, of those that have any."""


def _tie_start_counts(lower: Ranking, upper: Ranking) -> _Parts:
    """Return a thing is there as soon as its tie begins."""
    size, short = upper.length, lower.length
    depths = np.arange(1, size + 1)
    common = (lower.top > 0) & (upper.top > 0)
    both = np.maximum(lower.top, upper.top)[common]
    fresh = _reached_counts(upper.top[lower.top == 0], size)
    return _Parts(
        shared=_reached_counts(both, size),
        low=_reached_counts(lower.top[lower.top > 0], size),
        high=_reached_counts(upper.top[upper.top > 0], size),
        early=np.minimum(fresh, np.maximum(depths - short, 0)),
        mean=(fresh > 0).astype(np.float64),
    )


def _reached_counts(ranks: Ints, size: int) -> Floats:
    """Return how many of the ranks are reached at each depth."""
    return np.cumsum(np.bincount(ranks, minlength=size + 1)[1 : size + 1]).astype(np.float64)


def _expected_counts(lower: Ranking, upper: Ranking) -> _Parts:
    """Return a thing is there with the chance that ties, broken at random, put it so high."""
    depths, short = np.arange(1, upper.length + 1), lower.length
    common = (lower.top > 0) & (upper.top > 0)
    early, mean = np.zeros(len(depths)), np.zeros(len(depths))
    one, two, only = lower.take(common), upper.take(common), upper.take(lower.top == 0)
    if len(depths) * len(common) > LARGEST_TABLE:
        shared = shared_by_depth(one, two, (lower, upper))
        early[short:], mean[short:] = unseen_by_depth(only, upper, depths[short:], short)
    else:
        shared = sorted_sum(one.chances(depths) * two.chances(depths))
        early[short:], mean[short:] = _unseen_overlap(only, depths[short:], short)
    return _Parts(
        shared=shared,
        low=lower.squared_chances(depths),
        high=upper.squared_chances(depths),
        early=early,
        mean=mean,
    )


def _unseen_overlap(only: Ranking, depths: Ints, short: int) -> tuple[Floats, Floats]:
    """Return what items of the longer ranking alone may share below the end of the shorter one."""
    fresh = only.chances(depths)
    taken = np.arange(len(only.top)) < (depths - short)[:, None]
    early = np.where(taken, fresh[:, np.argsort(only.top, kind="stable")], 0)
    some = (fresh > 0).sum(axis=1)
    return sorted_sum(early), sorted_sum(fresh) / np.where(some, some, 1)


def _scale(parts: _Parts, depths: Ints, short: int, ties: Ties) -> Floats:
    """Return what full agreement would be at each depth; unseen things are taken to be untied."""
    low = np.where(depths > short, depths, parts.low)
    if ties == "a":
        return depths.astype(np.float64)
    return (low + parts.high) / 2 if ties == "w" else np.sqrt(low) * np.sqrt(parts.high)


def _value(overlap: _Overlap | None, p: float, bound: Bound) -> float:
    if overlap is None:
        return math.nan
    match bound:
        case "base":
            return (1 - p) * _weighted_sum(overlap.seen, p)
        case "min":
            return _lower_bound(overlap, p)
        case "max":
            return min(_upper_bound(overlap, p), 1.0)
        case "res":
            return max(_upper_bound(overlap, p) - _lower_bound(overlap, p), 0.0)
        case "ext":
            return min(_extrapolate(overlap, p), 1.0)


def _weighted_sum(agreement: Floats, p: float) -> float:
    """Return the agreements, each weighed by the chance that the reader comes so far."""
    return math.fsum(agreement * p ** np.arange(len(agreement)))


def _lower_bound(overlap: _Overlap, p: float) -> float:
    """Return the agreement if nothing below what was seen is shared."""
    if p in (0, 1):
        return float(overlap.seen[0]) if p == 0 else 0.0
    depths = np.arange(1, overlap.long + 1)
    below = -math.log1p(-p) - math.fsum(p**depths / depths)
    rest = float(overlap.shared[-1]) * below / p
    return (1 - p) * (_weighted_sum(overlap.seen, p) + rest)


def _upper_bound(overlap: _Overlap, p: float) -> float:
    """Return the agreement if everything below what was seen is shared as soon as possible."""
    if p in (0, 1):
        return float(overlap.most[0]) if p == 0 else 1.0
    shared = float(overlap.shared[-1])
    full = overlap.long + overlap.short - shared
    depths = np.arange(overlap.long + 1, math.floor(full + 1e-9) + 1)
    growing = math.fsum(
        (2 * depths - overlap.long - overlap.short + shared) / depths * p ** (depths - 1)
    )
    rest = p**full / (1 - p)
    return (1 - p) * (_weighted_sum(overlap.most, p) + growing + rest)


def _extrapolate(overlap: _Overlap, p: float) -> float:
    """Return what is below goes on as what was seen last."""
    if p == 0:
        return float(overlap.carried[0])
    last = overlap.seen[overlap.short - 1] * (overlap.long - overlap.short) + overlap.shared[-1]
    rest = float(last) / overlap.long * p**overlap.long
    return (1 - p) * _weighted_sum(overlap.carried, p) + rest


@rank_biased_overlap.trace
def rank_biased_overlap_trace(lists: RankedLists, s: Settings) -> Columns:
    """Return the overlap at each depth, its weight, and the unseen rest."""
    overlap = _Overlap.of(*lists.pairs[0], s.ties)
    if overlap is None:
        return {"depth": np.empty(0)}
    depths = np.arange(1, overlap.long + 1)
    agreement = {
        "ext": overlap.carried,
        "max": overlap.most,
        "res": overlap.most - overlap.seen,
    }.get(s.bound, overlap.seen)
    weight = (1 - s.p) * s.p ** (depths - 1.0)
    value, part = _value(overlap, s.p, s.bound), agreement * weight
    # The part of the depths below the end is shown at the last depth.
    below = np.where(depths == overlap.long, value - math.fsum(part), 0.0)
    return {
        "depth": depths,
        "shared": overlap.shared,
        "agreement": agreement,
        "weight": weight,
        "part": part,
        "below the end": below,
        "sum": np.cumsum(part + below),
    }


@define("overlap", undefined="both rankings are empty", variants=["overlap@1", "overlap@3"])
def overlap(lists: RankedLists, cutoff: Depth) -> Ratio:
    """The share of items that the first k ranks of both rankings have in common.

    Where a tie crosses the cutoff, each of its members counts by its probability of being above.

    >>> measure("overlap@3")(listed("a b c d e", "b a e c d")).round(3)
    array([0.667])
    """
    depth = np.asarray([cutoff])
    shared = [float(sorted_sum(one.chances(depth) * two.chances(depth))[0]) for one, two in lists]
    filled = [min(cutoff, max(one.length, two.length)) for one, two in lists]
    return Ratio(np.asarray(shared), np.asarray(filled, dtype=np.float64))
