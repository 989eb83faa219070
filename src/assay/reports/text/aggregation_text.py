"""Labels that were combined from those of several assessors, as text."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from assay.benchmark.aggregation import Aggregation
from assay.reports.text.result_text import ResultText, TextTable

MOST_ITEMS = 20
"""A text shows no more items than these; data formats have all."""


class AggregationText(ResultText):
    """The assessors and the first items in text, all items in formats of data."""

    result: Aggregation

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the labels of the items and the reliability of the assessors."""
        return {"labels": self.result.labels, "assessors": self.result.assessors}

    def tables(self) -> list[TextTable]:
        """Return both tables, of many items the first."""
        labels, assessors = self.frames().values()
        return [
            replace(self._text_table(labels.head(MOST_ITEMS)), title="labels"),
            replace(self._text_table(assessors), title="assessors"),
        ]

    def notes(self) -> list[str]:
        """Return the method, how many items are left out, and the notes on the ratings."""
        count, result = self.result.labels.height, self.result
        said = [f"method: {result.method}"]
        if count > MOST_ITEMS:
            said.append(f"{MOST_ITEMS} of {count} items; `labels` and to_pandas() have all")
        if not result.converged:
            said.append("the posteriors had not settled after the last step")
        return [*said, *result.notes]
