"""Agreement of several assessors."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.errors import NeedsInput
from assay.core.facts import Settings
from assay.evidence.views.rating_table import RatingTable
from assay.measures.agreement.pair_agreement import Weights, disagreement_weights
from assay.measures.trace_tables import Lines, disagreement_table, show_formula

ONE_LABEL = "all ratings are one label, or no item was rated twice"
ONE_KNOWN = "only one label is known, or no item was rated twice"


@define(
    "fleiss",
    bounds=(-np.inf, 1),
    aliases=["fleiss_kappa"],
    undefined=ONE_LABEL,
    label="Fleiss' κ",
    standard=True,
)
def fleiss(ratings: RatingTable) -> Floats:
    """Agreement of many assessors beyond chance; they may differ between items.

    Items may have different numbers of ratings: agreement is over those with two or more, the
    prevalence of labels over all.

    >>> measure("fleiss")(rated("aabbb", "aabba", "aabbb")).round(3)
    array([0.732])
    """
    agreed, common = _agreement(ratings, "none"), _label_shares(ratings)
    chance = (common**2).sum(axis=1)
    return ratio(
        agreed - chance, np.where(np.isclose(chance, 1, rtol=0, atol=1e-12), 0, 1 - chance)
    )


@show_formula(fleiss, "(agreement − chance) / (1 − chance)")
def fleiss_trace(ratings: RatingTable) -> Lines:
    """Return the share of each label, and what chance and the assessors make of them."""
    common, agreed = _label_shares(ratings)[0], float(_agreement(ratings, "none")[0])
    shares = {f"share of {label}": each for label, each in zip(ratings.labels, common, strict=True)}
    return shares | {
        "agreement by chance: Σ share²": (common**2).sum(),
        "agreement: pairs of ratings of an item, mean over items": agreed,
    }


@define(
    "AC1",
    bounds=(-1, 1),
    aliases=["gwet", "gwet_ac1", "AC2(weights=quadratic)", "gwet_ac2(weights=quadratic)"],
    undefined=ONE_KNOWN,
    variants=["AC1(weights=linear)", "AC1(weights=quadratic)"],
    label="Gwet's AC1",
)
def gwet(ratings: RatingTable, weights: Weights = "none") -> Floats:
    """Gwet's AC1: agreement beyond chance, where only hard items are labeled by chance.

    It does not fall when one label is much commoner than the others, as kappa does. With weights
    it is AC2.

    >>> measure("AC1")(rated("aabbb", "aabba", "aabbb")).round(3)
    array([0.735])
    """
    size = len(ratings.labels)
    if size < 2:
        return np.full(len(ratings.weight), np.nan)
    agreed, common = _agreement(ratings, weights), _label_shares(ratings)
    chance = _chance_agreement(common, weights)
    return np.maximum(ratio(agreed - chance, 1 - chance), -1)


@show_formula(gwet, "(agreement − chance) / (1 − chance)")
def gwet_trace(ratings: RatingTable, s: Settings) -> Lines:
    """Return the share of each label, the agreement, and chance as Gwet defines it."""
    common, agreed = _label_shares(ratings)[0], float(_agreement(ratings, s.weights)[0])
    shares = {f"share of {label}": each for label, each in zip(ratings.labels, common, strict=True)}
    return shares | {
        "agreement by chance": _chance_agreement(common[None, :], s.weights)[0],
        "agreement: pairs of ratings of an item, mean over items": agreed,
    }


def _chance_agreement(common: Floats, weights: Weights) -> Floats:
    """Return the agreement of those who guess, where labels are so common."""
    size = common.shape[1]
    close = ratio(_closeness(size, weights).sum(), size * (size - 1))
    return close * (common * (1 - common)).sum(axis=1)


def _closeness(labels: int, weights: Weights) -> Floats:
    gap = disagreement_weights(labels, weights)
    return 1 - gap / max(gap.max(), 1)


def _agreement(ratings: RatingTable, weights: Weights) -> Floats:
    """Return the chance that two ratings of an item agree, mean over items with two or more."""
    close = _closeness(len(ratings.labels), weights)
    agreed, items = np.zeros(len(ratings.weight)), np.zeros(len(ratings.weight))
    for assessors, weight, counts in ratings.by_ratings(2):
        pairs = (counts * (counts @ close - 1)).sum(axis=1)
        agreed += weight @ pairs / (assessors * (assessors - 1))
        items += weight.sum(axis=1)
    return ratio(agreed, items)


def _label_shares(ratings: RatingTable) -> Floats:
    """Return units × label: the mean share of the label in the ratings of an item."""
    shares = np.zeros((len(ratings.weight), len(ratings.labels)))
    items = np.zeros(len(ratings.weight))
    for assessors, weight, counts in ratings.by_ratings(1):
        shares += weight @ counts / assessors
        items += weight.sum(axis=1)
    return ratio(shares, items[:, None])


Scale: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]


@define(
    "alpha",
    bounds=(-np.inf, 1),
    aliases=["krippendorff", "krippendorff_alpha"],
    undefined="all ratings are one label, or no item was rated twice",
    variants=["alpha(scale=ordinal)", "alpha(scale=interval)", "alpha(scale=ratio)"],
    label="Krippendorff's α",
    standard=True,
)
def alpha(ratings: RatingTable, scale: Scale = "nominal") -> Floats:
    """1 − observed / expected disagreement, for any number of assessors.

    Ratings may be missing. ``scale`` says how far two labels lie apart: nominal ones are the same
    or not; ordinal ones by how many ratings stand between; interval and ratio ones by their
    numbers.

    >>> measure("alpha")(rated("aabbb", "aabba", "aab..")).round(3)
    array([0.714])
    """
    coincidences = _coincidences(ratings)
    totals = coincidences.sum(axis=2)
    gap = _distances(ratings, scale, totals)
    every = totals.sum(axis=1)
    observed = (coincidences * gap).sum(axis=(1, 2))
    expected = (totals[:, :, None] * totals[:, None, :] * gap).sum(axis=(1, 2))
    return 1 - ratio(observed * (every - 1), expected)


def _coincidences(ratings: RatingTable) -> Floats:
    """Return units × label × label: pairs of labels within items, each rating counted once."""
    size = len(ratings.labels)
    found = np.zeros((len(ratings.weight), size, size))
    for assessors, weight, counts in ratings.by_ratings(2):
        pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(size)
        together = weight @ pairs.reshape(len(counts), -1)
        found += together.reshape(found.shape) / (assessors - 1)
    return found


def _distances(ratings: RatingTable, scale: Scale, totals: Floats) -> Floats:
    """Return units × label × label: the squared distance of two labels."""
    size = len(ratings.labels)
    if scale == "nominal":
        return np.broadcast_to(1 - np.eye(size), (len(totals), size, size))
    if scale == "ordinal":
        middle = np.cumsum(totals, axis=1) - totals / 2
        return (middle[:, :, None] - middle[:, None, :]) ** 2
    values = ratings.numbers()
    if scale == "interval":
        return np.broadcast_to((values[:, None] - values) ** 2, (len(totals), size, size))
    if (values < 0).any():
        raise NeedsInput("alpha(scale=ratio) needs labels that are not below 0")
    gaps = ratio(values[:, None] - values, values[:, None] + values)
    return np.broadcast_to(np.nan_to_num(gaps) ** 2, (len(totals), size, size))


@alpha.trace
def alpha_trace(ratings: RatingTable, s: Settings) -> Columns:
    """Return the coincidences of labels, and how far they lie apart."""
    table = _coincidences(ratings)
    gap = _distances(ratings, s.scale, table.sum(axis=2))[0]
    one, two = np.nonzero(np.ones_like(table[0]))
    said = table[0].sum(axis=1)
    chance = ratio(said[one] * said[two], said.sum() - 1)
    columns = {
        "label": [ratings.labels[each] for each in one],
        "with": [ratings.labels[each] for each in two],
    }
    return columns | disagreement_table(table[0][one, two], chance, gap[one, two], "alpha")
