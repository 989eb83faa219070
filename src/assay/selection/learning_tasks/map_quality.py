"""Self-organizing maps: quantization and topographic error on held-out items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl

from assay.core.arrays import Floats, Ints
from assay.core.errors import UsageError
from assay.selection.learning.learners import require_sklearn
from assay.selection.learning_tasks.item_table import ItemTable, read_item_table
from assay.selection.learning_tasks.self_organizing_map import (
    MapTraining,
    best_units,
    quantization_errors,
    start_map,
    topographic_errors,
    train_map,
    u_matrix,
)
from assay.selection.learning_tasks.task_result import (
    ItemMeasure,
    TaskResult,
    compare_learners,
    learning_task,
    mean_interval,
    split_rows,
    unit_scores,
)
from assay.selection.scaling import standardize
from assay.statistics.intervals.ratio_intervals import POSITIVE
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Progress

TRAINED, START, MEANS = "map", "start", "k-means"
QUANTIZATION, TOPOGRAPHIC, LABEL = "quantization_error", "topographic_error", "unit_accuracy"
STAGES = 10


@dataclass(frozen=True, repr=False, kw_only=True)
class SelfOrganizingMap(TaskResult):
    """A map beside its start and k-means, with its U-matrix and the items of each unit."""

    title: ClassVar[str] = "Self-organizing map"
    systems: ClassVar[str] = "maps"

    weights: Floats
    """Rows × columns × features, of standardized features."""
    distances: Floats
    """The U-matrix: how far each unit is from the adjacent ones."""
    hits: Ints
    """The number of held-out items of each unit."""
    labels: tuple[tuple[str | None, ...], ...]
    """The most frequent class of the training items of each unit."""
    course: pl.DataFrame
    """The quantization error of held-out items while the map learns."""


@learning_task
def som(
    data: Any,
    target: Any = None,
    *,
    features: Sequence[str] | str | None = None,
    rows: int = 8,
    columns: int = 8,
    epochs: int = 10,
    by: Any = (),
    test_share: float = 0.3,
    seed: int = 1,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Progress = lambda text: None,
) -> SelfOrganizingMap:
    """Train a self-organizing map, and evaluate it on held-out items.

    The map of ``rows`` × ``columns`` units sees the training items ``epochs`` times in random
    order. The quantization error is the distance of an item to its best unit, the topographic error
    the share of items whose best two units are not adjacent. Beside the map are its start, a plane
    of the two main components, and k-means with as many units. With a ``target``, units have the
    most frequent class of their training items.
    """
    require_sklearn()
    if min(rows, columns, epochs) < 1:
        raise UsageError("`rows`, `columns` and `epochs` are 1 or more")
    table = read_item_table(data, target, features, "classification", by=by)
    table.require_differences()
    train, test = split_rows(table, test_share, seed)
    matrix = table.matrix()
    scaled = standardize(matrix, train)
    start = start_map(scaled[train], rows, columns)
    order = _learning_order(len(train), epochs, seed)
    weights, course = _train((scaled[train], scaled[test]), start, order, interval, progress)
    books = {TRAINED: weights, START: start, MEANS: _means(scaled[train], rows * columns, seed)}
    scores = unit_scores(
        _measures(table, (train, test), scaled, books), table.take(test).items,
        table.take(test).slices, interval,
    )  # fmt: skip
    comparison, why = compare_learners(scores, QUANTIZATION, TRAINED, seed, interval)
    hits = np.bincount(best_units(scaled[test], weights)[0][:, 0], minlength=rows * columns)
    return SelfOrganizingMap(
        scores=scores,
        comparison=comparison,
        tables={"while learning": course},
        notes=(
            f"{rows} × {columns} units, {len(test)} held-out items, features standardized",
            *table.feature_notes(),
            *why,
        ),
        weights=weights,
        distances=u_matrix(weights),
        hits=hits.reshape(rows, columns),
        labels=_labels(table, train, scaled, weights),
        course=course,
    )


def _learning_order(size: int, epochs: int, seed: int) -> Ints:
    """Return the training items in the order in which they are seen: a row for each epoch."""
    draw = np.random.default_rng(seed)
    return np.stack([draw.permutation(size) for _ in range(epochs)])


def _train(
    parts: tuple[Floats, Floats],
    start: Floats,
    order: Ints,
    interval: Bootstrap | None,
    progress: Progress,
) -> tuple[Floats, pl.DataFrame]:
    """Return the trained map, and the error of held-out items at some stages.

    The map of a stage has learned with its own, shorter schedule.
    """
    (train, test), epochs = parts, len(order)
    training = MapTraining(width=max(max(start.shape[:2]) / 4, 1.0))
    stages = np.unique(np.linspace(0, epochs, min(epochs, STAGES) + 1).round().astype(np.int64))
    rows = []
    weights = start
    for stage in stages.tolist():
        progress(f"epoch {stage} of {epochs}")
        weights = train_map(train, start, order[:stage].ravel(), training) if stage else start
        errors = quantization_errors(test, weights)
        low, high, _ = mean_interval(errors, interval, POSITIVE)
        rows.append((stage, float(errors.mean()), low, high))
    return weights, pl.DataFrame(rows, schema=["epochs", "value", "low", "high"], orient="row")


def _means(train: Floats, units: int, seed: int) -> Floats:
    """Return the centers of k-means as a row of units."""
    from sklearn.cluster import KMeans

    count = min(units, len(np.unique(train, axis=0)))
    model = KMeans(count, n_init=3, random_state=seed).fit(train)
    return np.asarray(model.cluster_centers_)[None]


def _measures(
    table: ItemTable, parts: tuple[Any, Any], scaled: Floats, books: dict[str, Floats]
) -> list[ItemMeasure]:
    """Return the errors of each held-out item."""
    train, test = parts
    quantized = {name: quantization_errors(scaled[test], own) for name, own in books.items()}
    found = [ItemMeasure(QUANTIZATION, quantized, "lower", POSITIVE)]
    torn = {n: topographic_errors(scaled[test], own) for n, own in books.items() if n != MEANS}
    torn[MEANS] = np.full(len(test), np.nan)
    why = "no two units are adjacent"
    found.append(ItemMeasure(TOPOGRAPHIC, torn, "lower", (0.0, 1.0), why))
    if table.target is not None:
        right = {}
        for name, own in books.items():
            flat = [each for row in _labels(table, train, scaled, own) for each in row]
            said = np.array(flat, dtype=object)[best_units(scaled[test], own)[0][:, 0]]
            right[name] = (said == table.truth[test]).astype(np.float64)
        found.append(ItemMeasure(LABEL, right, "higher", (0.0, 1.0)))
    return found


def _labels(
    table: ItemTable, train: Ints, scaled: Floats, weights: Floats
) -> tuple[tuple[str | None, ...], ...]:
    """Return the most frequent class of the training items of each unit; None without any."""
    size = weights.shape[0] * weights.shape[1]
    names: list[str | None] = [None] * size
    if table.target is not None:
        units = best_units(scaled[train], weights)[0][:, 0]
        truth = table.truth[train]
        for unit in np.unique(units).tolist():
            classes, counts = np.unique(truth[units == unit], return_counts=True)
            names[unit] = str(classes[counts.argmax()])
    width = weights.shape[1]
    return tuple(tuple(names[start : start + width]) for start in range(0, size, width))
