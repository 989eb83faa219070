"""Calibration errors, and the bins behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.core.arrays import Bools, Floats, Ints, ratio
from assay.core.curves import Columns, curve
from assay.core.definition import define
from assay.core.facts import Settings
from assay.core.parameters import Count
from assay.evidence.views.probabilities import Probabilities
from assay.measures.trace_tables import running_mean


@dataclass(frozen=True)
class Groups:
    """Sums over groups of forecasts, units × group."""

    weight: Floats
    forecast: Floats
    hits: Floats

    @property
    def mean(self) -> Floats:
        """The mean forecast of each group."""
        return ratio(self.forecast, self.weight)

    @property
    def share(self) -> Floats:
        """The share of each group that came true."""
        return ratio(self.hits, self.weight)

    @property
    def base(self) -> Floats:
        """The share of all items that came true."""
        return ratio(self.hits.sum(axis=1), self.weight.sum(axis=1))

    def average(self, values: Floats) -> Floats:
        """Return the mean of a value over the items of all groups."""
        kept = np.where(self.weight > 0, values, 0)
        return ratio((self.weight * kept).sum(axis=1), self.weight.sum(axis=1))


def group_forecasts(
    forecast: Floats,
    hit: Bools,
    weight: Floats,
    bins: int | None,
    strategy: Literal["width", "quantile"] = "width",
) -> Groups:
    """Return groups of equal forecasts, or of forecasts in the same bin."""
    place = _equal(forecast) if bins is None else bin_numbers(forecast, bins, strategy)
    size = int(place.max(initial=0)) + 1
    # In an order that does not depend on that of the items, so that no bit does either.
    order = np.lexsort((hit, forecast))
    at, sums = place[order], []
    for values in (np.ones(len(forecast)), forecast, hit.astype(np.float64)):
        rows = [np.bincount(at, weights=(row * values)[order], minlength=size) for row in weight]
        sums.append(np.asarray(rows, dtype=np.float64).reshape(len(weight), size))
    return Groups(*sums)


def _equal(forecast: Floats) -> Ints:
    return np.unique(forecast, return_inverse=True)[1].astype(np.int64)


def bin_numbers(forecast: Floats, bins: int, strategy: str) -> Ints:
    """Return the bin of each forecast: open below, closed above, the first closed on both sides."""
    if strategy == "quantile":
        ends = -(-np.arange(1, bins) * len(forecast) // bins)  # rounded up, in whole numbers
        inner = np.unique(np.sort(forecast)[np.maximum(ends - 1, 0)])
    else:
        inner = np.linspace(0, 1, bins + 1)[1:-1]
    return np.searchsorted(inner, forecast).astype(np.int64)


Z = 1.959963984540054
"""The normal quantile of an interval at 95 %."""
Strategy = Literal["width", "quantile"]


def claims(forecasts: Probabilities) -> tuple[Floats, Bools]:
    """Return forecasts of the positive class of two, or of the most probable class of more."""
    if forecasts.binary:
        return forecasts.probability[:, 1], forecasts.truth == 1
    likeliest = forecasts.probability.argmax(axis=1)
    return forecasts.probability.max(axis=1), likeliest == forecasts.truth


def _bins(forecasts: Probabilities, bins: int, strategy: Strategy) -> Groups:
    return group_forecasts(*claims(forecasts), forecasts.weight, bins, strategy)


@define(
    "ECE",
    better="lower",
    aliases=["expected_calibration_error"],
    undefined="there are no items",
    variants=["ECE(bins=5)", "ECE(strategy=quantile)"],
    biased=True,
)
def expected_calibration_error(
    forecasts: Probabilities, bins: Count = 10, strategy: Strategy = "width"
) -> Floats:
    """The mean gap between mean forecast and observed share of a bin, weighted by its items.

    With two classes the forecasts of the positive class are binned, with more those of the
    likeliest class. Bins have equal width, or equally many items (``strategy=quantile``; equal
    forecasts share a bin).

    >>> measure("ECE:bins=2")(forecasts("aabb", [[0.9, 0.1], [0.7, 0.3], [0.4, 0.6], [0.2, 0.8]]))
    array([0.25])
    """
    groups = _bins(forecasts, bins, strategy)
    return groups.average(np.abs(groups.mean - groups.share))


@define(
    "MCE",
    better="lower",
    aliases=["maximum_calibration_error"],
    undefined="there are no items",
    biased=True,
)
def maximum_calibration_error(
    forecasts: Probabilities, bins: Count = 10, strategy: Strategy = "width"
) -> Floats:
    """The largest gap between mean forecast and observed share in any bin.

    >>> measure("MCE:bins=2")(forecasts("aabb", [[0.9, 0.1], [0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]))
    array([0.3])
    """
    groups = _bins(forecasts, bins, strategy)
    gaps = np.where(groups.weight > 0, np.abs(groups.mean - groups.share), -1.0)
    largest = gaps.max(axis=1)
    return np.where(largest < 0, np.nan, largest)


@curve("calibration")
def calibration(
    forecasts: Probabilities, bins: Count = 10, strategy: Strategy = "width"
) -> Columns:
    """Mean forecast and share that came true, bin by bin; empty bins are left out.

    ``low`` and ``high`` are Wilson's interval of each share at 95 %.
    """
    groups = _bins(forecasts, bins, strategy)
    filled = groups.weight[0] > 0
    share, items = groups.share[0][filled], groups.weight[0][filled]
    middle = (share + Z**2 / (2 * items)) / (1 + Z**2 / items)
    spread = np.sqrt(share * (1 - share) / items + Z**2 / (4 * items**2)) / (1 + Z**2 / items)
    return {
        "forecast": groups.mean[0][filled],
        "came true": share,
        "items": items,
        "low": np.where(share > 0, middle - Z * spread, 0.0),
        "high": np.where(share < 1, middle + Z * spread, 1.0),
    }


@expected_calibration_error.trace
def expected_calibration_error_trace(forecasts: Probabilities, s: Settings) -> Columns:
    """Return for each bin mean forecast, observed share, the gap, and its mean so far."""
    columns = _gaps(forecasts, s.bins, s.strategy)
    return columns | {"mean so far": running_mean(columns["gap"], columns["items"])}


@maximum_calibration_error.trace
def maximum_trace(forecasts: Probabilities, s: Settings) -> Columns:
    """Return for each bin mean forecast, observed share, the gap, and the largest so far."""
    columns = _gaps(forecasts, s.bins, s.strategy)
    return columns | {"largest so far": np.maximum.accumulate(columns["gap"])}


def _gaps(forecasts: Probabilities, bins: int, strategy: Strategy) -> Columns:
    found = calibration(forecasts, bins=bins, strategy=strategy)
    columns = {name: found[name] for name in ("forecast", "came true", "items")}
    return columns | {"gap": np.abs(columns["forecast"] - columns["came true"])}
