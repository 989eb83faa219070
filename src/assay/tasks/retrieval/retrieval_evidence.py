"""Judgments and runs, read once: the evidence of retrieval."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from assay.core.names import Measure
from assay.core.tables import Judgments, Run
from assay.engine.scores import ALL, Scores
from assay.evidence.alignment.align import Alignment, align
from assay.evidence.alignment.judged_documents import JudgedDocuments
from assay.evidence.alignment.judgment_kinds import align_groups, align_samples, align_subtopics
from assay.evidence.views.judgment_groups import JudgmentGroups
from assay.evidence.views.rankings import Rankings
from assay.evidence.views.sampled_rankings import SampledRankings
from assay.evidence.views.subtopic_rankings import SubtopicRankings
from assay.formats import containers
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evaluation import Measures, Views, describe_conventions, select_measures
from assay.tasks.evidence import Evaluation, Progress, TaskEvidence
from assay.tasks.retrieval.costs import Costs, add_costs, read_costs
from assay.tasks.retrieval.run_settings import RunSettings
from assay.tasks.retrieval.run_warnings import estimate_warnings, judgment_warnings, run_warnings
from assay.tasks.retrieval.sampling_intervals import SAMPLING, sampling_rows

NEEDS = {
    Rankings: "judgments and a run",
    SubtopicRankings: "judgments with subtopics",
    JudgmentGroups: "judgments of several assessors",
    SampledRankings: "judgments with strata or probabilities",
}
_ALIGN: Mapping[Any, Callable[..., Alignment[Any]]] = {
    SubtopicRankings: align_subtopics,
    JudgmentGroups: align_groups,
    SampledRankings: align_samples,
}
"""How the views other than plain rankings are built."""


@dataclass(frozen=True)
class RetrievalEvidence(TaskEvidence):
    """Judgments and runs; each run is aligned with the judgments when it is first needed."""

    task = "retrieval"
    needs = NEEDS
    judgments: Judgments
    runs: Mapping[str, Run]
    settings: RunSettings = RunSettings()  # noqa: RUF009 (frozen)
    costs: Costs | None = None
    """What the systems cost, shown beside their quality."""
    topics: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The texts of the queries, where they are known."""
    documents: str | None = None
    """The file with the texts of the documents."""
    _alignments: dict[tuple[str, Any], Alignment[Any]] = field(default_factory=dict, repr=False)

    @classmethod
    def read(
        cls, qrels: Any, runs: Any, settings: RunSettings | None = None, cost: Any = None
    ) -> RetrievalEvidence:
        """Read judgments and one or more runs from paths, frames or dicts.

        ``cost`` is a column of the runs, or a table of system, cost and perhaps query.
        """
        used = settings or RunSettings()
        judged = containers.to_judgments(qrels, used.qrels_format)
        systems = {run.name: run for run in containers.to_runs(runs, used.input_format)}
        costs = None if cost is None else read_costs(cost, list(systems), runs)
        return cls(judged, systems, used, costs)

    def subset(self, systems: Sequence[str]) -> RetrievalEvidence:
        """Return the same evidence with some of its runs."""
        return replace(self, runs={name: self.runs[name] for name in systems})

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the runs."""
        return tuple(self.runs)

    @property
    def no_relevant(self) -> str:  # type: ignore[override]
        """What a query without a relevant document counts."""
        return self.settings.conventions.no_relevant

    @property
    def rel(self) -> float:
        """The lowest grade that counts as relevant, unless a measure has its own."""
        return 1.0 if self.settings.rel is None else self.settings.rel

    @property
    def sources(self) -> dict[str, str]:
        """The file that each run was read from."""
        return {name: run.source.name for name, run in self.runs.items()}

    @cached_property
    def judged(self) -> JudgedDocuments:
        """The judgments as alignment needs them, prepared once for all runs."""
        return JudgedDocuments.of(self.judgments, self.settings.conventions)

    def alignment(self, system: str, kind: Any = Rankings) -> Alignment[Any]:
        """Return a run joined with the judgments, with its warnings and counts."""
        key = (system, kind)
        if key not in self._alignments:
            run, conventions = self.runs[system], self.settings.conventions
            self._alignments[key] = (
                align(self.judged, run, conventions, self.settings.corpus)
                if kind is Rankings
                else _ALIGN[kind](self.judgments, run, conventions)
            )
        return self._alignments[key]

    def rankings(self, system: str) -> Rankings:
        """Return the rankings of one run."""
        found: Rankings = self.alignment(system).rankings
        return found

    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return how to build each view; which of them the judgments allow, alignment decides."""
        return {kind: lambda kind=kind: self.alignment(system, kind).rankings for kind in NEEDS}  # type: ignore[misc]

    def select_measures(self, measures: Measures = None) -> list[Measure]:
        """Return the requested measures under the conventions of the settings."""
        views: Views = dict.fromkeys(NEEDS, lambda: None)
        needed = self.settings.conventions.needed
        return self.settings.apply(select_measures(measures, self.task, views, NEEDS, needed))

    def select_plain_measures(self, measures: Measures, why: str) -> list[Measure]:
        """Return the requested measures of plain rankings; others are refused for that reason."""
        views: Views = {Rankings: lambda: None}
        refusals = {view: f"{what}, {why}" for view, what in NEEDS.items()}
        needed = self.settings.conventions.needed
        return self.settings.apply(select_measures(measures, self.task, views, refusals, needed))

    def scores(
        self,
        measures: Measures = None,
        *,
        interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
        progress: Progress = lambda system: None,
    ) -> Scores:
        """Evaluate every run; costs become one more column."""
        found = super().scores(measures, interval=interval, progress=progress)
        return found if self.costs is None else add_costs(found, self.costs, interval)

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the conventions, the counts of each alignment, and the digests of all inputs."""
        used = dict.fromkeys(measure.definition.view for measure in evaluation.measures)
        counts = {name: self.alignment(name, kind).counts for name in self.systems for kind in used}
        sampled = self._sampling(evaluation)
        return describe_conventions(
            {"qrels": self.judgments, **self.runs},
            evaluation.interval,
            **self.settings.conventions.described(),
            counts=counts,
            sources=self.sources,
            **({SAMPLING: sampled} if sampled else {}),
        )

    def _sampling(self, evaluation: Evaluation) -> list[dict[str, Any]]:
        """Return what the sampling of judgments adds to the uncertainty of each estimate."""
        places = [
            place
            for place, measure in enumerate(evaluation.measures)
            if measure.definition.view is SampledRankings
        ]
        if not places or evaluation.interval is None:
            return []
        rows = []
        for name in self.systems:
            view, results = self.alignment(name, SampledRankings).rankings, evaluation.of(name)
            estimates = [(evaluation.measures[place], results[place]) for place in places]
            rows += sampling_rows(view, estimates, evaluation.interval)
        return rows

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return what looks wrong in the judgments, in each run, and in the estimates."""
        found = judgment_warnings(self.judgments)
        for name, run in self.runs.items():
            for kind in dict.fromkeys(each.definition.view for each in evaluation.measures):
                alignment = self.alignment(name, kind)
                if kind is Rankings:
                    conventions = self.settings.conventions
                    found += run_warnings(self.judged, run, alignment.rankings, conventions)
                found += alignment.warnings
            found += estimate_warnings(evaluation.measures, evaluation.of(name))
        return found
