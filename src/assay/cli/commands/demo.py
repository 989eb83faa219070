"""``assay demo``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import quiet_option
from assay.cli.terminal import program_name, terminal_width

if TYPE_CHECKING:
    from assay.demo.digits import DemoFiles
    from assay.engine.scores import Scores

RANKING_MEASURES = "nDCG@10 AP RR(rel=2) P(rel=2)@10"
DIGIT_EIGHT_OPTIONS: dict[str, Any] = {
    "truth": "is_eight",
    "predicted": "says_eight",
    "score": "p_eight",
    "positive": "yes",
}
"""The columns of the yes-or-no question."""


@click.command(
    "demo",
    epilog="""\b
Example:
  assay demo --folder demo-output""",
)
@click.option("--folder", default="demo-output", show_default=True, help="Where the files go.")
@quiet_option
def command(folder: str, quiet: bool) -> None:
    """Evaluate real systems on real data: handwritten digits.

    It needs  pip install "assay-eval[demo]"
    """
    from assay.demo.digits import write_demo_files

    place = Path(folder)
    if not quiet:
        click.echo("Making the data: 1,797 images of handwritten digits, 300 of them as queries …")
    files = write_demo_files(place)
    chapters = _chapters(files)
    for chapter in chapters:
        _save_chapter(chapter, place)
        if not quiet:
            _show_chapter(chapter)
    if not quiet:
        click.echo(f"\n{click.style('Look at it', bold=True)}\n")
    for page in _write_reports(place, files):
        click.echo(f"  {page.resolve().as_uri()}")
    if not quiet:
        _print_next_steps(place, _hardest_query(chapters[0].scores))


@dataclass(frozen=True)
class Chapter:
    """One evaluation, what to look at in it, and the name of the files that keep it."""

    title: str
    scores: Scores
    hint: str
    name: str


def _chapters(files: DemoFiles) -> list[Chapter]:
    from assay.tasks.agreement import agreement
    from assay.tasks.clustering.clustering import clustering
    from assay.tasks.regression.regression import regression
    from assay.tasks.retrieval.retrieval import retrieval

    return [
        Chapter(
            "Image retrieval: which images show the same digit?",
            retrieval(files.qrels, list(files.runs), RANKING_MEASURES),
            "Look at the intervals: where they overlap, the order of two systems is not settled.",
            "leaderboard",
        ),
        *_classifiers(files),
        Chapter(
            "Ten clusters of the same images",
            clustering(files.clusters, cluster="c", classes="digit"),
            "1 would mean that each cluster is one digit.",
            "clusters",
        ),
        Chapter(
            "Ink in the lower half, predicted from the upper",
            regression(files.values, truth="y", predicted="yhat"),
            "Lower errors are better; R2 is 1 at best.",
            "values",
        ),
        Chapter(
            "Do two classifiers agree, beyond chance?",
            agreement(files.ratings, item="item", assessor="assessor", label="label"),
            "0 is chance, 1 is full agreement.",
            "agreement",
        ),
    ]


def _classifiers(files: DemoFiles) -> list[Chapter]:
    from assay.tasks.classification.classification import classification

    return [
        Chapter(
            "A classifier of the same images",
            classification(files.predictions, truth="label", predicted="guess"),
            "The rates are means over the ten digits.",
            "classifier",
        ),
        Chapter(
            "The same as a yes-or-no question: is it an eight?",
            classification(files.predictions, **DIGIT_EIGHT_OPTIONS),
            "Accuracy is high because eights are rare; compare TPR and MCC.",
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


def _write_reports(place: Path, files: DemoFiles) -> Iterator[Path]:
    """The pages to look at, as they are written."""
    from assay.core.output_files import write_text
    from assay.formats.text_by_id import read_texts
    from assay.reports.pages.retrieval import retrieval_page
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

    evidence = replace(
        RetrievalEvidence.read(files.qrels, list(files.runs)),
        topics=read_texts(place / "topics.tsv"),
    )
    title = "Image retrieval: which images show the same digit?"
    ranked = retrieval_page(evidence, evidence.scores(RANKING_MEASURES), title)
    pages = {"report": ranked, **_write_table_pages(files)}
    for name, page in pages.items():
        write_text(place / f"{name}.html", page)
        yield place / f"{name}.html"


def _write_table_pages(files: DemoFiles) -> dict[str, str]:
    from assay.reports.pages.agreement import agreement_page
    from assay.reports.pages.classification import classification_page
    from assay.reports.pages.clustering import clustering_page
    from assay.reports.pages.regression import regression_page
    from assay.reports.subjects import ClassificationSubject
    from assay.statistics.intervals.unit_intervals import Bootstrap
    from assay.tasks.agreement import AgreementEvidence
    from assay.tasks.clustering.cluster_columns import ClusterColumns
    from assay.tasks.clustering.clustering import ClusteringEvidence
    from assay.tasks.regression.regression import RegressionColumns, RegressionEvidence

    with_intervals: dict[str, Any] = {"bootstrap": Bootstrap()}
    digits = {"truth": "label", "predicted": "guess"} | with_intervals
    eights = DIGIT_EIGHT_OPTIONS | with_intervals
    columns = RegressionColumns("y", "yhat", item="item")
    values = RegressionEvidence.read(files.values, columns)
    clusters = ClusteringEvidence.read(files.clusters, ClusterColumns("c", "digit"))
    ratings = AgreementEvidence.read(files.ratings)
    return {
        "eights": classification_page(
            ClassificationSubject.of(files.predictions, **eights), "Is it an eight?"
        ),
        "digits": classification_page(
            ClassificationSubject.of(files.predictions, **digits), "Which digit is it?"
        ),
        "clusters": clustering_page(clusters, clusters.scores(), "Ten clusters of the images"),
        "values": regression_page(values, values.scores(), "Ink in the lower half"),
        "agreement": agreement_page(ratings, ratings.scores(), "Do two classifiers agree?"),
    }


def _hardest_query(ranked: Scores) -> str:
    """The query on which the system 'projections' does worst."""
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
