"""Options that mean the same in every command, and the notes beside a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from assay.cli.file_options import INPUT_FILE
from assay.cli.messages import clean_message, use_option_names, wrap_message
from assay.reports.text.result_text import format_names

Function = TypeVar("Function", bound=Callable[..., Any])


class RenamedOption(click.Option):
    """An option that is still understood under the word that it had before, which is not shown."""

    def __init__(self, *args: Any, before: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.before = before

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Both words lead here."""
        shown, self.opts = self.opts, [*self.opts, self.before]
        super().add_to_parser(parser, ctx)
        self.opts = shown


def format_option(kind: str) -> Callable[[Function], Function]:
    """Return ``--format``: the output formats of a type of result, by default the first."""
    names = format_names(kind)
    return click.option(
        "--format",
        type=click.Choice(names),
        default=names[0],
        show_default=True,
        help="Format of the output.",
    )


digits_option = click.option(
    "--digits",
    type=click.IntRange(0, 15),
    default=4,
    show_default=True,
    help="Digits after the decimal point, in tables for readers.",
)
"""``--digits``: of numbers that are shown to a reader."""


def quiet_option(function: Function) -> Function:
    """``--quiet``: the result alone."""
    return click.option("--quiet", is_flag=True, help="Print no notes on standard error.")(function)


ignored_quiet_option = click.option(
    "--quiet", is_flag=True, expose_value=False, help="Print no notes on standard error."
)
"""``--quiet`` where nothing is said beside the result: a script may give it everywhere."""

rel_option = click.option(
    "--rel", type=float, help="Lowest grade that counts as relevant. [default: 1]"
)
"""``--rel``: what counts as relevant."""


profile_option = click.option(
    "--profile", default="assay", show_default=True, help="Conventions to follow."
)
"""``--profile``: whose conventions hold."""

profiles_option = click.option(
    "--profiles", is_flag=True, help="Show the number under each profile, and why it differs."
)
"""``--profiles``: a number under all of them."""

seed_option = click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Random seed."
)
"""``--seed``: for whatever is drawn."""


def confidence_option(
    help_text: str = "Confidence level of the intervals.",
) -> Callable[[Function], Function]:
    """``--confidence``: between 0 and 1."""
    return click.option(
        "--confidence",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        help=help_text,
    )


def resamples_option(least: int = 0) -> Callable[[Function], Function]:
    """``--resamples``: how many the intervals are made of."""
    return click.option(
        "--resamples",
        type=click.IntRange(least, 10_000_000),
        default=1000,
        show_default=True,
        help="Resamples for the intervals" + ("; 0 for none." if least == 0 else "."),
    )


interval_option = click.option(
    "--interval",
    metavar="METHOD",
    default="expanded",
    show_default=True,
    help="Kind of interval: expanded, percentile or bca bootstrap; t for means, wilson for"
    " proportions.",
)
"""``--interval``: how they are made."""


def input_format_option(help_text: str) -> Callable[[Function], Function]:
    """``--input-format``: of the files that are read."""
    return click.option("--input-format", metavar="NAME", help=help_text)


def file_format_options(function: Function) -> Function:
    """``--input-format`` and ``--qrels-format``, where judgments and runs are read."""
    own = click.option("--qrels-format", metavar="NAME", help="Format of the judgments alone.")
    return input_format_option("Format of the files (detected by default).")(own(function))


def rating_options(function: Function) -> Function:
    """Which columns hold ratings: a row for each rating, or a column for each assessor."""
    options: list[Callable[[Any], Any]] = [
        click.option(
            "--item", metavar="COLUMN", help="Column of the items.  [default: item, doc …]"
        ),
        click.option(
            "--assessor",
            metavar="COLUMN",
            help="Column of the assessors.  [default: assessor, rater …]",
        ),
        click.option(
            "--label", metavar="COLUMN", help="Column of the labels.  [default: label, grade …]"
        ),
        click.option(
            "--assessors",
            metavar="COLUMNS",
            help='Instead, a column for each assessor: "ann,ben" or "rater_*".',
        ),
        labels_option,
        missing_option("drop", what="ratings without a label"),
    ]
    for option in reversed(options):
        function = option(function)
    return function


scale_option = click.option(
    "--scale",
    type=click.Choice(["nominal", "ordinal", "interval", "ratio"]),
    default="nominal",
    show_default=True,
    help="Kind of labels: names, ordered, numbers, or numbers with a true zero.",
)
"""``--scale``: of the labels that assessors give."""


def weight_option(function: Function) -> Function:
    """``--weight``: a column of the file that is evaluated."""
    return click.option("--weight", metavar="COLUMN", help="Column of the weight of each item.")(
        function
    )


slices_option = click.option(
    "--by", multiple=True, metavar="COLUMNS", help="Columns that define slices; a,b crosses two."
)
"""``--by``: columns of the file that is evaluated."""

labels_option = click.option(
    "--labels", metavar="NAMES", help='All labels in their order: "low,middle,high".'
)
"""``--labels``: the order of the labels."""


positive_option = click.option("--positive", metavar="CLASS", help="The positive class.")
"""``--positive``: of two classes, the one in question."""

threshold_option = click.option(
    "--threshold",
    type=float,
    help="Predict positive at or above this score. 'assay threshold' finds one.",
)
"""``--threshold``: scores that decide."""


def missing_units_option(function: Function) -> Function:
    """``--missing-units``: where systems are compared over the same units."""
    from assay.statistics.differences.paired_samples import MISSING

    return click.option(
        "--missing-units",
        type=click.Choice(MISSING),
        default="drop",
        show_default=True,
        help="How to handle units without a value.",
    )(function)


arrange_option = click.option(
    "--arrange",
    "cluster",
    cls=RenamedOption,
    before="--cluster",
    is_flag=True,
    help="Group classes that are often confused.",
)
"""``--arrange``: the order of the classes of a matrix."""


def sklearn_profile_option(function: Function) -> Function:
    """``--profile`` of the tasks that scikit-learn has too."""
    return click.option(
        "--profile",
        default="assay",
        show_default=True,
        help="Conventions to follow: assay or sklearn.",
    )(function)


def missing_option(
    *choices: str, what: str = "items without a truth or a prediction"
) -> Callable[[Function], Function]:
    """``--missing``: what becomes of items with a gap; ``error`` is always a choice."""
    return click.option(
        "--missing",
        type=click.Choice(["error", *choices]),
        default="error",
        show_default=True,
        help=f"How to handle {what}.",
    )


COST_SIDE_OPTIONS = ("table", "markdown")
"""Formats in which a second table may follow the first."""


def cost_option(required: bool = False) -> Callable[[Function], Function]:
    """``--cost``: what the systems cost, from the runs or from a table."""
    return click.option(
        "--cost",
        type=INPUT_FILE,
        metavar="COLUMN|FILE",
        required=required,
        help="A column of the runs (of TREC runs its number, from 7), or a table of system, cost"
        " and perhaps query; shown beside quality, with the Pareto front.",
    )


def print_notes(notes: Iterable[str], quiet: bool = False) -> None:
    """Notes on standard error, apart from the result."""
    for note in () if quiet else notes:
        said = wrap_message(clean_message(use_option_names(note)), "note: ")
        click.echo(click.style("note:", fg="yellow") + said.removeprefix("note:"), err=True)
