"""Ranked lists of labels without probabilities: the true label is sought in the first k."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import polars as pl

from assay.core.errors import DataError, UsageError, missing_column, no_rows
from assay.core.names import Measure, measure
from assay.core.tables import Source
from assay.engine.scores import Scores
from assay.formats.containers import to_frame
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Measures
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

DEFAULT = ("top@1", "top@5")
_SEPARATORS = re.compile(r"\s*[;|]\s*")


class RankedLabelEvidence(RetrievalEvidence):
    """Items as queries whose one relevant document is the true label, and lists of labels."""

    def select_measures(self, measures: Measures = None) -> list[Measure]:
        """Return the requested measures; by default top-1 and top-5 accuracy."""
        if measures is None:
            return [measure(name, self.task) for name in DEFAULT]
        return super().select_measures(measures)


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
    such as ``guess*`` one column for each rank; several columns of lists are several systems.
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
    """Read the true label and the lists of each item."""
    frame, source = to_frame(data, "the ranked labels")
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
    labels = frame[truth].cast(pl.String).to_list()
    qrels = {name: {label: 1} for name, label in zip(names, labels, strict=True)}
    asked = [ranked] if isinstance(ranked, str) else list(ranked)
    runs = {}
    for each in asked:
        lists = _lists(frame, source, each)
        system = each.rstrip("*_") or each
        if system in runs:
            raise UsageError(f"`ranked` has two systems of the name '{system}'; rename a column")
        runs[system] = {
            name: {label: float(-place) for place, label in enumerate(found)}
            for name, found in zip(names, lists, strict=True)
        }
    return RankedLabelEvidence.read(qrels, runs)  # type: ignore[return-value]


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
