"""Ratings: the labels that assessors gave to items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.options import rating_options, scale_option
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.tasks.agreement import AgreementEvidence
    from assay.tasks.inputs.table_columns import Policy


def read(
    files: tuple[str, ...], scale: str, labels: str | None, missing: Policy, **columns: str | None
) -> AgreementEvidence:
    """Read ratings."""
    from assay.tasks.agreement import AgreementEvidence
    from assay.tasks.inputs.rating_columns import RatingColumns

    return AgreementEvidence.read(list(files), RatingColumns(**columns), scale, labels, missing)


INPUTS = TaskInputs(
    "agreement",
    [
        click.argument("files", metavar="FILE...", nargs=-1, required=True),
        rating_options,
        click.option("--topic", metavar="COLUMN", help="Column of topics, which become slices."),
        scale_option,
    ],
    read,
    systems="files",
)
