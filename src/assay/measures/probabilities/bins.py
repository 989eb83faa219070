"""Forecasts put together: those that are equal, or those that fall into the same bin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.core.arrays import Bools, Floats, Ints, ratio


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
        """The mean of a value over the items of all groups."""
        kept = np.where(self.weight > 0, values, 0)
        return ratio((self.weight * kept).sum(axis=1), self.weight.sum(axis=1))


def group_forecasts(
    forecast: Floats,
    hit: Bools,
    weight: Floats,
    bins: int | None,
    strategy: Literal["width", "quantile"] = "width",
) -> Groups:
    """Groups of equal forecasts, or of forecasts in the same bin."""
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
    """The bin of each forecast: open below and closed above, the first closed on both sides."""
    if strategy == "quantile":
        edges = np.unique(np.quantile(forecast, np.linspace(0, 1, bins + 1), method="inverted_cdf"))
        inner = edges[1:-1]
    else:
        inner = np.linspace(0, 1, bins + 1)[1:-1]
    return np.searchsorted(inner, forecast).astype(np.int64)
