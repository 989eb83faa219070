"""Agreement of pairs of assessors."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, define
from assay.core.facts import Settings
from assay.core.parameters import Grade
from assay.evidence.views.rating_table import RatingTable
from assay.measures.trace_tables import disagreement_table

Weights: TypeAlias = Literal["none", "linear", "quadratic"]
NOTHING_SHARED = "the assessors share no item"
ONE_LABEL = "both gave every item the same single label, or they share no item"


def disagreement_weights(labels: int, weights: Weights) -> Floats:
    """Return how much it counts to have said one label instead of another, by their places."""
    gap = np.abs(np.arange(labels)[:, None] - np.arange(labels)).astype(np.float64)
    return {"none": (gap > 0).astype(np.float64), "linear": gap, "quadratic": gap**2}[weights]


@define(
    "percent",
    unit="pair",
    aliases=["percent_agreement", "observed_agreement"],
    undefined=NOTHING_SHARED,
    standard=True,
)
def agreement(ratings: RatingTable) -> Ratio:
    """The share of the items rated by both to which they gave the same label.

    >>> measure("percent")(rated("aabbb", "aabba").by("pair"))
    array([0.8])
    """
    return _agreement_share(ratings)


@define("percent_rest", unit="assessor", undefined=NOTHING_SHARED)
def agreement_with_the_others(ratings: RatingTable) -> Ratio:
    """The share of the other assessors' ratings of the same items that equal this assessor's.

    >>> measure("percent_rest")(rated("aab", "aab", "abb").by("assessor")).round(3)
    array([0.833, 0.833, 0.667])
    """
    return _agreement_share(ratings)


def _agreement_share(ratings: RatingTable) -> Ratio:
    tables = list(ratings.tables())
    same = [np.trace(each, axis1=1, axis2=2) for each in tables]
    return Ratio(np.concatenate(same), np.concatenate([each.sum(axis=(1, 2)) for each in tables]))


@define(
    "kappa",
    bounds=(-1, 1),
    unit="pair",
    aliases=["cohen", "cohen_kappa", "cohen_kappa_score"],
    undefined=ONE_LABEL,
    variants=["kappa(weights=linear)", "kappa(weights=quadratic)"],
    label="Cohen's κ",
    standard=True,
)
def cohen(ratings: RatingTable, weights: Weights = "none") -> Floats:
    """Agreement of two assessors beyond what their label frequencies give by chance.

    Observed agreement less expected agreement, as a share of what was left to agree on. With
    weights, a label next to the other's is less wrong than one far from it, by the places of the
    labels in their order.

    >>> measure("kappa")(rated("aabbb", "aabba").by("pair")).round(3)
    array([0.615])
    """
    return _chance_corrected(ratings, weights)


@define(
    "kappa_rest",
    bounds=(-1, 1),
    unit="assessor",
    undefined=ONE_LABEL,
    variants=["kappa_rest(weights=quadratic)"],
    label="Cohen's κ with the others",
)
def cohen_with_the_rest(ratings: RatingTable, weights: Weights = "none") -> Floats:
    """Cohen's kappa between each assessor and all others together, over the items they share.

    >>> measure("kappa_rest")(rated("aab", "aab", "bba").by("assessor")).round(2)
    array([ 0. ,  0. , -0.8])
    """
    return _chance_corrected(ratings, weights)


def _chance_corrected(ratings: RatingTable, weights: Weights) -> Floats:
    gap = disagreement_weights(len(ratings.labels), weights)
    values = []
    for tables in ratings.tables():
        rows, columns = tables.sum(axis=2), tables.sum(axis=1)
        chance = rows[:, :, None] * columns[:, None, :]
        total = tables.sum(axis=(1, 2))
        wrong = (tables * gap).sum(axis=(1, 2))
        expected = (chance * gap).sum(axis=(1, 2))
        values.append(1 - ratio(wrong * total, expected))
    return np.maximum(np.concatenate(values), -1)


@define(
    "pi",
    bounds=(-1, 1),
    unit="pair",
    aliases=["scott", "scott_pi"],
    undefined=ONE_LABEL,
    label="Scott's π",
)
def scott(ratings: RatingTable) -> Floats:
    """Agreement of two assessors beyond chance, assuming the same label frequencies for both.

    Chance is computed from the labels of both together; Cohen's kappa uses those of each.

    >>> measure("pi")(rated("aabbb", "aabba").by("pair")).round(3)
    array([0.6])
    """
    values = []
    for tables in ratings.tables():
        said = tables.sum(axis=2) + tables.sum(axis=1)
        total = tables.sum(axis=(1, 2))
        same = np.trace(tables, axis1=1, axis2=2)
        chance = (said**2).sum(axis=1)
        values.append(ratio(4 * same * total - chance, 4 * total**2 - chance))
    return np.concatenate(values)


@cohen.trace
def cohen_trace(ratings: RatingTable, s: Settings) -> Columns:
    """Return how often the first pair gave each pair of labels, and how often by chance."""
    table = next(iter(ratings.tables()))[0]
    return _labels(ratings) | kappa_table(table, s.weights)


def kappa_table(table: Floats, weights: Weights) -> Columns:
    """Return the cells of a table of labels, what its margins would give by chance, and kappa."""
    return _chance_table(table, table.sum(axis=1), table.sum(axis=0), weights, "kappa")


def _chance_table(
    table: Floats, rows: Floats, columns: Floats, weights: Weights, name: str
) -> Columns:
    one, two = np.nonzero(np.ones_like(table))
    chance = ratio(rows[one] * columns[two], table.sum())
    gap = disagreement_weights(len(table), weights)
    return disagreement_table(table[one, two], chance, gap[one, two], name)


@scott.trace
def scott_trace(ratings: RatingTable) -> Columns:
    """Return how often the first pair gave each pair of labels, and how often by chance."""
    table = next(iter(ratings.tables()))[0]
    given = (table.sum(axis=1) + table.sum(axis=0)) / 2
    return _labels(ratings) | _chance_table(table, given, given, "none", "pi")


def _labels(ratings: RatingTable) -> Columns:
    size = len(ratings.labels)
    return {
        "first says": [each for each in ratings.labels for _ in range(size)],
        "second says": list(ratings.labels) * size,
    }


@agreement.trace
def percent_trace(ratings: RatingTable) -> Columns:
    """Return how often the first pair of assessors agreed on each label, and the share so far."""
    table = next(iter(ratings.tables()))[0]
    same = np.diagonal(table)
    return {
        "label": list(ratings.labels),
        "first says": table.sum(axis=1),
        "second says": table.sum(axis=0),
        "both": same,
        "both so far": np.cumsum(same),
        "items": np.full(len(same), table.sum()),
        "share": ratio(np.cumsum(same), table.sum()),
    }


@define(
    "relevant_overlap",
    unit="pair",
    undefined="neither found anything relevant among the items that both rated",
    variants=["relevant_overlap(rel=2)"],
)
def overlap_of_relevant_items(ratings: RatingTable, rel: Grade = 1) -> Ratio:
    """The items both judged relevant, as a share of those that either did; labels are grades.

    >>> measure("relevant_overlap")(rated("01101", "01011").by("pair"))
    array([0.5])
    """
    relevant = ratings.numbers() >= rel
    both, either = [], []
    for tables in ratings.tables():
        both.append(tables[:, relevant][:, :, relevant].sum(axis=(1, 2)))
        neither = tables[:, ~relevant][:, :, ~relevant].sum(axis=(1, 2))
        either.append(tables.sum(axis=(1, 2)) - neither)
    return Ratio(np.concatenate(both), np.concatenate(either))
