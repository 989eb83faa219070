"""Test collections and pools, as text."""

from __future__ import annotations

import polars as pl

from assay.benchmark.collections.collection import Collection
from assay.reports.text.result_text import ResultText


class CollectionText(ResultText):
    """What a collection holds, and what does not fit."""

    result: Collection
    wrapped = True

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return counts, judgments by grade, fields and a sample."""
        tables = {
            "counts": self.result.counts(),
            "grades": self.result.grades(),
            "fields": self.result.fields(),
            "sample": self.result.sample(),
        }
        return {name: table for name, table in tables.items() if table.height}

    def notes(self) -> list[str]:
        """Return what was assumed, and what does not fit."""
        return [*self.result.notes, *self.result.findings.notes]
