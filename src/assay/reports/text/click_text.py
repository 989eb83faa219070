"""How fitted click models are written."""

from __future__ import annotations

import polars as pl

from assay.behavior.clicks.fitted_model import ClickModel
from assay.reports.text.result_text import ResultText

MOST_PAIRS = 20
"""Documents that are shown for a reader, those with the most impressions first."""
FACTS = ("lists", "impressions", "pairs", "log_likelihood", "iterations", "converged")


class ClickModelText(ResultText):
    """A click model: how it was fitted, its shared parameters, and the most shown documents."""

    result: ClickModel

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the tables for a reader."""
        model = self.result
        facts = {"model": model.name} | {n: model.fit[n] for n in FACTS if n in model.fit}
        pairs = model.pairs.sort(
            "impressions", "query", "doc", descending=[True, False, False]
        ).head(MOST_PAIRS)
        frames = {"fit": pl.DataFrame([facts]), "parameters": _drop_empty_columns(model.shared)}
        return {
            n: f for n, f in {**frames, "pairs": _drop_empty_columns(pairs)}.items() if f.height
        }

    def notes(self) -> list[str]:
        """Return the notes of the fit."""
        return list(self.result.notes)


def _drop_empty_columns(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a table without columns that have nothing to say, and without impossible cells."""
    if "last_click" in frame.columns:
        possible = pl.col("last_click").is_null() | (pl.col("last_click") < pl.col("rank"))
        frame = frame.filter(possible)
    empty = [
        name
        for name, dtype in frame.schema.items()
        if frame[name].null_count() == frame.height
        or (dtype == pl.String and (frame[name] == "").all())
    ]
    counts = [name for name in ("impressions", "clicks") if name in frame.columns]
    return frame.drop(empty).with_columns(pl.col(counts).cast(pl.Int64))
