"""Judgments and runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    Decorator,
    corpus_option,
    cost_option,
    depth_option,
    file_format_options,
    file_option,
    files_argument,
    judged_only_option,
    order_option,
    policy_option,
    profile_option,
    rel_option,
)
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence


def read(
    qrels: str,
    runs: tuple[str, ...],
    cost: str | None = None,
    topics: str | None = None,
    documents: str | None = None,
    **options: Any,
) -> RetrievalEvidence:
    """Read judgments and runs, and the texts of queries and documents where they are given."""
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence
    from assay.tasks.retrieval.run_settings import RunSettings

    settings = RunSettings.from_options(options)  # type: ignore[arg-type]
    evidence = RetrievalEvidence.read(qrels, list(runs), settings, cost)
    if topics is None:
        return replace(evidence, documents=documents)
    from assay.benchmark.collections.read_files import read_queries

    return replace(evidence, documents=documents, topics=read_queries(topics))


RUN_FILES = files_argument("runs", "RUN...")
TEXTS = [
    file_option("--topics", help="Topics in any layout, as in assay collection."),
    file_option("--documents", help="Documents in any layout, as in assay collection."),
]


def retrieval_inputs(
    *further: Decorator, runs: Decorator = RUN_FILES, cut: bool = True
) -> TaskInputs:
    """Return the inputs of a command over judgments and runs, with options of its own.

    Without ``cut`` the rankings stay whole: the command searches them itself.
    """
    cuts = [depth_option, judged_only_option, corpus_option] if cut else []
    return TaskInputs(
        "retrieval",
        [
            click.argument("qrels", metavar="QRELS"),
            runs,
            rel_option,
            profile_option,
            order_option,
            *cuts,
            policy_option,
            file_format_options,
            *further,
        ],
        read,
        systems="runs",
        further={"report": TEXTS},
    )


INPUTS = retrieval_inputs(cost_option())
RUNS = retrieval_inputs()
