"""``assay behavior``: what users do, from click logs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.log_options import beside_file_options, log_argument
from assay.cli.options import (
    choice_option,
    count_option,
    files_argument,
    output_option,
    quiet_option,
    seed_option,
)
from assay.cli.output import TableOutput, print_saved, table_options
from assay.core.output_files import is_standard_output, write_bytes, write_text
from assay.core.table_bytes import parquet_bytes

if TYPE_CHECKING:
    import polars as pl

    from assay.behavior.logs.click_log import ClickLog

GROUP = "users"


@click.group(
    "behavior",
    epilog="""\b
Examples:
  assay behavior check log.csv
  assay behavior check ubi_queries.ndjson ubi_events.ndjson
  assay behavior summary log.csv -o rates.svg
  assay behavior sample log.csv --size 50
  assay behavior simulate qrels.txt bm25.run dense.run --model dbn -o clicks.csv""",
)
def command() -> None:
    """Read logs of what users were shown and clicked."""


@command.command(
    epilog="""\b
Examples:
  assay behavior check log.csv
  assay behavior check train.gz --log-format yandex
  assay behavior check ubi_queries.ndjson ubi_events.ndjson --format json"""
)
@log_argument()
@table_options
def check(log: ClickLog, output: TableOutput) -> int:
    """Check a click log: what it contains, and what is wrong with it.

    Logs are UBI queries and events, Yandex 2011 and 2013, TianGong-ST, the TSV of clickmodels, or
    CSV, JSON lines and Parquet with the columns session, query, rank, doc and click. The exit code
    is 1 if there are errors.
    """
    from assay.behavior.logs.log_check import check_opened

    checked = check_opened(log)
    frames = {"contents": checked.contents, "findings": checked.findings}
    if output.format == "table" and not checked.findings.height:
        frames.pop("findings")
    output.show(frames, checked.notes)
    return int(checked.has_errors)


@command.command(
    epilog="""\b
Examples:
  assay behavior summary log.csv
  assay behavior summary train.gz --log-format yandex -o rates.svg
  assay behavior summary log.parquet --queries 50 --format csv"""
)
@log_argument()
@count_option(
    "--queries", 0, default=10, help="Number of queries to show, the most frequent first."
)
@output_option("-o", "--output", "path", help="Draw the rates by rank: x.svg, x.png or x.pdf.")
@beside_file_options
def summary(log: ClickLog, queries: int, path: str | None, output: TableOutput) -> None:
    """Summarize a click log: rates by rank, abandonment, first clicks, reformulations, queries."""
    from assay.behavior.logs.log_summary import summarize_opened

    found = summarize_opened(log)
    if path:
        from assay.cli.figure_files import save_figure
        from assay.reports.figures.plot import plot

        save_figure(plot("click-rates", found), path, output.quiet)
        print_saved(path, output.quiet)
    frames = {"behavior": found.behavior, "ranks": found.ranks}
    if queries:
        frames["queries"] = found.queries.head(queries)
    output.show(frames, found.notes)


@command.command(
    epilog="""\b
Examples:
  assay behavior sample log.csv --size 50
  assay behavior sample log.csv --size 150 --by strata --seed 7 -o queries.csv"""
)
@log_argument()
@count_option("--size", default=50, help="Number of queries.")
@choice_option(
    "--by",
    ["frequency", "uniform", "strata"],
    help="In proportion to the lists of a query, equally, or as many of head, torso and tail.",
)
@count_option("--least", default=1, help="Minimum number of lists of a query.")
@seed_option
@output_option("-o", "--output", "path", help="Write the sample to this CSV file.")
@beside_file_options
def sample(log: ClickLog, path: str | None, output: TableOutput, **settings: Any) -> None:
    """Sample queries of a log for a benchmark, with known probabilities.

    The weight of a query is 1 / probability.
    """
    from assay.behavior.logs.query_sample import sample_queries

    found = sample_queries(log, settings.pop("size"), **settings)
    if path:
        write_text(path, found.write_csv())
        if is_standard_output(path):
            return
    output.show({"queries": found}, log.findings.notes())


def _numbers(ctx: click.Context, option: click.Parameter, words: Any) -> dict[str, float]:
    """Return the value of each parameter."""
    values = {}
    for word in words:
        name, _, value = word.partition("=")
        try:
            values[name] = float(value)
        except ValueError:
            raise click.BadParameter(f"'{word}' is not NAME=VALUE") from None
    return values


def _grade_tables(
    ctx: click.Context, option: click.Parameter, text: str | None
) -> dict[float, float] | None:
    """Return the probability of each grade, from 0=0.1,1=0.8."""
    if text is None:
        return None
    try:
        pairs = [part.split("=") for part in text.split(",")]
        return {float(grade): float(chance) for grade, chance in pairs}
    except ValueError:
        raise click.BadParameter(f"'{text}' is not GRADE=PROBABILITY,…") from None


@command.command(
    epilog="""\b
Examples:
  assay behavior simulate qrels.txt bm25.run dense.run --model dbn -o clicks.csv
  assay behavior simulate qrels.txt bm25.run --model pbm --shuffle 0.1 -o clicks.csv
  assay behavior simulate qrels.txt bm25.run --set continuation=0.8 \\
    --attractiveness 0=0.1,1=0.6,2=0.9 -o clicks.parquet"""
)
@click.argument("qrels", metavar="QRELS")
@files_argument("runs", "RUN...")
@click.option("--model", default="dbn", metavar="NAME", help="A click model, or the file of one.")
@count_option("--sessions", default=1000, help="Number of sessions, each of one query.")
@count_option("--depth", default=10, help="Results that are shown.")
@click.option(
    "--shuffle",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Share of the lists that is shown in random order.",
)
@click.option(
    "--set",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_numbers,
    help="A shared parameter, such as continuation=0.8; may be repeated.",
)
@click.option(
    "--attractiveness",
    metavar="GRADE=P,...",
    callback=_grade_tables,
    help="Attractiveness by grade. [default: from 0.05 to 0.95]",
)
@click.option(
    "--satisfaction",
    metavar="GRADE=P,...",
    callback=_grade_tables,
    help="Satisfaction by grade. [default: from 0.05 to 0.95]",
)
@seed_option
@output_option("-o", "--output", "path", required=True, help="The log: .csv, .jsonl or .parquet.")
@quiet_option
def simulate(
    qrels: str,
    runs: tuple[str, ...],
    model: str,
    attractiveness: dict[float, float] | None,
    satisfaction: dict[float, float] | None,
    path: str,
    quiet: bool,
    **settings: Any,
) -> None:
    """Simulate users with a known click model over judgments and runs."""
    from assay.behavior.clicks.fitted_model import ClickModel
    from assay.behavior.clicks.simulate_clicks import simulate_clicks

    tables = {"attractiveness": attractiveness, "satisfaction": satisfaction}
    given = {name: table for name, table in tables.items() if table is not None}
    used: Any = ClickModel.load(model) if Path(model).suffix == ".json" else model
    table = simulate_clicks(qrels, list(runs), used, by_grade=given, **settings)
    _write_log(table, path)
    if not quiet and not is_standard_output(path):
        clicks, lists = int(table["click"].sum()), table["session"].n_unique()
        click.echo(f"{lists:,} lists with {clicks:,} clicks: {path}")


def _write_log(table: pl.DataFrame, path: str) -> None:
    """Write a log in the format of the extension."""
    match Path(path).suffix.casefold():
        case ".parquet":
            write_bytes(path, parquet_bytes(table))
        case ".jsonl" | ".ndjson":
            write_text(path, table.write_ndjson())
        case _:
            write_text(path, table.write_csv())
