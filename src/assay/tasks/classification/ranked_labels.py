"""Ranked lists of labels without probabilities: the true label is sought in the first k."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from assay.core.errors import DataError, UsageError, missing_column, no_rows
from assay.core.names import Measure, measure
from assay.core.tables import Source, Table
from assay.engine.result import Result
from assay.engine.scores import Scores
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Measures
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence
from assay.tasks.table_evidence import read_systems

DEFAULT = ("top@1", "top@5")
_SEPARATORS = re.compile(r"\s*[;|]\s*")


class RankedLabelEvidence(RetrievalEvidence):
    """Items as queries whose one relevant document is the true label, and lists of labels."""

    def select_measures(self, measures: Measures = None) -> list[Measure]:
        """Return the requested measures; by default top-1 and top-5 accuracy."""
        if measures is None:
            return [measure(name, self.task) for name in DEFAULT]
        return super().select_measures(measures)

    def evaluate_slice(
        self, system: str, part: str, asked: Sequence[Measure], interval: Bootstrap | None
    ) -> list[Result]:
        """Return the results in the words of classification: items, and top@k for Success@k."""
        results = super().evaluate_slice(system, part, asked, interval)
        return [
            replace(each, measure=each.measure.replace("Success", "top"), unit_kind="item")
            for each in results
        ]


def top_k(
    data: Any,
    measures: Measures = None,
    *,
    truth: str = "truth",
    ranked: str | Sequence[str] = "ranked",
    item: str | None = None,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate ranked lists of labels: whether the true label is among the first k (``top@5``).

    ``ranked`` names a column of lists, as ``cat;dog;bird`` or as a list column, or by a pattern
    such as ``guess*`` one column for each rank; several columns of lists, or several tables, are
    several systems.
    Other measures of rankings apply too, such as RR of the true label.

    >>> import assay
    >>> data = {"truth": ["cat", "dog"], "ranked": ["cat;dog", "cat;bird"]}
    >>> assay.top_k(data, "top@1", interval=None).results[0].value
    0.5
    """
    return read_ranked_labels(data, truth, ranked, item).scores(measures, interval=interval)


def read_ranked_labels(
    data: Any, truth: str = "truth", ranked: str | Sequence[str] = "ranked", item: str | None = None
) -> RankedLabelEvidence:
    """Read the true label and the lists of each item, from one table or several."""
    columns = [ranked] if isinstance(ranked, str) else list(ranked)
    labels: dict[str, str] = {}
    runs = {}
    for system in read_systems(data, {"ranked": columns}, "the ranked labels", "ranked"):
        found = _true_labels(system.table, truth, item)
        if labels and found != labels:
            raise _differing_truth(system.table.source.name, labels, found)
        labels = found
        lists = _lists(system.table.frame, system.table.source, system.columns["ranked"])
        name = system.name.rstrip("*_") or system.name
        if name in runs:
            raise UsageError(f"`ranked` has two systems of the name '{name}'; rename a column")
        runs[name] = {
            unit: {label: float(-place) for place, label in enumerate(own)}
            for unit, own in zip(labels, lists, strict=True)
        }
    qrels = {unit: {label: 1} for unit, label in labels.items()}
    return RankedLabelEvidence.read(qrels, runs)  # type: ignore[return-value]


def _true_labels(table: Table, truth: str, item: str | None) -> dict[str, str]:
    """Return the true label of each item; without a column of items they are numbered."""
    frame, source = table.frame, table.source
    if frame.is_empty():
        raise no_rows(source.name)
    for name in (truth, *([item] if item else [])):
        if name not in frame.columns:
            raise missing_column(source.name, name, frame.columns)
    if frame[truth].dtype.is_nested():
        raise DataError(f"{source.name}: '{truth}' has lists; one label for each item is expected")
    if len(empty := frame[truth].is_null().arg_true()):
        raise DataError(f"{source.place(int(empty[0]))}: the item has no true label")
    names = [str(number) for number in range(1, frame.height + 1)]
    if item:
        names = frame[item].cast(pl.String).fill_null("").to_list()
        if len(twice := frame[item].is_duplicated().arg_true()):
            where = source.place(int(twice[1]))
            raise DataError(f"{where}: the item '{names[int(twice[1])]}' occurs twice")
    return dict(zip(names, frame[truth].cast(pl.String).to_list(), strict=True))


def _differing_truth(where: str, labels: dict[str, str], found: dict[str, str]) -> DataError:
    """Say which item of a further table is new, missing or labeled otherwise."""
    for name in {**labels, **found}:
        first, second = labels.get(name), found.get(name)
        if first != second:
            what = f"has the true label '{second}'" if second is not None else "is missing"
            here = "is not there" if first is None else f"it is '{first}'"
            return DataError(
                f"{where}: item '{name}' {what}; in the first table {here}. All tables must have"
                " the same items with the same true labels"
            )
    return DataError(f"{where}: the items are in another order; name their column by `item`")


def _lists(frame: pl.DataFrame, source: Source, ranked: str) -> list[list[str]]:
    """Return the labels of each item, the likeliest first, each once."""
    if "*" in ranked:
        columns = _columns_by_rank(frame.columns, source, ranked)
        rows = frame.select(pl.col(columns).cast(pl.String)).rows()
        lists = [[cell for cell in row if cell] for row in rows]
    elif ranked not in frame.columns:
        raise missing_column(source.name, ranked, frame.columns)
    else:
        cells = frame[ranked].to_list()
        lists = [_split(cell) for cell in cells]
    for row, found in enumerate(lists):
        if len(set(found)) < len(found):
            twice = next(label for label in found if found.count(label) > 1)
            raise DataError(f"{source.place(row)}: the label '{twice}' occurs twice in the list")
    return lists


def _split(cell: Any) -> list[str]:
    if cell is None:
        return []
    if isinstance(cell, str):
        return [part for part in _SEPARATORS.split(cell.strip()) if part]
    return [str(each) for each in cell] if isinstance(cell, list) else [str(cell)]


def _columns_by_rank(columns: Sequence[str], source: Source, pattern: str) -> list[str]:
    """Return the columns of a pattern in the order of their numbers."""
    head, _, tail = pattern.partition("*")
    found = {}
    for name in columns:
        middle = name[len(head) : len(name) - len(tail)]
        if name.startswith(head) and name.endswith(tail) and middle.isdecimal():
            found[int(middle)] = name
    if not found:
        raise UsageError(
            f"{source.name}: '{pattern}' matches none of the columns {', '.join(columns)}; a column"
            " for each rank has its number in place of the star, such as guess1, guess2"
        )
    return [found[number] for number in sorted(found)]
