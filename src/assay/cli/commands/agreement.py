"""``assay agreement``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.inputs.agreement import INPUTS
from assay.cli.output import Output, output_options

if TYPE_CHECKING:
    from assay.tasks.agreement import AgreementEvidence

GROUP = "evaluate"


@click.command(
    "agreement",
    epilog="""\b
Examples:
  assay agreement ratings.csv --item doc --assessor who --label grade
  assay agreement ratings.csv --item doc --assessor who --label grade --scale ordinal
  assay agreement ratings.csv --item doc --assessor who --label grade \\
    -m "kappa(weights=quadratic) kappa_rest" --per-unit
  assay agreement ratings.csv --item doc --assessor who --label grade --topic query
  assay agreement wide.csv --item doc --assessors "ann,ben,cem" """,
)
@INPUTS
@output_options
def command(evidence: AgreementEvidence, output: Output) -> None:
    """Measure how far assessors agree."""
    output.show(output.scores(evidence))
