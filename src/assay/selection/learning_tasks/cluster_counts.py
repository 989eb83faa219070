"""The number of clusters: by silhouette, elbow, gap statistic and stability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl

from assay.core.arrays import Floats, Ints
from assay.core.errors import UsageError
from assay.core.phrases import quantity
from assay.engine.scores import Scores
from assay.selection.learning.learners import require_sklearn
from assay.selection.learning_tasks.cluster_criteria import (
    DRAWN,
    SampledCriteria,
    cluster_items,
    gap_statistic,
    item_silhouettes,
    sample_criteria,
    stability,
    within_squares,
)
from assay.selection.learning_tasks.draw_intervals import draw_interval
from assay.selection.learning_tasks.item_table import ItemTable, read_item_table
from assay.selection.learning_tasks.subsampling import (
    DependentMean,
    conservative_note,
    error_interval,
)
from assay.selection.learning_tasks.task_result import (
    SHOWN,
    ItemMeasure,
    TaskResult,
    compare_learners,
    learning_task,
    unit_scores,
)
from assay.selection.scaling import standardize
from assay.statistics.intervals.interval_settings import TOO_FEW, Interval
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.clustering.clustering import clustering
from assay.tasks.evidence import Progress

COUNTS = tuple(range(1, 11))
CRITERIA = ("silhouette", "elbow", "gap", "stability")
ONE_CLUSTER = "one cluster has no other beside it"


@dataclass(frozen=True, repr=False, kw_only=True)
class ClusterCounts(TaskResult):
    """Criteria for each number of clusters, and the number that each one chooses."""

    title: ClassVar[str] = "Number of clusters"
    systems: ClassVar[str] = "numbers of clusters"

    criteria: pl.DataFrame
    """A row for each criterion and number of clusters: its value and interval."""
    chosen: Mapping[str, int | None]
    """The number of clusters by criterion."""
    features: Floats
    names: tuple[str, ...]
    """The columns of the features."""
    clusterings: Mapping[int, Ints]
    """The cluster of each item, by the number of clusters."""


@learning_task
def clusters(
    data: Any,
    target: Any = None,
    *,
    features: Sequence[str] | str | None = None,
    counts: Sequence[float] | None = None,
    rounds: int = 20,
    by: Any = (),
    seed: int = 1,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Progress = lambda text: None,
) -> ClusterCounts:
    """Cluster items by k-means for several numbers of clusters, and choose one by four criteria.

    ``counts`` are the numbers of clusters, by default 1 to 10, or as many as the items allow. The
    silhouette is highest at the choice; the elbow is
    where the sums of squares bend most; the gap statistic takes the first count that is within one
    standard error of the next; stability is the agreement of clusterings of ``rounds`` pairs of
    samples. With a ``target`` each clustering is compared with the classes.
    """
    require_sklearn()
    table = read_item_table(data, target, features, "classification", by=by)
    matrix = table.matrix()
    scaled = standardize(matrix)
    asked = _read_counts(counts, rounds, scaled, table)
    progress("samples of half the items")
    sampled = None if interval is None else sample_criteria(matrix, asked, seed)
    found: dict[int, Ints] = {}
    rows: list[tuple[Any, ...]] = []
    for place, k in enumerate(asked, 1):
        progress(f"{quantity(k, 'cluster')}, {place} of {len(asked)}")
        found[k] = cluster_items(scaled, k, seed)
        rows += _criteria(k, (scaled, found[k]), (rounds, seed), sampled, interval)
    column = _silhouettes(scaled, found, sampled)
    scores = unit_scores([column], table.items, table.slices, interval)
    criteria = _criteria_table(scores, rows)
    chosen = _choose(criteria, asked)
    best = None if chosen["silhouette"] is None else f"k={chosen['silhouette']}"
    comparison, why = compare_learners(scores, "silhouette", best, seed, interval)
    return ClusterCounts(
        scores=scores,
        comparison=comparison,
        tables={"criteria": criteria.drop("error"), **_agreement(table, found, interval)},
        notes=(
            *_describe(chosen),
            *conservative_note("silhouette, elbow and gap", interval),
            *table.feature_notes(),
            *why,
        ),
        criteria=criteria,
        chosen=chosen,
        features=scaled,
        names=tuple(table.matrix_names()),
        clusterings=found,
    )


def _silhouettes(
    scaled: Floats, found: Mapping[int, Ints], sampled: SampledCriteria | None
) -> ItemMeasure:
    """Return the silhouette of each item, and in samples of the items."""
    widths = {f"k={k}": item_silhouettes(scaled, labels) for k, labels in found.items()}
    samples = None if sampled is None else sampled.samples
    means = {
        f"k={k}": DependentMean(
            widths[f"k={k}"],
            samples,
            np.empty((0, 0)) if sampled is None else sampled.widths[k],
            bounds=(-1.0, 1.0),
        )
        for k in found
    }
    return ItemMeasure("silhouette", widths, "higher", (-1.0, 1.0), ONE_CLUSTER, means)


def _read_counts(
    counts: Sequence[float] | None, rounds: int, scaled: Floats, table: ItemTable
) -> list[int]:
    """Return the numbers of clusters in their order."""
    table.require_differences()
    distinct = len(np.unique(scaled, axis=0))
    most = min(distinct, int(DRAWN * len(scaled)) - 1)
    if counts is None:
        counts = [each for each in COUNTS if each <= max(most, 1)]
    asked = sorted({int(each) for each in counts})
    if any(each % 1 for each in counts) or not asked or asked[0] < 1 or asked[-1] > most:
        listed = ", ".join(f"{each:g}" for each in counts)
        raise UsageError(
            f"`counts` is {listed or 'empty'}: whole numbers from 1 to {most} are possible for"
            f" {quantity(len(scaled), 'item')}, {distinct} of them different"
        )
    if rounds < 2:
        raise UsageError(f"`rounds` is {rounds}: at least 2 are needed")
    return asked


def _criteria(
    k: int,
    data: tuple[Floats, Ints],
    settings: tuple[int, int],
    sampled: SampledCriteria | None,
    used: Bootstrap | None,
) -> list[tuple[Any, ...]]:
    """Return the rows of one number of clusters: elbow, gap and stability."""
    (features, labels), (rounds, seed) = data, settings
    total, size = within_squares(features, labels), len(features)
    gap, error = gap_statistic(features, total, k, rounds, seed)
    square_ends = gap_ends = Interval(np.nan, np.nan, "" if used is None else TOO_FEW)
    if used is not None and sampled is not None:
        spread = size * sampled.samples.error(sampled.squares[k])
        square_ends = error_interval(total, spread, used, (0.0, np.inf))
        whole = float(np.hypot(sampled.gap_error(k), error / np.sqrt(rounds)))
        gap_ends = error_interval(gap, whole, used)
    rows: list[tuple[Any, ...]] = [
        ("elbow", k, total, *square_ends[:2], np.nan, square_ends.method, None),
        ("gap", k, gap, *gap_ends[:2], error, gap_ends.method, None),
    ]
    if k == 1:
        return [*rows, ("stability", k, np.nan, np.nan, np.nan, np.nan, "", ONE_CLUSTER)]
    agreement = stability(features, k, rounds, seed)
    low, high, method = draw_interval(agreement, used, (-1.0, 1.0))
    return [*rows, ("stability", k, float(agreement.mean()), low, high, np.nan, method, None)]


def _criteria_table(scores: Scores, rows: list[tuple[Any, ...]]) -> pl.DataFrame:
    """Return the criteria, one after the other."""
    names = ["criterion", "k", "value", "low", "high", "error", "interval", "reasons"]
    others = sorted(rows, key=lambda row: CRITERIA.index(row[0]))
    found = [*_silhouette_rows(scores), *others]
    return pl.DataFrame(found, schema=names, orient="row", infer_schema_length=None)


def _silhouette_rows(scores: Scores) -> list[tuple[Any, ...]]:
    """Return the silhouettes among the criteria."""
    return [
        (
            *("silhouette", int(each.system.removeprefix("k=")), each.value, each.low, each.high),
            *(np.nan, each.interval, ONE_CLUSTER if np.isnan(each.value) else None),
        )
        for each in scores.of("silhouette")
    ]


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


def _agreement(
    table: ItemTable, found: Mapping[int, Ints], interval: Bootstrap | None
) -> dict[str, pl.DataFrame]:
    """Return how well each clustering agrees with the classes, where there are any."""
    if table.target is None:
        return {}
    labels = {f"k={k}": own for k, own in found.items()}
    scores = clustering(table.truth, labels, "ARI NMI", interval=interval)
    return {"agreement with the classes": scores.summary().filter(slice="all").select(SHOWN)}
