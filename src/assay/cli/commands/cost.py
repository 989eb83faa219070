"""``assay cost``: quality against cost, with the Pareto front."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.frames import format_options, show_frames
from assay.cli.options import cost_option, quiet_option, say_notes
from assay.cli.output import one_measure_option
from assay.cli.reading import reading_options, show_files


@click.command(
    epilog="""\b
Examples:
  assay cost qrels.txt bm25.run dense.run --cost seconds.csv
  assay cost qrels.txt bm25.csv dense.csv --cost time -m AP --format markdown
  assay cost qrels.txt bm25.run dense.run --cost 7
"""
)
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@cost_option(required=True)
@one_measure_option("nDCG@10")
@reading_options()
@format_options
@quiet_option
def command(
    qrels: str,
    runs: tuple[str, ...],
    cost: str,
    measure: str,
    reading: dict[str, Any],
    format: str,
    digits: int,
    quiet: bool,
) -> None:
    """Show the quality of runs beside what they cost; those on the front are beaten by no other."""
    from assay.tasks.costs import beside_cost
    from assay.tasks.retrieval import retrieval

    scores = retrieval(qrels, list(runs), [measure], cost=cost, bootstrap=None, **reading)
    say_notes(scores.warnings, quiet)
    show_frames({"cost": beside_cost(scores)}, format, digits)
    show_files(scores.conventions["sources"], format)
