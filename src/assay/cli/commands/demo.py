"""``assay demo``."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.options import quiet_option
from assay.cli.output import terminal_width
from assay.cli.serving import serve_demo_campaign
from assay.cli.user_demo import user_chapters
from assay.reports.text.result_text import Layout, write

if TYPE_CHECKING:
    from assay.demo.digits import DemoFiles
    from assay.engine.scores import Scores
    from assay.tasks.evidence import TaskEvidence

GROUP = "start"

RANKING_MEASURES = "nDCG@10 AP RR(rel=2) P(rel=2)@10"


@click.command(
    "demo",
    epilog="""\b
Examples:
  assay demo --folder demo-output
  assay demo --campaign --folder demo-campaign""",
)
@click.option("--folder", default="demo-output", help="Folder of the files.")
@click.option("--campaign", is_flag=True, help="Judge documents in the browser instead.")
@click.option("--port", type=click.IntRange(0, 65535), default=0,
              help="Port of the web app. [default: a free one]")  # fmt: skip
@quiet_option
def command(folder: str, campaign: bool, port: int, quiet: bool) -> None:
    """Evaluate real systems on real data: handwritten digits.

    It needs  pip install "assay-eval[demo]"; with --campaign, "assay-eval[web]".
    """
    if campaign:
        serve_demo_campaign(Path(folder), port)
        return
    from assay.demo.digits import write_demo_files

    place = Path(folder)
    if not quiet:
        click.echo("Making the data: 1,797 images of handwritten digits, 300 of them as queries …")
    chapters = _chapters(write_demo_files(place), place)
    for chapter in chapters:
        chapter.save(place)
        if not quiet:
            chapter.show()
    users = user_chapters(place)
    for each in () if quiet else users:
        each.show()
    if not quiet:
        click.echo(f"\n{click.style('Look at it', bold=True)}\n")
    for page in (*(c.write_page(place) for c in chapters), *(u.write_page() for u in users)):
        click.echo(f"  {page.resolve().as_uri()}")
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

    def show(self) -> None:
        """Print the scores, and what to look at."""
        sort = self.scores.measures[0] if len(self.scores.systems) > 1 else None
        click.echo(f"\n{click.style(self.title, bold=True)}\n")
        click.echo(write(self.scores, "table", Layout(width=terminal_width(), sort=sort)))
        click.echo(click.style(self.hint, fg="cyan"))

    def save(self, place: Path) -> None:
        """Write the scores as Markdown and Parquet."""
        from assay.core.output_files import write_text

        write_text(place / f"{self.name}.md", write(self.scores, "markdown") + "\n")
        self.scores.save(place / f"{self.name}.parquet")

    def write_page(self, place: Path) -> Path:
        """Write the page, and return its path."""
        from assay.core.output_files import write_text
        from assay.reports.pages.report import render_report

        path = place / f"{self.page}.html"
        write_text(path, render_report(self.evidence, self.scores, self.title))
        return path


def _chapters(files: DemoFiles, place: Path) -> list[Chapter]:
    from assay.formats.text_by_id import read_texts
    from assay.tasks.agreement import AgreementEvidence
    from assay.tasks.clustering.cluster_columns import ClusterColumns
    from assay.tasks.clustering.clustering import ClusteringEvidence
    from assay.tasks.regression.predictions import RegressionColumns
    from assay.tasks.regression.regression import RegressionEvidence
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
    from assay.tasks.classification.classification_columns import ClassificationColumns

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


def _hardest_query(ranked: Scores) -> str:
    """Return the query on which the system 'projections' does worst."""
    result = next(each for each in ranked.results if each.system == "projections")
    return result.units[int(result.values.argmin())]


def program_name() -> str:
    """Return what a user types to call this program again."""
    if Path(sys.argv[0]).name == "__main__.py":
        return "python -m assay"
    return "assay" if shutil.which("assay") else sys.argv[0]


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
  {me} clustering {here}/clusters.csv --cluster c --classes digit
  {me} compare retrieval {here}/qrels.txt {here}/runs/*.run -m nDCG@10 --format latex
  {me} plot roc {here}/predictions.csv --truth is_eight --score p_eight -o roc.svg
  {me} experiment analyze {here}/users/visits.csv -m clicks/queries --control old
  {me} measures nDCG"""
    )
