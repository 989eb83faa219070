"""Confusion matrices, or tables of true and predicted classes to count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    choice_option,
    column_option,
    files_argument,
    labels_option,
    missing_option,
    positive_option,
    predicted_class_option,
    weight_option,
)
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.tasks.classification.confusion import ConfusionEvidence


def read(files: tuple[str, ...], collapse: str | None = None, **columns: Any) -> ConfusionEvidence:
    """Read matrices, or count decisions; with ``collapse`` some classes against the rest."""
    from assay.tasks.classification.confusion import ConfusionEvidence

    names = [name.strip() for name in collapse.split(",")] if collapse is not None else []
    return ConfusionEvidence.read(list(files), collapse=names, **columns)


INPUTS = TaskInputs(
    "confusion",
    [
        files_argument(),
        choice_option(
            "--rows",
            ["actual", "predicted"],
            default=None,
            help="Classes in the rows of a matrix; its first column names them.",
        ),
        column_option("--truth", help="Column of the true class, item by item."),
        predicted_class_option,
        weight_option,
        positive_option,
        labels_option,
        click.option("--collapse", metavar="CLASSES", help="These classes (a,b) against the rest."),
        missing_option("drop", "wrong"),
    ],
    read,
)
