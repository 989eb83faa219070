"""``assay explain`` for tasks that evaluate a table of items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from assay.cli.explanations.explanation_output import show_explanation, show_profiles
from assay.cli.figures.figure_options import combine_options
from assay.cli.inputs.agreement import INPUTS as AGREEMENT
from assay.cli.inputs.clustering import CLUSTERINGS
from assay.cli.inputs.correlation import INPUTS as CORRELATION
from assay.cli.inputs.regression import INPUTS as REGRESSION
from assay.cli.options import (
    digits_option,
    ignored_quiet_option,
    labels_option,
    missing_option,
    positive_option,
    threshold_option,
)
from assay.cli.output import one_measure_option

if TYPE_CHECKING:
    from assay.tasks.agreement import AgreementEvidence
    from assay.tasks.clustering.clustering import ClusteringEvidence
    from assay.tasks.correlation.correlation_evidence import CorrelationEvidence
    from assay.tasks.explanation.ranking_explanations import Explanation
    from assay.tasks.regression.regression import RegressionEvidence

_DATA = combine_options(
    click.argument("data", metavar="FILE"),
    one_measure_option(),
    digits_option,
    ignored_quiet_option,
)
_PROFILES = click.option(
    "--profiles", is_flag=True, help="The number under each profile, and why it differs."
)


@click.command(
    "classification",
    epilog="""\b
Examples:
  assay explain classification predictions.csv -m MCC --truth label --predicted guess
  assay explain classification predictions.csv -m F --truth label --predicted guess --profiles
  assay explain classification predictions.parquet -m LogLoss --truth label \\
    --probabilities "p_*" """,
)
@_DATA
@click.option("--truth", required=True, metavar="COLUMN", help="The true class.")
@click.option("--predicted", metavar="COLUMN", help="The predicted class.")
@click.option("--score", metavar="COLUMN", help="A number that is higher for the positive class.")
@click.option("--probabilities", metavar="PATTERN", help='Columns of probabilities, such as "p_*".')
@positive_option
@labels_option
@threshold_option
@missing_option("drop")
@_PROFILES
def classification(profiles: bool, **given: Any) -> None:
    """A measure of decisions, from their confusion matrix, or of probabilities."""
    from assay.tasks.explanation.table_explanations import explain_classification

    _explain(explain_classification, profiles, given)


@click.command(
    "regression",
    epilog="""\b
Example:
  assay explain regression predictions.csv -m R2 --truth y --predicted yhat""",
)
@REGRESSION
@one_measure_option()
@digits_option
@ignored_quiet_option
@_PROFILES
def regression(evidence: RegressionEvidence, measure: str, digits: int, profiles: bool) -> None:
    """A measure of predicted numbers."""
    from assay.tasks.explanation.profile_differences import table_values_by_profile
    from assay.tasks.explanation.table_explanations import explain_system

    if not profiles:
        show_explanation(explain_system(evidence, measure), digits)
        return
    explain = lambda measure, profile="assay": explain_system(  # noqa: E731
        replace(evidence, profile=profile), measure
    )
    show_profiles(measure, table_values_by_profile(explain, {"measure": measure}), digits)


@click.command(
    "clustering",
    epilog="""\b
Examples:
  assay explain clustering clusters.csv -m purity --cluster c --class topic
  assay explain clustering points.csv -m silhouette --cluster c --features "x*" """,
)
@CLUSTERINGS
@one_measure_option()
@digits_option
@ignored_quiet_option
def clustering(evidence: ClusteringEvidence, measure: str, digits: int) -> None:
    """A measure of clusters, from their table or their points."""
    from assay.tasks.explanation.table_explanations import explain_system

    show_explanation(explain_system(evidence, measure), digits)


@click.command(
    "agreement",
    epilog="""\b
Example:
  assay explain agreement ratings.csv -m alpha --item doc --assessor who --label grade""",
)
@AGREEMENT
@one_measure_option()
@digits_option
@ignored_quiet_option
def agreement(evidence: AgreementEvidence, measure: str, digits: int) -> None:
    """A measure of agreement, from the labels that met each other."""
    from assay.tasks.explanation.table_explanations import explain_system

    show_explanation(explain_system(evidence, measure), digits)


@click.command(
    "correlation",
    epilog="""\b
Example:
  assay explain correlation leaderboards.csv -m tau --item system --first ap --second ndcg""",
)
@CORRELATION
@one_measure_option()
@digits_option
@ignored_quiet_option
def correlation(evidence: CorrelationEvidence, measure: str, digits: int) -> None:
    """A measure of two orders, pair by pair or rank by rank."""
    from assay.tasks.explanation.table_explanations import explain_system

    show_explanation(explain_system(evidence, measure), digits)


def _explain(explain: Callable[..., Explanation], profiles: bool, given: dict[str, Any]) -> None:
    digits = given.pop("digits")
    if not profiles:
        show_explanation(explain(**given), digits)
        return
    from assay.tasks.explanation.profile_differences import table_values_by_profile

    show_profiles(given["measure"], table_values_by_profile(explain, given), digits)


COMMANDS = (classification, regression, clustering, agreement, correlation)
