"""``assay pool``: make, stats, reuse, plan."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import (
    FRACTION,
    choice_option,
    count_option,
    decimal_comma_option,
    file_format_options,
    file_option,
    files_argument,
    one_measure_option,
    order_option,
    output_option,
    policy_option,
    profile_option,
    quiet_option,
    relevance_option,
    seed_option,
)
from assay.cli.output import TableOutput, print_notes, table_options
from assay.cli.parameters import combine_options

GROUP = "benchmarks"
METHODS = "depth, take, mtf, maxmean, thompson, hedge, stratified or statap"
READING = combine_options(
    relevance_option(),
    profile_option,
    order_option,
    policy_option,
    file_format_options,
    decimal_comma_option,
)
TEAMS = file_option("--teams", help="Table of run, team, and perhaps priority and late.")


@click.group(
    epilog="""\b
Examples:
  assay pool make bm25.run dense.run --depth 10 -o pool.csv
  assay pool stats bm25.run dense.run --depth 20 --qrels qrels.txt
  assay pool reuse qrels.txt bm25.run dense.run
  assay pool plan --topics 50 --depth 100 --assessors 2 --minutes 1.5
"""
)
def command() -> None:
    """Choose the documents to judge, and show the effect."""


@command.command(
    "make",
    epilog=f"""\b
Examples:
  assay pool make bm25.run dense.run --depth 10 -o pool.csv
  assay pool make bm25.run dense.run --method take --size 20 --random 0.1 -o pool.csv
  assay pool make bm25.run dense.run --method stratified --strata 10:1,100:0.2 -o pool.csv
  assay pool make bm25.run dense.run --method maxmean --size 10 --oracle qrels.txt -o pool.csv
  assay pool make bm25.run dense.run --method hedge --share 0.2 --oracle qrels.txt -o pool.csv
\b
Methods: {METHODS}.
mtf, maxmean, thompson and hedge ask for each judgment: --oracle, or you (--ask).
""",
)
@files_argument("runs", "RUN...")
@count_option("--depth", help="Documents of each run. [default: 100]")
@click.option("--method", default="depth", metavar="NAME", help="How documents are chosen.")
@count_option("--size", help="Documents of each topic.")
@click.option("--share", type=float, help="Share of the documents of each topic, such as 0.2.")
@count_option("--budget", help="Documents of all topics together.")
@click.option("--hours", type=float, help="Hours for all topics, instead of a budget.")
@click.option("--minutes", type=float, default=1.5, help="Minutes for each document.")
@click.option("--strata", metavar="RANKS", help="Last rank and drawn share of each: 10:1,100:0.2.")
@click.option("--random", type=float, default=0.0, help="Share that is drawn from all the rest.")
@file_option("--oracle", help="Judgments that the adaptive methods ask.")
@click.option("--ask", is_flag=True, help="Ask on the terminal for each judgment.")
@click.option("--judged-only", is_flag=True, help="Leave out what the oracle does not know.")
@file_option("--topics", help="Topics of the benchmark, in any layout.")
@TEAMS
@count_option("--per-team", help="Maximum number of runs of each team, by priority.")
@file_option("--near-duplicates", help="Table of doc and group; one of a group is shown.")
@READING
@seed_option
@output_option("-o", "--output", required=True, help="Write the pool to this CSV file.")
@output_option("--log", help="Write why each document is in the pool to this CSV file.")
@quiet_option
def make(
    runs: tuple[str, ...], ask: bool, output: str, log: str | None, quiet: bool, **given: Any
) -> None:
    """Choose the documents of runs that are judged, written as CSV.

    Columns: query, doc, stratum, probability, best_rank, runs; and drawn, where documents were
    sampled: those with 0 stay unjudged, but estimates need them.
    """
    from assay.benchmark.pools.make_pool import pool
    from assay.core.output_files import write_text

    made = pool(list(runs), judge=_ask if ask else None, **given)
    made.write(output)
    if log is not None:
        write_text(log, made.log.write_csv())
    print_notes(made.notes, quiet)
    if not quiet:
        topics = made.frame["query"].n_unique()
        click.echo(f"wrote {output}: {len(made):,} documents of {topics:,} topics", err=True)


def _ask(query: str, doc: str) -> float:
    try:
        return float(click.prompt(f"query {query}, document {doc}: grade", type=float, err=True))
    except click.Abort:
        click.echo(err=True)  # The message has a line of its own.
        raise


@command.command(
    "stats",
    epilog="""\b
Examples:
  assay pool stats bm25.run dense.run --depth 20
  assay pool stats bm25.run dense.run --depth 20 --qrels qrels.txt --show depths
""",
)
@files_argument("runs", "RUN...")
@count_option("--depth", default=100, help="Documents of each run.")
@file_option("--pool", help="A pool that was made, whose sizes and fairness are shown.")
@file_option("--qrels", help="Judgments, to count relevant documents.")
@TEAMS
@choice_option(
    "--show",
    ["all", "topics", "runs", "teams", "overlap", "depths", "fairness"],
    help="Which tables to show.",
)
@one_measure_option("AP", "Measure whose change with the pool is shown.")
@READING
@table_options
def stats(runs: tuple[str, ...], show: str, output: TableOutput, **given: Any) -> None:
    """Show what the runs contribute to a pool, and what less would cost."""
    from assay.benchmark.pools.pool_stats import pool_stats

    found = pool_stats(list(runs), **given)
    names = ("topics", "runs", "teams", "overlap", "depths", "fairness")
    tables = {name: getattr(found, name) for name in (names if show == "all" else (show,))}
    shown = {name: each for name, each in tables.items() if each.width or show != "all"}
    legend = "unique: no other run (or team) has it within the depth; share: of the whole pool"
    output.show(shown, found.notes, legend=[legend])


@command.command(
    "reuse",
    epilog="""\b
Examples:
  assay pool reuse qrels.txt bm25.run dense.run
  assay pool reuse qrels.txt bm25.run dense.run -m nDCG@10 --depth 20 --format json
""",
)
@click.argument("qrels", metavar="QRELS")
@files_argument("runs", "RUN...")
@TEAMS
@one_measure_option("AP")
@count_option("--depth", default=100, help="Depth to which the runs were judged.")
@click.option("--depths", metavar="NUMBERS", help="Smaller depths to try. [default: 5,10,20,50]")
@click.option("--level", type=FRACTION, default=0.05, help="Level of the paired t-tests.")
@seed_option
@READING
@table_options
def reuse(
    qrels: str, runs: tuple[str, ...], depths: str | None, output: TableOutput, **given: Any
) -> None:
    """Show how far judgments can be used again for unjudged runs.

    Each run and each team is scored without the judgments that only it brought; the same for
    smaller depths and for samples of the judgments.
    """
    from assay.benchmark.reusability.reuse import pool_reuse, read_depths

    found = pool_reuse(qrels, list(runs), depths=read_depths(depths), **given)
    tables = {"runs": found.runs, "teams": found.teams, "orders": found.orders}
    if found.teams is found.runs:  # each run is a team of its own: the same table
        del tables["teams"]
    legend = (
        "without: the score without the judgments that only the run (or team) brought",
        "kept: significant pairs that stay so; reversed: with the other sign; added: new ones",
    )
    output.show(tables, found.notes, legend=legend)


@command.command(
    "plan",
    epilog="""\b
Examples:
  assay pool plan --topics 50 --depth 100 --assessors 2 --minutes 1.5
  assay pool plan --topics 50 --depth 20 --runs 5 --overlap 0.5 --pilot scores.parquet -m AP
""",
)
@count_option("--topics", 2, required=True, help="Number of topics.")
@count_option("--depth", required=True, help="Documents of each run.")
@count_option("--assessors", default=1, help="Assessors who share the hours.")
@click.option("--minutes", type=float, default=1.5, help="Minutes for each document.")
@click.option("--topic-minutes", type=float, default=0.0, help="Minutes for each topic.")
@count_option("--per-document", default=1, help="Assessors who judge each document.")
@count_option("--runs", default=10, help="Number of runs.")
@click.option("--overlap", type=float, default=0.6, help="Share of a further run that is pooled.")
@file_option("--pool", help="A pool that shows how many documents a rank costs.")
@file_option("--pilot", help="Scores of a pilot, whose differences are used.")
@click.option("-m", "--measure", metavar="NAME", help="Measure of the pilot. [default: its first]")
@click.option("--spread", type=float, help="Standard deviation of differences, without a pilot.")
@click.option(
    "--power", type=FRACTION, default=0.8, help="Probability of detecting the difference."
)
@click.option("--level", type=FRACTION, default=0.05, help="Level of the paired t-test.")
@table_options
def plan(output: TableOutput, **given: Any) -> None:
    """Show the hours that a pool takes, and the difference that it can detect.

    Below: what the same hours would bring with other depths.
    """
    from assay.benchmark.reusability.plan import pool_plan

    found = pool_plan(**given)
    output.show({"plan": found.plan, "alternatives": found.alternatives}, found.notes)
