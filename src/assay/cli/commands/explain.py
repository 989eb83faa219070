"""``assay explain``."""

from __future__ import annotations

import click

from assay.cli.explanations.ranking_commands import retrieval
from assay.cli.explanations.table_commands import COMMANDS
from assay.cli.task_group import TaskGroup


@click.group(
    "explain",
    cls=TaskGroup,
    epilog="""\b
Examples:
  assay explain retrieval qrels.txt bm25.run -m nDCG@10 --query 301
  assay explain retrieval qrels.txt bm25.run dense.run -m AP --query 301
  assay explain retrieval qrels.txt bm25.run -m AP --profiles
  assay explain classification predictions.csv -m MCC --truth label --predicted guess
  assay explain clustering clusters.csv -m purity --cluster c --class topic
  assay explain agreement ratings.csv -m alpha --item doc --assessor who --label grade""",
)
def command() -> None:
    """Show the work behind one number."""


for each in (retrieval, *COMMANDS):
    command.add_command(each)
