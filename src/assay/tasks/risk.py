"""Risk: how often and how much a run falls below a baseline."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats, exact_mean
from assay.core.conventions import Conventions
from assay.core.errors import UsageError
from assay.core.names import Measure
from assay.core.names import measures as measures_named
from assay.engine.scores import Scores
from assay.tasks.retrieval import retrieval


def penalised(differences: Floats, alpha: float) -> Floats:
    """The differences to a baseline, with losses counted 1 + alpha times."""
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
    summed = penalised(z, alpha).sum(axis=1)
    return np.sqrt(values.mean(axis=1) * ndtr(summed / values.shape[1]))


def risk(
    qrels: Any,
    baseline: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = "nDCG@10",
    *,
    alpha: float = 1.0,
    rel: float | None = None,
    profile: str | Conventions = "assay",
    policies: Mapping[str, str] | None = None,
    input_format: str | None = None,
    qrels_format: str | None = None,
    tell: Callable[[str], None] = lambda note: None,
) -> pl.DataFrame:
    """Wins, losses and risk of runs against a baseline, on the queries that all have in common.

    URisk is the mean difference with losses counted 1 + alpha times; GeoRisk sets each run beside
    all others and the baseline; ``tail`` is the mean difference over the worst tenth of queries.
    A difference is in favour of the run where it is above 0, also for measures of which less is
    better; for these GeoRisk, which is about gains, is undefined. ``policies`` and formats are as
    in ``retrieval``. ``tell`` is given what a user should know of how runs and judgments fit.
    """
    if not (math.isfinite(alpha) and alpha >= 0):
        raise UsageError(f"alpha is {alpha}: a number from 0 is expected")
    for each in measures_named(measures, "retrieval"):
        if each.definition.better == "neither":
            raise UsageError(
                f"{each}: neither more nor less of it is better, so there is no risk in it; take"
                " one like nDCG@10 or AP"
            )
    evaluated = partial(
        retrieval,
        qrels,
        measures=measures,
        rel=rel,
        profile=profile,
        policies=policies,
        input_format=input_format,
        qrels_format=qrels_format,
        bootstrap=None,
    )
    base, scores = evaluated(baseline), evaluated(runs)
    for warning in dict.fromkeys((*base.warnings, *scores.warnings)):
        tell(warning)
    return pl.DataFrame(
        [row for name in scores.measures for row in _rows(name, base, scores, alpha)]
    )


def _rows(name: str, base: Scores, scores: Scores, alpha: float) -> list[dict[str, Any]]:
    results = [base.of(name)[0], *scores.of(name)]
    tables = [dict(zip(each.units, each.values.tolist(), strict=True)) for each in results]
    common = [unit for unit in tables[0] if all(not _missing(each, unit) for each in tables)]
    values = np.asarray([[table[unit] for unit in common] for table in tables])
    lower = results[0].better == "lower"
    sign = -1.0 if lower else 1.0
    geometric = np.full(len(values), math.nan) if lower else geo_risk(values, alpha)
    return [
        {"system": result.system, "measure": name}
        | _against(sign * (values[place] - values[0]), alpha)
        | {"GeoRisk": float(geometric[place])}
        for place, result in enumerate(results)
        if place > 0
    ]


def _missing(table: dict[str, float], unit: str) -> bool:
    return unit not in table or math.isnan(table[unit])


def _against(differences: Floats, alpha: float) -> dict[str, Any]:
    worst = np.sort(differences)[: max(1, math.ceil(len(differences) / 10))]
    return {
        "queries": len(differences),
        "wins": int((differences > 0).sum()),
        "ties": int((differences == 0).sum()),
        "losses": int((differences < 0).sum()),
        "difference": exact_mean(differences.tolist()),
        "URisk": exact_mean(penalised(differences, alpha).tolist()),
        "tail": exact_mean(worst.tolist()) if len(differences) else math.nan,
    }
