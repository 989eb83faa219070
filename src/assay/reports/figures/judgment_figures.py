"""Which documents of which query are judged, as a picture: dense and sparse judgments."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError
from assay.core.phrases import quantity
from assay.formats.containers import to_judgments, to_runs
from assay.reports.figures.figure import ACCENT, GRID, MUTED, Axis, Figure, figure
from assay.reports.figures.hatching import KeyBox
from assay.reports.figures.plane import Plane
from assay.reports.figures.retrieved_and_judged import retrieved_counts, retrieved_figure
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

MOST_QUERIES, MOST_COLUMNS = 40, 160
"""With more queries, some at equal distances are drawn; with more documents, several in a cell."""


@dataclass(frozen=True)
class JudgedCells:
    """Queries × cells: the share of the documents of a cell that is judged, and relevant."""

    queries: list[str]
    judged: Floats
    relevant: Floats
    documents: int
    """How many documents are judged for the drawn queries."""


@figure("judged")
def plot_judged(
    judgments: Any, runs: Any = None, rel: float = 1.0, cutoff: int | None = None
) -> Figure:
    """Draw which documents of which query are judged, and which of them are relevant.

    With ``runs`` the figure shows which of their results, to a ``cutoff``, are judged and which are
    relevant. A ``RetrievalEvidence`` has both.
    """
    if isinstance(judgments, RetrievalEvidence):
        judgments, runs = judgments.judgments, runs or list(judgments.runs.values())
    frame = to_judgments(judgments).frame.select("query", "doc", "grade")
    if frame.is_empty():
        raise DataError("there are no judgments to draw")
    if runs is None or (isinstance(runs, tuple) and not runs):
        if cutoff is not None:
            raise UsageError("`cutoff` is the depth of runs: name runs, or leave it out")
        return judged_figure(frame, rel)
    systems = to_runs(list(runs) if isinstance(runs, tuple) else runs)
    counts = retrieved_counts(frame, systems, rel, cutoff)
    drawn = spread_queries(counts["query"].to_list())
    return retrieved_figure(counts, drawn, len(systems))


def judged_figure(frame: pl.DataFrame, rel: float) -> Figure:
    """Return a picture with a row for each query and the documents in columns.

    Documents come in the order of the queries for which they are judged first: long bars are
    dense judgments, a thin diagonal sparse ones.
    """
    counts = frame.group_by("query", maintain_order=True).agg(
        documents=pl.col("doc").n_unique(),
        relevant=pl.col("doc").filter(pl.col("grade") >= rel).n_unique(),
    )
    cells = judged_cells(frame, counts["query"].to_list(), rel)
    columns = cells.judged.shape[1]
    named = tuple(cells.queries) if len(cells.queries) <= MOST_QUERIES // 2 else ()
    counted = Axis("", 0, cells.documents, whole=True).ticks()
    marks = tuple((n * columns / cells.documents - 0.5, f"{n:,.0f}") for n, _ in counted)
    x = Axis("judged documents", -0.5, columns - 0.5, marks=marks)
    y = Axis("query", len(cells.queries) - 0.5, -0.5, named or ("",) * len(cells.queries))
    wide, high = max(4, 560 // columns), max(8, 240 // len(cells.queries))
    plane = Plane(x, y, wide * columns, high * len(cells.queries), left=86 if named else 40)
    _draw(plane, cells)
    boxes = ("relevant", ACCENT, 1.0), ("not relevant", MUTED, 0.5), ("unjudged", GRID, 0.35)
    plane.key([KeyBox(*each) for each in boxes])
    return plane.figure(_title(counts, cells), {"queries": counts.to_dict(as_series=False)}, False)


def judged_cells(frame: pl.DataFrame, queries: list[str], rel: float) -> JudgedCells:
    """Return the cells of at most 40 queries at equal distances, and at most 160 columns."""
    drawn = spread_queries(queries)
    rows = frame.filter(pl.col("query").is_in(drawn)).unique(["query", "doc"], maintain_order=True)
    place = {query: number for number, query in enumerate(drawn)}
    number = rows["query"].replace_strict(place, return_dtype=pl.Int64)
    rows = rows.with_columns(row=number).sort("row", maintain_order=True)
    docs = rows["doc"].unique(maintain_order=True)
    column = rows["doc"].replace_strict(docs, pl.int_range(len(docs), eager=True)).to_numpy()
    width = min(len(docs), MOST_COLUMNS)
    cell = column * width // len(docs)
    size = np.bincount(np.arange(len(docs)) * width // len(docs), minlength=width)
    judged, relevant = np.zeros((2, len(drawn), width))
    np.add.at(judged, (rows["row"].to_numpy(), cell), 1.0)
    np.add.at(relevant, (rows["row"].to_numpy(), cell), (rows["grade"] >= rel).to_numpy())
    return JudgedCells(drawn, judged / size, relevant / size, len(docs))


def spread_queries(queries: list[str]) -> list[str]:
    """Return at most 40 queries at equal distances."""
    step = np.linspace(0, len(queries) - 1, min(len(queries), MOST_QUERIES)).round().astype(int)
    return [queries[int(place)] for place in step]


def _draw(plane: Plane, cells: JudgedCells) -> None:
    """Draw each cell, filled from below: relevant, then judged; the rest is unjudged."""
    queries, columns = cells.judged.shape
    ground = (-0.5, columns - 0.5), (-0.5, queries - 0.5)
    plane.box(*ground, GRID, 0.35, stroke=MUTED, stroke_width=0.6)
    for row, column in np.argwhere(cells.judged > 0).tolist():
        across, low = (column - 0.46, column + 0.46), row + 0.42
        judged, relevant = float(cells.judged[row, column]), float(cells.relevant[row, column])
        edge = low - 0.84 * relevant
        if judged > relevant:
            plane.box(across, (low - 0.84 * judged, edge), MUTED, 0.5)
        if relevant:
            plane.box(across, (edge, low), ACCENT)


def _title(counts: pl.DataFrame, cells: JudgedCells) -> str:
    """Return what the picture shows, in words."""
    some = f"{len(cells.queries)} of " if len(cells.queries) < counts.height else ""
    middle = median(counts["documents"].to_list())
    return (
        f"Judged documents of {some}{quantity(counts.height, 'query')}: {middle:g} of each in the"
        f" median,"
        f" {cells.documents:,} documents in all"
    )
