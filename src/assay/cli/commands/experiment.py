"""``assay experiment``: plan, assign, analyze."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import (
    FRACTION,
    column_option,
    confidence_option,
    count_option,
    decimal_comma_option,
    digits_option,
    file_option,
    format_option,
    output_option,
    quiet_option,
)
from assay.cli.output import TableOutput, print_notes, show_result, table_options
from assay.cli.parameters import combine_options

GROUP = "users"


def _pairs(ctx: click.Context, option: click.Parameter, words: Any) -> dict[str, str]:
    """Return NAME=VALUE words, also several separated by commas, as a dict."""
    given = [words] if isinstance(words, str) else list(words or ())
    found: dict[str, str] = {}
    for word in (part for each in given for part in each.split(",")):
        name, equals, value = word.strip().rpartition("=")
        if not equals or not name:
            raise click.BadParameter(f"'{word}' is not NAME=VALUE")
        found[name.strip()] = value.strip()
    return found


def _shares(ctx: click.Context, option: click.Parameter, words: Any) -> dict[str, float] | None:
    """Return the share of each arm."""
    pairs = _pairs(ctx, option, words)
    try:
        return {name: float(value) for name, value in pairs.items()} or None
    except ValueError:
        raise click.BadParameter("a share is a number, such as treatment=0.01") from None


shares_option = click.option(
    "--shares",
    metavar="ARM=SHARE,...",
    callback=_shares,
    help="Share of the users of each arm: control=0.99,treatment=0.01. [default: equal]",
)


@click.group(
    epilog="""\b
Examples:
  assay experiment plan --baseline 0.19 --detect 0.01 --share 0.01
  assay experiment assign users.csv --salt snippets-2 --shares control=0.99,treatment=0.01
  assay experiment analyze visits.csv -m converted -m clicks/queries
"""
)
def command() -> None:
    """Plan, assign and analyze A/B tests."""


@command.command(
    "plan",
    epilog="""\b
Examples:
  assay experiment plan --baseline 0.19 --detect 0.01
  assay experiment plan --baseline 0.19 --detect 0.05 --relative --share 0.01 --users-per-day 20000
  assay experiment plan --baseline 3.2 --deviation 7.5 --detect 0.1 --correlation 0.7
""",
)
@click.option("--detect", type=float, required=True, help="Difference to detect.")
@click.option("--baseline", type=float, help="Share or mean of the control.")
@click.option("--deviation", type=float, help="Standard deviation of users; without it, a share.")
@click.option("--relative", is_flag=True, help="The difference is a share of the baseline.")
@click.option("--share", type=FRACTION, default=0.5, help="Share of the users in the new arm.")
@click.option(
    "--correlation", type=float, default=0.0, help="Correlation with a covariate (CUPED)."
)
@count_option("--arms", 2, default=2, help="Arms, the control included.")
@click.option("--sequential", is_flag=True, help="Plan for an always-valid sequential test.")
@click.option("--users-per-day", type=float, help="Also show how many days that takes.")
@click.option("--power", type=FRACTION, default=0.8, help="Probability of detecting it.")
@confidence_option("Confidence level of the test.")
@table_options
def plan(output: TableOutput, **given: Any) -> None:
    """Show how many users are needed."""
    from assay.behavior.experiment import plan as plan_experiment

    output.show({"plan": plan_experiment(**given)})


@command.command(
    "assign",
    epilog="""\b
Examples:
  assay experiment assign users.csv --salt snippets-2
  assay experiment assign users.csv --salt snippets-2 --shares treatment=0.01 -o arms.csv
""",
)
@click.argument("users", metavar="USERS")
@column_option("--user", default="user", help="Column of the users.")
@click.option("--salt", required=True, help="Name of the experiment: its users are its own.")
@shares_option
@output_option("-o", "--output", help="Write to this CSV file.")
@format_option("DataFrame")
@quiet_option
def assign(users: str, output: str | None, format: str, quiet: bool, **given: Any) -> None:
    """Assign users to arms by a salted hash; the rest are in no arm."""
    from assay.behavior.experiment import assign as assign_users
    from assay.core.output_files import write_text

    frame = assign_users(users, **given)
    if output is None:
        show_result(frame, format, 4)
        return
    write_text(output, frame.write_csv())
    counts = frame["arm"].fill_null("no arm").value_counts().sort("arm").iter_rows()
    print_notes([f"{output}: " + ", ".join(f"{n:,} in {name}" for name, n in counts)], quiet)


column_options = combine_options(
    file_option("--arms", help="Table of user and arm, if DATA has no arms."),
    column_option("--user", default="user", help="Column of the users."),
    column_option("--arm", default="arm", help="Column of the arms."),
    column_option("--users", help="Column of numbers of users: DATA has counts of them."),
    click.option(
        "--crossed",
        type=click.Choice(["error", "drop"]),
        default="error",
        help="How to handle users in more than one arm.",
    ),
    click.option("--control", metavar="ARM", help="The arm to compare with."),
    shares_option,
    column_option("--time", help="Column of times with a zone."),
    column_option("--day", help="Column of days, in place of times."),
    click.option("--zone", help="Zone of the times that have none, and of the days."),
    column_option("--by", multiple=True, help="Column that defines slices; may be repeated."),
    column_option("--trigger", help="Column of users who could have seen a difference."),
    click.option(
        "--missing",
        type=click.Choice(["error", "drop", "zero"]),
        default="error",
        help="How to handle rows without a value.",
    ),
)
measure_options = combine_options(
    click.option(
        "-m",
        "--measure",
        "measures",
        multiple=True,
        metavar="NAME",
        help="A column, clicks/queries, share(x), quantile(x,0.95) or winsorized(x,0.99).",
    ),
    click.option(
        "--guardrail",
        "guardrails",
        multiple=True,
        metavar="NAME",
        help="Measure that must not get worse.",
    ),
    click.option(
        "--margin", type=float, default=0.0, help="Acceptable relative loss of a guardrail."
    ),
    click.option("--lower", multiple=True, metavar="NAME", help="Measure of which less is better."),
    click.option(
        "--covariate",
        "covariates",
        multiple=True,
        metavar="NAME=COLUMN",
        callback=_pairs,
        help="Column from before the experiment that predicts a measure (CUPED).",
    ),
)


@command.command(
    "analyze",
    epilog="""\b
Examples:
  assay experiment analyze visits.csv -m converted -m clicks/queries --control old
  assay experiment analyze visits.csv -m clicks/queries --guardrail seconds --lower seconds \\
    --margin 0.02 --day day --by device --page experiment.html
  assay experiment analyze visits.csv -m clicks --covariate clicks=clicks_before --sequential
  assay experiment analyze sessions.csv --search --arms arms.csv
  assay experiment analyze counts.csv --users visitors -m orders -m orders/carts --day day
\b
The unit is the user; a table may have several rows for each. The sample ratio comes first: below
p = 0.05 there is a warning, below 0.001 the results are hidden.
""",
)
@click.argument("data", metavar="DATA")
@measure_options
@column_options
@click.option(
    "--search", is_flag=True, help="DATA is a click log; measures are clicks, abandonment etc."
)
@confidence_option()
@click.option("--correction", default="holm", help="Correction for several measures and arms.")
@click.option("--sequential", is_flag=True, help="Tests and intervals that hold at every look.")
@count_option("--tuned", default=5000, help="Users at which sequential intervals are narrowest.")
@click.option(
    "--ignore-sample-ratio", is_flag=True, help="Show results even if the sample ratio is off."
)
@decimal_comma_option
@output_option("--page", help="Also write an HTML page to this file.")
@format_option("ExperimentResult")
@digits_option
@quiet_option
def analyze(
    data: str,
    search: bool,
    page: str | None,
    format: str,
    digits: int,
    quiet: bool,
    **given: Any,
) -> None:
    """Compare the arms of an experiment, the sample ratio first."""
    from assay.behavior.experiment import analyze as analyze_experiment
    from assay.cli.behavior_output import show_analysis

    source: Any = data
    if search:
        from assay.behavior.experiments.search_outcomes import (
            LOWER_MEASURES,
            SEARCH_MEASURES,
            search_outcomes,
        )

        source = search_outcomes(data)
        given["measures"] = given["measures"] or SEARCH_MEASURES
        named = (*given["measures"], *given["guardrails"])
        less = [name for name in LOWER_MEASURES if name in named]
        given["lower"] = list(dict.fromkeys([*given["lower"], *less]))
    found = analyze_experiment(source, **given)
    show_analysis(found, format, digits, quiet, page)
