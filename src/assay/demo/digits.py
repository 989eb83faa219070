"""Files to try every task on, made from scikit-learn's bundled 1,797 handwritten digits.

One set of images serves all tasks: `d0042` is image 42, counted from 0, in every file, and the
query `q0042` asks for images like it.

- **Retrieval**: 300 query images, 30 of each digit, rank all other images. The same digit has
  grade 2. A digit often confused with it has grade 1: we classify every image by the nearest mean
  image of the other four fifths, count the errors between two digits in either direction, and take
  the `CONFUSABLE` pairs with most errors. Other digits have grade 0, and only a sample of them is
  judged, so that unjudged documents occur as they do in practice.
- **Classification, regression and agreement** learn from the first half of the images and speak
  about the second. The halves are not shuffled: images gathered together resemble each other, and
  a shuffled split looks better than it is (logistic regression: 96 % right instead of 93 %).
- **Clustering** takes all images, and never sees a label.

The same bytes come out of every call on one machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

QUERIES_PER_DIGIT = 30
DEPTH = 100
"""How many images a system returns for each query."""
CONFUSABLE = 6
"""How many pairs of digits count as alike."""
JUDGED_ZEROS = 100
"""How many images of grade 0 are judged for each query; the rest stay unjudged."""
DECIMALS = 9
"""Enough to keep different scores apart, few enough to hide the noise of the last bits."""


@dataclass(frozen=True)
class DemoFiles:
    """Where each file was written."""

    qrels: Path
    topics: Path
    runs: tuple[Path, ...]
    predictions: Path
    clusters: Path
    values: Path
    ratings: Path


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


def write(folder: Path) -> DemoFiles:
    """Make all demo files in the folder, which need not exist yet."""
    images = _load()
    from threadpoolctl import threadpool_limits

    (folder / "runs").mkdir(parents=True, exist_ok=True)
    queries = _choose_queries(images.digits)
    # With several threads the order of adding varies, and with it the last bits.
    with threadpool_limits(limits=1):
        return DemoFiles(
            qrels=_write_qrels(folder / "qrels.txt", images, queries),
            topics=_write_topics(folder / "topics.tsv", images, queries),
            runs=_write_runs(folder / "runs", images, queries),
            predictions=_write_predictions(folder / "predictions.csv", images),
            clusters=_write_clusters(folder / "clusters.csv", images),
            values=_write_values(folder / "values.csv", images),
            ratings=_write_ratings(folder / "ratings.csv", images),
        )


def _load() -> Images:
    try:
        from sklearn.datasets import load_digits
    except ImportError as error:
        from assay.core.errors import MissingExtra

        raise MissingExtra("scikit-learn", extra="demo") from error
    pixels, digits = load_digits(return_X_y=True)
    return Images(pixels.astype(np.float64), digits.astype(np.int64))


def _random(purpose: str) -> np.random.Generator:
    """A stream of its own for each purpose, so that changing one leaves the others as they were."""
    return np.random.default_rng(list(purpose.encode()))


# Retrieval: queries and judgments


def _choose_queries(digits: Ints) -> Ints:
    """Image numbers, equally many of each digit, ascending."""
    random = _random("queries")
    chosen = [
        random.permutation(np.flatnonzero(digits == digit))[:QUERIES_PER_DIGIT]
        for digit in range(10)
    ]
    return np.sort(np.concatenate(chosen))


def confusable_pairs(images: Images) -> list[tuple[int, int]]:
    """The pairs of digits that a nearest-mean classifier confuses most, worst first."""
    guesses = _nearest_mean(images, folds=5)
    errors = np.zeros((10, 10), dtype=np.int64)
    np.add.at(errors, (images.digits, guesses), 1)
    either_way = errors + errors.T
    pairs = sorted(combinations(range(10), 2), key=lambda pair: (-either_way[pair], pair))
    return pairs[:CONFUSABLE]


def _nearest_mean(images: Images, folds: int) -> Ints:
    """The digit whose mean image, over the other folds, lies nearest to each image."""
    count = len(images.digits)
    fold_of = np.arange(count) * folds // count
    guesses = np.empty(count, dtype=np.int64)
    for fold in range(folds):
        out = fold_of == fold
        means = [images.pixels[~out & (images.digits == digit)].mean(axis=0) for digit in range(10)]
        guesses[out] = _distances(images.pixels[out], np.array(means)).argmin(axis=1)
    return guesses


def _grades(images: Images, queries: Ints) -> Ints:
    """A row for each query, a column for each image: grade 0, 1 or 2, and -1 where not judged."""
    likeness = 2 * np.eye(10, dtype=np.int64)
    for one, other in confusable_pairs(images):
        likeness[one, other] = likeness[other, one] = 1
    grades: Ints = likeness[images.digits[queries][:, None], images.digits]
    lots = np.where(grades == 0, _random("judged zeros").random(grades.shape), np.inf)
    last_drawn = np.partition(lots, JUDGED_ZEROS - 1, axis=1)[:, [JUDGED_ZEROS - 1]]
    grades[(grades == 0) & (lots > last_drawn)] = -1
    grades[np.arange(len(queries)), queries] = -1
    return grades


def _write_qrels(path: Path, images: Images, queries: Ints) -> Path:
    grades, ids = _grades(images, queries), images.ids
    judged = np.argwhere(grades >= 0).tolist()
    names = _query_ids(queries)
    lines = (f"{names[row]} 0 {ids[image]} {grades[row, image]}" for row, image in judged)
    return _write_lines(path, lines)


def _write_topics(path: Path, images: Images, queries: Ints) -> Path:
    shown = zip(_query_ids(queries), queries, images.digits[queries], strict=True)
    lines = (f"{name}\timage {image}, a handwritten {digit}" for name, image, digit in shown)
    return _write_lines(path, lines)


def _query_ids(queries: Ints) -> list[str]:
    return [f"q{image:04}" for image in queries]


# Retrieval: systems. Each gives every query (row) a score for every image (column).


def _pixels(images: Images, queries: Ints) -> Floats:
    return _closeness(images.pixels, queries)


def _pixels_cosine(images: Images, queries: Ints) -> Floats:
    lengths = np.linalg.norm(images.pixels, axis=1)
    dots = images.pixels[queries] @ images.pixels.T
    cosines: Floats = dots / np.outer(lengths[queries], lengths)
    return cosines


def _principal_components(images: Images, queries: Ints, components: int = 8) -> Floats:
    centred = images.pixels - images.pixels.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False).Vh[:components]
    return _closeness(centred @ axes.T, queries)


def _gradients(images: Images, queries: Ints, directions: int = 8) -> Floats:
    """Histograms of oriented gradients: in each of 4 by 4 cells, how steep the ink is which way."""
    squares = images.pixels.reshape(-1, 8, 8)
    down, right = np.gradient(squares, axis=1), np.gradient(squares, axis=2)
    turns = np.arctan2(down, right) / (2 * np.pi)
    nearest = np.rint(turns * directions).astype(np.int64) % directions
    steepness = np.hypot(down, right)[..., None] * (nearest[..., None] == np.arange(directions))
    cells = steepness.reshape(-1, 4, 2, 4, 2, directions).sum(axis=(2, 4))
    histograms = cells.reshape(len(cells), -1)
    return _closeness(histograms / np.linalg.norm(histograms, axis=1, keepdims=True), queries)


def _projections(images: Images, queries: Ints) -> Floats:
    """The ink in each row and in each column: sixteen numbers, nothing about where they cross."""
    squares = images.pixels.reshape(-1, 8, 8)
    return _closeness(np.hstack([squares.sum(axis=2), squares.sum(axis=1)]), queries)


def _by_lot(images: Images, queries: Ints) -> Floats:
    """No system at all: the floor that the others are to be seen against."""
    return _random("random system").random((len(queries), len(images.digits)))


SYSTEMS: Mapping[str, Callable[[Images, Ints], Floats]] = {
    "pixels": _pixels,
    "pixels-cosine": _pixels_cosine,
    "pca": _principal_components,
    "gradients": _gradients,
    "projections": _projections,
    "random": _by_lot,
}


def _closeness(features: Floats, queries: Ints) -> Floats:
    return -_distances(features[queries], features)


def _distances(rows: Floats, columns: Floats) -> Floats:
    """Euclidean distances of each row of the one to each row of the other."""
    squared = (rows**2).sum(axis=1)[:, None] + (columns**2).sum(axis=1) - 2 * rows @ columns.T
    distances: Floats = np.sqrt(np.maximum(squared, 0))
    return distances


def _write_runs(folder: Path, images: Images, queries: Ints) -> tuple[Path, ...]:
    return tuple(
        _write_run(folder / f"{name}.run", name, score(images, queries), queries, images.ids)
        for name, score in SYSTEMS.items()
    )


def _write_run(path: Path, tag: str, scores: Floats, queries: Ints, ids: list[str]) -> Path:
    """The best images of each query but itself; equal scores stand by id descending, as in TREC."""
    scores = np.round(scores, DECIMALS)
    scores[np.arange(len(queries)), queries] = -np.inf
    best = np.argsort(scores, axis=1, kind="stable")[:, : -DEPTH - 1 : -1]
    found = np.take_along_axis(scores, best, axis=1)
    lines = (
        f"{query} Q0 {ids[image]} {rank} {score:.{DECIMALS}f} {tag}"
        for query, row, row_scores in zip(_query_ids(queries), best, found, strict=True)
        for rank, (image, score) in enumerate(zip(row, row_scores, strict=True), start=1)
    )
    return _write_lines(path, lines)


# The other tasks


def _write_predictions(path: Path, images: Images) -> Path:
    """A classifier of ten digits, and the same classifier asked one yes-or-no question."""
    from sklearn.linear_model import LogisticRegression

    known, held_out = images.halves
    model = LogisticRegression(max_iter=1000).fit(images.pixels[known] / 16, images.digits[known])
    probabilities: Floats = model.predict_proba(images.pixels[held_out] / 16)
    labels, p_eight = images.digits[held_out], probabilities[:, 8]
    table = {
        "item": images.ids[held_out],
        "label": labels,
        "guess": probabilities.argmax(axis=1),
        "p": _significant(probabilities.max(axis=1)),
        "is_eight": _yes_or_no(labels == 8),
        "p_eight": _significant(p_eight),
        "says_eight": _yes_or_no(p_eight >= 0.5),
    }
    return _write_table(path, table)


def _write_clusters(path: Path, images: Images) -> Path:
    from sklearn.cluster import KMeans

    clusters = KMeans(n_clusters=10, n_init=5, random_state=0).fit_predict(images.pixels)
    return _write_table(path, {"item": images.ids, "c": clusters, "digit": images.digits})


def _write_values(path: Path, images: Images) -> Path:
    """The mean ink of the lower half of an image, guessed from its upper half."""
    from sklearn.linear_model import Ridge

    known, held_out = images.halves
    upper, ink = images.pixels[:, :32], images.pixels[:, 32:].mean(axis=1)
    guesses = Ridge(alpha=1.0).fit(upper[known], ink[known]).predict(upper[held_out])
    table = {"item": images.ids[held_out], "y": ink[held_out], "yhat": _significant(guesses)}
    return _write_table(path, table)


def _write_ratings(path: Path, images: Images) -> Path:
    """Two classifiers of different kind stand in for two assessors of the same images."""
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    known, held_out = images.halves
    assessors: dict[str, Any] = {
        "bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    ratings = [
        (item, name, label)
        for name, model in assessors.items()
        for item, label in zip(
            images.ids[held_out],
            model.fit(images.pixels[known], images.digits[known]).predict(images.pixels[held_out]),
            strict=True,
        )
    ]
    items, names, labels = zip(*sorted(ratings), strict=True)
    return _write_table(path, {"item": items, "assessor": names, "label": labels})


def _yes_or_no(answers: NDArray[np.bool_]) -> list[str]:
    return ["yes" if answer else "no" for answer in answers]


def _significant(numbers: Floats) -> list[str]:
    """Seven significant digits: tiny probabilities stay apart instead of all becoming 0."""
    return [f"{number:.7g}" for number in numbers]


def _write_table(path: Path, columns: Mapping[str, Iterable[object]]) -> Path:
    """A CSV file with a header; no cell here ever needs quoting."""
    rows = zip(*columns.values(), strict=True)
    return _write_lines(path, (",".join(map(str, row)) for row in [tuple(columns), *rows]))


def _write_lines(path: Path, lines: Iterable[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    return path
