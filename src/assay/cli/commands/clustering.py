"""``assay clustering``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from assay.cli.inputs.clustering import INPUTS
from assay.cli.output import Output, output_options

if TYPE_CHECKING:
    from assay.engine.scores import Scores
    from assay.tasks.clustering.clustering import ClusteringEvidence

GROUP = "evaluate"


@click.command(
    "clustering",
    epilog="""\b
Examples:
  assay clustering clusters.csv --cluster c --class topic
  assay clustering clusters.csv --cluster c --class topic -m "purity NMI(mean=max)"
  assay clustering points.parquet --cluster c --features "x*" --distance cosine
  assay clustering points.parquet --cluster "k*" --features "x*" -m "silhouette WSS"
  assay clustering clusters.csv --cluster c --class topic --per-cluster
  assay clustering old.csv new.csv --cluster c --class topic --item id
  assay clustering clusters.csv --cluster "k*" --class topic --qrels qrels.txt \\
    --run k5=five.run --run k9=nine.run""",
)
@INPUTS
@click.option("--per-cluster", is_flag=True, help="Show a row for each cluster, not the scores.")
@output_options
def command(evidence: ClusteringEvidence, per_cluster: bool, output: Output) -> None:
    """Evaluate clusterings by true classes, by points, or both."""
    from assay.tasks.clustering.cluster_results import cluster_table

    with _progress_bar(output.quiet) as progress:
        shown = replace(evidence, pair_progress=progress)
        if per_cluster:
            table = cluster_table(shown)
        else:
            scores = output.scores(shown)
    if per_cluster:
        output.show_frame(table)
        return
    output.show(scores)
    if len(scores.systems) > 1 and output.format == "table" and not output.per_unit:
        _show_selection(scores, output)


@contextmanager
def _progress_bar(quiet: bool) -> Iterator[Callable[[float], None]]:
    """Show a progress bar on standard error, if that is a terminal, until all is done."""
    if quiet or not sys.stderr.isatty():
        yield lambda share: None
        return
    with click.progressbar(length=1000, label="pairs of points", file=sys.stderr) as bar:
        yield lambda share: bar.update(max(0, round(share * 1000) - bar.pos))


def _show_selection(scores: Scores, output: Output) -> None:
    from assay.reports.text.table_text import align_columns, frame_rows
    from assay.tasks.clustering.cluster_results import choose_clusterings

    rows = [
        (c.measure, c.clustering, c.clusters, c.value, c.note) for c in choose_clusterings(scores)
    ]
    if rows:
        head = ["measure", "clustering", "clusters", "value", ""]
        table = align_columns(frame_rows(head, rows, output.digits), indent="  ")
        click.echo(f"\nBest by each measure:\n\n{table}")
