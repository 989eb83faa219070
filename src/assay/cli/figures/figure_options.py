"""The options of a figure, what it shows, and how it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from assay.cli.file_options import OutputOption
from assay.cli.options import Function, quiet_option


def combine_options(*given: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """Return several options as one decorator."""

    def decorate(function: Function) -> Function:
        """Apply the options in the order in which help shows them."""
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


def save_figure(kind: str, *inputs: Any, output: str, quiet: bool, **options: Any) -> None:
    """Draw and write a figure, and print what it shows."""
    from assay.reports.figures.plot import plot

    figure = plot(kind, *inputs, **options)
    figure.save(output)
    if not quiet:
        click.echo(f"{figure.title}: {output}")
