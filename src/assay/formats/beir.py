"""BEIR: tabs between query-id, corpus-id and score below a header line, where score is the grade.

A folder of BEIR stands for the judgments of its test queries.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from assay.core.tables import Judgments, Run
from assay.formats.column_names import frame_to_judgments, frame_to_run
from assay.formats.delimited import read_header, read_ids, write_separated
from assay.formats.format import Format
from assay.formats.trec import plain_number

HEADER = ["query-id", "corpus-id", "score"]


def write(table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
    """The three columns under BEIR's names."""
    number = pl.col("score") if isinstance(table, Run) else plain_number("grade")
    yield from write_separated(
        "\t", rows.select("query", "doc", number).rename(_NAMES, strict=False)
    )


_NAMES = {"query": "query-id", "doc": "corpus-id", "grade": "score"}

FORMAT = Format(
    name="beir",
    about="tabs between query-id, corpus-id and score, below a line with these names; or a folder",
    endings=(".tsv", ".tab"),
    holds=("score", "grade"),
    tells=lambda head, kind: read_header(head)[:3] == HEADER,
    read_run=lambda head: frame_to_run(*read_ids(head), name=head.file.stem),
    read_qrels=lambda head: frame_to_judgments(*read_ids(head)),
    write=write,
    kind=lambda head: "qrels",
)
