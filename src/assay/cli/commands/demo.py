"""``assay demo``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.messages import program_name, terminal_width
from assay.cli.options import quiet_option

if TYPE_CHECKING:
    from assay.demo.digits import DemoFiles
    from assay.engine.scores import Scores
    from assay.tasks.evidence import TaskEvidence

GROUP = "start"

RANKING_MEASURES = "nDCG@10 AP RR(rel=2) P(rel=2)@10"


@click.command(
    "demo",
    epilog="""\b
Example:
  assay demo --folder demo-output""",
)
@click.option("--folder", default="demo-output", help="Folder of the files.")
@quiet_option
def command(folder: str, quiet: bool) -> None:
    """Evaluate real systems on real data: handwritten digits.

    It needs  pip install "assay-eval[demo]"
    """
    from assay.demo.digits import write_demo_files

    place = Path(folder)
    if not quiet:
        click.echo("Making the data: 1,797 images of handwritten digits, 300 of them as queries …")
    chapters = _chapters(write_demo_files(place), place)
    for chapter in chapters:
        _save_chapter(chapter, place)
        if not quiet:
            _show_chapter(chapter)
    if not quiet:
        click.echo(f"\n{click.style('Look at it', bold=True)}\n")
    for chapter in chapters:
        click.echo(f"  {_write_page(chapter, place).resolve().as_uri()}")
    if not quiet:
        _print_next_steps(place, _hardest_query(chapters[0].scores))


@dataclass(frozen=True)
class Chapter:
    """One evaluation, what to look at in it, and the files that keep it."""

    title: str
    evidence: TaskEvidence
    hint: str
    name: str
    """The file of its scores."""
    page: str
    """The file of its page."""
    measures: str | None = None

    @cached_property
    def scores(self) -> Scores:
        """The scores, computed once."""
        return self.evidence.scores(self.measures)


def _chapters(files: DemoFiles, place: Path) -> list[Chapter]:
    from assay.formats.text_by_id import read_texts
    from assay.tasks.agreement import AgreementEvidence
    from assay.tasks.clustering.cluster_columns import ClusterColumns
    from assay.tasks.clustering.clustering import ClusteringEvidence
    from assay.tasks.regression.regression import RegressionColumns, RegressionEvidence
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

    runs = RetrievalEvidence.read(files.qrels, list(files.runs))
    return [
        Chapter(
            "Image retrieval: which images show the same digit?",
            replace(runs, topics=read_texts(place / "topics.tsv")),
            "Look at the intervals: where they overlap, the order of two systems is not settled.",
            "leaderboard",
            "report",
            RANKING_MEASURES,
        ),
        *_classifiers(files),
        Chapter(
            "Ten clusters of the same images",
            ClusteringEvidence.read(files.clusters, ClusterColumns("c", "digit")),
            "1 would mean that each cluster is one digit.",
            "clusters",
            "clusters",
        ),
        Chapter(
            "Ink in the lower half, predicted from the upper",
            RegressionEvidence.read(files.values, RegressionColumns("y", "yhat", item="item")),
            "Lower errors are better; R2 is 1 at best.",
            "values",
            "values",
        ),
        Chapter(
            "Do two classifiers agree, beyond chance?",
            AgreementEvidence.read(files.ratings),
            "0 is chance, 1 is full agreement.",
            "agreement",
            "agreement",
        ),
    ]


def _classifiers(files: DemoFiles) -> list[Chapter]:
    from assay.tasks.classification.classification import ClassificationEvidence
    from assay.tasks.classification.predictions import ClassificationColumns

    digits = ClassificationColumns("label", "guess")
    eights = ClassificationColumns("is_eight", "says_eight", "p_eight", positive="yes")
    return [
        Chapter(
            "Which digit is it? A classifier of the same images",
            ClassificationEvidence.read(files.predictions, digits),
            "The rates are means over the ten digits.",
            "classifier",
            "digits",
        ),
        Chapter(
            "The same as a yes-or-no question: is it an eight?",
            ClassificationEvidence.read(files.predictions, eights),
            "Accuracy is high because eights are rare; compare TPR and MCC.",
            "eights",
            "eights",
        ),
    ]


def _show_chapter(chapter: Chapter) -> None:
    from assay.reports.text.result_text import Layout, write

    scores = chapter.scores
    sort = scores.measures[0] if len(scores.systems) > 1 else None
    click.echo(f"\n{click.style(chapter.title, bold=True)}\n")
    click.echo(write(scores, "table", Layout(width=terminal_width(), sort=sort)))
    click.echo(click.style(chapter.hint, fg="cyan"))


def _save_chapter(chapter: Chapter, place: Path) -> None:
    from assay.core.output_files import write_text
    from assay.reports.text.result_text import write

    written = write(chapter.scores, "markdown") + "\n"
    write_text(place / f"{chapter.name}.md", written)
    chapter.scores.save(place / f"{chapter.name}.parquet")


def _write_page(chapter: Chapter, place: Path) -> Path:
    from assay.core.output_files import write_text
    from assay.reports.pages.report import render_report

    path = place / f"{chapter.page}.html"
    write_text(path, render_report(chapter.evidence, chapter.scores, chapter.title))
    return path


def _hardest_query(ranked: Scores) -> str:
    """Return the query on which the system 'projections' does worst."""
    result = next(each for each in ranked.results if each.system == "projections")
    return result.units[int(result.values.argmin())]


def _print_next_steps(place: Path, query: str) -> None:
    here = place.as_posix()
    me = program_name()
    click.echo(
        f"""
Everything is in {here}/. Go on from there:
  {me} retrieval {here}/qrels.txt {here}/runs/pixels.run {here}/runs/pca.run -m "nDCG@10 AP"
  {me} retrieval {here}/qrels.txt {here}/runs/*.run -m P@10 --rel 2
  {me} explain retrieval {here}/qrels.txt {here}/runs/projections.run -m nDCG@10 --query {query}
  {me} classification {here}/predictions.csv --truth label --predicted guess
  {me} clustering {here}/clusters.csv --cluster c --class digit
  {me} compare retrieval {here}/qrels.txt {here}/runs/*.run -m nDCG@10 --format latex
  {me} plot roc {here}/predictions.csv --truth is_eight --score p_eight -o roc.svg
  {me} measures nDCG"""
    )
