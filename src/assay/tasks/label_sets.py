"""Sets of labels to Scores."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import polars as pl

from assay.core.errors import DataError
from assay.core.tables import Source, Table
from assay.engine.scores import Scores
from assay.evidence.column_values import item_names
from assay.evidence.views.label_sets import LabelSets
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evaluation import Measures, describe_conventions, evaluate_system, select_measures
from assay.tasks.inputs.list_fields import read_list_fields

NEEDS = {LabelSets: "a true and a predicted set of labels for each item"}
SEPARATORS = ";|,"


def labelsets(
    data: Any,
    measures: Measures = None,
    *,
    truth: str = "truth",
    predicted: str = "predicted",
    item: str | None = None,
    name: str = "classifier",
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate sets of labels, item by item and label by label.

    A set is a list, or a text whose labels are parted by ``;``, ``|`` or ``,``; an empty list or
    text is an empty set. ``data`` is a file (JSON lines, CSV, Parquet), a frame, or a dict.
    ``item`` names the items, by which classifiers are paired.
    """
    fields = (truth, predicted) if item is None else (truth, predicted, item)
    (true, said, *named), source = read_list_fields(data, fields, "the sets of labels")
    if not true:
        raise DataError(f"{source.name}: there are no rows to evaluate")
    sets = [
        [_labels(value, source, row) for row, value in enumerate(column)] for column in (true, said)
    ]
    columns = {"truth": true, "predicted": said, **({"item": named[0]} if named else {})}
    texts = {key: [str(value) for value in column] for key, column in columns.items()}
    given = Table(pl.DataFrame(texts, schema=dict.fromkeys(texts, pl.String)), source)
    view = LabelSets.of(sets[0], sets[1], item_names(given))
    views = {LabelSets: lambda: view}
    asked = select_measures(measures, "labelsets", views, NEEDS)
    return Scores(
        task="labelsets",
        results=tuple(evaluate_system(name, asked, views, bootstrap)),
        conventions=describe_conventions(
            {"sets": given}, bootstrap, labels=len(view.labels), items=len(view.items), item=item
        ),
    )


def _labels(value: Any, source: Source, row: int) -> Collection[str]:
    if value is None:
        return ()
    if isinstance(value, str):
        separator = next((each for each in SEPARATORS if each in value), None)
        parts = value.split(separator) if separator else [value]
        return {part.strip() for part in parts if part.strip()}
    if isinstance(value, list | tuple | set | frozenset):
        return {str(part) for part in value}
    raise DataError(
        f"{source.place(row)}: a set of labels is expected, a list or a text such as 'a;b';"
        f" found {value!r}"
    )
