"""``assay aggregate``."""

from __future__ import annotations

from typing import Any

import click

FORMATS = ("table", "json", "csv", "tsv", "markdown")


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
    --show free-loaders --seconds time""",
)
@click.argument("data", metavar="FILE")
@click.option("--item", required=True, metavar="COLUMN", help="The things that are rated.")
@click.option("--assessor", required=True, metavar="COLUMN", help="Who rates.")
@click.option("--label", required=True, metavar="COLUMN", help="What they say.")
@click.option(
    "--method",
    default="majority",
    show_default=True,
    metavar="NAME",
    help="By counting (majority, median, mean, minimum) or fitting (dawid-skene, one-coin, mace).",
)
@click.option("--labels", metavar="NAMES", help='All labels in their order: "low,middle,high".')
@click.option("--gold", metavar="FILE", help="Known labels: a table with the columns item, label.")
@click.option("--seconds", metavar="COLUMN", help="The time that each rating took.")
@click.option(
    "--show",
    type=click.Choice(["labels", "assessors", "free-loaders"]),
    default="labels",
    show_default=True,
)
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("--digits", type=click.IntRange(0, 15), default=4, show_default=True)
@click.option("--save", metavar="FILE", help="Write the table to a CSV file as well.")
def command(
    data: str,
    method: str,
    labels: str | None,
    seconds: str | None,
    show: str,
    form: str,
    digits: int,
    save: str | None,
    **named: Any,
) -> None:
    """Put several assessors together: one label for each item, and who can be relied on."""
    from assay.reports.tables import frame_as

    named["labels"] = [each.strip() for each in labels.split(",")] if labels else None
    if show == "free-loaders":
        from assay.benchmark.free_loaders import free_loaders

        frame = free_loaders(data, seconds=seconds, **named)
    else:
        from assay.benchmark.aggregation import aggregate

        found = aggregate(data, method, **named)
        frame = found.labels if show == "labels" else found.assessors
        if not found.converged:
            click.echo("note: the posteriors had not settled after the last step", err=True)
    if save:
        frame.write_csv(save)
        click.echo(f"saved: {save}", err=True)
    click.echo(frame_as(frame, form, digits))
