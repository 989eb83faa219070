"""Tables with true classes, and predicted classes, scores or probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    Decorator,
    column_option,
    files_argument,
    item_option,
    labels_option,
    missing_option,
    positive_option,
    predicted_class_option,
    sklearn_profile_option,
    slices_option,
    weight_option,
)
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.tasks.evidence import TaskEvidence


def read(
    files: tuple[str, ...],
    sets: bool = False,
    spans: bool = False,
    robustness: str | None = None,
    **columns: Any,
) -> TaskEvidence:
    """Read the columns of one file or several: classes, sets of labels, or spans of text."""
    if sets or spans:
        return _read_lists(list(files), spans, columns)
    from assay.tasks.classification.classification import ClassificationEvidence, read_degrees
    from assay.tasks.classification.predictions import ClassificationColumns

    used = ClassificationColumns(**columns)
    if robustness is not None:
        return read_degrees(list(files), robustness, used)
    return ClassificationEvidence.read(list(files), used)


def _read_lists(files: list[str], spans: bool, columns: dict[str, Any]) -> TaskEvidence:
    from assay.tasks.label_sets import LabelSetEvidence
    from assay.tasks.spans import SpanEvidence

    named = {"truth": columns["truth"], "predicted": columns["predicted"] or "predicted"}
    if spans:
        return SpanEvidence.read(files, **named)
    return LabelSetEvidence.read(files, **named, item=columns["item"])


def classification_inputs(*further: Decorator) -> TaskInputs:
    """Return the inputs of a command over classifiers, with options of its own."""
    return TaskInputs(
        "classification",
        [
            files_argument(),
            column_option("--truth", default="truth", help="Column of the true class."),
            predicted_class_option,
            column_option(
                "--score",
                multiple=True,
                help="Column of a number that is higher for the positive class; may be repeated.",
            ),
            column_option(
                "--probabilities",
                multiple=True,
                metavar="PATTERN",
                help='Columns of probabilities, such as "p_*"; may be repeated.',
            ),
            item_option,
            weight_option,
            positive_option,
            labels_option,
            missing_option("drop", "wrong"),
            *further,
        ],
        read,
    )


PREDICTIONS = classification_inputs()
"""The inputs of figures."""
INPUTS = classification_inputs(
    slices_option,
    click.option(
        "--threshold",
        type=float,
        help="Predict positive at or above this score. 'assay threshold' finds one.",
    ),
    sklearn_profile_option,
    click.option(
        "--robustness",
        metavar="PATTERN",
        help='Columns of predictions with more and more input missing, such as "guess_*".',
    ),
    click.option("--sets", is_flag=True, help="Truth and prediction are sets of labels."),
    click.option("--spans", is_flag=True, help="Truth and prediction are spans of text."),
)
