"""What an embedding keeps of the features: neighbors, classes, distances and variance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats, Ints
from assay.engine.result import ALL, Result
from assay.selection.learning_tasks.item_table import ItemTable
from assay.selection.learning_tasks.neighbor_ranks import distance_rows, neighbor_ranks
from assay.selection.learning_tasks.subsampling import (
    HALF,
    DependentMean,
    Subsamples,
    draw_subsamples,
    sampled_interval,
)
from assay.selection.learning_tasks.task_result import ItemMeasure
from assay.selection.scaling import standardize
from assay.statistics.intervals.interval_settings import Interval
from assay.statistics.intervals.ratio_intervals import POSITIVE
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Progress

MOST_COMPONENTS = 20
CLASSIFIER_NEIGHBORS = FOLDS = 5
MANY_ITEMS = 1000
"""Neighbors among fewer items are found from all distances."""
EVERYTHING = "all features"
TRUST, CONTINUITY = "trustworthiness", "continuity"
HIT, ACCURACY, EXPLAINED = "neighborhood_hit", "kNN_accuracy", "explained_variance"
SHARE = (0.0, 1.0)
TWO_FEATURES = "two features: it depends on |r| alone"
"""Why variance and stress have no interval: that of |r| near 0 would be too narrow."""
SAMPLED = 0.35
"""The share of items in each sample that shows how far the measures of neighbors move."""


def draw_samples(
    matrix: Floats, k: int, interval: Bootstrap | None, seed: int
) -> tuple[Subsamples | None, Subsamples | None]:
    """Return samples for measures of neighbors, and for those of distances and variance.

    Neighborhoods of k items are not too large in the samples.
    """
    if interval is None:
        return None, None
    least = max(2 * k + 2, 10)
    return (
        draw_subsamples(matrix.shape, SAMPLED, least, seed),
        draw_subsamples(matrix.shape, HALF, least, seed),
    )


@dataclass(frozen=True)
class SampledPlaces:
    """The features and the places of an embedding in samples of the items."""

    samples: Subsamples | None
    features: tuple[Floats, ...]
    """Of each sample, standardized again."""
    places: Mapping[str, tuple[Floats, ...]]
    """By embedding; one that is quick to make is made of each sample, others are as they are."""


def sample_places(
    matrix: Floats,
    found: Mapping[str, Floats],
    samples: Subsamples | None,
    again: Mapping[str, Callable[[Floats], Floats]],
) -> SampledPlaces:
    """Return the samples with their embeddings; ``again`` makes an embedding of other features."""
    rows = () if samples is None else samples.rows
    features = tuple(standardize(matrix[each]) for each in rows)
    places = {
        name: tuple(
            again[name](own) if name in again else whole[each]
            for own, each in zip(features, rows, strict=True)
        )
        for name, whole in found.items()
    }
    return SampledPlaces(samples, features, places)


def item_measures(
    table: ItemTable,
    matrix: Floats,
    found: Mapping[str, Floats],
    settings: tuple[int, int],
    sampled: SampledPlaces,
    progress: Progress,
) -> list[ItemMeasure]:
    """Return the measures that are means over items.

    They depend on the neighbors, and so on all items: they are computed again on samples.
    """
    k, seed = settings
    truth = None if table.target is None else table.truth
    rows = () if sampled.samples is None else sampled.samples.rows
    labels = [None if truth is None else truth[each] for each in rows]
    means: dict[str, dict[str, DependentMean]] = {}
    for name, places in found.items():
        progress(f"neighbors and distances: {name}")
        pairs = zip(sampled.features, sampled.places[name], labels, strict=True)
        drawn = [_item_values(*each, k, seed) for each in pairs]
        for measure, values in _item_values(matrix, places, truth, k, seed).items():
            again = np.array([each[measure] for each in drawn])
            shrinks = measure in (TRUST, CONTINUITY)
            one = DependentMean(values, sampled.samples, again, SHARE, shrinks=shrinks)
            means.setdefault(measure, {})[name] = one
    if truth is not None:
        drawn_right = [
            classify(each, own, seed) for each, own in zip(sampled.features, labels, strict=True)
        ]
        values = classify(matrix, truth, seed)
        one = DependentMean(values, sampled.samples, np.array(drawn_right), SHARE)
        means[ACCURACY][EVERYTHING] = one
    return [
        ItemMeasure(
            measure, {name: one.values for name, one in own.items()}, bounds=SHARE, dependent=own
        )
        for measure, own in means.items()
    ]


def _item_values(
    matrix: Floats, places: Floats, truth: Any, k: int, seed: int
) -> dict[str, Floats]:
    """Return the measures of each item."""
    ranks = neighbor_ranks(matrix, places, k)
    found = {TRUST: ranks.trustworthiness(), CONTINUITY: ranks.continuity()}
    if truth is not None:
        found[HIT] = (truth[ranks.embedded] == truth[:, None]).mean(axis=1)
        found[ACCURACY] = classify(places, truth, seed)
    return found


def classify(places: Floats, truth: Any, seed: int) -> Floats:
    """Return which items nearest neighbors classify right, each by the items of other folds."""
    from sklearn.model_selection import KFold

    names, codes = np.unique(truth, return_inverse=True)
    right = np.empty(len(codes))
    folds = KFold(min(FOLDS, len(truth)), shuffle=True, random_state=seed)
    count = min(CLASSIFIER_NEIGHBORS, len(truth) // 2)
    for train, test in folds.split(places):
        near = codes[train][_nearest(places[train], places[test], count)]
        votes = (near[..., None] == np.arange(len(names))).sum(axis=1)
        right[test] = votes.argmax(axis=1) == codes[test]
    return right


def _nearest(known: Floats, asked: Floats, count: int) -> Ints:
    """Return the places of the nearest known items to each item."""
    from scipy.spatial.distance import cdist
    from sklearn.neighbors import NearestNeighbors

    if len(known) > MANY_ITEMS:
        model = NearestNeighbors(n_neighbors=count).fit(known)
        return np.asarray(model.kneighbors(asked, return_distance=False))
    away = cdist(asked, known, "sqeuclidean")
    return np.argpartition(away, count - 1, axis=1)[:, :count]


def whole_results(
    name: str, matrix: Floats, places: Floats, sampled: SampledPlaces, used: Bootstrap | None
) -> list[Result]:
    """Return what is one number of all items: stress and explained variance."""
    values = stress(matrix, places), explained_variance(matrix, places)
    drawn = [
        (stress(own, its), explained_variance(own, its))
        for own, its in zip(sampled.features, sampled.places[name], strict=True)
    ]
    found = []
    for place, (measure, bounds) in enumerate((("stress", POSITIVE), (EXPLAINED, SHARE))):
        again = np.array([each[place] for each in drawn])
        ends = sampled_interval(values[place], again, sampled.samples, used, bounds)
        if matrix.shape[1] == 2 and np.isfinite(ends.low):
            ends = Interval(np.nan, np.nan, TWO_FEATURES)
        found.append(_set_result(name, measure, values[place], ends))
    return found


def _set_result(name: str, measure: str, value: float, ends: Interval) -> Result:
    better = "lower" if measure == "stress" else "higher"
    unit = {"units": ("all",), "values": np.array([value]), "reasons": (None,), "value": value}
    kind = {"aggregate": "whole", "unit_kind": "set", "better": better}
    return Result(name, ALL, measure, **unit, **kind, low=ends[0], high=ends[1], interval=ends[2])  # type: ignore[arg-type]


def stress(original: Floats, embedded: Floats) -> float:
    """Return Kruskal's stress: √(Σ (d − a e)² / Σ d²) over all pairs of items.

    d and e are their distances in the two spaces, and a is the one factor that makes it smallest,
    so that the scale of an embedding does not matter.
    """
    cross = squares = total = 0.0
    for _, first, second in distance_rows(original, embedded):
        first[np.isinf(first)] = second[np.isinf(second)] = 0.0
        total, squares = total + first.sum(), squares + second.sum()
        cross += np.sqrt(first * second, out=first).sum()
    factor = cross / squares if squares > 0 else 0.0
    missed = total - 2 * factor * cross + factor**2 * squares
    return float(np.sqrt(max(missed, 0.0) / total)) if total > 0 else np.nan


def explained_variance(original: Floats, embedded: Floats) -> float:
    """Return the share of the variance that a linear map of the embedding reproduces."""
    design = np.column_stack([embedded, np.ones(len(embedded))])
    weights = np.linalg.lstsq(design, original, rcond=None)[0]
    spread = float(((original - original.mean(axis=0)) ** 2).sum())
    return 1 - float(((original - design @ weights) ** 2).sum()) / spread if spread else np.nan


def principal_components(
    matrix: Floats, sampled: SampledPlaces, used: Bootstrap | None
) -> pl.DataFrame:
    """Return the share of variance of each principal component, and of all up to it."""
    shares = _component_shares(matrix)
    drawn = [_component_shares(own) for own in sampled.features]
    rows = []
    for place in range(min(len(shares), MOST_COMPONENTS)):
        row: dict[str, float] = {"component": place + 1}
        why = ""
        upto = slice(place + 1)
        for name, own in (("", slice(place, place + 1)), ("together_", upto)):
            value = float(shares[own].sum())
            again = np.array([each[own].sum() for each in drawn])
            low, high, how = sampled_interval(value, again, sampled.samples, used, SHARE)
            if len(shares) == 2 and np.isfinite(low):
                low, high, how = np.nan, np.nan, TWO_FEATURES
            if not name:
                why = how
            row |= {name.rstrip("_") or "share": value, f"{name}low": low, f"{name}high": high}
        rows.append({**row, "interval": why})
    return pl.DataFrame(rows)


def _component_shares(matrix: Floats) -> Floats:
    """Return the share of the variance along each main component."""
    squares = np.linalg.svd(matrix - matrix.mean(axis=0), compute_uv=False) ** 2
    return np.asarray(squares / squares.sum())
