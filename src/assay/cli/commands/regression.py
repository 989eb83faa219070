"""``assay regression``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from assay.cli.file_options import INPUT_FILE
from assay.cli.options import (
    missing_option,
    sklearn_profile_option,
    slices_option,
    weight_option,
)
from assay.cli.output import Output, asked, measure_option, output_options


@click.command(
    "regression",
    epilog="""\b
Examples:
  assay regression predictions.csv --truth y --predicted yhat
  assay regression predictions.csv --truth y --predicted yhat -m "R2 MAPE" --by region
  assay regression predictions.csv --truth y --predicted linear --predicted forest
  assay regression held_out.csv --density q
  assay regression train.csv --truth y --held-out test.csv --bins 5,10,20""",
)
@click.argument("data", metavar="FILE")
@click.option(
    "--truth", default="truth", show_default=True, metavar="COLUMN", help="The true number."
)
@click.option(
    "--predicted",
    multiple=True,
    metavar="COLUMN",
    help="The predicted number. Repeated: a system each.",
)
@click.option("--density", metavar="COLUMN", help="The density that a model gave to each item.")
@click.option("--item", metavar="COLUMN", help="The name of each item, to pair predictors by.")
@weight_option
@slices_option
@missing_option("drop")
@sklearn_profile_option
@click.option("--residuals", is_flag=True, help="A summary of the residuals as well.")
@click.option(
    "--held-out",
    type=INPUT_FILE,
    metavar="FILE",
    help="Try histograms of FILE on these numbers.",
)
@click.option(
    "--bins",
    default="5,10,20,50,100",
    show_default=True,
    metavar="COUNTS",
    help="With --held-out: the numbers of bins to try.",
)
@measure_option
@output_options
def command(
    data: str,
    measures: tuple[str, ...],
    output: Output,
    residuals: bool,
    held_out: str | None,
    bins: str,
    predicted: tuple[str, ...] | str | None,
    **columns: Any,
) -> None:
    """Evaluate predicted numbers, or densities of held-out numbers."""
    if held_out is not None:
        _histograms(data, held_out, columns["truth"], bins, output)
        return
    from assay.reports.subjects import read_once
    from assay.tasks.merged_scores import merged
    from assay.tasks.regression import regression

    if predicted is None or isinstance(predicted, str):  # compare gives one at a time, or none
        predicted = (predicted,) if predicted else ()
    table = read_once(data, "the values")
    columns |= {"measures": asked(measures), "bootstrap": output.bootstrap()}
    if len(predicted) > 1:
        several = [regression(table, predicted=each, name=each, **columns) for each in predicted]
        output.show(merged(several))
    else:
        output.show(regression(table, predicted="".join(predicted) or None, **columns))
    if residuals and output.format == "table":
        named = {name: columns[name] for name in ("truth", "item", "missing")}
        _residuals(table, predicted or ("predicted",), named, output.digits)


def _residuals(table: Any, predicted: Sequence[str], named: dict[str, Any], digits: int) -> None:
    """A summary of the residuals, with a column for each predictor."""
    from assay.measures.values.summaries import residuals as summary
    from assay.reports.frames import frame_rows, text
    from assay.tasks.regression import value_pairs_of

    found = [summary(value_pairs_of(table, predicted=each, **named)) for each in predicted]
    values = [each["value"].tolist() for each in found]
    rows = list(zip(found[0]["residuals"], *values, strict=True))
    head = ["residuals", *(predicted if len(predicted) > 1 else ["value"])]
    click.echo("\n" + text(frame_rows(head, rows, digits)))


def _histograms(data: str, held_out: str, truth: str, bins: str, output: Output) -> None:
    from assay.core.errors import UsageError
    from assay.tasks.histograms import histogram_likelihood
    from assay.tasks.regression import numbers_of

    try:
        counts = [int(each) for each in bins.split(",")]
    except ValueError:
        raise UsageError(f"--bins {bins}: whole numbers parted by commas are expected") from None
    table = histogram_likelihood(numbers_of(data, truth), numbers_of(held_out, truth), counts)
    output.show_frame(table)
    if output.format == "table":
        best = table.sort("held_out", descending=True)["bins"][0]
        output.say(f"\nmean log-likelihood; the held-out numbers are likeliest with {best} bins")
