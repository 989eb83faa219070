"""The command of a figure, from its inputs, examples and options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import click

from assay.cli.options import choice_option, output_option, quiet_option
from assay.cli.output import print_notes, print_system_files
from assay.cli.parameters import Decorator, combine_options
from assay.cli.task_inputs import TaskInputs
from assay.core.output_files import is_standard_output
from assay.core.phrases import escape_controls

THEME = choice_option(
    "--theme", ["light", "dark", "auto"], help="Colors; auto: an SVG that follows its reader."
)


class FigureCommand(NamedTuple):
    """A kind of figure on the command line."""

    summary: str
    inputs: TaskInputs | None
    """The inputs of its task; None for a file that the figure reads itself."""
    examples: Sequence[str]
    """Its arguments, without the name of the figure."""
    options: Sequence[Decorator] = ()


def figure_command(kind: str, figure: FigureCommand) -> click.Command:
    """Return the command that draws and writes a figure, and prints what it shows."""

    def draw(evidence: Any, output: str, theme: Any, quiet: bool, **options: Any) -> None:
        """Draw the figure, write it, and print what it shows."""
        from assay.cli.figure_files import save_figure
        from assay.reports.figures.plot import plot
        from assay.tasks.evidence import TaskEvidence

        drawn = plot(kind, evidence, **options)
        if isinstance(evidence, TaskEvidence):
            print_notes(evidence.input_notes(), quiet)
        save_figure(drawn, output, quiet, theme=theme)
        if not quiet and not is_standard_output(output):
            click.echo(escape_controls(f"{drawn.title}: {output}"))
            if figure.inputs and figure.inputs.task == "retrieval":
                print_system_files(evidence.sources)

    head = "Example:" if len(figure.examples) == 1 else "Examples:"
    decorate = combine_options(
        figure.inputs or click.argument("evidence", metavar="FILE"),
        *figure.options,
        output_option(
            "-o", "--output", required=True, help="x.svg, x.png or x.pdf; x.csv for its points"
        ),
        THEME,
        quiet_option,
    )
    calls = [f"  assay plot {kind} {example}" for example in figure.examples]
    epilog = "\n".join(["\b", head, *calls])
    return click.command(kind, help=figure.summary, epilog=epilog)(decorate(draw))
