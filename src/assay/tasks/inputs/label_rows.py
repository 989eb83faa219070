"""Rows with sets of labels, and with a score of every label."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, did_you_mean
from assay.core.tables import Source, Table
from assay.evidence.column_values import item_names
from assay.evidence.views.label_scores import LabelScores
from assay.evidence.views.label_sets import LabelSets
from assay.evidence.views.view import bytewise
from assay.tasks.table_evidence import SystemInput

SEPARATORS = ";|,"


class LabelRows(NamedTuple):
    """The sets of one system, the scores of its labels, and the same as a table of texts."""

    sets: LabelSets
    scores: LabelScores | None
    table: Table
    decided_by: str | None
    """How labels were predicted, if scores decided."""


def read_label_rows(given: SystemInput, truth: str, item: str | None) -> LabelRows:
    """Read the true and the predicted labels of each row; without these, scores decide."""
    fields = {"truth": truth, **given.columns, "item": item}
    names = {kind: name for kind, name in fields.items() if name is not None}
    source = given.table.source
    columns = dict(zip(names, given.table.fields(*names.values()), strict=True))
    texts = {kind: [str(value) for value in column] for kind, column in columns.items()}
    table = Table(pl.DataFrame(texts, schema=dict.fromkeys(texts, pl.String)), source)
    sets = {
        kind: [_labels(value, source, row) for row, value in enumerate(columns[kind])]
        for kind in ("truth", "predicted")
        if kind in columns
    }
    scores, decided_by = None, None
    if "score" in columns:
        labels, matrix = _scores(columns["score"], source)
        _refuse_unscored(sets["truth"], labels, source)
        own = np.asarray([[label in each for label in labels] for each in sets["truth"]], bool)
        scores = LabelScores.of(labels, own, matrix, item_names(table))
    if scores is not None and "predicted" not in sets:
        least = 0.5 if matrix.size and matrix.min() >= 0 and matrix.max() <= 1 else 0.0
        sets["predicted"] = [{labels[at] for at in np.flatnonzero(row >= least)} for row in matrix]
        decided_by = f"score of at least {least:g}"
    found = LabelSets.of(sets["truth"], sets["predicted"], item_names(table))
    return LabelRows(found, scores, table, decided_by)


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
        f"{source.place(row)}: expected a set of labels, as a list or a text such as 'a;b', found"
        f" {value!r}"
    )


def _scores(column: Sequence[Any], source: Source) -> tuple[tuple[str, ...], Floats]:
    """Return the labels in bytewise order, and the score of each in each row."""
    labels: tuple[str, ...] = ()
    matrix: list[list[float]] = []
    for row, value in enumerate(column):
        if not isinstance(value, Mapping) or not value:
            raise DataError(
                f"{source.place(row)}: expected the score of every label, such as"
                f' {{"a": 0.9, "b": 0.2}}, found {str(value)[:60]}'
            )
        labels = labels or bytewise(map(str, value))
        if bytewise(map(str, value)) != labels:
            raise DataError(
                f"{source.place(row)}: the labels {', '.join(map(str, value))} have scores, in the"
                f" first row {', '.join(labels)}; give a score for every label in every row"
            )
        numbers = {str(label): _number(score) for label, score in value.items()}
        if wrong := [label for label, number in numbers.items() if not math.isfinite(number)]:
            raise DataError(
                f"{source.place(row)}: the score of '{wrong[0]}' is {value.get(wrong[0])!r}; a"
                " number is expected"
            )
        matrix.append([numbers[label] for label in labels])
    return labels, np.asarray(matrix, dtype=np.float64)


def _number(value: Any) -> float:
    known = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    try:
        return float(value) if known else math.nan
    except OverflowError:
        return math.nan


def _refuse_unscored(
    truth: Sequence[Collection[str]], labels: Sequence[str], source: Source
) -> None:
    known = set(labels)
    for row, own in enumerate(truth):
        if unknown := bytewise(set(own) - known):
            raise DataError(
                f"{source.place(row)}: the true label '{unknown[0]}' has no score; there are"
                f" {', '.join(labels[:10])}." + did_you_mean(unknown[0], labels)
            )
