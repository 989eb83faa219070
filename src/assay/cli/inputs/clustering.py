"""Tables of items in clusters, with their classes, their coordinates or both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    Decorator,
    choice_option,
    column_option,
    file_option,
    files_argument,
    item_option,
    missing_option,
)
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.tasks.clustering.clustering import ClusteringEvidence

DISTANCES = ("euclidean", "squared", "cosine", "manhattan", "precomputed")


def read(
    files: tuple[str, ...],
    features: tuple[str, ...] = (),
    qrels: str | None = None,
    runs: tuple[str, ...] = (),
    **columns: Any,
) -> ClusteringEvidence:
    """Read the columns of one file or several, and the runs that use the clusterings."""
    from assay.tasks.clustering.cluster_columns import ClusterColumns
    from assay.tasks.clustering.clustering import ClusteringEvidence

    used = ClusterColumns(features=features or None, **columns)
    return ClusteringEvidence.read(list(files), used, qrels, _runs_by_name(runs) if runs else None)


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
            column_option("--class", "classes", help="Column of the true class."),
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
