"""Judgments and runs, read once: the evidence of retrieval, and its Scores."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.core.conventions import ReadingOptions, RunSettings
from assay.core.errors import DataError, NeedsInput, UsageError
from assay.core.frozen_dataclass import asdict, dataclass, field, replace
from assay.core.names import Measure, Required
from assay.core.tables import Judgments, Run, Table
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.evidence.alignment.align import Alignment, align
from assay.evidence.alignment.judged_documents import JudgedDocuments
from assay.evidence.views.judged_rankings import JudgmentGroups, SampledRankings, SubtopicRankings
from assay.evidence.views.rankings import Rankings
from assay.evidence.views.stopping_rankings import StoppingRankings
from assay.formats import containers
from assay.tasks.evidence import Evaluation, Measures, TaskEvidence, Views
from assay.tasks.retrieval.run_warnings import estimate_warnings, judgment_warnings, run_warnings

if TYPE_CHECKING:
    from assay.tasks.retrieval.costs import Costs

NEEDS = {
    Rankings: "judgments and a run",
    SubtopicRankings: "judgments with subtopics",
    JudgmentGroups: "judgments of several assessors",
    SampledRankings: "judgments with strata or probabilities",
    StoppingRankings: "stopping probabilities of documents (`stopping`)",
}
_ERR = re.compile(r"(?<!\S)err(?=@|\s|$)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class RunEvidence(TaskEvidence):
    """Runs, each of which is joined with judgments of some kind when it is first needed."""

    runs: Mapping[str, Run]
    settings: RunSettings = RunSettings()
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    """The queries of each slice."""
    group_notes: tuple[str, ...] = ()
    """Notes on queries that are in no slice."""
    _alignments: dict[tuple[str, Any], Alignment[Any]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @abstractmethod
    def align(self, run: Run, kind: Any) -> Alignment[Any]:
        """Join a run with the judgments, to a view of that kind."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the runs."""
        return tuple(self.runs)

    @property
    def sources(self) -> dict[str, str]:
        """The file that each run was read from; a run in memory has none."""
        return {
            name: run.source.name
            for name, run in self.runs.items()
            if run.source.digest is not None
        }

    @property
    def no_relevant(self) -> str:
        """How a query counts that the judgments leave undefined."""
        return self.settings.conventions.no_relevant

    @property
    def needed(self) -> Required:
        """Parameters that the conventions give to measures."""
        return self.settings.conventions.needed

    def alignment(self, system: str, kind: Any = Rankings) -> Alignment[Any]:
        """Return a run joined with the judgments, with its warnings and counts."""
        key = (system, kind)
        if key not in self._alignments:
            self._alignments[key] = self.align(self.runs[system], kind)
        return self._alignments[key]

    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return how to build each view; which of them the judgments allow, alignment decides."""
        if slice_name == ALL:
            return {
                kind: lambda kind=kind: self.alignment(system, kind).rankings  # type: ignore[misc]
                for kind in self.needs
            }
        from assay.tasks.retrieval.query_slices import queries_of_slice

        inside = self.groups[slice_name]
        return {
            kind: lambda kind=kind: queries_of_slice(  # type: ignore[misc]
                self.alignment(system, kind).rankings, inside
            )
            for kind in self.needs
        }

    def configure(self, measures: list[Measure]) -> list[Measure]:
        """Return the measures with the parameters that the settings imply, unless they have them.

        Every task that measures rankings uses this, so that one profile gives one number.
        """
        rel = self.settings.rel
        preset = [] if rel is None else [("rel", rel)]
        for parameter, value in [*preset, *self.settings.conventions.defaults]:
            measures = [measure.default(parameter, value) for measure in measures]
        return measures

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the conventions, and the counts of each alignment."""
        kinds = evaluation.kinds
        counts = {name: self.alignment(name, kind).counts for name in self.runs for kind in kinds}
        split = {} if self.settings.split is None else {"split": self.settings.split}
        sizes = {name: len(queries) for name, queries in self.groups.items()}
        slices = {"slices": sizes} if sizes else {}
        policies = {key: str(value) for key, value in asdict(self.settings.conventions).items()}
        return {**policies, **split, **slices, "counts": counts}

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return the notes on the alignment of each run."""
        kinds = evaluation.kinds
        alignments = (self.alignment(name, kind) for name in self.runs for kind in kinds)
        return [note for each in alignments for note in each.warnings]


@dataclass(frozen=True, kw_only=True)
class RetrievalEvidence(RunEvidence):
    """Judgments and runs; each run is aligned with the judgments when it is first needed."""

    task = "retrieval"
    needs = NEEDS
    judgments: Judgments
    costs: Costs | None = None
    """What the systems cost, shown beside their quality."""
    stopping: Judgments | None = None
    """The probability that each document satisfies a user, as grades."""
    topics: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The texts of the queries, where they are known."""
    documents: str | Path | Mapping[str, str] | None = field(default=None, repr=False)
    """The texts of the documents by id, or the file that has them."""
    digests: bool = True
    """Whether Scores keep the digests of the inputs."""

    @classmethod
    def read(
        cls, qrels: Any, runs: Any, settings: RunSettings | None = None, cost: Any = None
    ) -> RetrievalEvidence:
        """Read judgments and one or more runs from paths, frames or dicts.

        ``cost`` is a column of the runs, or a table of system, cost and perhaps query.
        """
        used = settings or RunSettings()
        if used.decimal_comma:
            from assay.formats.decimal_commas import with_decimal_points

            qrels, runs = with_decimal_points(qrels), with_decimal_points(runs)
        judged = read_judgments(qrels, used)
        systems = {run.name: run for run in containers.to_runs(runs, used.input_format)}
        found = cls(judgments=judged, runs=systems, settings=used)
        if cost is None:
            return found
        from assay.tasks.retrieval.costs import read_costs

        return replace(found, costs=read_costs(cost, list(systems), runs))

    def subset(self, systems: Sequence[str]) -> RetrievalEvidence:
        """Return the same evidence with some of its runs."""
        return replace(self, runs={name: self.runs[name] for name in systems})

    def without_digests(self) -> RetrievalEvidence:
        """Return the evidence for Scores that are only shown: runs are read at once, not hashed."""
        runs = {name: run.unhashed() for name, run in self.runs.items()}
        for run in [*runs.values()][:1]:
            run.prefetch(rank=self.settings.conventions.order == "rank")
        return replace(self, runs=runs, digests=False)

    @property
    def rel(self) -> float:
        """The lowest grade that counts as relevant, unless a measure has its own."""
        return 1.0 if self.settings.rel is None else self.settings.rel

    @property
    def inputs(self) -> dict[str, Table]:
        """The judgments, which are called qrels, and the runs; none without digests."""
        if not self.digests:
            return {}
        given = {} if self.stopping is None else {"stopping": self.stopping}
        return {"qrels": self.judgments, **given, **self.runs}

    @cached_property
    def judged(self) -> JudgedDocuments:
        """The judgments as alignment needs them, prepared once while the first run is read."""
        conventions = self.settings.conventions
        for run in [*self.runs.values()][:1]:
            run.prefetch(rank=conventions.order == "rank")
        return JudgedDocuments.of(self.judgments, conventions)

    def align(self, run: Run, kind: Any) -> Alignment[Any]:
        """Join a run with the judgments, to a view of that kind."""
        conventions = self.settings.conventions
        if kind is Rankings:
            return align(self.judged, run, conventions, self.settings.corpus)
        if kind is StoppingRankings:
            from assay.evidence.alignment.align_stopping import align_stopping

            if self.stopping is None:
                raise NeedsInput(f"this measure needs {NEEDS[kind]}, as a click model has them")
            return align_stopping(self.judgments, self.stopping, run, conventions)
        from assay.evidence.alignment.judgment_kinds import ALIGN

        return ALIGN[kind](self.judgments, run, conventions)

    def rankings(self, system: str) -> Rankings:
        """Return the rankings of one run."""
        rankings: Rankings = self.alignment(system).rankings
        return rankings

    def expand_names(self, measures: Any) -> list[Any]:
        """Return the measures with trec_eval's sets and lists of depths written out.

        With stopping probabilities, ERR without a scale of grades is that of these: clickERR.
        """
        from assay.tasks.trec_eval.requested_measures import expand_trec_names

        names = expand_trec_names(measures)
        if self.stopping is None:
            return names
        return [_ERR.sub("clickERR", n) if isinstance(n, str) else n for n in names]

    def complete(self, scores: Scores, evaluation: Evaluation) -> Scores:
        """Return the scores with the error of sampled judgments, and costs as one more column."""
        if SampledRankings in evaluation.kinds and evaluation.interval is not None:
            from assay.tasks.retrieval.sampling_intervals import add_sampling_errors

            views = {name: self.alignment(name, SampledRankings).rankings for name in self.runs}
            scores = add_sampling_errors(scores, views, evaluation)
        if self.costs is None:
            return scores
        from assay.tasks.retrieval.costs import add_costs

        return add_costs(scores, self.costs, evaluation.interval)

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return what looks wrong in the judgments, in each run, and in the estimates."""
        notes = [*self.group_notes, *judgment_warnings(self.judgments, evaluation.measures)]
        estimated = any(measure.definition.estimates for measure in evaluation.measures)
        for name, run in self.runs.items():
            for kind in evaluation.kinds:
                alignment = self.alignment(name, kind)
                if kind is Rankings:
                    conventions = self.settings.conventions
                    notes += run_warnings(self.judged, run, alignment.rankings, conventions)
                notes += alignment.warnings
            if estimated:
                notes += estimate_warnings(evaluation.measures, evaluation.of(name))
        return notes


def read_judgments(qrels: Any, settings: RunSettings) -> Judgments:
    """Return the judgments, of one split if the settings name one."""
    if settings.split is None and settings.splits is None:
        return containers.to_judgments(qrels, settings.qrels_format)
    if settings.splits is None and isinstance(qrels, str | Path) and Path(qrels).is_dir():
        path = Path(qrels, "qrels", f"{settings.split}.tsv")
        return containers.to_judgments(path, settings.qrels_format)
    from assay.formats.splits import Splits

    queries = Splits.select(settings.splits, settings.split)
    judged = containers.to_judgments(qrels, settings.qrels_format)
    rows = judged.frame["query"].is_in(queries).arg_true()
    if not len(rows):
        raise DataError(f"{judged.source.name}: no query of the split {settings.split} is judged")
    return replace(judged, frame=judged.frame[rows], source=judged.source.of(rows))


def evidence_of(
    given: Any, runs: Any, measures: Measures, options: ReadingOptions
) -> tuple[RetrievalEvidence, Measures]:
    """Return the evidence of judgments and runs, or that behind Scores, then what to measure."""
    if isinstance(given, Scores) and measures is None:
        runs, measures = None, runs
    if runs is not None:
        return RetrievalEvidence.read(given, runs, RunSettings.from_options(options)), measures
    if not isinstance(given, Scores) or not isinstance(given.origin, RetrievalEvidence):
        why = "give judgments and runs, or Scores of rankings that were computed here, not loaded"
        raise UsageError(why)
    if options:
        raise UsageError(f"these Scores have their own {', '.join(options)}; leave that out")
    return given.origin, given.measures if measures is None else measures
