"""Explanation: the table from which one number comes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import exact_mean
from assay.core.conventions import Conventions, profile
from assay.core.errors import DataError, NeedsInput, UsageError, did_you_mean
from assay.core.names import Measure
from assay.core.names import measure as measure_named
from assay.core.tables import Decisions, Judgments, Run
from assay.engine.local import prepare
from assay.evidence.alignment import align, order
from assay.evidence.from_decisions import confusion
from assay.formats import containers
from assay.tasks.clustering import NEEDS, groupings
from assay.tasks.columns import columns_of


@dataclass(frozen=True)
class Explanation:
    """One number, and the table from which it comes."""

    measure: str
    about: str
    value: float
    table: pl.DataFrame
    formula: str


def explain_retrieval(
    qrels: Any, run: Any, measure: str, query: str, conventions: str | Conventions = "assay"
) -> Explanation:
    """How a measure comes about for one query, with the documents that it saw."""
    asked = _traceable(measure, "retrieval")
    settings = profile(conventions)
    judged, answered = containers.judgments(qrels), containers.run(run)
    if query not in judged.frame["query"]:
        known = judged.frame["query"].unique().to_list()
        raise DataError(
            f"{judged.source.name}: the query '{query}' is not judged." + did_you_mean(query, known)
        )
    own = pl.col("query") == query
    rankings = align(
        Judgments(judged.frame.filter(own)),
        Run(answered.frame.filter(own), name=answered.name),
        settings,
    ).rankings
    seen = prepare(rankings, asked)
    table = pl.DataFrame(asked.definition.tracer[0](seen, **dict(asked.arguments)))
    if "rank" in table.columns:
        listed = order(Run(answered.frame.filter(own)), settings).select(
            rank="place", document="doc"
        )
        graded = _with_grades(listed, judged.frame.filter(own))
        if "judged_only" in asked.selections:
            graded = graded.filter(pl.col("grade") >= 0).with_columns(
                rank=pl.int_range(1, pl.len() + 1)
            )
        table = _with_documents(table, graded)
    return Explanation(
        asked.name,
        f"{answered.name}, query {query}",
        float(asked(seen)[0]),
        table,
        asked.definition.summary,
    )


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
    """How a measure comes about from a confusion matrix."""
    asked = _traceable(measure, "classification")
    columns = {"truth": truth, "predicted": predicted}
    decisions = Decisions.of(*columns_of(data, columns, "the decisions"))
    seen = prepare(confusion(decisions, positive), asked)
    table = pl.DataFrame(asked.definition.tracer[0](seen, **dict(asked.arguments)))
    value = float(asked(seen)[0])
    return Explanation(asked.name, decisions.source.name, value, table, asked.definition.summary)


def explain_clustering(
    data: Any, measure: str, cluster: str, classes: str | None = None, features: str | None = None
) -> Explanation:
    """How a measure comes about from the clusters and classes, or from the points."""
    asked = _traceable(measure, "clustering")
    grouping = groupings(data, cluster, classes, None, features, None, lambda share: None)[0]
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
