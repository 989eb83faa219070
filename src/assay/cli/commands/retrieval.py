"""``assay retrieval``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.inputs.retrieval import INPUTS
from assay.cli.messages import READER_FORMATS
from assay.cli.output import Output, output_options

if TYPE_CHECKING:
    from assay.engine.scores import Scores
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

GROUP = "evaluate"


@click.command(
    "retrieval",
    epilog="""\b
Examples:
  assay retrieval qrels.txt bm25.run dense.run
  assay retrieval qrels.txt bm25.run -m "nDCG@10 AP RR" --per-query
  assay retrieval qrels.txt *.run.gz -m nDCG@10:gain=exp -m "P(rel=2)@5" --format markdown
  assay retrieval qrels.dev.tsv run.tsv -m RR@10 --profile msmarco
  assay retrieval qrels.txt bm25.csv dense.csv -m nDCG@10 --cost time
  assay retrieval qrels.txt bm25.run --policy duplicates=first --policy missing_queries=error
  zcat bm25.run.gz | assay retrieval qrels.txt - -m AP --save scores.parquet""",
)
@INPUTS
@output_options
def command(evidence: RetrievalEvidence, output: Output) -> None:
    """Evaluate rankings: runs against judgments.

    Files may be TREC, MS MARCO, BEIR, JSON, JSON lines, CSV or Parquet, plain or compressed with
    gzip or zstd; - is standard input.
    """
    progress = _Progress(list(evidence.sources.values()), output.quiet)
    scores = output.scores(evidence, progress=progress)
    progress.close()
    output.show(scores)
    if output.format in READER_FORMATS and not output.per_unit:
        _show_extra_tables(evidence, scores, output)


def _show_extra_tables(evidence: RetrievalEvidence, scores: Scores, output: Output) -> None:
    """Print the tables below the scores: the effect of sampled judgments, and the cost."""
    from assay.tasks.retrieval.sampling_intervals import sampling_table

    sampled = sampling_table(scores)
    if sampled is not None:
        click.echo("\nIf all documents of the pool were judged, the mean over the same queries:\n")
        output.show_frame(sampled)
        click.echo(
            "\nlow, high: uncertainty from sampling documents; the intervals above, over\n"
            "queries, include it. An estimate may lie outside: its bias is subtracted here."
        )
    if evidence.costs is not None:
        from assay.tasks.retrieval.costs import quality_and_cost

        click.echo()
        output.show_frame(quality_and_cost(scores))


class _Progress:
    """Shows on a terminal which system is at work, when there are many or a file is large."""

    def __init__(self, runs: Sequence[str], quiet: bool) -> None:
        self._total = len(runs)
        self._told = 0
        self._shown = not quiet and sys.stderr.isatty() and (len(runs) > 3 or _is_large(runs))

    def __call__(self, system: str) -> None:
        self._told += 1
        if self._shown:
            click.echo(f"\r\033[K[{self._told}/{self._total}] {system} …", nl=False, err=True)

    def close(self) -> None:
        """Take the line away again."""
        if self._shown:
            click.echo("\r\033[K", nl=False, err=True)


def _is_large(runs: Sequence[str], least: int = 100_000_000) -> bool:
    sizes = [Path(run).stat().st_size for run in runs if Path(run).is_file()]
    return sum(sizes) > least
