"""``assay report clustering``, ``agreement`` and ``correlation``."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.files import is_table
from assay.cli.options import missing_option, rating_options, scale_option
from assay.cli.output import asked, measure_option
from assay.cli.pages.options import PageOutput, page_options


@click.command(
    epilog="""\b
Examples:
  assay report clustering clusters.csv --cluster c --class topic -o report.html
  assay report clustering points.csv --cluster c --features "x*" -o report.html"""
)
@click.argument("data", metavar="FILE")
@click.option("--cluster", required=True, metavar="COLUMN", help="The cluster of each item.")
@click.option("--class", "classes", metavar="COLUMN", help="The true class.")
@click.option("--features", metavar="COLUMNS", help='Coordinates; a pattern such as "x*".')
@missing_option("drop", what="items without a cluster or a class")
@measure_option
@page_options
def clustering(data: str, measures: tuple[str, ...], page: PageOutput, **columns: Any) -> None:
    """Clusters: the numbers, the classes in each cluster, the silhouettes of the points."""
    from assay.reports.pages.clustering import clustering_page
    from assay.reports.subjects import ClusteringSubject

    subject = ClusteringSubject.of(data, asked(measures), bootstrap=page.bootstrap(), **columns)
    page.write(clustering_page, subject, subject.scores)


@click.command(
    epilog="""\b
Examples:
  assay report agreement ratings.csv --item doc --assessor who --label grade --scale ordinal
  assay report agreement wide.csv --item doc --assessors "ann,ben,cem" """
)
@click.argument("data", metavar="FILE")
@rating_options
@scale_option
@measure_option
@page_options
def agreement(data: str, measures: tuple[str, ...], page: PageOutput, **columns: Any) -> None:
    """Ratings: who agrees with whom, how labels are used, and what is disputed."""
    from assay.reports.assessors import AgreementSubject
    from assay.reports.pages.agreement import agreement_page

    subject = AgreementSubject.of(data, asked(measures), bootstrap=page.bootstrap(), **columns)
    page.write(agreement_page, subject, subject.scores)


@click.command(
    epilog="""\b
Examples:
  assay report correlation a.run b.run                          two runs, query by query
  assay report correlation leaderboard1.csv leaderboard2.csv    two leaderboards
  assay report correlation leaderboards.csv --item system --first ap --second ndcg"""
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--item", metavar="COLUMN", help="The things that are ordered.")
@click.option("--first", metavar="COLUMN", help="Their numbers in one order.")
@click.option("--second", metavar="COLUMN", help="Their numbers in the other.")
@click.option("--group", metavar="COLUMN", help="Compare within each group.")
@measure_option
@page_options
def correlation(
    files: tuple[str, ...], measures: tuple[str, ...], page: PageOutput, **columns: Any
) -> None:
    """Two orders of the same things: who rises and who falls, and how far they agree."""
    from assay.reports.orders import CorrelationSubject
    from assay.reports.pages.correlation import correlation_page

    given: dict[str, Any] = {"measures": asked(measures), "bootstrap": page.bootstrap()}
    if len(files) == 1:
        for name in ("item", "first", "second"):
            if columns[name] is None:
                raise click.UsageError(
                    f"one table needs --item, --first and --second; give --{name}"
                )
        subject = CorrelationSubject.of_table(files[0], **given, **columns)
    elif len(files) > 2:
        raise click.UsageError("two orders are compared; give two files, or one with two columns")
    elif all(is_table(path) for path in files):
        named = {"item": columns["item"], "value": columns["first"]}
        subject = CorrelationSubject.of_leaderboards(files[0], files[1], **given, **named)
    else:
        subject = CorrelationSubject.of_runs(files[0], files[1], **given)
    page.write(correlation_page, subject, subject.scores)
