"""``assay correlation``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.file_options import INPUT_FILE
from assay.cli.files import is_table
from assay.cli.options import Renamed
from assay.cli.output import Output, asked, measure_option, output_options

if TYPE_CHECKING:
    from assay.engine.scores import Scores


@click.command(
    "correlation",
    epilog="""\b
Examples:
  assay correlation a.run b.run                                  two runs, query by query
  assay correlation a.run b.run -m "RBO(p=0.9) overlap@10 tauAP" --per-query
  assay correlation leaderboard1.csv leaderboard2.csv            two leaderboards
  assay correlation leaderboard1.csv leaderboard2.csv --inversions
  assay correlation leaderboards.csv --item system --first ap --second ndcg
  assay correlation one.parquet two.parquet --order-by nDCG@10   two saved Scores
  assay correlation scores.parquet --order-by AP --order-by nDCG@10   two measures of one
  assay correlation --qrels one.qrels --qrels two.qrels *.run    the systems under two qrels""",
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--item", metavar="COLUMN", help="The things that are ordered.")
@click.option("--first", metavar="COLUMN", help="Their numbers in one order.")
@click.option("--second", metavar="COLUMN", help="Their numbers in the other.")
@click.option("--group", metavar="COLUMN", help="Compare within each group.")
@click.option(
    "--order-by",
    "by",
    cls=Renamed,
    before="--by",
    multiple=True,
    metavar="MEASURE",
    help="The measure that orders systems; twice for two orders.",
)
@click.option(
    "--qrels", type=INPUT_FILE, multiple=True, metavar="FILE", help="Judgments that order runs."
)
@click.option("--inversions", is_flag=True, help="List the pairs in opposite order instead.")
@measure_option
@output_options
def command(
    files: tuple[str, ...],
    inversions: bool,
    measures: tuple[str, ...],
    output: Output,
    **given: Any,
) -> None:
    """Compare two orders of the same things; a higher number is earlier."""
    if inversions:
        _show_inversions(files, given, output)
        return
    settings = {"measures": asked(measures), "bootstrap": output.bootstrap()}
    output.show(_compared(files, given, settings))


def _compared(files: tuple[str, ...], given: dict[str, Any], settings: dict[str, Any]) -> Scores:
    """The comparison that the files ask for: by their number and their kind."""
    from assay.tasks import correlation as task

    by = given["by"]
    if len(by) > 2 or len(given["qrels"]) > 2:
        raise click.UsageError("two orders are compared: give --order-by and --qrels twice at most")
    measures: dict[str, Any] = {
        "by": by[0] if by else None,
        "other": by[1] if len(by) > 1 else None,
    }
    saved = [scores for path in files[:2] if (scores := _saved(path)) is not None]
    _refuse_one_order(given, len(saved) > 1 if len(saved) == len(files) else None)
    if given["qrels"]:
        one, two = given["qrels"][0], given["qrels"][-1]
        ordered = settings | measures | {"by": measures["by"] or "AP"}
        return task.correlation_of_judgments(one, two, list(files), **ordered)
    if len(saved) == len(files):
        return task.correlation_of_scores(saved[0], saved[-1], **settings | measures)
    if len(files) == 1:
        return _one_table(files[0], given, settings)
    if len(files) > 2:
        raise click.UsageError("two files are compared; more runs need --qrels to order them")
    if all(is_table(path) for path in files):
        named = {"item": given["item"], "value": given["first"]}
        return task.correlation_of_leaderboards(files[0], files[1], **settings | named)
    return task.correlation_of_runs(files[0], files[1], **settings)


def _refuse_one_order(given: dict[str, Any], several_saved: bool | None) -> None:
    """An order agrees with itself, which says nothing."""
    orders = len(given["by"])
    if orders < 2 and (len(given["qrels"]) == 1 or several_saved is False):
        again = "--qrels" if given["qrels"] else "a file of scores"
        raise click.UsageError(f"this is one order: give {again}, or --order-by, a second time")
    if orders and not given["qrels"] and several_saved is None:
        raise click.UsageError(
            "--order-by is for saved scores, and for runs under --qrels; --first names the column"
            " of a leaderboard"
        )


def _one_table(path: str, given: dict[str, Any], settings: dict[str, Any]) -> Scores:
    from assay.tasks.correlation import correlation

    columns = {name: given[name] for name in ("item", "first", "second")}
    for name, column in columns.items():
        if column is None:
            raise click.UsageError(
                "two runs or two leaderboards are compared; or the columns of one table, named with"
                f" --item, --first and --second: give --{name}"
            )
    return correlation(path, group=given["group"], **columns, **settings)


def _show_inversions(files: tuple[str, ...], given: dict[str, Any], output: Output) -> None:
    from assay.tasks.inversions import inversions_of_leaderboards, inversions_of_runs

    if len(files) != 2:
        raise click.UsageError("--inversions compares two runs, or two leaderboards")
    if all(is_table(path) for path in files):
        output.show_frame(
            inversions_of_leaderboards(*files, item=given["item"], value=given["first"])
        )
    else:
        output.show_frame(inversions_of_runs(*files))


def _saved(path: str) -> Scores | None:
    """Return the scores in a file, if that is what it holds."""
    from assay.engine.saved_scores import holds_scores
    from assay.engine.scores import Scores

    if Path(path).suffix.casefold() != ".parquet" or not holds_scores(path):
        return None
    return Scores.load(path)
