"""``assay report``."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.file_kinds import is_table
from assay.cli.pages.grouping_pages import agreement, clustering, correlation
from assay.cli.pages.prediction_pages import classification, regression
from assay.cli.pages.retrieval_page import retrieval
from assay.cli.pages.scores_page import scores
from assay.cli.task_group import TaskGroup
from assay.cli.task_hints import detect_task


class Tasks(TaskGroup):
    """The tasks as commands; files that are no input of a task are scores."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """``assay report scores.parquet`` is ``assay report scores scores.parquet``."""
        if args and args[0] not in self.commands and _may_hold_scores(args[0]):
            args = ["scores", *args]
        return super().resolve_command(ctx, args)


def _may_hold_scores(file: str) -> bool:
    """Whether a file can be of scores: it was saved so, or is a table that no task takes."""
    return is_table(file) and (Path(file).suffix == ".parquet" or detect_task(file) is None)


@click.group(
    "report",
    cls=Tasks,
    epilog="""\b
Examples:
  assay report retrieval qrels.txt bm25.run dense.run -o report.html
  assay report retrieval qrels.txt runs/*.run --topics topics.tsv --documents docs.jsonl
  assay report classification predictions.csv --truth label --score p -o report.html
  assay report classification predictions.csv --truth label --predicted old --predicted new
  assay report clustering clusters.csv --cluster c --class topic
  assay report regression predictions.csv --truth y --predicted yhat
  assay report agreement ratings.csv --item doc --assessor who --label grade
  assay report correlation leaderboard1.csv leaderboard2.csv
  assay report scores.parquet
  assay report base.parquet new.parquet -o report.html""",
)
def command() -> None:
    """Write one self-contained page that shows an evaluation."""


for each in (retrieval, classification, regression, clustering, agreement, correlation, scores):
    command.add_command(each)
