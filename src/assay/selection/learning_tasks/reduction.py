"""Dimensionality reduction: what an embedding keeps of neighbors, distances and classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.definition import Ratio
from assay.core.errors import DataError, UsageError
from assay.engine.result import ALL, Result
from assay.evidence.views.points import matching_columns
from assay.selection.learning.learners import require_sklearn
from assay.selection.learning_tasks.curse_of_dimensionality import dimension_table
from assay.selection.learning_tasks.item_table import ItemTable, read_item_table
from assay.selection.learning_tasks.neighbor_ranks import distance_rows, neighbor_ranks
from assay.selection.learning_tasks.task_result import (
    ItemMeasure,
    TaskResult,
    choose_names,
    compare_learners,
    unit_scores,
)
from assay.statistics.intervals.ratio_intervals import ratio_interval
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Progress

MOST_ITEMS = 2000
"""Of more items the methods that need all distances are not computed by default."""
MOST_COMPONENTS = 20
CLASSIFIER_NEIGHBORS = 5
EVERYTHING = "all features"
HIT, ACCURACY, EXPLAINED = "neighborhood_hit", "kNN_accuracy", "explained_variance"
SHARE = (0.0, 1.0)
Embed = Callable[[Floats, int, int], Floats]
"""Takes scaled features, dimensions and a seed."""


def _pca(features: Floats, dimensions: int, seed: int) -> Floats:
    from sklearn.decomposition import PCA

    return np.asarray(PCA(dimensions, random_state=seed).fit_transform(features))


def _random(features: Floats, dimensions: int, seed: int) -> Floats:
    draw = np.random.default_rng(seed)
    return features @ draw.normal(size=(features.shape[1], dimensions)) / np.sqrt(dimensions)


def _isomap(features: Floats, dimensions: int, _seed: int) -> Floats:
    from sklearn.manifold import Isomap

    count = min(10, len(features) - 1)
    return np.asarray(Isomap(n_neighbors=count, n_components=dimensions).fit_transform(features))


def _tsne(features: Floats, dimensions: int, seed: int) -> Floats:
    from sklearn.manifold import TSNE

    near = min(30.0, (len(features) - 1) / 3)
    method = "barnes_hut" if dimensions < 4 else "exact"
    model = TSNE(dimensions, perplexity=near, random_state=seed, method=method)
    return np.asarray(model.fit_transform(features), dtype=np.float64)


METHODS: Mapping[str, Embed] = {
    "pca": _pca,
    "random": _random,
    "isomap": _isomap,
    "tsne": _tsne,
}
"""Principal components, a random projection, and two that follow neighborhoods."""
SLOW = ("isomap", "tsne")


@dataclass(frozen=True, repr=False, kw_only=True)
class DimensionReduction(TaskResult):
    """Embeddings by what they keep, the variance of components, the curse of dimensionality."""

    title: ClassVar[str] = "Dimensionality reduction"

    embeddings: Mapping[str, Floats]
    components: pl.DataFrame
    """The variance that each principal component explains, with its interval."""
    dimensions: pl.DataFrame
    """Contrast of distances and accuracy by the number of dimensions."""
    classes: tuple[str | None, ...]


def reduction(
    data: Any,
    target: Any = None,
    *,
    features: Sequence[str] | str | None = None,
    methods: Sequence[str] | str | None = None,
    dimensions: int = 2,
    embeddings: Mapping[str, Any] | None = None,
    neighbors: int = 5,
    by: Any = (),
    seed: int = 1,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Progress = lambda text: None,
) -> DimensionReduction:
    """Evaluate embeddings of the features in few dimensions.

    ``methods`` are pca, random, isomap and tsne. ``embeddings`` are further ones by name: arrays,
    or patterns of columns of the table, which are then no features. With a ``target``, the classes
    of items, the neighborhood hit and a classifier on the embedding are evaluated too. Features
    are standardized. ``neighbors`` is the size of neighborhoods.
    """
    require_sklearn()
    table, given = _read(data, target, features, embeddings or {}, by)
    matrix = _standardize(table.matrix())
    if dimensions < 1 or dimensions > matrix.shape[1]:
        raise UsageError(f"`dimensions` is {dimensions}: from 1 to {matrix.shape[1]} are possible")
    skipped = methods is None and len(table) > MOST_ITEMS
    default = [name for name in METHODS if not (skipped and name in SLOW)]
    asked = default if methods is None else choose_names(methods, METHODS, "method")
    found = dict(given)
    for name in asked:
        progress(name)
        found[name] = METHODS[name](matrix, dimensions, seed)
    used = interval or Bootstrap()
    progress("neighbors and distances")
    columns = _item_measures(table, matrix, found, neighbors, seed)
    scores = unit_scores(columns, table.items, table.slices, used)
    further = (_whole(name, matrix, own, used) for name, own in found.items())
    scores = replace(scores, results=(*scores.results, *chain(*further)))
    comparison, why = compare_learners(scores, "trustworthiness", next(iter(found)), seed)
    components = _components(matrix, used)
    by_dimension = dimension_table(used, seed)
    about = f"neighborhoods of {neighbors} items, features standardized"
    left = f"isomap and tsne are not computed of more than {MOST_ITEMS} items unless named"
    return DimensionReduction(
        scores=scores,
        comparison=comparison,
        tables={"components": components, "curse of dimensionality": by_dimension},
        notes=(about, *([left] if skipped else []), *table.constant_notes(), *why),
        embeddings=found,
        components=components,
        dimensions=by_dimension,
        classes=tuple([None] * len(table) if table.target is None else table.truth.tolist()),
    )


def _read(
    data: Any, target: Any, features: Any, embeddings: Mapping[str, Any], by: Any
) -> tuple[ItemTable, dict[str, Floats]]:
    """Return the items and the embeddings that were given."""
    patterns = {
        name: [own] if isinstance(own, str) else list(own)
        for name, own in embeddings.items()
        if isinstance(own, str) or all(isinstance(each, str) for each in own)
    }
    given: dict[str, Floats] = {}
    columns: list[str] = []
    if patterns:
        every = read_item_table(data, None, None)
        for name, listed in patterns.items():
            own = matching_columns(list(every.names), listed, every.source)
            given[name] = every.features[:, [every.names.index(each) for each in own]]
            columns += own
    task = None if target is None else "classification"
    table = read_item_table(data, target, features, task, by=by, left_out=columns)
    for name, own in embeddings.items():
        if name not in given:
            array = np.asarray(own, dtype=np.float64)
            given[name] = array[:, None] if array.ndim == 1 else array
        if len(given[name]) != len(table) or not np.isfinite(given[name]).all():
            raise DataError(
                f"the embedding {name} has {len(given[name])} rows, the data {len(table)}, or"
                " numbers that are not finite: a row of finite numbers is needed for each item"
            )
    return table, given


def _standardize(matrix: Floats) -> Floats:
    spread = matrix.std(axis=0)
    return (matrix - matrix.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def _item_measures(
    table: ItemTable, matrix: Floats, found: Mapping[str, Floats], k: int, seed: int
) -> list[ItemMeasure]:
    """Return the measures that are means over items."""
    ranks = {name: neighbor_ranks(matrix, own, k) for name, own in found.items()}
    columns = [
        ItemMeasure("trustworthiness", {n: r.trustworthiness() for n, r in ranks.items()}),
        ItemMeasure("continuity", {n: r.continuity() for n, r in ranks.items()}),
    ]
    if table.target is not None:
        truth = table.truth
        hits = {
            name: (truth[each.embedded] == truth[:, None]).mean(axis=1)
            for name, each in ranks.items()
        }
        columns.append(ItemMeasure(HIT, hits, bounds=SHARE))
        right = {name: _classify(own, truth, seed) for name, own in found.items()}
        right[EVERYTHING] = _classify(matrix, truth, seed)
        columns.append(ItemMeasure(ACCURACY, right, bounds=SHARE))
    return columns


def _classify(places: Floats, truth: Any, seed: int) -> Floats:
    """Return which items nearest neighbors classify right, each by a model trained without it."""
    from sklearn.model_selection import KFold, cross_val_predict
    from sklearn.neighbors import KNeighborsClassifier

    folds = KFold(min(5, len(truth)), shuffle=True, random_state=seed)
    count = min(CLASSIFIER_NEIGHBORS, len(truth) // 2)
    answers = cross_val_predict(KNeighborsClassifier(count), places, truth, cv=folds)
    return (answers == truth).astype(np.float64)


def _whole(name: str, matrix: Floats, embedded: Floats, used: Bootstrap) -> list[Result]:
    """Return what is a ratio of two sums over items: stress and explained variance."""
    missed, total = stress_parts(matrix, embedded)
    # A distance is of two items: an item moves the ratio by its own row and by its column.
    both = 2 * missed - missed.sum() / total.sum() * total
    stress = ratio_interval(Ratio(both, total), used, bounds=(0.0, np.inf))
    ends = [float(np.sqrt(max(end, 0.0))) for end in stress[:2]]
    rest, spread = variance_parts(matrix, embedded)
    lost = ratio_interval(Ratio(rest, spread), used, bounds=SHARE)
    kept = 1 - float(rest.sum() / spread.sum())
    return [
        _set_result(name, "stress", float(np.sqrt(missed.sum() / total.sum())), ends, stress[2]),
        _set_result(name, EXPLAINED, kept, [1 - lost[1], 1 - lost[0]], lost[2]),
    ]


def _set_result(
    name: str, measure: str, value: float, ends: Sequence[float], method: str
) -> Result:
    better = "lower" if measure == "stress" else "higher"
    unit = {"units": ("all",), "values": np.array([value]), "reasons": (None,), "value": value}
    kind = {"aggregate": "whole", "unit_kind": "set", "better": better}
    return Result(name, ALL, measure, **unit, **kind, low=ends[0], high=ends[1], interval=method)  # type: ignore[arg-type]


def stress_parts(original: Floats, embedded: Floats) -> tuple[Floats, Floats]:
    """Return, for each item, Σ (d − a e)² and Σ d² over all other items.

    d and e are its distances in the two spaces, and a is the one factor that makes the total
    smallest, so that the scale of an embedding does not matter. The square root of the ratio of the
    totals is Kruskal's stress.
    """
    cross, squares, total = (np.empty(len(original)) for _ in range(3))
    for rows, first, second in distance_rows(original, embedded):
        first[np.isinf(first)] = second[np.isinf(second)] = 0.0
        total[rows], squares[rows] = first.sum(axis=1), second.sum(axis=1)
        cross[rows] = np.sqrt(first * second, out=first).sum(axis=1)
    factor = cross.sum() / squares.sum() if squares.sum() > 0 else 0.0
    return np.maximum(total - 2 * factor * cross + factor**2 * squares, 0.0), total


def variance_parts(original: Floats, embedded: Floats) -> tuple[Floats, Floats]:
    """Return, for each item, what a linear map of the embedding misses of it, and its spread."""
    design = np.column_stack([embedded, np.ones(len(embedded))])
    weights = np.linalg.lstsq(design, original, rcond=None)[0]
    missed = ((original - design @ weights) ** 2).sum(axis=1)
    return missed, ((original - original.mean(axis=0)) ** 2).sum(axis=1)


def _components(matrix: Floats, used: Bootstrap) -> pl.DataFrame:
    """Return the share of variance of each principal component, and of all up to it.

    Both are ratios of sums over items, by which they have their intervals: a small change of the
    data changes the variance along a component, but to first order not by turning it.
    """
    centered = matrix - matrix.mean(axis=0)
    _, _, axes = np.linalg.svd(centered, full_matrices=False)
    squares = (centered @ axes.T) ** 2
    spread = (centered**2).sum(axis=1)
    rows = []
    for place in range(min(len(axes), MOST_COMPONENTS)):
        row: dict[str, float] = {"component": place + 1}
        upto = squares[:, : place + 1].sum(axis=1)
        for name, own in (("", squares[:, place]), ("together_", upto)):
            low, high, _ = ratio_interval(Ratio(own, spread), used, bounds=SHARE)
            share = float(own.sum() / spread.sum())
            row |= {name.rstrip("_") or "share": share, f"{name}low": low, f"{name}high": high}
        rows.append(row)
    return pl.DataFrame(rows)
