"""``assay clustering``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from assay.cli.file_options import INPUT_FILE
from assay.cli.options import missing_option
from assay.cli.output import Output, measure_option, output_options, parse_names

if TYPE_CHECKING:
    from assay.engine.scores import Scores

DISTANCES = ("euclidean", "squared", "cosine", "manhattan", "precomputed")


@click.command(
    "clustering",
    epilog="""\b
Examples:
  assay clustering clusters.csv --cluster c --class topic
  assay clustering clusters.csv --cluster c --class topic -m "purity NMI(mean=max)"
  assay clustering points.parquet --cluster c --features "x*" --distance cosine
  assay clustering points.parquet --cluster "k*" --features "x*" -m "silhouette WSS"
  assay clustering clusters.csv --cluster c --class topic --per-cluster
  assay clustering clusters.csv --cluster "k*" --class topic --qrels qrels.txt \\
    --run k5=five.run --run k9=nine.run""",
)
@click.argument("data", metavar="FILE")
@click.option(
    "--cluster",
    required=True,
    multiple=True,
    metavar="COLUMN",
    help='The cluster of each item; may be repeated or a pattern such as "k*".',
)
@click.option("--class", "classes", metavar="COLUMN", help="The true class.")
@click.option(
    "--features", multiple=True, metavar="COLUMNS", help='Coordinates; a pattern such as "x*".'
)
@click.option(
    "--distance",
    type=click.Choice(DISTANCES),
    help="Between points; precomputed: the features are a matrix of distances.",
)
@click.option("--item", metavar="COLUMN", help="The name of each item, to pair clusterings by.")
@click.option("--per-cluster", is_flag=True, help="A row for each cluster instead of the scores.")
@click.option(
    "--qrels",
    type=INPUT_FILE,
    metavar="FILE",
    help="Judgments, for the runs that use the clusterings.",
)
@click.option(
    "--run",
    "runs",
    type=INPUT_FILE,
    multiple=True,
    metavar="COLUMN=RUN",
    help="The run that uses a clustering.",
)
@missing_option("drop", what="items without a cluster or a class")
@measure_option
@output_options
def command(
    data: str,
    cluster: tuple[str, ...],
    features: tuple[str, ...],
    per_cluster: bool,
    qrels: str | None,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    output: Output,
    **columns: Any,
) -> None:
    """Evaluate groupings of items: against true classes, by the points alone, or both."""
    from assay.tasks.clustering.cluster_table import cluster_table as table_of
    from assay.tasks.clustering.clustering import clustering

    named: dict[str, Any] = {"cluster": cluster, "features": features or None, **columns}
    with _progress_bar(output.quiet) as progress:
        if per_cluster:
            frame = table_of(data, progress=progress, **named)
        else:
            scores = clustering(
                data,
                parse_names(measures),
                qrels=qrels,
                runs=_runs_by_name(runs) if runs else None,
                bootstrap=output.bootstrap(),
                progress=progress,
                **named,
            )
    if per_cluster:
        output.show_frame(frame)
        return
    output.show(scores)
    if len(scores.systems) > 1 and output.format == "table" and not output.per_unit:
        _show_selection(scores, output)


@contextmanager
def _progress_bar(quiet: bool) -> Iterator[Callable[[float], None]]:
    """A progress bar on standard error, where someone looks; it hides when all is done."""
    if quiet or not sys.stderr.isatty():
        yield lambda share: None
        return
    with click.progressbar(length=1000, label="pairs of points", file=sys.stderr) as bar:
        yield lambda share: bar.update(max(0, round(share * 1000) - bar.pos))


def _runs_by_name(given: tuple[str, ...]) -> dict[str, str]:
    named = {}
    for each in given:
        name, equals, path = each.partition("=")
        if not equals or not path:
            raise click.UsageError(f"--run {each}: write the clustering and its run as COLUMN=FILE")
        named[name] = path
    return named


def _show_selection(scores: Scores, output: Output) -> None:
    from assay.reports.text.table_text import align_columns, frame_rows
    from assay.tasks.clustering.cluster_selection import choose_clusterings

    rows = [
        (c.measure, c.clustering, c.clusters, c.value, c.note) for c in choose_clusterings(scores)
    ]
    if rows:
        head = ["measure", "clustering", "clusters", "value", ""]
        table = align_columns(frame_rows(head, rows, output.digits), indent="  ")
        output.say(f"\nBest by each measure:\n\n{table}")
