"""``assay explain``."""

from __future__ import annotations

import click

from assay.cli.task_group import TaskGroup
from assay.cli.task_inputs import inputs_of, task_names

GROUP = "inspect"


class ExplainedTasks(TaskGroup):
    """The tasks as commands: retrieval query by query, the others from their tables."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the tasks."""
        return task_names()

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command for a task."""
        from assay.cli.explanations.ranking_commands import retrieval
        from assay.cli.explanations.table_commands import explanation_command

        inputs = inputs_of(name)
        if inputs is None or name == retrieval.name:
            return None if inputs is None else retrieval
        return explanation_command(inputs.of_command("explain"))


@click.group(
    "explain",
    cls=ExplainedTasks,
    epilog="""\b
Examples:
  assay explain retrieval qrels.txt bm25.run -m nDCG@10 --query 301
  assay explain retrieval qrels.txt bm25.run dense.run -m AP --query 301
  assay explain retrieval qrels.txt bm25.run -m AP --profiles
  assay explain classification predictions.csv -m MCC --truth label --predicted guess
  assay explain classification predictions.csv -m F --truth label --predicted guess --profiles
  assay explain classification predictions.parquet -m LogLoss --truth label \\
    --probabilities "p_*"
  assay explain regression predictions.csv -m R2 --truth y --predicted yhat
  assay explain clustering clusters.csv -m purity --cluster c --class topic
  assay explain clustering points.csv -m silhouette --cluster c --features "x*"
  assay explain agreement ratings.csv -m alpha --item doc --assessor who --label grade
  assay explain correlation leaderboards.csv -m tau --item system --first ap --second ndcg""",
)
def command() -> None:
    """Show how one number is computed."""
