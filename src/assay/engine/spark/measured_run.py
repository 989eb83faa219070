"""What a cluster measured for one run, and what its executors noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from assay.core.phrases import quantity
from assay.core.row_hashes import fingerprint
from assay.core.tables import Run, Source
from assay.engine.formula_values import MeasuredQueries
from assay.engine.spark.list_values import NAMELESS, ListValues
from assay.evidence.alignment.align import alignment_notes
from assay.evidence.alignment.run_batches import BatchReader


def describe_bad_row(run: str, row: Sequence[Any]) -> str:
    """Return a bad row in words."""
    query, doc, score = row
    problem = "no query" if query is None else "no document" if doc is None else "no score"
    if run == NAMELESS:
        return f"query {query}, document {doc}, score {score} (no name of a run)"
    return f"run {run}, query {query}, document {doc}, score {score} ({problem})"


@dataclass(frozen=True)
class MeasuredRun:
    """What was measured for one run, and what executors noted about it."""

    name: str
    view: MeasuredQueries
    unanswered: int
    notes: Sequence[Mapping[str, Any]]
    judged: int
    depth: int | None = None
    """The number of documents to which lists were cut; None for whole lists."""
    counts: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        counts: dict[str, int] = {}
        for note in self.notes:
            for what, count in note.get("counts", {}).items():
                counts[what] = counts.get(what, 0) + count
        counts |= {
            "judged queries": self.judged,
            "unanswered queries": self.unanswered,
            "unjudged queries": len(self.unknown),
            "empty queries": 0,
        }
        self.__dict__["counts"] = counts

    @property
    def unknown(self) -> list[str]:
        """The queries without judgments."""
        return [query for note in self.notes for query in note.get("unknown", ())]

    @property
    def bad_rows(self) -> tuple[int, list[str]]:
        """How many rows were left out, and a sample of them."""
        total = sum(note.get("bad", 0) for note in self.notes)
        rows = [row for note in self.notes for row in note.get("sample", ())]
        return total, [describe_bad_row(self.name, row) for row in rows[:3]]

    @property
    def unjudged_at_top(self) -> float:
        """The share of unjudged documents among the first ten of each list."""
        top = sum(note.get("top", 0) for note in self.notes)
        return 1 - sum(note.get("judged at top", 0) for note in self.notes) / top if top else 0.0

    @property
    def stub(self) -> Run:
        """The run without its rows, with their digest."""
        digest = fingerprint(sum(note.get("hash", 0) for note in self.notes))
        if self.depth is not None:
            digest = f"first {self.depth} of each list, {digest}"
        frame = pl.DataFrame(schema=Run.columns)
        return Run(frame, Source(self.name, digest=digest), self.name)

    def alignment_notes(self, values: ListValues) -> tuple[str, ...]:
        """Return what a user should know about the run; raise an error where a policy says so."""
        reader = BatchReader(
            self.stub,
            values.conventions,
            counts=self.counts,
            unknown=self.unknown,
            unranked=any(note.get("unranked") for note in self.notes),
        )
        notes = alignment_notes(values.judged, reader)
        total, shown = self.bad_rows
        if not total:
            return notes
        return (
            *notes,
            f"{self.name}: {quantity(total, 'row')} without a query, a document or a score left"
            f" out, such as {'; '.join(shown)}",
        )
