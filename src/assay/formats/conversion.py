"""Converting files from one format to another; nothing is lost without a note or an error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import FormatError, UsageError
from assay.core.output_files import STANDARD_STREAM, open_output, refuse_input
from assay.core.phrases import quantity
from assay.core.tables import Judgments, Run
from assay.formats.arrays import is_frame
from assay.formats.compression import COMPRESSIONS
from assay.formats.containers import (
    find_format,
    format_by_ending,
    open_file,
    to_frame,
    to_judgments,
    to_run,
)
from assay.formats.decimal_commas import with_decimal_points
from assay.formats.format import Format
from assay.formats.system_names import file_stem, is_ranx
from assay.formats.table_columns import Kind, table_kind

_NO_NUMBERS = (
    "documents without numbers may be a run or judgments; choose `kind=run` or `kind=qrels`"
)
_ESSENTIAL = ("grade", "subtopic", "stratum", "probability")


def convert(
    given: Any,
    out: str | Path,
    kind: Kind | None = None,
    input_format: str | None = None,
    output_format: str | None = None,
    *,
    decimal_comma: bool = False,
) -> tuple[Judgments | Run, list[str]]:
    """Write judgments or a run in another format; return the table and notes on omissions.

    ``given`` is a file, or what ``assay.retrieval`` takes. ``kind`` is ``run`` or ``qrels``, where
    columns do not say it. Numbers such as 0,25 of a file read with ``decimal_comma`` are written as
    0.25.
    """
    if isinstance(given, str | Path):
        refuse_input(out, [given])
        found = kind or detect_kind(given, input_format)
    else:
        found = kind or _kind_in_memory(given)
    read = with_decimal_points(given, decimal_comma)
    table = (to_run if found == "run" else to_judgments)(read, format_name=input_format)
    target = find_format(output_format) if output_format else format_by_ending(out)
    rows = _add_ranks(table, target) if isinstance(table, Run) else table.frame
    notes = [*_left_out_note(table, rows, target), *_name_note(table, given, out, target)]
    with _open_output(out) as stream:
        for part in target.write(table, rows):
            stream.write(part)
    return table, notes


def detect_kind(given: str | Path, input_format: str | None = None) -> Kind:
    """Return whether a file holds a run or judgments, by its content."""
    form, file = open_file(given, None, input_format)
    found = form.kind(file)
    if found is None:
        try:
            names, source = to_frame(given, "the table")
        except FormatError:
            raise UsageError(f"{given}: {_NO_NUMBERS}") from None
        raise FormatError(
            "neither a grade, as judgments have, nor a score or a rank, as a run has, is among the"
            f" columns {', '.join(names.columns)}; rename the one that holds it ({_NO_NUMBERS})",
            source.name,
        )
    return found


def _kind_in_memory(given: Any) -> Kind:
    """Return whether a table, a frame or a dict holds a run or judgments."""
    if isinstance(given, Run | Judgments):
        return "run" if isinstance(given, Run) else "qrels"
    if is_ranx(given):
        return "run" if type(given).__name__ == "Run" else "qrels"
    found = table_kind(to_frame(given, "the table")[0].columns) if is_frame(given) else None
    if found is None:
        raise UsageError(
            f"a {type(given).__name__} may hold a run or judgments; say which: kind='run' or"
            " kind='qrels'"
        )
    return found


def _left_out_note(table: Judgments | Run, rows: pl.DataFrame, target: Format) -> list[str]:
    lost = [name for name in rows.columns if name not in ("query", "doc", *target.holds)]
    if refused := [name for name in lost if name in _ESSENTIAL]:
        raise FormatError(
            f"{target.name} cannot hold the {' and '.join(refused)} of {table.source.name};"
            " write trec, jsonl, csv or parquet"
        )
    notes = [f"{target.name} holds no {name}: it is left out" for name in lost if name != "rank"]
    if table.empty and target.name != "json":
        notes.append(f"left out: {quantity(len(table.empty), 'query')} without documents")
    return notes


def _name_note(table: Judgments | Run, given: Any, out: str | Path, target: Format) -> list[str]:
    """Return a note on the name of a run that its new file will not have."""
    if not isinstance(table, Run) or target.name == "trec" or str(out) == STANDARD_STREAM:
        return []
    before = file_stem(given) if isinstance(given, str | Path) else "run"
    if table.name in (file_stem(out), before):
        return []
    return [
        f"{target.name} holds no name of the run: {table.name} is called {file_stem(out)} there,"
        " after the file"
    ]


def _add_ranks(table: Run, target: Format) -> pl.DataFrame:
    """Return the rows of a run with ranks: its own, or by score and then document.

    If the format holds no scores, ranks are always computed from these.
    """
    rows = table.frame
    if "rank" in rows.columns and rows["rank"].null_count() == 0 and "score" in target.holds:
        return rows.select("query", "doc", "score", "rank")
    keys = ["query", "score", "doc"]
    place = pl.int_range(1, pl.len() + 1).over("query").alias("rank")
    ordered = rows.select(keys).with_row_index("row").sort(keys, descending=[False, True, True])
    ranked = ordered.with_columns(place).sort("row")
    return ranked.select("query", "doc", "score", "rank")


def read_run(given: Any, input_format: str | None = None) -> Run:
    """Return a run from a file, or from what ``assay.retrieval`` takes; ``frame`` has its rows.

    Its ``to_pandas`` and ``save`` write them elsewhere.
    """
    return to_run(given, format_name=input_format)


def read_qrels(given: Any, input_format: str | None = None) -> Judgments:
    """Return judgments from a file, or from what ``assay.retrieval`` takes, as ``read_run`` does.

    ``notes`` say what was assumed, such as that every row is relevant where there are no grades.
    """
    return to_judgments(given, format_name=input_format)


@contextmanager
def _open_output(out: str | Path) -> Iterator[Any]:
    """Open the output, and compress it according to its extension."""
    with open_output(out) as raw:
        compress = COMPRESSIONS.get(Path(out).suffix.casefold())
        stream = raw if compress is None else compress(raw)
        yield stream
        if stream is not raw:
            stream.close()
