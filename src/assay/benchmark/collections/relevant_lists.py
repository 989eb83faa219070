"""Judgments that are published as lists of relevant documents by query."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from assay.benchmark.collections.text_files import TextFile
from assay.core.tables import Judgments, Source


class RelevantLists:
    """Collects the relevant documents of a file; ids are numbers without zeros before them."""

    def __init__(self, file: TextFile) -> None:
        self._file = file
        self._rows: list[tuple[str, str, float]] = []
        self._lines: list[int] = []
        self._notes: list[str] = []

    def add(self, query: str, doc: str, line: int, grade: float = 1.0) -> None:
        """Add one document; refuse what is not a number."""
        for name, what in ((query, "query"), (doc, "document")):
            if not name.isdecimal():
                raise self._file.error(
                    f"the number of a {what} is expected, but found '{name[:40]}'", line
                )
        self._rows.append((query.lstrip("0") or "0", doc.lstrip("0") or "0", grade))
        self._lines.append(line)

    def note_count(self, query: str, expected: int, found: int, line: int) -> None:
        """Note a list that is not as long as announced."""
        if expected != found:
            self._notes.append(
                f"{self._file.name}:{line}: query {query}: {expected} documents are announced, but"
                f" {found} are listed"
            )

    def judgments(self) -> Judgments:
        """Return the judgments; a file without any is refused."""
        if not self._rows:
            raise self._file.error("there is no judgment in this file")
        schema = {"query": pl.String, "doc": pl.String, "grade": pl.Float64}
        frame = pl.DataFrame(self._rows, schema=schema, orient="row")
        lines = pl.Series("line", self._lines)
        made = Judgments.of(frame, Source(self._file.name, lines, self._file.input.digest))
        return replace(made, notes=(*made.notes, *self._notes))
