"""The sampling error of estimates from documents that were sampled for judging.

The variance of each query's value is that of the stratified jackknife, with the correction for
strata of which much was drawn; where documents have probabilities of their own, that of independent
draws. The interval of the mean over queries that is made from it is about these very queries: what
full judgments would give. The interval over queries is another: it is about queries like these, and
includes the draw of documents, since the values of queries vary with it too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
import polars as pl

from assay.core.arrays import Floats, exact_mean, sum_at
from assay.core.json_rows import json_row
from assay.core.names import Measure
from assay.engine.scores import SAMPLING, Scores
from assay.evidence.sample_jackknife import jackknife_samples
from assay.evidence.views.judged_rankings import SampledRankings
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Evaluation


@dataclass(frozen=True)
class SamplingError:
    """The values of all queries, and what the draw of documents does to them."""

    values: Floats
    variance: Floats
    """0 where everything was sampled; NaN where the sample of a query is too small."""
    bias: Floats
    """How much too high the values are on average, since they are ratios of estimates."""

    @property
    def standard_error(self) -> float:
        """Of the mean over the queries whose value is defined.

        A query whose variance is unknown is given the largest of the others.
        """
        own = self.variance[~np.isnan(self.values)]
        if not len(own) or np.isnan(own).all():
            return math.nan
        return float(np.sqrt(np.where(np.isnan(own), np.nanmax(own), own).sum()) / len(own))

    @property
    def unknown_variance_count(self) -> int:
        """How many queries with a value have an unknown variance."""
        return int(np.count_nonzero(np.isnan(self.variance) & ~np.isnan(self.values)))

    def ends(self, confidence: float) -> tuple[float, float]:
        """Return the interval of the mean that full judgments of these queries would give."""
        known = ~np.isnan(self.values)
        center = exact_mean((self.values - self.bias)[known].tolist())
        wide = NormalDist().inv_cdf(0.5 + confidence / 2) * self.standard_error
        if math.isnan(wide):
            return math.nan, math.nan
        return max(center - wide, 0.0), max(center + wide, 0.0)


class SamplingErrors:
    """The sampling errors of several measures over the same view, which share what is left out."""

    def __init__(self, view: SampledRankings, seed: int = 1) -> None:
        self._view, self._parts = view, jackknife_samples(view, seed)

    def error(self, measure: Measure) -> SamplingError:
        """Return the sampling error of one measure."""
        values, parts = measure(self._view), self._parts
        changed = measure(parts.view)
        # Where nothing relevant is left the value is undefined: the variance cannot be told.
        known = ~np.isnan(changed)
        untold = parts.drawn_once | (sum_at(parts.query, ~known, len(values)) > 0)
        families, kin = np.unique(parts.family, return_inverse=True)
        total = sum_at(kin, np.where(known, changed, 0.0), len(families))
        mean = (total / np.maximum(sum_at(kin, known, len(families)), 1))[kin]
        spread = np.where(known, parts.factor * (changed - mean) ** 2, 0.0)
        shift = np.where(known, parts.factor * (changed - values[parts.query]), 0.0)
        variance, bias = (sum_at(parts.query, each, len(values)) for each in (spread, shift))
        return SamplingError(values, np.where(untold, np.nan, variance), np.where(untold, 0, bias))


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


def sampling_table(scores: Scores) -> pl.DataFrame:
    """For each system and estimate: where the mean of these queries would be if all were judged."""
    return pl.DataFrame(scores.conventions[SAMPLING], infer_schema_length=None)
