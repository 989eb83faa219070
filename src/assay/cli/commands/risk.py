"""``assay risk``: wins, losses and risk against a baseline."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.frames import format_options, show_frames
from assay.cli.options import quiet_option, say_notes
from assay.cli.reading import reading_options


@click.command(
    epilog="""\b
Examples:
  assay risk qrels.txt baseline.run new.run
  assay risk qrels.txt baseline.run new.run other.run -m "AP nDCG@10" --alpha 5
"""
)
@click.argument("qrels", metavar="QRELS")
@click.argument("baseline", metavar="BASELINE")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option("--alpha", type=float, default=1.0, show_default=True, help="The weight of losses.")
@reading_options()
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAMES",
    default=["nDCG@10"],
    show_default=True,
    help="Measures by name, parted by blanks; may be repeated.",
)
@format_options
@quiet_option
def command(
    qrels: str,
    baseline: str,
    runs: tuple[str, ...],
    alpha: float,
    reading: dict[str, Any],
    measures: tuple[str, ...],
    format: str,
    digits: int,
    quiet: bool,
) -> None:
    """Compare runs with a BASELINE query by query, losses counting 1 + alpha times."""
    from assay.tasks.risk import risk

    notes: list[str] = []
    found = risk(
        qrels,
        baseline,
        list(runs),
        list(measures),
        alpha=alpha,
        tell=notes.append,
        **reading,
    )
    say_notes(notes, quiet)
    show_frames({"risk": found}, format, digits)
