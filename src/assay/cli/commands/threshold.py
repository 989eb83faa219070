"""``assay threshold``."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import (
    choice_option,
    column_option,
    confidence_option,
    decimal_comma_option,
    file_option,
    missing_option,
    positive_option,
    resamples_option,
    seed_option,
    weight_option,
)
from assay.cli.output import TableOutput, result_options

GROUP = "decide"


@click.command(
    "threshold",
    epilog="""\b
Examples:
  assay threshold predictions.csv --truth sick --score glucose --goal youden
  assay threshold predictions.csv --truth sick --score glucose --goal sensitivity:0.95 --goal mcc
  assay threshold predictions.csv --truth sick --score glucose --goal "cost:fp=1,fn=20"
  assay threshold predictions.csv --truth sick --score glucose --table
  assay threshold validation.csv --truth sick --score p --goal youden --evaluate test.csv
\b
Goals:
  accuracy  corner  youden  f:BETA  weighted:SENSITIVITY,SPECIFICITY  cost:fp=1,fn=20
  sensitivity:0.95  specificity:0.9  precision:0.8  npv:0.99  fallout:0.05
  rule-in[:0.9]  rule-out[:0.9]
  and any measure of decisions: mcc  kappa  BA  (two joined: mcc+sensitivity:0.9)""",
)
@click.argument("data", metavar="FILE")
@column_option("--truth", required=True, help="The true class.")
@column_option("--score", required=True, help="Higher for the positive class.")
@weight_option
@positive_option
@click.option("--goal", "goals", multiple=True, metavar="GOAL", help="May be repeated.")
@choice_option("--rule", ["at-or-above", "above"], help="When an item is positive.")
@missing_option("drop")
@file_option("--evaluate", help="Report the chosen thresholds on the items of this file.")
@decimal_comma_option
@click.option("--table", "whole", is_flag=True, help="Show the whole threshold table.")
@confidence_option()
@resamples_option()
@seed_option
@result_options("Thresholds")
def command(
    data: str,
    goals: tuple[str, ...],
    rule: str,
    whole: bool,
    confidence: float,
    resamples: int,
    seed: int,
    output: TableOutput,
    **columns: Any,
) -> None:
    """Choose the threshold of a score by one goal or several."""
    from assay.selection.thresholds import threshold
    from assay.statistics.intervals.unit_intervals import Bootstrap

    found = threshold(
        data,
        goals or ("accuracy", "youden", "corner", "f:1"),
        rule="above" if rule == "above" else "at or above",
        interval=Bootstrap(confidence, resamples, seed) if resamples else None,
        **columns,
    )
    output.show_result(found, found.warnings, show="table" if whole else "")
