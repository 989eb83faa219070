"""``assay aggregate``."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import (
    choice_option,
    column_option,
    file_option,
    output_option,
    rating_options,
)
from assay.cli.output import TableOutput, print_notes, print_saved, show_result, table_options
from assay.core.output_files import is_standard_output, write_text

GROUP = "assessors"


@click.command(
    "aggregate",
    epilog="""\b
Examples:
  assay aggregate ratings.csv --item doc --assessor who --label grade
  assay aggregate ratings.csv --item doc --assessor who --label grade \\
    --method dawid-skene --gold gold.csv --save labels.csv
  assay aggregate ratings.csv --item doc --assessor who --label grade \\
    --method mace --show assessors
  assay aggregate ratings.csv --item doc --assessor who --label grade \\
    --method dawid-skene --show confusions
  assay aggregate ratings.csv --item doc --assessor who --label grade \\
    --show free-loaders --seconds time
  assay aggregate wide.csv --item doc --assessors "ann,ben,cem" """,
)
@click.argument("data", metavar="FILE")
@rating_options
@click.option(
    "--method",
    default="majority",
    metavar="NAME",
    help="By counting (majority, median, mean, minimum) or fitting (dawid-skene, one-coin, mace).",
)
@file_option(
    "--gold", help="Known labels: a table of item and label, with the column names of FILE."
)
@column_option("--seconds", help="The time that each rating took.")
@choice_option(
    "--show",
    ["labels", "posteriors", "classes", "assessors", "confusions", "free-loaders"],
    help="A label for each item, how probable each label is, the shares of the classes, how good"
    " assessors are, which labels they give to each class, or suspicious assessors.",
)
@table_options
@output_option("--save", help="Also write the table to this CSV file.")
def command(
    data: str,
    method: str,
    seconds: str | None,
    show: str,
    save: str | None,
    output: TableOutput,
    **named: Any,
) -> None:
    """Combine labels of several assessors into one for each item.

    Also show how reliable each assessor is.
    """
    if show == "free-loaders":
        from assay.benchmark.unreliable_assessors import unreliable_assessors
        from assay.tasks.inputs.rating_columns import RatingColumns

        if named.pop("assessors") is not None:
            raise click.UsageError("free-loaders are found in a row for each rating, in its order")
        columns = RatingColumns(*(named.pop(name) for name in ("item", "assessor", "label")))
        frame = unreliable_assessors(data, columns, seconds=seconds, **named)
    else:
        from assay.benchmark.aggregation import aggregate

        found = aggregate(data, method, **named)
        frame = getattr(found, show)
        print_notes(found.notes, output.quiet)
        if not found.converged:
            print_notes(["the posteriors had not settled after the last step"], output.quiet)
    if save:
        write_text(save, frame.write_csv())
        print_saved(save, output.quiet)
    if not (save and is_standard_output(save)):
        show_result(frame, output.format, output.digits)
