"""Judgments from a file: many answers at once, stored once however often the file is read."""

from __future__ import annotations

import hashlib
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
        seconds = record.get("seconds")
        answers.append(
            Answer(
                str(record["query"]),
                str(record["doc"]),
                grade,
                None if seconds is None else float(seconds),
                record.get("comment"),
                request=f"file {digest} {row}",
            )
        )
    return answers


def _whole_number(value: object, place: str) -> int | None:
    if value is None or value == "":
        return None
    number = pl.Series([str(value)]).cast(pl.Float64, strict=False)[0]
    if number is None or number != int(number):
        raise FormatError(f"the grade is '{value}', but a whole number is expected", place)
    return int(number)
