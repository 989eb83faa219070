"""``assay report classification`` and ``assay report regression``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from assay.cli.inputs.regression import INPUTS
from assay.cli.options import labels_option, missing_option, positive_option, weight_option
from assay.cli.output import measure_option, parse_names
from assay.cli.pages.page_options import PageOutput, page_options

if TYPE_CHECKING:
    from assay.tasks.regression.regression import RegressionEvidence


@click.command(
    epilog="""\b
Examples:
  assay report classification predictions.csv --truth label --predicted guess
  assay report classification predictions.csv --truth sick --score p --positive yes
  assay report classification predictions.parquet --truth label --probabilities "p_*"
  assay report classification predictions.csv --truth label --predicted old --predicted new
  assay report classification old.csv new.csv --truth label --predicted guess --item id"""
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--truth", required=True, metavar="COLUMN", help="The true class.")
@click.option(
    "--predicted",
    multiple=True,
    metavar="COLUMN",
    help="The predicted class; again for another classifier.",
)
@click.option(
    "--score",
    multiple=True,
    metavar="COLUMN",
    help="A number that is higher for the positive class; again for another classifier.",
)
@click.option("--probabilities", metavar="PATTERN", help='Columns of probabilities, such as "p_*".')
@click.option("--item", metavar="COLUMN", help="The name of each item, to pair classifiers by.")
@weight_option
@positive_option
@labels_option
@missing_option("drop", "wrong")
@measure_option
@page_options
def classification(
    files: tuple[str, ...], measures: tuple[str, ...], page: PageOutput, **columns: Any
) -> None:
    """Decisions and scores: confusion matrix, a threshold to move, ROC, densities, calibration."""
    from assay.reports.classifiers import Classifiers
    from assay.reports.pages.classification import classification_page

    subject = Classifiers.of(files, parse_names(measures), bootstrap=page.bootstrap(), **columns)
    page.write(classification_page, subject, subject.scores)


@click.command(
    epilog="""\b
Example:
  assay report regression predictions.csv --truth y --predicted yhat -o report.html"""
)
@INPUTS
@measure_option
@page_options
def regression(evidence: RegressionEvidence, measures: tuple[str, ...], page: PageOutput) -> None:
    """Predicted numbers: the residuals, and predictions against the truth."""
    from assay.reports.pages.regression import regression_page

    scores = evidence.scores(parse_names(measures), interval=page.bootstrap())
    page.write(partial(regression_page, evidence), scores, scores)
