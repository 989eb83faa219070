"""Judgments by subtopic and a run to rankings by subtopic."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.core.conventions import Conventions
from assay.core.tables import Judgments, Run
from assay.evidence.alignment.align import Alignment
from assay.evidence.alignment.aligned_lists import align_lists
from assay.evidence.alignment.judged_documents import drop_duplicate_judgments
from assay.evidence.validation.missing_subtopics import no_subtopics_note
from assay.evidence.validation.required_columns import SECOND_COLUMN_HINT, require_columns
from assay.evidence.views.subtopic_rankings import QuerySubtopics, SubtopicRankings


def align_subtopics(
    judgments: Judgments, run: Run, conventions: Conventions
) -> Alignment[SubtopicRankings]:
    """The rankings of one run by subtopic, over the judged queries."""
    need = "diversity measures need a subtopic for each judgment"
    require_columns(judgments, "subtopic", need=need, mend=SECOND_COLUMN_HINT)
    found = align_lists(judgments, run, conventions)
    notes = no_subtopics_note(judgments)
    keys = ["query", "doc", "subtopic"]
    frame, _ = drop_duplicate_judgments(judgments, keys, conventions.duplicates)
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


def _aspects(judged: pl.DataFrame, listed: pl.DataFrame | None, retrieved: int) -> QuerySubtopics:
    docs = judged["doc"].unique(maintain_order=True)
    topics = judged["subtopic"].unique().sort()
    known = np.zeros((len(docs), len(topics)))
    row_of = {doc: row for row, doc in enumerate(docs)}
    rows = [row_of[doc] for doc in judged["doc"]]
    known[rows, topics.search_sorted(judged["subtopic"]).to_numpy()] = judged["grade"].to_numpy()
    kept = known[:, (known > 0).any(axis=0)]
    if listed is None:
        return QuerySubtopics(np.empty(0, np.int64), kept[:0], kept, retrieved)
    return QuerySubtopics(
        listed["place"].to_numpy(), kept[[row_of[doc] for doc in listed["doc"]]], kept, retrieved
    )
