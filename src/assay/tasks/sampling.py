"""Beside estimates from sampled judgments: what full judgments of the same queries would give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from assay.core.names import Measure
from assay.core.plain import plain_row
from assay.engine.scores import Result, Scores
from assay.evidence.samples import SampledRankings
from assay.statistics.intervals import Bootstrap, with_intervals
from assay.statistics.sampling import Sampling

SAMPLING = "sampling"
"""The convention under which Scores keep the intervals that the draw of documents gives."""


class SampledIntervals:
    """Intervals over queries; and, of sampled views, those over the draw of documents, kept."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def __call__(
        self, results: Sequence[Result], view: Any, measures: Sequence[Measure], how: Bootstrap
    ) -> list[Result]:
        """The results with their intervals over queries."""
        if isinstance(view, SampledRankings):
            sampling = Sampling(view, how.seed)
            for result, measure in zip(results, measures, strict=True):
                error = sampling.error(measure)
                low, high = error.ends(how.confidence)
                self.rows.append(
                    plain_row(
                        {
                            "system": result.system,
                            "measure": result.measure,
                            "value": result.value,
                            "standard error": error.standard_error,
                            "low": low,
                            "high": high,
                            "queries that cannot tell": error.untold,
                        }
                    )
                )
        return with_intervals(results, view, measures, how)


def sampling_table(scores: Scores) -> pl.DataFrame | None:
    """For each system and estimate: where the mean of these queries would be if all were judged."""
    rows = scores.conventions.get(SAMPLING)
    return pl.DataFrame(rows, infer_schema_length=None) if rows else None
