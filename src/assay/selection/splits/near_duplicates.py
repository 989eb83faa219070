"""Rows of the test data that nearly repeat a row of the training data."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assay.core.arrays import Floats
from assay.selection.scaling import standard_scale, standardize

SHINGLE = 5
"""The number of characters in a shingle."""
SIGNATURE, BANDS = 64, 16
"""The number of hashes of a text, and in how many bands they are compared."""
SIMILAR = 0.8
"""Two texts that share this part of their shingles are near-duplicates."""
CLOSE = 1e-3
"""Two rows nearer than this part of the usual distance between neighbors are near-duplicates."""

Pairs = list[tuple[int, int]]
"""A row of the test data, and the row of the training data that it repeats."""


def near_texts(train: Sequence[str], test: Sequence[str]) -> Pairs:
    """Return the pairs of texts that share at least `SIMILAR` of their shingles.

    Candidates agree in a band of their MinHash signatures; their similarity is then exact.
    """
    shingles = [_shingles(text) for text in (*train, *test)]
    signatures = _signatures(shingles)
    width = SIGNATURE // BANDS
    found: dict[int, int] = {}
    for band in range(BANDS):
        keys = [row.tobytes() for row in signatures[:, band * width : (band + 1) * width]]
        known: dict[bytes, int] = {}
        for row, key in enumerate(keys[: len(train)]):
            known.setdefault(key, row)
        for row, key in enumerate(keys[len(train) :]):
            other = known.get(key)
            if row not in found and other is not None:
                one, two = shingles[len(train) + row], shingles[other]
                both = len(np.intersect1d(one, two, assume_unique=True))
                if both >= SIMILAR * (len(one) + len(two) - both) > 0:
                    found[row] = other
    return sorted(found.items())


def _shingles(text: str) -> npt.NDArray[np.uint64]:
    """Return the distinct hashed shingles of a text, without regard to case and spaces."""
    plain = " ".join(text.casefold().split())
    pieces = {plain[at : at + SHINGLE] for at in range(max(len(plain) - SHINGLE + 1, 1))}
    hashed = {zlib.crc32(piece.encode()) for piece in pieces if piece}
    return np.array(sorted(hashed), dtype=np.uint64)


def _signatures(shingles: Sequence[npt.NDArray[np.uint64]]) -> npt.NDArray[np.uint64]:
    """Return the MinHash signature of each text; texts without shingles share none."""
    draw = np.random.default_rng(0)
    prime = np.uint64((1 << 31) - 1)
    factor = draw.integers(1, int(prime), SIGNATURE).astype(np.uint64)[:, None]
    term = draw.integers(0, int(prime), SIGNATURE).astype(np.uint64)[:, None]
    signatures = np.empty((len(shingles), SIGNATURE), dtype=np.uint64)
    for row, own in enumerate(shingles):
        if len(own):
            signatures[row] = ((own % prime * factor + term) % prime).min(axis=1)
        else:
            signatures[row] = prime + np.uint64(row) + np.uint64(1)
    return signatures


def nearest_rows(train: Floats, test: Floats) -> tuple[npt.NDArray[np.int64], Floats]:
    """Return the nearest training row of each test row and its distance, in standard deviations."""
    from scipy.spatial import cKDTree

    center, scale = standard_scale(train)
    distance, row = cKDTree((train - center) / scale).query((test - center) / scale)
    return row, distance


def near_numbers(train: Floats, test: Floats) -> Pairs:
    """Return the pairs of rows of numbers that are much nearer than neighbors usually are.

    The usual distance is the median from a training row to its nearest other one. Rows of a single
    column, or of values that recur (whole numbers), agree by chance and are not compared.
    """
    from scipy.spatial import cKDTree

    if train.shape[1] < 2 or len(train) < 3 or not _is_continuous(train):
        return []
    scaled = standardize(train)
    usual = np.median(cKDTree(scaled).query(scaled, k=2)[0][:, 1])
    row, distance = nearest_rows(train, test)
    close = np.flatnonzero(distance <= CLOSE * usual)
    return [(int(at), int(row[at])) for at in close]


def _is_continuous(values: Floats) -> bool:
    """Return whether at least two columns have mostly different values."""
    distinct = [len(np.unique(column)) for column in values.T]
    return sum(count > 0.5 * len(values) for count in distinct) >= 2
