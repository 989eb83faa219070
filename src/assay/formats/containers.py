"""Tables from whatever a caller has in hand: a path, a frame, an Arrow table, dicts or arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import DataError, FormatError, UsageError
from assay.core.tables import Judgments, Run, Source, Table
from assay.formats import nested_dicts
from assay.formats.categories import with_category_order
from assay.formats.column_names import frame_to_judgments, frame_to_run, is_known_column
from assay.formats.format import FileHead, Format, Kind, detect_format, find_format
from assay.formats.system_names import number_duplicates, unique_names
from assay.formats.table_files import read_table
from assay.formats.text.input_files import STANDARD_INPUT, Input


def to_frame(given: Any, what: str) -> tuple[pl.DataFrame, Source]:
    """Columns from a path, a Polars or pandas frame, anything with the Arrow stream, or a dict.

    A table that was read already keeps its source.
    """
    if isinstance(given, Table):
        return given.frame, given.source
    if isinstance(given, str | Path):
        return read_table(given)
    try:
        if isinstance(given, pl.DataFrame):
            return given, Source(what)
        if isinstance(given, pl.LazyFrame):
            return given.collect(), Source(what)
        if hasattr(given, "__arrow_c_stream__"):
            return with_category_order(pl.DataFrame(given), given), Source(what)
        if isinstance(given, Mapping):
            return _frame_from_dict(given), Source(what)
    except (pl.exceptions.PolarsError, TypeError, ValueError) as failure:
        raise DataError(f"{what}: not a table of columns: {failure}") from failure
    raise UsageError(
        f"{what} cannot be read from a {type(given).__name__}: give a path, a Polars or pandas"
        " frame, an Arrow table or a dict"
    )


def _frame_from_dict(given: Mapping[Any, Any]) -> pl.DataFrame:
    """A dict of columns; whole numbers may stand among others, and numbers among words."""
    frame = pl.DataFrame({str(key): column for key, column in given.items()}, strict=False)
    for name, dtype in frame.schema.items():
        if dtype == pl.Object:
            raise TypeError(f"the column '{name}' holds neither numbers nor words")
    return frame


def open_head(
    given: str | Path, kind: Kind | None, format_name: str | None = None
) -> tuple[Format, FileHead]:
    """The beginning of a file, and its format: as named, or told by its content."""
    path = Path(given)
    if path.is_dir() and kind == "run":
        raise FormatError("this is a folder, but a run is a file", str(given))
    if path.is_dir():
        path = _judgments_of_folder(path)
    head = FileHead.of(Input(path))
    return (find_format(format_name) if format_name else detect_format(head, kind)), head


def _judgments_of_folder(folder: Path) -> Path:
    """The judgments of a folder as BEIR has them: those of the test queries, or the only ones."""
    found = sorted((folder / "qrels").glob("*.tsv*"))
    chosen = [each for each in found if each.name.startswith("test.")] or found
    if len(chosen) != 1:
        raise DataError(
            f"{folder}: this is a folder, but not one as BEIR has them: there is"
            f" {'no file' if not found else 'more than one file, and no test.tsv,'} in"
            f" {folder / 'qrels'}; give a file"
        )
    return chosen[0]


def to_judgments(given: Any, format_name: str | None = None) -> Judgments:
    """Judgments from a path, a frame, or a dict of query to {document: grade}."""
    if isinstance(given, Judgments):
        return given
    if isinstance(given, str | Path):
        form, head = open_head(given, "qrels", format_name)
        return form.read_qrels(head)
    if nested_dicts.is_nested(given):
        return nested_dicts.dict_to_judgments(given)
    nested_dicts.refuse_lists(given, "qrels", "grade")
    return frame_to_judgments(*to_frame(given, "qrels"))


def to_run(given: Any, name: str | None = None, format_name: str | None = None) -> Run:
    """A run from a path, a frame, or a dict of query to {document: score}."""
    if isinstance(given, Run):
        return given if name is None else given.named(name)
    if isinstance(given, str | Path):
        form, head = open_head(given, "run", format_name)
        read = form.read_run(head)
        return read if name is None else read.named(name)
    if nested_dicts.is_nested(given):
        return nested_dicts.dict_to_run(given, name or "run")
    nested_dicts.refuse_lists(given, name or "run", "score")
    frame, source = to_frame(given, name or "run")
    read = frame_to_run(frame, source, name or "run")
    return read if name is None else read.named(name)


def to_runs(given: Any, format_name: str | None = None) -> list[Run]:
    """One run, a sequence of runs, or a dict of name to run; names that repeat are told apart."""
    if isinstance(given, Mapping) and not nested_dicts.is_nested(given) and not _is_columns(given):
        if all(isinstance(each, list | tuple) for each in given.values()):
            nested_dicts.refuse_lists(given, "run", "score")
        return [to_run(each, str(name), format_name) for name, each in given.items()]
    if not isinstance(given, Sequence) or isinstance(given, str):
        return [to_run(given, format_name=format_name)]
    if sum(str(each) == STANDARD_INPUT for each in given if isinstance(each, str | Path)) > 1:
        raise UsageError("standard input (-) can be read only once")
    return _disambiguate([to_run(each, format_name=format_name) for each in given], list(given))


def _disambiguate(found: list[Run], given: list[Any]) -> list[Run]:
    """Runs whose tags repeat are called by their files; the same file twice is numbered."""
    tags = Counter(each.name for each in found)
    files = {
        at: origin
        for at, (one, origin) in enumerate(zip(found, given, strict=True))
        if tags[one.name] > 1 and isinstance(origin, str | Path)
    }
    names = dict(zip(files, unique_names(list(files.values())), strict=True))
    fresh = number_duplicates([names.get(at, one.name) for at, one in enumerate(found)])
    return [one.named(name) for one, name in zip(found, fresh, strict=True)]


def _is_columns(given: Mapping[Any, Any]) -> bool:
    return all(is_known_column(str(key)) for key in given)
