"""Optimized interleaving: the most sensitive distribution over lists that is not biased.

Allowed lists take each next document from the top of some system. A linear program chooses their
probabilities: at every rank the expected difference of credits is 0, and lists on which a click
can be for either system are preferred. All allowed lists are enumerated, so it always ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.random import Generator

from assay.behavior.interleaving.merged_list import InterleavingMethod, MergedList, Sampler
from assay.behavior.interleaving.query_rankings import QueryRankings
from assay.core.arrays import Floats
from assay.core.errors import UsageError

MOST_LISTS = 20_000
"""More lists than this make the linear program slow."""
SUPPORT = 1e-9
"""A probability below this is 0 in the solution of the linear program."""


def allowed_lists(rankings: QueryRankings, depth: int) -> list[tuple[int, ...]]:
    """Return all lists in which each document is the best unused one of some system."""
    orders = [rankings.order(system) for system in range(rankings.systems)]
    lists: list[tuple[int, ...]] = [()]
    for _ in range(min(depth, len(rankings.docs))):
        longer: dict[tuple[int, ...], None] = {}
        for docs in lists:
            for order in orders:
                best = next((doc for doc in order if doc not in docs), None)
                if best is not None:
                    longer[(*docs, best)] = None
        lists = list(longer)
        if len(lists) > MOST_LISTS:
            raise UsageError(
                f"optimized interleaving would compare more than {MOST_LISTS:,} lists of one"
                " query; lower `depth`"
            )
    return lists


@dataclass(frozen=True)
class ListDistribution:
    """Lists, their probabilities, and the bias that is left at each rank."""

    lists: tuple[tuple[int, ...], ...]
    probabilities: tuple[Fraction, ...]
    bias: tuple[Fraction, ...]
    """The expected difference of credits at each rank; 0 wherever that is possible."""


def optimize_lists(rankings: QueryRankings, depth: int) -> ListDistribution:
    """Return the distribution over the allowed lists of two systems."""
    lists = allowed_lists(rankings, depth)
    differences = [[_difference(rankings, doc) for doc in docs] for docs in lists]
    gains = np.array([_sensitivity([float(value) for value in row]) for row in differences])
    table = np.array([[float(value) for value in row] for row in differences]).T
    support = np.flatnonzero(_solve_program(table, gains) > SUPPORT).tolist()
    chosen = [differences[number] for number in support]
    shares = _exact_shares(chosen)
    bias = tuple(
        sum((share * row[rank] for share, row in zip(shares, chosen, strict=True)), Fraction(0))
        for rank in range(len(lists[0]))
    )
    return ListDistribution(tuple(lists[number] for number in support), tuple(shares), bias)


def _difference(rankings: QueryRankings, doc: int) -> Fraction:
    first, second = rankings.ranks[:, doc].tolist()
    return Fraction(1, first) - Fraction(1, second)


def _sensitivity(differences: Sequence[float]) -> float:
    """Return the entropy of which system a click is for, where low ranks are clicked less."""
    weights = 1.0 / np.arange(1, len(differences) + 1)
    weights /= weights.sum()
    values = np.array(differences)
    shares = [float(weights[values > 0].sum()), float(weights[values < 0].sum())]
    return -sum(share * float(np.log2(share)) for share in shares if share > 0)


def _solve_program(table: Floats, gains: Floats) -> Floats:
    """Return probabilities without bias at any rank, or with the least bias if there are none."""
    from scipy.optimize import linprog

    ranks, lists = table.shape
    whole = np.ones((1, lists))
    wanted = np.append(np.zeros(ranks), 1.0)
    found = linprog(-gains, A_eq=np.vstack([table, whole]), b_eq=wanted, method="highs-ds")
    if found.status == 0:
        return found.x
    slack = np.hstack([np.eye(ranks), -np.eye(ranks)])
    left = np.vstack([np.hstack([table, slack]), np.hstack([whole, np.zeros((1, 2 * ranks))])])
    cost = np.append(np.zeros(lists), np.ones(2 * ranks))
    return linprog(cost, A_eq=left, b_eq=wanted, method="highs-ds").x[:lists]


def _exact_shares(rows: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """Return the probabilities of the chosen lists as the exact solution of their constraints.

    The solver gives a corner of the program, where the chosen lists determine their probabilities.
    """
    count = len(rows)
    equations = [[row[rank] for row in rows] + [Fraction(0)] for rank in range(len(rows[0]))]
    solved = _eliminate([*equations, [Fraction(1)] * (count + 1)])
    if solved is None or any(share < 0 for share in solved):
        return [Fraction(1, count)] * count  # only where no distribution is without bias
    return solved


def _eliminate(equations: list[list[Fraction]]) -> list[Fraction] | None:
    """Return the solution of linear equations, free unknowns 0; None if there is none."""
    unknowns = len(equations[0]) - 1
    pivots: list[int] = []
    for column in range(unknowns):
        row = next((n for n in range(len(pivots), len(equations)) if equations[n][column]), None)
        if row is None:
            continue
        top = len(pivots)
        equations[top], equations[row] = equations[row], equations[top]
        factor = equations[top][column]
        equations[top] = [value / factor for value in equations[top]]
        for n, other in enumerate(equations):
            if n != top and other[column]:
                scale = other[column]
                equations[n] = [a - scale * b for a, b in zip(other, equations[top], strict=True)]
        pivots.append(column)
    if any(row[-1] for row in equations[len(pivots) :]):
        return None
    solution = [Fraction(0)] * unknowns
    for row, column in enumerate(pivots):
        solution[column] = equations[row][-1]
    return solution


def prepare_optimized(rankings: QueryRankings, depth: int) -> Sampler:
    """Return what draws lists for a query from the optimized distribution."""
    found = optimize_lists(rankings, depth)
    shares = [float(share) for share in found.probabilities]
    running = np.cumsum(shares)
    credits = rankings.inverse_ranks()

    def draw(generator: Generator) -> MergedList:
        """Return a list with its credits."""
        place = int(np.searchsorted(running, generator.random() * running[-1], side="right"))
        docs = found.lists[place]
        return MergedList(docs, credits=credits[:, docs], probability=shares[place])

    return draw


DECLARED = {"optimized": InterleavingMethod("optimized", prepare_optimized, 2)}
