"""Explanation: the table from which one number comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from assay.core.conventions import Conventions
from assay.core.conventions import profile as profile_named
from assay.core.errors import DataError, UsageError, did_you_mean
from assay.core.names import Measure, measures
from assay.core.tables import Judgments, Run
from assay.engine.local import measured
from assay.evidence.alignment import Alignment, align
from assay.evidence.from_subtopics import align_subtopics
from assay.evidence.lists import lists
from assay.evidence.rankings import Rankings
from assay.evidence.subtopics import SubtopicRankings
from assay.formats import containers
from assay.tasks.assembly import asked_under


@dataclass(frozen=True)
class Explanation:
    """One number, and the table from which it comes."""

    measure: str
    about: str
    value: float
    table: pl.DataFrame
    formula: str
    notes: tuple[str, ...] = ()
    """What the table does not show."""


MOST_MISSED = 10
"""So many relevant documents that were not retrieved are named."""
ALIGNED: Mapping[Any, Callable[..., Alignment[Any]]] = {
    Rankings: align,
    SubtopicRankings: align_subtopics,
}
"""How the views are made of which some measure can show its work."""


def explain_retrieval(
    qrels: Any,
    run: Any,
    measure: str,
    query: str,
    profile: str | Conventions = "assay",
    *,
    rel: float | None = None,
    policies: Mapping[str, Any] | None = None,
) -> Explanation:
    """How a measure comes about for one query, with the documents that it saw."""
    settings = profile_named(profile).changed(**(policies or {}))
    asked = asked_under([traceable(measure, "retrieval")], settings, rel)[0]
    judged, answered = of_query(str(query), containers.judgments(qrels), containers.run(run))
    view = ALIGNED[asked.definition.view](judged, answered, settings).rankings
    found = measured(view, asked, settings.no_relevant)
    table = pl.DataFrame(asked.definition.tracer[0](found.view, **dict(asked.arguments)))
    if "rank" in table.columns:
        documents = lists(judged, answered, settings).documents
        graded = _with_grades(documents.select(rank="place", document="doc"), judged.frame)
        if "judged_only" in asked.selections:
            graded = graded.filter(pl.col("grade") >= 0).with_columns(
                rank=pl.int_range(1, pl.len() + 1)
            )
        table = _with_documents(table, graded)
    return Explanation(
        asked.name,
        f"{answered.name}, query {query}",
        float(found.values[0]),
        table,
        asked.definition.summary,
        _relevant(judged, answered, asked) if isinstance(view, Rankings) else (),
    )


def _relevant(judged: Judgments, answered: Run, asked: Measure) -> tuple[str, ...]:
    """How many relevant documents are known, and which of them the list does not have."""
    rel = float(dict(asked.arguments).get("rel") or 1)
    known = judged.frame.filter(pl.col("grade") >= rel).sort(
        "grade", "doc", descending=[True, False]
    )
    missed = known.filter(~pl.col("doc").is_in(answered.frame["doc"].to_list()))
    note = (
        f"R = {known.height} relevant documents are known (grade {rel:g} or more);"
        f" {known.height - missed.height} of them were retrieved"
    )
    if missed.is_empty():
        return (note,)
    named = missed.head(MOST_MISSED).select("doc", "grade").iter_rows()
    words = ", ".join(f"{doc} (grade {grade:g})" for doc, grade in named)
    rest = missed.height - MOST_MISSED
    return note, f"not retrieved: {words}" + (f" and {rest} more" if rest > 0 else "")


def of_query(query: str, judged: Judgments, answered: Run) -> tuple[Judgments, Run]:
    """What is known of one query, and what the run answers to it."""
    if query not in judged.frame["query"]:
        known = judged.frame["query"].unique().to_list()
        raise DataError(
            f"{judged.source.name}: the query '{query}' is not judged." + did_you_mean(query, known)
        )
    rows = (answered.frame["query"] == query).arg_true()
    listed = answered.frame[rows]
    empty = tuple(name for name in answered.empty if name == query)
    if listed.is_empty() and not empty:
        raise DataError(
            f"{answered.source.name}: the run does not answer the query '{query}', so there is no"
            " list to explain"
        )
    own = (judged.frame["query"] == query).arg_true()
    truth = Judgments(judged.frame[own], judged.source.of(own))
    return truth, Run(listed, answered.source.of(rows), answered.name, empty)


def _with_grades(listed: pl.DataFrame, judged: pl.DataFrame) -> pl.DataFrame:
    grades = judged.group_by("doc").agg(pl.col("grade").max())
    return listed.join(
        grades, left_on="document", right_on="doc", how="left", maintain_order="left"
    )


def _with_documents(table: pl.DataFrame, listed: pl.DataFrame) -> pl.DataFrame:
    named = table.drop("grade", strict=False).join(
        listed, on="rank", how="left", maintain_order="left"
    )
    first = ["rank", "document", "grade"]
    return named.select(first + [name for name in named.columns if name not in first])


def traceable(name: str, task: str) -> Measure:
    """The measure of that name, if it can show its work."""
    asked, *others = measures(name, task)
    if others:
        raise UsageError(f"one number is explained at a time: name {asked} or {others[0]}")
    if not asked.definition.tracer:
        raise UsageError(f"{asked} cannot show its work yet; 'assay measures' marks those that can")
    return asked
