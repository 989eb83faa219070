"""``assay agreement``: ratings: the labels that assessors gave to items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.cli.options import (
    column_option,
    decimal_comma_option,
    decimal_comma_tables,
    files_argument,
    rating_options,
    scale_option,
    slices_option,
)
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.tasks.agreement import AgreementEvidence
    from assay.tasks.inputs.missing_values import MissingPolicy

GROUP = "evaluate"


def read(
    files: tuple[str, ...],
    scale: str,
    labels: str | None,
    missing: MissingPolicy,
    decimal_comma: bool = False,
    **columns: Any,
) -> AgreementEvidence:
    """Read ratings."""
    from assay.tasks.agreement import AgreementEvidence
    from assay.tasks.inputs.rating_columns import RatingColumns

    tables = decimal_comma_tables(files) if decimal_comma else list(files)
    return AgreementEvidence.read(tables, RatingColumns(**columns), scale, labels, missing)


INPUTS = TaskInputs(
    "agreement",
    [
        files_argument(),
        rating_options,
        column_option("--topic", help="Column of topics, which become slices."),
        slices_option,
        scale_option,
        decimal_comma_option,
    ],
    read,
)
command = INPUTS.command(
    "Measure how far assessors agree.",
    """\b
Examples:
  assay agreement ratings.csv --item doc --assessor who --label grade
  assay agreement ratings.csv --item doc --assessor who --label grade --scale ordinal
  assay agreement ratings.csv --item doc --assessor who --label grade \\
    -m "kappa(weights=quadratic) kappa_rest" --per-unit
  assay agreement ratings.csv --item doc --assessor who --label grade --topic query
  assay agreement wide.csv --item doc --assessors "ann,ben,cem" """,
)
