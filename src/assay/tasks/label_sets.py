"""Sets of labels to Scores."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from assay.core.errors import DataError
from assay.core.tables import Source, Table
from assay.engine.scores import Scores
from assay.evidence.column_values import item_names
from assay.evidence.views.label_sets import LabelSets
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Evaluation, Measures
from assay.tasks.inputs.array_columns import slice_arrays, split_arguments
from assay.tasks.inputs.label_arrays import label_set_arrays
from assay.tasks.inputs.list_fields import read_row_systems, slice_rows
from assay.tasks.table_evidence import Columns, RowEvidence, SystemInput

NEEDS = {LabelSets: "a true and a predicted set of labels for each item"}
SEPARATORS = ";|,"


@dataclass(frozen=True)
class LabelSetEvidence(RowEvidence[LabelSets]):
    """True sets of labels, and those that one or more systems predicted."""

    task = "labelsets"
    needs = NEEDS
    tables: dict[str, Table] = field(default_factory=dict)
    """The sets of each system as text."""

    @classmethod
    def read(
        cls,
        data: Any,
        truth: str = "truth",
        predicted: Columns = "predicted",
        item: str | None = None,
        name: str = "classifier",
        by: Sequence[str] = (),
    ) -> LabelSetEvidence:
        """Read one table, a sequence of tables, or a dict of name to table.

        Several ``predicted`` columns are several systems; ``name`` is what a system is called that
        nothing else names. ``by`` are fields whose values define slices.
        """
        found = read_row_systems(data, predicted, "the sets of labels", name)
        read = {each.name: _read_label_sets(each, truth, item) for each in found}
        fields: dict[str, Any] = {"tables": {name: table for name, (_, table) in read.items()}}
        fields["parts"] = {
            each.name: {
                part: _read_label_sets(replace(each, table=rows), truth, item)[0]
                for part, rows in slice_rows(each.table, by).items()
            }
            for each in (found if by else ())
        }
        return cls.read_each(found, lambda each: read[each.name][0], item=item, **fields)

    @property
    def inputs(self) -> dict[str, Table]:
        """The sets by system; those of one system alone are called sets."""
        return self.tables if len(self.tables) > 1 else {"sets": next(iter(self.tables.values()))}

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the number of labels and items."""
        labels = {label for view in self.members.values() for label in view.labels}
        size = len(self.first.items)
        return {"labels": len(labels), "items": size, "item": self.item, **self.slice_sizes()}


def labelsets(
    data: Any,
    y_pred: Any = None,
    measures: Measures = None,
    *,
    classes: Sequence[Any] | None = None,
    truth: str = "truth",
    predicted: Columns = "predicted",
    item: str | None = None,
    name: str = "classifier",
    by: Any = (),
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate sets of labels, item by item and label by label.

    A set is a list, or a text whose labels are separated by ``;``, ``|`` or ``,``; an empty list or
    text is an empty set. ``data`` and ``y_pred`` are the true and the predicted sets, as lists of
    labels or as indicators (a row for each item, 1 for each label that it has, in the order of
    ``classes``); several systems are a dict. Or ``data`` is a file (JSON lines, CSV, Parquet), a
    frame, a dict of columns or a list of records, or several of these as a sequence or as a dict of
    name to table. Several ``predicted`` columns are several systems. ``item`` identifies the items,
    by which systems are paired. ``by`` names fields, or holds arrays, whose values define slices.
    """
    y_pred, measures = split_arguments(data, y_pred, measures)
    if y_pred is not None:
        data = label_set_arrays(data, y_pred, classes)
        truth, predicted = "truth", [each for each in data if each != "truth"]
        added = slice_arrays(by, len(data["truth"]))
        data, by = data | added, tuple(added)
    by = [by] if isinstance(by, str) else by
    evidence = LabelSetEvidence.read(data, truth, predicted, item, name, by)
    return evidence.scores(measures, interval=interval)


def _read_label_sets(given: SystemInput, truth: str, item: str | None) -> tuple[LabelSets, Table]:
    """Read the sets of one system, and the same as a table of texts."""
    names = {"truth": truth, "predicted": given.columns["predicted"]}
    if item is not None:
        names["item"] = item
    source = given.table.source
    columns = dict(zip(names, given.table.fields(*names.values()), strict=True))
    sets = [
        [_labels(value, source, row) for row, value in enumerate(columns[kind])]
        for kind in ("truth", "predicted")
    ]
    texts = {kind: [str(value) for value in column] for kind, column in columns.items()}
    table = Table(pl.DataFrame(texts, schema=dict.fromkeys(texts, pl.String)), source)
    return LabelSets.of(sets[0], sets[1], item_names(table)), table


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
