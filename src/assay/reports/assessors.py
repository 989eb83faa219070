"""What the page of an agreement is about: the ratings, and what was measured of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.engine.scores import Scores
from assay.evidence.label_order import Labels
from assay.evidence.ratings import RatingTable
from assay.reports.subjects import read_once
from assay.statistics.intervals import Bootstrap
from assay.tasks.agreement import agreement
from assay.tasks.assembly import Asked
from assay.tasks.missing import Policy
from assay.tasks.rating_columns import RatingColumns, read_ratings


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
        scale: str = "nominal",
        labels: Labels = None,
        missing: Policy = "error",
        bootstrap: Bootstrap | None = None,
        **columns: Any,
    ) -> AgreementSubject:
        """Evaluate what ``assay.agreement`` takes, and keep the evidence."""
        table = read_once(data, "the ratings")
        settings: dict[str, Any] = {"scale": scale, "labels": labels, "missing": missing}
        scores = agreement(table, measures, bootstrap=bootstrap, **settings, **columns)
        read = read_ratings(table, RatingColumns(**columns), missing)
        return cls(scores, read.table(scale, labels), scale)
