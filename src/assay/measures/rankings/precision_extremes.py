"""The extremes of a mean of precisions over the grades of unjudged documents."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.core.arrays import Floats
from assay.evidence.grid import Grid
from assay.evidence.rankings import Rankings


def precision_extremes(
    rankings: Rankings,
    rel: float,
    precision: Callable[[Floats], tuple[Floats, Floats]],
    cutoff: int | None = None,
) -> tuple[Floats, Floats]:
    """The lowest and highest mean, where the precision rises with the relevant documents above.

    ``precision`` tells for each rank what a relevant document has there by itself, and what each
    relevant one above adds; both fall with the rank. If relevance moves from a hole to a higher
    one, all between gain, and what it adds higher up is no less: so of m relevant holes the topmost
    give the most and the lowest the least, and each m is tried, all at once, by running sums.
    """
    known, count = rankings.relevant_count(rel), rankings.retrieved - rankings.judged().count
    low, high = np.full((2, len(known)), np.nan)
    for block in Grid.blocks(rankings, rel, cutoff):
        own = block.queries
        alone, more = precision(np.arange(1.0, block.relevant.shape[1] + 1))
        low[own], high[own] = _extremes(block, alone, more, known[own], count[own])
    return low, high


def _extremes(
    grid: Grid, alone: Floats, more: Floats, known: Floats, count: Floats
) -> tuple[Floats, Floats]:
    relevant, holes = grid.relevant.astype(np.float64), grid.holes.astype(np.float64)
    either, filled = relevant + holes, _before(holes)
    found = _before(relevant)[:, :-1]
    of_found, of_either = _before(relevant * more), _before(either * more)
    now = _before(relevant * (alone + found * more))
    full = _before(either * (alone + (found + filled[:, :-1]) * more))
    # With m = ``filled`` holes relevant down to a rank, those below add m to what is found there.
    top = full + now[:, -1:] - now + filled * (of_found[:, -1:] - of_found)
    # From a rank on all holes are relevant, and none above, as far as the measure sees.
    bottom = now + full[:, -1:] - full - filled * (of_either[:, -1:] - of_either)
    # Holes that it does not see are relevant first: they only add to the divisor.
    # With nothing relevant at all there is no mean, and so no value that could be an extreme.
    low = np.fmin.reduce(bottom / (known[:, None] + count[:, None] - filled), axis=1)
    high: Floats = np.fmax.reduce(top / (known[:, None] + filled), axis=1)
    return np.fmin(low, now[:, -1] / known), high


def _before(values: Floats) -> Floats:
    """The sum of what stands before each rank, and of all at the end."""
    result = np.zeros((len(values), values.shape[1] + 1))
    np.cumsum(values, axis=1, out=result[:, 1:])
    return result
