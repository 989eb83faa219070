"""The effect within slices of the users, shrunk towards the effect of all."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from assay.behavior.experiments.arm_differences import arm_summaries, compare_means
from assay.behavior.experiments.arm_values import user_values
from assay.behavior.experiments.outcome_expressions import Outcome
from assay.behavior.experiments.user_table import UserTable
from assay.core.arrays import Floats
from assay.statistics.corrections import adjust_p_values


def slice_effects(
    table: UserTable, outcome: Outcome, arm: int, column: str, confidence: float
) -> pl.DataFrame:
    """Return the difference in each slice, as it was found and shrunk.

    Among many slices the largest differences are mostly due to chance. Shrinking estimates the
    variance of the true effects between slices (DerSimonian and Laird), and moves each difference
    towards the weighted mean of all by the share of its variance that is chance.
    """
    rows, errors = [], []
    values = table.segments[column]
    for value in values.unique().sort().to_list():
        part = table.rows_of((values == value).to_numpy())
        arms = arm_summaries(user_values(part, outcome).values, part.arm, len(table.arms))
        found = compare_means(arms[0], arms[arm], confidence)
        errors.append(found.error)
        rows.append(
            {
                "measure": outcome.name,
                "arm": table.arms[arm],
                "slice": f"{column}={value}",
                "users": len(part),
                "difference": found.value,
                "low": found.low,
                "high": found.high,
                "p": found.p,
            }
        )
    frame = pl.DataFrame(rows)
    shrunk, deviation = shrink(frame["difference"].to_numpy(), np.array(errors))
    reach = _normal_reach(confidence)
    return frame.with_columns(
        pl.Series("p_corrected", adjust_p_values(frame["p"].to_numpy(), "holm")),
        pl.Series("shrunk", shrunk),
        pl.Series("shrunk_low", shrunk - reach * deviation),
        pl.Series("shrunk_high", shrunk + reach * deviation),
    )


def _normal_reach(confidence: float) -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + confidence) / 2))


def shrink(differences: Floats, errors: Floats) -> tuple[Floats, Floats]:
    """Return shrunk differences and their standard deviations; undefined ones stay NaN."""
    known = np.isfinite(errors) & (errors > 0)
    shrunk, deviation = np.full((2, len(differences)), math.nan)
    if known.sum() < 2:
        return shrunk, deviation
    values, squared = differences[known], errors[known] ** 2
    between = heterogeneity(values, squared)
    weights = 1 / (squared + between)
    center = float((weights * values).sum() / weights.sum())
    trust = between / (between + squared)
    shrunk[known] = center + trust * (values - center)
    # The weighted mean is estimated too: its variance counts as far as it is relied on.
    deviation[known] = np.sqrt(trust * squared + (1 - trust) ** 2 / weights.sum())
    return shrunk, deviation


def heterogeneity(values: Floats, squared: Floats) -> float:
    """Return the variance of true effects between slices, by DerSimonian and Laird."""
    weights = 1 / squared
    center = float((weights * values).sum() / weights.sum())
    statistic = float((weights * (values - center) ** 2).sum())
    scale = float(weights.sum() - (weights**2).sum() / weights.sum())
    return max(0.0, (statistic - (len(values) - 1)) / scale)
