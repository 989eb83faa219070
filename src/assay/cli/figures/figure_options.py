"""The options of a figure, what it shows, and how it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from assay.cli.file_options import OutputOption
from assay.cli.options import Function, quiet_option

if TYPE_CHECKING:
    from assay.reports.figures.figure import Figure
    from assay.tasks.evidence import TaskEvidence


def combine_options(*given: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """Return several options as one decorator."""

    def decorate(function: Function) -> Function:
        result: Any = function
        for option in reversed(given):
            result = option(result)
        return result

    return decorate


output_option = combine_options(
    click.option(
        "-o",
        "--output",
        cls=OutputOption,
        required=True,
        metavar="FILE",
        help="x.svg, x.png or x.pdf",
    ),
    quiet_option,
)


def examples(*calls: str) -> str:
    """Return the examples below the help of a figure."""
    head = "Example:" if len(calls) == 1 else "Examples:"
    return "\n".join(["\b", head, *(f"  assay plot {call}" for call in calls)])


def only_view(evidence: TaskEvidence, view: type) -> Any:
    """Return a view of the only system of the evidence; a figure of one system needs it."""
    from assay.core.errors import NeedsInput, UsageError

    if len(evidence.systems) > 1:
        named = ", ".join(evidence.systems)
        raise UsageError(f"this figure shows one system, found {len(evidence.systems)}: {named}")
    make = evidence.views(evidence.systems[0]).get(view)
    if make is None:
        raise NeedsInput(f"this figure needs {evidence.needs[view]}")
    return make()


def save_figure(figure: Figure, output: str, quiet: bool) -> None:
    """Write the figure, and print its title."""
    figure.save(output)
    if not quiet:
        click.echo(f"{figure.title}: {output}")
