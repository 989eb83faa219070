"""``assay plot``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import Function, profile_option

if TYPE_CHECKING:
    from assay.evidence.thresholds import ThresholdTable
    from assay.reports.figures.figure import Figure
    from assay.reports.figures.per_query import Pair
    from assay.reports.subjects import RetrievalSubject


@click.group(
    "plot",
    epilog="""\b
Examples:
  assay plot pr qrels.txt bm25.run dense.run -o pr.svg
  assay plot per-query qrels.txt bm25.run dense.run -m nDCG@10 -o changes.pdf
  assay plot roc predictions.csv --truth sick --score p --positive yes -o roc.png
  assay plot confusion predictions.csv --truth label --predicted guess -o confusion.svg
\b
SVG needs nothing more; PNG and PDF need  pip install "assay-eval[plots]" """,
)
def command() -> None:
    """Draw a figure for a paper: SVG, PNG or PDF, by the ending of its name."""


def _options(*options: Callable[[Any], Any]) -> Callable[[Function], Function]:
    def decorate(function: Function) -> Function:
        result: Any = function
        for option in reversed(options):
            result = option(result)
        return result

    return decorate


_OUTPUT = click.option(
    "-o", "--output", required=True, metavar="FILE", help="x.svg, x.png or x.pdf"
)
_RUNS = _options(
    click.argument("qrels", metavar="QRELS"),
    click.argument("runs", metavar="RUN...", nargs=-1, required=True),
    click.option("--rel", type=float, default=1, show_default=True, help="Least relevant grade."),
    profile_option,
    _OUTPUT,
)
_PAIR = _options(
    click.option("-m", "--measure", default="nDCG@10", show_default=True, metavar="NAME"),
    click.option(
        "--from", "first", metavar="SYSTEM", help="One system. [default: the second best]"
    ),
    click.option("--to", "second", metavar="SYSTEM", help="[default: the best]"),
)
_SCORED = _options(
    click.argument("data", metavar="FILE"),
    click.option("--truth", required=True, metavar="COLUMN", help="The true class."),
    click.option("--score", required=True, metavar="COLUMN", help="Higher for the positive class."),
    click.option("--positive", metavar="CLASS", help="The class that the question is about."),
    _OUTPUT,
)


def _example(words: str) -> str:
    return f"\b\nExample:\n  assay plot {words}"


@command.command("pr", epilog=_example("pr qrels.txt bm25.run dense.run -o pr.svg"))
@_RUNS
@click.option("--query", help="One query of one run, rank by rank.")
def pr(output: str, query: str | None, **given: Any) -> None:
    """Precision and recall: several systems over all queries, or one query."""
    from assay.core.errors import DataError, did_you_mean
    from assay.reports.figures.precision_recall import precision_recall_figure, sawtooth_figure

    subject = _runs(**given)
    if query is None:
        _save(precision_recall_figure(subject.rankings, subject.rel), output)
        return
    rankings = next(iter(subject.rankings.values()))
    if query not in rankings.queries:
        hint = did_you_mean(query, rankings.queries)
        raise DataError(
            f"{subject.judgments.source.name}: the query '{query}' is not judged.{hint}"
        )
    _save(sawtooth_figure(rankings, query, subject.rel), output)


@command.command("gain", epilog=_example("gain qrels.txt bm25.run dense.run -m nDCG -o gain.svg"))
@_RUNS
@click.option("-m", "--measure", default="nDCG", show_default=True, help="One that takes a depth.")
def gain(output: str, measure: str, **given: Any) -> None:
    """A measure at growing depths, over all queries."""
    from assay.reports.figures.gain import gain_figure

    _save(gain_figure(_runs(**given).rankings, measure), output)


@command.command("per-query", epilog=_example("per-query qrels.txt a.run b.run -o changes.svg"))
@_RUNS
@_PAIR
def per_query(output: str, **given: Any) -> None:
    """The change from one system to another on each query, from loss to gain."""
    from assay.reports.figures.per_query import per_query_figure

    _save(per_query_figure(_pair(**given)), output)


@command.command("scatter", epilog=_example("scatter qrels.txt a.run b.run -m AP -o scatter.svg"))
@_RUNS
@_PAIR
def scatter(output: str, **given: Any) -> None:
    """Each query as a point: one system against the other."""
    from assay.reports.figures.per_query import scatter_figure

    _save(scatter_figure(_pair(**given)), output)


@command.command("roc", epilog=_example("roc predictions.csv --truth sick --score p -o roc.svg"))
@_SCORED
def roc(output: str, **given: Any) -> None:
    """The ROC curve with thresholds beside it."""
    from assay.reports.figures.roc import roc_figure

    _save(roc_figure(_scored(**given)), output)


@command.command(
    "thresholds", epilog=_example("thresholds predictions.csv --truth sick --score p -o t.svg")
)
@_SCORED
def thresholds(output: str, **given: Any) -> None:
    """The rates at every threshold."""
    from assay.reports.figures.thresholds import thresholds_figure

    _save(thresholds_figure(_scored(**given)), output)


@command.command(
    "densities", epilog=_example("densities predictions.csv --truth sick --score p -o d.svg")
)
@_SCORED
@click.option("--threshold", type=float, help="Drawn as a line between the four areas.")
def densities(output: str, threshold: float | None, **given: Any) -> None:
    """How the scores of positive and of negative items spread."""
    from assay.reports.figures.thresholds import densities_figure

    _save(densities_figure(_scored(**given), threshold), output)


@command.command(
    "calibration", epilog=_example("calibration predictions.csv --truth sick --score p -o c.svg")
)
@_SCORED
def calibration(output: str, **given: Any) -> None:
    """Whether scores come true as often as they say."""
    from assay.reports.figures.calibration import calibration_figure

    _save(calibration_figure(_scored(**given)), output)


@command.command(
    "confusion",
    epilog=_example("confusion guesses.csv --truth label --predicted guess -o c.svg"),
)
@click.argument("data", metavar="FILE")
@click.option("--truth", required=True, metavar="COLUMN", help="The true class.")
@click.option("--predicted", required=True, metavar="COLUMN", help="The predicted class.")
@_OUTPUT
def confusion(data: str, truth: str, predicted: str, output: str) -> None:
    """The confusion matrix in colour, with rates in its margins."""
    from assay.evidence.confusion import Confusion
    from assay.reports.figures.matrix import confusion_figure
    from assay.tasks.answers import read_answers

    answers = read_answers(data, truth=truth, predicted=predicted)
    _save(confusion_figure(answers.views()[Confusion]()), output)


@command.command(
    "contingency", epilog=_example("contingency clusters.csv --cluster c --class topic -o c.svg")
)
@click.argument("data", metavar="FILE")
@click.option("--cluster", required=True, metavar="COLUMN", help="The cluster of each item.")
@click.option("--class", "classes", required=True, metavar="COLUMN", help="The true class.")
@_OUTPUT
def contingency(data: str, cluster: str, classes: str, output: str) -> None:
    """The classes in each cluster, in colour."""
    from assay.evidence.from_assignments import contingency as counted
    from assay.reports.figures.matrix import contingency_figure
    from assay.reports.subjects import grouping_of

    grouping = grouping_of(data, cluster=cluster, classes=classes)
    _save(contingency_figure(counted(grouping.assignments())), output)


@command.command(
    "silhouette", epilog=_example('silhouette points.csv --cluster c --features "x*" -o s.svg')
)
@click.argument("data", metavar="FILE")
@click.option("--cluster", required=True, metavar="COLUMN", help="The cluster of each item.")
@click.option("--features", required=True, metavar="COLUMNS", help='A pattern such as "x*".')
@_OUTPUT
def silhouette(data: str, cluster: str, features: str, output: str) -> None:
    """How well each point lies in its cluster."""
    from assay.reports.figures.clusters import silhouette_figure
    from assay.reports.subjects import grouping_of

    grouping = grouping_of(data, cluster=cluster, features=features)
    _save(silhouette_figure(grouping.points()), output)


@command.command(
    "elbow", epilog=_example('elbow points.csv --cluster "k*" --features "x*" -m WSS -o elbow.svg')
)
@click.argument("data", metavar="FILE")
@click.option("--cluster", required=True, metavar="COLUMNS", help='A pattern such as "k*".')
@click.option("--features", required=True, metavar="COLUMNS", help='A pattern such as "x*".')
@click.option("-m", "--measure", default="WSS", show_default=True, metavar="NAME")
@_OUTPUT
def elbow(data: str, cluster: str, features: str, measure: str, output: str) -> None:
    """A measure of several clusterings against their number of clusters."""
    from assay.reports.figures.clusters import elbow_figure
    from assay.tasks.clustering import clustering

    scores = clustering(data, measure, cluster=cluster, features=features, bootstrap=None)
    _save(elbow_figure(scores, scores.measures[0]), output)


@command.command("methods", epilog=_example("methods methods.csv -o plane.svg"))
@click.argument("data", metavar="FILE")
@_OUTPUT
def methods(data: str, output: str) -> None:
    """Methods in the ROC plane, from a table with the columns method, tp, fp, fn and tn."""
    from assay.reports.figures.roc import roc_plane_figure
    from assay.reports.subjects import methods_of

    _save(roc_plane_figure(methods_of(data)), output)


@command.command(
    "residuals", epilog=_example("residuals predictions.csv --truth y --predicted yhat -o r.svg")
)
@click.argument("data", metavar="FILE")
@click.option("--truth", required=True, metavar="COLUMN", help="The true number.")
@click.option("--predicted", required=True, metavar="COLUMN", help="The predicted number.")
@_OUTPUT
def residuals(data: str, truth: str, predicted: str, output: str) -> None:
    """What is left of the truth when the prediction is taken away."""
    from assay.reports.figures.residuals import residuals_figure
    from assay.reports.subjects import values_of

    _save(residuals_figure(values_of(data, truth=truth, predicted=predicted)), output)


def _runs(
    qrels: str, runs: tuple[str, ...], rel: float, profile: str, measure: str = "P@1"
) -> RetrievalSubject:
    from assay.reports.subjects import RetrievalSubject

    return RetrievalSubject.of(qrels, runs, measure, rel=rel, conventions=profile)


def _pair(first: str | None, second: str | None, **given: Any) -> Pair:
    from assay.reports.figures.per_query import pair_of

    scores = _runs(**given).scores
    return pair_of(scores, scores.measures[0], first, second)


def _scored(positive: str | None, data: str, truth: str, score: str) -> ThresholdTable:
    from assay.core.errors import UsageError
    from assay.evidence.thresholds import ThresholdTable
    from assay.tasks.answers import read_answers

    answers = read_answers(data, truth=truth, score=score, positive=positive)
    if answers.positive is None:
        raise UsageError("there are more than two classes; name the positive one with --positive")
    table: ThresholdTable = answers.views()[ThresholdTable]()
    return table


def _save(figure: Figure, output: str) -> None:
    figure.save(output)
    click.echo(f"{figure.title}: {output}")
