"""Tables with a row for each impression: their columns, ranks, and which rows form a list."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from assay.behavior.logs.click_table import LINE, PIECE
from assay.behavior.logs.list_records import MILLISECONDS
from assay.behavior.logs.log_findings import BAD_TIME, NO_ZONE, Findings
from assay.behavior.logs.log_format import Place
from assay.core.errors import DataError, FormatError, missing_column, nearest_names, unknown_name
from assay.core.phrases import list_phrase
from assay.core.tables import Source, cast_column

SYNONYMS: dict[str, tuple[str, ...]] = {
    "session": ("session", "session_id", "sessionid", "sid"),
    "list": ("list", "list_id", "serp", "serp_id", "serpid", "impression_id", "page_view_id"),
    "query": ("query", "query_id", "queryid", "qid", "user_query", "search_term", "keyword"),
    "rank": ("rank", "position", "pos", "ordinal"),
    "doc": ("doc", "doc_id", "docid", "docno", "document", "url", "object_id", "item_id", "item"),
    "click": ("click", "clicks", "clicked", "is_click", "is_clicked"),
    "time": ("time", "timestamp", "ts", "datetime", "date"),
    "click_time": ("click_time", "click_timestamp", "clicked_at"),
    "user": ("user", "user_id", "userid", "client_id", "visitor_id"),
}
"""What the columns of a log are called."""
NEEDED = ("query", "doc", "click")


def name_columns(frame: pl.DataFrame, given: Mapping[str, str], where: str) -> dict[str, str]:
    """Return the column of a table for each declared name."""
    for name, column in given.items():
        if name not in SYNONYMS:
            raise unknown_name("column of a log", name, SYNONYMS)
        if column not in frame.columns:
            raise missing_column(where, column, frame.columns, f"for the {name}")
    folded = {column.strip().casefold(): column for column in reversed(frame.columns)}
    found = dict(given)
    for name, words in SYNONYMS.items():
        known = next((folded[w] for w in words if w in folded), None)
        if name not in found and known is not None and known not in found.values():
            found[name] = known
    missing = [name for name in NEEDED if name not in found]
    if "session" not in found and "list" not in found:
        missing.append("session")
    if missing:
        near = [
            n
            for name in missing
            for w in SYNONYMS[name]
            for n in nearest_names(w, frame.columns, 1)
        ]
        hint = f" Is it '{near[0]}'? Then name it, as in {missing[0]}={near[0]}." if near else ""
        raise FormatError(
            f"a log has the columns session, query, rank, doc and click; there is none for the"
            f" {' and the '.join(missing)} among {list_phrase(frame.columns)}.{hint}",
            where,
        )
    return found


def impression_rows(
    frame: pl.DataFrame, found: Mapping[str, str], source: Source, findings: Findings
) -> pl.DataFrame:
    """Return the rows of a table with the columns of a piece, still as the file orders them."""
    columns = {name: frame[column] for name, column in found.items()}
    rows: dict[str, pl.Series | pl.Expr] = {}
    for name in ("session", "list", "query", "doc", "user"):
        if name in columns:
            rows[name] = _text(columns[name], name, source)
    rows["click"] = _click_counts(columns["click"], source)
    if "rank" in columns:
        rows["rank"] = _whole_numbers(columns["rank"], "rank", source)
    for name in ("time", "click_time"):
        if name in columns:
            rows[name] = _times(columns[name], source.place, findings)
    rows.setdefault("session", rows.get("list", pl.lit("")))
    table = frame.select(**rows).with_row_index(LINE)
    missing = [
        pl.lit(None, PIECE[n]).alias(n) for n in ("time", "click_time", "user") if n not in rows
    ]
    return table.with_columns(pl.col(LINE).cast(pl.Int64), *missing)


def number_lists(rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows sorted by list, each list with its number from 0, in the order of the file.

    A list has the rows of one session, query and, if there is such a column, list. Without ranks
    the order of the rows is the order of the results.
    """
    key = [name for name in ("session", "list", "query") if name in rows.columns]
    runs = rows.with_columns(_run=pl.struct(key).rle_id())
    heads = runs.unique("_run", keep="first", maintain_order=True)
    if heads.select(key).n_unique() == heads.height:  # the rows of each list are together
        numbered = runs.drop("list", strict=False).with_columns(list=pl.col("_run").cast(pl.Int64))
    else:
        first = heads.group_by(key, maintain_order=True).agg(pl.col("_run").first())
        first = first.with_row_index("_list").drop("_run")
        joined = heads.select("_run", *key).join(first, on=key, how="left")
        numbers = joined.select("_run", list=pl.col("_list").cast(pl.Int64))
        numbered = runs.drop("list", strict=False).join(numbers, on="_run", how="left")
        numbered = numbered.sort("list", LINE)
    if "rank" not in numbered.columns:
        numbered = numbered.with_columns(rank=pl.int_range(1, pl.len() + 1).over("list"))
    elif not _ranks_rise(numbered):
        numbered = numbered.sort("list", "rank", LINE)
    return numbered.select(*(pl.col(n).cast(t) for n, t in PIECE.items()), LINE)


def _ranks_rise(rows: pl.DataFrame) -> bool:
    follows = rows["list"].diff() == 0
    return bool(((rows["rank"].diff() > 0) | ~follows).fill_null(True).all())


def _text(column: pl.Series, name: str, source: Source) -> pl.Series:
    text = cast_column(column, pl.String(), source)
    missing = text.is_null().arg_true()
    if len(missing) and name != "user":
        raise DataError(
            f"{source.place(int(missing[0]))}: the {name} is missing; fill it in or leave the row"
            " out"
        )
    return text


def _whole_numbers(column: pl.Series, name: str, source: Source) -> pl.Series:
    whole = cast_column(column, pl.Int64(), source)
    numbers = cast_column(column, pl.Float64(), source)
    bad = (whole.is_null() | (numbers != whole)).arg_true()
    if len(bad):
        row = int(bad[0])
        raise DataError(f"{source.place(row)}: the {name} '{column[row]}' is not a whole number")
    return whole


def _click_counts(column: pl.Series, source: Source) -> pl.Series:
    if column.dtype == pl.String:
        words = {"true": "1", "false": "0", "yes": "1", "no": "0"}
        column = column.str.strip_chars().str.to_lowercase().replace(words)
    counts = _whole_numbers(
        column.cast(pl.Int64) if column.dtype == pl.Boolean else column, "click", source
    )
    bad = (counts < 0).arg_true()
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"{source.place(row)}: the click is {counts[row]}; 0, 1 or a number of clicks is"
            " expected"
        )
    return counts


def _times(column: pl.Series, place: Place, findings: Findings) -> pl.Series:
    """Return times in seconds; numbers since 1970 in milliseconds are recognized by their size."""
    if column.dtype.is_temporal():
        if getattr(column.dtype, "time_zone", None) is None:
            findings.add(NO_ZONE, place(0), str(column[0]), len(column))
        return column.cast(pl.Datetime("us")).dt.epoch("us") / 1e6
    numbers = column.cast(pl.Float64, strict=False)
    if numbers.null_count() > column.null_count():
        numbers = _iso_times(column.cast(pl.String), place, findings)
    return pl.select(
        pl.when(numbers > MILLISECONDS).then(numbers / 1000).otherwise(numbers)
    ).to_series()


def _iso_times(text: pl.Series, place: Place, findings: Findings) -> pl.Series:
    zoned = text.str.contains(r"(Z|[+-]\d\d:?\d\d)$")
    bare = text.str.replace(r"Z$", "+00:00").str.replace("T", " ")
    with_zone = bare.str.to_datetime("%Y-%m-%d %H:%M:%S%.f%#z", strict=False, time_zone="UTC")
    without = bare.str.to_datetime("%Y-%m-%d %H:%M:%S%.f", strict=False)
    days = bare.str.to_datetime("%Y-%m-%d", strict=False) if without.null_count() else without
    naive = pl.select(pl.coalesce(without, days)).to_series()
    local = (~zoned & naive.is_not_null()).arg_true()
    if len(local):
        findings.add(NO_ZONE, place(int(local[0])), text[int(local[0])], len(local))
    moments = pl.select(pl.coalesce(with_zone.dt.replace_time_zone(None), naive)).to_series()
    bad = (moments.is_null() & text.is_not_null()).arg_true()
    if len(bad):
        findings.add(BAD_TIME, place(int(bad[0])), text[int(bad[0])], len(bad))
    return moments.dt.epoch("us") / 1e6
