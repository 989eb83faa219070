"""Preferences and runs to Scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal

from assay.core.conventions import Conventions
from assay.core.conventions import profile as profile_named
from assay.core.errors import UsageError
from assay.core.tables import Preferences
from assay.engine.scores import Result, Scores
from assay.evidence.from_preferences import align_preferences
from assay.evidence.preferences import PreferencePairs
from assay.formats import containers
from assay.formats.preferences import from_judgments, read_levels, read_pairs
from assay.statistics.intervals import Bootstrap
from assay.tasks.assembly import Asked, chosen, described, scored

NEEDS = {PreferencePairs: "preferences and a run"}
_READERS: Mapping[str, Callable[[Any], Preferences]] = {
    "levels": read_levels,
    "pairs": read_pairs,
    "qrels": lambda given: from_judgments(containers.judgments(given)),
}


def preferences(
    judged: Any,
    runs: Any,
    measures: Asked = None,
    *,
    form: Literal["levels", "pairs", "qrels"] = "levels",
    profile: str | Conventions = "assay",
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate one or more runs against preferences between documents.

    ``judged`` is a path, or a frame with the columns query, group, subgroup, doc and level.
    ``form`` says what a file holds: ``levels`` are trec_eval's prefs (query, group, subgroup,
    document, level), ``pairs`` name two documents and the preferred one, and ``qrels`` are grades,
    of which the higher is preferred.
    """
    conventions = profile_named(profile)
    stated = _stated(judged, form)
    systems = containers.runs(runs)
    asked = chosen(measures, "preferences", dict.fromkeys(NEEDS, lambda: None), NEEDS)
    results: list[Result] = []
    warnings: list[str] = []
    counts = {}
    for run in systems:
        alignment = align_preferences(stated, run, conventions)
        views = {PreferencePairs: partial(getattr, alignment, "rankings")}
        results += scored(run.name, asked, views, bootstrap, conventions.no_relevant)
        warnings += alignment.warnings
        counts[run.name] = alignment.counts
    inputs = {"preferences": stated} | {run.name: run for run in systems}
    return Scores(
        task="preferences",
        results=tuple(results),
        conventions=described(inputs, bootstrap, **conventions.described(), counts=counts),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _stated(judged: Any, form: str) -> Preferences:
    if isinstance(judged, Preferences):
        return judged
    if form not in _READERS:
        raise UsageError(f"preferences come as {', '.join(_READERS)}, not as '{form}'")
    if form == "qrels" or isinstance(judged, str | Path):
        return _READERS[form](judged)
    return Preferences.of(*containers.frame_of(judged, "preferences"))
