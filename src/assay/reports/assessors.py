"""What the page of an agreement is about: the ratings, and what was measured of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.core.tables import Ratings
from assay.engine.scores import Scores
from assay.evidence.from_ratings import rating_table
from assay.evidence.ratings import RatingTable
from assay.reports.subjects import read_once
from assay.statistics.intervals import Bootstrap
from assay.tasks.agreement import agreement
from assay.tasks.assembly import Asked
from assay.tasks.columns import columns_of


@dataclass(frozen=True)
class AgreementSubject:
    """The label that each assessor gave to each item, and how far they agree."""

    scores: Scores
    ratings: RatingTable
    scale: str = "nominal"

    @classmethod
    def of(
        cls,
        data: Any,
        measures: Asked = None,
        *,
        item: str = "item",
        assessor: str = "assessor",
        label: str = "label",
        scale: str = "nominal",
        labels: Sequence[str] | None = None,
        bootstrap: Bootstrap | None = None,
    ) -> AgreementSubject:
        """Evaluate what ``assay.agreement`` takes, and keep the evidence."""
        table = read_once(data, "the ratings")
        columns = {"item": item, "assessor": assessor, "label": label}
        scores = agreement(
            table, measures, scale=scale, labels=labels, bootstrap=bootstrap, **columns
        )
        ratings = Ratings.of(*columns_of(table, columns, "the ratings"))
        return cls(scores, rating_table(ratings, scale, labels), scale)
