"""``assay measures``."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from assay.cli.options import ignored_quiet_option
from assay.cli.output import terminal_width

if TYPE_CHECKING:
    from assay.core.definition import Definition

GROUP = "inspect"

NAME_WIDTH = 20
"""A longer name has a line of its own."""


@click.command(
    "measures",
    epilog="""\b
Examples:
  assay measures
  assay measures nDCG
  assay measures "break-even point"
  assay measures clustering
  assay measures --for "first answer"
  assay measures --for goals""",
)
@click.argument("name", required=False)
@click.option("--task", help="Only the measures of this task.")
@click.option("--for", "goal", metavar="GOAL", help='The measures for a goal; "goals" lists them.')
@ignored_quiet_option
def command(name: str | None, task: str | None, goal: str | None) -> None:
    """List all measures or those of a task, or explain one."""
    if goal is not None:
        click.echo(_format_goal(goal))
        return
    from assay.core.catalogue import catalogue
    from assay.core.errors import unknown_name
    from assay.reports.handbook import measure_page

    tasks = sorted({each.task for each in catalogue().values()})
    if name in tasks:
        name, task = None, name
    if name is not None:
        from assay.core.ambiguous_names import definitions_in_words, matching_definitions

        if len(members := _expand_name(name)) > 1 and all(map(matching_definitions, members)):
            click.echo(f"{name} stands for {', '.join(members)}.")
            return
        worded = definitions_in_words(name) if " " in name else []
        found = [each for each in worded if task in (None, each.task)]
        found = found or _find_definitions(name, task)
        click.echo(
            _print_candidates(name, found) if len(found) > 1 else measure_page(found[0]).rstrip()
        )
        return
    if task is not None and task not in tasks:
        raise unknown_name("task", task, tasks)
    for one in tasks if task is None else [task]:
        click.echo(click.style(one, bold=True))
        click.echo(_format_list(catalogue().of_task(one)))
    click.echo(
        "\n* is shown where no measure is named, as far as the input allows.  · can show its work"
        " with 'assay explain'.\n'assay measures NAME' shows more about one."
    )


def _format_goal(goal: str) -> str:
    """Return the measures for a goal with the reasons, or all goals."""
    from assay.reports.measure_goals import GOALS, find_goal, measures_for
    from assay.reports.text.table_text import align_columns

    if goal == "goals":
        return align_columns([["goal", "what it is"], *([each.name, each.about] for each in GOALS)])
    found = find_goal(goal)
    rows = [["task", "measure", "why"], *map(list, measures_for(goal).rows())]
    return f"{found.name}: {found.about}\n\n{align_columns(rows)}"


def _expand_name(name: str) -> list[str]:
    """Return the measures that a set or a list of depths of trec_eval stands for."""
    from assay.tasks.trec_eval.requested_measures import expand_trec_names

    return expand_trec_names(name)


def _find_definitions(name: str, task: str | None) -> list[Definition]:
    """Return what a name means: one measure, or those of several tasks."""
    from assay.core.ambiguous_names import matching_definitions
    from assay.core.errors import BadParameter, UnknownMeasure
    from assay.core.names import measure

    try:
        return [measure(name, task).definition]
    except (BadParameter, UnknownMeasure):
        # Also a measure that needs parameters, which a page about it does not.
        alike = [each for each in matching_definitions(name) if task in (None, each.task)]
        if not alike:
            raise
        return alike


def _print_candidates(name: str, found: list[Definition]) -> str:
    """The measures that a name can mean, and how to ask for one of them."""
    tasks = len({each.task for each in found})
    meaning = "is a measure of {} tasks" if tasks == len(found) else "may mean {} measures"
    lines = [f"{name} {meaning.format(len(found))}; 'assay measures {found[0].key}' shows more."]
    for each in found:
        lines.append(
            textwrap.fill(
                f"{each.key}: {each.summary}",
                terminal_width(),
                initial_indent="  ",
                subsequent_indent="    ",
            )
        )
    return "\n".join(lines)


def _format_list(definitions: list[Definition]) -> str:
    """Names, marks and summaries, one below the other; long summaries go on in their column."""
    columns = max(len(each.name) for each in definitions if len(each.name) <= NAME_WIDTH)
    indent = " " * (columns + 6)
    lines = []
    for each in definitions:
        marks = ("*" if each.standard else " ") + ("·" if each.tracer else " ")
        head = f"  {each.name:<{columns}} {marks} "
        if len(head) > len(indent):
            lines.append(head.rstrip())
            head = indent
        lines.append(
            textwrap.fill(
                each.summary, terminal_width(), initial_indent=head, subsequent_indent=indent
            )
        )
    return "\n".join(lines)
