"""Judgments from a file: many answers at once, stored once however often the file is read."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import polars as pl

from assay.benchmark.campaign.judging import Answer
from assay.core.errors import FormatError, missing_column
from assay.formats.containers import read_table, to_judgments


def read_answers(path: str | Path) -> list[Answer]:
    """Return the answers of qrels or of a table: query, doc, grade; perhaps seconds, comment."""
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    if Path(path).suffix.casefold() in (".csv", ".tsv", ".parquet"):
        frame, source = read_table(path)
        for name in ("query", "doc", "grade"):
            if name not in frame.columns:
                raise missing_column(source.name, name, frame.columns)
    else:
        judged = to_judgments(str(path))
        frame, source = judged.frame, judged.source
    answers = []
    for row, record in enumerate(frame.iter_rows(named=True)):
        grade = _whole_number(record["grade"], source.place(row))
        seconds = _number(record.get("seconds"), "time", source.place(row))
        answers.append(
            Answer(
                str(record["query"]),
                str(record["doc"]),
                grade,
                seconds,
                record.get("comment"),
                request=f"file {digest} {row}",
            )
        )
    return answers


def _whole_number(value: object, place: str) -> int | None:
    number = _number(value, "grade", place)
    if number is not None and not number.is_integer():
        raise FormatError(f"the grade is '{value}', but a whole number is expected", place)
    return None if number is None else int(number)


def _number(value: object, what: str, place: str) -> float | None:
    """Return a finite number, or None for an empty cell."""
    if value is None or value == "":
        return None
    number: float | None = pl.Series([str(value)]).cast(pl.Float64, strict=False)[0]
    if number is None or not math.isfinite(number):
        raise FormatError(f"the {what} is '{value}', but a number is expected", place)
    return number


def read_gold(path: str | Path) -> dict[tuple[str, str], int]:
    """Return the known grades of judgments by query and document."""
    judged = to_judgments(str(path))
    rows = judged.frame.select("query", "doc", "grade").iter_rows()
    return {
        (query, doc): _whole_number(grade, judged.source.place(row)) or 0
        for row, (query, doc, grade) in enumerate(rows)
    }
