"""``assay report clustering``, ``agreement`` and ``correlation``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from assay.cli.inputs.agreement import INPUTS as AGREEMENT
from assay.cli.inputs.clustering import CLUSTERINGS
from assay.cli.inputs.correlation import INPUTS as CORRELATION
from assay.cli.output import measure_option, parse_names
from assay.cli.pages.page_options import PageOutput, page_options

if TYPE_CHECKING:
    from assay.tasks.agreement import AgreementEvidence
    from assay.tasks.clustering.clustering import ClusteringEvidence
    from assay.tasks.correlation.correlation_evidence import CorrelationEvidence


@click.command(
    epilog="""\b
Examples:
  assay report clustering clusters.csv --cluster c --class topic -o report.html
  assay report clustering points.csv --cluster c --features "x*" -o report.html"""
)
@CLUSTERINGS
@measure_option
@page_options
def clustering(evidence: ClusteringEvidence, measures: tuple[str, ...], page: PageOutput) -> None:
    """Clusters: the numbers, the classes in each cluster, the silhouettes of the points."""
    from assay.reports.pages.clustering import clustering_page

    scores = evidence.scores(parse_names(measures), interval=page.bootstrap())
    page.write(partial(clustering_page, evidence), scores, scores)


@click.command(
    epilog="""\b
Examples:
  assay report agreement ratings.csv --item doc --assessor who --label grade --scale ordinal
  assay report agreement wide.csv --item doc --assessors "ann,ben,cem" """
)
@AGREEMENT
@measure_option
@page_options
def agreement(evidence: AgreementEvidence, measures: tuple[str, ...], page: PageOutput) -> None:
    """Ratings: who agrees with whom, how labels are used, and what is disputed."""
    from assay.reports.pages.agreement import agreement_page

    scores = evidence.scores(parse_names(measures), interval=page.bootstrap())
    page.write(partial(agreement_page, evidence), scores, scores)


@click.command(
    epilog="""\b
Examples:
  assay report correlation a.run b.run                          two runs, query by query
  assay report correlation leaderboard1.csv leaderboard2.csv    two leaderboards
  assay report correlation leaderboards.csv --item system --first ap --second ndcg"""
)
@CORRELATION
@measure_option
@page_options
def correlation(evidence: CorrelationEvidence, measures: tuple[str, ...], page: PageOutput) -> None:
    """Two orders of the same things: who rises and who falls, and how far they agree."""
    from assay.reports.pages.correlation import correlation_page

    scores = evidence.scores(parse_names(measures), interval=page.bootstrap())
    page.write(partial(correlation_page, evidence), scores, scores)
