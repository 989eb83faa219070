"""Options that mean the same in every command, and the notes beside a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from assay.cli.file_options import INPUT_FILE
from assay.cli.messages import use_option_names, wrap_message
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
        help="How the result is written.",
    )


def digits_option(function: Function) -> Function:
    """``--digits``: of numbers that are shown to a reader."""
    return click.option(
        "--digits",
        type=click.IntRange(0, 15),
        default=4,
        show_default=True,
        help="Digits after the point, in what is written to be read.",
    )(function)


def quiet_option(function: Function) -> Function:
    """``--quiet``: the result alone."""
    return click.option("--quiet", is_flag=True, help="No notes on standard error.")(function)


def ignored_quiet_option(function: Function) -> Function:
    """``--quiet`` where nothing is said beside the result: a script may give it everywhere."""
    return click.option(
        "--quiet", is_flag=True, expose_value=False, help="No notes on standard error."
    )(function)


def rel_option(function: Function) -> Function:
    """``--rel``: what counts as relevant."""
    help_text = "The least grade that counts as relevant. [default: 1]"
    return click.option("--rel", type=float, help=help_text)(function)


def profile_option(function: Function) -> Function:
    """``--profile``: whose conventions hold."""
    return click.option(
        "--profile", default="assay", show_default=True, help="The conventions to follow."
    )(function)


def seed_option(function: Function) -> Function:
    """``--seed``: for whatever is drawn."""
    return click.option(
        "--seed", type=int, default=1, show_default=True, help="For whatever is drawn."
    )(function)


def confidence_option(help_text: str = "Of the intervals.") -> Callable[[Function], Function]:
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
        type=click.IntRange(least),
        default=1000,
        show_default=True,
        help="For the intervals" + ("; 0 for none." if least == 0 else "."),
    )


def interval_option(function: Function) -> Function:
    """``--interval``: how they are made."""
    return click.option(
        "--interval",
        metavar="METHOD",
        default="expanded",
        show_default=True,
        help="expanded, percentile or bca bootstrap; t for means, wilson for proportions.",
    )(function)


def input_format_option(help_text: str) -> Callable[[Function], Function]:
    """``--input-format``: of the files that are read."""
    return click.option("--input-format", metavar="NAME", help=help_text)


def file_format_options(function: Function) -> Function:
    """``--input-format`` and ``--qrels-format``, where judgments and runs are read."""
    own = click.option("--qrels-format", metavar="NAME", help="Of the judgments alone.")
    return input_format_option("Of all files, instead of telling it.")(own(function))


def rating_options(function: Function) -> Function:
    """Which columns hold ratings: a row for each rating, or a column for each assessor."""
    options: list[Callable[[Any], Any]] = [
        click.option("--item", metavar="COLUMN", help="What is rated.  [default: item, doc …]"),
        click.option(
            "--assessor", metavar="COLUMN", help="Who rates.  [default: assessor, rater …]"
        ),
        click.option("--label", metavar="COLUMN", help="What they say.  [default: label, grade …]"),
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


def scale_option(function: Function) -> Function:
    """``--scale``: of the labels that assessors give."""
    return click.option(
        "--scale",
        type=click.Choice(["nominal", "ordinal", "interval", "ratio"]),
        default="nominal",
        show_default=True,
        help="What labels are: names, ordered, numbers, or numbers with a true zero.",
    )(function)


def weight_option(function: Function) -> Function:
    """``--weight``: a column of the file that is evaluated."""
    return click.option("--weight", metavar="COLUMN", help="How much each item counts.")(function)


def slices_option(function: Function) -> Function:
    """``--by``: columns of the file that is evaluated."""
    return click.option(
        "--by", multiple=True, metavar="COLUMNS", help="Slices; a,b crosses two columns."
    )(function)


def labels_option(function: Function) -> Function:
    """``--labels``: the order of the labels."""
    help_text = 'All labels in their order: "low,middle,high".'
    return click.option("--labels", metavar="NAMES", help=help_text)(function)


def positive_option(function: Function) -> Function:
    """``--positive``: of two classes, the one in question."""
    return click.option(
        "--positive", metavar="CLASS", help="The class that the question is about."
    )(function)


def threshold_option(function: Function) -> Function:
    """``--threshold``: scores that decide."""
    return click.option(
        "--threshold",
        type=float,
        help="Decide by the score: positive at or above this. 'assay threshold' finds one.",
    )(function)


def missing_units_option(function: Function) -> Function:
    """``--missing-units``: where systems are compared over the same units."""
    from assay.statistics.differences.unit_values import MISSING

    return click.option(
        "--missing-units",
        type=click.Choice(MISSING),
        default="drop",
        show_default=True,
        help="What becomes of units that a system lacks.",
    )(function)


def arrange_option(function: Function) -> Function:
    """``--arrange``: the order of the classes of a matrix."""
    return click.option(
        "--arrange",
        "cluster",
        cls=RenamedOption,
        before="--cluster",
        is_flag=True,
        help="Classes taken for each other stand together.",
    )(function)


def sklearn_profile_option(function: Function) -> Function:
    """``--profile`` of the tasks that scikit-learn has too."""
    return click.option("--profile", default="assay", show_default=True, help="assay or sklearn.")(
        function
    )


def missing_option(
    *choices: str, what: str = "items without a truth or a prediction"
) -> Callable[[Function], Function]:
    """``--missing``: what becomes of items with a gap; ``error`` is always a choice."""
    return click.option(
        "--missing",
        type=click.Choice(["error", *choices]),
        default="error",
        show_default=True,
        help=f"What to do with {what}.",
    )


COST_SIDE_OPTIONS = ("table", "markdown")
"""The formats in which a second table may stand below the first."""


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
        said = wrap_message(use_option_names(note), "note: ")
        click.echo(click.style("note:", fg="yellow") + said.removeprefix("note:"), err=True)
