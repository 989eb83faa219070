"""TREC runs and qrels: fields separated by white space, one document per line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from copy import copy
from dataclasses import replace
from typing import ClassVar

import polars as pl

from assay.core.errors import FormatError
from assay.core.tables import Judgments, Run, StreamedRun
from assay.formats.format import Format
from assay.formats.input_files import PIECE, Input
from assay.formats.line_layout import LineLayout
from assay.formats.line_reader import line_source, read_all_lines, read_lines
from assay.formats.table_columns import Kind

RUN_LAYOUT = LineLayout(
    ("query", "_iteration", "doc", "rank", "score", "_tag"),
    "a line of a run is: query, Q0, document, rank, score, tag",
)
QRELS_LAYOUT = LineLayout(
    ("query", "subtopic", "doc", "grade"),
    "a line of qrels is: query, 0, document, grade",
    most=4,
)
SAMPLED_LAYOUT = LineLayout(
    ("query", "_iteration", "doc", "stratum", "grade"),
    "a line of sampled qrels is: query, 0, document, stratum, grade",
    most=5,
)
PRELS_LAYOUT = LineLayout(
    ("query", "doc", "grade", "stratum", "probability"),
    "a line of prels is: query, document, grade, method, probability",
    most=5,
)
_FIRST_LINES = 200
_SMALL = 1 << 17
_NUMBER = re.compile(rb"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
SWAPPED = "; is this a {} file? The judgments come first, then the runs"
"""The hint where a line of the other kind is found."""


class LineRun(StreamedRun):
    """A run in lines, read again in pieces each time; without scores, they are negative ranks."""

    def __init__(self, file: Input, layout: LineLayout, name: str) -> None:
        self.__dict__.update(source=line_source(file), name=name, empty=())
        self.__dict__.update(_file=file, _layout=layout)

    _file: Input
    _layout: LineLayout

    def unhashed(self, small_pieces: bool = False) -> Run:
        """Return the run for readers without use for its digest, or for more than its start."""
        twin = copy(self)
        twin.__dict__.pop("_begun", None)
        twin.__dict__["_file"] = self._file.unhashed(_SMALL if small_pieces else PIECE)
        return twin

    def prefetch(self, rank: bool = False) -> None:
        """Begin to read the rows that are asked for next, in threads, unless that was begun."""
        if "_begun" in self.__dict__:
            return
        rows = self._rows(rank)
        reader = ThreadPoolExecutor(1)
        self.__dict__["_begun"] = (rank, reader.submit(next, rows), rows)
        reader.shutdown(wait=False)

    def pieces(self, rank: bool = False) -> Iterator[pl.DataFrame]:
        """Yield the rows in order."""
        ranked, first, rows = self.__dict__.pop("_begun", (None, None, None))
        return self._rows(rank) if ranked != rank else _begun_rows(first, rows)

    def _rows(self, rank: bool) -> Iterator[pl.DataFrame]:
        wanted = ["query", "doc", "score"] + ["rank"] * rank
        if "score" in self._layout.names:
            return read_lines(self._file, self._layout, wanted)
        score = -pl.col("rank").cast(pl.Float64)
        ranked = read_lines(self._file, self._layout, ["query", "doc", "rank"])
        return (frame.with_columns(score=score).select(wanted) for frame in ranked)


def _begun_rows(
    first: Future[pl.DataFrame], rows: Iterator[pl.DataFrame]
) -> Iterator[pl.DataFrame]:
    """Yield the rows that a thread has begun to read."""
    yield first.result()
    yield from rows


class Trec(Format):
    """TREC runs and qrels, prels, and sampled qrels with a stratum."""

    name = "trec"
    about = "columns separated by white space: query, Q0, document, rank, score, tag"
    endings: ClassVar[tuple[str, ...]] = (".run", ".trec", ".txt", ".qrels", ".qrel")
    holds: ClassVar[tuple[str, ...]] = (
        *("score", "rank", "grade"),
        *("subtopic", "stratum", "probability"),
    )

    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether the first line has as many fields, and numbers where they belong."""
        fields = file.first_row
        if b"\0" in file.start or file.first_byte in (b"{", b"["):
            return False
        if kind == "qrels":
            return len(fields) in (4, 5) and (_are_numbers(fields[-1]) or _are_numbers(fields[2]))
        return len(fields) >= 6 and _are_numbers(*fields[3:5])

    def kind(self, file: Input) -> Kind | None:
        """Return what a file holds: runs have at least six columns, qrels four or five."""
        if not file.first_row:
            return None
        return "run" if len(file.first_row) >= 6 else "qrels"

    def read_run(self, file: Input) -> Run:
        """Return a run from lines of: query, Q0, document, rank, score, tag."""
        fields = file.first_row
        _refuse_spaces_in_ids(file)
        name = fields[5].decode(errors="replace") if len(fields) >= 6 else file.stem
        return LineRun(file, run_layout(file), name)

    def read_qrels(self, file: Input) -> Judgments:
        """Return judgments from lines of: query, subtopic (or 0), document, grade."""
        return Judgments.of(*read_all_lines(file, qrels_layout(file)))

    def write(self, table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
        """Yield rows as lines."""
        zero = pl.lit("0")
        if isinstance(table, Run):
            tag = pl.lit(re.sub(r"\s+", "_", table.name) or "run").alias("tag")
            chosen = rows.select("query", pl.lit("Q0").alias("q0"), "doc", "rank", "score", tag)
        elif "probability" in rows.columns:
            method = pl.col("stratum") if "stratum" in rows.columns else zero.alias("stratum")
            chosen = rows.select("query", "doc", "grade", method, "probability")
        elif "stratum" in rows.columns:
            chosen = rows.select("query", zero.alias("q0"), "doc", "stratum", "grade")
        else:
            subtopic = pl.col("subtopic") if "subtopic" in rows.columns else zero.alias("subtopic")
            chosen = rows.select("query", subtopic, "doc", "grade")
        yield trec_lines(chosen, " ")


def run_layout(file: Input) -> LineLayout:
    """Return the columns of a run, with a hint if the first line has too few fields."""
    return replace(RUN_LAYOUT, hint=_too_few_fields_hint(file.first_row))


def _refuse_spaces_in_ids(file: Input) -> None:
    """Refuse a line among the first in which the id of a document has a space.

    It would shift the fields behind it: the rank would be the score.
    """
    for number, line in enumerate(re.split(rb"\r\n?|\n", file.start)[:_FIRST_LINES], 1):
        fields = line.split()
        if len(fields) > 6 and not _are_numbers(fields[3]) and _are_numbers(*fields[4:6]):
            found = b" ".join(fields[2:4]).decode(errors="replace")
            raise FormatError(
                f"the document is '{found}', with a space, and {fields[5].decode()} would be the"
                " tag; write ids without spaces, or a table with a header",
                file.name,
                number,
            )


def qrels_layout(file: Input) -> LineLayout:
    """Return the columns of judgments, with a hint if the first line has as many as a run.

    Sampled qrels have a column of zeros before the document, prels have none. The majority of the
    lines decides, so that one wrong line does not make the others wrong.
    """
    if len(file.first_row) >= 6:
        return replace(QRELS_LAYOUT, hint=SWAPPED.format("run"))
    if len(file.first_row) != 5:
        return QRELS_LAYOUT
    zeros = sum(row[1:2] in ([b"0"], [b"Q0"]) for row in file.first_rows)
    return SAMPLED_LAYOUT if 2 * zeros > len(file.first_rows) else PRELS_LAYOUT


def _too_few_fields_hint(fields: Sequence[bytes]) -> str:
    """Return what a line with too few fields may be: a run without one of them, or qrels."""
    if len(fields) == 5 and _are_numbers(fields[2], fields[3]) and not _are_numbers(fields[4]):
        return "; the second field seems to be missing: write Q0 after the query"
    if len(fields) == 5 and fields[1] == b"Q0" and _are_numbers(fields[3]) and b"." in fields[4]:
        return "; the last field seems to be missing: write the name of the system after the score"
    return SWAPPED.format("qrels") if len(fields) in (4, 5) else ""


def _are_numbers(*fields: bytes) -> bool:
    return all(_NUMBER.fullmatch(field) for field in fields)


def trec_lines(rows: pl.DataFrame, separator: str) -> bytes:
    """Return rows as lines, whole grades without a point; refuse ids with white space."""
    for name in ("query", "doc", "subtopic", "stratum"):
        if name in rows.columns:
            spaced = rows[name].str.contains(r"\s|^#|^$").arg_true()
            if len(spaced):
                raise FormatError(
                    f"the {name} '{rows[name][int(spaced[0])]}' is empty, begins with # or contains"
                    " white space, which this format cannot hold; write csv, json or parquet"
                )
    if "grade" in rows.columns:
        rows = rows.with_columns(plain_number("grade"))
    return rows.write_csv(
        None, include_header=False, separator=separator, quote_style="never"
    ).encode()


def plain_number(column: str) -> pl.Expr:
    """Return a column of numbers as text, whole numbers without a point."""
    whole = pl.col(column) == pl.col(column).floor()
    small = pl.col(column).abs() < 2**53
    as_whole = pl.col(column).cast(pl.Int64, strict=False).cast(pl.String)
    return pl.when(whole & small).then(as_whole).otherwise(pl.col(column).cast(pl.String))


FORMAT = Trec()
