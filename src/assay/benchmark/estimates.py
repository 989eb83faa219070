"""Estimates behind aggregated labels: posteriors, shares of classes, confusion matrices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.benchmark.assessor_models import expected_label_counts
from assay.core.arrays import Floats, Ints, ratio
from assay.evidence.views.rating_table import RatingTable


@dataclass(frozen=True)
class Estimates:
    """What is estimated of items, of classes and of assessors."""

    ratings: RatingTable
    posterior: Floats
    """Item × class."""
    answers: Floats
    """Assessor × class × label; NaN where the assessor rated no item of the class."""

    def posteriors(self) -> pl.DataFrame:
        """Return a row for each item with a column for each label."""
        columns = dict(zip(self.ratings.labels, self.posterior.T, strict=True))
        name = "item"
        while name in columns:
            name = f"{name}_"
        return pl.DataFrame({name: list(self.ratings.items), **columns})

    def classes(self) -> pl.DataFrame:
        """Return the expected share and number of the items of each label."""
        share = self.posterior.mean(axis=0)
        return pl.DataFrame(
            {
                "label": list(self.ratings.labels),
                "share": share,
                "items": self.posterior.sum(axis=0),
            }
        )

    def confusions(self) -> pl.DataFrame:
        """Return a row for each assessor, class and label."""
        people, size, _ = self.answers.shape
        labels = np.asarray(self.ratings.labels, dtype=object)
        names = np.asarray(self.ratings.assessors, dtype=object)
        return pl.DataFrame(
            {
                "assessor": np.repeat(names, size * size).tolist(),
                "class": np.tile(np.repeat(labels, size), people).tolist(),
                "label": np.tile(labels, people * size).tolist(),
                "probability": self.answers.reshape(-1),
            },
            schema_overrides={"assessor": pl.String, "class": pl.String, "label": pl.String},
        )


def observed_answers(ratings: RatingTable, chosen: Ints) -> Floats:
    """Return how often each assessor gave each label where another was chosen, as shares."""
    counts = expected_label_counts(ratings, np.eye(len(ratings.labels))[chosen])
    return ratio(counts, counts.sum(axis=2, keepdims=True))
