"""Explanation of numbers that come from a table of items: in every task but retrieval."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from assay.core.errors import NeedsInput
from assay.core.names import Measure
from assay.engine.local import Measurement, aggregate, measure_view
from assay.evidence.label_order import Labels
from assay.tasks.classification import predictions
from assay.tasks.classification.probability_columns import Wide
from assay.tasks.evidence import TaskEvidence
from assay.tasks.explanation.ranking_explanations import Explanation, traceable_measure
from assay.tasks.inputs.missing_values import Policy
from assay.tasks.sklearn_profile import apply_profile


def explain_classification(
    data: Any,
    measure: str,
    truth: str,
    predicted: str | None = None,
    positive: str | None = None,
    *,
    score: str | None = None,
    probabilities: Wide = None,
    missing: Policy = "error",
    threshold: float | None = None,
    labels: Labels = None,
    profile: str = "assay",
) -> Explanation:
    """How a measure comes about from decisions or probabilities; class by class in a mean."""
    asked = apply_profile([traceable_measure(measure, "classification")], profile)[0]
    given = predictions.read_predictions(
        data,
        truth=truth,
        predicted=predicted,
        score=score,
        probabilities=probabilities,
        positive=positive,
        missing=missing,
        threshold=threshold,
        labels=labels,
    )
    view = _select_view(asked, given.views(), predictions.NEEDS)
    found = measure_view(view, asked)
    about = given.decisions.source.name
    if asked.unit == "class" and len(found.view.units) == 1:
        about += f", positive class {given.positive}"
    return _explanation(asked, about, found, _by_class(view, asked, found))


def _by_class(view: Any, asked: Measure, found: Measurement) -> pl.DataFrame | None:
    """The work for each class, where several go into the number."""
    if asked.definition.unit != "class" or len(found.view.units) == 1:
        return None
    parts = []
    for name in found.view.units:
        table = pl.DataFrame(asked.trace(replace(view, positive=name).by("class")))
        parts.append(table.select(pl.lit(name).alias("class"), pl.all()))
    return pl.concat(parts)


def explain_system(evidence: TaskEvidence, measure: str, system: str | None = None) -> Explanation:
    """Show how a measure of one system is computed; the first system by default."""
    named = traceable_measure(measure, evidence.task)
    asked = evidence.select_measures([named])[0]
    name = evidence.systems[0] if system is None else system
    view = evidence.views(name)[asked.definition.view]()
    return _explanation(asked, evidence.about(name), measure_view(view, asked))


def _select_view(
    asked: Measure, views: Mapping[Any, Callable[[], Any]], needs: Mapping[Any, str]
) -> Any:
    if asked.definition.view not in views:
        raise NeedsInput(f"{asked} needs {needs[asked.definition.view]}")
    return views[asked.definition.view]()


def _explanation(
    asked: Measure, about: str, found: Measurement, table: pl.DataFrame | None = None
) -> Explanation:
    value = aggregate(asked, found.values, found.parts, found.view.support)
    made = _trace_table(asked, found) if table is None else table
    return Explanation(asked.name, about, value, made, asked.definition.summary)


def _trace_table(asked: Measure, found: Measurement) -> pl.DataFrame:
    """The table behind the number; of several units that it cannot show at once, their values."""
    units = found.view.units
    kind = asked.unit or found.view.unit_kind
    if len(units) > 1 and kind in ("pair", "group"):
        return pl.DataFrame({kind: units, asked.name: found.values})
    return pl.DataFrame(asked.trace(found.view))
