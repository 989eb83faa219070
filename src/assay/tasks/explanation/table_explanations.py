"""Explanation of numbers that come from tables of items, and the same number under each profile."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from assay.core.conventions import Conventions, profile
from assay.core.errors import AssayError
from assay.core.names import Measure
from assay.core.names import measure as measure_named
from assay.core.profiles import PROFILES
from assay.engine.local import Measurement, measure_view
from assay.evidence.labels import Labels
from assay.formats import containers
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.classification.probability_columns import Wide
from assay.tasks.evidence import TaskEvidence
from assay.tasks.explanation.ranking_explanations import (
    Explanation,
    query_evidence,
    traceable_measure,
)
from assay.tasks.inputs.missing_values import MissingPolicy
from assay.tasks.retrieval.retrieval import retrieval
from assay.tasks.table_evidence import TableEvidence
from assay.tasks.table_profiles import TABLE_PROFILES


def explain_classification(
    data: Any,
    measure: str,
    truth: str,
    predicted: str | None = None,
    positive: str | None = None,
    *,
    score: str | None = None,
    probabilities: Wide = None,
    missing: MissingPolicy = "error",
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


BASE_PROFILE = "assay"
_NOT_CONVENTIONS = ("profile", "defaults")
"""Fields that are not conventions: the name, and parameters of measures."""


@dataclass(frozen=True)
class ProfileValue:
    """The value of a measure under a profile, and why it differs from the default profile."""

    profile: str
    value: float
    causes: tuple[str, ...]
    """Conventions that alone change the value, as ``name=choice``."""
    refused: str | None = None
    """Why the profile refuses the data, if it does; the value is then undefined."""


def values_by_profile(
    qrels: Any, run: Any, measure: str, query: str | None = None, rel: float | None = None
) -> list[ProfileValue]:
    """Return the value of one query, or of all, under each profile; the default comes first."""
    asked = measure_named(measure, "retrieval")
    if rel is not None:
        asked = asked.default("rel", rel)
    judged, answered = containers.to_judgments(qrels), containers.to_run(run)
    if query is not None:
        judged, answered = query_evidence(query, judged, answered)

    def value_under(conventions: Conventions) -> tuple[float, str | None]:
        """Return the value, NaN if the conventions refuse the data, and the reason."""
        try:
            scores = retrieval(judged, [answered], [asked], profile=conventions, interval=None)
        except AssayError as refusal:
            return math.nan, str(refusal)
        return scores.results[0].value, None

    base, found = value_under(profile(BASE_PROFILE))[0], []
    for name in PROFILES:
        conventions = profile(name)
        value, refused = value_under(conventions)
        causes: tuple[str, ...] = ()
        if not _is_same_value(base, value):
            causes = tuple(
                cause
                for cause, alone in _single_changes(conventions)
                if not _is_same_value(value_under(alone)[0], base)
            ) or ("several conventions together, or a parameter of the measure",)
        found.append(ProfileValue(name, value, causes, refused))
    return found


def _single_changes(conventions: Conventions) -> Iterator[tuple[str, Conventions]]:
    """Yield each convention that is not the default, and the default with that one changed."""
    default = profile(BASE_PROFILE)
    for field in dataclasses.fields(conventions):
        choice = getattr(conventions, field.name)
        if field.name not in _NOT_CONVENTIONS and choice != getattr(default, field.name):
            yield f"{field.name}={choice}", replace(default, **{field.name: choice})


def table_values_by_profile(
    evidence: TableEvidence[Any], measure: str, system: str
) -> list[ProfileValue]:
    """Return the value of a measure under each profile of its task, and why it differs."""
    explained = {
        name: explain_system(replace(evidence, profile=name), measure, system)
        for name in TABLE_PROFILES
    }
    asked = evidence.select_measures([measure])[0].definition.name
    base = explained[BASE_PROFILE].value
    found = []
    for profile_name, each in explained.items():
        reasons = tuple(n.why for n in TABLE_PROFILES[profile_name] if n.measure == asked)
        same = _is_same_value(base, each.value)
        found.append(ProfileValue(profile_name, each.value, () if same else reasons))
    return found


def _is_same_value(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))
