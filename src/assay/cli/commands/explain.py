"""``assay explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from assay.tasks.explanation import Explanation


@click.group(
    "explain",
    epilog="""\b
Examples:
  assay explain retrieval qrels.txt bm25.run -m nDCG@10 --query 301
  assay explain retrieval qrels.txt bm25.run -m AP --profiles
  assay explain classification predictions.csv -m MCC --truth label --predicted guess
  assay explain clustering clusters.csv -m purity --cluster c --class topic""",
)
def command() -> None:
    """Show the work behind one number."""


@command.command(
    "retrieval",
    epilog="""\b
Examples:
  assay explain retrieval qrels.txt bm25.run -m nDCG@10 --query 301
  assay explain retrieval qrels.txt bm25.run -m AP --profiles""",
)
@click.argument("qrels", metavar="QRELS")
@click.argument("run", metavar="RUN")
@click.option("-m", "--measure", required=True, metavar="NAME")
@click.option("--query", help="The query; with --profiles all of them if left out.")
@click.option("--profile", default="assay", show_default=True)
@click.option("--profiles", is_flag=True, help="The number under each profile, and why it differs.")
@click.option("--digits", type=click.IntRange(0, 15), default=4, show_default=True)
def retrieval(
    qrels: str,
    run: str,
    measure: str,
    query: str | None,
    profile: str,
    profiles: bool,
    digits: int,
) -> None:
    """A measure for one query, document by document."""
    from assay.core.errors import UsageError
    from assay.tasks.explanation import explain_retrieval

    if profiles:
        _show_profiles(qrels, run, measure, query, digits)
    elif query is None:
        raise UsageError("name a query with --query, or compare all profiles with --profiles")
    else:
        _show(explain_retrieval(qrels, run, measure, query, profile), digits)


@command.command(
    "classification",
    epilog="""\b
Example:
  assay explain classification predictions.csv -m MCC --truth label --predicted guess""",
)
@click.argument("data", metavar="FILE")
@click.option("-m", "--measure", required=True, metavar="NAME")
@click.option("--truth", required=True, metavar="COLUMN")
@click.option("--predicted", required=True, metavar="COLUMN")
@click.option("--positive", metavar="CLASS")
@click.option("--digits", type=click.IntRange(0, 15), default=4, show_default=True)
def classification(
    data: str, measure: str, truth: str, predicted: str, positive: str | None, digits: int
) -> None:
    """A measure of a classifier, from its confusion matrix."""
    from assay.tasks.explanation import explain_classification

    _show(explain_classification(data, measure, truth, predicted, positive), digits)


@command.command(
    "clustering",
    epilog="""\b
Examples:
  assay explain clustering clusters.csv -m purity --cluster c --class topic
  assay explain clustering points.csv -m silhouette --cluster c --features "x*" """,
)
@click.argument("data", metavar="FILE")
@click.option("-m", "--measure", required=True, metavar="NAME")
@click.option("--cluster", required=True, metavar="COLUMN")
@click.option("--class", "classes", metavar="COLUMN")
@click.option("--features", metavar="COLUMNS")
@click.option("--digits", type=click.IntRange(0, 15), default=4, show_default=True)
def clustering(
    data: str,
    measure: str,
    cluster: str,
    classes: str | None,
    features: str | None,
    digits: int,
) -> None:
    """A measure of clusters, from their table or their points."""
    from assay.tasks.explanation import explain_clustering

    _show(explain_clustering(data, measure, cluster, classes, features), digits)


def _show_profiles(qrels: str, run: str, measure: str, query: str | None, digits: int) -> None:
    from assay.reports.frames import number, text
    from assay.tasks.profile_differences import under_profiles

    rows = [["profile", measure, "what makes the difference"]]
    for each in under_profiles(qrels, run, measure, query):
        rows.append([each.profile, number(each.value, digits), ", ".join(each.causes)])
    click.echo(text(rows))


def _show(explanation: Explanation, digits: int) -> None:
    from assay.reports.frames import frame_rows, number, text

    click.echo(
        click.style(f"{explanation.measure} = {number(explanation.value, digits)}", bold=True)
    )
    click.echo(f"{explanation.about}\n{explanation.formula}\n")
    table = explanation.table
    click.echo(text(frame_rows(table.columns, list(table.iter_rows()), digits)))
    if "grade" in table.columns and table["grade"].null_count():
        click.echo("\n? : not judged, or no document at this rank")
