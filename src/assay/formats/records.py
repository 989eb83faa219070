"""Judgments and runs as other libraries hold them: records, lists and sets of documents, ranx."""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set, ValuesView
from numbers import Number
from typing import Any

import polars as pl

from assay.core.errors import DataError
from assay.formats.arrays import is_frame, is_pandas
from assay.formats.spark_frames import is_spark_frame
from assay.formats.table_columns import FEEDBACK_NAMES, find_columns, is_known_column

RECORDS = 3
"""How many records of a list are looked at to recognize it."""
ROW_IDS = ("id", "_id")
"""The document in a row below its query, unless another field is named after documents."""


def as_table_or_dict(data: Any, ranked: bool) -> Any:
    """Return a dict of columns, or of query to {document: number}; anything else as it is.

    Records are row dicts or the tuples of ir_measures. A list of documents is a ranking, whose
    first document has the highest score, or the relevant documents of a query, as a set is; a
    string is the one relevant document. A query may have pairs or row dicts of its documents, too.
    A record may be a query with the list of its documents.
    """
    if is_spark_frame(data):  # Spark Connect takes every name for a column
        return data
    if type(data).__module__.partition(".")[0] == "ranx" and hasattr(data, "to_dict"):
        return data.to_dict()
    if not is_frame(data):
        data = list(data) if isinstance(data, Iterator) else _series_to_dict(data)
    data = _rows_with_lists(index_as_columns(data))
    if is_frame(data):
        return data
    if are_query_lists(data):
        data = _lists_by_query(data)
    if are_records(data):
        return record_columns(data)
    if isinstance(data, Mapping) and not _has_column_names(data):
        return _documents_to_numbers(data, ranked)
    return data


def _documents_to_numbers(data: Mapping[Any, Any], ranked: bool) -> Any:
    """Return a dict of query to {document: number} where it has documents alone, or rows."""
    data = {query: e.tolist() if hasattr(e, "tolist") else e for query, e in data.items()}
    if not ranked:
        data = {query: [docs] if isinstance(docs, str) else docs for query, docs in data.items()}
    if _are_lists(data):
        return {query: _numbered(query, docs, ranked) for query, docs in data.items()}
    if _are_rows(data):
        return record_columns(_document_rows(data, ranked))
    return data


def _rows_with_lists(data: Any) -> Any:
    """Return the rows of a frame of queries with a column of lists; anything else as it is."""
    if isinstance(data, pl.DataFrame):
        columns = data.schema.items()
        held = [name for name, dtype in columns if isinstance(dtype, pl.List | pl.Array)]
        return data.to_dicts() if held and are_query_lists(data.head(1).to_dicts()) else data
    if not (is_pandas(data) and hasattr(data, "columns") and len(data)):
        return data
    first = data.iloc[0].tolist()
    if not any(isinstance(cell, list | tuple | Set) or getattr(cell, "ndim", 0) for cell in first):
        return data
    plain = {
        name: [each.tolist() if hasattr(each, "tolist") else each for each in data[name]]
        for name in data.columns
    }
    rows = [dict(zip(plain, row, strict=True)) for row in zip(*plain.values(), strict=True)]
    return rows if are_query_lists(rows) else data


def _series_to_dict(data: Any) -> Any:
    """Return a dict of query to list from a Series of lists; anything else as it is."""
    if hasattr(data, "to_dict") and hasattr(data, "index") and data.ndim == 1 and len(data):
        first = data.iloc[0]
        return data.to_dict() if hasattr(first, "__len__") and not isinstance(first, str) else data
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
    if are_query_lists(data):
        return True
    return all(hasattr(each, "_fields") for each in first) or all(
        isinstance(each, Mapping)
        and all(isinstance(cell, str) or not hasattr(cell, "__len__") for cell in each.values())
        for each in first
    )


def are_query_lists(data: Any) -> bool:
    """Return whether a list has a dict for each query: its id, and one list of documents."""
    if not isinstance(data, list | tuple) or not data:
        return False
    return all(isinstance(each, Mapping) and _query_and_list(each) for each in data)


def _query_and_list(record: Mapping[Any, Any]) -> tuple[Any, Any] | None:
    """Return the query of a record and its only list, if no other field is about documents."""
    lists = [name for name, cell in record.items() if isinstance(cell, list | tuple | Set)]
    others = find_columns([str(name) for name in record if name not in lists])
    query = record.get(others.get("query"))
    if len(lists) != 1 or not isinstance(query, str | int):
        return None
    return None if {"doc", "grade", "score", "rank"} & {*others} else (query, record[lists[0]])


def _lists_by_query(records: Any) -> dict[Any, Any]:
    """Return a dict of query to the list of its documents."""
    pairs = [found for each in records if (found := _query_and_list(each))]
    lists = dict(pairs)
    if len(lists) < len(pairs):
        query = Counter(query for query, _ in pairs).most_common(1)[0][0]
        raise DataError(f"query {query} has two lists of documents; keep one of the two")
    return lists


def _are_lists(data: Mapping[Any, Any]) -> bool:
    """Return whether the values of a dict are lists or sets of documents."""
    if not all(isinstance(docs, list | tuple | Set) for docs in data.values()):
        return False
    return any(not are_records(docs) for docs in data.values() if docs) or not any(data.values())


def holds_records(data: Mapping[Any, Any]) -> bool:
    """Return whether this is a dict of query to a list with a row dict for each document."""
    return not _has_column_names(data) and _are_rows(data)


def _are_rows(data: Mapping[Any, Any]) -> bool:
    """Return whether the values of a dict are lists with a row dict for each document."""
    lists = [docs for docs in data.values() if not isinstance(docs, list | tuple) or docs]
    return bool(lists) and all(
        are_records(docs) and isinstance(docs[0], Mapping) and _document_field(docs[0]) is not None
        for docs in lists
    )


def _document_field(row: Mapping[Any, Any]) -> str | None:
    """Return the field of a row below a query that has the document."""
    names = find_columns(list(map(str, row)))
    return names.get("doc") or next((name for name in ROW_IDS if name in row), None)


def _document_rows(data: Mapping[Any, Any], ranked: bool) -> list[dict[str, Any]]:
    """Return the rows of all queries; without numbers the order of a list is its ranking."""
    rows = [row for rows in data.values() for row in rows]
    document = _document_field(rows[0])
    others = [cell for row in rows for name, cell in row.items() if name != document]
    ordered = ranked and not any(isinstance(cell, Number) for cell in others)
    ids = {name: "doc" for name in ROW_IDS if name == document}
    return [
        {"query": query}
        | ({"rank": rank} if ordered else {})
        | {ids.get(name, name): cell for name, cell in row.items()}
        for query, listed in data.items()
        for rank, row in enumerate(listed, 1)
    ]


def holds_documents(data: Mapping[Any, Any]) -> bool:
    """Return whether this is a dict of query to its documents, in lists, sets or arrays."""
    arrays = bool(data) and all(
        hasattr(docs, "tolist") and not hasattr(docs, "index") for docs in data.values()
    )
    if arrays or _has_column_names(data):
        return arrays
    return _are_lists(data) or _are_rows(data)


def _has_column_names(data: Mapping[Any, Any]) -> bool:
    """Return whether a key of a dict is the name of a column of judgments or runs."""
    return any(is_known_column(key) or key in FEEDBACK_NAMES for key in map(str, data))


def record_columns(records: Any) -> dict[str, list[Any]]:
    """Return the fields of the records as columns; a row without one has no value there."""
    rows = [each._asdict() if hasattr(each, "_asdict") else each for each in records]
    names = dict.fromkeys(str(key) for row in rows for key in row)
    return {name: [row.get(name) for row in rows] for name in names}


class RepeatedDocuments(Mapping[Any, Any]):
    """The documents of a query with their numbers, some of them repeated, as rows have them."""

    def __init__(self, docs: Sequence[Any], numbers: Sequence[Any]) -> None:
        self._docs, self._numbers = docs, numbers

    def __len__(self) -> int:
        return len(self._docs)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._docs)

    def __getitem__(self, doc: Any) -> Any:
        """Return the number of the first of equal documents."""
        if doc not in self._docs:
            raise KeyError(doc)
        return self._numbers[self._docs.index(doc)]

    def values(self) -> ValuesView[Any]:
        """Return the number of each document, the repeated ones too."""
        return dict(enumerate(self._numbers)).values()


def _numbered(query: Any, docs: Any, ranked: bool) -> Mapping[Any, Any]:
    """Return a score for each document of a ranking, or the grade 1; pairs have their numbers."""
    if ranked and isinstance(docs, Set):
        raise DataError(
            f"the documents of query {query} are a set, which has no order; give a list, or a dict"
            " of document to score"
        )
    if docs and all(isinstance(each, list | tuple) for each in docs):
        numbers = [_second_of_pair(query, each) for each in docs]
        docs = [each[0] for each in docs]
    elif others := [each for each in docs if isinstance(each, list | tuple | dict)]:
        raise _not_a_document(query, others[0])
    else:
        numbers = [float(n) for n in range(len(docs), 0, -1)] if ranked else [1.0] * len(docs)
    found = dict(zip(docs, numbers, strict=True))
    return found if len(found) == len(docs) else RepeatedDocuments([*docs], numbers)


def _second_of_pair(query: Any, pair: Any) -> Any:
    """Return the score or grade of a pair of document and number."""
    if len(pair) == 2 and isinstance(pair[0], str | int) and isinstance(pair[1], Number):
        return pair[1]
    raise _not_a_document(query, pair)


def _not_a_document(query: Any, given: Any) -> DataError:
    return DataError(
        f"query {query}: {reprlib.repr(given)} is neither a document nor a pair of document and"
        " number; give documents, pairs, or a dict of document to number"
    )
