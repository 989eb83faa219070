"""Curves and decompositions of learners, as text."""

from __future__ import annotations

import polars as pl

from assay.reports.text.result_text import ResultText
from assay.selection.tuning.tune import Tuning

TEST_COLUMNS = ["slice", "measure", "value", "low", "high", "units"]


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


class TuningText(ResultText):
    """The trials, the choice, and its scores on the test data."""

    result: Tuning
    wrapped = True

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the trials from the best, and the scores on the test data."""
        trials, chosen = self.result.trials, self.result.chosen
        is_chosen = pl.all_horizontal([pl.col(name) == value for name, value in chosen.items()])
        if "pruned" in trials.columns:
            is_chosen &= ~pl.col("pruned")
        table = trials.with_columns(
            chosen=pl.when(is_chosen).then(pl.lit("*")).otherwise(pl.lit(""))
        )
        shown = table.drop("failure") if table["failure"].is_null().all() else table
        test = self.result.test
        tested = {} if test is None else {"test": test.summary().select(TEST_COLUMNS)}
        nested = self.result.nested
        folds = {} if nested is None else {"nested folds": nested.folds}
        return {"trials": shown, **folds, **tested}

    def notes(self) -> list[str]:
        """Return how the choice was made, and how it does on test data."""
        values = ", ".join(f"{name} = {value}" for name, value in self.result.chosen.items())
        return [f"chosen: {values}", *self.result.notes]
