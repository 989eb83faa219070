"""``assay split``: queries."""

from __future__ import annotations

import click

from assay.cli.options import output_option, quiet_option, seed_option
from assay.cli.output import print_notes

GROUP = "files"


@click.group(
    epilog="""\b
Examples:
  assay split queries topics.tsv --share 60,20,20 --seed 1 -o splits.csv
"""
)
def command() -> None:
    """Split data into parts for training, development and evaluation."""


def _numbers(ctx: click.Context, option: click.Parameter, text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise click.BadParameter(f"'{text}': numbers are expected, such as 60,20,20") from None


@command.command(
    "queries",
    epilog="""\b
Examples:
  assay split queries topics.tsv --share 60,20,20 --seed 1 -o splits.csv
  assay split queries topics.csv --share 50,50 --names dev,eval --by type -o splits.csv
  assay split queries beir/ --published -o splits.csv
\b
Then: assay retrieval qrels.txt bm25.run --split dev --splits splits.csv
""",
)
@click.argument("topics", metavar="TOPICS")
@click.option("--share", default="60,20,20", callback=_numbers, help="Shares of the splits.")
@click.option("--names", default="train,dev,eval", help="Names of the splits.")
@click.option("--group", metavar="FIELD", help="Topics with the same value stay together.")
@click.option("--by", "stratum", metavar="FIELD", help="Keep the shares for each value.")
@click.option("--published", is_flag=True, help="Take the splits of a published folder.")
@seed_option
@output_option("-o", "--output", required=True, help="Write the splits to this CSV file.")
@quiet_option
def queries(
    topics: str,
    share: list[float],
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
            share,
            [name.strip() for name in names.split(",")],
            group=group,
            stratum=stratum,
            seed=seed,
        )
    )
    made.write(output)
    counts = ", ".join(f"{name} {count:,}" for name, count, _ in made.counts().sort("split").rows())
    print_notes([f"wrote {output}: {counts} ({made.digest[:19]}…)"], quiet)
