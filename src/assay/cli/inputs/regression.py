"""Tables with true and predicted numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    missing_option,
    sklearn_profile_option,
    slices_option,
    weight_option,
)
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.tasks.regression.regression import RegressionEvidence


def read(files: tuple[str, ...], **columns: Any) -> RegressionEvidence:
    """Read the columns of one file or several."""
    from assay.tasks.regression.regression import RegressionColumns, RegressionEvidence

    return RegressionEvidence.read(list(files), RegressionColumns(**columns))


INPUTS = TaskInputs(
    "regression",
    [
        click.argument("files", metavar="FILE...", nargs=-1, required=True),
        click.option(
            "--truth",
            default="truth",
            show_default=True,
            metavar="COLUMN",
            help="Column of the true numbers.",
        ),
        click.option(
            "--predicted",
            multiple=True,
            metavar="COLUMN",
            help="Column of the predicted numbers; repeat it for several systems.",
        ),
        click.option(
            "--density",
            multiple=True,
            metavar="COLUMN",
            help="Column of the density that a model gave to each item; may be repeated.",
        ),
        click.option("--item", metavar="COLUMN", help="Column that identifies the items."),
        weight_option,
        slices_option,
        missing_option("drop"),
        sklearn_profile_option,
    ],
    read,
    systems="files",
)
