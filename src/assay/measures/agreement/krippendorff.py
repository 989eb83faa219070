"""Krippendorff's alpha."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.errors import NeedsInput
from assay.core.facts import Settings
from assay.evidence.views.rating_table import RatingTable
from assay.measures.trace_tables import disagreement_table

Scale: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]


@define(
    "alpha",
    bounds=(-np.inf, 1),
    aggregate="whole",
    aliases=["krippendorff", "krippendorff_alpha"],
    undefined="all ratings are one label, or no item was rated twice",
    variants=["alpha(scale=ordinal)", "alpha(scale=interval)", "alpha(scale=ratio)"],
    label="Krippendorff's α",
    standard=True,
)
def alpha(ratings: RatingTable, scale: Scale = "nominal") -> Floats:
    """1 less the observed over the expected disagreement, of any number of assessors.

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
    """Units × label × label: pairs of labels within items, each rating counting once in all."""
    size = len(ratings.labels)
    found = np.zeros((len(ratings.weight), size, size))
    for assessors, weight, counts in ratings.by_ratings(2):
        pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(size)
        together = weight @ pairs.reshape(len(counts), -1)
        found += together.reshape(found.shape) / (assessors - 1)
    return found


def _distances(ratings: RatingTable, scale: Scale, totals: Floats) -> Floats:
    """Units × label × label: how far apart two labels lie, squared."""
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
    """The coincidences of labels, and how far they lie apart."""
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
