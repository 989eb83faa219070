"""``assay report retrieval``."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.file_options import INPUT_FILE
from assay.cli.options import cost_option
from assay.cli.output import asked, measure_option
from assay.cli.pages.options import PageOutput, page_options
from assay.cli.reading import reading_options


@click.command(
    epilog="""\b
Examples:
  assay report retrieval qrels.txt bm25.run dense.run -m "nDCG@10 AP" -o report.html
  assay report retrieval qrels.txt bm25.run dense.run --cost seconds.csv"""
)
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--topics", type=INPUT_FILE, metavar="FILE", help="Texts of the queries: TSV or JSON lines."
)
@click.option(
    "--documents", type=INPUT_FILE, metavar="FILE", help="Texts of the documents, likewise."
)
@reading_options()
@cost_option()
@measure_option
@page_options
def retrieval(
    qrels: str,
    runs: tuple[str, ...],
    topics: str | None,
    documents: str | None,
    reading: dict[str, Any],
    cost: str | None,
    measures: tuple[str, ...],
    page: PageOutput,
) -> None:
    """Runs: warnings, leaderboard, changes query by query, rankings side by side, curves."""
    from assay.formats.texts import read_texts
    from assay.reports.pages.retrieval import retrieval_page
    from assay.reports.subjects import RetrievalSubject

    subject = RetrievalSubject.of(
        qrels,
        runs,
        asked(measures),
        bootstrap=page.bootstrap(),
        cost=cost,
        topics=read_texts(topics) if topics else {},
        documents=documents,
        **reading,
    )
    page.write(retrieval_page, subject, subject.scores)
