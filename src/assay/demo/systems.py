"""The systems of the demo: each gives every query (row) a score for every image (column)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from assay.demo.images import Floats, Images, Ints, distances, query_ids, random_stream, write_lines

DEPTH = 100
"""How many images a system returns for each query."""
DECIMALS = 9
"""Enough to distinguish scores, few enough to hide the noise of the last bits."""


def _pixels(images: Images, queries: Ints) -> Floats:
    return _closeness(images.pixels, queries)


def _pixels_cosine(images: Images, queries: Ints) -> Floats:
    lengths = np.linalg.norm(images.pixels, axis=1)
    dots = images.pixels[queries] @ images.pixels.T
    cosines: Floats = dots / np.outer(lengths[queries], lengths)
    return cosines


def _principal_components(images: Images, queries: Ints, components: int = 8) -> Floats:
    centered = images.pixels - images.pixels.mean(axis=0)
    axes = np.linalg.svd(centered, full_matrices=False).Vh[:components]
    return _closeness(centered @ axes.T, queries)


def _gradients(images: Images, queries: Ints, directions: int = 8) -> Floats:
    """Return the closeness of histograms of oriented gradients in 4 by 4 cells."""
    squares = images.pixels.reshape(-1, 8, 8)
    down, right = np.gradient(squares, axis=1), np.gradient(squares, axis=2)
    turns = np.arctan2(down, right) / (2 * np.pi)
    nearest = np.rint(turns * directions).astype(np.int64) % directions
    steepness = np.hypot(down, right)[..., None] * (nearest[..., None] == np.arange(directions))
    cells = steepness.reshape(-1, 4, 2, 4, 2, directions).sum(axis=(2, 4))
    histograms = cells.reshape(len(cells), -1)
    return _closeness(histograms / np.linalg.norm(histograms, axis=1, keepdims=True), queries)


def _projections(images: Images, queries: Ints) -> Floats:
    """Return the closeness of the ink in each row and in each column."""
    squares = images.pixels.reshape(-1, 8, 8)
    return _closeness(np.hstack([squares.sum(axis=2), squares.sum(axis=1)]), queries)


def _random_scores(images: Images, queries: Ints) -> Floats:
    """Return random scores, a baseline for the others."""
    return random_stream("random system").random((len(queries), len(images.digits)))


SYSTEMS: Mapping[str, Callable[[Images, Ints], Floats]] = {
    "pixels": _pixels,
    "pixels-cosine": _pixels_cosine,
    "pca": _principal_components,
    "gradients": _gradients,
    "projections": _projections,
    "random": _random_scores,
}


def _closeness(features: Floats, queries: Ints) -> Floats:
    return -distances(features[queries], features)


def write_runs(folder: Path, images: Images, queries: Ints) -> tuple[Path, ...]:
    """Write a run of each system."""
    return tuple(
        _write_run(folder / f"{name}.run", name, score(images, queries), queries, images.ids)
        for name, score in SYSTEMS.items()
    )


def _write_run(path: Path, tag: str, scores: Floats, queries: Ints, ids: list[str]) -> Path:
    """Write the best images of each query except itself; ties by descending id, as in TREC."""
    scores = np.round(scores, DECIMALS)
    scores[np.arange(len(queries)), queries] = -np.inf
    best = np.argsort(scores, axis=1, kind="stable")[:, : -DEPTH - 1 : -1]
    found = np.take_along_axis(scores, best, axis=1)
    lines = (
        f"{query} Q0 {ids[image]} {rank} {score:.{DECIMALS}f} {tag}"
        for query, row, row_scores in zip(query_ids(queries), best, found, strict=True)
        for rank, (image, score) in enumerate(zip(row, row_scores, strict=True), start=1)
    )
    return write_lines(path, lines)
