"""Histograms as densities: how likely they hold numbers that they have not seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError
from assay.evidence.views.densities import Densities
from assay.measures.values.errors import FLOOR, log_likelihood


def histogram_density(training: Floats, bins: int) -> tuple[Floats, Floats]:
    """Return the edges of equal bins over the training numbers, and the density in each."""
    density, edges = np.histogram(training, bins=bins, density=True)
    return edges, density


def density_at(values: Floats, edges: Floats, density: Floats) -> Floats:
    """Return the density of a histogram at each value; 0 outside it."""
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(density) - 1)
    inside = (values >= edges[0]) & (values <= edges[-1])
    return np.where(inside, density[place], 0.0)


def histogram_likelihood(
    training: Any, held_out: Any, bins: Sequence[int] = (5, 10, 20, 50, 100), floor: float = FLOOR
) -> pl.DataFrame:
    """Return the mean log-likelihood of a histogram on its own numbers and on held-out ones.

    A row for each number of bins: more bins fit the training numbers ever better, but the held-out
    ones only up to a point. ``outside`` counts held-out numbers beyond the histogram.
    """
    seen, fresh = _numbers(training, "training"), _numbers(held_out, "held-out")
    rows = []
    for size in bins:
        if size < 1:
            raise UsageError(f"{size} bins are asked for; 1 or more are expected")
        edges, density = histogram_density(seen, size)
        likely = {
            name: float(
                log_likelihood(Densities.of(density_at(values, edges, density)), floor=floor).mean()
            )
            for name, values in (("training", seen), ("held_out", fresh))
        }
        outside = int(((fresh < edges[0]) | (fresh > edges[-1])).sum())
        rows.append({"bins": size, **likely, "outside": outside})
    return pl.DataFrame(rows)


def _numbers(given: Any, what: str) -> Floats:
    values = np.asarray(given, dtype=np.float64)
    if not len(values) or not np.isfinite(values).all():
        raise DataError(f"the {what} numbers must be finite, and there must be some")
    return values
