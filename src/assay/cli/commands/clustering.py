"""``assay clustering``: items in clusters, with their classes, their coordinates or both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    choice_option,
    column_option,
    decimal_comma_option,
    decimal_comma_tables,
    file_option,
    files_argument,
    item_option,
    missing_option,
    slices_option,
)
from assay.cli.output import Output, output_options, print_text, progress_bar
from assay.cli.parameters import Decorator, RenamedOption
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.engine.scores import Scores
    from assay.tasks.clustering.clustering import ClusteringEvidence

GROUP = "evaluate"


DISTANCES = ("euclidean", "squared", "cosine", "manhattan", "precomputed")


def read(
    files: tuple[str, ...],
    features: tuple[str, ...] = (),
    qrels: str | None = None,
    runs: tuple[str, ...] = (),
    decimal_comma: bool = False,
    **columns: Any,
) -> ClusteringEvidence:
    """Read the columns of one file or several, and the runs that use the clusterings."""
    from assay.tasks.clustering.cluster_columns import ClusterColumns
    from assay.tasks.clustering.clustering import ClusteringEvidence

    used = ClusterColumns(features=features or None, **columns)
    tables = decimal_comma_tables(files) if decimal_comma else list(files)
    return ClusteringEvidence.read(tables, used, qrels, _runs_by_name(runs) if runs else None)


def clustering_inputs(*further: Decorator) -> TaskInputs:
    """Return the inputs of a command over clusterings, with options of its own."""
    return TaskInputs(
        "clustering",
        [
            files_argument(),
            column_option(
                "--cluster",
                required=True,
                multiple=True,
                help='Column of the clusters; may be repeated or a pattern such as "k*".',
            ),
            column_option(
                "--classes",
                cls=RenamedOption,
                before="--class",
                help="Column of the true class.",
            ),
            column_option(
                "--features",
                multiple=True,
                metavar="COLUMNS",
                help='Columns of the coordinates; a pattern such as "x*".',
            ),
            choice_option(
                "--distance",
                DISTANCES,
                default=None,
                help="Distance between points; precomputed: the features are a distance matrix.",
            ),
            item_option,
            slices_option,
            decimal_comma_option,
            *further,
            missing_option("drop", what="items without a cluster or a class"),
        ],
        read,
    )


def _runs_by_name(given: tuple[str, ...]) -> dict[str, str]:
    named = {}
    for each in given:
        name, equals, path = each.partition("=")
        if not equals or not path:
            raise click.UsageError(f"--run {each}: write the clustering and its run as COLUMN=FILE")
        named[name] = path
    return named


INPUTS = clustering_inputs(
    file_option("--qrels", help="Judgments, for the runs that use clusterings."),
    file_option(
        "--run", "runs", multiple=True, metavar="COLUMN=RUN", help="Run that uses a clustering."
    ),
)
CLUSTERINGS = clustering_inputs()
"""The inputs without the runs that use the clusterings."""


@click.command(
    "clustering",
    epilog="""\b
Examples:
  assay clustering clusters.csv --cluster c --classes topic
  assay clustering clusters.csv --cluster c --classes topic -m "purity NMI(mean=max)"
  assay clustering points.parquet --cluster c --features "x*" --distance cosine
  assay clustering points.parquet --cluster "k*" --features "x*" -m "silhouette WSS"
  assay clustering clusters.csv --cluster c --classes topic --per-cluster
  assay clustering old.csv new.csv --cluster c --classes topic --item id
  assay clustering clusters.csv --cluster "k*" --classes topic --qrels qrels.txt \\
    --run k5=five.run --run k9=nine.run""",
)
@INPUTS
@click.option("--per-cluster", is_flag=True, help="Show a row for each cluster, not the scores.")
@output_options
def command(evidence: ClusteringEvidence, per_cluster: bool, output: Output) -> None:
    """Evaluate clusterings by true classes, by points, or both."""
    from assay.tasks.clustering.cluster_results import cluster_table

    with progress_bar("pairs of points", output.quiet) as progress:
        shown = replace(evidence, pair_progress=progress) if progress else evidence
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


def _show_selection(scores: Scores, output: Output) -> None:
    from assay.reports.text.table_text import align_columns, frame_rows
    from assay.tasks.clustering.cluster_results import choose_clusterings

    rows = [
        (c.measure, c.clustering, c.clusters, c.value, c.note) for c in choose_clusterings(scores)
    ]
    if rows:
        head = ["measure", "clustering", "clusters", "value", ""]
        table = align_columns(frame_rows(head, rows, output.digits), indent="  ")
        print_text(f"\nBest by each measure:\n\n{table}")
