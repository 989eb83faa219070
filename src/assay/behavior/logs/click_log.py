"""Click logs from files or tables, in pieces of complete lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from assay.behavior.logs.click_table import PIECE, Clicks, known_columns
from assay.behavior.logs.log_findings import Findings
from assay.behavior.logs.log_format import LogSettings, RawPiece, detect_log_format
from assay.behavior.logs.piece_checks import check_piece, shift_base
from assay.core.errors import DataError, UsageError
from assay.core.tables import Source
from assay.formats.containers import to_frame
from assay.formats.input_files import Input
from assay.formats.spark_frames import is_spark_frame


@dataclass
class ClickLog:
    """A log that is read in pieces, each time it is needed."""

    data: Any
    """Paths of files of one format, or a table in memory."""
    settings: LogSettings = field(default_factory=LogSettings)
    findings: Findings = field(default_factory=Findings)
    """What the last reading found."""

    @property
    def name(self) -> str:
        """What the log is called in messages."""
        paths = _paths(self.data)
        return "the log" if paths is None else ", ".join(str(path) for path in paths)

    @property
    def format(self) -> str:
        """The format of the files; "table" in memory."""
        paths = _paths(self.data)
        if paths is None:
            return "table"
        return detect_log_format([Input(path) for path in paths], self.settings.format).name

    def pieces(self, strict: bool = True) -> Iterator[pl.DataFrame]:
        """Yield rows of complete lists, the lists numbered through; see `Clicks` for the columns.

        The first error in the data is raised, unless the reading is not strict: then ranks that
        cannot be used are left out.
        """
        self.findings.clear()
        lists = 0
        for raw in self._raw_pieces():
            if not raw.frame.height:
                continue
            shifted = shift_base(raw, self.settings.base, self.findings)
            frame = check_piece(shifted, self.findings)
            if strict:
                self.findings.refuse_errors()
            if frame.height:
                numbered = frame.with_columns(pl.col("list").rle_id().cast(pl.Int64) + lists)
                lists = int(numbered["list"][-1]) + 1
                yield numbered.select(*PIECE)
        if not lists and strict:
            raise DataError(f"{self.name}: there is no result list with documents in the log")

    def _raw_pieces(self) -> Iterator[RawPiece]:
        paths = _paths(self.data)
        if paths is None:
            from assay.behavior.logs.files.impressions import table_piece

            if is_spark_frame(self.data):
                name_ranked_columns(self.data, self.settings, self.name)
            frame, source = to_frame(self.data, "the log")
            yield table_piece(frame, source, self.settings, self.findings)
            return
        files = [Input(path) for path in paths]
        form = detect_log_format(files, self.settings.format)
        yield from form.read(files, self.settings, self.findings)

    def table(self) -> Clicks:
        """Return the whole log as one table."""
        frame = pl.concat(list(self.pieces()))
        return Clicks.of(known_columns(frame), Source(self.name))


def name_ranked_columns(data: Any, settings: LogSettings, where: str) -> dict[str, str]:
    """Return the columns of a Spark frame, whose rows have no order: there must be ranks."""
    from assay.behavior.logs.impression_columns import name_columns

    empty = pl.DataFrame(schema=dict.fromkeys(data.columns, pl.String))
    found = name_columns(empty, settings.columns, where)
    if "rank" not in found:
        raise UsageError(
            f"{where}: the rows of a Spark table have no order, so that each result needs its rank;"
            " add a column `rank`"
        )
    return found


def _paths(data: Any) -> list[str | Path] | None:
    """Return the files that were given; None for a table in memory."""
    if isinstance(data, str | Path):
        return [data]
    if isinstance(data, Sequence) and data and all(isinstance(e, str | Path) for e in data):
        return list(data)
    return None


def open_log(data: Any, settings: LogSettings | None = None) -> ClickLog:
    """Return a log from paths, a table in memory, or a log that is open already."""
    if isinstance(data, ClickLog):
        return data
    if isinstance(data, Sequence) and not isinstance(data, str) and not data:
        raise UsageError("there is no log: give a file or a table")
    return ClickLog(data, settings or LogSettings())


def read_clicks(
    log: Any,
    *,
    format: str | None = None,
    base: int | None = None,
    columns: dict[str, str] | None = None,
) -> Clicks:
    """Read a click log as a table with one row for each result that was shown.

    ``log`` is a path, several paths, or a table (Polars, pandas, Arrow, dict) with the columns
    session, query, rank, doc and click, perhaps list, time, click_time and user. ``format`` is
    detected by default; ``base`` is the rank of the first result, 0 or 1; ``columns`` says what
    the columns are called.
    """
    return open_log(log, LogSettings(format, base, columns or {})).table()
