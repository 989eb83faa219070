"""TREC runs and qrels: columns parted by white space, one document a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from assay.core.errors import FormatError
from assay.core.tables import Judgments, Run, Source, StreamedRun
from assay.formats.column_names import clean_judgments
from assay.formats.format import FileHead, Format, Kind
from assay.formats.text.input_files import Input
from assay.formats.text.line_layout import LineLayout
from assay.formats.text.line_reader import line_of_row, read_lines

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
_NUMBER = re.compile(rb"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_SWAPPED = "; is this a {} file? The judgments come first, then the runs"


@dataclass(frozen=True)
class TrecRunStream:
    """A run in lines, read anew in pieces each time."""

    file: Input
    layout: LineLayout = RUN_LAYOUT

    def pieces(self, rank: bool) -> Iterator[pl.DataFrame]:
        """The rows in their order."""
        return read_lines(self.file, self.layout, ["query", "doc", "score"] + ["rank"] * rank)


def line_source(file: Input) -> Source:
    """Where the rows of a file of lines came from; lines are found when a complaint needs one."""
    return Source(file.name, lambda row: line_of_row(file, row), lambda: file.digest)


def run_layout(head: FileHead) -> LineLayout:
    """The columns of a run, with a hint where there are fewer."""
    return LineLayout(
        RUN_LAYOUT.names,
        RUN_LAYOUT.form,
        hint=_too_few_fields_hint(head.rows[0]) if head.rows else "",
    )


def _too_few_fields_hint(fields: Sequence[bytes]) -> str:
    """What a line with fewer fields than a run may be: a run that lacks one of them, or qrels."""
    if len(fields) == 5 and _is_number(fields[2], fields[3]) and not _is_number(fields[4]):
        return "; the second field seems to be missing: write Q0 after the query"
    if len(fields) == 5 and fields[1] == b"Q0" and _is_number(fields[3]) and b"." in fields[4]:
        return "; the last field seems to be missing: write the name of the system after the score"
    return _SWAPPED.format("qrels") if len(fields) in (4, 5) else ""


def _is_number(*fields: bytes) -> bool:
    return all(_NUMBER.fullmatch(field) for field in fields)


def read_run(head: FileHead) -> Run:
    """A run from lines of: query, Q0, document, rank, score, tag."""
    fields = head.rows[0] if head.rows else []
    layout = run_layout(head)
    name = fields[5].decode(errors="replace") if len(fields) >= 6 else head.file.stem
    return StreamedRun(TrecRunStream(head.file, layout), line_source(head.file), name)


def qrels_layout(head: FileHead) -> LineLayout:
    """The columns of judgments, with a hint where there are as many as runs have."""
    fields = head.rows[0] if head.rows else []
    if len(fields) >= 6:
        return LineLayout(
            QRELS_LAYOUT.names, QRELS_LAYOUT.form, most=4, hint=_SWAPPED.format("run")
        )
    return _five_column_layout(head) if len(fields) == 5 else QRELS_LAYOUT


def read_qrels(head: FileHead) -> Judgments:
    """Judgments from lines of: query, subtopic (or 0), document, grade."""
    frame = pl.concat(list(read_lines(head.file, qrels_layout(head))))
    return clean_judgments(Judgments.of(frame, line_source(head.file)))


def _five_column_layout(head: FileHead) -> LineLayout:
    """Sampled qrels have a column of zeros before the document, prels have none.

    The greater part of the lines tells, so that an odd one does not make the others odd.
    """
    zeros = sum(row[1:2] in ([b"0"], [b"Q0"]) for row in head.rows)
    return SAMPLED_LAYOUT if 2 * zeros > len(head.rows) else PRELS_LAYOUT


def trec_kind(head: FileHead) -> Kind | None:
    """A run has six columns or more, qrels have four or five."""
    if not head.rows:
        return None
    return "run" if len(head.rows[0]) >= 6 else "qrels"


def write(table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
    """Some rows as lines; a field with white space would not be read back."""
    zero = pl.lit("0")
    if isinstance(table, Run):
        tag = pl.lit(re.sub(r"\s+", "_", table.name) or "run")
        columns = ["query", pl.lit("Q0").alias("q0"), "doc", "rank", "score", tag.alias("tag")]
        chosen = rows.select(columns)
    elif "probability" in rows.columns:
        method = pl.col("stratum") if "stratum" in rows.columns else zero.alias("stratum")
        chosen = rows.select("query", "doc", "grade", method, "probability")
    elif "stratum" in rows.columns:
        chosen = rows.select("query", zero.alias("q0"), "doc", "stratum", "grade")
    else:
        subtopic = pl.col("subtopic") if "subtopic" in rows.columns else zero.alias("subtopic")
        chosen = rows.select("query", subtopic, "doc", "grade")
    yield trec_lines(chosen, " ")


def trec_lines(rows: pl.DataFrame, separator: str) -> bytes:
    """Rows as lines, whole grades without a point; refused where a field has white space."""
    for name in ("query", "doc", "subtopic", "stratum"):
        if name in rows.columns:
            spaced = rows[name].str.contains(r"\s|^#|^$").arg_true()
            if len(spaced):
                raise FormatError(
                    f"the {name} '{rows[name][int(spaced[0])]}' is empty, begins with # or has"
                    " white space in it, which this format cannot hold; write csv, json or parquet"
                )
    if "grade" in rows.columns:
        rows = rows.with_columns(plain_number("grade"))
    return rows.write_csv(None, include_header=False, separator=separator).encode()


def plain_number(column: str) -> pl.Expr:
    """A column of numbers as text, whole numbers without a point."""
    whole = pl.col(column) == pl.col(column).floor()
    small = pl.col(column).abs() < 2**53
    as_whole = pl.col(column).cast(pl.Int64, strict=False).cast(pl.String)
    return pl.when(whole & small).then(as_whole).otherwise(pl.col(column).cast(pl.String))


FORMAT = Format(
    name="trec",
    about="columns parted by white space: query, Q0, document, rank, score, tag",
    endings=(".run", ".trec", ".txt", ".qrels", ".qrel"),
    holds=("score", "rank", "grade", "subtopic", "stratum", "probability"),
    tells=lambda head, kind: True,
    read_run=read_run,
    read_qrels=read_qrels,
    write=write,
    kind=trec_kind,
    fallback=True,
)
