"""``assay correlation``: two orders: runs, leaderboards, columns of a table, or saved scores."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    column_option,
    decimal_comma_option,
    decimal_comma_tables,
    file_option,
    files_argument,
)
from assay.cli.output import Output, output_options
from assay.cli.parameters import RenamedOption
from assay.cli.task_detection import is_table
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.engine.scores import Scores
    from assay.tasks.correlation.correlation_evidence import CorrelationEvidence

GROUP = "evaluate"


def read(files: tuple[str, ...], **given: Any) -> CorrelationEvidence:
    """Read the two orders that the files are: by their number and their kind."""
    from assay.tasks.correlation.correlation_evidence import CorrelationEvidence

    by = given["by"]
    if len(by) > 2 or len(given["qrels"]) > 2:
        raise click.UsageError("two orders are compared: give --order-by and --qrels at most twice")
    first, second = by[0] if by else None, by[1] if len(by) > 1 else None
    plain = bool(by) and not given["qrels"]
    saved = [scores for path in files[:2] if (scores := _saved(path, plain)) is not None]
    _refuse_one_order(given, len(saved) > 1 if len(saved) == len(files) else None)
    if given["qrels"] or len(saved) == len(files):
        _refuse_ranks(given["ranks"])
    if given["qrels"]:
        one, two = given["qrels"][0], given["qrels"][-1]
        return CorrelationEvidence.read_judgments(one, two, list(files), first or "AP", second)
    if len(saved) == len(files):
        return CorrelationEvidence.of_scores(saved[0], saved[-1], first, second)
    if len(files) == 1:
        return _one_table(_tables(files, given)[0], given)
    if len(files) > 2:
        raise click.UsageError("two files are compared; more runs need --qrels to order them")
    if all(is_table(path) for path in files):
        one, two = _tables(files, given)
        columns = given["item"], given["first"]
        return CorrelationEvidence.read_leaderboards(one, two, *columns, ranks=given["ranks"])
    _refuse_ranks(given["ranks"])
    return CorrelationEvidence.read_runs(files[0], files[1])


def _refuse_one_order(given: dict[str, Any], several_saved: bool | None) -> None:
    """An order agrees with itself, which says nothing."""
    orders = len(given["by"])
    if orders < 2 and (len(given["qrels"]) == 1 or several_saved is False):
        again = "--qrels" if given["qrels"] else "a file of scores"
        raise click.UsageError(f"this is one order: give {again}, or --order-by, a second time")
    if orders and not given["qrels"] and several_saved is None:
        raise click.UsageError(
            "--order-by is for saved scores, tables of scores, and runs under --qrels; --first"
            " names the column of a leaderboard"
        )


def _refuse_ranks(asked: bool) -> None:
    """Runs and scores know which of their numbers comes first."""
    if asked:
        raise click.UsageError("--ranks is for tables of ranks: leave it out for runs and scores")


def _tables(files: tuple[str, ...], given: dict[str, Any]) -> list[Any]:
    return decimal_comma_tables(files) if given["decimal_comma"] else list(files)


def _one_table(table: Any, given: dict[str, Any]) -> CorrelationEvidence:
    from assay.tasks.correlation.correlation_evidence import CorrelationEvidence

    columns = {name: given[name] for name in ("item", "first", "second", "group")}
    for name in ("first", "second"):
        if columns[name] is None:
            raise click.UsageError(
                "two runs or two leaderboards are compared; or the columns of one table, named with"
                f" --first and --second: give --{name}"
            )
    return CorrelationEvidence.read_table(table, columns, ranks=given["ranks"])


def _saved(path: str, plain: bool) -> Scores | None:
    """Return the scores in a file, if that is what it holds; or those of a plain table."""
    from assay.core.errors import DataError
    from assay.engine.saved_scores import holds_scores
    from assay.engine.scores import Scores
    from assay.tasks.scores.read_scores import read_scores

    if plain and is_table(path):
        with suppress(DataError):  # a leaderboard has no units
            return read_scores(path)
    if Path(path).suffix.casefold() != ".parquet" or not holds_scores(path):
        return None
    return Scores.load(path)


INPUTS = TaskInputs(
    "correlation",
    [
        files_argument(),
        column_option("--item", help="Column of the ordered things.  [default: each row is one]"),
        column_option("--first", help="Column of their numbers in one order."),
        column_option("--second", help="Column of their numbers in the other."),
        column_option("--group", help="Compare within each group."),
        click.option("--ranks", is_flag=True, help="The numbers are ranks: the lowest is first."),
        click.option(
            "--order-by",
            "by",
            cls=RenamedOption,
            before="--by",
            multiple=True,
            metavar="MEASURE",
            help="Measure that orders systems; give it twice for two orders.",
        ),
        file_option("--qrels", multiple=True, help="Judgments that order runs."),
        decimal_comma_option,
    ],
    read,
)


@click.command(
    "correlation",
    epilog="""\b
Examples:
  assay correlation a.run b.run                                  two runs, query by query
  assay correlation a.run b.run -m "RBO(p=0.9) overlap@10 tauAP" --per-query
  assay correlation leaderboard1.csv leaderboard2.csv            two leaderboards
  assay correlation leaderboard1.csv leaderboard2.csv --inversions
  assay correlation leaderboards.csv --item system --first ap --second ndcg
  assay correlation judges.csv --item wine --first ann --second bob --ranks
  assay correlation one.parquet two.parquet --order-by nDCG@10   two saved Scores
  assay correlation scores.parquet --order-by AP --order-by nDCG@10   two measures of one
  assay correlation --qrels one.qrels --qrels two.qrels *.run    the systems under two qrels""",
)
@INPUTS.values
@click.option("--inversions", is_flag=True, help="List the pairs in opposite order instead.")
@output_options
def command(inputs: dict[str, Any], inversions: bool, output: Output) -> None:
    """Compare two orders of the same things.

    A higher number comes first, or a lower one with --ranks.
    """
    if inversions:
        if len(inputs["files"]) != 2:
            raise click.UsageError("--inversions compares two runs, or two leaderboards")
        output.show_frame(read(**inputs).inversions())
        return
    evidence = INPUTS.read(**inputs)
    output.show(output.scores(evidence))
