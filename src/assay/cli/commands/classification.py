"""``assay classification``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.inputs.classification import INPUTS
from assay.cli.messages import terminal_width
from assay.cli.options import arrange_option
from assay.cli.output import Output, output_options

if TYPE_CHECKING:
    from assay.tasks.evidence import TaskEvidence

GROUP = "evaluate"


@click.command(
    "classification",
    epilog="""\b
Examples:
  assay classification predictions.csv --truth label --predicted guess
  assay classification predictions.csv --truth label --predicted old --predicted new
  assay classification old.csv new.csv --truth label --predicted guess --item id
  assay classification predictions.csv --truth sick --score p --positive yes
  assay classification predictions.csv --truth sick --score p --threshold 0.5 -m "MCC F1"
  assay classification predictions.csv --truth label --predicted guess --by segment
  assay classification sizes.csv --truth size --predicted guess --labels S,M,L,XL \\
    -m "kappa(weights=quadratic)"
  assay classification predictions.parquet --truth label --probabilities "p_*"
  assay classification predictions.csv --truth label --predicted guess -m "F(average=micro) MCC"
  assay classification predictions.csv --truth label --robustness "guess_*"
  assay classification tags.jsonl --truth tags --predicted guessed --sets
  assay classification spans.jsonl --spans""",
)
@INPUTS
@arrange_option
@click.option("--brief", is_flag=True, help="Only the table of measures.")
@output_options
def command(evidence: TaskEvidence, output: Output, cluster: bool, brief: bool) -> None:
    """Evaluate classifiers: decisions, scores, probabilities."""
    scores = output.scores(evidence)
    whole = output.format == "table" and not output.per_unit
    if output.format == "table" and getattr(evidence, "degrees", False):
        from assay.reports.text.score_tables import robustness_text

        click.echo(robustness_text(scores, output.digits) + "\n")
        whole = False
    output.show(scores)
    if whole and not brief and not output.measures:
        _show_matrices(evidence, output.digits, cluster)


def _show_matrices(evidence: TaskEvidence, digits: int, cluster: bool) -> None:
    """Print the confusion matrix of each system that has one, and how to read it."""
    from assay.evidence.views.confusion import Confusion
    from assay.reports.text.confusion_text import classification_report
    from assay.reports.text.table_text import UNBOUNDED

    width = terminal_width(UNBOUNDED)
    for system in evidence.systems:
        matrix = evidence.views(system).get(Confusion)
        if matrix is None:
            continue
        if len(evidence.systems) > 1:
            click.echo("\n" + click.style(system, bold=True))
        report = classification_report(matrix(), digits=digits, cluster=cluster, width=width)
        click.echo("\n" + report)
