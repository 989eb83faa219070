"""``assay threshold``."""

from __future__ import annotations

from typing import Literal

import click


@click.command(
    "threshold",
    epilog="""\b
Examples:
  assay threshold predictions.csv --truth sick --score glucose --goal youden
  assay threshold predictions.csv --truth sick --score glucose --goal sensitivity:0.95 --goal f:2
  assay threshold predictions.csv --truth sick --score glucose --goal "cost:fp=1,fn=20"
  assay threshold predictions.csv --truth sick --score glucose --table
\b
Goals:
  accuracy  corner  youden  f:BETA  weighted:SENSITIVITY,SPECIFICITY  cost:fp=1,fn=20
  sensitivity:0.95  specificity:0.9  precision:0.8  npv:0.99  fallout:0.05
  rule-in[:0.9]  rule-out[:0.9]""",
)
@click.argument("data", metavar="FILE")
@click.option("--truth", required=True, metavar="COLUMN", help="The true class.")
@click.option("--score", required=True, metavar="COLUMN", help="Higher for the positive class.")
@click.option("--weight", metavar="COLUMN", help="How much each item counts.")
@click.option("--positive", metavar="CLASS", help="The class that the question is about.")
@click.option("--goal", "goals", multiple=True, metavar="GOAL", help="May be repeated.")
@click.option(
    "--rule",
    type=click.Choice(["at-or-above", "above"]),
    default="at-or-above",
    show_default=True,
    help="When an item is positive.",
)
@click.option("--missing", type=click.Choice(["error", "drop"]), default="error")
@click.option("--table", "whole", is_flag=True, help="Show the whole threshold table.")
@click.option("--format", type=click.Choice(["table", "json", "csv"]), default="table")
@click.option("--digits", type=click.IntRange(0, 15), default=4, show_default=True)
@click.option(
    "--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95
)
@click.option("--resamples", type=click.IntRange(0), default=1000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def command(
    data: str,
    truth: str,
    score: str,
    weight: str | None,
    positive: str | None,
    goals: tuple[str, ...],
    rule: str,
    missing: Literal["error", "drop"],
    whole: bool,
    format: str,
    digits: int,
    confidence: float,
    resamples: int,
    seed: int,
) -> None:
    """Choose the threshold of a score by one goal or several."""
    from assay.reports.thresholds import WRITERS
    from assay.selection.thresholds import threshold
    from assay.statistics.intervals import Bootstrap

    found = threshold(
        data,
        goals or ("accuracy", "youden", "corner", "f:1"),
        truth=truth,
        score=score,
        weight=weight,
        positive=positive,
        rule="above" if rule == "above" else "at or above",
        missing=missing,
        bootstrap=Bootstrap(confidence, resamples, seed) if resamples else None,
    )
    for warning in found.warnings:
        click.echo(f"{click.style('note:', fg='yellow')} {warning}", err=True)
    click.echo(WRITERS[format](found, whole, digits))
