"""Figures of scores and probabilities: ROC, rates by threshold, densities, calibration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from assay.cli.figures.figure_options import combine_options, examples, output_option, save_figure
from assay.cli.options import missing_option, positive_option

if TYPE_CHECKING:
    from assay.evidence.views.threshold_table import ThresholdTable

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
    from assay.reports.figures.score_figures import roc_curves_figure, roc_figure

    tables = _tables(**given)
    only = next(iter(tables.values()))
    save_figure(roc_figure(only) if len(tables) == 1 else roc_curves_figure(tables), output, quiet)


@click.command(
    "calibration", epilog=examples("calibration predictions.csv --truth sick --score p -o c.svg")
)
@combine_options(*_ANSWERS, *_SCORES)
def calibration(output: str, quiet: bool, **given: Any) -> None:
    """Whether scores come true as often as they say; for one classifier or several."""
    from assay.reports.figures.score_figures import calibration_curves_figure, calibration_figure

    tables = _tables(**given)
    only = next(iter(tables.values()))
    draw: Callable[[], Any] = (
        (lambda: calibration_figure(only))
        if len(tables) == 1
        else lambda: calibration_curves_figure(tables)
    )
    save_figure(draw(), output, quiet)


@click.command(
    "thresholds", epilog=examples("thresholds predictions.csv --truth sick --score p -o t.svg")
)
@combine_options(*_ANSWERS, _SCORE)
def thresholds(output: str, quiet: bool, score: str, **given: Any) -> None:
    """The rates at every threshold."""
    from assay.reports.figures.score_figures import thresholds_figure

    table = _tables(score=(score,), **given)[score]
    save_figure(thresholds_figure(table), output, quiet)


@click.command(
    "densities", epilog=examples("densities predictions.csv --truth sick --score p -o d.svg")
)
@combine_options(*_ANSWERS, _SCORE)
@click.option("--threshold", type=float, help="Drawn as a line between the four areas.")
def densities(output: str, quiet: bool, threshold: float | None, score: str, **given: Any) -> None:
    """How the scores of positive and of negative items spread."""
    from assay.reports.figures.score_figures import densities_figure

    table = _tables(score=(score,), **given)[score]
    save_figure(densities_figure(table, threshold), output, quiet)


def _tables(
    data: str,
    score: tuple[str, ...],
    positive: str | None,
    probabilities: str | None = None,
    **columns: Any,
) -> Mapping[str, ThresholdTable]:
    """The counts at each score: of each column of scores, or of each class by its probability."""
    from assay.core.errors import UsageError
    from assay.reports.subjects import ClassificationSubject, read_once
    from assay.tasks.classification.predictions import read_predictions

    if bool(score) == bool(probabilities):
        raise UsageError("name the columns of scores (--score), or of --probabilities")
    table = read_once(data, "the decisions")
    if probabilities:
        answers = read_predictions(table, probabilities=probabilities, positive=positive, **columns)
        found = ClassificationSubject.of_answers(answers).against_rest()
        return {name: each for name, each in found.items() if positive in (None, name)}
    tables = {}
    for name in score:
        answers = read_predictions(table, score=name, positive=positive, **columns)
        if answers.positive is None:
            raise UsageError(
                "there are more than two classes; name the positive one with --positive"
            )
        tables[name] = ClassificationSubject.of_answers(answers).thresholds
    return tables


COMMANDS = (roc, thresholds, densities, calibration)
