"""``assay explain``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
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
    from assay.tasks.explanation.ranking_explanations import explain_query, only_query
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
        found = {
            name: explain_query(evidence, name, measure, query, every_rank)
            for name in evidence.systems
        }
        show_explanations(f"query {query}", found, digits)
    print_system_files(evidence.sources)


def explanation_command(inputs: TaskInputs) -> click.Command:
    """Return the command that explains a number of a task, system by system."""

    def run(
        evidence: TaskEvidence, measure: str, digits: int, quiet: bool, profiles: bool = False
    ) -> None:
        """Explain the number of each system, or show it under each profile."""
        from assay.core.errors import UsageError
        from assay.tasks.explanation.table_explanations import (
            explain_system,
            table_values_by_profile,
        )
        from assay.tasks.table_evidence import TableEvidence

        print_notes(evidence.input_notes(), quiet)
        names = evidence.systems
        if not profiles:
            found = {name: explain_system(evidence, measure, name) for name in names}
            show_explanations("", found, digits)
        elif isinstance(evidence, TableEvidence):
            values = {name: table_values_by_profile(evidence, measure, name) for name in names}
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


def show_explanations(about: str, found: Mapping[str, Explanation], digits: int) -> None:
    """Print how a number is computed; of several systems side by side, with the differences."""
    from assay.reports.text.explanation_text import (
        UNJUDGED,
        explanation_details,
        explanation_headline,
        explanation_table,
        has_unjudged,
    )
    from assay.reports.text.table_text import align_columns, number, signed_number

    first, *others = found.values()
    if not others:
        print_text(explanation_headline(first, digits), bold=True)
        print_text(explanation_details(first, digits))
        return
    print_text(f"{first.measure}, {about}" if about else first.measure, bold=True)
    print_text(f"{first.formula}\n")
    rows = [["system", first.measure, "difference"]]
    for name, each in found.items():
        apart = "" if each is first else signed_number(each.value - first.value, digits)
        rows.append([name, number(each.value, digits), apart])
    print_text(align_columns(rows) + "\n")
    blocks = [
        [
            f"{name}: {explanation_headline(each, digits)}",
            *explanation_table(each, digits).split("\n"),
        ]
        for name, each in found.items()
    ]
    print_text("\n".join(side_by_side(blocks, terminal_width())))
    notes = [f"{name}: {note}" for name, each in found.items() for note in each.notes]
    if any(map(has_unjudged, found.values())):
        notes.append(UNJUDGED)
    print_text("\n" + "\n".join(notes) if notes else "", nl=bool(notes))


GAP = "    "
"""Between two tables side by side."""


def side_by_side(blocks: Sequence[list[str]], room: int) -> list[str]:
    """Return tables side by side as far as there is room, and one below the other elsewhere."""
    lines: list[str] = []
    placed: list[list[str]] = []
    for block in blocks:
        if placed and sum(map(_width, [*placed, block])) + len(GAP) * len(placed) > room:
            lines += [*_join_lines(placed), ""]
            placed = []
        placed.append(block)
    return [*lines, *_join_lines(placed)]


def _join_lines(blocks: list[list[str]]) -> list[str]:
    rows = zip_longest(*blocks, fillvalue="")
    widths = [_width(block) for block in blocks]
    return [
        GAP.join(line.ljust(width) for line, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _width(block: list[str]) -> int:
    return max(map(len, block))


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
