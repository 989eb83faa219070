"""Figures of scores and probabilities: ROC, rates by threshold, densities, calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.figures.figure_options import (
    combine_options,
    examples,
    only_view,
    output_option,
    save_figure,
)
from assay.cli.inputs.classification import PREDICTIONS

if TYPE_CHECKING:
    from assay.evidence.views.threshold_table import ThresholdTable
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
    from assay.reports.figures.roc import roc_curves_figure, roc_figure

    tables = _threshold_tables(evidence)
    only = next(iter(tables.values()))
    save_figure(roc_figure(only) if len(tables) == 1 else roc_curves_figure(tables), output, quiet)


@click.command(
    "calibration", epilog=examples("calibration predictions.csv --truth sick --score p -o c.svg")
)
@_PREDICTIONS
def calibration(evidence: ClassificationEvidence, output: str, quiet: bool) -> None:
    """How often items of each score are positive; for one classifier or several."""
    from assay.reports.figures.calibration import calibration_curves_figure, calibration_figure

    tables = _threshold_tables(evidence)
    if len(tables) == 1:
        save_figure(calibration_figure(next(iter(tables.values()))), output, quiet)
    else:
        save_figure(calibration_curves_figure(tables), output, quiet)


@click.command(
    "thresholds", epilog=examples("thresholds predictions.csv --truth sick --score p -o t.svg")
)
@_PREDICTIONS
def thresholds(evidence: ClassificationEvidence, output: str, quiet: bool) -> None:
    """The rates at every threshold."""
    from assay.evidence.views.threshold_table import ThresholdTable
    from assay.reports.figures.threshold_figures import thresholds_figure

    save_figure(thresholds_figure(only_view(evidence, ThresholdTable)), output, quiet)


@click.command(
    "densities", epilog=examples("densities predictions.csv --truth sick --score p -o d.svg")
)
@_PREDICTIONS
@click.option("--threshold", type=float, help="Draw a line between the four areas.")
def densities(
    evidence: ClassificationEvidence, output: str, quiet: bool, threshold: float | None
) -> None:
    """The scores of positive and of negative items."""
    from assay.evidence.views.threshold_table import ThresholdTable
    from assay.reports.figures.threshold_figures import densities_figure

    table = only_view(evidence, ThresholdTable)
    save_figure(densities_figure(table, threshold), output, quiet)


def _threshold_tables(evidence: ClassificationEvidence) -> dict[str, ThresholdTable]:
    """Return the counts at each score of each system, or of each class by its probability."""
    from assay.core.errors import NeedsInput
    from assay.evidence.views.threshold_table import ThresholdTable

    positive = evidence.first.positive
    tables = {
        name: table
        for name, (label, table) in evidence.binary_tables().items()
        if positive in (None, label)
    }
    if not tables:
        raise NeedsInput(f"this figure needs {evidence.needs[ThresholdTable]}")
    return tables


COMMANDS = (roc, thresholds, densities, calibration)
