"""``assay regression``: tables with true and predicted numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import click

from assay.cli.options import (
    column_option,
    decimal_comma_option,
    decimal_comma_tables,
    file_option,
    files_argument,
    item_option,
    missing_option,
    slices_option,
    split_options,
    table_profile_option,
    weight_option,
)
from assay.cli.output import Output, output_options, print_text
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.tasks.evidence import TaskEvidence
    from assay.tasks.regression.regression import RegressionEvidence

GROUP = "evaluate"


def read(
    files: tuple[str, ...], decimal_comma: bool = False, engine: str = "local", **columns: Any
) -> TaskEvidence:
    """Read the columns of one file or several."""
    if engine == "streaming":
        return _read_in_parts(files, decimal_comma, columns)
    from assay.tasks.regression.predictions import RegressionColumns
    from assay.tasks.regression.regression import RegressionEvidence

    return RegressionEvidence.read(
        decimal_comma_tables(files) if decimal_comma else list(files), RegressionColumns(**columns)
    )


def _read_in_parts(
    files: tuple[str, ...], decimal_comma: bool, columns: dict[str, Any]
) -> TaskEvidence:
    """Add up the numbers of one file, which is never in memory as a whole."""
    from assay.core.errors import UsageError
    from assay.core.progress import with_progress
    from assay.tasks.inputs.data_in_parts import refuse_decimal_commas
    from assay.tasks.regression.predictions import RegressionColumns
    from assay.tasks.regression.values_in_parts import sum_parts

    if len(files) != 1:
        raise UsageError("`engine=streaming` evaluates one system in one file")
    refuse_decimal_commas(decimal_comma)
    return with_progress(sum_parts)(files[0], RegressionColumns(**columns))


engine_option = click.option(
    "--engine",
    type=click.Choice(["local", "streaming"]),
    default="local",
    show_default=True,
    help="Read the file at once (local), or in parts (streaming) if it is too large for memory.",
)
INPUTS = TaskInputs(
    "regression",
    [
        files_argument(),
        column_option("--truth", default="truth", help="Column of the true numbers."),
        column_option(
            "--predicted",
            multiple=True,
            help="Column of the predicted numbers; repeat it for several systems.",
        ),
        column_option(
            "--density",
            multiple=True,
            help="Column of the density that a model gave to each item; may be repeated.",
        ),
        item_option,
        weight_option,
        slices_option,
        missing_option("drop"),
        split_options,
        table_profile_option,
        decimal_comma_option,
    ],
    read,
    further={"gate": [engine_option]},
)


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
@INPUTS.values
@engine_option
@click.option("--residuals", is_flag=True, help="Show a summary of the residuals as well.")
@file_option("--held-out", help="Evaluate histograms of FILE on these numbers.")
@click.option(
    "--bins",
    default="5,10,20,50,100",
    metavar="COUNTS",
    help="With --held-out: the numbers of bins to try.",
)
@output_options
def command(
    inputs: dict[str, Any],
    output: Output,
    residuals: bool,
    held_out: str | None,
    bins: str,
    engine: str,
) -> None:
    """Evaluate predicted numbers, or predicted densities."""
    if engine == "streaming" and (residuals or held_out):
        option = "--residuals" if residuals else "--held-out"
        raise click.UsageError(f"{option} needs all items: leave --engine streaming out")
    if held_out is not None:
        _histograms(inputs["files"][0], held_out, inputs["truth"], bins, output)
        return
    evidence = INPUTS.read(**inputs, engine=engine)
    output.show(output.scores(evidence))
    if residuals and output.format == "table":
        _residuals(cast("RegressionEvidence", evidence), output.digits)


def _residuals(evidence: RegressionEvidence, digits: int) -> None:
    """Print a summary of the residuals, with a column for each system."""
    from assay.measures.values.summaries import residual_summary as summary
    from assay.reports.text.table_text import align_columns, frame_rows

    found = {name: summary(member.pairs) for name, member in evidence.members.items()}
    first = next(iter(found.values()))
    rows = list(
        zip(first["residuals"], *(each["value"].tolist() for each in found.values()), strict=True)
    )
    head = ["residuals", *(found if len(found) > 1 else ["value"])]
    print_text("\n" + align_columns(frame_rows(head, rows, digits)))


def _histograms(data: str, held_out: str, truth: str, bins: str, output: Output) -> None:
    from assay.core.errors import UsageError
    from assay.tasks.regression.histogram_density import histogram_likelihood
    from assay.tasks.regression.regression import finite_column

    try:
        counts = [int(each) for each in bins.split(",")]
    except ValueError:
        raise UsageError(f"--bins {bins}: expected whole numbers separated by commas") from None
    table = histogram_likelihood(finite_column(data, truth), finite_column(held_out, truth), counts)
    output.show_frame(table)
    if output.format == "table":
        best = table.sort("held_out", descending=True)["bins"][0]
        print_text(f"\nmean log-likelihood; the held-out numbers are likeliest with {best} bins")
