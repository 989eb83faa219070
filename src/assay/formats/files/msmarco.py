"""MS MARCO: query, passage and rank (perhaps a score) separated by tabs; qrels as in TREC."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from assay.core.tables import Judgments, Run
from assay.formats.files.trec import LineRun, Trec, trec_lines
from assay.formats.input_files import Input
from assay.formats.line_layout import LineLayout
from assay.formats.table_columns import Kind

RANKED_LAYOUT = LineLayout(
    ("query", "doc", "rank"),
    "a line of an MS MARCO run is: query, passage, rank, perhaps score",
    most=3,
    numbers=("rank",),
)
SCORED_LAYOUT = LineLayout(
    ("query", "doc", "rank", "score"), RANKED_LAYOUT.form, most=4, numbers=("rank", "score")
)


class MsMarco(Trec):
    """MS MARCO runs; qrels as in TREC."""

    name = "msmarco"
    about = "tabs between query, passage and rank; qrels: query, 0, passage, grade"
    endings = (".msmarco",)
    holds = ("rank", "grade")

    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether there are three columns, or four of which the third is a rank."""
        rows = file.first_rows
        if kind == "qrels" or not rows or file.first_byte in (b"{", b"["):
            return False
        if not all(len(row) == len(rows[0]) and row[2:3] and row[2].isdigit() for row in rows):
            return False
        return len(rows[0]) == 3 or (len(rows[0]) == 4 and _counts_up(rows))

    def kind(self, file: Input) -> Kind | None:
        """Return what a file holds, by its columns."""
        return "run" if self.matches(file, "run") else "qrels"

    def read_run(self, file: Input) -> Run:
        """Return a run from lines of: query, passage, rank."""
        layout = SCORED_LAYOUT if len(file.first_row) == 4 else RANKED_LAYOUT
        return LineRun(file, layout, file.stem)

    def write(self, table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
        """Yield lines of query, passage and rank; of query, 0, passage and grade."""
        zero = pl.lit("0").alias("zero")
        columns = ("query", "doc", "rank")
        chosen = columns if isinstance(table, Run) else ("query", zero, "doc", "grade")
        yield trec_lines(rows.select(chosen), "\t")


def _counts_up(rows: list[list[bytes]]) -> bool:
    """Return whether the third column is a rank: 1, 2, 3 … for each query."""
    expected: dict[bytes, int] = {}
    for query, _, rank, _ in rows:
        if int(rank) != expected.get(query, int(rank) if int(rank) in (0, 1) else -1):
            return False
        expected[query] = int(rank) + 1
    return len(rows) == 1 or len(expected) < len(rows)


FORMAT = MsMarco()
