"""What the page of a regression is about: predicted numbers, and what was measured of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.engine.scores import Scores
from assay.evidence.values import ValuePairs
from assay.reports.subjects import read_once
from assay.statistics.intervals import Bootstrap
from assay.tasks.assembly import Asked
from assay.tasks.regression import regression, value_pairs_of


@dataclass(frozen=True)
class RegressionSubject:
    """True and predicted numbers of the items that were measured."""

    scores: Scores
    pairs: ValuePairs
    columns: tuple[str, str] = ("truth", "predicted")
    """The names of the columns with the true and the predicted numbers."""

    @classmethod
    def of(
        cls,
        data: Any,
        measures: Asked = None,
        *,
        bootstrap: Bootstrap | None = None,
        **named: Any,
    ) -> RegressionSubject:
        """Evaluate what ``assay.regression`` takes, and keep the evidence."""
        table = read_once(data, "the values")
        scores = regression(table, measures, bootstrap=bootstrap, **named)
        columns = (named.get("truth", "truth"), named.get("predicted") or "predicted")
        return cls(scores, value_pairs_of(table, **named), columns)
