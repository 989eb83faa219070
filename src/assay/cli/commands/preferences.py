"""``assay preferences``: runs against preferences between documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.inputs.preferences import INPUTS
from assay.cli.output import Output, output_options

if TYPE_CHECKING:
    from assay.tasks.preferences import PreferenceEvidence

GROUP = "evaluate"


@click.command(
    epilog="""\b
Examples:
  assay preferences prefs.txt bm25.run
  assay preferences pairs.txt bm25.run dense.run --input-format pairs -m "ppref@10 wpref@10"
  assay preferences qrels.txt bm25.run --input-format qrels -m prefs_pair
"""
)
@INPUTS
@output_options
def command(evidence: PreferenceEvidence, output: Output) -> None:
    """Evaluate runs against preferences between documents."""
    output.show(output.scores(evidence))
