"""Semi-supervised learning: induction and transduction when few items have a label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Floats, Ints
from assay.core.errors import DataError, UsageError
from assay.core.phrases import list_phrase, quantity
from assay.engine.scores import Scores
from assay.selection.learning.learners import require_sklearn
from assay.selection.learning_tasks.assumptions import check_assumptions
from assay.selection.learning_tasks.draw_intervals import draw_interval
from assay.selection.learning_tasks.item_table import ItemTable, Reading, read_item_table
from assay.selection.learning_tasks.semi_supervised_learners import LEARNERS, UNKNOWN
from assay.selection.learning_tasks.shown_labels import (
    LabelDraw,
    draw_labels,
    labeled_count,
    read_labeled,
    unlabeled_class_note,
)
from assay.selection.learning_tasks.subsampling import conservative_note
from assay.selection.learning_tasks.task_result import (
    TaskResult,
    choose_names,
    compare_learners,
    learning_task,
    read_shares,
    score_predictions,
)
from assay.selection.scaling import standardize
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Measures, Progress

SHARES = (0.02, 0.05, 0.1, 0.2, 0.5)
USUAL_SHARE = 0.1
"""The learners are compared at the share nearest to it."""
LEAST_LABELED = 2
FEW_LABELED = "too few labeled items of a class"


@dataclass(frozen=True, repr=False, kw_only=True)
class SemiSupervised(TaskResult):
    """Learners at one share of labeled items, their quality by share, and the assumptions."""

    title: ClassVar[str] = "Semi-supervised learning"

    share: float
    """The share of labeled items at which the learners are compared."""
    curve: pl.DataFrame
    """A row for each share and learner: the accuracy on unlabeled items over all rounds."""
    assumptions: pl.DataFrame
    features: Floats
    names: tuple[str, ...]
    """The columns of the features."""
    classes: tuple[str, ...]
    labels: Ints
    """The number of the class of each item; -1 where it is unknown."""
    labeled: Bools
    """Which items had their label in the first round."""
    predictions: Mapping[str, Ints]
    """The number of the predicted class of each item, in the first round."""


@dataclass(frozen=True)
class _Items:
    """Scaled features, numbered labels, and which items have a label."""

    table: ItemTable
    features: Floats
    labels: Ints
    known: Ints
    classes: tuple[str, ...]


@learning_task
def semisupervised(
    data: Any,
    target: Any,
    *,
    features: Sequence[str] | str | None = None,
    learners: Sequence[str] | str | None = None,
    shares: Sequence[float] = SHARES,
    labeled: Any = None,
    rounds: int = 10,
    measures: Measures = None,
    by: Any = (),
    seed: int = 1,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Progress = lambda text: None,
) -> SemiSupervised:
    """Evaluate learners that see the labels of a share of the items, on the other items.

    ``data`` is a table with the column ``target``, or an array of features with an array of labels.
    Items without a label are learned from, but cannot be evaluated. ``learners`` are induction,
    partitioning, label-propagation and self-training. Each of the ``rounds`` labels other items;
    every class has at least one labeled item. With ``labeled``, a column of yes and no or such
    values, learners see exactly these labels, once.
    """
    require_sklearn()
    table = read_item_table(
        data,
        target,
        features,
        "classification",
        by=by,
        allow=Reading(unlabeled=True),
        left_out=[labeled] if isinstance(labeled, str) else [],
    )
    names = choose_names(learners, LEARNERS, "learner")
    asked = read_shares(shares, "shares")
    if asked[0] == 0:
        raise UsageError("`shares` has 0: shares from above 0 to below 1 are expected")
    if rounds < 2:
        raise UsageError(f"`rounds` is {rounds}: at least 2 are needed")
    items = _read_items(table, 2 if labeled is None else 1)
    if labeled is None:
        at = min(asked, key=lambda share: abs(share - USUAL_SHARE))
        notes = _draw_notes(items, asked, at, rounds)
        draws: Iterable[LabelDraw] = draw_labels(items.labels, asked, rounds, seed)
    else:
        seen = read_labeled(data, labeled, table, items.known)
        at = int(seen.sum()) / len(items.known)
        notes = _named_notes(items, seen)
        draws = [LabelDraw("labels as named", at, seen)]
    accuracy, first = _run_rounds(items, names, draws, progress)
    return _result(items, accuracy, (at, *first[at]), measures, (seed, interval), notes)


def _result(
    items: _Items,
    accuracy: Mapping[tuple[float, str], list[float]],
    compared: tuple[float, Bools, dict[str, Ints]],
    measures: Measures,
    settings: tuple[int, Bootstrap | None],
    notes: list[str],
) -> SemiSupervised:
    """Return the learners compared at a share, with the curve of all shares and the assumptions."""
    (at, labeled, predictions), (seed, interval) = compared, settings
    scores = _score_unlabeled(items, labeled, predictions, measures, interval)
    comparison, why = compare_learners(
        scores, scores.measures[0], next(iter(predictions)), seed, interval
    )
    curve = _curve(items, accuracy, interval)
    known = items.known
    checked = check_assumptions(items.features[known], items.labels[known], interval, seed)
    further = _notes(items, _inseparable(items, labeled, predictions))
    return SemiSupervised(
        scores=scores,
        comparison=comparison,
        tables={"accuracy by share labeled": curve, "assumptions": checked},
        notes=(*notes, *further, *conservative_note("the assumptions", interval), *why),
        share=at,
        curve=curve,
        assumptions=checked,
        features=items.features,
        names=tuple(items.table.matrix_names()),
        classes=items.classes,
        labels=items.labels,
        labeled=labeled,
        predictions=predictions,
    )


def _read_items(table: ItemTable, least: int) -> _Items:
    """Return scaled features and numbered labels; every class needs so many items."""
    table.require_differences()
    scaled = standardize(table.matrix())
    target = table.target if table.target is not None else pl.Series([])
    classes = tuple(target.drop_nulls().unique().sort().to_list())
    places = {name: place for place, name in enumerate(classes)}
    labels = target.replace_strict(places, default=UNKNOWN, return_dtype=pl.Int64).to_numpy()
    counts = np.bincount(labels[labels >= 0], minlength=len(classes))
    if counts.min() < least:
        name = classes[int(counts.argmin())]
        raise DataError(
            f"{table.source.name}: the class {name} has one item: two or more are needed, one with"
            " its label and one to predict"
        )
    return _Items(table, scaled, labels, np.flatnonzero(labels >= 0), classes)


Rounds = dict[float, tuple[Bools, dict[str, Ints]]]


def _run_rounds(
    items: _Items, names: Sequence[str], draws: Iterable[LabelDraw], progress: Progress
) -> tuple[dict[tuple[float, str], list[float]], Rounds]:
    """Return the accuracy of each round, and what was labeled and predicted in the first."""
    accuracy: dict[tuple[float, str], list[float]] = {}
    first: Rounds = {}
    for about, share, labeled in draws:
        progress(about)
        tested = items.known[~labeled[items.known]]
        answers = {name: LEARNERS[name](items.features, items.labels, labeled) for name in names}
        for name, own in answers.items():
            right = float((own[tested] == items.labels[tested]).mean())
            accuracy.setdefault((share, name), []).append(right)
        first.setdefault(share, (labeled, answers))
    return accuracy, first


def _score_unlabeled(
    items: _Items,
    labeled: Bools,
    predictions: Mapping[str, Ints],
    measures: Measures,
    interval: Bootstrap | None,
) -> Scores:
    """Return the scores on the items whose label was not shown."""
    tested = np.setdiff1d(items.known, np.flatnonzero(labeled))
    names = np.array(items.classes, dtype=object)
    answers = {name: names[own[tested]].astype(str) for name, own in predictions.items()}
    return score_predictions(items.table.take(tested), answers, measures, interval=interval)


def _inseparable(items: _Items, labeled: Bools, predictions: Mapping[str, Ints]) -> int:
    """Return how many labeled items have another label after partitioning."""
    found = predictions.get("partitioning", items.labels)
    return int((labeled & (found != items.labels)).sum())


def _curve(
    items: _Items,
    accuracy: Mapping[tuple[float, str], list[float]],
    interval: Bootstrap | None,
) -> pl.DataFrame:
    """Return the mean accuracy over rounds, with its interval; none with too few labeled items."""
    rarest = np.bincount(items.labels[items.known]).min() / len(items.known)
    rows = []
    # With one labeled item of a class, rare rounds in which a learner fails decide about the mean.
    for (share, name), values in accuracy.items():
        column = np.array(values)
        low, high, method = draw_interval(column, interval, (0.0, 1.0))
        if np.isfinite(low) and rarest * _count(items, share) < LEAST_LABELED:
            low, high, method = np.nan, np.nan, FEW_LABELED
        rows.append((share, name, float(column.mean()), low, high, len(values), method))
    schema = ["share", "system", "value", "low", "high", "rounds", "interval"]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _count(items: _Items, share: float) -> int:
    return labeled_count(share, len(items.known), len(items.classes))


def _named_notes(items: _Items, labeled: Bools) -> list[str]:
    """Say that the labels were named, and which classes have none."""
    notes = [
        f"the learners see {quantity(int(labeled.sum()), 'label')}, as `labeled` says, and are"
        " compared on the other items"
    ]
    seen = np.bincount(items.labels[labeled], minlength=len(items.classes))
    without = [name for name, count in zip(items.classes, seen.tolist(), strict=True) if not count]
    if without:
        notes.append(f"no label is shown of {list_phrase(without)}: no learner can predict it")
    return notes


def _draw_notes(items: _Items, shares: Sequence[float], at: float, rounds: int) -> list[str]:
    """Say at which share learners are compared, and over what the intervals are."""
    notes = [
        f"the learners are compared with {100 * at:g}% labeled"
        f" ({quantity(_count(items, at), 'item')}), on the"
        f" other items; by share: means of {rounds} draws of labeled items, intervals over draws"
    ]
    few = [each for each in shares if round(each * len(items.known)) < len(items.classes)]
    if few:
        listed = list_phrase([f"{100 * each:g}%" for each in few])
        notes.append(
            f"{listed} labeled would be fewer items than classes: one item of each of the"
            f" {len(items.classes)} classes is labeled"
        )
    return notes


def _notes(items: _Items, apart: int) -> list[str]:
    """Say what was learned from without a label, and what cannot be separated."""
    without = len(items.labels) - len(items.known)
    notes = unlabeled_class_note(items.classes, items.labels)
    if without:
        notes.append(f"{quantity(without, 'item')} without a label: learned from, not evaluated")
    if apart:
        notes.append(
            f"{quantity(apart, 'labeled item')} in one place with an item of another label, which"
            " no partition separates: partitioning gives the most frequent label there"
        )
    return [*notes, *items.table.feature_notes()]
