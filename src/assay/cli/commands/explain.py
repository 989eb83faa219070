"""``assay explain``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from assay.cli.commands.retrieval import RUNS
from assay.cli.options import (
    digits_option,
    one_measure_option,
    profiles_option,
    quiet_option,
)
from assay.cli.output import print_notes, print_system_files, print_text, terminal_width
from assay.cli.parameters import combine_options, parameters
from assay.cli.task_inputs import TaskGroup, TaskInputs, inputs_of, task_names

if TYPE_CHECKING:
    from assay.tasks.evidence import TaskEvidence
    from assay.tasks.explanation.ranking_explanations import Explanation
    from assay.tasks.explanation.table_explanations import ProfileValue
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
@click.option("--query", help="Query to explain. [default: the only one; with --profiles: all]")
@click.option(
    "--every-rank", is_flag=True, help="Show every rank of a list with more than 50 documents."
)
@profiles_option
@digits_option
@quiet_option
def retrieval(
    evidence: RetrievalEvidence,
    measure: str,
    query: str | None,
    every_rank: bool,
    profiles: bool,
    digits: int,
    quiet: bool,
) -> None:
    """Explain a measure for one query, document by document; several runs side by side."""
    from assay.core.errors import UsageError
    from assay.tasks.explanation.explain import explain
    from assay.tasks.explanation.ranking_explanations import only_query
    from assay.tasks.explanation.table_explanations import values_by_profile

    print_notes(evidence.input_notes(), quiet)
    judged = evidence.judgments
    if profiles:
        settings = evidence.settings
        if changed := settings.conventions.changes():
            raise UsageError(
                f"--profiles shows the profiles unchanged; leave out {', '.join(changed)}"
            )
        values = {
            name: values_by_profile(judged, run, measure, query, settings.rel)
            for name, run in evidence.runs.items()
        }
        show_profiles(measure, values, digits)
    else:
        if query is None:
            query = only_query(judged)
        show_explanations(explain(evidence, measure, query, every_rank=every_rank), digits)
    print_system_files(evidence.sources)


def explanation_command(inputs: TaskInputs) -> click.Command:
    """Return the command that explains a number of a task, system by system."""

    def run(
        evidence: TaskEvidence, measure: str, digits: int, quiet: bool, profiles: bool = False
    ) -> None:
        """Explain the number of each system, or show it under each profile."""
        from assay.core.errors import UsageError
        from assay.tasks.explanation.explain import explain
        from assay.tasks.explanation.table_explanations import table_values_by_profile
        from assay.tasks.table_evidence import TableEvidence

        print_notes(evidence.input_notes(), quiet)
        if not profiles:
            show_explanations(explain(evidence, measure), digits)
        elif isinstance(evidence, TableEvidence):
            values = {
                name: table_values_by_profile(evidence, measure, name) for name in evidence.systems
            }
            show_profiles(measure, values, digits)
        else:
            raise UsageError("--profiles needs a table of items")

    has_profiles = "profile" in {param.name for param in parameters(inputs.options)}
    decorate = combine_options(
        inputs,
        one_measure_option(),
        digits_option,
        quiet_option,
        *([profiles_option] if has_profiles else []),
    )
    return click.command(inputs.task, help=f"Explain a measure of {inputs.task}.")(decorate(run))


def show_explanations(found: Explanation, digits: int) -> None:
    """Print how a number is computed; of several systems side by side, with the differences."""
    from assay.reports.text.explanation_text import (
        explanation_details,
        explanation_headline,
        systems_details,
        systems_headline,
    )

    if found.systems:
        print_text(systems_headline(found), bold=True)
        print_text(systems_details(found, digits, terminal_width()))
    else:
        print_text(explanation_headline(found, digits), bold=True)
        print_text(explanation_details(found, digits))


def show_profiles(measure: str, found: Mapping[str, Sequence[ProfileValue]], digits: int) -> None:
    """Print the number of each system under each profile, and why it differs from the first."""
    from assay.reports.text.table_text import align_columns, number

    for place, (system, values) in enumerate(found.items()):
        if len(found) > 1:
            print_text("\n" * bool(place) + system, bold=True)
        rows = [["profile", measure, "what makes the difference"]]
        for each in values:
            why = ", ".join(each.causes)
            if each.refused:
                why = f"refused: {each.refused}" + (f" ({why})" if why else "")
            rows.append([each.profile, number(each.value, digits), why])
        print_text(align_columns(rows))


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
  assay explain clustering clusters.csv -m purity --cluster c --classes topic
  assay explain clustering points.csv -m silhouette --cluster c --features "x*"
  assay explain agreement ratings.csv -m alpha --item doc --assessor who --label grade
  assay explain correlation leaderboards.csv -m tau --item system --first ap --second ndcg""",
)
def command() -> None:
    """Show how one number is computed."""
