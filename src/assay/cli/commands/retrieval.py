"""``assay retrieval``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.options import (
    BESIDE,
    cost_option,
    file_format_options,
    profile_option,
    rel_option,
)
from assay.cli.output import Output, asked, measure_option, output_options
from assay.cli.reading import depth_option, order_option, policy_option

if TYPE_CHECKING:
    from assay.engine.scores import Scores


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
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@measure_option
@rel_option
@profile_option
@order_option
@depth_option
@click.option("--judged-only", is_flag=True, help="Take unjudged documents out of the lists.")
@policy_option
@click.option("--corpus", type=click.IntRange(1), help="How many documents the collection has.")
@file_format_options
@cost_option()
@output_options
def command(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    rel: float | None,
    profile: str,
    order: str | None,
    depth: int | None,
    judged_only: bool,
    policies: dict[str, str],
    corpus: int | None,
    input_format: str | None,
    qrels_format: str | None,
    cost: str | None,
    output: Output,
) -> None:
    """Evaluate rankings: runs against judgments.

    Files may be TREC, MS MARCO, BEIR, JSON, JSON lines, CSV or Parquet, plain or packed by gzip or
    zstd; - is standard input.
    """
    from assay.tasks.retrieval import retrieval

    progress = _Progress(runs, output.quiet)
    scores = retrieval(
        qrels,
        list(runs),
        asked(measures),
        rel=rel,
        profile=profile,
        order=order,
        depth=depth,
        judged_only=judged_only,
        policies=policies,
        corpus=corpus,
        input_format=input_format,
        qrels_format=qrels_format,
        cost=cost,
        bootstrap=output.bootstrap(),
        progress=progress,
    )
    progress.close()
    output.show(scores)
    if output.format in BESIDE and not output.per_unit:
        _show_beside(scores, output, cost is not None)


def _show_beside(scores: Scores, output: Output, with_cost: bool) -> None:
    """The tables that stand below the scores: what the draw of judgments does, and the cost."""
    from assay.tasks.costs import beside_cost
    from assay.tasks.sampling import sampling_table

    sampled = sampling_table(scores)
    if sampled is not None:
        output.say("\nIf all documents of the pool were judged, the mean over the same queries:\n")
        output.show_frame(sampled)
        output.say("\nlow, high: what the draw of documents leaves open; the intervals above, over")
        output.say("queries, include it. An estimate may lie outside: its bias is taken off here.")
    if with_cost:
        output.say("")
        output.show_frame(beside_cost(scores))


class _Progress:
    """Tells on a terminal which system is at work, when there are many or a file is large."""

    def __init__(self, runs: tuple[str, ...], quiet: bool) -> None:
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


def _is_large(runs: tuple[str, ...], least: int = 100_000_000) -> bool:
    sizes = [Path(run).stat().st_size for run in runs if Path(run).is_file()]
    return sum(sizes) > least
