"""Judgments and runs as dicts of query to {document: number}."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError
from assay.core.row_hashes import fingerprint, row_hash
from assay.core.tables import Judgments, Source, StreamedRun, Table
from assay.formats.arrays import is_frame
from assay.formats.table_columns import FEEDBACK_NAMES, is_known_column

Nested = Mapping[Any, Mapping[Any, Any]]
Query = tuple[Any, Mapping[Any, Any]]
_FIRST_ROWS, _ROWS = 2_000, 1 << 16
"""Rows per piece; the first piece is small, since some callers read no more."""


def is_nested(given: Any) -> bool:
    """Return whether this is a dict of query to {document: number}.

    Frames are ruled out first: whether a type is a mapping takes long to find out once.
    """
    if is_frame(given) or not isinstance(given, Mapping):
        return False
    inner: Any = next((each for each in given.values() if not _is_empty(each)), dict[str, float]())
    if is_frame(inner) or not isinstance(inner, Mapping):
        return False
    value = next(iter(inner.values()), 0.0)
    return isinstance(value, str) or not (isinstance(value, Mapping) or hasattr(value, "__len__"))


def _is_empty(each: Any) -> bool:
    return not is_frame(each) and isinstance(each, Mapping) and not each


class DictRun(StreamedRun):
    """A run in a dict, converted to columns some queries at a time, and hashed meanwhile."""

    whole_queries = True

    def __init__(self, given: Nested, name: str, source: Source | None = None) -> None:
        empty = (str(query) for query, inner in given.items() if not inner)
        if len({str(query) for query in given}) < len(given):
            raise DataError(f"{name}: two queries have the same text as their id")
        self.__dict__.update(source=source or Source(name), name=name, given=given)
        self.__dict__.update(empty=tuple(sorted(empty, key=str.encode)))

    given: Nested
    fingerprint: str | None = None

    def pieces(self, rank: bool = False) -> Iterator[pl.DataFrame]:
        """Yield the rows in the order of the dict."""
        queries = iter(self.given.items())
        total = 0
        while taken := list(_take_queries(queries, _ROWS if total else _FIRST_ROWS)):
            frame = columns_from_dict(taken, "score", self.name)
            total += row_hash(frame)
            yield frame
        self.__dict__["fingerprint"] = fingerprint(total)

    def digest(self) -> str:
        """Return the digest of all rows; they are read if they were not yet."""
        if self.source.digest is not None:
            return super().digest()
        if self.fingerprint is None:
            for _ in self.pieces():
                pass
        return str(self.fingerprint)


def _take_queries(queries: Iterator[Query], enough: int) -> Iterator[Query]:
    rows = 0
    for query, inner in queries:
        yield query, inner
        rows += len(inner)
        if rows >= enough:
            return


def dict_to_judgments(given: Nested, source: Source | None = None) -> Judgments:
    """Return judgments from a dict of query to {document: grade}."""
    origin = source or Source("qrels")
    frame = columns_from_dict(list(given.items()), "grade", origin.name)
    empty = tuple(str(query) for query, inner in given.items() if not inner)
    return replace(Judgments.of(frame, origin), empty=empty)


def columns_from_dict(given: list[Query], value: str, name: str) -> pl.DataFrame:
    """Return the columns query, doc and the number."""
    for query, inner in given:
        if query is None or None in inner:
            whose = "a query" if query is None else f"a document of query {query}"
            raise DataError(f"{name}: the id of {whose} is None; name it or leave it out")
    sizes = np.fromiter((len(inner) for _, inner in given), dtype=np.int64, count=len(given))
    queries = ids_as_texts([query for query, _ in given])
    docs = ids_as_texts(list(chain.from_iterable(inner for _, inner in given)))
    numbers = _numbers(given, int(sizes.sum()), value, name)
    repeated = np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)  # rows as Polars has them
    return pl.DataFrame({"query": queries[repeated], "doc": docs, value: numbers})


def ids_as_texts(given: list[Any]) -> pl.Series:
    """Return ids as text."""
    try:
        return pl.Series(given, dtype=pl.String, strict=True)
    except (TypeError, pl.exceptions.PolarsError):
        return pl.Series([str(each) for each in given], dtype=pl.String)


def _numbers(given: list[Query], count: int, value: str, name: str) -> Floats:
    plain = _plain_numbers(given)
    if plain is not None:
        return plain
    values = chain.from_iterable(inner.values() for _, inner in given)
    try:
        return np.fromiter(values, dtype=np.float64, count=count)
    except (TypeError, ValueError, OverflowError):
        query, doc, found = _first_invalid(given)
        raise DataError(
            f"{name}: the {value} of document {doc} for query {query} is {found!r},"
            " but a number is expected"
        ) from None


def _plain_numbers(given: list[Query]) -> Floats | None:
    """Return numbers that are all whole, or floats, which is faster; None if some are not."""
    inners = [inner for _, inner in given if inner]
    first = next(iter(inners[0].values())) if inners else None
    if not isinstance(first, int | float):
        return None
    try:
        values = chain.from_iterable(inner.values() for inner in inners)
        dtype = pl.Int64 if isinstance(first, int) else pl.Float64
        plain = pl.Series(list(values), dtype=dtype, strict=True)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        return None
    return None if plain.null_count() else plain.cast(pl.Float64).to_numpy()


def _first_invalid(given: Iterable[Query]) -> tuple[Any, Any, Any]:
    for query, inner in given:
        for doc, number in inner.items():
            try:
                float(number)
            except (TypeError, ValueError, OverflowError):
                return query, doc, number
    return next((q, d, n) for q, inner in given for d, n in islice(inner.items(), 1))


def are_columns(data: Mapping[Any, Any]) -> bool:
    """Return whether a dict has the columns of one run, rather than a run for each name."""
    if len(data) < 2 or not all(is_known_column(n) or n in FEEDBACK_NAMES for n in map(str, data)):
        return False
    runs = (str, Path, Mapping, Table, pl.DataFrame, pl.LazyFrame)
    return not any(isinstance(each, runs) or hasattr(each, "columns") for each in data.values())
