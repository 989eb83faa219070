"""``assay explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.explanation_output import show_explanations, show_profiles
from assay.cli.inputs.retrieval import RUNS
from assay.cli.messages import print_system_files
from assay.cli.options import (
    combine_options,
    digits_option,
    ignored_quiet_option,
    profiles_option,
)
from assay.cli.output import one_measure_option
from assay.cli.task_inputs import TaskGroup, TaskInputs, inputs_of, task_names

if TYPE_CHECKING:
    from assay.tasks.evidence import TaskEvidence
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

GROUP = "inspect"


@click.command(
    "retrieval",
    epilog="""\b
Examples:
  assay explain retrieval qrels.txt bm25.run -m nDCG@10 --query 301
  assay explain retrieval qrels.txt bm25.run dense.run -m AP --query 301
  assay explain retrieval qrels.txt bm25.run -m AP --profiles""",
)
@RUNS
@one_measure_option()
@click.option("--query", help="Query to explain. [with --profiles: all]")
@profiles_option
@digits_option
@ignored_quiet_option
def retrieval(
    evidence: RetrievalEvidence, measure: str, query: str | None, profiles: bool, digits: int
) -> None:
    """Explain a measure for one query, document by document; several runs side by side."""
    from assay.core.errors import UsageError
    from assay.tasks.explanation.ranking_explanations import explain_query
    from assay.tasks.explanation.table_explanations import values_by_profile

    if profiles:
        settings, qrels = evidence.settings, evidence.judgments
        if changed := settings.conventions.changes():
            raise UsageError(
                f"--profiles shows the profiles unchanged; leave out {', '.join(changed)}"
            )
        show_profiles(
            measure,
            {
                name: values_by_profile(qrels, run, measure, query, settings.rel)
                for name, run in evidence.runs.items()
            },
            digits,
        )
    elif query is None:
        raise UsageError("name a query with --query, or compare all profiles with --profiles")
    else:
        found = {name: explain_query(evidence, name, measure, query) for name in evidence.systems}
        show_explanations(f"query {query}", found, digits)
    print_system_files(evidence.sources)


def explanation_command(inputs: TaskInputs) -> click.Command:
    """Return the command that explains a number of a task, system by system."""

    def run(evidence: TaskEvidence, measure: str, digits: int, profiles: bool = False) -> None:
        from assay.core.errors import UsageError
        from assay.tasks.explanation.table_explanations import (
            explain_system,
            table_values_by_profile,
        )
        from assay.tasks.table_evidence import TableEvidence

        names = evidence.systems
        if not profiles:
            found = {name: explain_system(evidence, measure, name) for name in names}
            show_explanations("", found, digits)
        elif isinstance(evidence, TableEvidence):
            values = {name: table_values_by_profile(evidence, measure, name) for name in names}
            show_profiles(measure, values, digits)
        else:
            raise UsageError("--profiles needs a table of items")

    has_profiles = "profile" in {param.name for param in inputs.params()}
    decorate = combine_options(
        inputs,
        one_measure_option(),
        digits_option,
        ignored_quiet_option,
        *([profiles_option] if has_profiles else []),
    )
    return click.command(inputs.task, help=f"Explain a measure of {inputs.task}.")(decorate(run))


class ExplainedTasks(TaskGroup):
    """The tasks as commands: retrieval query by query, the others from their tables."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the tasks."""
        return task_names()

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command for a task."""
        if name == retrieval.name:
            return retrieval
        inputs = inputs_of(name)
        return None if inputs is None else explanation_command(inputs.of_command("explain"))


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
