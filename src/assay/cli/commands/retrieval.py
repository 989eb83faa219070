"""``assay retrieval``: judgments and runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    cost_option,
    count_option,
    decimal_comma_option,
    file_format_options,
    file_option,
    files_argument,
    order_option,
    policy_option,
    profile_option,
    relevance_option,
    slices_option,
)
from assay.cli.output import READER_FORMATS, Output, output_options
from assay.cli.parameters import Decorator
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.engine.scores import Scores
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

GROUP = "evaluate"


def read(
    qrels: str,
    runs: tuple[str, ...],
    cost: str | None = None,
    topics: str | None = None,
    documents: str | None = None,
    stopping: str | None = None,
    by: tuple[str, ...] = (),
    units: str | None = None,
    engine: str = "local",
    master: str | None = None,
    bad_rows: str | None = None,
    **options: Any,
) -> RetrievalEvidence:
    """Read judgments and runs, and the texts of queries and documents where they are given."""
    from assay.core.conventions import RunSettings
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

    settings = RunSettings.from_options(options)  # type: ignore[arg-type]
    if engine == "spark":
        from assay.tasks.retrieval.spark_retrieval import SparkRetrieval
        from assay.tasks.retrieval.spark_settings import SparkSettings, refuse_for_spark

        refuse_for_spark(cost=cost, stopping=stopping, topics=topics, units=units, by=by or None)
        spark = SparkSettings(bad_rows="drop" if bad_rows == "drop" else "error")
        opened: Any = SparkRetrieval.open(qrels, runs, settings, master, spark)
        return opened
    for name, given in (("--master", master), ("--bad-rows", bad_rows)):
        if given is not None:
            raise click.UsageError(f"{name} is of --engine spark: name both")
    evidence = RetrievalEvidence.read(qrels, list(runs), settings, cost)
    if stopping is not None:
        from assay.behavior.clicks.fitted_model import ClickModel

        evidence = replace(evidence, stopping=ClickModel.load(stopping).stopping)
    if by or units is not None:
        from assay.tasks.retrieval.query_slices import slice_queries

        if units is None:
            raise click.UsageError(f"name the table of the column '{by[0]}' with --units")
        evidence = replace(evidence, **slice_queries(evidence.judgments, units, by))
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
    cuts = [
        count_option("--depth", help="Number of documents of each ranking to evaluate."),
        click.option(
            "--judged-only", is_flag=True, help="Remove unjudged documents from the rankings."
        ),
        count_option("--corpus", help="Number of documents in the collection."),
    ]
    return TaskInputs(
        "retrieval",
        [
            click.argument("qrels", metavar="QRELS"),
            runs,
            relevance_option(),
            profile_option,
            order_option,
            *(cuts if cut else []),
            policy_option,
            file_format_options,
            decimal_comma_option,
            click.option("--split", metavar="NAME", help="Evaluate the queries of this split."),
            file_option("--splits", help="Table of query and split, as of assay split queries."),
            *further,
        ],
        read,
        systems="runs",
        further={"report": TEXTS},
    )


INPUTS = retrieval_inputs(
    cost_option(),
    file_option(
        "--stopping",
        help="A click model: the probabilities that documents satisfy, for ERR, clickERR, clickEU.",
    ),
    file_option("--units", help="A table of the queries, for --by."),
    slices_option,
    click.option(
        "--engine",
        type=click.Choice(["local", "spark"]),
        default="local",
        help="Where to evaluate: on this machine, or as a Spark job over paths or table names.",
    ),
    click.option(
        "--master", metavar="URL", help="Spark's master, or sc://HOST:PORT of Spark Connect."
    ),
    click.option(
        "--bad-rows",
        type=click.Choice(["error", "drop"]),
        help="Rows without a query, document or score in Spark: refused, or counted and left out.",
    ),
)
RUNS = retrieval_inputs()


@click.command(
    "retrieval",
    epilog="""\b
Examples:
  assay retrieval qrels.txt bm25.run dense.run
  assay retrieval qrels.txt bm25.run -m "nDCG@10 AP RR" --per-query
  assay retrieval qrels.txt *.run.gz -m nDCG@10:gain=exp -m "P(rel=2)@5" --format markdown
  assay retrieval qrels.dev.tsv run.tsv -m RR@10 --profile msmarco
  assay retrieval qrels.txt bm25.csv dense.csv -m nDCG@10 --cost time
  assay retrieval qrels.txt bm25.run --stopping model.json -m "ERR clickEU nDCG@10"
  assay retrieval qrels.txt bm25.run dense.run --units topics.csv --by type
  assay retrieval qrels.txt bm25.run --policy duplicates=first --policy missing_queries=error
  assay retrieval qrels.txt runs.parquet -m "nDCG@10 AP" --engine spark --explain-plan
  zcat bm25.run.gz | assay retrieval qrels.txt - -m AP --save scores.parquet""",
)
@INPUTS
@click.option(
    "--explain-plan", is_flag=True, help="Show what --engine spark would do, without doing it."
)
@click.option(
    "--per-query-to",
    metavar="FOLDER",
    help="Write the values by query to Parquet from Spark, in place of showing the scores.",
)
@output_options
def command(
    evidence: RetrievalEvidence, output: Output, explain_plan: bool, per_query_to: str | None
) -> None:
    """Evaluate rankings: runs against judgments.

    Files may be TREC, MS MARCO, BEIR, JSON, JSON lines, CSV or Parquet, plain or compressed with
    gzip or zstd; - is standard input.
    """
    if explain_plan or per_query_to is not None or not hasattr(evidence, "costs"):
        _run_on_spark(evidence, output, explain_plan, per_query_to)
        return
    if output.save is None and output.format != "json":  # No other output has digests.
        evidence = evidence.without_digests()
    with _progress_line(evidence, output.quiet) as progress:
        scores = output.scores(evidence, **progress)
    output.show(scores)
    if output.format in READER_FORMATS and not output.per_unit:
        _show_extra_tables(evidence, scores, output)


def _run_on_spark(
    evidence: Any, output: Output, explain_plan: bool, per_query_to: str | None
) -> None:
    """Show the plan of the job, write the values by query, or show the scores."""
    if hasattr(evidence, "costs"):
        raise click.UsageError("--explain-plan and --per-query-to are of --engine spark: name it")
    if explain_plan:
        click.echo(str(evidence.plan(output.measures)))
    elif per_query_to is not None:
        evidence.write_per_query(per_query_to, output.measures)
        click.echo(f"wrote {per_query_to}", err=True)
    else:
        output.show(output.scores(evidence))


def _show_extra_tables(evidence: RetrievalEvidence, scores: Scores, output: Output) -> None:
    """Print the tables below the scores: the effect of sampled judgments, and the cost."""
    from assay.engine.scores import SAMPLING

    if scores.conventions.get(SAMPLING):
        from assay.tasks.retrieval.sampling_intervals import sampling_table

        click.echo("\nIf all documents of the pool were judged, the mean over the same queries:\n")
        output.show_frame(sampling_table(scores))
        click.echo(
            "\nlow, high: uncertainty from sampling documents; the intervals above, over\n"
            "queries, include it. An estimate may lie outside: its bias is subtracted here."
        )
    if evidence.costs is not None:
        from assay.tasks.retrieval.costs import quality_and_cost

        click.echo()
        output.show_frame(quality_and_cost(scores))


@contextmanager
def _progress_line(evidence: RetrievalEvidence, quiet: bool) -> Iterator[dict[str, Any]]:
    """Show on a terminal which system is at work, when there are many or a file is large."""
    runs = list(evidence.sources.values())
    if quiet or not sys.stderr.isatty() or not (len(runs) > 3 or _is_large(runs)):
        yield {}
        return
    places = count(1)

    def show(system: str) -> None:
        """Write the line again."""
        click.echo(f"\r\033[K[{next(places)}/{len(runs)}] {system} …", nl=False, err=True)

    yield {"progress": show}
    click.echo("\r\033[K", nl=False, err=True)


def _is_large(runs: Sequence[str], least: int = 100_000_000) -> bool:
    sizes = [Path(run).stat().st_size for run in runs if Path(run).is_file()]
    return sum(sizes) > least
