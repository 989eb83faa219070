"""Holes: unjudged retrieved documents, and rankings with grades assigned to them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from assay.core.arrays import Ints, unit_numbers, unit_offsets, unit_rows
from assay.evidence.views.rankings import Hits, Rankings

MAX_SINGLE_COUNTS = 4
"""Up to so many relevant holes each number has a block of its own."""


def hole_counts(most: int, *, singly: bool = False) -> list[tuple[int, int]]:
    """Return ranges of numbers of relevant documents: small ones (or all) singly, then doubling."""
    ends = [*range((most if singly else min(most, MAX_SINGLE_COUNTS)) + 1)]
    while ends[-1] < most:
        ends.append(min(ends[-1] * 2, most))
    return [(before + 1, end) for before, end in pairwise(ends)]


def raise_negatives(rankings: Rankings) -> Rankings:
    """Return the rankings with grade 0 for negative grades, if these are judgments."""
    if not rankings.negatives_judged or not (rankings.pool.grade < 0).any():
        return rankings
    both = (rankings.hits, rankings.pool)
    hits, pool = (replace(each, grade=np.maximum(each.grade, 0.0)) for each in both)
    return replace(rankings, hits=hits, pool=pool)


@dataclass(frozen=True)
class Fill:
    """What is put into the holes of one unit, and what the pool is said to have more.

    The two need not agree: a bound may look at better lists and at fewer known documents at once.
    """

    query: Ints
    """The number of the query, for each unit."""
    first: Ints
    """The first hole that is filled, counted from 0 by rank."""
    last: Ints
    """The hole after the last one that is filled."""
    known: Ints
    """How many documents the pool has more."""
    grade: float
    """The grade of the filled holes."""
    known_grade: float
    """The grade of the additional documents."""


@dataclass(frozen=True)
class Holes:
    """Rankings, and the ranks of the documents in them that have no judgment."""

    rankings: Rankings
    depth: int | None = None
    """Holes below that rank cannot be seen by the measure."""

    @cached_property
    def count(self) -> Ints:
        """How many retrieved documents of each query have no judgment, at any depth."""
        return self.rankings.retrieved - self.rankings.judged().count.astype(np.int64)

    @cached_property
    def rank(self) -> Hits:
        """The ranks of the holes that can be seen; the grades mean nothing."""
        seen = self.rankings.retrieved
        if self.depth is not None:
            seen = np.minimum(seen, self.depth)
        offsets = unit_offsets(seen)
        judged = self.rankings.judged(self.depth)
        filled = np.zeros(int(offsets[-1]), dtype=bool)
        filled[offsets[judged.query] + judged.rank - 1] = True
        query = unit_numbers(offsets)[~filled]
        rank = np.flatnonzero(~filled) - offsets[query] + 1
        counts = np.bincount(query, minlength=len(seen))
        return Hits(unit_offsets(counts), rank, np.zeros(len(rank)))

    @cached_property
    def bare(self) -> Rankings:
        """The rankings with their relevant documents only: all that a bounded measure sees."""
        own = self.rankings.hits
        keep = own.grade > 0
        if self.depth is not None:
            keep &= own.rank <= self.depth
        bare = own.where(keep)
        empty = np.empty(0, np.int64)
        return replace(
            self.rankings,
            hits=bare,
            pool=self.rankings.useful,
            tie_first=empty,
            tie_last=empty,
            row=empty,
        )

    def fill_grades(self, fill: Fill) -> Rankings:
        """Return a unit for each entry of the fill: the query's ranking with grades filled in."""
        hits = self.bare.hits.take(fill.query)[0]
        count = np.diff(self.rank.offsets)[fill.query]
        first, last = np.minimum(fill.first, count), np.minimum(fill.last, count)
        rows = unit_rows(self.rank.offsets[fill.query] + first, last - first)
        more = Hits(
            unit_offsets(last - first), self.rank.rank[rows], np.full(len(rows), fill.grade)
        )
        return replace(self.empty_lists_with(fill), hits=_merge_by_rank(hits, more))

    def full(self, grade: float) -> Rankings:
        """Return the rankings with that grade in every hole, and with the pool as it is."""
        more = replace(self.rank, grade=np.full(len(self.rank.rank), grade))
        return replace(self.bare, hits=_merge_by_rank(self.bare.hits, more))

    def empty_lists_with(self, fill: Fill) -> Rankings:
        """Return the same with empty lists: the larger pool and the lengths of the lists only."""
        bare = self.bare
        pool = bare.pool.take(fill.query)[0]
        extra = unit_offsets(fill.known)
        known = Hits(extra, np.arange(extra[-1]), np.full(int(extra[-1]), fill.known_grade))
        # The pool is in falling order of grades, between which nothing needs to be put.
        ahead = fill.known_grade >= bare.pool.grade.max(initial=0)
        pool = _append_entries(known, pool) if ahead else _append_entries(pool, known)
        return replace(
            bare,
            queries=tuple(bare.queries[n] for n in fill.query.tolist()),
            retrieved=bare.retrieved[fill.query],
            missing=bare.missing[fill.query],
            hits=Hits(np.zeros(len(fill.query) + 1, np.int64), np.empty(0, np.int64), np.empty(0)),
            pool=replace(pool, rank=pool.place),
        )


def _merge_by_rank(one: Hits, other: Hits) -> Hits:
    """Return the entries of both, unit by unit in rising order of rank."""
    span = max(one.rank.max(initial=0), other.rank.max(initial=0)) + 1
    own, others = one.query * span + one.rank, other.query * span + other.rank
    return _interleave(
        one,
        other,
        np.arange(len(own)) + np.searchsorted(others, own),
        np.arange(len(others)) + np.searchsorted(own, others),
    )


def _append_entries(one: Hits, other: Hits) -> Hits:
    """Return the entries of both, unit by unit, those of the other behind."""
    return _interleave(
        one,
        other,
        np.arange(len(one.rank)) + np.repeat(other.offsets[:-1], np.diff(one.offsets)),
        np.arange(len(other.rank)) + np.repeat(one.offsets[1:], np.diff(other.offsets)),
    )


def _interleave(one: Hits, other: Hits, place: Ints, other_place: Ints) -> Hits:
    size = len(place) + len(other_place)
    rank, grade = np.empty(size, dtype=np.int64), np.empty(size)
    rank[place], rank[other_place] = one.rank, other.rank
    grade[place], grade[other_place] = one.grade, other.grade
    return Hits(one.offsets + other.offsets, rank, grade)
