"""Figures of points, predicted numbers and orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.figures.figure_options import examples, output_option, save_figure
from assay.cli.inputs.clustering import CLUSTERINGS
from assay.cli.inputs.correlation import INPUTS as CORRELATION
from assay.cli.inputs.regression import INPUTS as REGRESSION
from assay.cli.output import one_measure_option

if TYPE_CHECKING:
    from assay.tasks.clustering.clustering import ClusteringEvidence
    from assay.tasks.correlation.correlation_evidence import CorrelationEvidence
    from assay.tasks.regression.regression import RegressionEvidence


@click.command(
    "silhouette", epilog=examples('silhouette points.csv --cluster c --features "x*" -o s.svg')
)
@CLUSTERINGS
@output_option
def silhouette(evidence: ClusteringEvidence, output: str, quiet: bool) -> None:
    """How well each point lies in its cluster."""
    save_figure("silhouette", evidence, output=output, quiet=quiet)


@click.command(
    "elbow", epilog=examples('elbow points.csv --cluster "k*" --features "x*" -m WSS -o elbow.svg')
)
@CLUSTERINGS
@one_measure_option("WSS")
@output_option
def elbow(evidence: ClusteringEvidence, measure: str, output: str, quiet: bool) -> None:
    """A measure of several clusterings against their number of clusters."""
    save_figure("elbow", evidence, output=output, quiet=quiet, measure=measure)


@click.command(
    "residuals", epilog=examples("residuals predictions.csv --truth y --predicted yhat -o r.svg")
)
@REGRESSION
@output_option
def residuals(evidence: RegressionEvidence, output: str, quiet: bool) -> None:
    """Draw actual minus predicted values."""
    save_figure("residuals", evidence, output=output, quiet=quiet)


@click.command(
    "orders",
    epilog=examples("orders leaderboards.csv --item system --first ap --second ndcg -o o.svg"),
)
@CORRELATION
@output_option
def orders(evidence: CorrelationEvidence, output: str, quiet: bool) -> None:
    """Two orders of the same things side by side: who rises, who falls."""
    save_figure("orders", evidence, output=output, quiet=quiet)


COMMANDS = (silhouette, elbow, residuals, orders)
