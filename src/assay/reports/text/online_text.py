"""Offline and online evidence of two systems as text."""

from __future__ import annotations

import polars as pl

from assay.behavior.online_comparison import OnlineComparison
from assay.reports.text.result_text import ResultText


class OnlineComparisonText(ResultText):
    """Offline and online evidence in all output formats."""

    result: OnlineComparison
    unknown = "–"
    wrapped = True

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return a row for each measure of each kind of evidence."""
        return {"evidence": self.result.evidence}

    def notes(self) -> list[str]:
        """Return whether the evidence agrees."""
        return self.result.verdicts()
