"""``assay report``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.output import Function, asked, measure_option

if TYPE_CHECKING:
    from assay.statistics.intervals import Bootstrap


class Tasks(click.Group):
    """The tasks as commands; anything else is a file of saved scores."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """``assay report scores.parquet`` is ``assay report scores scores.parquet``."""
        if args and args[0] not in self.commands and Path(args[0]).suffix == ".parquet":
            args = ["scores", *args]
        return super().resolve_command(ctx, args)


@click.group(
    "report",
    cls=Tasks,
    epilog="""\b
Examples:
  assay report retrieval qrels.txt bm25.run dense.run -o report.html
  assay report retrieval qrels.txt runs/*.run --topics topics.tsv --documents docs.jsonl
  assay report classification predictions.csv --truth label --score p -o report.html
  assay report clustering clusters.csv --cluster c --class topic
  assay report regression predictions.csv --truth y --predicted yhat
  assay report scores.parquet""",
)
def command() -> None:
    """Write one self-contained page that shows an evaluation."""


def report_options(function: Function) -> Function:
    """Where the page goes, what it is called, and how its intervals are made."""
    result: Any = function
    for option in reversed(_OPTIONS):
        result = option(result)
    return result


_OPTIONS: list[Callable[[Any], Any]] = [
    click.option("-o", "--output", default="report.html", show_default=True, metavar="FILE"),
    click.option("--title", help="The heading of the page."),
    click.option(
        "--resamples",
        type=click.IntRange(0),
        default=1000,
        show_default=True,
        help="For the intervals; 0 for none.",
    ),
    click.option("--seed", type=int, default=1, show_default=True, help="For the intervals."),
]


@command.command(
    epilog="""\b
Example:
  assay report retrieval qrels.txt bm25.run dense.run -m "nDCG@10 AP" -o report.html"""
)
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option("--topics", metavar="FILE", help="Texts of the queries: TSV or JSON lines.")
@click.option("--documents", metavar="FILE", help="Texts of the documents, likewise.")
@click.option("--rel", type=float, help="The least grade that counts as relevant.")
@click.option("--profile", default="assay", show_default=True, help="Whose conventions to follow.")
@measure_option
@report_options
def retrieval(
    qrels: str,
    runs: tuple[str, ...],
    topics: str | None,
    documents: str | None,
    rel: float | None,
    profile: str,
    measures: tuple[str, ...],
    output: str,
    title: str | None,
    resamples: int,
    seed: int,
) -> None:
    """Runs: warnings, leaderboard, changes query by query, rankings side by side, curves."""
    from assay.formats.texts import read_texts
    from assay.reports.pages.retrieval import retrieval_page
    from assay.reports.subjects import RetrievalSubject

    subject = RetrievalSubject.of(
        qrels,
        runs,
        asked(measures),
        rel=rel,
        conventions=profile,
        bootstrap=_bootstrap(resamples, seed),
        topics=read_texts(topics) if topics else {},
        documents=documents,
    )
    _write(output, retrieval_page(subject, *_title(title)))


@command.command(
    epilog="""\b
Examples:
  assay report classification predictions.csv --truth label --predicted guess
  assay report classification predictions.csv --truth sick --score p --positive yes"""
)
@click.argument("data", metavar="FILE")
@click.option("--truth", required=True, metavar="COLUMN", help="The true class.")
@click.option("--predicted", metavar="COLUMN", help="The predicted class.")
@click.option("--score", metavar="COLUMN", help="A number that is higher for the positive class.")
@click.option("--weight", metavar="COLUMN", help="How much each item counts.")
@click.option("--positive", metavar="CLASS", help="The class that the question is about.")
@measure_option
@report_options
def classification(
    data: str,
    truth: str,
    predicted: str | None,
    score: str | None,
    weight: str | None,
    positive: str | None,
    measures: tuple[str, ...],
    output: str,
    title: str | None,
    resamples: int,
    seed: int,
) -> None:
    """Decisions and scores: confusion matrix, a threshold to move, ROC, densities, calibration."""
    from assay.reports.pages.classification import classification_page
    from assay.reports.subjects import ClassificationSubject

    subject = ClassificationSubject.of(
        data,
        asked(measures),
        truth=truth,
        predicted=predicted,
        score=score,
        weight=weight,
        positive=positive,
        bootstrap=_bootstrap(resamples, seed),
    )
    _write(output, classification_page(subject, *_title(title)))


@command.command(
    epilog="""\b
Example:
  assay report clustering clusters.csv --cluster c --class topic -o report.html
  assay report clustering points.csv --cluster c --features "x*" -o report.html"""
)
@click.argument("data", metavar="FILE")
@click.option("--cluster", required=True, metavar="COLUMN", help="The cluster of each item.")
@click.option("--class", "classes", metavar="COLUMN", help="The true class.")
@click.option("--features", metavar="COLUMNS", help='Coordinates; a pattern such as "x*".')
@measure_option
@report_options
def clustering(
    data: str,
    cluster: str,
    classes: str | None,
    features: str | None,
    measures: tuple[str, ...],
    output: str,
    title: str | None,
    resamples: int,
    seed: int,
) -> None:
    """Clusters: the numbers, the classes in each cluster, the silhouettes of the points."""
    from assay.reports.pages.others import clustering_page
    from assay.reports.subjects import ClusteringSubject

    subject = ClusteringSubject.of(
        data,
        asked(measures),
        cluster=cluster,
        classes=classes,
        features=features,
        bootstrap=_bootstrap(resamples, seed),
    )
    _write(output, clustering_page(subject, *_title(title)))


@command.command(
    epilog="""\b
Example:
  assay report regression predictions.csv --truth y --predicted yhat -o report.html"""
)
@click.argument("data", metavar="FILE")
@click.option("--truth", required=True, metavar="COLUMN", help="The true number.")
@click.option("--predicted", required=True, metavar="COLUMN", help="The predicted number.")
@click.option("--item", metavar="COLUMN", help="The name of each item.")
@measure_option
@report_options
def regression(
    data: str,
    truth: str,
    predicted: str,
    item: str | None,
    measures: tuple[str, ...],
    output: str,
    title: str | None,
    resamples: int,
    seed: int,
) -> None:
    """Predicted numbers: the residuals, and predictions against the truth."""
    from assay.reports.pages.others import regression_page
    from assay.reports.subjects import read_once, values_of
    from assay.tasks.regression import regression as evaluate

    columns: dict[str, Any] = {"truth": truth, "predicted": predicted, "item": item}
    table = read_once(data, "the values")
    scores = evaluate(table, asked(measures), **columns, bootstrap=_bootstrap(resamples, seed))
    _write(output, regression_page(scores, values_of(table, **columns), *_title(title)))


@command.command(
    epilog="""\b
Example:
  assay report scores scores.parquet -o report.html"""
)
@click.argument("file", metavar="FILE")
@click.option("-o", "--output", default="report.html", show_default=True, metavar="FILE")
@click.option("--title", help="The heading of the page.")
def scores(file: str, output: str, title: str | None) -> None:
    """Scores that were saved with --save: what can be said without the evidence."""
    from assay.engine.scores import Scores
    from assay.reports.pages.others import scores_page

    _write(output, scores_page(Scores.load(file), title))


def _bootstrap(resamples: int, seed: int) -> Bootstrap | None:
    from assay.statistics.intervals import Bootstrap

    return Bootstrap(resamples=resamples, seed=seed) if resamples else None


def _title(title: str | None) -> tuple[str, ...]:
    return () if title is None else (title,)


def _write(output: str, page: str) -> None:
    place = Path(output)
    place.write_text(page, encoding="utf-8")
    click.echo(f"The report is in {place}: open it in a browser.")
