"""``assay explain`` for tasks that evaluate a table of items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.explanations.explanation_output import (
    show_explanation,
    show_explanations,
    show_profiles,
)
from assay.cli.options import digits_option, ignored_quiet_option, profiles_option
from assay.cli.output import one_measure_option
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.tasks.evidence import TaskEvidence


def explanation_command(inputs: TaskInputs) -> click.Command:
    """Return the command that explains a number of a task, system by system."""
    has_profiles = "profile" in {param.name for param in inputs.params()}

    def run(evidence: TaskEvidence, measure: str, digits: int, profiles: bool = False) -> None:
        if profiles:
            _explain_profiles(evidence, measure, digits)
        else:
            _explain_systems(evidence, measure, digits)

    decorated: Any = profiles_option(run) if has_profiles else run
    for option in (ignored_quiet_option, digits_option, one_measure_option(), inputs):
        decorated = option(decorated)
    return click.command(inputs.task, help=f"Explain a measure of {inputs.task}.")(decorated)


def _explain_systems(evidence: TaskEvidence, measure: str, digits: int) -> None:
    from assay.tasks.explanation.table_explanations import explain_system

    found = {name: explain_system(evidence, measure, name) for name in evidence.systems}
    if len(found) == 1:
        show_explanation(found[evidence.systems[0]], digits)
    else:
        show_explanations("", found, digits)


def _explain_profiles(evidence: TaskEvidence, measure: str, digits: int) -> None:
    from assay.core.errors import UsageError
    from assay.tasks.evidence import TableEvidence
    from assay.tasks.explanation.profile_differences import table_values_by_profile

    if not isinstance(evidence, TableEvidence):
        raise UsageError("--profiles needs a table of items")
    for number, name in enumerate(evidence.systems):
        if len(evidence.systems) > 1:
            click.echo("\n" * bool(number) + click.style(name, bold=True))
        show_profiles(measure, table_values_by_profile(evidence, measure, name), digits)
