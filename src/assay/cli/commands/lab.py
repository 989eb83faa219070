"""``assay lab``: design, analyze."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import (
    choice_option,
    column_option,
    confidence_option,
    decimal_comma_option,
    digits_option,
    file_option,
    format_option,
    output_option,
    quiet_option,
    seed_option,
)
from assay.cli.output import print_notes, print_saved, show_result

GROUP = "users"


def _names(ctx: click.Context, option: click.Parameter, text: str | None) -> Any:
    """Return a number, or names separated by commas."""
    if text is None:
        return None
    if text.strip().isdecimal():
        return int(text)
    return [name.strip() for name in text.split(",")]


@click.group(
    epilog="""\b
Examples:
  assay lab design --systems old,new,other,best --tasks 8 --participants 24 -o plan.csv
  assay lab analyze trials.csv -m seconds --log seconds
"""
)
def command() -> None:
    """Plan and analyze laboratory experiments."""


@command.command(
    "design",
    epilog="""\b
Examples:
  assay lab design --systems old,new --tasks 4 --participants 8
  assay lab design --systems 4 --tasks 8 --participants 24 -o plan.csv --page plan.html
""",
)
@click.option(
    "--systems", required=True, callback=_names, metavar="NAMES", help="Names, or a number."
)
@click.option(
    "--tasks", required=True, callback=_names, metavar="NAMES", help="Names, or a number."
)
@click.option(
    "--participants",
    callback=_names,
    metavar="NAMES",
    help="Names, or a number. [default: the fewest that are balanced]",
)
@choice_option(
    "--kind", ["williams", "latin"], help="What is balanced: places and order, or places."
)
@seed_option
@output_option("-o", "--output", help="Write the plan to this CSV file.")
@output_option("--page", help="Write sheets to print to this HTML file.")
@format_option("LabDesign")
@quiet_option
def design(output: str | None, page: str | None, format: str, quiet: bool, **given: Any) -> None:
    """Plan which system and task each participant gets, in which order."""
    from assay.behavior.lab import design as design_experiment
    from assay.cli.behavior_output import write_page

    made = design_experiment(**given)
    print_notes(made.notes, quiet)
    if page is not None:
        write_page(made, page, quiet)
    if output is None:
        show_result(made, format, 4)
        return
    made.save(output)
    print_saved(output, quiet)


@command.command(
    "analyze",
    epilog="""\b
Examples:
  assay lab analyze trials.csv -m seconds -m success --log seconds --page lab.html
  assay lab analyze answers.csv --sus "q*"
  assay lab analyze trials.csv -m seconds --method paired --plan plan.csv
\b
The table has a row for each trial: participant, system, task, order, and the outcomes.
""",
)
@click.argument("data", metavar="DATA")
@click.option(
    "-m", "--measure", "outcomes", multiple=True, metavar="COLUMN", help="Outcome; may be repeated."
)
@click.option("--sus", metavar="COLUMNS", help='The ten answers of SUS: "q1,q2,…" or "q*".')
@column_option("--log", multiple=True, help="Outcome on a log scale, such as a time.")
@choice_option("--method", ["mixed", "paired"], help="A mixed model, or means of participants.")
@file_option("--plan", help="The plan that the trials are compared with.")
@column_option("--participant", default="participant", help="Column of the participants.")
@column_option("--system", default="system", help="Column of the systems.")
@column_option("--task", default="task", help="Column of the tasks.")
@column_option("--trial", "order", default="order", help="Column of the number of the trial.")
@confidence_option()
@decimal_comma_option
@output_option("--page", help="Also write an HTML page to this file.")
@format_option("LabResult")
@digits_option
@quiet_option
def analyze(
    data: str, page: str | None, format: str, digits: int, quiet: bool, **given: Any
) -> None:
    """Compare systems by the times, success, ratings or SUS of participants."""
    from assay.behavior.lab import analyze as analyze_trials
    from assay.cli.behavior_output import show_analysis

    show_analysis(analyze_trials(data, **given), format, digits, quiet, page)
