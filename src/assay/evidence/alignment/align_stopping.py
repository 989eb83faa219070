"""Runs joined with the probabilities that documents satisfy, over the judged queries."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.phrases import quantity
from assay.core.tables import Judgments, Run
from assay.evidence.alignment.align import Alignment
from assay.evidence.alignment.aligned_lists import align_lists
from assay.evidence.views.stopping_rankings import QueryStops, StoppingRankings


def align_stopping(
    judgments: Judgments, stopping: Judgments, run: Run, conventions: Conventions
) -> Alignment[StoppingRankings]:
    """Return the rankings of one run with the probability that a user stops at each document.

    The grades of ``stopping`` are these probabilities. Documents that it does not have never stop
    a user.
    """
    _refuse_invalid(stopping)
    found = align_lists(judgments, run, conventions)
    known = stopping.frame.select("query", "doc", chance="grade")
    listed = found.documents.join(known, on=["query", "doc"], how="inner").sort("query", "place")
    pools = known.sort("query", "chance", descending=[False, True]).partition_by(
        "query", as_dict=True
    )
    tops = listed.partition_by("query", as_dict=True)
    records = tuple(_stops(tops.get((query,)), pools.get((query,))) for query in found.queries)
    unknown = [query for query in found.queries if (query,) not in pools]
    notes = []
    if unknown:
        notes.append(
            f"{stopping.source.name}: {quantity(len(unknown), 'judged query')} without a stopping"
            f" probability; the first is {unknown[0]}"
        )
    return found.to_view(StoppingRankings(found.queries, records, found.missing), *notes)


def _stops(listed: pl.DataFrame | None, pool: pl.DataFrame | None) -> QueryStops:
    none = np.empty(0)
    rank = none.astype(np.int64) if listed is None else listed["place"].cast(pl.Int64).to_numpy()
    chance = none if listed is None else listed["chance"].to_numpy()
    return QueryStops(rank, chance, none if pool is None else pool["chance"].to_numpy())


def _refuse_invalid(stopping: Judgments) -> None:
    """Raise an error for the first value that is no probability, or the first duplicate."""
    grades = stopping.frame["grade"]
    bad = (~grades.is_between(0, 1)).arg_true()
    if len(bad):
        row = int(bad[0])
        raise AlignmentError(
            f"{stopping.source.place(row)}: the stopping probability is {grades[row]}; it lies"
            " between 0 and 1"
        )
    first = stopping.frame.select(pl.struct("query", "doc").is_first_distinct()).to_series()
    twice = (~first).arg_true()
    if len(twice):
        row = int(twice[0])
        doc, query = stopping.frame["doc"][row], stopping.frame["query"][row]
        raise AlignmentError(
            f"{stopping.source.place(row)}: document {doc} of query {query} has two stopping"
            " probabilities; keep one"
        )
