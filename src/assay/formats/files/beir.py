"""BEIR: tabs between query-id, corpus-id and score below a header, where score is the grade.

A BEIR folder stands for the judgments of its test queries.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from assay.core.tables import Judgments, Run
from assay.formats.files.delimited import Delimited, read_header
from assay.formats.files.trec import plain_number
from assay.formats.input_files import Input
from assay.formats.table_columns import Kind

NAMES = {"query": "query-id", "doc": "corpus-id", "grade": "score"}


class Beir(Delimited):
    """Judgments (or a run) with the column names of BEIR."""

    name = "beir"
    about = "tabs between query-id, corpus-id and score below a header; or a folder"
    endings = (".tsv", ".tab")
    holds = ("score", "grade")

    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether the header has the names of BEIR."""
        return read_header(file)[0][:3] == list(NAMES.values())

    def kind(self, file: Input) -> Kind | None:
        """Return that these are judgments, as far as the content shows."""
        return "qrels"

    def write(self, table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
        """Yield the three columns under the names of BEIR."""
        number = pl.col("score") if isinstance(table, Run) else plain_number("grade")
        chosen = rows.select("query", "doc", number).rename(NAMES, strict=False)
        yield chosen.write_csv(None, separator="\t").encode()


FORMAT = Beir()
