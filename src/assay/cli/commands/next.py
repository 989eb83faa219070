"""``assay next``: which documents to judge next."""

from __future__ import annotations

import click

from assay.cli.frames import format_options, show_frames
from assay.cli.options import profile_option, quiet_option, rel_option, say_notes

LEGEND = """
rank_first, rank_second: its ranks in FIRST and SECOND; now: FIRST − SECOND for the query as judged;
change: how much that would move if the document had the best grade."""


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
@click.option("-m", "--measure", default="nDCG@10", show_default=True, metavar="NAME")
@click.option("--depth", type=click.IntRange(1), default=100, show_default=True)
@click.option("--count", type=click.IntRange(1), default=20, show_default=True)
@rel_option
@profile_option
@format_options
@quiet_option
def command(
    qrels: str,
    first: str,
    second: str,
    measure: str,
    depth: int,
    count: int,
    rel: float | None,
    profile: str,
    format: str,
    digits: int,
    quiet: bool,
) -> None:
    """Show the unjudged documents that could change the order of two runs the most.

    ``change`` is how much the difference FIRST − SECOND for the query would move if the document
    had the best grade.
    """
    from assay.tasks.judging import judge_next

    notes: list[str] = []
    found = judge_next(
        qrels,
        first,
        second,
        measure,
        depth=depth,
        count=count,
        rel=rel,
        profile=profile,
        tell=notes.append,
    )
    say_notes(notes, quiet)
    show_frames({"next": found}, format, digits)
    if format == "table":
        click.echo(LEGEND)
