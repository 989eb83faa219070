"""Preferences and runs to Scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Unpack

import polars as pl

from assay.core.errors import UsageError
from assay.core.names import Measure
from assay.core.tables import Preferences, Run, Source
from assay.engine.scores import ALL, Scores
from assay.evidence.alignment.align import Alignment
from assay.evidence.builders.from_preferences import align_preferences
from assay.evidence.views.preference_pairs import PreferencePairs
from assay.formats import containers
from assay.formats.preferences import (
    levels_from_frame,
    pairs_from_frame,
    preferences_from_judgments,
    read_levels,
    read_pairs,
)
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evaluation import Measures, Views, describe_conventions, select_measures
from assay.tasks.evidence import Evaluation, TaskEvidence
from assay.tasks.retrieval.run_settings import ReadingOptions, RunSettings

NEEDS = {PreferencePairs: "preferences and a run"}
_READERS: Mapping[str, Callable[[Any], Preferences]] = {
    "levels": lambda given: _read_preferences(given, read_levels, levels_from_frame),
    "pairs": lambda given: _read_preferences(given, read_pairs, pairs_from_frame),
    "qrels": lambda given: preferences_from_judgments(containers.to_judgments(given)),
}


@dataclass(frozen=True)
class PreferenceEvidence(TaskEvidence):
    """Preferences between documents, and runs."""

    task = "preferences"
    needs = NEEDS
    preferences: Preferences
    runs: Mapping[str, Run]
    settings: RunSettings = RunSettings()  # noqa: RUF009 (frozen)
    _alignments: dict[str, Alignment[PreferencePairs]] = field(default_factory=dict, repr=False)

    @classmethod
    def read(
        cls, judged: Any, runs: Any, form: str = "levels", settings: RunSettings | None = None
    ) -> PreferenceEvidence:
        """Read preferences in one of their forms, and one or more runs."""
        systems = {run.name: run for run in containers.to_runs(runs)}
        return cls(_describe_preferences(judged, form), systems, settings or RunSettings())

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the runs."""
        return tuple(self.runs)

    @property
    def no_relevant(self) -> str:  # type: ignore[override]
        """What a query without a preference counts."""
        return self.settings.conventions.no_relevant

    def alignment(self, system: str) -> Alignment[PreferencePairs]:
        """Return a run joined with the preferences."""
        if system not in self._alignments:
            run, conventions = self.runs[system], self.settings.conventions
            self._alignments[system] = align_preferences(self.preferences, run, conventions)
        return self._alignments[system]

    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return how to build the pairs of a run."""
        return {PreferencePairs: lambda: self.alignment(system).rankings}

    def select_measures(self, measures: Measures = None) -> list[Measure]:
        """Return the requested measures without aligning a run."""
        return select_measures(measures, self.task, dict.fromkeys(NEEDS, lambda: None), NEEDS)

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the conventions, the counts of each alignment, and the digests of all inputs."""
        return describe_conventions(
            {"preferences": self.preferences, **self.runs},
            evaluation.interval,
            **self.settings.conventions.described(),
            counts={name: self.alignment(name).counts for name in self.systems},
            sources={name: run.source.name for name, run in self.runs.items()},
        )

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return what the alignment of each run says."""
        return [note for name in self.systems for note in self.alignment(name).warnings]


def preferences(
    judged: Any,
    runs: Any,
    measures: Measures = None,
    *,
    form: Literal["levels", "pairs", "qrels"] = "levels",
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    **options: Unpack[ReadingOptions],
) -> Scores:
    """Evaluate one or more runs against preferences between documents.

    ``judged`` is a path or a frame, and ``form`` is what it holds: ``levels`` are trec_eval's
    prefs (query, group, subgroup, doc, level), ``pairs`` name two documents and the preferred one
    (query, first, second, preferred), and ``qrels`` are grades, of which the higher is preferred.
    ``policies`` are further conventions, by the names of the fields of Conventions.
    """
    evidence = PreferenceEvidence.read(judged, runs, form, RunSettings.from_options(options))
    return evidence.scores(measures, interval=interval)


def _describe_preferences(judged: Any, form: str) -> Preferences:
    if isinstance(judged, Preferences):
        return judged
    if form not in _READERS:
        raise UsageError(f"the form of preferences is {', '.join(_READERS)}, not '{form}'")
    return _READERS[form](judged)


def _read_preferences(
    given: Any,
    lines: Callable[[str | Path], Preferences],
    columns: Callable[[pl.DataFrame, Source], Preferences],
) -> Preferences:
    """Preferences from a file of lines, or from the columns of a frame."""
    if isinstance(given, str | Path):
        return lines(given)
    return columns(*containers.to_frame(given, "preferences"))
