"""Which part each unit of a split belongs to, so that the shares hold in every stratum."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.core.arrays import Floats

Counts = npt.NDArray[np.int64]


def assign_parts(counts: Counts, shares: Floats, draw: np.random.Generator) -> Counts:
    """Return the part of each unit at random, by the number of its items in each stratum.

    Units of one item keep the shares of every stratum within one item. Larger units are groups
    that stay whole: the largest go first, each to the part that lacks most of its strata.
    """
    order = draw.permutation(len(counts))
    single = bool((counts.sum(axis=1) == 1).all())
    assign = _assign_items if single else _assign_groups
    parts = np.empty(len(counts), dtype=np.int64)
    parts[order] = assign(counts[order], shares)
    return parts


def _assign_items(counts: Counts, shares: Floats) -> Counts:
    """Return the parts of items: of each stratum a share rounded down or up goes to each part.

    Rounding up favors the parts that are farthest below their share of all items so far.
    """
    stratum = counts.argmax(axis=1)
    parts = np.empty(len(counts), dtype=np.int64)
    lack = np.zeros(len(shares))
    for number in range(counts.shape[1]):
        members = np.flatnonzero(stratum == number)
        wanted = len(members) * shares
        sizes = np.floor(wanted + 1e-9).astype(np.int64)
        lack += wanted - sizes
        fraction = wanted - sizes > 1e-9
        first = np.argsort(np.where(fraction, -lack, np.inf), kind="stable")
        chosen = first[: len(members) - sizes.sum()]
        sizes[chosen] += 1
        lack[chosen] -= 1
        parts[members] = np.repeat(np.arange(len(shares)), sizes)
    return parts


def _assign_groups(counts: Counts, shares: Floats) -> Counts:
    """Return the parts of groups, the largest first."""
    totals = counts.sum(axis=0)
    lack = shares[:, None] * totals
    parts = np.empty(len(counts), dtype=np.int64)
    for place in np.argsort(-counts.sum(axis=1), kind="stable"):
        need = np.where(shares > 0, lack @ (counts[place] / np.maximum(totals, 1)), -np.inf)
        ties = np.flatnonzero(need >= need.max() - 1e-12)
        parts[place] = ties[np.argmax(lack[ties].sum(axis=1))]
        lack[parts[place]] -= counts[place]
    return parts
