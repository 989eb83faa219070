"""Tables with true and predicted numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.cli.options import (
    column_option,
    files_argument,
    item_option,
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
        files_argument(),
        column_option("--truth", default="truth", help="Column of the true numbers."),
        column_option(
            "--predicted",
            multiple=True,
            help="Column of the predicted numbers; repeat it for several systems.",
        ),
        column_option(
            "--density",
            multiple=True,
            help="Column of the density that a model gave to each item; may be repeated.",
        ),
        item_option,
        weight_option,
        slices_option,
        missing_option("drop"),
        sklearn_profile_option,
    ],
    read,
)
