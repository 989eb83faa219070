"""Explanation: the table from which one number comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import exact_mean
from assay.core.conventions import Conventions, profile
from assay.core.errors import DataError, NeedsInput, UsageError, did_you_mean
from assay.core.names import Measure
from assay.core.names import measure as measure_named
from assay.core.tables import Judgments, Run, Source
from assay.engine.local import Measured, aggregate, measured, prepare
from assay.evidence.alignment import Alignment, align
from assay.evidence.from_subtopics import align_subtopics
from assay.evidence.lists import lists
from assay.evidence.rankings import Rankings
from assay.evidence.subtopics import SubtopicRankings
from assay.formats import containers
from assay.tasks.answers import NEEDS as ANSWERS
from assay.tasks.answers import read_answers
from assay.tasks.assembly import asked_under
from assay.tasks.clustering import NEEDS, Columns, groupings


@dataclass(frozen=True)
class Explanation:
    """One number, and the table from which it comes."""

    measure: str
    about: str
    value: float
    table: pl.DataFrame
    formula: str


ALIGNED: Mapping[Any, Callable[..., Alignment[Any]]] = {
    Rankings: align,
    SubtopicRankings: align_subtopics,
}
"""How the views are made of which some measure can show its work."""


def explain_retrieval(
    qrels: Any, run: Any, measure: str, query: str, conventions: str | Conventions = "assay"
) -> Explanation:
    """How a measure comes about for one query, with the documents that it saw."""
    settings = profile(conventions)
    asked = asked_under([_traceable(measure, "retrieval")], settings)[0]
    judged, answered = of_query(query, containers.judgments(qrels), containers.run(run))
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
    )


def of_query(query: str, judged: Judgments, answered: Run) -> tuple[Judgments, Run]:
    """What is known of one query, and what the run answers to it."""
    if query not in judged.frame["query"]:
        known = judged.frame["query"].unique().to_list()
        raise DataError(
            f"{judged.source.name}: the query '{query}' is not judged." + did_you_mean(query, known)
        )
    own = pl.col("query") == query
    listed = answered.frame.filter(own)
    empty = tuple(name for name in answered.empty if name == query)
    if listed.is_empty() and not empty:
        raise DataError(
            f"{answered.source.name}: the run does not answer the query '{query}', so there is no"
            " list to explain"
        )
    # Rows are no longer those of the files, so that only the names of these are kept.
    truth = Judgments(judged.frame.filter(own), Source(judged.source.name))
    return truth, Run(listed, Source(answered.source.name), answered.name, empty)


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


def explain_classification(
    data: Any, measure: str, truth: str, predicted: str, positive: str | None = None
) -> Explanation:
    """How a measure comes about from a confusion matrix, class by class where it is a mean."""
    asked = _traceable(measure, "classification")
    answers = read_answers(data, truth=truth, predicted=predicted, positive=positive)
    views = answers.views()
    if asked.definition.view not in views:
        raise NeedsInput(f"{asked} needs {ANSWERS[asked.definition.view]}")
    view = views[asked.definition.view]()
    found = measured(view, asked)
    about = answers.decisions.source.name
    if asked.unit == "class" and len(found.view.units) == 1:
        about += f", positive class {answers.positive}"
    return Explanation(
        asked.name,
        about,
        aggregate(asked, found.values, found.parts, found.view.support),
        _by_class(view, asked, found),
        asked.definition.summary,
    )


def _by_class(view: Any, asked: Measure, found: Measured) -> pl.DataFrame:
    """The work behind the number; where several classes go into it, the work for each."""
    tracer, arguments = asked.definition.tracer[0], dict(asked.arguments)
    units = found.view.units
    if asked.definition.unit != "class" or len(units) == 1:
        return pl.DataFrame(tracer(found.view, **arguments))
    parts = []
    for name in units:
        table = pl.DataFrame(tracer(replace(view, positive=name).by("class"), **arguments))
        parts.append(table.select(pl.lit(name).alias("class"), pl.all()))
    return pl.concat(parts)


def explain_clustering(
    data: Any, measure: str, cluster: str, classes: str | None = None, features: str | None = None
) -> Explanation:
    """How a measure comes about from the clusters and classes, or from the points."""
    asked = _traceable(measure, "clustering")
    grouping = groupings(data, Columns(cluster, classes, None, features), lambda share: None)[0]
    views = grouping.views()
    if asked.definition.view not in views:
        raise NeedsInput(f"{asked} needs {NEEDS[asked.definition.view]}")
    seen = prepare(views[asked.definition.view](), asked)
    table = pl.DataFrame(asked.definition.tracer[0](seen, **dict(asked.arguments)))
    values = asked(seen)
    value = exact_mean(values[~np.isnan(values)].tolist())
    about = f"{grouping.source.name}, clusters {cluster}"
    return Explanation(asked.name, about, value, table, asked.definition.summary)


def _traceable(name: str, task: str) -> Measure:
    asked = measure_named(name, task)
    if not asked.definition.tracer:
        raise UsageError(f"{asked} cannot show its work yet; 'assay measures' marks those that can")
    return asked
