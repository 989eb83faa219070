"""Figures of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.figures.figure_options import combine_options, examples, output_option, save_figure
from assay.cli.inputs.retrieval import RUNS
from assay.cli.output import one_measure_option
from assay.cli.reading_options import print_system_files

if TYPE_CHECKING:
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

_RUNS = combine_options(RUNS, output_option)
_PAIR = combine_options(
    one_measure_option("nDCG@10"),
    click.option(
        "--from", "first", metavar="SYSTEM", help="[default: the first of two, or the second best]"
    ),
    click.option(
        "--to", "second", metavar="SYSTEM", help="[default: the second of two, or the best]"
    ),
)


@click.command(
    "pr",
    epilog=examples(
        "pr qrels.txt bm25.run dense.run -o pr.svg",
        "pr qrels.txt bm25.run dense.run --query 301 -o pr.svg",
    ),
)
@_RUNS
@click.option("--query", help="Draw one query, rank by rank.")
def pr(evidence: RetrievalEvidence, output: str, quiet: bool, **given: Any) -> None:
    """Precision and recall: several systems over all queries, or one query."""
    _save("pr", evidence, output, quiet, **given)


@click.command("gain", epilog=examples("gain qrels.txt bm25.run dense.run -m nDCG -o gain.svg"))
@_RUNS
@one_measure_option("nDCG", "The measure, by its name; one that takes a depth.")
def gain(evidence: RetrievalEvidence, output: str, quiet: bool, **given: Any) -> None:
    """A measure at growing depths, over all queries."""
    _save("gain", evidence, output, quiet, **given)


@click.command("per-query", epilog=examples("per-query qrels.txt a.run b.run -o changes.svg"))
@_RUNS
@_PAIR
def per_query(evidence: RetrievalEvidence, output: str, quiet: bool, **given: Any) -> None:
    """The change from one system to another on each query, from loss to gain."""
    _save("per-query", evidence, output, quiet, **given)


@click.command("scatter", epilog=examples("scatter qrels.txt a.run b.run -m AP -o scatter.svg"))
@_RUNS
@_PAIR
def scatter(evidence: RetrievalEvidence, output: str, quiet: bool, **given: Any) -> None:
    """Each query as a point: one system against the other."""
    _save("scatter", evidence, output, quiet, **given)


def _save(kind: str, evidence: RetrievalEvidence, output: str, quiet: bool, **given: Any) -> None:
    """Draw and write the figure, and print which file is which."""
    save_figure(kind, evidence, output=output, quiet=quiet, **given)
    if not quiet:
        print_system_files(evidence.sources)


COMMANDS = (pr, gain, per_query, scatter)
