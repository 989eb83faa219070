"""Curves and decompositions of learners, as text."""

from __future__ import annotations

import polars as pl

from assay.reports.text.result_text import ResultText


class LearningText(ResultText):
    """The table of a result about a learner, with its notes."""

    wrapped = True

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the curve with a column for each part, or the parts of an error."""
        for name in ("parts", "estimates"):
            if hasattr(self.result, name):
                return {name: getattr(self.result, name)}
        curve: pl.DataFrame = self.result.curve
        key = curve.columns[0]
        wide = curve.pivot("part", index=key, values=["error", "low", "high"])
        names = {f"error_{part}": part for part in ("train", "validation")}
        ends = {f"{end}_validation": end for end in ("low", "high")}
        return {"curve": wide.select(key, *names, *ends).rename(names | ends)}

    def notes(self) -> list[str]:
        """Return what the table says in words."""
        return list(self.result.notes)
