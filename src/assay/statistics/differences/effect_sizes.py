"""How large a difference is: effect sizes, equivalence within a margin, posterior probabilities."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from assay.core.arrays import Floats, Ints, ratio
from assay.core.errors import UsageError
from assay.statistics.differences.samples import exact_means
from assay.statistics.significance_tests import ComparisonSettings

ROUNDING = 1e-12


def cohen_d(differences: Floats, weights: Floats | None = None) -> Floats:
    """Return Cohen's d for pairs: the mean difference in units of the spread of the differences.

    NaN where all differences are the same, unless they are all zero. With weights both are
    weighted, the variance times n/(n - 1) as without them.
    """
    size = len(differences)
    if size < 2 or (weights is not None and not weights.any()):
        return np.full(differences.shape[1], np.nan)
    mean = np.average(differences, axis=0, weights=weights)
    if weights is None:
        spread = differences.std(axis=0, ddof=1)
    else:
        square = np.average((differences - mean) ** 2, axis=0, weights=weights)
        spread = np.sqrt(square * size / (size - 1))
    spread[np.ptp(differences, axis=0) <= ROUNDING * np.abs(differences).max(axis=0, initial=0)] = 0
    return np.where((mean == 0) & (spread == 0), 0.0, ratio(mean, spread))


def cliff_delta(first: Floats, second: Floats, weights: Floats | None = None) -> float:
    """Return Cliff's δ: the share of values of the second above those of the first, minus below.

    All values are compared with all, whatever their units; a comparison counts by both weights.
    """
    if weights is not None:
        return _weighted_delta(first, second, weights)
    ordered = np.sort(first)
    below = np.searchsorted(ordered, second, side="left")
    above = len(first) - np.searchsorted(ordered, second, side="right")
    return float((below - above).sum() / (len(first) * len(second))) if first.size else np.nan


def _weighted_delta(first: Floats, second: Floats, weights: Floats) -> float:
    order = np.argsort(first, kind="stable")
    running = np.append(0.0, np.cumsum(weights[order]))
    below = running[np.searchsorted(first[order], second, side="left")]
    above = running[-1] - running[np.searchsorted(first[order], second, side="right")]
    return float(ratio(((below - above) * weights).sum(), running[-1] ** 2))


def win_tie_loss(differences: Floats, tie_width: float = 0.0) -> tuple[Floats, Floats, Floats]:
    """Return the numbers of wins, ties and losses; a difference up to the tie width is a tie."""
    wins = (differences > tie_width + ROUNDING).sum(axis=0)
    losses = (differences < -tie_width - ROUNDING).sum(axis=0)
    return wins, len(differences) - wins - losses, losses


def relative_difference(difference: Floats, baseline: Floats) -> Floats:
    """Return the difference as a share of the baseline; NaN where that is 0."""
    return ratio(difference, np.abs(baseline))


def tost_p_value(differences: Floats, margin: float) -> Floats:
    """Return the p-value of two one-sided t-tests (TOST): small for a mean within the margin."""
    if not margin > 0:
        raise UsageError(f"equivalence needs a margin above 0, not {margin:g}")
    low = _one_sided(differences, -margin)
    high = _one_sided(-differences, -margin)
    return np.maximum(low, high)


def non_inferiority_p_value(differences: Floats, margin: float) -> Floats:
    """Return the p-value of a one-sided t-test: small if the mean is above minus the margin."""
    return _one_sided(differences, -margin)


def _one_sided(differences: Floats, bound: float) -> Floats:
    """Return the p-value of a mean of at most the bound; 0 or 1 if all differences are equal."""
    from scipy.special import stdtr

    size = len(differences)
    mean = differences.mean(axis=0)
    if size < 2:
        return np.full(len(mean), math.nan)
    error = differences.std(axis=0, ddof=1) / math.sqrt(size)
    beyond = mean - bound
    t = np.zeros(len(mean))
    np.divide(beyond, error, out=t, where=error > 0)
    p = stdtr(size - 1, -t)
    settled = np.where(beyond > 0, 0.0, 1.0)
    return np.where(error > 0, p, settled)


def lower_bound(differences: Floats, confidence: float) -> Floats:
    """Return the one-sided lower confidence bound of the mean difference by Student's t."""
    from scipy.special import stdtrit

    size = len(differences)
    if size < 2:
        return np.full(differences.shape[1], math.nan)
    error = differences.std(axis=0, ddof=1) / math.sqrt(size)
    return differences.mean(axis=0) - stdtrit(size - 1, confidence) * error


class PosteriorProbabilities(NamedTuple):
    """The posterior probability of each of three cases, one for each column."""

    worse: Floats
    alike: Floats
    better: Floats


def posterior_probabilities(
    differences: Floats, margin: float = 0.0, correlation: float = 0.0
) -> PosteriorProbabilities:
    """Return the probabilities of a mean difference below, within and above the margin.

    The Bayesian correlated t-test with an uninformative prior: the mean follows Student's t around
    the observed one, with variance σ²(1/n + ρ/(1 - ρ)). Queries are independent, ρ = 0;
    folds share training items, and ρ is the share of items that is tested.
    """
    from scipy.special import stdtr

    if margin < 0 or not 0 <= correlation < 1:
        raise UsageError("a margin is not negative, and a correlation is from 0 to below 1")
    size = len(differences)
    mean = differences.mean(axis=0)
    if size < 2:
        unknown = np.full(len(mean), np.nan)
        return PosteriorProbabilities(unknown, unknown, unknown)
    variance = differences.var(axis=0, ddof=1) * (1 / size + correlation / (1 - correlation))
    scale = np.sqrt(variance)
    settled = scale == 0
    safe = np.where(settled, 1.0, scale)
    worse = np.where(settled, mean < -margin, stdtr(size - 1, (-margin - mean) / safe))
    better = np.where(settled, mean > margin, stdtr(size - 1, (mean - margin) / safe))
    if margin == 0:
        # Equal systems are neither better nor worse: a continuous posterior cannot say so itself.
        return PosteriorProbabilities(worse, np.where(settled & (mean == 0), 1.0, 0.0), better)
    return PosteriorProbabilities(worse, np.clip(1 - worse - better, 0, 1), better)


def largest_gains_and_losses(differences: Floats, most: int) -> tuple[Ints, Ints]:
    """Return the rows of the largest gains and of the largest losses.

    Equal differences keep the order of the units.
    """
    order = np.argsort(-differences, kind="stable")
    gains = order[differences[order] > 0][:most]
    rising = np.argsort(differences, kind="stable")
    return gains, rising[differences[rising] < 0][:most]


def pearson_of_units(first: Floats, second: Floats) -> float:
    """Return the correlation of two columns where both are defined; NaN if one is constant."""
    known = ~(np.isnan(first) | np.isnan(second))
    x, y = first[known], second[known]
    if len(x) < 2:
        return math.nan
    x, y = x - x.mean(), y - y.mean()
    size = math.sqrt(float(x @ x) * float(y @ y))
    return float(x @ y) / size if size > 1e-15 else math.nan


def independent_units(columns: Floats, clusters: Ints | None, centered: bool = False) -> Floats:
    """Return the columns with a row for each independent unit: clusters, where there are any.

    A cluster counts by the sum of its units, scaled so that the mean is unchanged. Where the
    spread matters the sums are ``centered``: they sum deviations from the mean, so that large
    clusters do not differ from small ones by their size alone.
    """
    if clusters is None:
        return columns
    if centered:
        mean = exact_means(columns)
        return mean + independent_units(columns - mean, clusters)
    size = int(clusters.max()) + 1
    sums = [np.bincount(clusters, weights=column, minlength=size) for column in columns.T]
    return np.asfortranarray(np.stack(sums, axis=1) * (size / len(columns)))


def posterior_columns(
    differences: Floats, sign: float, settings: ComparisonSettings
) -> dict[str, Any]:
    """Return where the differences lie with respect to the margin."""
    share = settings.test_share
    correlation = share / (1 + share) if share else 0.0
    posterior = posterior_probabilities(sign * differences, settings.margin or 0.0, correlation)
    names = ("worse_chance", "alike_chance", "better_chance")
    columns: dict[str, Any] = dict(zip(names, posterior, strict=True))
    if settings.margin is not None:
        columns["equivalence_p"] = tost_p_value(differences, settings.margin)
    return columns
