"""Tables from whatever a caller has: a path, a frame, an Arrow table, dicts or arrays."""

from __future__ import annotations

import importlib
import math
import pkgutil
import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import DataError, FormatError, UsageError, unknown_name
from assay.core.tables import Judgments, Run, Source, Table
from assay.formats.arrays import is_frame
from assay.formats.format import Format
from assay.formats.input_files import STANDARD_INPUT, WORKBOOK_ENDINGS, Input
from assay.formats.spark_frames import collect_frame, is_spark_frame
from assay.formats.system_names import file_endings, with_unique_names
from assay.formats.table_columns import (
    Kind,
    frame_to_judgments,
    frame_to_run,
    split_frame,
)

_FOLDER = "assay.formats.files"
_DEFAULT = "trec"
"""The format of most files: tried first, and used if no format matches."""
_BEGINS_AS_JSON = re.compile(rb'\s*(\{\s*["}]|\[\s*[\[{\]])')


def to_frame(
    data: Any, what: str, columns: Collection[str] | None = None
) -> tuple[pl.DataFrame, Source]:
    """Return columns from a path, a frame, an Arrow stream, or a dict; a table keeps its source.

    Of a file or a Spark frame, columns that are not named may be left out.
    """
    if isinstance(data, Table):
        return data.frame, data.source
    if isinstance(data, str | Path):
        return read_table(data, columns)
    try:
        if isinstance(data, pl.DataFrame):
            return data, Source(what)
        if isinstance(data, pl.LazyFrame):
            return data.collect(), Source(what)
        if is_spark_frame(data):
            return collect_frame(data, what, columns), Source(what)
        if hasattr(data, "__arrow_c_stream__"):
            return _arrow_frame(data), Source(what)
        if isinstance(data, Mapping):
            return _frame_from_dict(data), Source(what)
    except (pl.exceptions.PolarsError, TypeError, ValueError) as failure:
        raise DataError(f"{what}: not a table of columns: {failure}") from failure
    raise UsageError(
        f"{what} cannot be read from a {type(data).__name__}: give a path, a Polars or pandas"
        " frame, an Arrow table, a dict or a list of row dicts"
    )


def read_table(
    path: str | Path, columns: Collection[str] | None = None
) -> tuple[pl.DataFrame, Source]:
    """Return (at least the named) columns of a Parquet, Feather, Excel, JSON or delimited file."""
    if Path(path).suffix.casefold() in WORKBOOK_ENDINGS:
        from assay.formats.workbooks import read_workbook

        return read_workbook(path)
    file = Input(path)
    if file.start.startswith((b"PAR1", b"ARROW1")):
        from assay.formats.files import feather, parquet

        if file.start.startswith(b"PAR1"):
            return parquet.read_columns(file, columns)
        return feather.FORMAT.read_frame(file)
    if _BEGINS_AS_JSON.match(file.start):
        from assay.formats.files import json_lines, json_nested

        if (rated := _rating_format(file)) is not None:
            return rated.read_frame(file)
        if json_lines.FORMAT.matches(file, None):
            return json_lines.FORMAT.read_frame(file)
        return json_nested.FORMAT.read_frame(file)
    judged = re.match(rb".*HITId|query,docid,(?!rating\s)", file.start)
    if judged and (rated := _rating_format(file)) is not None:
        return rated.read_frame(file)
    from assay.formats.files.delimited import read_delimited

    return read_delimited(file, columns=columns)


def _rating_format(file: Input) -> Format | None:
    """Return the format of a judging tool that a file has; its table has a row for each rating."""
    return next(
        (form for form in formats().values() if form.specific and form.matches(file, None)), None
    )


def _frame_from_dict(data: Mapping[Any, Any]) -> pl.DataFrame:
    """Return a dict of columns as a frame; a column may mix numbers and text."""
    from assay.formats.arrays import plain_column

    frame = pl.DataFrame({str(key): plain_column(each) for key, each in data.items()}, strict=False)
    if others := [name for name, dtype in frame.schema.items() if dtype == pl.Object]:
        raise TypeError(f"the column '{others[0]}' holds neither numbers nor text")
    return frame


def _arrow_frame(data: Any) -> pl.DataFrame:
    """Return the columns of a pandas frame or an Arrow stream; pandas does not need pyarrow."""
    from assay.formats.arrays import pandas_frame, plain_pandas_frame, with_category_order

    plain = plain_pandas_frame(data)
    try:
        return with_category_order(pl.DataFrame(data), data) if plain is None else plain
    except ImportError:
        return pandas_frame(data)


@lru_cache
def _load_format(module: str) -> Format:
    form: Format = importlib.import_module(f"{_FOLDER}.{module}").FORMAT
    return form


@lru_cache(maxsize=1)
def formats() -> dict[str, Format]:
    """Return all formats by name, the default last."""
    folder = importlib.import_module(_FOLDER).__path__
    modules = sorted(module.name for module in pkgutil.iter_modules(folder))
    ordered = [module for module in modules if module != _DEFAULT] + [_DEFAULT]
    return {form.name: form for form in map(_load_format, ordered)}


def find_format(name: str) -> Format:
    """Return the format of that name."""
    if name not in formats():
        raise unknown_name("format", name, formats())
    return formats()[name]


def format_by_ending(out: str | Path) -> Format:
    """Return the format to write, by the extension of the name; TREC without one."""
    ending = "".join(file_endings(out)[-1:]) or ".trec"
    known = {each: form for form in formats().values() for each in form.endings}
    if ending not in known:
        raise UsageError(
            f"{out}: no format is written to files that end in '{ending}' (known are"
            f" {', '.join(sorted(known))}); name one with --output-format"
        )
    return known[ending]


def is_text_file(data: Any) -> bool:
    """Return whether this is a file of lines or columns, and not a workbook."""
    path = data.path if isinstance(data, Input) else data
    return isinstance(path, str | Path) and Path(path).suffix.casefold() not in WORKBOOK_ENDINGS


def open_file(
    path: str | Path | Input, kind: Kind | None, format_name: str | None = None
) -> tuple[Format, Input]:
    """Return a file and its format: as named, or detected from its content."""
    if not isinstance(path, Input) and Path(path).is_dir():
        if kind == "run":
            raise FormatError("this is a folder, but a run is a file", str(path))
        path = _judgments_of_folder(Path(path))
    default = find_format(format_name) if format_name else _load_format(_DEFAULT)
    file = path if isinstance(path, Input) else Input(path)
    if format_name or default.matches(file, kind):
        return default, file
    ordered = sorted(formats().values(), key=lambda form: not form.specific)
    return next((form for form in ordered if form.matches(file, kind)), default), file


def _judgments_of_folder(folder: Path) -> Path:
    """Return the judgments of a BEIR folder: those of the test queries, or the only ones."""
    files = sorted((folder / "qrels").glob("*.tsv*"))
    chosen = [file for file in files if file.name.startswith("test.")] or files
    if len(chosen) != 1:
        raise DataError(
            f"{folder}: this is a folder, but not a BEIR folder: there is"
            f" {'no file' if not files else 'more than one file, and no test.tsv,'} in"
            f" {folder / 'qrels'}; give a file"
        )
    return chosen[0]


def to_judgments(data: Any, format_name: str | None = None) -> Judgments:
    """Return judgments from a path, a frame, or a dict of query to {document: grade}."""
    if isinstance(data, Judgments):
        return data
    if is_text_file(data):
        form, file = open_file(data, "qrels", format_name)
        return form.read_qrels(file)
    from assay.formats import nested_dicts, records

    data = records.as_table_or_dict(data, ranked=False)
    if nested_dicts.is_nested(data):
        return nested_dicts.dict_to_judgments(data)
    if not is_frame(data) and isinstance(data, Mapping) and any(map(is_frame, data.values())):
        raise UsageError("qrels: these are runs by name; the judgments come first, then the runs")
    return frame_to_judgments(*to_frame(data, "qrels"))


def to_run(
    data: Any, name: str | None = None, format_name: str | None = None, alone: bool = False
) -> Run:
    """Return a run from a path, a frame, or a dict of query to {document: score}."""
    if isinstance(data, Run):
        run = data
    elif is_text_file(data):
        form, file = open_file(data, "run", format_name)
        run = form.read_run(file)
    else:
        from assay.formats import nested_dicts, records

        found, other = records.as_table_or_dict(data, ranked=True), name or "run"
        if nested_dicts.is_nested(found):
            run = nested_dicts.DictRun(found, getattr(data, "name", None) or other)
        else:
            run = frame_to_run(*_run_columns(found, other), other)
        if alone:
            _require_rows(run)
    return run if name is None else run.with_name(name)


def to_runs(data: Any, format_name: str | None = None) -> list[Run]:
    """Return the runs of a run, several, a dict of name to run, pairs of these, or ``*.run``."""
    if isinstance(data, str) and "*" in data and not Path(data).exists():
        data = sorted(Path(data).parent.glob(Path(data).name)) or data
    if (named := runs_by_name(data)) is not None:
        alone = len(named) == 1
        return [to_run(run, name, format_name, alone) for name, run in named.items()]
    if not isinstance(data, Sequence) or isinstance(data, str) or _are_records(data):
        return _split_runs(data) or [to_run(data, None, format_name, alone=True)]
    if not data:
        raise UsageError("there is no run; give one or more")
    if sum(str(run) == STANDARD_INPUT for run in data if isinstance(run, str | Path)) > 1:
        raise UsageError("standard input (-) can be read only once")
    runs = [to_run(run, None, format_name, len(data) == 1) for run in data]
    names = {run.name for run in runs}
    return runs if len(names) == len(runs) else with_unique_names(runs, data)


def runs_by_name(data: Any) -> dict[str, Any] | None:
    """Return a dict of name to run, as it was given or of pairs; None for anything else."""
    from assay.formats import nested_dicts, records

    if isinstance(data, list | tuple) and data and type(data[0]) is tuple:
        from assay.formats.system_names import name_pairs

        return name_pairs(data)
    if not isinstance(data, Mapping) or nested_dicts.are_columns(data):
        return None
    if nested_dicts.is_nested(data) or records.holds_documents(data):
        return None
    return {str(name): run for name, run in data.items()}


def _split_runs(data: Any) -> list[Run]:
    """Return the runs of a frame with a column of their names; none of anything else."""
    if isinstance(data, Table) or not is_frame(data):
        return []
    return split_frame(_run_columns(data, "run")[0])


def _run_columns(data: Any, what: str) -> tuple[pl.DataFrame, Source]:
    """Return the columns of a run; a missing number of pandas is NaN, as its policy expects."""
    from assay.formats.arrays import is_pandas

    frame, source = to_frame(data, what)
    if is_pandas(data):
        missing = [each for each in frame if each.dtype.is_float() and each.null_count()]
        if missing:
            frame = frame.with_columns(each.fill_null(math.nan) for each in missing)
    return frame, source


def _require_rows(run: Run) -> None:
    """Raise an error where the only run has no rows; one of several then answers no query."""
    rows: Any = run.__dict__.get("frame", getattr(run, "given", ()))
    if not len(rows) and not run.empty:
        raise DataError(f"{run.name}: the run has no rows; was it filtered too much?")


def _are_records(data: Sequence[Any]) -> bool:
    """Return whether a sequence is one run, a record for each row, rather than several runs."""
    if not data or isinstance(data[0], str | Path):
        return False
    from assay.formats.records import are_records

    return are_records(data)
