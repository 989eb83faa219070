"""The same number under each profile, and which convention makes the difference."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from assay.core.conventions import PROFILES, Conventions
from assay.core.errors import AssayError
from assay.core.names import Measure
from assay.core.names import measure as measure_named
from assay.core.tables import Judgments, Run
from assay.formats import containers
from assay.tasks.explanation.ranking_explanations import Explanation, query_evidence
from assay.tasks.retrieval.retrieval_evidence import retrieval
from assay.tasks.sklearn_profile import DIFFERENCES
from assay.tasks.sklearn_profile import PROFILES as TABLE_PROFILES

BASE_PROFILE = "assay"
DIFFERING_PROFILES = ("profile", "defaults")
"""Fields that are no convention of their own: the name, and parameters of measures."""


@dataclass(frozen=True)
class ProfileValue:
    """What a profile makes of a measure, and why that differs from the default profile."""

    profile: str
    value: float
    causes: tuple[str, ...]
    """Conventions that alone change the value, as ``name=choice``."""
    refused: str | None = None
    """Why the profile refuses the data, if it does; the value is then undefined."""


def values_by_profile(
    qrels: Any, run: Any, measure: str, query: str | None = None, rel: float | None = None
) -> list[ProfileValue]:
    """The value of one query, or of all, under each profile; the default profile comes first."""
    asked = measure_named(measure, "retrieval")
    if rel is not None:
        asked = asked.default("rel", rel)
    judged, answered = containers.to_judgments(qrels), containers.to_run(run)
    if query is not None:
        judged, answered = query_evidence(query, judged, answered)
    base, _ = _value(judged, answered, asked, PROFILES[BASE_PROFILE])
    found = []
    for name, conventions in PROFILES.items():
        value, refused = _value(judged, answered, asked, conventions)
        causes = _causes(judged, answered, asked, conventions, base, value)
        found.append(ProfileValue(name, value, causes, refused))
    return found


def table_values_by_profile(
    explain: Callable[..., Explanation], given: Mapping[str, Any]
) -> list[ProfileValue]:
    """The value of a measure of a table under each profile that its task has, and why it differs.

    ``explain`` is called with what was given and with each ``profile``.
    """
    base = explain(**given).value
    found = []
    for name in TABLE_PROFILES:
        value = explain(**given, profile=name).value
        causes = () if _is_same_value(base, value) else tuple(_reasons(str(given["measure"])))
        found.append(ProfileValue(name, value, causes))
    return found


def _reasons(measure: str) -> Iterator[str]:
    """Why scikit-learn has another number."""
    name = measure.partition("(")[0].partition("@")[0]
    asked = {each.definition.name for each in _measures_by_name(name)}
    for each in DIFFERENCES:
        if each.measure in asked:
            yield each.why


def _measures_by_name(name: str) -> Iterator[Measure]:
    for task in ("classification", "regression"):
        with suppress(AssayError):
            yield measure_named(name, task)


def _value(
    judged: Judgments, run: Run, measure: Measure, conventions: Conventions
) -> tuple[float, str | None]:
    """The value; NaN where the conventions refuse the data, and why they do."""
    try:
        scores = retrieval(judged, [run], [measure], profile=conventions, bootstrap=None)
    except AssayError as refusal:
        return math.nan, str(refusal)
    return scores.results[0].value, None


def _causes(
    judged: Judgments,
    run: Run,
    measure: Measure,
    conventions: Conventions,
    base: float,
    value: float,
) -> tuple[str, ...]:
    """Each convention of the profile that alone changes the value of the default profile."""
    if _is_same_value(base, value):
        return ()
    causes = []
    for field in dataclasses.fields(conventions):
        choice = getattr(conventions, field.name)
        if field.name in DIFFERING_PROFILES or choice == getattr(
            PROFILES[BASE_PROFILE], field.name
        ):
            continue
        alone = dataclasses.replace(PROFILES[BASE_PROFILE], **{field.name: choice})
        if not _is_same_value(_value(judged, run, measure, alone)[0], base):
            causes.append(f"{field.name}={choice}")
    return tuple(causes) or ("several conventions together, or a parameter of the measure",)


def _is_same_value(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))
