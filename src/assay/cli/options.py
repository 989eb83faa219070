"""Options that mean the same in every command, and functions that return options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from assay.cli.parameters import (
    INPUT_FILE,
    Decorator,
    OutputOption,
    RenamedOption,
    ResultOption,
    combine_options,
    measure_names,
    parquet_file,
    policy_choices,
)
from assay.reports.text.result_text import format_names
from assay.statistics.intervals.interval_settings import RESAMPLES


def column_option(*words: str, **settings: Any) -> Decorator:
    """Return an option that names a column of the input."""
    return click.option(*words, **{"metavar": "COLUMN"} | settings)


def file_option(*words: str, **settings: Any) -> Decorator:
    """Return an option that names a file to read."""
    return click.option(*words, type=INPUT_FILE, **{"metavar": "FILE"} | settings)


def output_option(*words: str, **settings: Any) -> Decorator:
    """Return an option that names a file to write."""
    return click.option(*words, cls=OutputOption, metavar="FILE", **settings)


def choice_option(word: str, choices: Sequence[str], **settings: Any) -> Decorator:
    """Return an option with a fixed set of values; the first is the default unless one is given."""
    return click.option(word, type=click.Choice(choices), **{"default": choices[0]} | settings)


def count_option(word: str, least: int = 1, **settings: Any) -> Decorator:
    """Return an option that is a whole number."""
    return click.option(word, type=click.IntRange(least), **settings)


def relevance_option(default: float | None = None) -> Decorator:
    """Return ``--rel``: the grade from which a document is relevant."""
    help_text = "Lowest grade that counts as relevant. [default: 1]"
    return click.option("--rel", type=float, default=default, help=help_text)


def _number(text: str) -> float:
    """Return a number; 10% is 0.1."""
    share = text.strip().removesuffix("%")
    return float(text) if share == text.strip() else float(share) / 100


def numbers_option(word: str, example: str, **settings: Any) -> Decorator:
    """Return an option that is a list of numbers with commas between them."""

    def read(ctx: click.Context, option: click.Parameter, text: str | None) -> list[float] | None:
        """Return the numbers, None where none are given."""
        try:
            return None if text is None else [_number(part) for part in text.split(",")]
        except ValueError:
            message = f"'{text}': numbers are expected, such as {example}"
            raise click.BadParameter(message) from None

    return click.option(word, callback=read, metavar="NUMBERS", **settings)


def files_argument(name: str = "files", metavar: str = "FILE...") -> Decorator:
    """Return the argument for one file or several."""
    return click.argument(name, metavar=metavar, nargs=-1, required=True)


def format_option(kind: str) -> Decorator:
    """Return ``--format``: the output formats of a type of result, by default the first."""
    return choice_option("--format", format_names(kind), help="Format of the output.")


def measure_option_with_default(default: str) -> Decorator:
    """Return ``-m``: several measures; ``default`` says which are taken if it is left out."""
    return click.option(
        "-m",
        "--measure",
        "measures",
        multiple=True,
        metavar="NAMES",
        callback=measure_names,
        help=f"Measures by name, separated by spaces; may be repeated. [default: {default}]",
    )


measure_option = measure_option_with_default("the standard ones; 'assay measures' marks them *")
"""``-m`` with the standard measures; help does not list them, which would read the catalogue."""


def one_measure_option(
    default: str | None = None, help_text: str = "The measure, by its name."
) -> Decorator:
    """Return ``-m`` for one measure; required unless there is a default."""
    # Click takes a default of None as given.
    unless = {"required": True} if default is None else {"default": default}
    return click.option("-m", "--measure", metavar="NAME", help=help_text, **unless)


result_file_option = click.option(
    "-o",
    "--output",
    "result_file",
    cls=ResultOption,
    is_eager=True,
    expose_value=False,
    metavar="FILE",
    help="Write the output to a file: x.csv, x.json, x.md, x.tex …",
)
save_option = output_option(
    "--save", callback=parquet_file, help="Keep everything in a Parquet file."
)
digits_option = click.option(
    "--digits",
    type=click.IntRange(0, 15),
    default=4,
    help="Digits after the decimal point, in tables for readers.",
)

QUIET_HELP = "Print no notes on standard error."
quiet_option = click.option("--quiet", is_flag=True, help=QUIET_HELP)
ignored_quiet_option = click.option("--quiet", is_flag=True, expose_value=False, help=QUIET_HELP)
"""``--quiet`` of commands that print no notes: scripts may always pass it."""

profile_option = click.option("--profile", default="assay", help="Conventions to follow.")
table_profile_option = click.option(
    "--profile", default="assay", help="Conventions to follow: assay or sklearn."
)
profiles_option = click.option(
    "--profiles", is_flag=True, help="Show the number under each profile, and why it differs."
)
seed_option = click.option("--seed", type=click.IntRange(0), default=1, help="Random seed.")
FRACTION = click.FloatRange(0, 1, min_open=True, max_open=True)
CONFIDENCE = click.FloatRange(0, 1 - 1e-9, min_open=True)
"""Above this, quantiles of Student's t are no longer exact."""


def confidence_option(help_text: str = "Confidence level of the intervals.") -> Decorator:
    """Return ``--confidence``: between 0 and 1."""
    return click.option("--confidence", type=CONFIDENCE, default=0.95, help=help_text)


def resamples_option(least: int = 0, use: str = "intervals") -> Decorator:
    """Return ``--resamples``: the number of bootstrap resamples."""
    note = "; 0 for none." if least == 0 else "."
    return count_option(
        "--resamples", least, default=RESAMPLES, help=f"Resamples for the {use}{note}"
    )


interval_option = click.option(
    "--interval",
    metavar="METHOD",
    default="expanded",
    help="Kind of interval: expanded, percentile or bca bootstrap; t for means, wilson for"
    " proportions; none, except in comparisons. Differences have the interval of their test.",
)


def input_format_option(help_text: str) -> Decorator:
    """Return ``--input-format``: the format of the files that are read."""
    return click.option("--input-format", metavar="NAME", help=help_text)


file_format_options = combine_options(
    input_format_option("Format of the files (detected by default)."),
    click.option("--qrels-format", metavar="NAME", help="Format of the judgments alone."),
)

order_option = choice_option(
    "--order",
    ["score", "rank", "file"],
    default=None,
    help="Order of the documents. [default: that of the profile; score]",
)


policy_option = click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="NAME=CHOICE",
    callback=policy_choices,
    help="Another convention, such as duplicates=first or nan_scores=drop; may be repeated.",
)

scale_option = choice_option(
    "--scale",
    ["nominal", "ordinal", "interval", "ratio"],
    help="Kind of labels: names, ordered, numbers, or numbers with a true zero.",
)
weight_option = column_option("--weight", help="Column of the weight of each item.")
item_option = column_option("--item", help="Column that identifies the items.")
slices_option = click.option(
    "--by", multiple=True, metavar="COLUMNS", help="Columns that define slices; a,b crosses two."
)
split_options = combine_options(
    click.option("--split", metavar="NAME", help="Evaluate the items of this split."),
    file_option("--splits", help="Table of item and split, as of assay split items."),
    click.option("--fold", metavar="NAME", help="With --split: in this fold of the splits."),
)
labels_option = click.option(
    "--labels", metavar="NAMES", help='All labels in their order: "low,middle,high".'
)
positive_option = click.option("--positive", metavar="CLASS", help="The positive class.")
predicted_class_option = column_option(
    "--predicted",
    multiple=True,
    help="Column of the predicted class; repeat it for several systems.",
)
arrange_option = click.option(
    "--arrange",
    cls=RenamedOption,
    before="--cluster",
    is_flag=True,
    help="Group classes that are often confused.",
)


def missing_units_option() -> Decorator:
    """Return ``--missing-units``: systems are compared over the same units."""
    from assay.statistics.differences.paired_samples import MISSING_UNITS

    return choice_option(
        "--missing-units",
        MISSING_UNITS,
        default="drop",
        help="How to handle units without a value.",
    )


def missing_option(*choices: str, what: str = "items without a truth or a prediction") -> Decorator:
    """Return ``--missing``: how to handle incomplete items; ``error`` is always a choice."""
    return choice_option("--missing", ["error", *choices], help=f"How to handle {what}.")


decimal_comma_option = click.option(
    "--decimal-comma", is_flag=True, help="Numbers have a decimal comma: 0,25."
)


def decimal_comma_tables(files: Sequence[str]) -> list[Any]:
    """Return the tables of files whose numbers have a decimal comma."""
    from assay.formats.decimal_commas import read_decimal_commas

    return [read_decimal_commas(each) for each in files]


rating_options = combine_options(
    column_option("--item", help="Column of the items.  [default: item, doc …]"),
    column_option("--assessor", help="Column of the assessors.  [default: assessor, rater …]"),
    column_option("--label", help="Column of the labels.  [default: label, grade …]"),
    column_option(
        "--assessors",
        metavar="COLUMNS",
        help='Instead, a column for each assessor: "ann,ben" or "rater_*".',
    ),
    labels_option,
    missing_option("drop", what="ratings without a label"),
)
"""Columns of ratings: a row for each rating, or a column for each assessor."""


def cost_option(required: bool = False) -> Decorator:
    """Return ``--cost``: the cost of the systems, from the runs or from a table."""
    return file_option(
        "--cost",
        metavar="COLUMN|FILE",
        required=required,
        help="A column of the runs (of TREC runs its number, from 7), or a table of system, cost"
        " and perhaps query; shown beside quality, with the Pareto front.",
    )
