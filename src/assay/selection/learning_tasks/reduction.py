"""Dimensionality reduction: what an embedding keeps of neighbors, distances and classes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError
from assay.evidence.views.points import matching_columns
from assay.selection.learning.learners import require_sklearn
from assay.selection.learning_tasks.curse_of_dimensionality import dimension_table
from assay.selection.learning_tasks.embedding_quality import (
    TRUST,
    draw_samples,
    item_measures,
    principal_components,
    sample_places,
    whole_results,
)
from assay.selection.learning_tasks.item_columns import split_commas
from assay.selection.learning_tasks.item_table import ItemTable, read_item_table
from assay.selection.learning_tasks.subsampling import conservative_note
from assay.selection.learning_tasks.task_result import (
    TaskResult,
    choose_names,
    compare_learners,
    learning_task,
    unit_scores,
)
from assay.selection.scaling import standardize
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Progress

MOST_ITEMS = 2000
"""Of more items the methods that need all distances are not computed by default."""
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
    systems: ClassVar[str] = "embeddings"

    embeddings: Mapping[str, Floats]
    components: pl.DataFrame
    """The variance that each principal component explains, with its interval."""
    dimensions: pl.DataFrame
    """Contrast of distances and accuracy by the number of dimensions."""
    classes: tuple[str | None, ...]


@learning_task
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
    matrix = standardize(table.matrix())
    table.require_differences()
    _require_dimensions(dimensions, matrix.shape[1])
    skipped = methods is None and len(table) > MOST_ITEMS
    default = [name for name in METHODS if not (skipped and name in SLOW)]
    asked = default if methods is None else choose_names(methods, METHODS, "method")
    found = dict(given)
    for name in asked:
        progress(name)
        found[name] = METHODS[name](matrix, dimensions, seed)
    again = {"pca": lambda own: _pca(own, dimensions, seed)}  # quick enough for each sample
    near, halves = (
        sample_places(matrix, found, samples, again)
        for samples in draw_samples(matrix, neighbors, interval, seed)
    )
    columns = item_measures(table, matrix, found, (neighbors, seed), near, progress)
    scores = unit_scores(columns, table.items, table.slices, interval)
    further = (whole_results(name, matrix, own, halves, interval) for name, own in found.items())
    scores = replace(scores, results=(*scores.results, *chain(*further)))
    comparison, why = compare_learners(scores, TRUST, next(iter(found)), seed, interval)
    components = principal_components(matrix, halves, interval)
    by_dimension = dimension_table(interval, seed)
    return DimensionReduction(
        scores=scores,
        comparison=comparison,
        tables={"components": components, "curse of dimensionality": by_dimension},
        notes=(*_notes(table, neighbors, skipped, interval), *_whole_note(components), *why),
        embeddings=found,
        components=components,
        dimensions=by_dimension,
        classes=tuple([None] * len(table) if table.target is None else table.truth.tolist()),
    )


def _notes(
    table: ItemTable, neighbors: int, skipped: bool, interval: Bootstrap | None
) -> list[str]:
    """Say how the embeddings are evaluated, and what is left out."""
    left = f"isomap and tsne are not computed of more than {MOST_ITEMS} items unless named"
    return [
        f"neighborhoods of {neighbors} items, features standardized",
        *conservative_note("the embeddings and components", interval),
        *([left] if skipped else []),
        *table.feature_notes(),
    ]


def _whole_note(components: pl.DataFrame) -> list[str]:
    """Say why all components together have no interval, where each of them has one."""
    one, together = (components[name].is_finite().any() for name in ("low", "together_low"))
    last = components.row(-1, named=True)
    if not (one and together) or math.isfinite(last["together_low"]):
        return []
    return ["all components together explain the whole variance in every sample: no interval"]


def _require_dimensions(dimensions: int, most: int) -> None:
    """Raise an error for a number of dimensions that the features do not allow."""
    if not 1 <= dimensions <= most:
        known = f"from 1 to {most} are possible, the number of features"
        raise UsageError(f"`dimensions` is {dimensions}: {known}")


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
            split = split_commas(listed, every.names)
            own = matching_columns(list(every.names), split, every.source)
            given[name] = every.features[:, [every.names.index(each) for each in own]]
            columns += own
    table = read_item_table(data, target, features, "classification", by=by, left_out=columns)
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
