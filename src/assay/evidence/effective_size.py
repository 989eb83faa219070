"""How many items of equal weight weighted items are worth (Kish's effective sample size)."""

from __future__ import annotations

from assay.core.arrays import Floats, sorted_sum


def effective_size(weights: Floats | None) -> float | None:
    """The square of the sum over the sum of the squares: the number of items if all weigh alike.

    It is the same in whatever unit the weights are given. None where there are no weights.
    """
    if weights is None:
        return None
    squares = float(sorted_sum(weights**2))
    return float(sorted_sum(weights)) ** 2 / squares if squares else 0.0


def pooled_effective_size(
    total: float, size: float | None, other_total: float, other_size: float | None
) -> float | None:
    """The effective size of two parts together; a part that counts items has none of its own."""
    if size is None and other_size is None:
        return None
    squares = sum(
        whole**2 / (whole if worth is None else worth)
        for whole, worth in ((total, size), (other_total, other_size))
        if whole
    )
    return (total + other_total) ** 2 / squares if squares else 0.0
