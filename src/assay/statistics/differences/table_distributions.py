"""Sampling distributions of values and differences of whole tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.closed_form_intervals import influence_error
from assay.core.errors import DataError
from assay.statistics.differences.samples import TableSample
from assay.statistics.intervals.interval_ends import (
    all_equal,
    expanded_ends,
    normal_draws,
    percentile_ends,
)
from assay.statistics.intervals.interval_settings import (
    CLOSED_FORM,
    JACKKNIFE,
    SHIFTED,
    Bootstrap,
)
from assay.statistics.intervals.jackknife import MOST_CELLS, jackknife_parts, leave_one_out_values
from assay.statistics.paired.bootstrap_shift import narrow_share, shifted_ends, widen_share
from assay.statistics.paired.randomization import TOLERANCE
from assay.statistics.significance_tests import (
    Alternative,
    reaches,
    tail_p_value,
)

MOST_DRAWS = 5_000_000
"""Ranks by a measure of whole tables are not sought with more draws of items than these."""
TABLE_TESTS = {
    "expanded": "bootstrap over items",
    "percentile": "bootstrap over items",
    CLOSED_FORM: "closed form over items",
    JACKKNIFE: "jackknife over items",
}
"""The test of a difference, by the method of its interval."""


@dataclass(frozen=True)
class ResampledDistribution:
    """The distribution of a number by resamples of the items."""

    estimate: float
    drawn: Floats
    """NaN where a resample has no value."""
    size: int
    bootstrap: Bootstrap
    deviations: Floats = field(init=False)

    def __post_init__(self) -> None:
        known = self.drawn[~np.isnan(self.drawn)]
        enough = 2 * len(known) >= max(len(self.drawn), 1) and not math.isnan(self.estimate)
        object.__setattr__(self, "deviations", known - self.estimate if enough else np.empty(0))

    @property
    def method(self) -> str:
        """Plain percentiles on request, else expanded ones."""
        return "percentile" if self.bootstrap.method == "percentile" else "expanded"

    @property
    def test_interval(self) -> str:
        """The method of the interval that belongs to the test."""
        return SHIFTED

    @property
    def statistic(self) -> float:
        """The number itself."""
        return self.estimate

    @property
    def certain(self) -> bool:
        """Whether all resamples are equal."""
        return all_equal(self.drawn)

    def ends(self, confidence: float) -> tuple[float, float]:
        """Return percentiles of the resamples."""
        drawn = self.drawn[:, None]
        if self.method == "percentile":
            low, high = percentile_ends(drawn, confidence)
        else:
            low, high = expanded_ends(drawn, self.size, confidence)
        return float(low[0]), float(high[0])

    def tested_ends(self, confidence: float, alternative: Alternative) -> tuple[float, float]:
        """Return the shifts that ``p_value`` does not reject."""
        if not len(self.deviations):
            return math.nan, math.nan
        share = narrow_share(1 - confidence, self.size, alternative)
        middle = np.asarray([self.estimate])
        low, high = shifted_ends(middle, self.deviations[:, None], share, alternative)
        return float(low[0]), float(high[0])

    def p_value(self, alternative: Alternative = "two-sided", bound: float = 0.0) -> float:
        """Return the share of resamples, shifted onto the bound, that reach the estimate."""
        if not len(self.deviations):
            return math.nan
        slack = TOLERANCE * abs(self.estimate)
        reached = reaches(self.deviations, self.estimate - bound, slack, alternative)
        share = (np.count_nonzero(reached) + 1) / (len(self.deviations) + 1)
        return float(widen_share(np.asarray(share), self.size, alternative))


@dataclass(frozen=True)
class StandardErrorDistribution:
    """Student's t with a standard error; the normal distribution for infinite freedom."""

    estimate: float
    error: float
    method: str
    freedom: float = math.inf
    bias: float = 0.0

    @property
    def test_interval(self) -> str:
        """The method of the interval that belongs to the test."""
        return self.method

    @property
    def statistic(self) -> float:
        """The number, corrected for its bias, in standard errors."""
        return self._points(0.0)

    @property
    def certain(self) -> bool:
        """Whether there is no error."""
        return self.error == 0

    def ends(self, confidence: float) -> tuple[float, float]:
        """Return the interval, which always includes the estimate."""
        from scipy.special import ndtri, stdtrit

        share = (1 + confidence) / 2
        points = ndtri(share) if math.isinf(self.freedom) else stdtrit(self.freedom, share)
        if math.isnan(self.error):
            return math.nan, math.nan
        middle, reach = self.estimate - self.bias, float(points) * self.error
        return min(self.estimate, middle - reach), max(self.estimate, middle + reach)

    def tested_ends(self, confidence: float, alternative: Alternative) -> tuple[float, float]:
        """Return the shifts that ``p_value`` does not reject, and the estimate unless 0 is between.

        The shifts lie around the estimate corrected for its bias.
        """
        level = 1 - confidence
        both = confidence if alternative == "two-sided" else 1 - 2 * level
        low, high = self.ends(both)
        if self.p_value(alternative) < level and low <= 0 <= high:
            low, high = replace(self, estimate=self.estimate - self.bias, bias=0.0).ends(both)
        if alternative == "two-sided" or math.isnan(low):
            return low, high
        return (low, math.inf) if alternative == "greater" else (-math.inf, high)

    def p_value(self, alternative: Alternative = "two-sided", bound: float = 0.0) -> float:
        """Return one tail or both tails beyond the bound."""
        from scipy.special import ndtr, stdtr

        points = self._points(bound)
        if points == 0 and not self.error:
            return 1.0
        lower, upper = (
            ndtr(point) if math.isinf(self.freedom) else stdtr(self.freedom, point)
            for point in (points, -points)
        )
        return float(tail_p_value(lower, upper, alternative))

    def _points(self, bound: float) -> float:
        distance = self.estimate - self.bias - bound
        if self.error > 0 or math.isnan(self.error) or not distance:
            return distance / self.error if self.error else distance
        return math.copysign(math.inf, distance)


Distribution = ResampledDistribution | StandardErrorDistribution


class TableDistributions:
    """The distributions of the values and differences of systems over the same items.

    Resamples and influences of a system are computed once, however many pairs it is in.
    """

    def __init__(
        self, sample: TableSample, interval: Bootstrap, systems: Sequence[int] | None = None
    ) -> None:
        self.sample = sample
        self.interval = interval
        self.systems = list(range(len(sample.systems)) if systems is None else systems)
        self.clusters = sample.clusters(interval)
        self._resamples: Floats | None = None
        self._influence: dict[int, Floats | None] = {}

    def difference(self, first: int, second: int) -> Distribution:
        """Return the distribution of the value of the second minus that of the first."""
        estimate = self.sample.value(second) - self.sample.value(first)
        one, other = self.item_influence(first), self.item_influence(second)
        if one is not None and other is not None:
            return self._by_standard_error(estimate, other - one)
        if self.sample.jackknife:
            raise DataError(
                f"{self.sample.measure}: a table of more than {MOST_CELLS:,} cells is too large to"
                " leave out each item"
            )
        return self._by_resamples(estimate, self.resampled(second) - self.resampled(first))

    def single(self, system: int) -> Distribution:
        """Return the distribution of the value of one system."""
        value, influence = self.sample.value(system), self.item_influence(system)
        if influence is not None:
            return self._by_standard_error(value, influence)
        return self._by_resamples(value, self.resampled(system))

    def _by_resamples(self, estimate: float, drawn: Floats) -> Distribution:
        size = self.sample.size if self.clusters is None else int(self.clusters.max()) + 1
        return ResampledDistribution(estimate, drawn, round(size), self.interval)

    def _by_standard_error(self, estimate: float, influence: Floats) -> Distribution:
        if self.sample.jackknife:
            bias, error = jackknife_parts(estimate, estimate + influence)
            return StandardErrorDistribution(estimate, error, JACKKNIFE, len(influence) - 1, bias)
        return StandardErrorDistribution(estimate, influence_error(influence), CLOSED_FORM)

    def resampled(self, system: int) -> Floats:
        """Return the value of a system in each resample."""
        if self._resamples is None:
            self._resamples = self.sample.resample(
                self.systems, self.interval.resamples, self.interval.seed, self.clusters
            )
        return self._resamples[:, self.systems.index(system)]

    def joint_draws(self) -> Floats:
        """Return resamples × systems, from the influence of items where it is known.

        A row of NaN where there are too many items to draw.
        """
        moved = [self.item_influence(each) for each in self.systems]
        known = [each for each in moved if each is not None]
        values = np.asarray([self.sample.value(each) for each in self.systems])
        if len(known) == len(moved) and not np.isnan(values).any():
            away = np.stack(known, axis=1)
            return normal_draws(values, away - away.mean(axis=0), self.interval)
        draws = len(self.sample) * self.interval.resamples * len(moved)
        if draws > MOST_DRAWS or self.sample.jackknife:
            return np.full((1, len(moved)), math.nan)
        return np.stack([self.resampled(each) for each in self.systems], axis=1)

    def item_influence(self, system: int) -> Floats | None:
        """Return how far each item moves the value of a system; None if only resamples show it."""
        if system not in self._influence:
            self._influence[system] = self._compute_influence(system)
        return self._influence[system]

    def _compute_influence(self, system: int) -> Floats | None:
        sample = self.sample
        if sample.jackknife:
            without = self._leave_out(system)
            return None if without is None else without - sample.value(system)
        if self.clusters is not None or not self.interval.closed_forms:
            return None
        for influence in sample.formula.definition.influences:
            by_cell = influence(sample.view(system, in_items=True), *sample.formula.arguments)
            if by_cell is not None:
                # An item of more than the usual weight moves more.
                return by_cell[sample.cells[:, system]] * np.sqrt(sample.shares)
        return None

    def _leave_out(self, system: int) -> Floats | None:
        """Return the value of a system without each item, or each cluster of items."""
        sample = self.sample
        if self.clusters is not None:
            return sample.leave_cluster_out_values(system, self.clusters)
        view = sample.view(system)
        facts = np.stack((sample.cells[:, system], sample.weights))
        kinds, kind = np.unique(facts, axis=1, return_inverse=True)
        if max(len(view.cells), kinds.shape[1]) > MOST_CELLS:
            return None
        cells: Ints = kinds[0].astype(np.int64)
        return leave_one_out_values(view, sample.formula, cells, kinds[1])[kind.ravel()]
