"""Explanation of numbers that come from a table of items: in every task but retrieval."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl

from assay.core.names import Measure
from assay.engine.local import Measurement, measure_view
from assay.evidence.label_order import Labels
from assay.tasks.classification.class_labels import Wide
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.predictions import ClassificationColumns
from assay.tasks.evidence import TaskEvidence
from assay.tasks.explanation.ranking_explanations import Explanation, traceable_measure
from assay.tasks.inputs.table_columns import Policy


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
    """Show how a measure is computed from decisions or probabilities; a mean class by class."""
    columns = ClassificationColumns(
        truth,
        predicted,
        score,
        probabilities,
        positive=positive,
        missing=missing,
        threshold=threshold,
        labels=labels,
        profile=profile,
    )
    return explain_system(ClassificationEvidence.read(data, columns), measure)


def explain_system(evidence: TaskEvidence, measure: str, system: str | None = None) -> Explanation:
    """Show how a measure of one system is computed; the first system by default."""
    named = evidence.select_measures([traceable_measure(measure, evidence.task)])[0]
    name = evidence.systems[0] if system is None else system
    view = evidence.views(name)[named.definition.view]()
    found = measure_view(view, named)
    value = found.summary(named)
    about, units = evidence.about(name), found.view.units
    if named.unit == "class" and len(units) == 1:
        about += f", positive class {view.positive}"
    by_class = named.definition.unit == "class" and len(units) > 1
    table = _table_by_class(view, named, units) if by_class else _table(named, found)
    return Explanation(named.name, about, value, table, named.definition.summary)


def _table(measure: Measure, found: Measurement) -> pl.DataFrame:
    """Return the table behind the number, or the values of units that it cannot show at once."""
    units = found.view.units
    kind = measure.unit or found.view.unit_kind
    if len(units) > 1 and kind in ("pair", "group"):
        return pl.DataFrame({kind: units, measure.name: found.values})
    return pl.DataFrame(measure.trace(found.view))


def _table_by_class(view: Any, measure: Measure, classes: tuple[str, ...]) -> pl.DataFrame:
    """Return the table behind the number of each class."""
    parts = []
    for name in classes:
        table = pl.DataFrame(measure.trace(replace(view, positive=name).by("class")))
        parts.append(table.select(pl.lit(name).alias("class"), pl.all()))
    return pl.concat(parts)
