"""MS MARCO: query, passage and rank (perhaps a score) between tabs; qrels as TREC has them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from assay.core.tables import Judgments, Run, StreamedRun
from assay.formats import trec
from assay.formats.format import FileHead, Format, Kind
from assay.formats.text.input_files import Input
from assay.formats.text.line_layout import LineLayout
from assay.formats.text.line_reader import read_lines

RANKED_COLUMNS = LineLayout(
    ("query", "doc", "rank"),
    "a line of an MS MARCO run is: query, passage, rank, perhaps score",
    most=3,
    numbers=("rank",),
)
SCORED_COLUMNS = LineLayout(
    ("query", "doc", "rank", "score"), RANKED_COLUMNS.form, most=4, numbers=("rank", "score")
)


@dataclass(frozen=True)
class RankedRunLines:
    """A run in lines with ranks, read anew in pieces each time."""

    file: Input
    layout: LineLayout

    def pieces(self, rank: bool) -> Iterator[pl.DataFrame]:
        """The rows in their order; where there is no score, it is the opposite of the rank."""
        for frame in read_lines(self.file, self.layout):
            if "score" not in frame.columns:
                frame = frame.with_columns(score=-pl.col("rank").cast(pl.Float64))
            yield frame.select(["query", "doc", "score"] + ["rank"] * rank)


def read_run(head: FileHead) -> Run:
    """A run from lines of: query, passage, rank."""
    layout = SCORED_COLUMNS if head.rows and len(head.rows[0]) == 4 else RANKED_COLUMNS
    stream = RankedRunLines(head.file, layout)
    return StreamedRun(stream, trec.line_source(head.file), head.file.stem)


def is_msmarco(head: FileHead, kind: Kind | None) -> bool:
    """Whether there are three columns, or four of which the third counts up; qrels are TREC's."""
    if kind == "qrels" or not head.rows or head.first in (b"{", b"["):
        return False
    widths = {len(row) for row in head.rows}
    if widths == {3}:
        return all(row[2].isdigit() for row in head.rows)
    return widths == {4} and _counts_up(head.rows)


def _counts_up(rows: list[list[bytes]]) -> bool:
    """Whether the third column is a rank: 1, 2, 3 … for each query."""
    if not all(row[2].isdigit() for row in rows):
        return False
    expected: dict[bytes, int] = {}
    for query, _, rank, _ in rows:
        if int(rank) != expected.get(query, int(rank) if int(rank) in (0, 1) else -1):
            return False
        expected[query] = int(rank) + 1
    return len(rows) == 1 or len(expected) < len(rows)


def write(table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
    """Lines of query, passage and rank; of query, 0, passage and grade."""
    if isinstance(table, Run):
        yield trec.trec_lines(rows.select("query", "doc", "rank"), "\t")
    else:
        zero = pl.lit("0").alias("zero")
        yield trec.trec_lines(rows.select("query", zero, "doc", "grade"), "\t")


FORMAT = Format(
    name="msmarco",
    about="tabs between query, passage and rank; qrels: query, 0, passage, grade",
    endings=(".msmarco",),
    holds=("rank", "grade"),
    tells=is_msmarco,
    read_run=read_run,
    read_qrels=trec.read_qrels,
    write=write,
    kind=lambda head: "run" if is_msmarco(head, "run") else "qrels",
)
