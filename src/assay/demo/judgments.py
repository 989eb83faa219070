"""Queries of the demo, and which images are relevant to them."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np

from assay.demo.images import Images, Ints, distances, query_ids, random_stream, write_lines

QUERIES_PER_DIGIT = 30
CONFUSABLE = 6
"""How many pairs of digits are similar."""
JUDGED_ZEROS = 100
"""How many images of grade 0 are judged for each query; the rest stay unjudged."""


def choose_queries(digits: Ints) -> Ints:
    """Return image numbers, the same number for each digit, ascending."""
    random = random_stream("queries")
    chosen = [
        random.permutation(np.flatnonzero(digits == digit))[:QUERIES_PER_DIGIT]
        for digit in range(10)
    ]
    return np.sort(np.concatenate(chosen))


def confusable_pairs(images: Images) -> list[tuple[int, int]]:
    """Return the pairs of digits that a nearest-mean classifier confuses most, worst first."""
    guesses = _nearest_mean(images, folds=5)
    errors = np.zeros((10, 10), dtype=np.int64)
    np.add.at(errors, (images.digits, guesses), 1)
    either_way = errors + errors.T
    pairs = sorted(combinations(range(10), 2), key=lambda pair: (-either_way[pair], pair))
    return pairs[:CONFUSABLE]


def _nearest_mean(images: Images, folds: int) -> Ints:
    """Return the digit whose mean image in the other folds is nearest to each image."""
    count = len(images.digits)
    fold_of = np.arange(count) * folds // count
    guesses = np.empty(count, dtype=np.int64)
    for fold in range(folds):
        out = fold_of == fold
        means = [images.pixels[~out & (images.digits == digit)].mean(axis=0) for digit in range(10)]
        guesses[out] = distances(images.pixels[out], np.array(means)).argmin(axis=1)
    return guesses


def _grades(images: Images, queries: Ints) -> Ints:
    """Return grades by query and image: 0, 1 or 2, and -1 if unjudged."""
    likeness = 2 * np.eye(10, dtype=np.int64)
    for one, other in confusable_pairs(images):
        likeness[one, other] = likeness[other, one] = 1
    grades: Ints = likeness[images.digits[queries][:, None], images.digits]
    lots = np.where(grades == 0, random_stream("judged zeros").random(grades.shape), np.inf)
    last_drawn = np.partition(lots, JUDGED_ZEROS - 1, axis=1)[:, [JUDGED_ZEROS - 1]]
    grades[(grades == 0) & (lots > last_drawn)] = -1
    grades[np.arange(len(queries)), queries] = -1
    return grades


def write_qrels(path: Path, images: Images, queries: Ints) -> Path:
    """Write the judgments of all queries."""
    grades, ids = _grades(images, queries), images.ids
    judged = np.argwhere(grades >= 0).tolist()
    names = query_ids(queries)
    lines = (f"{names[row]} 0 {ids[image]} {grades[row, image]}" for row, image in judged)
    return write_lines(path, lines)


def write_topics(path: Path, images: Images, queries: Ints) -> Path:
    """Write the text of each query."""
    shown = zip(query_ids(queries), queries, images.digits[queries], strict=True)
    lines = (f"{name}\timage {image}, a handwritten {digit}" for name, image, digit in shown)
    return write_lines(path, lines)
