"""Retrieval: judgments and runs to Scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assay.core.conventions import Conventions, profile
from assay.core.tables import Judgments, Run
from assay.engine.scores import Scores
from assay.evidence.alignment import align
from assay.evidence.judged import Judged
from assay.evidence.rankings import Rankings
from assay.evidence.subtopic_alignment import align_subtopics
from assay.evidence.subtopics import SubtopicRankings
from assay.formats import containers
from assay.statistics.intervals import Bootstrap
from assay.tasks.assembly import Asked, chosen, described, scored

NEEDS = {Rankings: "judgments and a run", SubtopicRankings: "judgments with subtopics"}


def retrieval(
    qrels: Any,
    runs: Any,
    measures: Asked = None,
    *,
    rel: float | None = None,
    profile: str | Conventions = "assay",
    corpus: int | None = None,
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Callable[[str], None] = lambda system: None,
) -> Scores:
    """Evaluate one or more runs against judgments.

    ``qrels`` and ``runs`` are paths, frames (Polars, pandas, Arrow) or dicts of query to
    {document: number}; several runs are a sequence, or a dict of name to run. ``rel`` is the
    least grade that counts as relevant, where a measure does not say itself. ``progress`` is told
    the name of each system before it is evaluated.
    """
    conventions = _profile(profile)
    judged = containers.judgments(qrels)
    systems = containers.runs(runs)
    asked = chosen(measures, "retrieval", dict.fromkeys(NEEDS, lambda: None), NEEDS)
    if rel is not None:
        asked = [each.default("rel", rel) for each in asked]
    results, warnings = [], []
    for run in systems:
        progress(run.name)
        views = _Views(judged, run, conventions, corpus)
        results += scored(run.name, asked, views.makers, bootstrap, conventions.no_relevant)
        warnings += views.warnings
    inputs = {"qrels": judged} | {run.name: run for run in systems}
    return Scores(
        task="retrieval",
        results=tuple(results),
        conventions=described(inputs, bootstrap, **conventions.described()),
        warnings=tuple(warnings),
    )


_profile = profile


class _Views:
    """The views of one run, and what a user should know of how they came about."""

    def __init__(
        self, judged: Judgments, run: Run, conventions: Conventions, corpus: int | None
    ) -> None:
        self._given = judged, run, conventions
        self._corpus = corpus
        self.warnings: list[str] = []
        self.makers: dict[type, Callable[[], Any]] = {
            Rankings: self._rankings,
            SubtopicRankings: lambda: align_subtopics(*self._given),
        }

    def _rankings(self) -> Rankings:
        alignment = align(*self._given, self._corpus)
        self.warnings += alignment.warnings
        return alignment.rankings
