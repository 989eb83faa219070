"""Preferences and runs to Scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal

import polars as pl

from assay.core.conventions import Conventions
from assay.core.conventions import profile as profile_named
from assay.core.errors import UsageError
from assay.core.tables import Preferences, Source
from assay.engine.scores import Result, Scores
from assay.evidence.from_preferences import align_preferences
from assay.evidence.preferences import PreferencePairs
from assay.formats import containers
from assay.formats.preferences import (
    from_judgments,
    levels_of,
    pairs_of,
    read_levels,
    read_pairs,
)
from assay.statistics.intervals import Bootstrap
from assay.tasks.assembly import Asked, chosen, described, scored

NEEDS = {PreferencePairs: "preferences and a run"}
_READERS: Mapping[str, Callable[[Any], Preferences]] = {
    "levels": lambda given: _read(given, read_levels, levels_of),
    "pairs": lambda given: _read(given, read_pairs, pairs_of),
    "qrels": lambda given: from_judgments(containers.judgments(given)),
}


def preferences(
    judged: Any,
    runs: Any,
    measures: Asked = None,
    *,
    form: Literal["levels", "pairs", "qrels"] = "levels",
    profile: str | Conventions = "assay",
    policies: Mapping[str, str] | None = None,
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate one or more runs against preferences between documents.

    ``judged`` is a path or a frame, and ``form`` says what it holds: ``levels`` are trec_eval's
    prefs (query, group, subgroup, doc, level), ``pairs`` name two documents and the preferred one
    (query, first, second, preferred), and ``qrels`` are grades, of which the higher is preferred.
    ``policies`` are further choices among the fields of Conventions.
    """
    conventions = profile_named(profile).changed(**(policies or {}))
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
    sources = {run.name: run.source.name for run in systems}
    return Scores(
        task="preferences",
        results=tuple(results),
        conventions=described(
            inputs, bootstrap, **conventions.described(), counts=counts, sources=sources
        ),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _stated(judged: Any, form: str) -> Preferences:
    if isinstance(judged, Preferences):
        return judged
    if form not in _READERS:
        raise UsageError(f"preferences come as {', '.join(_READERS)}, not as '{form}'")
    return _READERS[form](judged)


def _read(
    given: Any,
    lines: Callable[[str | Path], Preferences],
    columns: Callable[[pl.DataFrame, Source], Preferences],
) -> Preferences:
    """Preferences from a file of lines, or from the columns of a frame."""
    if isinstance(given, str | Path):
        return lines(given)
    return columns(*containers.frame_of(given, "preferences"))
