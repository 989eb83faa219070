"""BEIR: tabs between query-id, corpus-id and score below a header line, where score is the grade.

A folder of BEIR stands for the judgments of its test queries.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from assay.core.tables import Judgments, Run
from assay.formats.columns import judgments_of, run_of
from assay.formats.delimited import header, read_ids, write_with
from assay.formats.format import Format
from assay.formats.trec import plain_number

HEADER = ["query-id", "corpus-id", "score"]


def write(table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
    """The three columns under BEIR's names."""
    number = pl.col("score") if isinstance(table, Run) else plain_number("grade")
    yield from write_with("\t", rows.select("query", "doc", number).rename(_NAMES, strict=False))


_NAMES = {"query": "query-id", "doc": "corpus-id", "grade": "score"}

FORMAT = Format(
    name="beir",
    about="tabs between query-id, corpus-id and score, below a line with these names; or a folder",
    endings=(".tsv", ".tab"),
    holds=("score", "grade"),
    tells=lambda head, kind: header(head)[:3] == HEADER,
    read_run=lambda head: run_of(*read_ids(head), name=head.file.stem),
    read_qrels=lambda head: judgments_of(*read_ids(head)),
    write=write,
    kind=lambda head: "qrels",
)
