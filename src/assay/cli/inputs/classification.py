"""Tables with true classes, and predicted classes, scores or probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    labels_option,
    missing_option,
    positive_option,
    sklearn_profile_option,
    slices_option,
    threshold_option,
    weight_option,
)
from assay.cli.task_inputs import Decorator, TaskInputs

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
    from assay.tasks.classification.classification import ClassificationEvidence
    from assay.tasks.classification.predictions import ClassificationColumns
    from assay.tasks.classification.robustness import read_degrees

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
            click.argument("files", metavar="FILE...", nargs=-1, required=True),
            click.option(
                "--truth",
                default="truth",
                show_default=True,
                metavar="COLUMN",
                help="Column of the true class.",
            ),
            click.option(
                "--predicted",
                multiple=True,
                metavar="COLUMN",
                help="Column of the predicted class; repeat it for several systems.",
            ),
            click.option(
                "--score",
                multiple=True,
                metavar="COLUMN",
                help="Column of a number that is higher for the positive class; may be repeated.",
            ),
            click.option(
                "--probabilities",
                multiple=True,
                metavar="PATTERN",
                help='Columns of probabilities, such as "p_*"; may be repeated.',
            ),
            click.option("--item", metavar="COLUMN", help="Column that identifies the items."),
            weight_option,
            positive_option,
            labels_option,
            missing_option("drop", "wrong"),
            *further,
        ],
        read,
        systems="files",
    )


PREDICTIONS = classification_inputs()
"""The inputs of figures."""
INPUTS = classification_inputs(
    slices_option,
    threshold_option,
    sklearn_profile_option,
    click.option(
        "--robustness",
        metavar="PATTERN",
        help='Columns of predictions with more and more input missing, such as "guess_*".',
    ),
    click.option("--sets", is_flag=True, help="Truth and prediction are sets of labels."),
    click.option("--spans", is_flag=True, help="Truth and prediction are spans of text."),
)
