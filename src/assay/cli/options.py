"""Options that mean the same in every command, and parameters that name files.

No command overwrites what it reads: arguments name inputs unless they are declared as outputs, and
options that name files are declared as the one or the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import click

from assay.reports.text.result_text import format_names

Decorator: TypeAlias = Callable[[Any], Any]
"""An argument or an option, as click declares them."""


class InputFile(click.types.StringParamType):
    """A file that is read; it may also be written as NAME=FILE, or be the name of something."""

    name = "file"


INPUT_FILE = InputFile()


class OutputFile(click.Parameter):
    """A file that is written: refused before any work if it is an input or cannot be written."""

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Check the file against everything else that was given, then proceed as click does."""
        path = opts.get(str(self.name))
        if isinstance(path, str) and not ctx.resilient_parsing:
            from assay.core.output_files import refuse_input, refuse_unwritable

            refuse_input(path, _input_files(ctx.command, opts))
            refuse_unwritable(path)
        return super().handle_parse_result(ctx, opts, args)


class OutputOption(OutputFile, click.Option):
    """An option that names a file to write."""


class OutputArgument(OutputFile, click.Argument):
    """An argument that names a file to write."""


def _input_files(command: click.Command, opts: Mapping[str, Any]) -> Iterator[str]:
    """Yield the files that a command was given to read."""
    for param in command.params:
        argument = isinstance(param, click.Argument) and not isinstance(param, OutputFile)
        if not argument and not isinstance(param.type, InputFile):
            continue
        value = opts.get(str(param.name))
        for path in value if isinstance(value, list | tuple) else [value]:
            if isinstance(path, str):
                yield path
                yield from path.partition("=")[2:]


class RenamedOption(click.Option):
    """An option that is still understood under its former name, which help does not show."""

    def __init__(self, *args: Any, before: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.before = before

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Accept both names."""
        shown, self.opts = self.opts, [*self.opts, self.before]
        super().add_to_parser(parser, ctx)
        self.opts = shown


def combine_options(*options: Decorator) -> Decorator:
    """Return several options as one decorator."""

    def decorate(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def parameters(options: Sequence[Decorator]) -> list[click.Parameter]:
    """Return arguments and options as click has them."""
    decorated = combine_options(*options)(lambda: None)
    return list(reversed(decorated.__click_params__))


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


def files_argument(name: str = "files", metavar: str = "FILE...") -> Decorator:
    """Return the argument for one file or several."""
    return click.argument(name, metavar=metavar, nargs=-1, required=True)


def format_option(kind: str) -> Decorator:
    """Return ``--format``: the output formats of a type of result, by default the first."""
    return choice_option("--format", format_names(kind), help="Format of the output.")


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

rel_option = click.option(
    "--rel", type=float, help="Lowest grade that counts as relevant. [default: 1]"
)
profile_option = click.option("--profile", default="assay", help="Conventions to follow.")
sklearn_profile_option = click.option(
    "--profile", default="assay", help="Conventions to follow: assay or sklearn."
)
profiles_option = click.option(
    "--profiles", is_flag=True, help="Show the number under each profile, and why it differs."
)
seed_option = click.option("--seed", type=click.IntRange(0), default=1, help="Random seed.")
FRACTION = click.FloatRange(0, 1, min_open=True, max_open=True)


def confidence_option(help_text: str = "Confidence level of the intervals.") -> Decorator:
    """Return ``--confidence``: between 0 and 1."""
    return click.option("--confidence", type=FRACTION, default=0.95, help=help_text)


def resamples_option(least: int = 0) -> Decorator:
    """Return ``--resamples``: the number of bootstrap resamples."""
    note = "; 0 for none." if least == 0 else "."
    return count_option(
        "--resamples", least, default=1000, help=f"Resamples for the intervals{note}"
    )


interval_option = click.option(
    "--interval",
    metavar="METHOD",
    default="expanded",
    help="Kind of interval: expanded, percentile or bca bootstrap; t for means, wilson for"
    " proportions.",
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
depth_option = count_option("--depth", help="Evaluate only so many documents of a ranking.")
judged_only_option = click.option(
    "--judged-only", is_flag=True, help="Remove unjudged documents from the rankings."
)
corpus_option = count_option("--corpus", help="Number of documents in the collection.")


def _policy_choices(ctx: click.Context, option: click.Parameter, words: Any) -> dict[str, str]:
    """Return the choice of each policy."""
    choices: dict[str, str] = {}
    for word in words:
        name, equals, choice = word.partition("=")
        if not equals:
            raise click.BadParameter(f"'{word}' is not NAME=CHOICE")
        if choices.get(name, choice) != choice:
            raise click.BadParameter(f"{name} is {choices[name]} and {choice}; say it once")
        choices[name] = choice
    return choices


policy_option = click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="NAME=CHOICE",
    callback=_policy_choices,
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
    "cluster",
    cls=RenamedOption,
    before="--cluster",
    is_flag=True,
    help="Group classes that are often confused.",
)


def missing_units_option(function: Any) -> Any:
    """Add ``--missing-units``: systems are compared over the same units."""
    from assay.statistics.differences.paired_samples import MISSING

    return choice_option(
        "--missing-units", MISSING, default="drop", help="How to handle units without a value."
    )(function)


def missing_option(*choices: str, what: str = "items without a truth or a prediction") -> Decorator:
    """Return ``--missing``: how to handle incomplete items; ``error`` is always a choice."""
    return choice_option("--missing", ["error", *choices], help=f"How to handle {what}.")


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
