"""Interleaved lists and the preferences of users as text."""

from __future__ import annotations

import polars as pl

from assay.behavior.interleaving.analysis import CANNOT_SEE, InterleavingResult
from assay.behavior.interleaving.make_lists import InterleavedLists
from assay.core.phrases import quantity
from assay.reports.text.result_text import ResultText, TextTable

MOST_ROWS = 40


class InterleavedListsText(ResultText):
    """Merged lists in all output formats."""

    result: InterleavedLists
    unknown = "–"

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return a row for each document that is shown."""
        return {"lists": self.result.frame}

    def tables(self) -> list[TextTable]:
        """Return the first rows, without columns that have no values."""
        frame = self.result.frame
        used = [name for name in frame.columns if frame[name].null_count() < frame.height]
        return [self._text_table(frame.select(used).head(MOST_ROWS))]

    def notes(self) -> list[str]:
        """Return how many rows are not shown."""
        rest = self.result.frame.height - MOST_ROWS
        return [f"… and {quantity(rest, 'more row')}"] if rest > 0 else []


class InterleavingText(ResultText):
    """Which system users prefer, in all output formats."""

    result: InterleavingResult
    unknown = "–"
    wrapped = True

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the pairs, and the slices if there are any."""
        slices = {"slices": self.result.slices} if self.result.slices.height else {}
        return {"pairs": self.result.pairs, **slices}

    def notes(self) -> list[str]:
        """Return the verdict of each pair, and how to read the numbers."""
        conventions = self.result.conventions
        what = "wins minus losses" if conventions["outcome"] == "wins" else "credit of the system"
        per = " over impressions" if conventions["outcome"] == "wins" else " minus the baseline's"
        return [
            *self.result.verdicts(),
            f"preference: {what}{per}, by {conventions['method']} interleaving;"
            f" {100 * conventions['confidence']:g}% interval and p by {conventions['test']}",
            CANNOT_SEE,
        ]
