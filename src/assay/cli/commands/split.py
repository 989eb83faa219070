"""``assay split``: items, queries, check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    column_option,
    numbers_option,
    output_option,
    quiet_option,
    seed_option,
)
from assay.cli.output import TableOutput, print_notes, table_options
from assay.cli.parameters import RenamedOption, combine_options

if TYPE_CHECKING:
    from assay.formats.splits import Splits

GROUP = "files"


@click.group(
    epilog="""\b
Examples:
  assay split items data.csv --shares 80,20 --stratum class -o splits.csv
  assay split queries topics.tsv --shares 60,20,20 --seed 1 -o splits.csv
  assay split check train.csv test.csv --label label
"""
)
def command() -> None:
    """Split data into training, development and evaluation parts."""


@command.command(
    "queries",
    epilog="""\b
Examples:
  assay split queries topics.tsv --shares 60,20,20 --seed 1 -o splits.csv
  assay split queries topics.csv --shares 50,50 --names dev,eval --stratum type -o splits.csv
  assay split queries beir/ --published -o splits.csv
\b
Then: assay retrieval qrels.txt bm25.run --split dev --splits splits.csv
""",
)
@click.argument("topics", metavar="TOPICS")
@numbers_option(
    "--shares",
    "60,20,20",
    cls=RenamedOption,
    before="--share",
    default="60,20,20",
    help="Shares of the splits.",
)
@click.option("--names", default="train,dev,eval", help="Names of the splits.")
@click.option("--group", metavar="FIELD", help="Topics with the same value stay together.")
@click.option(
    "--stratum",
    cls=RenamedOption,
    before="--by",
    metavar="FIELD",
    help="Keep the shares for each value.",
)
@click.option("--published", is_flag=True, help="Take the splits of a published folder.")
@seed_option
@output_option("-o", "--output", required=True, help="Write the splits to this CSV file.")
@quiet_option
def queries(
    topics: str,
    shares: list[float],
    names: str,
    group: str | None,
    stratum: str | None,
    published: bool,
    seed: int,
    output: str,
    quiet: bool,
) -> None:
    """Split topics in any layout at random, or as published.

    The file has a column query and a column split, below a line with the seed, the shares and a
    digest, which is checked when the file is read.
    """
    from assay.benchmark.collections.splits import published_splits, split_topics

    made = (
        published_splits(topics)
        if published
        else split_topics(
            topics,
            shares,
            [name.strip() for name in names.split(",")],
            group=group,
            stratum=stratum,
            seed=seed,
        )
    )
    _write(made, output, quiet)


def _write(made: Splits, output: str, quiet: bool) -> None:
    """Write the splits, and say how many queries or items each has."""
    made.write(output)
    size = "queries" if made.unit == "query" else "items"
    found = made.counts().group_by("split").agg(size).sort("split")
    counts = [f"{name} {_range(sizes)}" for name, sizes in found.iter_rows()]
    folds = f"{len(made.folds):,} folds: " if made.folds else ""
    print_notes([f"wrote {output}: {folds}{', '.join(counts)} ({made.digest[:19]}…)"], quiet)


def _range(sizes: list[int]) -> str:
    low, high = min(sizes), max(sizes)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


ITEM = column_option("--item", help="Column of the id of each item; else rows are numbered.")


@command.command(
    "items",
    epilog="""\b
Examples:
  assay split items data.csv --shares 80,20 --stratum class -o splits.csv
  assay split items data.csv --shares 70,15,15 --item id --group patient -o splits.csv
  assay split items data.csv --folds 10 --stratum class -o folds.csv
  assay split items data.csv --method k-fold --time date --gap 7d -o folds.csv
  assay split items data.csv --method nested --folds 5 --inner 3 -o folds.csv
  assay split items data.csv --method leave-p-out --leave 2 --group lab -o folds.csv
\b
Methods: holdout, k-fold (the default with --folds), leave-one-out, leave-p-out (with --leave),
nested (with --inner).
Then: assay plot splits splits.csv -o splits.svg
""",
)
@click.argument("data", metavar="TABLE")
@click.option("--method", metavar="NAME", help="How items are split. [default: see below]")
@numbers_option(
    "--shares",
    "80,20",
    cls=RenamedOption,
    before="--share",
    help="Shares of train and test. [default: 80,20]",
)
@click.option("--names", help="Names of the parts. [default: train, (validation,) test]")
@click.option("--folds", type=int, help="Number of folds. [default: 5]")
@click.option("--repeats", type=int, help="Number of times that the folds are drawn. [default: 1]")
@click.option("--inner", type=int, help="Inner folds of nested ones. [default: 5]")
@click.option("--leave", "left_out", type=int, help="Items or groups of leave-p-out. [default: 2]")
@column_option(
    "--stratum",
    cls=RenamedOption,
    before="--by",
    help="Column, such as the class, whose values keep the shares.",
)
@column_option("--group", help="Rows with the same value stay together.")
@column_option("--time", help="Column of times: each part is later than the one before.")
@click.option("--gap", help="Time between training and later items: a number, or 7d, 12h, 30m.")
@ITEM
@seed_option
@output_option("-o", "--output", required=True, help="Write the splits to this CSV file.")
@quiet_option
def items(data: str, names: str | None, output: str, quiet: bool, **options: Any) -> None:
    """Split the rows of a table into train and test, or into folds.

    The file has the columns item and split, with folds also fold, below a line with the settings,
    the seed and a digest, which is checked when the file is read.
    """
    from assay.selection.splits.split_items import split_items

    given = {name: value for name, value in options.items() if value is not None}
    if given.get("method") == "leave-p-out":
        given.setdefault("left_out", 2)
    if names:
        given["names"] = [name.strip() for name in names.split(",")]
    _write(split_items(data, **given), output, quiet)


COLUMNS = combine_options(
    column_option("--item", help="Column of the id of each item."),
    column_option("--label", help="Column of the class or value to predict."),
    column_option("--group", help="Column whose values must not be in both files."),
    column_option("--time", help="Column of times: test rows must be later."),
)


@command.command(
    "check",
    epilog="""\b
Examples:
  assay split check train.csv test.csv --label label
  assay split check train.csv test.csv --item id --label y --group segment
""",
)
@click.argument("train", metavar="TRAIN")
@click.argument("test", metavar="TEST")
@COLUMNS
@table_options
def check(train: str, test: str, output: TableOutput, **columns: Any) -> None:
    """Look for leaks and differences between training and test data.

    Items, groups and rows in both files, near-duplicates of texts and numbers, test rows that are
    not later, scaling fitted on both files, classes and ranges missing in training, distributions
    that differ. Learners that only memorize give the value below which a result means nothing.
    """
    from assay.selection.splits.split_check import check_split

    output.show_result(check_split(train, test, **columns))
