"""``assay interleave``: make, analyze, plan."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import (
    FRACTION,
    column_option,
    confidence_option,
    count_option,
    digits_option,
    file_option,
    files_argument,
    format_option,
    input_format_option,
    output_option,
    quiet_option,
    resamples_option,
    seed_option,
)
from assay.cli.output import TableOutput, print_notes, table_options, terminal_width
from assay.cli.standard_output import print_result

GROUP = "users"

METHODS = "team-draft, balanced, debiased-balanced, probabilistic, optimized or pairwise-preference"


@click.group(
    epilog="""\b
Examples:
  assay interleave make old.run new.run --lists 20 -o lists.csv
  assay interleave analyze lists.csv clicks.csv
  assay interleave plan --preference 0.05 --ties 0.6
\b
What users see comes from both systems, so that each user compares them. It cannot show effects
of the whole page, such as speed, layout or the number of results: test these with assay experiment.
"""
)
def command() -> None:
    """Compare rankings by the clicks on merged lists."""


@command.command(
    "make",
    epilog=f"""\b
Examples:
  assay interleave make old.run new.run -o lists.csv
  assay interleave make old.run new.run --method optimized --depth 8 --lists 50 -o lists.parquet
  assay interleave make a.run b.run new.run --method pairwise-preference --lists 20 -o lists.csv
\b
Methods: {METHODS}.
team-draft, probabilistic and pairwise-preference take more than two runs.
""",
)
@files_argument("runs", "RUN...")
@click.option("--method", default="team-draft", metavar="NAME", help="How lists are merged.")
@count_option("--depth", default=10, help="Documents in a list.")
@count_option("--lists", default=1, help="Lists for each query.")
@file_option(
    "--impressions", help="Instead, a list for each row of a table of impression and query."
)
@seed_option
@input_format_option("Format of the runs (detected by default).")
@output_option("-o", "--output", help="Write to this file, CSV or Parquet.")
@format_option("InterleavedLists")
@quiet_option
def make(runs: tuple[str, ...], output: str | None, format: str, quiet: bool, **given: Any) -> None:
    """Merge the rankings of two or more runs into lists to show to users."""
    from assay.behavior.interleave import make as make_lists
    from assay.core.output_files import is_standard_output
    from assay.reports.text.result_text import Layout, write

    made = make_lists(list(runs), **given)
    print_notes(made.notes, quiet)
    if output is None or is_standard_output(output):
        text = write(made, format, Layout(width=terminal_width()))
        print_result(text, every_byte=output is not None)
        return
    made.save(output)
    if not quiet:
        lists = made.frame.select("query", "list").unique().height
        click.echo(f"wrote {output}: {lists:,} lists of {len(made.systems)} systems", err=True)


@command.command(
    "analyze",
    epilog="""\b
Examples:
  assay interleave analyze lists.csv clicks.csv
  assay interleave analyze lists.csv clicks.csv --by device --page preferences.html
\b
The log has a row for each document that was shown or clicked: query, doc, click (1 or 0), and
where they exist list, impression and user.
""",
)
@click.argument("lists", metavar="LISTS")
@click.argument("log", metavar="LOG")
@column_option("--user", default="user", help="Column of the users.")
@column_option("--click", default="click", help="Column of the clicks, 1 or 0.")
@column_option("--impression", default="impression", help="Column of the impressions.")
@column_option("--by", multiple=True, help="Column that defines slices; may be repeated.")
@click.option(
    "--outcome",
    metavar="NAME",
    help="credit: difference of credits; wins: only its sign. [default: that of the method]",
)
@confidence_option()
@resamples_option(use="bootstrap test")
@seed_option
@output_option("--page", help="Also write an HTML page to this file.")
@format_option("InterleavingResult")
@digits_option
@quiet_option
def analyze(
    lists: str, log: str, page: str | None, format: str, digits: int, quiet: bool, **given: Any
) -> None:
    """Show which system users prefer, with the user as the unit."""
    from assay.behavior.interleave import analyze as analyze_lists
    from assay.cli.behavior_output import show_analysis

    found = analyze_lists(lists, log, **given)
    show_analysis(found, format, digits, quiet, page)


@command.command(
    "plan",
    epilog="""\b
Examples:
  assay interleave plan --preference 0.05 --ties 0.6
  assay interleave plan --preference 0.05 --per-user 3 --correlation 0.2
""",
)
@click.option(
    "--preference",
    type=click.FloatRange(-1, 1),
    required=True,
    help="Share of impressions won minus share lost, to detect.",
)
@click.option(
    "--ties", type=click.FloatRange(0, 1, max_open=True), default=0.5, help="Share of ties."
)
@click.option("--per-user", type=click.FloatRange(1), default=1.0, help="Impressions of a user.")
@click.option(
    "--correlation",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Correlation of the outcomes of one user.",
)
@click.option("--power", type=FRACTION, default=0.8, help="Probability of detecting it.")
@confidence_option("Confidence level of the test.")
@table_options
def plan(output: TableOutput, **given: Any) -> None:
    """Show how many impressions and users are needed."""
    from assay.behavior.interleave import plan as plan_interleaving

    output.show({"plan": plan_interleaving(**given)})
