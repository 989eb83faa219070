"""Retrieval: judgments and runs to Scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from assay.core.conventions import Conventions, with_choices
from assay.core.conventions import profile as profile_named
from assay.core.names import Measure
from assay.core.tables import Judgments, Run
from assay.engine.scores import Result, Scores
from assay.evidence.alignment import Alignment, Seen, align
from assay.evidence.from_groups import align_groups
from assay.evidence.from_samples import align_samples
from assay.evidence.from_subtopics import align_subtopics
from assay.evidence.judged import Judged
from assay.evidence.judgment_groups import JudgmentGroups
from assay.evidence.rankings import Rankings
from assay.evidence.samples import SampledRankings
from assay.evidence.subtopics import SubtopicRankings
from assay.formats import containers
from assay.statistics.intervals import Bootstrap
from assay.tasks.assembly import Asked, asked_under, chosen, described, scored
from assay.tasks.costs import costs_of, with_costs
from assay.tasks.doubts import doubtful_judgments, doubts, estimates_beyond
from assay.tasks.sampling import SAMPLING, SampledIntervals

NEEDS = {
    Rankings: "judgments and a run",
    SubtopicRankings: "judgments with subtopics",
    JudgmentGroups: "judgments of several assessors",
    SampledRankings: "judgments with strata or probabilities",
}


def retrieval(
    qrels: Any,
    runs: Any,
    measures: Asked = None,
    *,
    rel: float | None = None,
    profile: str | Conventions = "assay",
    order: str | None = None,
    depth: int | None = None,
    judged_only: bool = False,
    policies: Mapping[str, str] | None = None,
    corpus: int | None = None,
    input_format: str | None = None,
    qrels_format: str | None = None,
    cost: Any = None,
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Callable[[str], None] = lambda system: None,
    aligned: Callable[[str, Rankings], None] = lambda system, rankings: None,
) -> Scores:
    """Evaluate one or more runs against judgments.

    ``qrels`` and ``runs`` are paths, frames (Polars, pandas, Arrow) or dicts of query to
    {document: number}; several runs are a sequence, or a dict of name to run. ``rel`` is the
    least grade that counts as relevant, where a measure does not say itself. ``order`` is score,
    rank or file; ``depth`` cuts the lists; ``judged_only`` takes unjudged documents out of them;
    ``policies`` are further choices among the fields of Conventions. ``cost`` is a column of the
    runs or a table of system, cost and perhaps query: one more column of the scores. ``progress``
    is told the name of each system before it is evaluated, and ``aligned`` is given its rankings.
    """
    unjudged = "drop" if judged_only else None
    choices = with_choices(policies, order=order, depth=depth, unjudged=unjudged)
    conventions = profile_named(profile).changed(**choices)
    views = dict.fromkeys(NEEDS, lambda: None)
    asked = chosen(measures, "retrieval", views, NEEDS, conventions.needed)
    asked = asked_under(asked, conventions, rel)
    judged = containers.judgments(qrels, qrels_format or input_format)
    systems = containers.runs(runs, input_format)
    costs = None if cost is None else costs_of(cost, [run.name for run in systems], runs)
    evaluation = _Evaluation(_Truth(judged, conventions), conventions, corpus, aligned, bootstrap)
    for run in systems:
        progress(run.name)
        evaluation.add(run, asked)
    scores = evaluation.scores()
    return scores if costs is None else with_costs(scores, costs, bootstrap)


class _Evaluation:
    """Runs evaluated one after the other, and all that is told of them together."""

    def __init__(
        self,
        truth: _Truth,
        conventions: Conventions,
        corpus: int | None,
        aligned: Callable[[str, Rankings], None],
        bootstrap: Bootstrap | None,
    ) -> None:
        self._truth, self._conventions, self._bootstrap = truth, conventions, bootstrap
        self._corpus, self._aligned = corpus, aligned
        self._intervals = SampledIntervals()
        self._runs: list[Run] = []
        self._results: list[Result] = []
        self._warnings = doubtful_judgments(truth.table)
        self._counts: dict[str, dict[str, int]] = {}

    def add(self, run: Run, asked: Sequence[Measure]) -> None:
        """Evaluate one more run."""
        made = _Views(self._truth, run, self._conventions, self._corpus, self._aligned)
        results = scored(
            run.name,
            asked,
            made.makers,
            self._bootstrap,
            self._conventions.no_relevant,
            intervals=self._intervals,
        )
        self._results += results
        self._runs.append(run)
        self._warnings += made.warnings + estimates_beyond(asked, results)
        self._counts[run.name] = made.counts

    def scores(self) -> Scores:
        """The results of all runs, and what is needed to derive them again."""
        conventions = described(
            {"qrels": self._truth.table} | {run.name: run for run in self._runs},
            self._bootstrap,
            **self._conventions.described(),
            counts=self._counts,
            sources={run.name: run.source.name for run in self._runs},
            **({SAMPLING: self._intervals.rows} if self._intervals.rows else {}),
        )
        warnings = tuple(dict.fromkeys(self._warnings))
        return Scores("retrieval", tuple(self._results), conventions, warnings)


class _Truth:
    """The judgments, made ready once for all runs."""

    def __init__(self, table: Judgments, conventions: Conventions) -> None:
        self.table = table
        self._conventions = conventions

    @cached_property
    def judged(self) -> Judged:
        """The judgments as alignment needs them."""
        return Judged.of(self.table, self._conventions)


class _Views:
    """The views of one run, and what a user should know of how they came about."""

    def __init__(
        self,
        truth: _Truth,
        run: Run,
        conventions: Conventions,
        corpus: int | None,
        aligned: Callable[[str, Rankings], None],
    ) -> None:
        self._truth, self._run, self._conventions = truth, run, conventions
        self._corpus, self._aligned = corpus, aligned
        self.warnings: list[str] = []
        self.counts: dict[str, int] = {}
        self.makers: dict[type, Callable[[], Any]] = {
            Rankings: self._rankings,
            SubtopicRankings: lambda: self._noted(align_subtopics(truth.table, run, conventions)),
            JudgmentGroups: lambda: self._noted(align_groups(truth.table, run, conventions)),
            SampledRankings: lambda: self._noted(align_samples(truth.table, run, conventions)),
        }

    def _rankings(self) -> Rankings:
        alignment = align(self._truth.judged, self._run, self._conventions, self._corpus)
        self._aligned(self._run.name, alignment.rankings)
        self.warnings += doubts(
            self._truth.judged, self._run, alignment.rankings, self._conventions
        )
        return self._noted(alignment)

    def _noted(self, alignment: Alignment[Seen]) -> Seen:
        """The view of an alignment, once its warnings and counts are taken down."""
        self.warnings += alignment.warnings
        self.counts = alignment.counts
        return alignment.rankings
