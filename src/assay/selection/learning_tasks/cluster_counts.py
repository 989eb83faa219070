"""The number of clusters: by silhouette, elbow, gap statistic and stability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl

from assay.core.arrays import Floats, Ints
from assay.core.definition import Ratio
from assay.core.errors import DataError, UsageError
from assay.evidence.views.points import Points
from assay.measures.points.cluster_separation import silhouette
from assay.selection.learning.learners import require_sklearn
from assay.selection.learning_tasks.item_table import ItemTable, read_item_table
from assay.selection.learning_tasks.task_result import (
    SHOWN,
    ItemMeasure,
    TaskResult,
    compare_learners,
    unit_scores,
)
from assay.statistics.intervals.interval_settings import NO_WIDTH
from assay.statistics.intervals.ratio_intervals import ratio_interval
from assay.statistics.intervals.unit_intervals import Bootstrap, mean_intervals
from assay.tasks.clustering.clustering import clustering
from assay.tasks.evidence import Progress

COUNTS = tuple(range(1, 11))
CRITERIA = ("silhouette", "elbow", "gap", "stability")
DRAWN = 0.8
"""The share of items in each of two samples whose clusterings are compared."""
ONE_CLUSTER = "one cluster has no other beside it"


@dataclass(frozen=True, repr=False, kw_only=True)
class ClusterCounts(TaskResult):
    """Criteria for each number of clusters, and the number that each one chooses."""

    title: ClassVar[str] = "Number of clusters"

    criteria: pl.DataFrame
    """A row for each criterion and number of clusters: its value and interval."""
    chosen: Mapping[str, int | None]
    """The number of clusters by criterion."""
    features: Floats
    clusterings: Mapping[int, Ints]
    """The cluster of each item, by the number of clusters."""


def clusters(
    data: Any,
    target: Any = None,
    *,
    features: Sequence[str] | str | None = None,
    counts: Sequence[float] = COUNTS,
    rounds: int = 20,
    by: Any = (),
    seed: int = 1,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Progress = lambda text: None,
) -> ClusterCounts:
    """Cluster items by k-means for several numbers of clusters, and choose one by four criteria.

    ``counts`` are the numbers of clusters. The silhouette is highest at the choice; the elbow is
    where the sums of squares bend most; the gap statistic takes the first count that is within one
    standard error of the next; stability is the agreement of clusterings of ``rounds`` pairs of
    samples. With a ``target`` each clustering is compared with the classes.
    """
    require_sklearn()
    task = None if target is None else "classification"
    table = read_item_table(data, target, features, task, by=by)
    matrix = table.matrix()
    spread = matrix.std(axis=0)
    scaled = (matrix - matrix.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    asked = _read_counts(counts, rounds, scaled, table)
    used = interval or Bootstrap()
    found: dict[int, Ints] = {}
    rows: list[tuple[Any, ...]] = []
    widths: dict[str, Floats] = {}
    for k in asked:
        progress(f"{k} clusters")
        found[k] = _cluster(scaled, k, seed)
        widths[f"k={k}"] = _silhouettes(scaled, found[k])
        rows += _criteria(scaled, found[k], widths[f"k={k}"], (k, rounds, seed), used)
    names = ["criterion", "k", "value", "low", "high", "error", "interval", "reasons"]
    criteria = pl.DataFrame(rows, schema=names, orient="row")
    column = ItemMeasure("silhouette", widths, "higher", (-1.0, 1.0), ONE_CLUSTER)
    scores = unit_scores([column], table.items, table.slices, used)
    chosen = _choose(criteria, asked)
    best = None if chosen["silhouette"] is None else f"k={chosen['silhouette']}"
    comparison, why = compare_learners(scores, "silhouette", best, seed)
    return ClusterCounts(
        scores=scores,
        comparison=comparison,
        tables={"criteria": criteria.drop("error"), **_agreement(table, found)},
        notes=(*_describe(chosen), *table.constant_notes(), *why),
        criteria=criteria,
        chosen=chosen,
        features=scaled,
        clusterings=found,
    )


def _read_counts(
    counts: Sequence[float], rounds: int, scaled: Floats, table: ItemTable
) -> list[int]:
    """Return the numbers of clusters in their order."""
    asked = sorted({int(each) for each in counts})
    distinct = len(np.unique(scaled, axis=0))
    if distinct < 2:
        raise DataError(f"{table.source.name}: all items are equal: there is nothing to divide")
    most = min(distinct, int(DRAWN * len(scaled)) - 1)
    if any(each % 1 for each in counts) or not asked or asked[0] < 1 or asked[-1] > most:
        raise UsageError(f"`counts` are whole numbers from 1 to {most} for these items")
    if rounds < 2:
        raise UsageError(f"`rounds` is {rounds}: at least 2 are needed")
    return asked


def _cluster(features: Floats, k: int, seed: int, starts: int = 10) -> Ints:
    from sklearn.cluster import KMeans

    labels: Ints = KMeans(k, n_init=starts, random_state=seed).fit_predict(features)
    return labels.astype(np.int64)


def _within(features: Floats, labels: Ints) -> Floats:
    """Return the squared distance of each item to the mean of its cluster."""
    sums = np.zeros((int(labels.max()) + 1, features.shape[1]))
    np.add.at(sums, labels, features)
    means = sums / np.bincount(labels)[:, None]
    squares: Floats = ((features - means[labels]) ** 2).sum(axis=1)
    return squares


def _silhouettes(features: Floats, labels: Ints) -> Floats:
    """Return the silhouette of each item, in the order of the items."""
    names = tuple(map(str, range(int(labels.max()) + 1)))
    points = Points.of(names, labels, features=features)
    values = np.empty(len(labels))
    values[[int(each) - 1 for each in points.items]] = silhouette(points)
    return values


def _criteria(
    features: Floats,
    labels: Ints,
    widths: Floats,
    settings: tuple[int, int, int],
    used: Bootstrap,
) -> list[tuple[Any, ...]]:
    """Return the rows of one number of clusters: silhouette, elbow, gap, stability."""
    k, rounds, seed = settings
    squares = _within(features, labels)
    total, size = float(squares.sum()), len(features)
    ends = ratio_interval(Ratio(squares, np.ones(size)), used, bounds=(0.0, np.inf))
    rows = [("elbow", k, total, ends[0] * size, ends[1] * size, np.nan, ends[2], None)]
    gap, error = gap_statistic(features, total, k, rounds, seed)
    rows.append(("gap", k, gap, gap - 1.96 * error, gap + 1.96 * error, error, "normal", None))
    if k == 1:
        nothing = (np.nan, np.nan, np.nan, np.nan, "", ONE_CLUSTER)
        return [*rows, ("silhouette", k, *nothing), ("stability", k, *nothing)]
    width = ratio_interval(Ratio(widths, np.ones(size)), used, bounds=(-1.0, 1.0))
    rows.append(("silhouette", k, float(widths.mean()), width[0], width[1], np.nan, width[2], None))
    agreement = stability(features, k, rounds, seed)
    low, high, method = np.nan, np.nan, NO_WIDTH
    if np.ptp(agreement) > 0:
        ((low, high, method),) = mean_intervals(agreement[:, None], Bootstrap(method="t"))
        high = min(high, 1.0)
    rows.append(("stability", k, float(agreement.mean()), low, high, np.nan, method, None))
    return rows


def gap_statistic(
    features: Floats, within: float, k: int, rounds: int, seed: int
) -> tuple[float, float]:
    """Return the gap statistic and its standard error (Tibshirani, Walther and Hastie 2001).

    It is the mean logarithm of the sum of squares within clusters of items without structure, less
    that of the data. Such items are uniform in the box around the data along its main components.
    """
    center = features.mean(axis=0)
    _, _, axes = np.linalg.svd(features - center, full_matrices=False)
    turned = (features - center) @ axes.T
    draw = np.random.default_rng(seed)
    low, high = turned.min(axis=0), turned.max(axis=0)
    logs = []
    for _ in range(rounds):
        drawn = draw.uniform(low, high, turned.shape)
        logs.append(np.log(max(_within(drawn, _cluster(drawn, k, seed, 2)).sum(), 1e-300)))
    error = float(np.std(logs)) * np.sqrt(1 + 1 / rounds)
    return float(np.mean(logs) - np.log(max(within, 1e-300))), error


def stability(features: Floats, k: int, rounds: int, seed: int) -> Floats:
    """Return the adjusted Rand index of two clusterings for each pair of samples of the items.

    Each sample has 80 % of the items; the clusterings are compared on the items of both.
    """
    from sklearn.metrics import adjusted_rand_score

    draw = np.random.default_rng(seed)
    size = len(features)
    found = []
    for _ in range(rounds):
        both = [np.sort(draw.permutation(size)[: int(DRAWN * size)]) for _ in range(2)]
        labels = [np.full(size, -1, dtype=np.int64) for _ in both]
        for own, rows in zip(labels, both, strict=True):
            own[rows] = _cluster(features[rows], k, int(draw.integers(2**31)), 3)
        shared = np.intersect1d(both[0], both[1])
        found.append(adjusted_rand_score(labels[0][shared], labels[1][shared]))
    return np.array(found)


def _choose(criteria: pl.DataFrame, asked: Sequence[int]) -> dict[str, int | None]:
    """Return the number of clusters by each criterion; None where none can be chosen."""
    by_name = {name: criteria.filter(criterion=name).sort("k") for name in CRITERIA}
    chosen: dict[str, int | None] = {}
    for name in ("silhouette", "stability"):
        defined = by_name[name].filter(pl.col("value").is_not_nan())
        best = defined.sort("value", "k", descending=True)["k"]
        chosen[name] = int(best[0]) if len(best) else None
    chosen["elbow"] = elbow(asked, by_name["elbow"]["value"].to_numpy())
    gaps, errors = (by_name["gap"][column].to_numpy() for column in ("value", "error"))
    within = np.flatnonzero(gaps[:-1] >= gaps[1:] - errors[1:])
    chosen["gap"] = asked[int(within[0])] if len(within) else None
    return {name: chosen[name] for name in CRITERIA}


def elbow(counts: Sequence[int], sums: Floats) -> int | None:
    """Return the count where the curve bends most; None for fewer than three counts.

    It is where the logarithm of the sum of squares is farthest below the line from the first to the
    last count: on the plain scale the first division would outweigh all others.
    """
    if len(counts) < 3 or not sums[0] > sums[-1]:
        return None
    across = (np.array(counts, dtype=np.float64) - counts[0]) / (counts[-1] - counts[0])
    logs = np.log(np.maximum(sums, sums[0] * 1e-12))
    down = (logs - logs[-1]) / (logs[0] - logs[-1])
    return int(counts[int(np.argmax(1 - across - down))])


def _describe(chosen: Mapping[str, int | None]) -> list[str]:
    """Say which number of clusters each criterion chooses."""
    words = [f"{name} {'none' if k is None else k}" for name, k in chosen.items()]
    notes = [f"number of clusters: {', '.join(words)}"]
    if chosen["gap"] is None:
        notes.append("the gap statistic still rises at the last count: try larger `counts`")
    return notes


def _agreement(table: ItemTable, found: Mapping[int, Ints]) -> dict[str, pl.DataFrame]:
    """Return how well each clustering agrees with the classes, where there are any."""
    if table.target is None:
        return {}
    labels = {f"k={k}": own for k, own in found.items()}
    scores = clustering(table.truth, labels, "ARI NMI")
    return {"agreement with the classes": scores.summary().filter(slice="all").select(SHOWN)}
