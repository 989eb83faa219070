"""Figures of scores and probabilities: ROC, rates by threshold, densities, calibration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from assay.cli.figures.options import example, options, output_option, save
from assay.cli.options import missing_option, positive_option

if TYPE_CHECKING:
    from assay.evidence.thresholds import ThresholdTable

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
    epilog=example(
        "roc predictions.csv --truth sick --score p -o roc.svg",
        'roc predictions.parquet --truth label --probabilities "p_*" -o roc.svg',
    ),
)
@options(*_ANSWERS, *_SCORES)
def roc(output: str, quiet: bool, **given: Any) -> None:
    """The ROC curve with thresholds beside it; or several curves on one plane."""
    from assay.reports.figures.roc import roc_curves_figure, roc_figure

    tables = _tables(**given)
    only = next(iter(tables.values()))
    save(roc_figure(only) if len(tables) == 1 else roc_curves_figure(tables), output, quiet)


@click.command(
    "calibration", epilog=example("calibration predictions.csv --truth sick --score p -o c.svg")
)
@options(*_ANSWERS, *_SCORES)
def calibration(output: str, quiet: bool, **given: Any) -> None:
    """Whether scores come true as often as they say; for one classifier or several."""
    from assay.reports.figures.calibration import calibration_curves_figure, calibration_figure

    tables = _tables(**given)
    only = next(iter(tables.values()))
    draw: Callable[[], Any] = (
        (lambda: calibration_figure(only))
        if len(tables) == 1
        else lambda: calibration_curves_figure(tables)
    )
    save(draw(), output, quiet)


@click.command(
    "thresholds", epilog=example("thresholds predictions.csv --truth sick --score p -o t.svg")
)
@options(*_ANSWERS, _SCORE)
def thresholds(output: str, quiet: bool, score: str, **given: Any) -> None:
    """The rates at every threshold."""
    from assay.reports.figures.thresholds import thresholds_figure

    table = _tables(score=(score,), **given)[score]
    save(thresholds_figure(table), output, quiet)


@click.command(
    "densities", epilog=example("densities predictions.csv --truth sick --score p -o d.svg")
)
@options(*_ANSWERS, _SCORE)
@click.option("--threshold", type=float, help="Drawn as a line between the four areas.")
def densities(output: str, quiet: bool, threshold: float | None, score: str, **given: Any) -> None:
    """How the scores of positive and of negative items spread."""
    from assay.reports.figures.thresholds import densities_figure

    table = _tables(score=(score,), **given)[score]
    save(densities_figure(table, threshold), output, quiet)


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
    from assay.tasks.answers import read_answers

    if bool(score) == bool(probabilities):
        raise UsageError("name the columns of scores (--score), or of --probabilities")
    table = read_once(data, "the decisions")
    if probabilities:
        answers = read_answers(table, probabilities=probabilities, positive=positive, **columns)
        found = ClassificationSubject.of_answers(answers).against_rest()
        return {name: each for name, each in found.items() if positive in (None, name)}
    tables = {}
    for name in score:
        answers = read_answers(table, score=name, positive=positive, **columns)
        if answers.positive is None:
            raise UsageError(
                "there are more than two classes; name the positive one with --positive"
            )
        tables[name] = ClassificationSubject.of_answers(answers).thresholds
    return tables


COMMANDS = (roc, thresholds, densities, calibration)
