"""Figures of scores and probabilities: ROC, rates by threshold, densities, calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.figures.figure_options import (
    combine_options,
    examples,
    output_option,
    save_figure,
)
from assay.cli.inputs.classification import PREDICTIONS

if TYPE_CHECKING:
    from assay.tasks.classification.classification import ClassificationEvidence

_PREDICTIONS = combine_options(PREDICTIONS, output_option)


@click.command(
    "roc",
    epilog=examples(
        "roc predictions.csv --truth sick --score p -o roc.svg",
        "roc predictions.csv --truth sick --score p --score glucose -o roc.svg",
        'roc predictions.parquet --truth label --probabilities "p_*" -o roc.svg',
    ),
)
@_PREDICTIONS
def roc(evidence: ClassificationEvidence, output: str, quiet: bool) -> None:
    """The ROC curve with thresholds beside it, or several curves in one plane."""
    save_figure("roc", evidence, output=output, quiet=quiet)


@click.command(
    "calibration", epilog=examples("calibration predictions.csv --truth sick --score p -o c.svg")
)
@_PREDICTIONS
def calibration(evidence: ClassificationEvidence, output: str, quiet: bool) -> None:
    """How often items of each score are positive; for one classifier or several."""
    save_figure("calibration", evidence, output=output, quiet=quiet)


@click.command(
    "thresholds", epilog=examples("thresholds predictions.csv --truth sick --score p -o t.svg")
)
@_PREDICTIONS
def thresholds(evidence: ClassificationEvidence, output: str, quiet: bool) -> None:
    """The rates at every threshold."""
    save_figure("thresholds", evidence, output=output, quiet=quiet)


@click.command(
    "densities", epilog=examples("densities predictions.csv --truth sick --score p -o d.svg")
)
@_PREDICTIONS
@click.option("--threshold", type=float, help="Draw a line between the four areas.")
def densities(
    evidence: ClassificationEvidence, output: str, quiet: bool, threshold: float | None
) -> None:
    """The scores of positive and of negative items."""
    save_figure("densities", evidence, output=output, quiet=quiet, threshold=threshold)


COMMANDS = (roc, thresholds, densities, calibration)
