"""Retrieval on a cluster: Spark frames of judgments and runs to Scores, with the same numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from assay.core.conventions import RunSettings
from assay.core.errors import NeedsInput, UsageError
from assay.core.names import Measure
from assay.core.tables import Judgments, Run, Source
from assay.engine.result import Result
from assay.engine.scores import Scores
from assay.engine.spark.array_file import ArrayFile
from assay.engine.spark.frames import judgment_rows, plain_failures, run_names, run_rows
from assay.engine.spark.list_values import TOP, ListValues
from assay.engine.spark.measured_run import MeasuredRun
from assay.engine.spark.query_values import QueryTable
from assay.engine.spark.ranking_job import RankingJob, measure_names
from assay.engine.spark.session import open_session, read_runs, read_spark_table
from assay.evidence.alignment.align import Alignment
from assay.evidence.views.judged_rankings import SampledRankings
from assay.evidence.views.rankings import Rankings
from assay.formats.spark_frames import is_spark_frame
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Evaluation, Measures, Progress
from assay.tasks.retrieval.query_slices import slice_queries_by
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence, read_judgments
from assay.tasks.retrieval.run_warnings import (
    FEW_JUDGED,
    MANY,
    estimate_warnings,
    judgment_warnings,
)
from assay.tasks.retrieval.spark_settings import SparkSettings

if TYPE_CHECKING:
    from assay.engine.spark.plan import SparkPlan


@dataclass(frozen=True)
class SparkRetrieval:
    """Judgments, and runs that stay on a cluster."""

    judgments: Judgments
    rows: Any
    """A Spark frame of run, query, doc, score and perhaps rank."""
    settings: RunSettings = RunSettings()  # noqa: RUF009 (frozen)
    spark: SparkSettings = SparkSettings()  # noqa: RUF009 (frozen)
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    """The queries of each slice."""
    group_notes: tuple[str, ...] = ()
    judged: Any = None
    """A Spark frame of query, doc and grade, if the judgments stay in Spark."""
    names: tuple[str, ...] = ()
    """The names of the runs in their order, where they are known before."""

    @classmethod
    def read(
        cls,
        qrels: Any,
        runs: Any,
        settings: RunSettings | None = None,
        spark: SparkSettings | None = None,
    ) -> SparkRetrieval:
        """Read the judgments, which come to the driver, and select the columns of the runs."""
        used = settings or RunSettings()
        how = spark or SparkSettings()
        with plain_failures("the runs"):
            rows, names = run_rows(runs), run_names(runs)
        with plain_failures("the judgments"):
            if is_spark_frame(qrels) and how.joins(qrels):
                return cls(NOT_HERE, rows, used, how, judged=judgment_rows(qrels), names=names)
            judged = read_judgments(qrels, used)
        return cls(judged, rows, used, how, names=names)

    @classmethod
    def open(
        cls,
        qrels: str,
        runs: Sequence[str],
        settings: RunSettings,
        master: str | None = None,
        spark: SparkSettings | None = None,
    ) -> SparkRetrieval:
        """Open a session, and the tables that are named by paths or by their names in its catalog.

        Judgments in a file of this machine are read as always.
        """
        session = open_session(master)
        judged = qrels if Path(qrels).is_file() else read_spark_table(session, qrels)
        return cls.read(judged, read_runs(session, runs), settings, spark)

    def slice(self, by: Any, units: Any = None) -> SparkRetrieval:
        """Return the same evidence with slices of queries, as ``by`` of ``assay.retrieval``."""
        if self.judged is not None:
            raise UsageError(
                "slices need the judged queries on the driver; send the judgments to the executors"
                " with `judgments=broadcast`"
            )
        return replace(self, **slice_queries_by(self.judgments, by, units))

    @property
    def _local(self) -> RetrievalEvidence:
        """The same judgments with a run that stands for all."""
        stub = Run(pl.DataFrame(schema=Run.columns), Source("run"), "run")
        return RetrievalEvidence(
            judgments=self.judgments, runs={"run": stub}, settings=self.settings, groups=self.groups
        )

    def select_measures(self, measures: Measures = None) -> list[Measure]:
        """Return the requested measures, or the standard ones."""
        return self._local.select_measures(measures)

    def job(self, measures: Sequence[Measure], numbered: bool = True) -> RankingJob:
        """Return the job that computes these measures, for queries by their numbers or names."""
        for each in measures:
            if each.definition.view not in RANKED_VIEWS:
                raise NeedsInput(
                    f"{each} cannot be computed on a cluster; read the runs from files for it"
                )
            if self.judged is not None and each.definition.view is not Rankings:
                raise NeedsInput(
                    f"{each} needs all columns of the judgments, which stay in Spark; send them to"
                    " the executors with `judgments=broadcast`"
                )
        # The place of each row is not needed on executors, and need not travel.
        judged = replace(self.judgments, source=Source(self.judgments.source.name))
        names, rules = measure_names(measures), self.settings.conventions
        values = ListValues(judged, names, rules, self.settings.corpus, numbered)
        spark = self.spark
        return RankingJob(
            self.rows,
            values,
            spark.partitions,
            spark.path,
            spark.bad_rows,
            self.judged,
            self.names,
            spark.cut,
        )

    def scores(
        self,
        measures: Measures = None,
        *,
        interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
        progress: Progress | None = None,
    ) -> Scores:
        """Evaluate all runs in one job; intervals follow on the driver."""
        selected = self.select_measures(measures)
        sampled = [each for each in selected if each.definition.view is SampledRankings]
        if sampled and interval is not None:
            raise UsageError(
                f"{sampled[0]}: its interval needs all samples on one machine; ask for no interval"
                " (`interval=None`), or read the runs from files"
            )
        job = self.job(selected)
        if progress is not None:
            progress("all runs, as one Spark job")
        measured = job.run()
        evidence = MeasuredRetrieval(
            judgments=measured.judgments if self.judged is not None else self.judgments,
            runs={name: run.stub for name, run in measured.runs.items()},
            settings=self.settings,
            groups=self.groups,
            group_notes=(*self.group_notes, *measured.notes),
            measured=measured.runs,
            file=measured.file,
        )
        for kind in dict.fromkeys(each.definition.view for each in selected):
            for name, run in measured.runs.items():
                notes = run.alignment_notes(measured.values)
                evidence.keep(name, kind, Alignment(run.view, notes, run.counts))
        return replace(evidence.scores(selected, interval=interval, progress=progress), origin=None)

    def per_query(self, measures: Measures = None) -> Any:
        """Return a Spark frame of run, query and a column for each measure, which stays there.

        Queries that a run does not answer are not among its rows.
        """
        selected = self.select_measures(measures)
        job = self.job(selected, numbered=False)
        refuses = self.spark.bad_rows == "error"
        table = QueryTable(job.values.measures, self.settings.conventions.no_relevant, refuses)
        return job.states().mapInArrow(table.__call__, table.schema)

    def write_per_query(self, path: str, measures: Measures = None) -> None:
        """Write the values by query to a new folder of Parquet files, from the executors."""
        with plain_failures(path):
            self.per_query(measures).write.mode("error").parquet(path)

    def plan(self, measures: Measures = None) -> SparkPlan:
        """Return what the job will do: rows, partitions, skew, joins and memory."""
        from assay.engine.spark.plan import make_plan

        with plain_failures("the runs"):
            return make_plan(self.job(self.select_measures(measures)))


NOT_HERE = Judgments(pl.DataFrame(schema=Judgments.columns), Source("the judgments"))
"""Judgments that stay in Spark."""
RANKED_VIEWS = frozenset(
    kind for kind in RetrievalEvidence.needs if kind.__name__ != "StoppingRankings"
)
"""The views whose queries can be measured one by one on executors."""


@dataclass(frozen=True, kw_only=True)
class MeasuredRetrieval(RetrievalEvidence):
    """Runs that were measured elsewhere, beside the judgments."""

    measured: Mapping[str, MeasuredRun]
    file: ArrayFile | None = None
    """Where the values of very many lists are."""

    def keep(self, name: str, kind: Any, alignment: Alignment[Any]) -> None:
        """Keep what was measured for a run in place of its alignment."""
        self._alignments[name, kind] = alignment

    def evaluate_slice(
        self, system: str, part: str, asked: Sequence[Measure], interval: Bootstrap | None
    ) -> list[Result]:
        """Return the results of one slice, with very many values in the file."""
        results = super().evaluate_slice(system, part, asked, interval)
        if self.file is None:
            return results
        kept = [replace(each, values=self.file.keep(each.values)) for each in results]
        self.file.release()
        return kept

    def complete(self, scores: Scores, evaluation: Evaluation) -> Scores:
        """Return the scores as they are: nothing is added that needs the documents."""
        return scores

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return what looks wrong in the judgments, in each run, and in the estimates."""
        notes = [*self.group_notes, *judgment_warnings(self.judgments, evaluation.measures)]
        estimated = any(measure.definition.estimates for measure in evaluation.measures)
        for name, run in self.measured.items():
            notes += self._unjudged_warning(run)
            for kind in evaluation.kinds:
                notes += self.alignment(name, kind).warnings
            if estimated:
                notes += estimate_warnings(evaluation.measures, evaluation.of(name))
        return notes

    def _unjudged_warning(self, run: MeasuredRun) -> Iterator[str]:
        share = run.unjudged_at_top
        enough = len(self.judged.doc) / len(self.judged.queries) >= FEW_JUDGED
        enough &= bool((self.judged.grade <= 0).any())
        if self.settings.conventions.unjudged == "keep" and share >= MANY and enough:
            yield (
                f"{run.name}: {share:.0%} of its first {TOP} documents are unjudged;"
                " most measures count them as not relevant"
            )
