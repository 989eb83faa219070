"""``assay classification``."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import (
    arrange_option,
    labels_option,
    missing_option,
    positive_option,
    sklearn_profile_option,
    slices_option,
    threshold_option,
    weight_option,
)
from assay.cli.output import Output, measure_option, output_options, parse_names
from assay.cli.terminal import terminal_width


@click.command(
    "classification",
    epilog="""\b
Examples:
  assay classification predictions.csv --truth label --predicted guess
  assay classification predictions.csv --truth sick --score p --positive yes
  assay classification predictions.csv --truth sick --score p --threshold 0.5 -m "MCC F1"
  assay classification predictions.csv --truth label --predicted guess --by segment
  assay classification sizes.csv --truth size --predicted guess --labels S,M,L,XL \\
    -m "kappa(weights=quadratic)"
  assay classification predictions.parquet --truth label --probabilities "p_*"
  assay classification predictions.csv --truth label --predicted guess -m "F(average=micro) MCC"
  assay classification predictions.csv --truth label --robustness "guess_*"
  assay classification tags.jsonl --truth tags --predicted guessed --sets
  assay classification spans.jsonl --spans""",
)
@click.argument("data", metavar="FILE")
@click.option("--truth", metavar="COLUMN", default="truth", show_default=True, help="The truth.")
@click.option("--predicted", metavar="COLUMN", help="The predicted class.")
@click.option("--score", metavar="COLUMN", help="A number that is higher for the positive class.")
@click.option("--probabilities", metavar="PATTERN", help='Columns of probabilities, such as "p_*".')
@click.option("--item", metavar="COLUMN", help="The name of each item, to pair classifiers by.")
@weight_option
@positive_option
@labels_option
@slices_option
@missing_option("drop", "wrong")
@threshold_option
@sklearn_profile_option
@click.option("--robustness", metavar="PATTERN", help="A column of predictions for each degree.")
@click.option("--sets", is_flag=True, help="Truth and prediction are sets of labels.")
@click.option("--spans", is_flag=True, help="Truth and prediction are spans of text.")
@arrange_option
@click.option("--brief", is_flag=True, help="Only the table of measures.")
@measure_option
@output_options
def command(
    data: str,
    measures: tuple[str, ...],
    output: Output,
    sets: bool,
    spans: bool,
    robustness: str | None,
    cluster: bool,
    brief: bool,
    **columns: Any,
) -> None:
    """Evaluate a classifier: its decisions, its scores, its probabilities, or several of these."""
    if sets or spans:
        _show_label_sets(data, measures, output, spans, columns)
    elif robustness is not None:
        _show_robustness(data, measures, output, robustness, columns)
    else:
        _show_predictions(data, measures, output, cluster, brief, columns)


def _show_predictions(
    data: str,
    measures: tuple[str, ...],
    output: Output,
    cluster: bool,
    brief: bool,
    columns: dict[str, Any],
) -> None:
    from assay.evidence.views.confusion import Confusion
    from assay.reports.text.confusion_text import classification_report
    from assay.reports.text.table_text import UNBOUNDED
    from assay.tasks.classification.predictions import read_predictions

    profile = columns.pop("profile")
    answers = read_predictions(data, **columns)
    scores = answers.scores(parse_names(measures), profile=profile, bootstrap=output.bootstrap())
    matrix = answers.views().get(Confusion)
    output.show(scores)
    if output.format == "table" and matrix and not (brief or output.per_unit or measures):
        click.echo(
            "\n"
            + classification_report(
                matrix(), digits=output.digits, cluster=cluster, width=terminal_width(UNBOUNDED)
            )
        )


def _show_robustness(
    data: str, measures: tuple[str, ...], output: Output, pattern: str, columns: dict[str, Any]
) -> None:
    from assay.reports.text.score_tables import robustness_text
    from assay.tasks.classification.robustness import robustness

    names = ("truth", "weight", "positive", "labels", "missing", "profile")
    kept = {name: columns[name] for name in names}
    scores = robustness(data, pattern, parse_names(measures), bootstrap=output.bootstrap(), **kept)
    if output.format == "table":
        click.echo(robustness_text(scores, output.digits) + "\n")
    output.show(scores)


def _show_label_sets(
    data: str, measures: tuple[str, ...], output: Output, spans: bool, columns: dict[str, Any]
) -> None:
    from assay.tasks.label_sets import labelsets
    from assay.tasks.spans import spans as evaluate_spans

    evaluate = evaluate_spans if spans else labelsets
    named = {} if spans else {"item": columns["item"]}
    scores = evaluate(
        data,
        parse_names(measures),
        **named,
        truth=columns["truth"],
        predicted=columns["predicted"] or "predicted",
        bootstrap=output.bootstrap(),
    )
    output.show(scores)
