"""The figures of the learning tasks, by the class of the result."""

from __future__ import annotations

from collections.abc import Mapping

from assay.core.errors import unknown_name
from assay.reports.figures.figure import Figure, figure
from assay.reports.text.result_text import load
from assay.selection.learning_tasks.task_result import TaskResult

FIGURES_OF_TASKS = {
    "DimensionReduction": "reduction_figures:reduction_figures",
    "MissingInput": "missing_figures:missing_figures",
    "ClusterCounts": "cluster_count_figures:cluster_count_figures",
    "DensityEstimates": "density_figures:density_figures",
    "OutlierDetection": "outlier_figures:outlier_figures",
    "Preparation": "preparation_figures:preparation_figures",
    "RegressionFit": "regression_fit_figures:regression_fit_figures",
    "SelfOrganizingMap": "map_figures:map_figures",
    "SemiSupervised": "semi_supervised_figures:semi_supervised_figures",
}
"""The function that draws the figures of a task, as module:function of this folder."""


def task_figures(result: TaskResult) -> Mapping[str, Figure]:
    """Return the figures of a learning task by name; the first one belongs to the result."""
    place = FIGURES_OF_TASKS[type(result).__name__]
    found: Mapping[str, Figure] = load(f"assay.reports.figures.{place}")(result)
    return found


@figure("learning-task")
def plot_learning_task(result: TaskResult, show: str | None = None) -> Figure:
    """Draw a figure of a learning task by its name, the first one by default."""
    figures = task_figures(result)
    if show is not None and show not in figures:
        raise unknown_name("figure of this result", show, figures)
    return figures[show or next(iter(figures))]
