"""Figures of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.figures.options import example, options, output_option, save
from assay.cli.output import one_measure_option
from assay.cli.reading import reading_options, show_files

if TYPE_CHECKING:
    from assay.reports.figures.figure import Figure
    from assay.reports.figures.per_query import Pair
    from assay.reports.subjects import RetrievalSubject

_RUNS = options(
    click.argument("qrels", metavar="QRELS"),
    click.argument("runs", metavar="RUN...", nargs=-1, required=True),
    reading_options(),
    output_option,
)
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
def pr(output: str, quiet: bool, query: str | None, **given: Any) -> None:
    """Precision and recall: several systems over all queries, or one query."""
    from assay.reports.figures.precision_recall import (
        precision_recall_figure,
        sawtooth_curves_figure,
        sawtooth_figure,
    )
    from assay.tasks.explanation import not_judged

    subject = _runs(**given)
    if query is None:
        _save(precision_recall_figure(subject.rankings, subject.rel), subject, output, quiet)
        return
    rankings = next(iter(subject.rankings.values()))
    if query not in rankings.queries:
        raise not_judged(query, subject.judgments)
    if len(subject.rankings) == 1:
        save(sawtooth_figure(rankings, query, subject.rel), output, quiet)
    else:
        curves = sawtooth_curves_figure(subject.rankings, query, subject.rel)
        _save(curves, subject, output, quiet)


@click.command("gain", epilog=example("gain qrels.txt bm25.run dense.run -m nDCG -o gain.svg"))
@_RUNS
@one_measure_option("nDCG", "The measure, by its name; one that takes a depth.")
def gain(output: str, quiet: bool, measure: str, **given: Any) -> None:
    """A measure at growing depths, over all queries."""
    from assay.reports.figures.gain import gain_figure

    subject = _runs(**given)
    _save(gain_figure(subject.rankings, measure), subject, output, quiet)


@click.command("per-query", epilog=example("per-query qrels.txt a.run b.run -o changes.svg"))
@_RUNS
@_PAIR
def per_query(output: str, quiet: bool, **given: Any) -> None:
    """The change from one system to another on each query, from loss to gain."""
    from assay.reports.figures.per_query import per_query_figure

    subject, pair = _pair(**given)
    _save(per_query_figure(pair), subject, output, quiet)


@click.command("scatter", epilog=example("scatter qrels.txt a.run b.run -m AP -o scatter.svg"))
@_RUNS
@_PAIR
def scatter(output: str, quiet: bool, **given: Any) -> None:
    """Each query as a point: one system against the other."""
    from assay.reports.figures.per_query import scatter_figure

    subject, pair = _pair(**given)
    _save(scatter_figure(pair), subject, output, quiet)


def _runs(
    qrels: str, runs: tuple[str, ...], reading: dict[str, Any], measure: str = "P@1"
) -> RetrievalSubject:
    from assay.reports.subjects import RetrievalSubject

    return RetrievalSubject.of(qrels, runs, measure, **reading)


def _pair(first: str | None, second: str | None, **given: Any) -> tuple[RetrievalSubject, Pair]:
    from assay.reports.figures.per_query import pair_of

    subject = _runs(**given)
    return subject, pair_of(subject.scores, subject.scores.measures[0], first, second)


def _save(figure: Figure, subject: RetrievalSubject, output: str, quiet: bool) -> None:
    """Write the figure, and say which file is which."""
    save(figure, output, quiet)
    if not quiet:
        show_files(subject.scores.conventions["sources"])


COMMANDS = (pr, gain, per_query, scatter)
