"""Retrieval: judgments and runs to Scores."""

from __future__ import annotations

from typing import Any, Unpack

from assay.engine.scores import Scores
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evaluation import Measures
from assay.tasks.evidence import Progress
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence
from assay.tasks.retrieval.run_settings import RunOptions, RunSettings


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
