"""Figures of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.figures.options import example, options, output_option, save
from assay.cli.inputs.retrieval import RUNS
from assay.cli.output import one_measure_option
from assay.cli.reading import show_files

if TYPE_CHECKING:
    from assay.evidence.rankings import Rankings
    from assay.reports.figures.figure import Figure
    from assay.reports.figures.per_query import Pair
    from assay.tasks.retrieval_evidence import RetrievalEvidence

_RUNS = options(RUNS, output_option)
_PAIR = options(
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
    epilog=example(
        "pr qrels.txt bm25.run dense.run -o pr.svg",
        "pr qrels.txt bm25.run dense.run --query 301 -o pr.svg",
    ),
)
@_RUNS
@click.option("--query", help="Draw one query, rank by rank.")
def pr(evidence: RetrievalEvidence, output: str, quiet: bool, query: str | None) -> None:
    """Precision and recall: several systems over all queries, or one query."""
    from assay.reports.figures.precision_recall import (
        precision_recall_figure,
        sawtooth_curves_figure,
        sawtooth_figure,
    )
    from assay.tasks.explanation import not_judged

    rankings = _rankings(evidence)
    if query is None:
        _save(precision_recall_figure(rankings, evidence.rel), evidence, output, quiet)
        return
    first = next(iter(rankings.values()))
    if query not in first.queries:
        raise not_judged(query, evidence.judgments)
    if len(rankings) == 1:
        save(sawtooth_figure(first, query, evidence.rel), output, quiet)
    else:
        _save(sawtooth_curves_figure(rankings, query, evidence.rel), evidence, output, quiet)


@click.command("gain", epilog=example("gain qrels.txt bm25.run dense.run -m nDCG -o gain.svg"))
@_RUNS
@one_measure_option("nDCG", "The measure, by its name; one that takes a depth.")
def gain(evidence: RetrievalEvidence, output: str, quiet: bool, measure: str) -> None:
    """A measure at growing depths, over all queries."""
    from assay.reports.figures.gain import gain_figure

    _save(gain_figure(_rankings(evidence), measure), evidence, output, quiet)


@click.command("per-query", epilog=example("per-query qrels.txt a.run b.run -o changes.svg"))
@_RUNS
@_PAIR
def per_query(evidence: RetrievalEvidence, output: str, quiet: bool, **given: Any) -> None:
    """The change from one system to another on each query, from loss to gain."""
    from assay.reports.figures.per_query import per_query_figure

    _save(per_query_figure(_pair(evidence, **given)), evidence, output, quiet)


@click.command("scatter", epilog=example("scatter qrels.txt a.run b.run -m AP -o scatter.svg"))
@_RUNS
@_PAIR
def scatter(evidence: RetrievalEvidence, output: str, quiet: bool, **given: Any) -> None:
    """Each query as a point: one system against the other."""
    from assay.reports.figures.per_query import scatter_figure

    _save(scatter_figure(_pair(evidence, **given)), evidence, output, quiet)


def _rankings(evidence: RetrievalEvidence) -> dict[str, Rankings]:
    return {system: evidence.rankings(system) for system in evidence.systems}


def _pair(evidence: RetrievalEvidence, measure: str, first: str | None, second: str | None) -> Pair:
    from assay.reports.figures.per_query import pair_of

    scores = evidence.scores(measure, interval=None)
    return pair_of(scores, scores.measures[0], first, second)


def _save(figure: Figure, evidence: RetrievalEvidence, output: str, quiet: bool) -> None:
    """Write the figure, and print which file is which."""
    save(figure, output, quiet)
    if not quiet:
        show_files(evidence.sources)


COMMANDS = (pr, gain, per_query, scatter)
