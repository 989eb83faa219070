"""The log of an interleaving experiment, joined with the lists that were shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.interleaving.make_lists import CREDIT, RANK, InterleavedLists, lists_schema
from assay.behavior.interleaving.merged_list import (
    METHODS,
    InterleavingMethod,
    ListCredit,
    find_method,
)
from assay.core.arrays import Floats, Ints
from assay.core.errors import DataError, missing_column
from assay.core.tables import Source, convert_column, ids_as_text
from assay.formats.containers import to_frame

LIST_COLUMNS = ("query", "list", "method", "rank", "doc", "available")
KEYS = ("query", "list", "method", "rank", "doc")
"""Columns of lists in which no cell is empty."""
ABSENT = 1 << 40
"""The rank of a document that a system did not retrieve."""


@dataclass(frozen=True)
class ShownLists:
    """The lists of an experiment."""

    frame: pl.DataFrame
    systems: tuple[str, ...]
    method: InterleavingMethod

    @classmethod
    def read(cls, data: Any) -> ShownLists:
        """Read what `make_lists` made."""
        given = data.frame if isinstance(data, InterleavedLists) else data
        frame, source = to_frame(given, "the lists")
        for column in LIST_COLUMNS:
            if column not in frame.columns:
                raise missing_column(source.name, column, frame.columns, error=DataError)
        systems = tuple(c.removeprefix(RANK) for c in frame.columns if c.startswith(RANK))
        methods = frame["method"].unique().sort().to_list()
        if len(systems) < 2 or len(methods) != 1:
            raise DataError(
                f"{source.name}: these are not lists of one method with a column '{RANK}…' for each"
                " system; make them with 'assay interleave make'"
            )
        if methods[0] not in METHODS:
            raise DataError(
                f"{source.place(0)}: '{methods[0] or ''}' is no method of interleaving (there are"
                f" {', '.join(METHODS)})"
            )
        method = find_method(methods[0])
        method.check(len(systems))
        expected = lists_schema(systems)
        for column in expected:
            if column not in frame.columns:
                raise missing_column(source.name, column, frame.columns, error=DataError)
        casts = [
            convert_column(frame, name, kind(), source, nullable=name not in KEYS)
            for name, kind in expected.items()
        ]
        whole = frame.with_columns(casts)
        _check_lists(whole, source, systems, method)
        return cls(whole, systems, method)


def _check_lists(
    frame: pl.DataFrame, source: Source, systems: Sequence[str], method: InterleavingMethod
) -> None:
    """Refuse documents and ranks that occur twice in a list, ranks below 1, and odd credits."""
    for column, other in (("doc", "document"), ("rank", "rank")):
        twice = ~frame.select(pl.struct("query", "list", column).is_first_distinct()).to_series()
        if twice.any():
            row = int(twice.arg_true()[0])
            raise DataError(
                f"{source.place(row)}: the {other} '{frame[column][row]}' occurs twice in list"
                f" '{frame['list'][row]}' of query '{frame['query'][row]}'"
            )
    for name in ("rank", *(f"{RANK}{system}" for system in systems)):
        low = (frame[name] < 1).fill_null(False).arg_true()
        if len(low):
            row = int(low[0])
            raise DataError(f"{source.place(row)}: the {name} {frame[name][row]} is below 1")
    if method.credit is not None:
        return
    for name in (f"{CREDIT}{system}" for system in systems):
        odd = ~(frame[name].is_finite() & (frame[name].abs() <= 1)).fill_null(False)
        if odd.any():
            row = int(odd.arg_true()[0])
            given = "is missing" if frame[name][row] is None else f"is {frame[name][row]:g}"
            raise DataError(
                f"{source.place(row)}: the {name} {given}; {method.name} lists have a credit from"
                " -1 to 1 for each document: make them with 'assay interleave make'"
            )


@dataclass(frozen=True)
class CreditLog:
    """The credit of each system in each impression."""

    frame: pl.DataFrame
    """impression, user, query, and the columns of the slices."""
    credits: Floats
    """Impression × system."""
    clicks: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class LogColumns:
    """The columns of a log."""

    user: str = "user"
    click: str = "click"
    impression: str = "impression"


def read_log(log: Any, shown: ShownLists, columns: LogColumns, by: Sequence[str]) -> CreditLog:
    """Read a log: a row for each document that was shown or clicked, with ``click`` 1 or 0."""
    frame, source = to_frame(log, "the log")
    rows, notes = _log_rows(frame, source, shown, columns, by)
    impressions = rows.unique("impression", maintain_order=True).sort("impression")
    _refuse_mixed(rows, source, by)
    clicks = rows.filter("click").unique(["impression", "doc"]).sort("impression", "doc")
    _refuse_unknown(rows, clicks, shown, source)
    credit = shown.method.credit
    if credit is None:
        credits = _added_credits(impressions, clicks, shown)
    else:
        credits = _list_credits(impressions, clicks, shown, credit)
    kept = impressions.select("impression", "user", "query", *by)
    return CreditLog(kept, credits, clicks.height, tuple(notes))


def _log_rows(
    frame: pl.DataFrame, source: Source, shown: ShownLists, columns: LogColumns, by: Sequence[str]
) -> tuple[pl.DataFrame, list[str]]:
    for column in ("query", "doc", columns.click, *by):
        if column not in frame.columns:
            raise missing_column(source.name, column, frame.columns, error=DataError)
    notes = []
    chosen = [ids_as_text(frame["query"]), ids_as_text(frame["doc"])]
    chosen.append(_clicked(frame, source, columns.click))
    chosen += [frame[name] for name in by]
    lists = frame["list"] if "list" in frame.columns else _only_list(frame, shown, columns, source)
    chosen.append(ids_as_text(lists).alias("list"))
    if columns.user in frame.columns:
        chosen.append(ids_as_text(frame[columns.user]).alias("user"))
    elif columns.user != "user":
        raise missing_column(source.name, columns.user, frame.columns, "for `user`")
    rows = pl.DataFrame(chosen).with_row_index("row")
    if columns.impression in frame.columns:
        key = ids_as_text(frame[columns.impression])
        rows = rows.with_columns(key.alias("impression"))
    else:
        parts = [c for c in ("user", "query", "list") if c in rows.columns]
        rows = rows.with_columns(impression=pl.concat_str(parts, separator="|"))
        notes.append(f"impressions are identified by the columns {', '.join(parts)}")
    if "user" not in rows.columns:
        rows = rows.with_columns(user=pl.col("impression"))
        notes.append(
            "the log has no column 'user': each impression counts as a user of its own, which makes"
            " p-values too small if users return"
        )
    return rows, notes


def _only_list(
    frame: pl.DataFrame, shown: ShownLists, columns: LogColumns, source: Source
) -> pl.Series:
    """Return the list of each row where the log does not name it."""
    if columns.impression in frame.columns:
        names = set(shown.frame["list"].unique().to_list())
        key = ids_as_text(frame[columns.impression])
        if set(key.unique().to_list()) <= names:
            return key
    per_query = shown.frame.group_by("query").agg(pl.col("list").n_unique())
    if per_query["list"].max() == 1:
        one = shown.frame.unique("query").select("query", "list")
        queries = pl.DataFrame([ids_as_text(frame["query"]).alias("query")])
        return queries.join(one, on="query", how="left", maintain_order="left")["list"]
    raise missing_column(source.name, "list", frame.columns, "to know which list was shown")


def _clicked(frame: pl.DataFrame, source: Source, column: str) -> pl.Series:
    """Return whether each row is a click."""
    given = frame[column]
    if given.dtype == pl.Boolean:
        return given.fill_null(False).alias("click")
    number = given.cast(pl.Float64, strict=False)
    bad = (~number.is_in([0.0, 1.0]) | number.is_null()).arg_true()
    if len(bad):
        raise DataError(
            f"{source.place(int(bad[0]))}: the {column} '{given[int(bad[0])]}' is neither 0 nor 1"
        )
    return (number > 0).alias("click")


def _refuse_mixed(rows: pl.DataFrame, source: Source, by: Sequence[str]) -> None:
    """Refuse an impression with two users, queries or lists."""
    for column in ("user", "query", "list", *by):
        first = pl.col(column).first().over("impression")
        start = pl.col("row").first().over("impression")
        mixed = rows.with_columns(first=first, start=start).filter(
            pl.col(column).ne_missing(pl.col("first"))
        )
        if mixed.height:
            here = mixed.row(0, named=True)
            raise DataError(
                f"{source.place(int(here['row']))}: the impression '{here['impression']}' has the"
                f" {column} '{here[column]}', but '{here['first']}' at"
                f" {source.place(int(here['start']))}; an impression has one {column}"
            )


def _refuse_unknown(
    rows: pl.DataFrame, clicks: pl.DataFrame, shown: ShownLists, source: Source
) -> None:
    """Refuse lists that were not made, and clicks on documents that were not shown."""
    for part, keys in ((rows, ["query", "list"]), (clicks, ["query", "list", "doc"])):
        unknown = part.join(shown.frame, on=keys, how="anti").sort("row")
        if unknown.height:
            first = unknown.row(0, named=True)
            what = "list" if len(keys) == 2 else "document"
            name = first["list"] if len(keys) == 2 else first["doc"]
            where = "was not made" if len(keys) == 2 else f"is not in list {first['list']}"
            raise DataError(
                f"{source.place(int(first['row']))}: the {what} '{name}' of query"
                f" '{first['query']}' {where}; check that these lists were shown"
            )


def _added_credits(impressions: pl.DataFrame, clicks: pl.DataFrame, shown: ShownLists) -> Floats:
    """Return the sum of the credits of the clicks."""
    columns = [f"{CREDIT}{name}" for name in shown.systems]
    joined = clicks.join(shown.frame, on=["query", "list", "doc"], how="left")
    sums = joined.sort("impression", "rank").group_by("impression").agg(pl.col(columns).sum())
    found = impressions.select("impression").join(
        sums, on="impression", how="left", maintain_order="left"
    )
    return found.select(columns).fill_null(0.0).cast(pl.Float64).to_numpy()


def _list_credits(
    impressions: pl.DataFrame, clicks: pl.DataFrame, shown: ShownLists, credit: ListCredit
) -> Floats:
    """Return credits that depend on all clicks of an impression."""
    lists = _lists_as_arrays(shown)
    clicked = dict(clicks.group_by("impression").agg("doc").iter_rows())
    credits = np.zeros((impressions.height, len(shown.systems)))
    rows = impressions.select("impression", "query", "list").iter_rows()
    for number, (impression, query, name) in enumerate(rows):
        if impression not in clicked:
            continue
        docs, ranks, available = lists[query, name]
        where = np.isin(docs, clicked[impression])
        credits[number] = credit(ranks, available, where)
    return credits


def _lists_as_arrays(shown: ShownLists) -> dict[tuple[str, str], tuple[Any, Ints, Ints]]:
    """Return the documents, ranks in each system and numbers to draw from of each list."""
    columns = [f"{RANK}{name}" for name in shown.systems]
    whole = shown.frame.with_columns(
        pl.col(columns).cast(pl.Int64).fill_null(ABSENT),
        pl.col("available").cast(pl.Int64).fill_null(0),
    )
    found = {}
    for (query, name), part in whole.sort("rank").group_by(["query", "list"]):
        ranks = part.select(columns).to_numpy().T
        docs = np.array(part["doc"].to_list())
        found[str(query), str(name)] = (docs, ranks, part["available"].to_numpy())
    return found
