"""Beside estimates from sampled judgments: what full judgments of the same queries would give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from assay.core.json_rows import json_row
from assay.core.names import Measure
from assay.engine.scores import Result, Scores
from assay.evidence.views.judged_rankings import SampledRankings
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.statistics.sampling_error import SamplingErrors

SAMPLING = "sampling"
"""The convention under which Scores keep the intervals that the draw of documents gives."""


def sampling_rows(
    view: SampledRankings, estimates: Sequence[tuple[Measure, Result]], interval: Bootstrap
) -> list[dict[str, Any]]:
    """Return, for each estimate of one system, the interval over the draw of documents."""
    sampling = SamplingErrors(view, interval.seed)
    rows = []
    for measure, result in estimates:
        error = sampling.error(measure)
        low, high = error.ends(interval.confidence)
        rows.append(
            json_row(
                {
                    "system": result.system,
                    "measure": result.measure,
                    "value": result.value,
                    "standard error": error.standard_error,
                    "low": low,
                    "high": high,
                    "queries with unknown variance": error.unknown_variance_count,
                }
            )
        )
    return rows


def sampling_table(scores: Scores) -> pl.DataFrame | None:
    """For each system and estimate: where the mean of these queries would be if all were judged."""
    rows = scores.conventions.get(SAMPLING)
    return pl.DataFrame(rows, infer_schema_length=None) if rows else None
