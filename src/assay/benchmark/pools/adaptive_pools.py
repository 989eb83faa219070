"""Adaptive pools: the judgments so far decide which document is judged next."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from assay.benchmark.pools.pooled_runs import QueryLists
from assay.core.arrays import Bools, Floats, Ints

BETA = 0.1
"""How strongly hedge prefers runs that were right; the less, the stronger (decision 0802)."""
SAME = 1e-12
"""Scores that differ by less are equal: it is rounding, which machines do differently."""

Judge: TypeAlias = Callable[[str, str], float]
"""Returns the grade of a document for a query."""


@dataclass
class JudgingState:
    """What is known while the documents of one query are judged."""

    lists: QueryLists
    names: Sequence[str]
    """The names of the runs, in the order of the lists."""
    draw: np.random.Generator
    judged: Bools = field(init=False)
    relevant: Floats = field(init=False)
    """For each run, how many of the judgments that count for it are relevant."""
    count: Floats = field(init=False)
    """For each run, how many judgments count for it."""
    reach: int = field(init=False)
    """A judgment counts for the runs that rank the document so high (decision 0807)."""

    def __post_init__(self) -> None:
        runs, docs = self.lists.ranks.shape
        self.judged = np.zeros(docs, dtype=bool)
        self.relevant, self.count = np.zeros(runs), np.zeros(runs)
        self.reach = self.lists.depth
        self._orders: list[list[int]] = [order.tolist() for order in self.lists.lists()]
        self._begin = [0] * runs
        self._reciprocal = self.lists.reciprocal_ranks

    @property
    def mean(self) -> Floats:
        """For each run, the posterior mean of its share of relevant documents.

        The prior is one relevant and one other document.
        """
        found: Floats = (self.relevant + 1) / (self.count + 2)
        return found

    def next_of(self, run: int) -> int | None:
        """Return the next document of a run that is unjudged; None at its end."""
        order = self._orders[run]
        while self._begin[run] < len(order) and self.judged[order[self._begin[run]]]:
            self._begin[run] += 1
        return order[self._begin[run]] if self._begin[run] < len(order) else None

    def take(self, run: int) -> int | None:
        """Return the next document of a run, to count for runs that rank it at least as high."""
        doc = self.next_of(run)
        if doc is not None:
            self.reach = int(self.lists.ranks[run, doc])
        return doc

    def best_run(self, value: Floats) -> int | None:
        """Return the run of the greatest value that has documents left.

        Of runs with equal values it is the one whose next document all runs together rank highest.
        """
        following = {run: self.next_of(run) for run in range(len(self._orders))}
        left = {run: doc for run, doc in following.items() if doc is not None}
        if not left:
            return None
        best = max(value[run] for run in left)
        tied = {run: doc for run, doc in left.items() if value[run] == best}
        if len(tied) == 1:
            return next(iter(tied))
        doc = self._highest_ranked(np.unique(list(tied.values())))
        offering = [run for run in tied if tied[run] == doc]
        return min(offering, key=lambda run: (self.lists.ranks[run, doc], self.names[run]))

    def _highest_ranked(self, docs: Ints) -> int:
        """Return the document that all runs rank highest, by id where they do not decide.

        It is reciprocal-rank fusion in which each run counts by its mean (decision 0806).
        """
        score = self.mean @ self._reciprocal[:, docs]
        return int(docs[score >= score.max() - SAME][0])

    def record(self, doc: int, is_relevant: bool) -> None:
        """Count a judgment for the runs that have the document within the reach."""
        ranks = self.lists.ranks[:, doc]
        holds = (ranks > 0) & (ranks <= self.reach)
        self.judged[doc] = True
        self.count += holds
        self.relevant += holds * is_relevant


Choice: TypeAlias = tuple[int, str]
"""A document by its code, and the reason why it is next."""
Chooser: TypeAlias = Callable[[JudgingState], Iterator[Choice]]


def choose_mtf(state: JudgingState) -> Iterator[Choice]:
    """Move to front: stay with a run while it finds relevant documents, then lower its priority."""
    priority = np.zeros(len(state.names))
    while (run := state.best_run(priority)) is not None:
        while (doc := state.take(run)) is not None:
            before = float(state.relevant[run])
            yield doc, f"next of run {state.names[run]} at priority {priority[run]:g}"
            if state.relevant[run] == before:
                priority[run] -= 1
                break


def choose_maxmean(state: JudgingState) -> Iterator[Choice]:
    """Take the next document of the run with the greatest share of relevant documents so far."""
    while True:
        mean = state.mean
        run = state.best_run(mean)
        doc = None if run is None else state.take(run)
        if run is None or doc is None:
            return
        yield doc, f"next of run {state.names[run]} with mean {mean[run]:.3f}"


def choose_thompson(state: JudgingState) -> Iterator[Choice]:
    """Take the next document of the run whose drawn share of relevant documents is greatest."""
    while True:
        missed = state.count - state.relevant
        share = state.draw.beta(state.relevant + 1, missed + 1)
        run = state.best_run(share)
        doc = None if run is None else state.take(run)
        if run is None or doc is None:
            return
        yield doc, f"next of run {state.names[run]} with a drawn mean of {share[run]:.3f}"


def choose_hedge(state: JudgingState) -> Iterator[Choice]:
    """Take the document that the runs, weighted by how right they were, rank highest."""
    ranks = state.lists.ranks
    log_rank = np.where(ranks > 0, np.log(np.maximum(ranks, 1)), _log_rank_past_end(ranks))
    gain = 0.5 * (np.log(ranks.max()) - log_rank)
    loss = np.zeros(len(ranks))
    while not state.judged.all():
        score = np.where(state.judged, -np.inf, _weights(loss) @ gain)
        doc = _first_of_ties(np.flatnonzero(score >= score.max() - SAME), loss, gain)
        holders = np.flatnonzero(ranks[:, doc] > 0)
        found = state.relevant[holders[0]]
        yield doc, f"hedge score {score[doc]:.3f}"
        is_relevant = state.relevant[holders[0]] > found
        loss += -gain[:, doc] if is_relevant else gain[:, doc]


def _weights(loss: Floats) -> Floats:
    """Return the weights of runs by their losses; they add up to 1."""
    weight: Floats = BETA ** (loss - loss.min())
    return weight / weight.sum()


def _first_of_ties(tied: Ints, loss: Floats, gain: Floats) -> int:
    """Return which of the documents with the greatest score is next, the first id where all agree.

    Beside a run that is far ahead the weights of the others vanish in rounding. Where it does not
    decide, such as past the end of a short list, those decide for which the documents differ.
    """
    while len(tied) > 1:
        differing = np.ptp(gain[:, tied], axis=1) > SAME
        if not differing.any():
            break
        score = _weights(loss[differing]) @ gain[np.ix_(differing, tied)]
        best = tied[score >= score.max() - SAME]
        if len(best) == len(tied):
            break
        tied = best
    return int(tied[0])


def _log_rank_past_end(ranks: Ints) -> Floats:
    """Return for each run the mean logarithm of the ranks that the documents it lacks share.

    These ranks follow its last one: a short list does not say that it ranks the others low.
    """
    last, missing = ranks.max(axis=1), (ranks == 0).sum(axis=1)
    means = [
        (math.lgamma(end + count + 1) - math.lgamma(end + 1)) / max(count, 1)
        for end, count in zip(last.tolist(), missing.tolist(), strict=True)
    ]
    return np.array(means)[:, np.newaxis]


ADAPTIVE: dict[str, Chooser] = {
    "mtf": choose_mtf,
    "maxmean": choose_maxmean,
    "thompson": choose_thompson,
    "hedge": choose_hedge,
}
"""The adaptive methods by name."""


def judge_adaptively(
    state: JudgingState, method: str, limit: int, judge: Judge, rel: float
) -> list[Choice]:
    """Return the documents that are judged, in their order, with the reason for each."""
    lists = state.lists
    chosen: list[Choice] = []
    if limit < 1:
        return chosen
    for doc, reason in ADAPTIVE[method](state):
        grade = judge(lists.query, lists.docs[doc])
        chosen.append((doc, f"{reason}; judged {grade:g}"))
        state.record(doc, grade >= rel)
        if len(chosen) == limit:
            break
    return chosen
