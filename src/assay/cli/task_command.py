"""The command that evaluates a task, for tasks whose command needs nothing of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.output import Output, output_options
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.tasks.evidence import TaskEvidence


def task_command(inputs: TaskInputs) -> click.Command:
    """Return the command over the inputs of a task that shows the scores of its evidence."""

    @click.command(inputs.task, help=inputs.summary, epilog=inputs.examples)
    @inputs
    @output_options
    def command(evidence: TaskEvidence, output: Output) -> None:
        """Evaluate the systems, and show their scores."""
        output.show(output.scores(evidence))

    return command
