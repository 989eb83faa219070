"""The calibration line: intercept and slope of the outcomes over the log-odds of the forecasts."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Bools, Floats
from assay.core.curves import Columns, curve
from assay.evidence.views.probabilities import Probabilities
from assay.measures.probabilities.calibration import Z, claims
from assay.measures.probabilities.scoring_rules import CLIP, clip_probabilities

STEPS, EXACT, LARGEST, SLACK = 50, 1e-10, 1e3, 1e-12


@curve("calibration line")
def calibration_line(forecasts: Probabilities) -> Columns:
    """Intercept and slope of a logistic regression of the outcome on the log-odds of the forecast.

    The forecast is that of the positive class of two, or of the most probable class of more.
    Calibrated forecasts have the intercept 0 and the slope 1; a slope below 1 is overconfident. The
    interval of each is Wald's at 95 %; ``p`` is the likelihood-ratio test that both hold. Forecasts
    are kept within [1e-15, 1 − 1e-15], as those of LogLoss; ``clipped`` is how many that moves.
    """
    probability, outcome = claims(forecasts)
    line, error, p = fit_line(probability, outcome, forecasts.weight[0])
    clipped = np.count_nonzero(clip_probabilities(probability, CLIP) != probability)
    return {
        "coefficient": ["intercept", "slope"],
        "value": line,
        "low": line - Z * error,
        "high": line + Z * error,
        "p": np.full(2, p),
        "clipped": np.full(2, clipped),
    }


def fit_line(probability: Floats, outcome: Bools, weight: Floats) -> tuple[Floats, Floats, float]:
    """Return intercept and slope, their standard errors, and the p-value of 0 and 1.

    All are NaN if all outcomes are equal or the line does not converge, as where a threshold
    separates the classes.
    """
    from scipy.special import expit
    from scipy.stats import chi2

    clipped = clip_probabilities(probability, CLIP)
    odds = np.log(clipped) - np.log1p(-clipped)
    design = np.stack([np.ones(len(odds)), odds], axis=1)
    start = _log_likelihood(odds, outcome, weight)
    line, reached = np.zeros(2), _log_likelihood(np.zeros(len(odds)), outcome, weight)
    undefined = np.full(2, np.nan)
    for _ in range(STEPS):
        mean = expit(design @ line)
        information = design.T @ (design * (weight * mean * (1 - mean))[:, None])
        if not np.isfinite(information).all() or np.linalg.cond(information) > 1e12:
            return undefined, undefined, math.nan
        step = np.linalg.solve(information, design.T @ (weight * (outcome - mean)))
        # A step that overshoots, as extreme forecasts make it, is halved until it gains.
        size = 1.0
        while (found := _log_likelihood(design @ (line + size * step), outcome, weight)) < (
            reached - SLACK * abs(reached)
        ) and size > EXACT:
            size /= 2
        line, reached = line + size * step, found
        if np.abs(line).max() > LARGEST:
            return undefined, undefined, math.nan
        if np.abs(step).max() < EXACT:
            gained = reached - start
            error = np.sqrt(np.diag(np.linalg.inv(information)))
            return line, error, float(chi2.sf(max(2 * gained, 0.0), 2))
    return undefined, undefined, math.nan


def _log_likelihood(odds: Floats, outcome: Bools, weight: Floats) -> float:
    return float(-(weight * np.logaddexp(0, np.where(outcome, -odds, odds))).sum())
