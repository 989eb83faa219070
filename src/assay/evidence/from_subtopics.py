"""Judgments by subtopic and a run to rankings by subtopic."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.core.conventions import Conventions
from assay.core.tables import Judgments, Run
from assay.evidence.absent_subtopics import whole_queries
from assay.evidence.alignment import Alignment
from assay.evidence.judged import without_repeats
from assay.evidence.lists import lists
from assay.evidence.needed import SECOND, refuse_without
from assay.evidence.subtopics import Aspects, SubtopicRankings


def align_subtopics(
    judgments: Judgments, run: Run, conventions: Conventions
) -> Alignment[SubtopicRankings]:
    """The rankings of one run by subtopic, over the judged queries."""
    need = "diversity measures need a subtopic for each judgment"
    refuse_without(judgments, "subtopic", need=need, mend=SECOND)
    found = lists(judgments, run, conventions)
    notes = whole_queries(judgments)
    keys = ["query", "doc", "subtopic"]
    frame, _ = without_repeats(judgments, keys, conventions.duplicates)
    judged = frame.sort(keys, descending=[False, True, False])
    seen = judged.filter(pl.col("grade") >= 0).select("query", "doc").unique()
    listed = found.documents.join(seen, on=["query", "doc"], how="semi").sort("query", "place")
    tops = listed.partition_by("query", as_dict=True)
    topics = judged.partition_by("query", as_dict=True, maintain_order=True)
    lengths = found.lengths
    aspects = tuple(
        _aspects(topics[(query,)], tops.get((query,)), lengths.get(query, 0))
        for query in found.queries
    )
    view = SubtopicRankings(found.queries, aspects, found.missing, conventions.first_rank)
    return Alignment(view, (*notes, *found.warnings), found.counts)


def _aspects(judged: pl.DataFrame, listed: pl.DataFrame | None, retrieved: int) -> Aspects:
    docs = judged["doc"].unique(maintain_order=True)
    topics = judged["subtopic"].unique().sort()
    known = np.zeros((len(docs), len(topics)))
    row_of = {doc: row for row, doc in enumerate(docs)}
    rows = [row_of[doc] for doc in judged["doc"]]
    known[rows, topics.search_sorted(judged["subtopic"]).to_numpy()] = judged["grade"].to_numpy()
    kept = known[:, (known > 0).any(axis=0)]
    if listed is None:
        return Aspects(np.empty(0, np.int64), kept[:0], kept, retrieved)
    return Aspects(
        listed["place"].to_numpy(), kept[[row_of[doc] for doc in listed["doc"]]], kept, retrieved
    )
