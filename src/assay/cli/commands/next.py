"""``assay next``: which documents to judge next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.command_groups import in_group
from assay.cli.messages import wrap_message
from assay.cli.options import print_notes, quiet_option
from assay.cli.output import one_measure_option
from assay.cli.reading_options import reading_options
from assay.cli.table_output import format_options, show_frames

if TYPE_CHECKING:
    from assay.tasks.retrieval.run_settings import RunSettings

LEGEND = (
    "rank_first, rank_second: its ranks in FIRST, {first}, and SECOND, {second}",
    "now: FIRST − SECOND for the query as judged; change: how much that would move if the document"
    " had the best grade",
)


@in_group("inspect")
@click.command(
    epilog="""\b
Examples:
  assay next qrels.txt bm25.run dense.run
  assay next qrels.txt bm25.run dense.run -m P@10 --count 50 --format csv
"""
)
@click.argument("qrels", metavar="QRELS")
@click.argument("first", type=click.Path())
@click.argument("second", type=click.Path())
@one_measure_option("nDCG@10")
@click.option(
    "--depth",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Search so many documents of each list.",
)
@click.option(
    "--count",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Show so many documents.",
)
@reading_options(cut=False)
@format_options
@quiet_option
def command(
    qrels: str,
    first: str,
    second: str,
    measure: str,
    depth: int,
    count: int,
    settings: RunSettings,
    format: str,
    digits: int,
    quiet: bool,
) -> None:
    """List the unjudged documents that could change an order most.

    The order is that of two runs, FIRST and SECOND.

    The change is how much the difference FIRST − SECOND for the query would move if the document
    had the best grade.
    """
    from assay.tasks.retrieval.judge_next import unjudged_candidates
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

    notes: list[str] = []
    evidence = RetrievalEvidence.read(qrels, {"first": first, "second": second}, settings)
    found = unjudged_candidates(evidence, measure, depth, count, notes.append)
    print_notes(notes, quiet)
    show_frames({"next": found}, format, digits)
    if format == "table":
        said = [line.format(first=first, second=second) for line in LEGEND]
        click.echo("\n" + "\n".join(map(wrap_message, said)))
