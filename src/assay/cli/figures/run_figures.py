"""Figures of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.figures.figure_options import combine_options, examples, output_option, save_figure
from assay.cli.inputs.retrieval import RUNS
from assay.cli.output import one_measure_option
from assay.cli.reading_options import print_system_files

if TYPE_CHECKING:
    from assay.evidence.views.rankings import Rankings
    from assay.reports.figures.figure import Figure
    from assay.reports.figures.ranking_figures import SystemPair
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
def pr(evidence: RetrievalEvidence, output: str, quiet: bool, query: str | None) -> None:
    """Precision and recall: several systems over all queries, or one query."""
    from assay.reports.figures.ranking_figures import (
        precision_recall_figure,
        sawtooth_curves_figure,
        sawtooth_figure,
    )
    from assay.tasks.explanation.ranking_explanations import unknown_query_error

    rankings = _rankings(evidence)
    if query is None:
        _save_with_files(precision_recall_figure(rankings, evidence.rel), evidence, output, quiet)
        return
    first = next(iter(rankings.values()))
    if query not in first.queries:
        raise unknown_query_error(query, evidence.judgments)
    if len(rankings) == 1:
        save_figure(sawtooth_figure(first, query, evidence.rel), output, quiet)
    else:
        _save_with_files(
            sawtooth_curves_figure(rankings, query, evidence.rel), evidence, output, quiet
        )


@click.command("gain", epilog=examples("gain qrels.txt bm25.run dense.run -m nDCG -o gain.svg"))
@_RUNS
@one_measure_option("nDCG", "The measure, by its name; one that takes a depth.")
def gain(evidence: RetrievalEvidence, output: str, quiet: bool, measure: str) -> None:
    """A measure at growing depths, over all queries."""
    from assay.reports.figures.ranking_figures import gain_figure

    _save_with_files(gain_figure(_rankings(evidence), measure), evidence, output, quiet)


@click.command("per-query", epilog=examples("per-query qrels.txt a.run b.run -o changes.svg"))
@_RUNS
@_PAIR
def per_query(evidence: RetrievalEvidence, output: str, quiet: bool, **given: Any) -> None:
    """The change from one system to another on each query, from loss to gain."""
    from assay.reports.figures.ranking_figures import per_query_figure

    _save_with_files(per_query_figure(_pair(evidence, **given)), evidence, output, quiet)


@click.command("scatter", epilog=examples("scatter qrels.txt a.run b.run -m AP -o scatter.svg"))
@_RUNS
@_PAIR
def scatter(evidence: RetrievalEvidence, output: str, quiet: bool, **given: Any) -> None:
    """Each query as a point: one system against the other."""
    from assay.reports.figures.ranking_figures import scatter_figure

    _save_with_files(scatter_figure(_pair(evidence, **given)), evidence, output, quiet)


def _rankings(evidence: RetrievalEvidence) -> dict[str, Rankings]:
    return {system: evidence.rankings(system) for system in evidence.systems}


def _pair(
    evidence: RetrievalEvidence, measure: str, first: str | None, second: str | None
) -> SystemPair:
    from assay.reports.figures.ranking_figures import paired_values

    scores = evidence.scores(measure, interval=None)
    return paired_values(scores, scores.measures[0], first, second)


def _save_with_files(figure: Figure, evidence: RetrievalEvidence, output: str, quiet: bool) -> None:
    """Write the figure, and print which file is which."""
    save_figure(figure, output, quiet)
    if not quiet:
        print_system_files(evidence.sources)


COMMANDS = (pr, gain, per_query, scatter)
