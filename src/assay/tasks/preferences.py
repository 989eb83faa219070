"""Preferences and runs to Scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Unpack

import polars as pl

from assay.core.conventions import ReadingOptions, RunSettings
from assay.core.errors import UsageError
from assay.core.preference_tables import Preferences
from assay.core.tables import Run, Source, Table
from assay.engine.scores import Scores
from assay.evidence.alignment.align import Alignment
from assay.evidence.alignment.align_preferences import align_preferences
from assay.evidence.views.preference_pairs import PreferencePairs
from assay.formats import containers
from assay.formats.decimal_commas import with_decimal_points
from assay.formats.preferences import (
    PAIRS,
    levels_from_frame,
    pairs_from_frame,
    preferences_from_judgments,
    read_levels,
    read_pairs,
)
from assay.formats.records import as_table_or_dict
from assay.formats.table_columns import find_columns
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Measures
from assay.tasks.retrieval.query_slices import slice_queries_by
from assay.tasks.retrieval.retrieval_evidence import RunEvidence

NEEDS = {PreferencePairs: "preferences and a run"}
_READERS: Mapping[str, Callable[[Any, str | None], Preferences]] = {
    "levels": lambda given, _: _read_preferences(given, read_levels, levels_from_frame),
    "pairs": lambda given, _: _read_preferences(given, read_pairs, pairs_from_frame),
    "qrels": lambda given, name: preferences_from_judgments(containers.to_judgments(given, name)),
}


@dataclass(frozen=True, kw_only=True)
class PreferenceEvidence(RunEvidence):
    """Preferences between documents, and runs."""

    task = "preferences"
    needs = NEEDS
    preferences: Preferences

    @classmethod
    def read(
        cls, judged: Any, runs: Any, form: str = "levels", settings: RunSettings | None = None
    ) -> PreferenceEvidence:
        """Read preferences in one of their forms, and one or more runs."""
        used = settings or RunSettings()
        if used.rel is not None:
            raise UsageError("preferences have no level of relevance; leave out `rel`")
        judged = with_decimal_points(judged, used.decimal_comma)
        runs = with_decimal_points(runs, used.decimal_comma)
        systems = {run.name: run for run in containers.to_runs(runs, used.input_format)}
        if not isinstance(judged, Preferences):
            if form not in _READERS:
                raise UsageError(f"the form of preferences is {', '.join(_READERS)}, not '{form}'")
            judged = _READERS[form](judged, used.qrels_format)
        return cls(preferences=judged, runs=systems, settings=used)

    @property
    def inputs(self) -> dict[str, Table]:
        """The preferences and the runs."""
        return {"preferences": self.preferences, **self.runs}

    def align(self, run: Run, kind: Any) -> Alignment[PreferencePairs]:
        """Join a run with the preferences."""
        return align_preferences(self.preferences, run, self.settings.conventions)


def preferences(
    judged: Any,
    runs: Any,
    measures: Measures = None,
    *,
    form: Literal["levels", "pairs", "qrels"] = "levels",
    by: Any = None,
    units: Any = None,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    **options: Unpack[ReadingOptions],
) -> Scores:
    """Evaluate one or more runs against preferences between documents.

    ``judged`` is a path, a frame or a list of rows, and ``form`` is what it holds: ``levels`` are
    trec_eval's prefs (query, group, subgroup, doc, level), ``pairs`` name two documents and the
    preferred one (query, first, second, preferred; a frame with these columns needs no ``form``),
    and ``qrels`` are grades, of which the higher
    is preferred.
    ``by`` has the slice of each query, or names a column of the table ``units``, as in
    ``assay.retrieval``. ``policies`` are further conventions, by the names of the fields of
    Conventions.
    """
    evidence = PreferenceEvidence.read(judged, runs, form, RunSettings.from_options(options))
    if by is not None:
        evidence = replace(evidence, **slice_queries_by(evidence.preferences, by, units))
    return evidence.scores(measures, interval=interval)


def _read_preferences(
    given: Any,
    lines: Callable[[str | Path], Preferences],
    columns: Callable[[pl.DataFrame, Source], Preferences],
) -> Preferences:
    """Return preferences from a file of lines, or from the columns of a frame."""
    if isinstance(given, str | Path):
        return lines(given)
    frame, source = containers.to_frame(as_table_or_dict(given, ranked=False), "preferences")
    query = find_columns(frame.columns).get("query", "query")
    if query != "query" and "query" not in frame.columns:
        frame = frame.rename({query: "query"})
    if {*PAIRS} <= {*frame.columns}:
        columns = pairs_from_frame
    return columns(frame, source)
