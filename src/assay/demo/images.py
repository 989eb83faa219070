"""The images of the demo, and functions to write its files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.core.output_files import write_text

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Images:
    """The images, one row of 64 grey values (0 to 16) each, and the digit that each one shows."""

    pixels: Floats
    digits: Ints

    @property
    def ids(self) -> list[str]:
        """One id for each image, shared by all files."""
        return [f"d{number:04}" for number in range(len(self.digits))]

    @property
    def halves(self) -> tuple[slice, slice]:
        """The images to learn from, and those held out."""
        middle = len(self.digits) // 2
        return slice(0, middle), slice(middle, None)


def load_images() -> Images:
    """Return the images that are part of scikit-learn."""
    try:
        from sklearn.datasets import load_digits
    except ImportError as error:
        from assay.core.errors import MissingExtra

        raise MissingExtra("scikit-learn", extra="demo") from error
    pixels, digits = load_digits(return_X_y=True)
    return Images(pixels.astype(np.float64), digits.astype(np.int64))


def random_stream(purpose: str) -> np.random.Generator:
    """Return a generator for each purpose, so that changing one leaves the others unchanged."""
    return np.random.default_rng(list(purpose.encode()))


def query_ids(queries: Ints) -> list[str]:
    """Return the id of the query of each image."""
    return [f"q{image:04}" for image in queries]


def distances(rows: Floats, columns: Floats) -> Floats:
    """Return the Euclidean distances between the rows of two arrays."""
    squared = (rows**2).sum(axis=1)[:, None] + (columns**2).sum(axis=1) - 2 * rows @ columns.T
    distances: Floats = np.sqrt(np.maximum(squared, 0))
    return distances


def write_table(path: Path, columns: Mapping[str, Iterable[object]]) -> Path:
    """Write a CSV file with a header; no cell needs quoting."""
    rows = zip(*columns.values(), strict=True)
    return write_lines(path, (",".join(map(str, row)) for row in [tuple(columns), *rows]))


def write_lines(path: Path, lines: Iterable[str]) -> Path:
    """Write lines with the same line ends on every machine."""
    write_text(path, "".join(f"{line}\n" for line in lines))
    return path
