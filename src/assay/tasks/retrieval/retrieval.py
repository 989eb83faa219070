"""``assay.retrieval``: judgments and runs, on this machine or on a cluster, to Scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from assay.core.conventions import RunOptions, RunSettings
from assay.core.errors import UsageError
from assay.core.progress import with_progress
from assay.core.tables import Judgments
from assay.engine.scores import Scores
from assay.formats import containers
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Measures, Progress
from assay.tasks.retrieval.query_slices import query_column, slice_queries_by
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence
from assay.tasks.retrieval.spark_settings import (
    SparkSettings,
    check_spark_settings,
    has_spark_runs,
    refuse_for_spark,
)


@with_progress
def retrieval(
    qrels: Any,
    runs: Any,
    measures: Measures = None,
    *,
    cost: Any = None,
    stopping: Any = None,
    by: Any = None,
    units: Any = None,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Progress = lambda system: None,
    spark: SparkSettings | None = None,
    **options: Unpack[RunOptions],
) -> Scores:
    """Evaluate one or more runs against judgments.

    ``qrels`` and ``runs`` are paths, frames (Polars, pandas, Arrow) or dicts of query to {document:
    number}; several runs are a list, or a dict or pairs of name and run. ``rel`` is the lowest
    grade that counts as relevant, unless a measure has its own. ``order`` is score, rank or file;
    ``depth`` cuts the rankings; ``judged_only`` removes unjudged documents; ``policies`` are
    further conventions, by the names of the fields of Conventions. ``cost`` is a column of the runs
    or a table of system, cost and perhaps query: one more column of the scores. ``stopping`` has
    the probability that each document satisfies, in place of a grade, for clickERR and clickEU: a
    click model, or its ``stopping``. ``by`` has the slice of each query: a dict, a Series indexed
    by query, a table of query and columns, each of which defines slices, or the name of a column of
    the table ``units``, of the judgments or of a run; of ``units`` a list has each column alone,
    and "a,b" crosses two. A frame with a column ``run`` or ``system`` has several runs.
    ``progress`` receives the name of each system before it is evaluated. Runs that are Spark frames
    are evaluated where they are, as ``spark`` says; a column ``run`` has the name of each run.
    """
    settings = RunSettings.from_options(options)
    on_spark = has_spark_runs(runs)
    check_spark_settings(spark, on_spark)
    if on_spark:
        from assay.tasks.retrieval.spark_retrieval import SparkRetrieval

        refuse_for_spark(cost=cost, stopping=stopping)
        runs_there = SparkRetrieval.read(qrels, runs, settings, spark)
        if by is not None:
            runs_there = runs_there.slice(by, units)
        return runs_there.scores(measures, interval=interval, progress=progress)
    evidence = RetrievalEvidence.read(qrels, runs, settings, cost)
    if stopping is not None:
        of_model = getattr(stopping, "stopping", None)
        given = of_model if isinstance(of_model, Judgments) else stopping
        evidence = replace(evidence, stopping=containers.to_judgments(given))
    if by is not None:
        if units is None:
            given = [qrels, *(runs.values() if isinstance(runs, Mapping) else [runs])]
            by = query_column(by, given)
        evidence = replace(evidence, **slice_queries_by(evidence.judgments, by, units))
    elif units is not None:
        raise UsageError("`units` has the columns for `by`: name one of them")
    return evidence.scores(measures, interval=interval, progress=progress)
