"""Classification of a file too large for memory, or of data in parts: counts that add up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from assay.core.errors import DataError, UsageError, no_rows
from assay.core.map_ahead import map_ahead
from assay.core.progress import no_progress, report_progress
from assay.engine.scores import Scores
from assay.evidence.labels import (
    known_class,
    label_order,
    merge_orders,
    positive_class,
    unknown_class,
)
from assay.evidence.threshold_sum import ThresholdSum
from assay.evidence.views.confusion import Confusion, build_confusion
from assay.evidence.views.threshold_table import ScoredItems, ThresholdTable, read_scored_items
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.classification.predictions import NEEDS, ClassPredictions, read_table
from assay.tasks.counted_systems import CountedSystems
from assay.tasks.evidence import Measures
from assay.tasks.inputs.data_in_parts import (
    ROWS,
    input_tables,
    open_parts,
    options_in_use,
    read_tables,
    refuse_options,
    single_column,
)

_WHOLE_ONLY = (
    *("probabilities", "item", "by", "missing", "threshold"),
    *("split", "splits", "fold"),
)
"""What needs the whole table."""


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
    refuse_options(options_of_whole(columns))
    if columns.score is not None and columns.positive is None:
        raise UsageError("name the positive class: one part of the data does not know all labels")
    parts, whole = open_parts(parts), _Counts(columns.positive)
    counted = replace(columns, positive=None)

    def count(part: Any) -> _CountedPart:
        """Return the counts of a part."""
        return _count_part(read_table(part, counted), columns.positive)

    for part in map_ahead(count, read_tables(parts, rows, columns.needed)):
        whole.add(part)
        progress(f"{whole.items:,} rows")
    if not whole.items:
        raise no_rows()
    views, positive = whole.views()
    settled = {"profile": columns.profile, "positive": positive, "items": whole.items}
    left_out = () if columns.score is None else (NO_PROBABILITIES,)
    inputs = input_tables(parts, "decisions")
    return CountedSystems("classification", NEEDS, {columns.name: views}, settled, left_out, inputs)


NO_PROBABILITIES = (
    "the file was read in parts (`engine=streaming`): measures of probabilities, such as Brier, are"
    " left out"
)


def options_of_whole(columns: ClassificationColumns) -> list[str]:
    """Return the options in use that need the whole table."""
    return options_in_use(columns, _WHOLE_ONLY)


class _CountedPart(NamedTuple):
    """What is kept of a part."""

    items: int
    source: str
    labels: tuple[str, ...]
    order: tuple[str, ...]
    """The labels whose order was declared."""
    confusion: Confusion | None
    positive: str | None
    """The positive class as the labels of the part write it."""
    scores: ScoredItems | None


def _count_part(answers: ClassPredictions, positive: str | None) -> _CountedPart:
    decisions, confusion, scores = answers.table, None, None
    if "predicted" in decisions.frame.columns:
        confusion = build_confusion(decisions, None, label_order(answers.labels))
    if positive is not None:
        positive = known_class(positive, answers.labels)
        if "score" in decisions.frame.columns:
            scores = read_scored_items(decisions, positive)
    return _CountedPart(
        *(len(decisions), decisions.source.name, answers.labels, answers.order),
        *(confusion, positive, scores),
    )


@dataclass
class _Counts:
    """The counts of the parts so far."""

    asked: str | None
    """The positive class as it was named."""
    items: int = 0
    source: str = ""
    labels: set[str] = field(default_factory=set)
    order: tuple[str, ...] = ()
    confusion: Confusion | None = None
    thresholds: ThresholdSum = field(default_factory=ThresholdSum)
    scored: set[str] = field(default_factory=set)
    """The positive classes of the scores, of those parts in which they occur."""

    def add(self, part: _CountedPart) -> None:
        """Add the counts of a part."""
        self.items += part.items
        self.source = part.source
        self.labels |= {*part.labels}
        self.order = merge_orders(self.order, part.order) if part.order else self.order
        if part.confusion is not None:
            known = self.confusion
            self.confusion = part.confusion if known is None else known + part.confusion
        if part.scores is not None:
            self.thresholds.add(part.scores)
            self.scored |= {str(part.positive)} & {*part.labels}

    def views(self) -> tuple[dict[Any, Any], str | None]:
        """Return the views of the whole, and its positive class."""
        labels = label_order(self.labels, self.order)
        positive, views = self._positive(labels), dict[Any, Any]()
        if self.confusion is not None:
            views[Confusion] = replace(self.confusion.reorder(labels), positive=positive)
        if (table := self.thresholds.table()) is not None:
            views[ThresholdTable] = table
        return views, positive

    def _positive(self, labels: tuple[str, ...]) -> str | None:
        """Return the positive class as the data write it; refuse one that does not occur."""
        if self.asked is None:
            return positive_class(labels)
        positive = known_class(self.asked, labels)
        if positive not in labels:
            raise unknown_class(labels, positive, f"{self.source}: the positive class")
        if other := self.scored - {positive}:
            raise DataError(
                f"{self.source}: the positive class is '{positive}' in some parts of the data and"
                f" '{min(other)}' in others; write it in one way, or leave `engine=streaming` out"
            )
        return positive
