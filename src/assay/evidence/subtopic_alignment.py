"""Judgments by subtopic and a run to rankings seen by subtopic."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.tables import Judgments, Run
from assay.evidence.alignment import order
from assay.evidence.judged import without_repeats
from assay.evidence.subtopics import Aspects, SubtopicRankings


def align_subtopics(judgments: Judgments, run: Run, conventions: Conventions) -> SubtopicRankings:
    """The rankings of one run by subtopic, over the judged queries."""
    if "subtopic" not in judgments.frame.columns:
        raise AlignmentError(
            f"{judgments.source.name}: diversity measures need a subtopic for each judgment"
        )
    keys = ["query", "doc", "subtopic"]
    frame, _ = without_repeats(judgments, keys, conventions.duplicates)
    judged = frame.sort(keys, descending=[False, True, False])
    ordered = order(run, conventions).select("query", "doc", "place")
    if conventions.depth is not None:
        ordered = ordered.filter(pl.col("place") <= conventions.depth)
    per_query = judged.partition_by("query", as_dict=True, maintain_order=True)
    lists = ordered.join(judged.select("query", "doc").unique(), on=["query", "doc"], how="semi")
    answers = lists.sort("query", "place").partition_by("query", as_dict=True)
    lengths = dict(ordered.group_by("query").len().iter_rows())
    aspects = {
        str(query): _aspects(rows, answers.get((query,)), lengths.get(query, 0))
        for (query,), rows in per_query.items()
    }
    return SubtopicRankings(tuple(aspects), tuple(aspects.values()))


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
