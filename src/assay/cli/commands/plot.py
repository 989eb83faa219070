"""``assay plot``: the figures of ``assay.plot``, each with its inputs and options."""

from __future__ import annotations

import click

from assay.cli.commands.classification import PREDICTIONS
from assay.cli.commands.clustering import CLUSTERINGS
from assay.cli.commands.confusion import INPUTS as CONFUSION
from assay.cli.commands.correlation import INPUTS as CORRELATION
from assay.cli.commands.regression import INPUTS as REGRESSION
from assay.cli.commands.retrieval import RUNS
from assay.cli.figure_commands import FigureCommand, figure_command
from assay.cli.options import (
    arrange_option,
    choice_option,
    column_option,
    count_option,
    decimal_comma_option,
    numbers_option,
    one_measure_option,
    relevance_option,
)
from assay.cli.task_inputs import TaskGroup

GROUP = "present"
PAIR = (
    one_measure_option("nDCG@10"),
    click.option(
        "--from", "first", metavar="SYSTEM", help="[default: the first of two, or the second best]"
    ),
    click.option(
        "--to", "second", metavar="SYSTEM", help="[default: the second of two, or the best]"
    ),
)
BINS = (
    count_option("--bins", default=10, help="Number of bins."),
    choice_option("--strategy", ["width", "quantile"], help="Bins of one width, or equally full."),
)
MATRIX = (
    arrange_option,
    choice_option("--show", ["actual", "predicted"], help="Classes in the rows."),
    choice_option(
        "--normalize",
        ["actual", "predicted", "all"],
        default=None,
        help="Write shares of the actual class, of the predicted class or of all items.",
    ),
)
FIGURE_COMMANDS = {
    "pr": FigureCommand(
        "Precision and recall: several systems over all queries, or one query.",
        RUNS,
        ["qrels.txt bm25.run dense.run -o pr.svg", "qrels.txt a.run b.run --query 301 -o pr.svg"],
        [
            click.option("--query", help="Draw one query, rank by rank."),
            click.option(
                "--mark", is_flag=True, help="Mark area, distance to (1, 1) and break-even point."
            ),
            choice_option("--average", ["recalls", "ranks"], help="Where curves are averaged."),
            numbers_option("--ranks", "5,10,15", help="Average at these ranks."),
            click.option("--each", is_flag=True, help="Draw the curve of each query behind."),
        ],
    ),
    "venn": FigureCommand(
        "Retrieved and relevant documents of a query as two sets, with their counts.",
        RUNS,
        ["qrels.txt a.run b.run --query 301 --cutoff 10 -o sets.svg"],
        [
            click.option("--query", help="The query."),
            count_option("--cutoff", help="Number of documents that count as retrieved."),
        ],
    ),
    "sets": FigureCommand(
        "Methods given as sizes of sets: method, retrieved, relevant_retrieved, relevant.",
        None,
        ["models.csv -o sets.svg"],
    ),
    "pr-points": FigureCommand(
        "Given points: a table with the columns precision, recall and perhaps method.",
        None,
        ["curve.csv -o pr.svg"],
        [decimal_comma_option],
    ),
    "histogram": FigureCommand(
        "The density of a column as histograms with several numbers of bins.",
        None,
        ["values.csv --column y --bins 5,20 -o h.svg"],
        [
            column_option("--column", default="value", help="Column of the numbers."),
            numbers_option("--bins", "5,20", help="Numbers of bins, a panel each."),
            decimal_comma_option,
        ],
    ),
    "gain": FigureCommand(
        "A measure at growing depths, over all queries.",
        RUNS,
        ["qrels.txt bm25.run dense.run -m nDCG -o gain.svg"],
        [one_measure_option("nDCG", "The measure, by its name; one that takes a depth.")],
    ),
    "per-query": FigureCommand(
        "The change from one system to another on each query, from loss to gain.",
        RUNS,
        ["qrels.txt a.run b.run -o changes.svg"],
        PAIR,
    ),
    "scatter": FigureCommand(
        "Each query as a point: one system against the other.",
        RUNS,
        ["qrels.txt a.run b.run -m AP -o scatter.svg"],
        PAIR,
    ),
    "roc": FigureCommand(
        "The ROC curve with thresholds beside it, or several curves in one plane.",
        PREDICTIONS,
        [
            "predictions.csv --truth sick --score p -o roc.svg",
            "predictions.csv --truth sick --score p --score glucose -o roc.svg",
            'predictions.parquet --truth label --probabilities "p_*" -o roc.svg',
        ],
        [
            click.option(
                "--every-threshold", is_flag=True, help="Write the threshold of every step."
            ),
            click.option("--threshold", type=float, help="Mark the chosen threshold."),
            click.option("--shade", is_flag=True, help="Color the area below the curve."),
        ],
    ),
    "precision-recall": FigureCommand(
        "Precision against recall at every threshold, with the average precision.",
        PREDICTIONS,
        ["predictions.csv --truth sick --score p -o pr.svg"],
    ),
    "lift": FigureCommand(
        "How many times as many positives the highest scores hold as a random choice.",
        PREDICTIONS,
        ["predictions.csv --truth sick --score p -o lift.svg"],
    ),
    "cumulative-gain": FigureCommand(
        "The share of the positives among the highest scores.",
        PREDICTIONS,
        ["predictions.csv --truth sick --score p -o gain.svg"],
    ),
    "det": FigureCommand(
        "Both error rates at every threshold, on axes of normal deviates.",
        PREDICTIONS,
        ["predictions.csv --truth sick --score p -o det.svg"],
    ),
    "thresholds": FigureCommand(
        "The rates at every threshold.",
        PREDICTIONS,
        ["predictions.csv --truth sick --score p -o t.svg"],
    ),
    "densities": FigureCommand(
        "The scores of positive and of negative items.",
        PREDICTIONS,
        ["predictions.csv --truth sick --score p -o d.svg"],
        [
            click.option("--threshold", type=float, help="Color the four areas TN, FP, FN, TP."),
            click.option(
                "--panels", type=click.IntRange(1, 2), default=1, help="2: a panel for each class."
            ),
        ],
    ),
    "calibration": FigureCommand(
        "How often items of each score are positive; for one classifier or several.",
        PREDICTIONS,
        ["predictions.csv --truth sick --score p --strategy quantile -o c.svg"],
        BINS,
    ),
    "confusion": FigureCommand(
        "The confusion matrix in color, with rates in its margins.",
        PREDICTIONS,
        ["guesses.csv --truth label --predicted guess --arrange -o c.svg"],
        MATRIX,
    ),
    "matrix": FigureCommand(
        "A confusion matrix that is given as counts, in color, or one for each method of a table.",
        CONFUSION,
        ["matrix.csv --rows predicted --show predicted -o c.svg", "methods.csv -o c.svg"],
        MATRIX,
    ),
    "contingency": FigureCommand(
        "The classes in each cluster, in color.",
        CLUSTERINGS,
        ["clusters.csv --cluster c --classes topic -o c.svg"],
    ),
    "methods": FigureCommand(
        "Methods in the ROC plane, from a table with the columns method, tp, fp, fn and tn.",
        None,
        ["methods.csv -o plane.svg"],
    ),
    "judged": FigureCommand(
        "Which documents of which query are judged, and which results of runs.",
        None,
        ["qrels.txt -o judged.svg", "qrels.txt bm25.run dense.run --cutoff 20 -o judged.svg"],
        [
            click.argument("runs", metavar="[RUN]...", nargs=-1),
            count_option("--cutoff", help="Number of documents of each run to show."),
            relevance_option(default=1.0),
        ],
    ),
    "splits": FigureCommand(
        "Which items train and which test, fold by fold, from a file of 'assay split'.",
        None,
        ["folds.csv -o splits.svg"],
    ),
    "silhouette": FigureCommand(
        "How well each point lies in its cluster.",
        CLUSTERINGS,
        ['points.csv --cluster c --features "x*" -o s.svg'],
    ),
    "elbow": FigureCommand(
        "A measure of several clusterings against their number of clusters.",
        CLUSTERINGS,
        ['points.csv --cluster "k*" --features "x*" -m WSS -o elbow.svg'],
        [one_measure_option("WSS")],
    ),
    "residuals": FigureCommand(
        "Residuals: the truth minus the prediction.",
        REGRESSION,
        ["predictions.csv --truth y --predicted yhat -o r.svg"],
    ),
    "orders": FigureCommand(
        "Two orders of the same things side by side: which ones rise, which ones fall.",
        CORRELATION,
        ["leaderboards.csv --item system --first ap --second ndcg -o o.svg"],
    ),
}


class FigureGroup(TaskGroup):
    """The kinds of figures as commands."""

    what = "figure"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the figure; of predictions ``pr`` and ``gain`` are those of classifiers."""
        if "--truth" in {word.partition("=")[0] for word in args}:
            from assay.reports.figures.plot import CLASSIFIER_FIGURES

            args = [CLASSIFIER_FIGURES.get(args[0], args[0]), *args[1:]]
        return super().resolve_command(ctx, args)


@click.group(
    "plot",
    cls=FigureGroup,
    epilog="""\b
Examples:
  assay plot pr qrels.txt bm25.run dense.run -o pr.svg
  assay plot per-query qrels.txt bm25.run dense.run -m nDCG@10 -o changes.pdf
  assay plot roc predictions.csv --truth sick --score p --positive yes -o roc.png
  assay plot confusion predictions.csv --truth label --predicted guess --arrange -o confusion.svg
\b
SVG needs nothing more; PNG and PDF need  pip install "assay-eval[plots]" """,
)
def command() -> None:
    """Draw a figure for a paper.

    The extension of the output file determines the format: SVG, PNG or PDF.
    """


for name, declared in FIGURE_COMMANDS.items():
    command.add_command(figure_command(name, declared))
