"""Classification of a file too large for memory, or of data in parts: counts that add up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from assay.core.errors import UsageError, no_rows
from assay.core.map_ahead import map_ahead
from assay.core.progress import no_progress, report_progress
from assay.engine.scores import Scores
from assay.evidence.labels import label_order, merge_orders, positive_class
from assay.evidence.threshold_sum import ThresholdSum
from assay.evidence.views.confusion import Confusion, build_confusion
from assay.evidence.views.threshold_table import ScoredItems, ThresholdTable, read_scored_items
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.classification.predictions import NEEDS, ClassPredictions, read_table
from assay.tasks.counted_systems import CountedSystems
from assay.tasks.evidence import Measures
from assay.tasks.inputs.data_in_parts import ROWS, read_tables, single_column

_WHOLE_ONLY = {
    name: getattr(ClassificationColumns(), name)
    for name in ("probabilities", "item", "by", "missing", "threshold")
}
"""What needs the whole table, with the values that mean that it is not used."""


def classification_in_parts(
    parts: Any,
    measures: Measures = None,
    columns: ClassificationColumns = ClassificationColumns(),  # noqa: B008 (frozen)
    *,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    rows: int = ROWS,
) -> Scores:
    """Return the scores of ``classification``, from a file read in parts or from several tables.

    Counts of parts add up exactly, so the result equals that of the whole to the last bit. With a
    score the positive class must be named, since no part knows all labels.
    """
    return count_classes(parts, columns, rows=rows).scores(measures, interval=interval)


def read_classes(data: Any, columns: ClassificationColumns) -> CountedSystems:
    """Return the counts of the classes in a file."""
    predicted, score = map(single_column, (columns.predicted, columns.score))
    counted = replace(columns, predicted=predicted, score=score)
    return count_classes(data, counted, progress=report_progress)


def count_classes(
    parts: Any,
    columns: ClassificationColumns,
    *,
    rows: int = ROWS,
    progress: Callable[..., None] = no_progress,
) -> CountedSystems:
    """Return the counts of a file read in parts, or of several tables; rows are reported."""
    positive = columns.positive
    if refused := options_of_whole(columns):
        raise UsageError(
            f"parts of the data cannot be read with {', '.join(refused)}; leave it out"
        )
    if columns.score is not None and positive is None:
        raise UsageError("name the positive class: one part of the data does not know all labels")
    confusion: Confusion | None = None
    counted, thresholds, items = replace(columns, positive=None), ThresholdSum(), 0
    order: tuple[str, ...] = ()

    def count(part: Any) -> _CountedPart:
        """Return the counts of a part."""
        return _count_part(read_table(part, counted), positive)

    for part in map_ahead(count, read_tables(parts, rows, columns.needed)):
        items += part.items
        progress(f"{items:,} rows")
        order = merge_orders(order, part.order) if part.order else order
        if part.confusion is not None:
            confusion = part.confusion if confusion is None else confusion + part.confusion
        if part.scores is not None:
            thresholds.add(part.scores)
    if not items:
        raise no_rows()
    views: dict[Any, Any] = {}
    if confusion is not None:
        matrix = confusion.reorder(label_order(confusion.labels, order))
        views[Confusion] = replace(matrix, positive=positive or positive_class(matrix.labels))
    if (table := thresholds.table()) is not None:
        views[ThresholdTable] = table
    settled = {"profile": columns.profile, "positive": positive, "items": items}
    left_out = () if columns.score is None else (NO_PROBABILITIES,)
    return CountedSystems("classification", NEEDS, {columns.name: views}, settled, left_out)


NO_PROBABILITIES = (
    "the file was read in parts (`engine=streaming`): measures of probabilities, such as Brier, are"
    " left out"
)


def options_of_whole(columns: ClassificationColumns) -> list[str]:
    """Return the options in use that need the whole table."""
    return [
        name
        for name, default in _WHOLE_ONLY.items()
        if getattr(columns, name) not in (default, None, ())
    ]


class _CountedPart(NamedTuple):
    """What is kept of a part."""

    items: int
    order: tuple[str, ...]
    """The labels whose order was declared."""
    confusion: Confusion | None
    scores: ScoredItems | None


def _count_part(answers: ClassPredictions, positive: str | None) -> _CountedPart:
    decisions, confusion, scores = answers.table, None, None
    if "predicted" in decisions.frame.columns:
        labels = label_order(answers.labels, () if positive is None else (positive,))
        confusion = replace(build_confusion(decisions, None, labels), positive=positive)
    if "score" in decisions.frame.columns and positive is not None:
        scores = read_scored_items(decisions, positive)
    return _CountedPart(len(decisions), answers.order, confusion, scores)
