"""TREC runs and qrels: columns parted by white space, one document a line."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from assay.core.errors import FormatError
from assay.core.tables import Judgments, Run, Source
from assay.formats.files import read_bytes

QRELS = ("query", "subtopic", "doc", "grade")
RUN = ("query", "iteration", "doc", "rank", "score", "tag")


def read_qrels(path: str | Path) -> Judgments:
    """Judgments from lines of: query, subtopic (or 0), document, grade."""
    columns, source = _columns(path, QRELS, "a line of qrels is: query, 0, document, grade")
    grade = _numbers(columns, "grade", source)
    frame = columns.with_columns(grade).select("query", "doc", "grade", "subtopic")
    return Judgments.of(frame, source)


def read_run(path: str | Path) -> Run:
    """A run from lines of: query, Q0, document, rank, score, tag."""
    columns, source = _columns(
        path, RUN, "a line of a run is: query, Q0, document, rank, score, tag"
    )
    score = _numbers(columns, "score", source)
    rank = columns["rank"].cast(pl.Int64, strict=False)
    frame = columns.with_columns(score).select("query", "doc", "score")
    if rank.null_count() == 0:
        frame = frame.with_columns(rank)
    checked = Run.of(frame, source)
    return Run(checked.frame, source, name=columns["tag"][0] if len(columns) else Path(path).stem)


def _columns(path: str | Path, names: tuple[str, ...], form: str) -> tuple[pl.DataFrame, Source]:
    lines, digest = _lines(path)
    fields = lines["text"].str.extract_all(r"\S+")
    short = (fields.list.len() < len(names)).arg_true()
    if len(short):
        row = int(short[0])
        raise FormatError(
            f"{fields[row].len()} fields where {len(names)} are expected; {form}",
            str(path),
            int(lines["line"][row]),
        )
    columns = pl.DataFrame({name: fields.list.get(n) for n, name in enumerate(names)})
    return columns, Source(str(path), lines["line"], digest)


def _lines(path: str | Path) -> tuple[pl.DataFrame, str]:
    """The lines that say something, with their numbers; blank ones and comments are passed over."""
    content, digest = read_bytes(path)
    if b"\0" in content[:4096]:
        raise FormatError("this looks like a binary file; lines of text are expected", str(path))
    try:
        content.decode()
    except UnicodeDecodeError as failure:
        line = content.count(b"\n", 0, failure.start) + 1
        raise FormatError("this line is not UTF-8 text", str(path), line) from None
    lines = pl.read_lines(content, name="text") if content else pl.DataFrame({"text": []})
    lines = lines.select(line=pl.int_range(1, pl.len() + 1), text=pl.col("text").cast(pl.String))
    lines = lines.filter(~pl.col("text").str.contains(r"^\s*(#|$)"))
    if lines.is_empty():
        raise FormatError("the file has no lines to read", str(path))
    return lines, digest


def _numbers(columns: pl.DataFrame, name: str, source: Source) -> pl.Series:
    numbers = columns[name].cast(pl.Float64, strict=False)
    bad = (numbers.is_null() | numbers.is_nan()).arg_true()
    if len(bad):
        row = int(bad[0])
        raise FormatError(
            f"the {name} is '{columns[name][row]}', but a number is expected", source.place(row)
        )
    return numbers
