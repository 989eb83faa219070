"""Figures of scores and probabilities: ROC, rates by threshold, densities, calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.figures.figure_options import combine_options, examples, output_option, save_figure
from assay.cli.options import missing_option, positive_option

if TYPE_CHECKING:
    pass

_ANSWERS = (
    click.argument("data", metavar="FILE"),
    click.option("--truth", required=True, metavar="COLUMN", help="The true class."),
    positive_option,
    missing_option("drop"),
    output_option,
)
_SCORE = click.option(
    "--score", required=True, metavar="COLUMN", help="Higher for the positive class."
)
_SCORES = (
    click.option(
        "--score",
        multiple=True,
        metavar="COLUMN",
        help="Higher for the positive class; again for another classifier.",
    ),
    click.option("--probabilities", metavar="PATTERN", help='"p_*": each class against the rest.'),
)


@click.command(
    "roc",
    epilog=examples(
        "roc predictions.csv --truth sick --score p -o roc.svg",
        'roc predictions.parquet --truth label --probabilities "p_*" -o roc.svg',
    ),
)
@combine_options(*_ANSWERS, *_SCORES)
def roc(output: str, quiet: bool, **given: Any) -> None:
    """The ROC curve with thresholds beside it; or several curves on one plane."""
    save_figure("roc", output=output, quiet=quiet, **given)


@click.command(
    "calibration", epilog=examples("calibration predictions.csv --truth sick --score p -o c.svg")
)
@combine_options(*_ANSWERS, *_SCORES)
def calibration(output: str, quiet: bool, **given: Any) -> None:
    """Whether scores come true as often as they say; for one classifier or several."""
    save_figure("calibration", output=output, quiet=quiet, **given)


@click.command(
    "thresholds", epilog=examples("thresholds predictions.csv --truth sick --score p -o t.svg")
)
@combine_options(*_ANSWERS, _SCORE)
def thresholds(output: str, quiet: bool, **given: Any) -> None:
    """The rates at every threshold."""
    save_figure("thresholds", output=output, quiet=quiet, **given)


@click.command(
    "densities", epilog=examples("densities predictions.csv --truth sick --score p -o d.svg")
)
@combine_options(*_ANSWERS, _SCORE)
@click.option("--threshold", type=float, help="Drawn as a line between the four areas.")
def densities(output: str, quiet: bool, **given: Any) -> None:
    """How the scores of positive and of negative items spread."""
    save_figure("densities", output=output, quiet=quiet, **given)


COMMANDS = (roc, thresholds, densities, calibration)
