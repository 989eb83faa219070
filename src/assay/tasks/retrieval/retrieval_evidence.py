"""Judgments and runs, read once: the evidence of retrieval, and its Scores."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

from assay.core.names import Measure
from assay.core.tables import Judgments, Run, Table
from assay.engine.scores import ALL, Scores
from assay.evidence.alignment.align import Alignment, align
from assay.evidence.alignment.judged_documents import JudgedDocuments
from assay.evidence.views.judged_rankings import JudgmentGroups, SampledRankings, SubtopicRankings
from assay.evidence.views.rankings import Rankings
from assay.formats import containers
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import (
    Evaluation,
    Measures,
    Progress,
    TaskEvidence,
    Views,
    describe_conventions,
    select_measures,
)
from assay.tasks.retrieval.run_settings import RunOptions, RunSettings
from assay.tasks.retrieval.run_warnings import estimate_warnings, judgment_warnings, run_warnings

if TYPE_CHECKING:
    from assay.tasks.retrieval.costs import Costs

NEEDS = {
    Rankings: "judgments and a run",
    SubtopicRankings: "judgments with subtopics",
    JudgmentGroups: "judgments of several assessors",
    SampledRankings: "judgments with strata or probabilities",
}


class RunEvidence(TaskEvidence):
    """Runs, each of which is joined with judgments of some kind when it is first needed.

    A subclass has the fields ``runs``, ``settings`` and ``_alignments``.
    """

    runs: Mapping[str, Run]
    settings: RunSettings
    _alignments: dict[tuple[str, Any], Alignment[Any]]

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the runs."""
        return tuple(self.runs)

    @property
    def no_relevant(self) -> str:  # type: ignore[override]
        """How a query counts that the judgments leave undefined."""
        return self.settings.conventions.no_relevant

    @property
    def sources(self) -> dict[str, str]:
        """The file that each run was read from."""
        return {name: run.source.name for name, run in self.runs.items()}

    @property
    @abstractmethod
    def judged_table(self) -> tuple[str, Table]:
        """The judgments, and what they are called among the inputs."""

    @abstractmethod
    def align(self, run: Run, kind: Any) -> Alignment[Any]:
        """Join a run with the judgments, to a view of that kind."""

    def alignment(self, system: str, kind: Any = Rankings) -> Alignment[Any]:
        """Return a run joined with the judgments, with its warnings and counts."""
        key = (system, kind)
        if key not in self._alignments:
            self._alignments[key] = self.align(self.runs[system], kind)
        return self._alignments[key]

    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return how to build each view; which of them the judgments allow, alignment decides."""
        return {
            kind: lambda kind=kind: self.alignment(system, kind).rankings  # type: ignore[misc]
            for kind in self.needs
        }

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the conventions, the counts of each alignment, and the digests of all inputs."""
        used = dict.fromkeys(measure.definition.view for measure in evaluation.measures)
        counts = {name: self.alignment(name, kind).counts for name in self.systems for kind in used}
        return describe_conventions(
            dict([self.judged_table]) | dict(self.runs),
            evaluation.interval,
            self.sources,
            False,
            **self.settings.conventions.described(),
            counts=counts,
        )

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return the notes on the alignment of each run."""
        kinds = dict.fromkeys(measure.definition.view for measure in evaluation.measures)
        alignments = (self.alignment(name, kind) for name in self.systems for kind in kinds)
        return [note for each in alignments for note in each.warnings]


@dataclass(frozen=True)
class RetrievalEvidence(RunEvidence):
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
    _alignments: dict[tuple[str, Any], Alignment[Any]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

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
        if cost is None:
            return cls(judged, systems, used)
        from assay.tasks.retrieval.costs import read_costs

        return cls(judged, systems, used, read_costs(cost, list(systems), runs))

    def subset(self, systems: Sequence[str]) -> RetrievalEvidence:
        """Return the same evidence with some of its runs."""
        return replace(self, runs={name: self.runs[name] for name in systems})

    @property
    def rel(self) -> float:
        """The lowest grade that counts as relevant, unless a measure has its own."""
        return 1.0 if self.settings.rel is None else self.settings.rel

    @property
    def judged_table(self) -> tuple[str, Table]:
        """The judgments, which are called qrels."""
        return "qrels", self.judgments

    @cached_property
    def judged(self) -> JudgedDocuments:
        """The judgments as alignment needs them, prepared once for all runs."""
        return JudgedDocuments.of(self.judgments, self.settings.conventions)

    def align(self, run: Run, kind: Any) -> Alignment[Any]:
        """Join a run with the judgments, to a view of that kind."""
        conventions = self.settings.conventions
        if kind is Rankings:
            return align(self.judged, run, conventions, self.settings.corpus)
        from assay.evidence.alignment.judgment_kinds import ALIGN

        return ALIGN[kind](self.judgments, run, conventions)

    def rankings(self, system: str) -> Rankings:
        """Return the rankings of one run."""
        rankings: Rankings = self.alignment(system).rankings
        return rankings

    def select_measures(self, measures: Measures = None) -> list[Measure]:
        """Return the requested measures under the conventions of the settings."""
        return self._select_measures(measures, NEEDS, NEEDS)

    def select_plain_measures(self, measures: Measures, why: str) -> list[Measure]:
        """Return the requested measures of plain rankings; others are refused for that reason."""
        refusals = {view: f"{what}, {why}" for view, what in NEEDS.items()}
        return self._select_measures(measures, [Rankings], refusals)

    def _select_measures(
        self, measures: Measures, kinds: Iterable[type], refusals: Mapping[Any, str]
    ) -> list[Measure]:
        views: Views = dict.fromkeys(kinds, lambda: None)
        needed = self.settings.conventions.needed
        expanded = None if measures is None else _expand_names(measures)
        return self.settings.apply(select_measures(expanded, self.task, views, refusals, needed))

    def scores(
        self,
        measures: Measures = None,
        *,
        interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
        progress: Progress = lambda system: None,
    ) -> Scores:
        """Evaluate every run; costs become one more column."""
        scores = super().scores(measures, interval=interval, progress=progress)
        if self.costs is None:
            return scores
        from assay.tasks.retrieval.costs import add_costs

        return add_costs(scores, self.costs, interval)

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the conventions, and what the sampling of judgments adds to the uncertainty."""
        conventions = super().conventions(evaluation)
        sampled = [
            (place, measure)
            for place, measure in enumerate(evaluation.measures)
            if measure.definition.view is SampledRankings
        ]
        if not sampled or evaluation.interval is None:
            return conventions
        from assay.tasks.retrieval.sampling_intervals import SAMPLING, sampling_rows

        rows = []
        for name in self.systems:
            view, results = self.alignment(name, SampledRankings).rankings, evaluation.of(name)
            estimates = [(measure, results[place]) for place, measure in sampled]
            rows += sampling_rows(view, estimates, evaluation.interval)
        return conventions | {SAMPLING: rows}

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return what looks wrong in the judgments, in each run, and in the estimates."""
        notes = judgment_warnings(self.judgments)
        estimated = any(measure.definition.estimates for measure in evaluation.measures)
        for name, run in self.runs.items():
            for kind in dict.fromkeys(measure.definition.view for measure in evaluation.measures):
                alignment = self.alignment(name, kind)
                if kind is Rankings:
                    conventions = self.settings.conventions
                    notes += run_warnings(self.judged, run, alignment.rankings, conventions)
                notes += alignment.warnings
            if estimated:
                notes += estimate_warnings(evaluation.measures, evaluation.of(name))
        return notes


def _expand_names(measures: Any) -> list[Any]:
    """Return the measures with trec_eval's sets and lists of depths written out."""
    from assay.tasks.trec_eval.requested_measures import expand_trec_names

    several = isinstance(measures, Iterable) and not isinstance(measures, str)
    expanded = [
        expand_trec_names(each) if isinstance(each, str) else [each]
        for each in (measures if several else [measures])
    ]
    return [name for names in expanded for name in names]


def retrieval(
    qrels: Any,
    runs: Any,
    measures: Measures = None,
    *,
    cost: Any = None,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Progress = lambda system: None,
    **options: Unpack[RunOptions],
) -> Scores:
    """Evaluate one or more runs against judgments.

    ``qrels`` and ``runs`` are paths, frames (Polars, pandas, Arrow) or dicts of query to
    {document: number}; several runs are a sequence, or a dict of name to run. ``rel`` is the
    lowest grade that counts as relevant, unless a measure has its own. ``order`` is score, rank or
    file; ``depth`` cuts the rankings; ``judged_only`` removes unjudged documents; ``policies`` are
    further conventions, by the names of the fields of Conventions. ``cost`` is a column of the
    runs or a table of system, cost and perhaps query: one more column of the scores. ``progress``
    receives the name of each system before it is evaluated.
    """
    evidence = RetrievalEvidence.read(qrels, runs, RunSettings.from_options(options), cost)
    return evidence.scores(measures, interval=interval, progress=progress)
