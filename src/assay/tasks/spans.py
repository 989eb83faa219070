"""Spans of text to Scores: entities, segments, words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.core.errors import DataError
from assay.core.tables import Source
from assay.engine.scores import Scores
from assay.evidence.views.spans import Span, Spans
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evaluation import Measures, describe_conventions, evaluate_system, select_measures
from assay.tasks.inputs.list_fields import read_list_fields

NEEDS = {Spans: "true and predicted spans for each document"}


def spans(
    data: Any,
    measures: Measures = None,
    *,
    truth: str = "truth",
    predicted: str = "predicted",
    name: str = "tagger",
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate spans of text, such as entities or the words of a segmentation.

    Each row is a document with a list of true and one of predicted spans. A span is
    ``[begin, end, type]`` or ``{"start": …, "end": …, "label": …}``; the end is the first place
    after it, and the type may be left out.
    """
    (true, said), source = read_list_fields(data, (truth, predicted), "the spans")
    if not true:
        raise DataError(f"{source.name}: there are no rows to evaluate")
    lists = [
        [[_parse_span(one, source, row) for one in value or ()] for row, value in enumerate(column)]
        for column in (true, said)
    ]
    view = Spans.of(lists[0], lists[1])
    views = {Spans: lambda: view}
    asked = select_measures(measures, "spans", views, NEEDS)
    return Scores(
        task="spans",
        results=tuple(evaluate_system(name, asked, views, bootstrap)),
        conventions=describe_conventions({}, bootstrap, documents=len(view.documents)),
    )


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
