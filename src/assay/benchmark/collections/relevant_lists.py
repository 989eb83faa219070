"""Judgments that are published as lists of relevant documents by query."""

from __future__ import annotations

import polars as pl

from assay.benchmark.collections.text_files import TextFile
from assay.core.tables import Judgments, Source


class RelevantLists:
    """Collects the relevant documents of a file; ids are numbers without zeros before them."""

    def __init__(self, file: TextFile) -> None:
        self._file = file
        self._rows: list[tuple[str, str, float]] = []
        self._lines: list[int] = []

    def add(self, query: str, doc: str, line: int, grade: float = 1.0) -> None:
        """Add one document; refuse what is not a number."""
        for name, what in ((query, "query"), (doc, "document")):
            if not name.isdecimal():
                raise self._file.error(
                    f"the number of a {what} is expected, but found '{name[:40]}'", line
                )
        self._rows.append((query.lstrip("0") or "0", doc.lstrip("0") or "0", grade))
        self._lines.append(line)

    def check_count(self, query: str, expected: int, found: int, line: int) -> None:
        """Refuse a list that is not as long as announced."""
        if expected != found:
            raise self._file.error(
                f"query {query}: {expected} documents are announced, but {found} are listed", line
            )

    def judgments(self) -> Judgments:
        """Return the judgments; a file without any is refused."""
        if not self._rows:
            raise self._file.error("there is no judgment in this file")
        schema = {"query": pl.String, "doc": pl.String, "grade": pl.Float64}
        frame = pl.DataFrame(self._rows, schema=schema, orient="row")
        lines = pl.Series("line", self._lines)
        return Judgments.of(frame, Source(self._file.name, lines, self._file.input.digest))
