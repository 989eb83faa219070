"""Evaluation of a file too large for memory, or of data in parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import add
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import FormatError, UsageError, no_rows
from assay.core.names import Measure
from assay.core.progress import no_progress
from assay.core.tables import Source, Table, Values
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.evidence.labels import label_order, merge_orders, positive_class
from assay.evidence.views.confusion import Confusion, build_confusion
from assay.evidence.views.threshold_table import ThresholdTable, build_threshold_table
from assay.evidence.views.value_pairs import ValueMoments, build_value_pairs
from assay.formats.containers import to_frame
from assay.formats.delimited_parts import delimited_parts
from assay.formats.input_files import Input
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.classification.predictions import NEEDS as OF_ANSWERS
from assay.tasks.classification.predictions import ClassPredictions, read_table
from assay.tasks.evidence import Evaluation, Measures, TaskEvidence, Views
from assay.tasks.inputs.table_columns import named_columns, needed_columns
from assay.tasks.regression.regression import NEEDS as OF_VALUES
from assay.tasks.table_profiles import apply_profile

ROWS = 1_000_000
"""How many rows of a file are in memory at once."""
_WHOLE_ONLY = {
    name: getattr(ClassificationColumns(), name)
    for name in ("probabilities", "item", "by", "missing", "threshold")
}
"""What needs the whole table, with the values that mean that it is not used."""


@dataclass(frozen=True)
class CountedEvidence(TaskEvidence):
    """One system, whose views were added up from parts of the data."""

    task: str
    needs: Mapping[Any, str]
    name: str
    counted: Mapping[type, Any]
    settled: Mapping[str, Any]
    """The conventions."""
    notes: tuple[str, ...] = ()

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return what is left out."""
        return self.notes

    @property
    def systems(self) -> tuple[str, ...]:
        """The name of the system."""
        return (self.name,)

    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return the views."""
        return {kind: partial(self.counted.get, kind) for kind in self.counted}

    def configure(self, measures: list[Measure]) -> list[Measure]:
        """Return the measures with the parameters of the profile."""
        return apply_profile(measures, self.settled.get("profile", "assay"))

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the conventions."""
        return dict(self.settled)


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


def count_classes(
    parts: Any,
    columns: ClassificationColumns,
    *,
    rows: int = ROWS,
    progress: Callable[..., None] = no_progress,
) -> CountedEvidence:
    """Return the counts of a file read in parts, or of several tables; rows are reported."""
    positive = columns.positive
    if refused := options_of_whole(columns):
        raise UsageError(
            f"parts of the data cannot be read with {', '.join(refused)}; leave it out"
        )
    if columns.score is not None and positive is None:
        raise UsageError("name the positive class: one part of the data does not know all labels")
    views: dict[type, Any] = {}
    counted = replace(columns, positive=None)
    items = 0
    order: tuple[str, ...] = ()
    for part in _read_tables(parts, rows, columns.needed):
        answers = read_table(part, counted)
        items += len(answers.table)
        progress(f"{items:,} rows")
        order = merge_orders(order, answers.order) if answers.order else order
        for kind, view in _count_parts(answers, positive).items():
            views[kind] = views[kind] + view if kind in views else view
    if not items:
        raise no_rows()
    if Confusion in views:
        found = views[Confusion].reorder(label_order(views[Confusion].labels, order))
        views[Confusion] = replace(found, positive=positive or positive_class(found.labels))
    settled = {"profile": columns.profile, "positive": positive, "items": items}
    left_out = () if columns.score is None else (NO_PROBABILITIES,)
    return CountedEvidence("classification", OF_ANSWERS, columns.name, views, settled, left_out)


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


def _count_parts(answers: ClassPredictions, positive: str | None) -> dict[type, Any]:
    decisions = answers.table
    views: dict[type, Any] = {}
    if "predicted" in decisions.frame.columns:
        extra = () if positive is None else (positive,)
        views[Confusion] = replace(build_confusion(decisions, None, extra), positive=positive)
    if "score" in decisions.frame.columns and positive is not None:
        views[ThresholdTable] = build_threshold_table(decisions, positive)
    return views


def regression_in_parts(
    parts: Any,
    measures: Measures = None,
    *,
    truth: str = "truth",
    predicted: str = "predicted",
    weight: str | None = None,
    name: str = "predictor",
    rows: int = ROWS,
) -> Scores:
    """Return the scores of ``regression`` for measures of moments, from parts of the data.

    Moments of parts merge in centered form. There are no intervals, since items are not kept.
    """
    columns = {"truth": truth, "predicted": predicted, "weight": weight}

    def moments() -> Iterator[ValueMoments]:
        """Yield the moments of each part."""
        for part in _read_tables(parts, rows, needed_columns(columns)):
            frame, source = to_frame(part, "the values")
            values = Values.of(named_columns(frame, source, columns), source)
            yield build_value_pairs(values, as_given=True).moments

    whole: ValueMoments = reduce(add, moments())
    items = {"items": float(whole.weight[0])}
    evidence = CountedEvidence("regression", OF_VALUES, name, {ValueMoments: whole}, items)
    return evidence.scores(measures, interval=None)


def _read_tables(parts: Any, rows: int, columns: frozenset[str] | None) -> Iterable[Any]:
    return _read_chunks(parts, rows, columns) if isinstance(parts, str | Path) else parts


def _text_parts(file: Input, rows: int, columns: frozenset[str] | None) -> Iterator[pl.DataFrame]:
    """Yield the columns of a delimited file, at most so many rows at a time."""
    for part in delimited_parts(file, columns):
        yield from part.iter_slices(rows)


def _parquet_parts(
    file: Input, rows: int, columns: frozenset[str] | None
) -> Iterator[pl.DataFrame]:
    """Yield the columns of a Parquet file, so many rows at a time."""
    lazy = pl.scan_parquet(file.path, glob=False)
    if columns is not None and columns <= {*lazy.collect_schema().names()}:
        lazy = lazy.select(columns)
    yield from lazy.collect_batches(chunk_size=rows, maintain_order=True)


def _read_chunks(path: str | Path, rows: int, columns: frozenset[str] | None) -> Iterator[Table]:
    """Yield the columns of a CSV, TSV or Parquet file in order, in parts."""
    start, name, file = 0, str(path), Input(path)
    is_text = not file.start.startswith(b"PAR1")
    try:
        read = _text_parts if is_text else _parquet_parts
        for part in read(file, rows, columns):
            if part.height:
                place = pl.int_range(start, start + part.height, eager=True)
                lines = (lambda row: row + 2) if is_text else None
                yield Table(part, Source(name, lines, rows=place))
                start += part.height
    except pl.exceptions.PolarsError as failure:
        reason = str(failure).splitlines()[0]
        raise FormatError(f"the table cannot be read: {reason}", str(path)) from failure
