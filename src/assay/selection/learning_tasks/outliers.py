"""Outlier detection: detectors by areas and precision at n, on clean and contaminated data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Floats
from assay.core.errors import DataError, UsageError
from assay.core.phrases import quantity
from assay.engine.scores import Scores
from assay.formats.arrays import text_of
from assay.selection.learning.learners import require_sklearn
from assay.selection.learning_tasks.item_table import ItemTable, read_item_table
from assay.selection.learning_tasks.precision_at_n import precision_result
from assay.selection.learning_tasks.task_result import (
    TaskResult,
    choose_names,
    compare_learners,
    learning_task,
    read_shares,
    slice_rows,
    split_rows,
    summary_rows,
)
from assay.selection.scaling import standardize
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.classification import classification
from assay.tasks.evidence import Progress

SHARES = (0.0, 0.02, 0.05, 0.1)
NEIGHBORS = 20
OUTLIER, NORMAL = "outlier", "normal"
Detect = Callable[[Floats, Floats, int], Floats]
"""Takes training features, test features and a seed; returns how far each test item is outside."""


def _forest(train: Floats, test: Floats, seed: int) -> Floats:
    from sklearn.ensemble import IsolationForest

    return -np.asarray(IsolationForest(random_state=seed).fit(train).score_samples(test))


def _local(train: Floats, test: Floats, _seed: int) -> Floats:
    from sklearn.neighbors import LocalOutlierFactor

    count = min(NEIGHBORS, len(train) - 1)
    model = LocalOutlierFactor(n_neighbors=count, novelty=True).fit(train)
    return -np.asarray(model.score_samples(test))


def _neighbors(train: Floats, test: Floats, _seed: int) -> Floats:
    """Return the distance to the fifth nearest training item."""
    from sklearn.neighbors import NearestNeighbors

    count = min(5, len(train))
    return np.asarray(NearestNeighbors(n_neighbors=count).fit(train).kneighbors(test)[0][:, -1])


def _covariance(train: Floats, test: Floats, seed: int) -> Floats:
    """Return the squared distance by a robust covariance."""
    from sklearn.covariance import MinCovDet

    model = MinCovDet(random_state=seed, support_fraction=0.9).fit(train)
    return np.asarray(model.mahalanobis(test))


def _support(train: Floats, test: Floats, _seed: int) -> Floats:
    from sklearn.svm import OneClassSVM

    return -np.asarray(OneClassSVM(nu=0.1).fit(train).decision_function(test))


DETECTORS: Mapping[str, Detect] = {
    "isolation-forest": _forest,
    "local-outlier-factor": _local,
    "neighbors": _neighbors,
    "covariance": _covariance,
    "one-class-svm": _support,
}
"""scikit-learn's detectors, and the distance to the fifth neighbor."""


@dataclass(frozen=True, repr=False, kw_only=True)
class OutlierDetection(TaskResult):
    """Detectors trained on normal items, and by the share of outliers among the training items."""

    title: ClassVar[str] = "Outlier detection"
    systems: ClassVar[str] = "detectors"

    curve: pl.DataFrame
    """A row for each share of contamination, detector and measure."""
    outlier: str
    """The class of the outliers."""
    item_scores: Mapping[str, Floats]
    """The score of each test item by detector, trained on normal items."""
    truth: Bools
    """Which test items are outliers."""


@dataclass(frozen=True)
class _Parts:
    """Scaled training and test items; training items are normal or outliers."""

    normal: Floats
    outliers: Floats
    test: Floats
    table: ItemTable
    truth: Bools

    def contaminated(self, share: float) -> Floats:
        """Return the normal training items with so large a share of outliers among them."""
        return np.concatenate([self.normal, self.outliers[: self.outliers_for(share)]])

    def outliers_for(self, share: float) -> int:
        """Return how many outliers beside the normal training items are such a share."""
        return round(share * len(self.normal) / (1 - share))


@learning_task
def outliers(
    data: Any,
    target: Any,
    *,
    positive: Any = None,
    features: Sequence[str] | str | None = None,
    detectors: Sequence[str] | str | None = None,
    contamination: Sequence[float] = SHARES,
    by: Any = (),
    test_share: float = 0.5,
    seed: int = 1,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Progress = lambda text: None,
) -> OutlierDetection:
    """Evaluate detectors of outliers by ROC and PR areas and by the precision at n.

    ``target`` says which items are outliers: ``positive`` is their class, by default the rarer one
    of two. Detectors learn without it, from normal items alone and from training items among which
    the shares of ``contamination`` are outliers; their scores are evaluated on test items. n of P@n
    is the number of outliers among the test items.
    """
    require_sklearn()
    table = read_item_table(data, target, features, "classification", by=by)
    names = choose_names(detectors, DETECTORS, "detector")
    shares = read_shares(contamination, "contamination")
    table.require_differences()
    outlier = _outlier_class(table, positive)
    parts = _split(table, outlier, test_share, seed)
    usable = _usable_shares(parts, shares)
    items, failed = _detect(parts, names, usable, seed, progress)
    found = {share: _score(parts, own, interval) for share, own in items.items()}
    first, chosen = items[usable[0]], found[usable[0]]
    comparison, why = compare_learners(chosen, "AUC", next(iter(first)), seed, interval)
    curve = pl.concat(summary_rows(own, contamination=share) for share, own in found.items())
    return OutlierDetection(
        scores=chosen,
        comparison=comparison,
        tables={"by contamination": curve.filter(measure="AUC")},
        notes=(
            f"outliers ({outlier}): {int(parts.truth.sum())} of {len(parts.test)} test items",
            f"the detectors are compared with {usable[0]:.0%} outliers in the training items",
            *(
                f"too few outliers to contaminate the training items with {share:.0%}"
                for share in shares
                if share not in usable
            ),
            *failed,
            *table.feature_notes(),
            *why,
        ),
        curve=curve,
        outlier=outlier,
        item_scores=first,
        truth=parts.truth,
    )


def _usable_shares(parts: _Parts, shares: Sequence[float]) -> list[float]:
    """Return the shares of contamination that there are enough outliers for."""
    usable = [share for share in shares if parts.outliers_for(share) <= len(parts.outliers)]
    if not usable:
        raise DataError(
            f"{parts.table.source.name}: there are too few outliers for any share of"
            " `contamination`: add 0"
        )
    return usable


def _detect(
    parts: _Parts, names: Sequence[str], shares: Sequence[float], seed: int, progress: Progress
) -> tuple[dict[float, dict[str, Floats]], list[str]]:
    """Return the scores of test items at each share, and why detectors are left out."""
    found: dict[float, dict[str, Floats]] = {}
    failed: dict[str, str] = {}
    for share in shares:
        progress(f"{share:.0%} outliers in the training items")
        train = parts.contaminated(share)
        found[share] = {}
        for name in names:
            try:
                found[share][name] = DETECTORS[name](train, parts.test, seed)
            except ValueError as why:  # scikit-learn refuses the training items
                failed[name] = f"{name} is left out, it cannot be trained: {why}"
    kept = [name for name in names if name not in failed]
    if not kept:
        raise DataError(f"{parts.table.source.name}: {'; '.join(failed.values())}")
    return {share: {name: own[name] for name in kept} for share, own in found.items()}, [
        *failed.values()
    ]


def _outlier_class(table: ItemTable, positive: Any) -> str:
    """Return the class of the outliers: as named, or the rarer one of two."""
    classes, counts = np.unique(table.truth, return_counts=True)
    if positive is not None:
        named = str(text_of(positive))
        if named not in classes:
            raise UsageError(f"no item has the class '{named}'; there are {', '.join(classes)}")
        return named
    if len(classes) > 2:
        raise UsageError(
            f"there are {len(classes)} classes: name that of the outliers with `positive`"
        )
    return str(classes[np.argmin(counts)])


def _split(table: ItemTable, outlier: str, test_share: float, seed: int) -> _Parts:
    """Return training and test items, scaled by the normal training items."""
    train, test = split_rows(table, test_share, seed)
    matrix, is_outlier = table.matrix(), table.truth == outlier
    normal, strange = train[~is_outlier[train]], train[is_outlier[train]]
    truth = is_outlier[test]
    if len(normal) < 5 or not truth.any() or truth.all():
        raise DataError(
            f"{table.source.name}: {len(normal)} normal training items, {int(truth.sum())} outliers"
            f" among {quantity(len(test), 'test item')}: at least 5 normal items to train on, and"
            " outliers and normal items to test are needed"
        )
    scaled = standardize(matrix, normal)
    order = np.random.default_rng(seed).permutation(strange)
    return _Parts(scaled[normal], scaled[order], scaled[test], table.take(test), truth)


def _score(parts: _Parts, scores: Mapping[str, Floats], interval: Bootstrap | None) -> Scores:
    """Return the areas and the precision at n of each detector, over all and by slice."""
    from scipy.stats import rankdata

    table = parts.table
    # Areas depend on the order alone; scores between 0 and 1 would be taken for probabilities.
    ranks = {name: rankdata(own) for name, own in scores.items()}
    areas = classification(
        np.where(parts.truth, OUTLIER, NORMAL),
        None,
        "AUC AP",
        y_score=ranks,
        positive=OUTLIER,
        item=table.items,
        by=dict(table.slices or {}),
        name=next(iter(scores)),
        interval=interval,
    )
    precision = [
        precision_result(name, part, own[rows], parts.truth[rows], interval)
        for name, own in scores.items()
        for part, rows in slice_rows(table.slices or {}, len(parts.truth)).items()
    ]
    return replace(areas, results=(*areas.results, *precision))
