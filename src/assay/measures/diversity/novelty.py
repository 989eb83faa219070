"""Novelty-based measures: alpha-nDCG, ERR-IA and their normalized forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Settings
from assay.core.parameters import Depth, Grade, Share
from assay.evidence.views.judged_rankings import QuerySubtopics, SubtopicRankings
from assay.measures.graded.gain import rank_discount

Discount: TypeAlias = Callable[[Floats], Floats]
"""What is left of a gain at each rank."""
NO_SUBTOPIC = "no document covers a subtopic"


@dataclass(frozen=True)
class Novelty:
    """Lists in which a document is worth (1 − α)^n for a subtopic that n others above it treat."""

    rankings: SubtopicRankings
    alpha: float
    rel: float
    cutoff: int | None
    discount: Discount

    def discounted_gains(self) -> Floats:
        """Return the discounted gain of each query's list, with what repeats worth less."""
        return self.rankings.per_query(self._list_gain)

    def share_of_perfect(self) -> Floats:
        """Return the gain as a share of that of documents that each treat every subtopic."""
        return ratio(self.discounted_gains(), self._perfect())

    def share_of_ideal(self) -> Floats:
        """Return the gain as a share of that of a list with what is worth most at each rank."""
        return ratio(self.discounted_gains(), self.rankings.per_query(self._ideal_gain))

    def ideal_steps(self) -> Columns:
        """Return new subtopics, gain and discount at each rank, and the gain of the ideal list."""
        one = self.rankings.records[0]
        best = self._ideal_gains(one)
        kept = one.rank <= (self.cutoff or np.inf)
        depth = int(max(len(best), one.rank[kept].max(initial=0)))
        rank = np.arange(1, depth + 1)
        columns = {name: np.zeros(depth) for name in ("subtopics", "gain", "ideal gain")}
        about = one.about(self.rel)
        columns["subtopics"][one.rank[kept] - 1] = about[kept].sum(axis=1)
        columns["gain"][one.rank[kept] - 1] = self._novel_gains(about)[kept]
        columns["ideal gain"][: len(best)] = best
        lost = self.discount(rank.astype(np.float64))
        reached, most = (np.cumsum(columns[name] * lost) for name in ("gain", "ideal gain"))
        return {
            "rank": rank,
            "subtopics": columns["subtopics"],
            "gain": columns["gain"],
            "discount": lost,
            "sum": reached,
            "ideal gain": columns["ideal gain"],
            "ideal sum": most,
            "share": ratio(reached, most),
        }

    def perfect_steps(self) -> Columns:
        """Return new subtopics, gain and discount at each rank, and the share of the perfect."""
        listed = self.ideal_steps()
        kept = {name: listed[name] for name in ("rank", "subtopics", "gain", "discount", "sum")}
        most = np.full(len(kept["rank"]), self._perfect()[0])
        return kept | {"perfect documents": most, "share": ratio(kept["sum"], most)}

    def _perfect(self) -> Floats:
        """Return the gain of perfect documents; 0 where no document covers a subtopic.

        ndeval forgets the division at rank 1; its profile repeats that.
        """
        rank = np.arange(1, (self.cutoff or 0) + 1, dtype=np.float64)
        perfect = float(np.sum((1 - self.alpha) ** (rank - 1) * self.discount(rank)))
        subtopics = self.rankings.subtopics(self.rel)
        if self.cutoff == 1 and self.rankings.first_rank == "raw":
            return (subtopics > 0).astype(np.float64)
        return perfect * subtopics

    def _list_gain(self, one: QuerySubtopics) -> float:
        within = one.rank <= (self.cutoff or np.inf)
        rank = one.rank[within].astype(np.float64)
        return float(self._novel_gains(one.about(self.rel)[within]) @ self.discount(rank))

    def _ideal_gain(self, one: QuerySubtopics) -> float:
        best = self._ideal_gains(one)
        return float(best @ self.discount(np.arange(1, len(best) + 1, dtype=np.float64)))

    def _ideal_gains(self, one: QuerySubtopics) -> Floats:
        """Return the gains of the list that takes the most valuable document at each rank."""
        about = one.about(self.rel, known=True)
        left = about[about.any(axis=1)]
        novelty, gains = np.ones(left.shape[1]), []
        for _ in range(min(self.cutoff or len(left), len(left))):
            worth = left @ novelty
            chosen = int(np.argmax(worth))
            gains.append(worth[chosen])
            novelty = novelty * (1 - self.alpha) ** left[chosen]
            left[chosen] = 0
        return np.asarray(gains, dtype=np.float64)

    def _novel_gains(self, about: Floats) -> Floats:
        seen: Floats = np.cumsum(about, axis=0) - about
        return (about * (1 - self.alpha) ** seen).sum(axis=1)


@define(
    "alpha_DCG",
    aliases=["α_DCG", "alpha-DCG"],
    undefined=NO_SUBTOPIC,
    variants=["alpha_DCG@5", "alpha_DCG(alpha=0.9)@3"],
    label="α-discounted cumulative gain",
)
def alpha_dcg(
    rankings: SubtopicRankings, cutoff: Depth, alpha: Share = 0.5, rel: Grade = 1
) -> Floats:
    """The novelty-weighted discounted gain, as a share of that of documents on every subtopic.

    A document is worth (1 − α)^n for each of its subtopics that n documents above it treat too;
    rank i keeps 1 / log2(i + 1) of that. Perfect documents treat every subtopic.

    >>> measure("alpha_DCG@5")(aspects(["a", "b", "?", "b"], known=["a", "b", "b", "c"])).round(4)
    array([0.4053])
    """
    return Novelty(rankings, alpha, rel, cutoff, rank_discount).share_of_perfect()


@define(
    "alpha_nDCG",
    bounds=(0, np.inf),
    aliases=["α_nDCG", "alpha-nDCG"],
    undefined=NO_SUBTOPIC,
    variants=["alpha_nDCG@5", "alpha_nDCG(alpha=0.9)@3"],
    label="α-normalized discounted cumulative gain",
)
def alpha_ndcg(
    rankings: SubtopicRankings, alpha: Share = 0.5, rel: Grade = 1, cutoff: Depth | None = None
) -> Floats:
    """The novelty-weighted discounted gain, as a share of that of a greedily built ideal list.

    A document is worth (1 − α)^n for each of its subtopics that n documents above it treat too.
    The ideal list takes at each rank the document that is worth most there; since that choice is
    greedy, a lucky list can pass it, and the value can exceed 1.

    >>> measure("alpha_nDCG@2")(aspects(["a", "b"], known=["a", "b", "ab"])).round(3)
    array([0.704])
    """
    return Novelty(rankings, alpha, rel, cutoff, rank_discount).share_of_ideal()


@alpha_ndcg.trace
def alpha_ndcg_trace(rankings: SubtopicRankings, s: Settings) -> Columns:
    """Return subtopics, gain, discount and sum at each rank, and those of the ideal list."""
    return Novelty(rankings, s.alpha, s.rel, s.cutoff, rank_discount).ideal_steps()


@alpha_dcg.trace
def alpha_dcg_trace(rankings: SubtopicRankings, s: Settings) -> Columns:
    """Return subtopics, gain, discount and sum at each rank, and the share of the perfect."""
    return Novelty(rankings, s.alpha, s.rel, s.cutoff, rank_discount).perfect_steps()


@define(
    "ERR_IA",
    aliases=["ERR-IA"],
    undefined=NO_SUBTOPIC,
    variants=["ERR_IA@5", "ERR_IA(alpha=0.9)@3"],
    label="intent-aware expected reciprocal rank",
)
def err_ia(rankings: SubtopicRankings, cutoff: Depth, alpha: Share = 0.5, rel: Grade = 1) -> Floats:
    """The expected reciprocal rank averaged over subtopics, as a share of the maximum.

    For each subtopic a user leaves at a document about it with chance α; the reciprocal ranks are
    averaged over subtopics, and divided by those of documents that treat every subtopic.

    >>> measure("ERR_IA@5")(aspects(["a", "b", "?", "b"], known=["a", "b", "b", "c"])).round(4)
    array([0.3933])
    """
    return Novelty(rankings, alpha, rel, cutoff, np.reciprocal).share_of_perfect()


@define(
    "nERR_IA",
    bounds=(0, np.inf),
    aliases=["nERR-IA"],
    undefined=NO_SUBTOPIC,
    variants=["nERR_IA@5", "nERR_IA(alpha=0.9)@3"],
    label="normalized intent-aware expected reciprocal rank",
)
def nerr_ia(
    rankings: SubtopicRankings, alpha: Share = 0.5, rel: Grade = 1, cutoff: Depth | None = None
) -> Floats:
    """ERR-IA as a share of that of a greedily built ideal list.

    >>> measure("nERR_IA@5")(aspects(["a", "b", "?", "b"], known=["a", "b", "b", "c"])).round(4)
    array([0.8298])
    """
    return Novelty(rankings, alpha, rel, cutoff, np.reciprocal).share_of_ideal()


@nerr_ia.trace
def nerr_ia_trace(rankings: SubtopicRankings, s: Settings) -> Columns:
    """Return subtopics, gain, discount and sum at each rank, and those of the ideal list."""
    return Novelty(rankings, s.alpha, s.rel, s.cutoff, np.reciprocal).ideal_steps()


@err_ia.trace
def err_ia_trace(rankings: SubtopicRankings, s: Settings) -> Columns:
    """Return subtopics, gain, discount and sum at each rank, and the share of the perfect."""
    return Novelty(rankings, s.alpha, s.rel, s.cutoff, np.reciprocal).perfect_steps()
