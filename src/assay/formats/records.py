"""Judgments and runs as other libraries hold them: records, lists and sets of documents, ranx."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any

from assay.core.errors import DataError
from assay.formats.spark_frames import is_spark_frame
from assay.formats.table_columns import FEEDBACK_NAMES, is_known_column

RECORDS = 3
"""How many records of a list are looked at to recognize it."""


def as_table_or_dict(data: Any, ranked: bool) -> Any:
    """Return a dict of columns, or of query to {document: number}; anything else as it is.

    Records are row dicts or the tuples of ir_measures. A list of documents is a ranking, whose
    first document has the highest score, or the relevant documents of a query, as a set is.
    """
    if is_spark_frame(data):  # Spark Connect takes every name for a column
        return data
    if type(data).__module__.partition(".")[0] == "ranx" and hasattr(data, "to_dict"):
        return data.to_dict()
    if isinstance(data, Iterator):
        data = list(data)
    data = index_as_columns(_without_arrays(data))
    if are_records(data):
        return _columns(data)
    if isinstance(data, Mapping) and holds_lists(data):
        return {query: _numbers(query, docs, ranked) for query, docs in data.items()}
    return data


def _without_arrays(data: Any) -> Any:
    """Return a dict of query to list, where documents are arrays or the dict is a Series."""
    if hasattr(data, "to_dict") and hasattr(data, "index") and data.ndim == 1 and len(data):
        first = data.iloc[0]
        data = data.to_dict() if hasattr(first, "__len__") and not isinstance(first, str) else data
    if isinstance(data, Mapping) and not any(map(is_known_column, map(str, data))):
        return {key: e.tolist() if hasattr(e, "tolist") else e for key, e in data.items()}
    return data


def index_as_columns(data: Any) -> Any:
    """Return a frame or Series of pandas with the named levels of its index as columns."""
    if is_spark_frame(data):  # Spark Connect takes every name for a column
        return data
    levels = list(getattr(getattr(data, "index", None), "names", None) or [None])
    if not hasattr(data, "reset_index") or None in levels:
        return data
    known = [*getattr(data, "columns", ())]
    return data if any(each in known for each in levels) else data.reset_index()


def are_records(data: Any) -> bool:
    """Return whether a list has a dict or a named tuple for each row."""
    if not isinstance(data, list | tuple) or not data or hasattr(data, "_fields"):
        return False
    first = data[:RECORDS]
    return all(hasattr(each, "_fields") for each in first) or all(
        isinstance(each, Mapping)
        and all(isinstance(cell, str) or not hasattr(cell, "__len__") for cell in each.values())
        for each in first
    )


def holds_lists(data: Mapping[Any, Any]) -> bool:
    """Return whether this is a dict of query to a list or set of documents."""
    if any(is_known_column(key) or key in FEEDBACK_NAMES for key in map(str, data)):
        return False
    return any(
        isinstance(docs, list | tuple | Set)
        and not isinstance(docs, Mapping)
        and not are_records(docs)
        for docs in data.values()
    ) and all(isinstance(docs, list | tuple | Set) for docs in data.values())


def _columns(records: Any) -> dict[str, list[Any]]:
    """Return the fields of the records as columns; a row without one has no value there."""
    rows = [each._asdict() if hasattr(each, "_asdict") else each for each in records]
    names = dict.fromkeys(str(key) for row in rows for key in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _numbers(query: Any, docs: Any, ranked: bool) -> dict[Any, float]:
    """Return a score for each document of a ranking, or the grade 1."""
    if ranked and isinstance(docs, Set):
        raise DataError(
            f"the documents of query {query} are a set, which has no order; give a list, or a dict"
            " of document to score"
        )
    if len(set(docs)) < len(docs):
        twice = next(each for at, each in enumerate(docs) if each in docs[:at])
        raise DataError(f"query {query} has the document {twice} twice; keep one of them")
    return {doc: float(len(docs) - at) if ranked else 1.0 for at, doc in enumerate(docs)}
