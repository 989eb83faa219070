"""Risk: how often and how much a run falls below a baseline."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, Unpack

import numpy as np
import polars as pl

from assay.core.arrays import Floats, exact_mean
from assay.core.conventions import RunOptions, RunSettings
from assay.core.errors import UsageError
from assay.core.names import Measure
from assay.core.names import measures as measures_named
from assay.engine.scores import Scores
from assay.formats import containers
from assay.formats.decimal_commas import with_decimal_points
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence


def penalized_differences(differences: Floats, alpha: float) -> Floats:
    """Return the differences to a baseline, with losses counted 1 + alpha times."""
    return np.where(differences < 0, (1 + alpha) * differences, differences)


def geo_risk(values: Floats, alpha: float) -> Floats:
    """GeoRisk of each system (row) over queries (columns).

    The geometric mean of the mean value and Φ(z / queries), where z sums the standardised
    differences from what system and query would make one expect, losses counted 1 + alpha times.
    """
    from scipy.special import ndtr

    total = values.sum()
    expected = values.sum(axis=1, keepdims=True) * values.sum(axis=0, keepdims=True)
    expected = np.divide(expected, total, out=np.zeros_like(values), where=total > 0)
    spread = np.sqrt(expected)
    z = np.divide(values - expected, spread, out=np.zeros_like(values), where=spread > 0)
    summed = penalized_differences(z, alpha).sum(axis=1)
    if not values.shape[1]:
        return np.full(len(values), np.nan)
    with np.errstate(invalid="ignore"):  # a mean below 0 has no geometric mean
        return np.sqrt(values.mean(axis=1) * ndtr(summed / values.shape[1]))


def risk(
    qrels: Any,
    baseline: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = "nDCG@10",
    *,
    alpha: float = 1.0,
    tell: Callable[[str], None] = lambda note: None,
    **options: Unpack[RunOptions],
) -> pl.DataFrame:
    """Return wins, losses and risk of runs against a baseline; inputs as in ``retrieval``.

    ``tell`` receives what a user should know about the runs and the judgments.
    """
    settings = RunSettings.from_options(options)
    qrels = with_decimal_points(qrels, settings.decimal_comma)
    judgments = containers.to_judgments(qrels, settings.qrels_format)
    base = RetrievalEvidence.read(judgments, baseline, settings)
    others = RetrievalEvidence.read(judgments, runs, settings)
    return risk_table(base, others, measures, alpha, tell)


def risk_table(
    baseline: RetrievalEvidence,
    others: RetrievalEvidence,
    measures: str | Measure | Iterable[str | Measure] = "nDCG@10",
    alpha: float = 1.0,
    tell: Callable[[str], None] = lambda note: None,
) -> pl.DataFrame:
    """Return wins, losses and risk against the baseline, on the queries common to all runs.

    URisk is the mean difference with losses weighted 1 + alpha; GeoRisk compares each run with all
    others and the baseline; ``tail`` is the mean difference over the worst tenth of the queries.
    A positive difference favors the run, also for measures where lower is better; for these
    GeoRisk, which is defined for gains, is undefined.
    """
    if not (math.isfinite(alpha) and alpha >= 0):
        raise UsageError(f"alpha is {alpha}: expected a number of at least 0")
    asked = measures_named(measures, "retrieval")
    for each in asked:
        if each.definition.better == "neither":
            raise UsageError(
                f"{each}: neither higher nor lower is better, so it has no risk; use a measure such"
                " as nDCG@10 or AP"
            )
    base, scores = (each.scores(asked, interval=None) for each in (baseline, others))
    for warning in dict.fromkeys((*base.warnings, *scores.warnings)):
        tell(warning)
    return pl.DataFrame(
        [row for name in scores.measures for row in _rows(name, base, scores, alpha)]
    )


def _rows(name: str, base: Scores, scores: Scores, alpha: float) -> list[dict[str, Any]]:
    results = [base.of(name)[0], *scores.of(name)]
    tables = [dict(zip(each.units, each.values.tolist(), strict=True)) for each in results]
    defined = [{unit for unit in table if not math.isnan(table[unit])} for table in tables]
    common = [unit for unit in tables[0] if all(unit in each for each in defined)]
    values = np.asarray([[table[unit] for unit in common] for table in tables])
    lower = results[0].better == "lower"
    sign = -1.0 if lower else 1.0
    geometric = np.full(len(values), math.nan) if lower else geo_risk(values, alpha)
    return [
        {"system": result.system, "measure": name}
        | _compare_with_baseline(sign * (values[place] - values[0]), alpha)
        | {"GeoRisk": float(geometric[place])}
        for place, result in enumerate(results)
        if place > 0
    ]


def _compare_with_baseline(differences: Floats, alpha: float) -> dict[str, Any]:
    worst = np.sort(differences)[: max(1, math.ceil(len(differences) / 10))]
    return {
        "queries": len(differences),
        "wins": int((differences > 0).sum()),
        "ties": int((differences == 0).sum()),
        "losses": int((differences < 0).sum()),
        "difference": exact_mean(differences.tolist()),
        "URisk": exact_mean(penalized_differences(differences, alpha).tolist()),
        "tail": exact_mean(worst.tolist()) if len(differences) else math.nan,
    }
