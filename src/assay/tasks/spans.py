"""Spans of text to Scores: entities, segments, words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from assay.core.errors import DataError
from assay.core.names import measure
from assay.core.tables import Source
from assay.engine.scores import Scores
from assay.evidence.views.spans import Span, Spans
from assay.formats.tagged_tokens import spans_of_tags
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Evaluation, Measures
from assay.tasks.inputs.array_columns import require_length, slice_arrays, split_arguments
from assay.tasks.inputs.list_fields import Rows, read_row_systems, slice_rows
from assay.tasks.row_evidence import RowEvidence
from assay.tasks.table_evidence import Columns, SystemInput

NEEDS = {Spans: "true and predicted spans for each document"}


@dataclass(frozen=True)
class SpanEvidence(RowEvidence[Spans]):
    """True spans of documents, and those that one or more systems predicted."""

    task = "spans"
    needs = NEEDS

    @classmethod
    def read(
        cls,
        data: Any,
        truth: str = "truth",
        predicted: Columns = "predicted",
        name: str = "tagger",
        by: Sequence[str] = (),
    ) -> SpanEvidence:
        """Read one table, a sequence of tables, or a dict of name to table.

        Several ``predicted`` columns are several systems; ``name`` is what a system is called that
        nothing else names. ``by`` are fields whose values define slices.
        """
        found = read_row_systems(data, {"predicted": predicted}, "the spans", name)
        parts = {
            each.name: {
                part: _read_spans(replace(each, table=rows), truth)
                for part, rows in slice_rows(each.table, by).items()
            }
            for each in (found if by else ())
        }
        return cls.read_each(found, lambda each: _read_spans(each, truth), parts=parts)

    def per_class(self) -> pl.DataFrame:
        """Return the rates of exact matches and the support of each type, by system."""
        tables = []
        for system in self.systems:
            found = self.views(system)[Spans]().by("type")
            rates = {"PPV": "P", "TPR": "R", "F": "F"}
            values = {name: measure(each, self.task)(found) for name, each in rates.items()}
            support = found.support.astype(int)
            table = pl.DataFrame({"type": found.types, **values, "support": support})
            tables.append(table.select(pl.lit(system).alias("system"), pl.all()))
        return pl.concat(tables)

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the number of documents."""
        return {"documents": len(self.first.documents), **self.slice_sizes()}


def spans(
    data: Any,
    y_pred: Any = None,
    measures: Measures = None,
    *,
    truth: str = "truth",
    predicted: Columns = "predicted",
    name: str = "tagger",
    by: Any = (),
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate spans of text, such as entities or the words of a segmentation.

    Each row is a document with a list of true and one of predicted spans. A span is ``[begin, end,
    type]`` or ``{"start": …, "end": …, "label": …}``; the end is the first position after it, and
    the type may be left out. Tags of tokens (BIO, BIOES, IOB1) are taken too, also from a CoNLL
    file whose last two columns are the true and the predicted tag. ``data`` and ``y_pred`` are
    lists with the true and the predicted spans of each document; several systems are a dict. Or
    ``data`` is a file (JSON lines, Parquet), a frame, a dict of columns or a list of records, or
    several of these as a sequence or as a dict of name to table. Several ``predicted`` columns are
    several systems. ``by`` names fields, or holds arrays, whose values define slices.
    """
    y_pred, measures = split_arguments(data, y_pred, measures)
    if y_pred is not None:
        added = slice_arrays(by, len(data))
        data, predicted = span_lists({"truth": data, **added}, y_pred)
        by = tuple(added)
    by = [by] if isinstance(by, str) else by
    return SpanEvidence.read(data, truth, predicted, name, by).scores(measures, interval=interval)


def span_lists(given: Mapping[str, Any], predicted: Any) -> tuple[Rows, Columns]:
    """Return a row for each document, and the fields of the systems beside the given ones."""
    truth = given["truth"]
    several = predicted if isinstance(predicted, Mapping) else {"predicted": predicted}
    for name, each in several.items():
        require_length(len(each), len(truth), str(name))
    names = {str(name): str(name) for name in several}
    columns = {**given, **{str(name): each for name, each in several.items()}}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return Rows(rows, Source("the spans")), names if several is predicted else [*names]


def _read_spans(given: SystemInput, truth: str) -> Spans:
    """Read the spans of one system."""
    source = given.table.source
    true, predicted = (
        [_parse_spans(value, source, row) for row, value in enumerate(column)]
        for column in given.table.fields(truth, given.columns["predicted"])
    )
    return Spans.of(true, predicted)


def _parse_spans(value: Any, source: Source, row: int) -> list[Span]:
    if value is None:
        return []
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise DataError(
            f"{source.place(row)}: a list of spans, or of tags, is expected for each document;"
            f" found {value!r}"
        )
    if not isinstance(value, Sequence):
        value = list(value)
    if value and all(isinstance(one, str) for one in value):
        return spans_of_tags(value)
    return [_parse_span(one, source, row) for one in value]


def _parse_span(value: Any, source: Source, row: int) -> Span:
    if isinstance(value, Mapping):
        kind = value.get("label", value.get("type", "span"))
        value = [value.get("start", value.get("begin")), value.get("end"), kind]
    try:
        begin, end, *rest = value
        span = (int(begin), int(end), str(rest[0]) if rest else "span")
    except (TypeError, ValueError):
        raise DataError(
            f"{source.place(row)}: a span is [begin, end, type]; found {value!r}"
        ) from None
    if span[1] <= span[0]:
        raise DataError(
            f"{source.place(row)}: the span {value!r} ends before it begins; the end is the first"
            " place after the span"
        )
    return span
