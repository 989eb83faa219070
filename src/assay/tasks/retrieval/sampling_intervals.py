"""Beside estimates from sampled judgments: what full judgments of the same queries would give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from assay.core.json_rows import json_row
from assay.engine.scores import Scores
from assay.evidence.views.sampled_rankings import SampledRankings
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.statistics.sampling_error import SamplingErrors
from assay.tasks.evidence import Evaluation

SAMPLING = "sampling"
"""The convention under which Scores keep the intervals that the draw of documents gives."""


def add_sampling_errors(
    scores: Scores, views: Mapping[str, SampledRankings], evaluation: Evaluation
) -> Scores:
    """Return the scores with the interval of each estimate over the draw of documents."""
    interval, rows = evaluation.interval or Bootstrap(), []
    for system, view in views.items():
        sampling = SamplingErrors(view, interval.seed)
        for measure, result in zip(evaluation.measures, evaluation.of(system), strict=True):
            if measure.definition.view is not SampledRankings:
                continue
            error = sampling.error(measure)
            low, high = error.ends(interval.confidence)
            row = {
                "system": system,
                "measure": result.measure,
                "value": result.value,
                "standard error": error.standard_error,
                "low": low,
                "high": high,
                "queries with unknown variance": error.unknown_variance_count,
            }
            rows.append(json_row(row))
    return replace(scores, conventions=scores.conventions | {SAMPLING: rows})


def sampling_table(scores: Scores) -> pl.DataFrame | None:
    """For each system and estimate: where the mean of these queries would be if all were judged."""
    rows = scores.conventions.get(SAMPLING)
    return pl.DataFrame(rows, infer_schema_length=None) if rows else None
