"""The learning tasks of ``assay learn``: their options, and one call of ``assay.learn`` each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from assay.cli.options import (
    choice_option,
    column_option,
    confidence_option,
    count_option,
    interval_option,
    numbers_option,
    output_option,
    positive_option,
    resamples_option,
    seed_option,
)
from assay.cli.output import TableOutput, interval_of_options, print_saved, table_options
from assay.cli.parameters import Decorator, combine_options

PLOT = output_option("--plot", help="Write the figure to x.svg, x.png or x.pdf.")
REPORT = output_option("--report", help="Write a page with all figures and tables to x.html.")
FEATURES = column_option(
    "--features", multiple=True, help='Columns, such as a,b or "x*". [default: all others]'
)
BY = column_option("--by", multiple=True, help="Column whose values define slices; repeatable.")
MEASURES = click.option("-m", "--measure", "measures", multiple=True, help="Measures to compute.")
TASK = choice_option(
    "--task",
    ("classification", "regression"),
    default=None,
    help="What the target is. [default: by its values]",
)


def target_option(required: bool = True, help: str = "Column to predict.") -> Decorator:
    """Return the option that names the column of the target."""
    return column_option("--target", required=required, help=help)


def names_option(name: str, help: str) -> Decorator:
    """Return an option for a list of names such as a,b."""
    return click.option(name, help=f"{help}, separated by commas. [default: all]")


def share_option(default: float = 0.3, more: str = "") -> Decorator:
    """Return the option for the share of test items."""
    help = f"Share of test items{more}."
    return click.option("--test-share", type=float, default=default, show_default=True, help=help)


def show_option(names: str) -> Decorator:
    """Return the option that chooses one of the figures."""
    words = f"Which figure --plot writes: {names}. [default: the first]"
    return click.option("--show", metavar="NAME", help=words)


INTERVALS = combine_options(confidence_option(), resamples_option(), interval_option)
ALWAYS = combine_options(INTERVALS, PLOT, REPORT, table_options)


def _show_task(kind: str, output: TableOutput, options: dict[str, Any]) -> None:
    """Call the function of ``assay.learn``, show its result, and write figure and page."""
    from assay.cli.click_model_options import show_progress
    from assay.cli.figure_files import save_figure
    from assay.cli.output import use_option_names
    from assay.reports.text.learning_task_text import LearningTaskText
    from assay.selection import learn

    level, resamples, method = (
        options.pop(name) for name in ("confidence", "resamples", "interval")
    )
    interval = interval_of_options(level, resamples, options["seed"], method)
    show, plot, report = (options.pop(name) for name in ("show", "plot", "report"))
    if show is not None and plot is None:
        raise click.UsageError("--show chooses the figure that --plot writes: add --plot FILE")
    given = {name: value for name, value in options.items() if value not in (None, ())}
    given |= {name: list(given[name]) for name in ("features", "by", "measures") if name in given}
    data, target = given.pop("data"), given.pop("target", None)
    with show_progress(output.quiet) as progress:
        result = getattr(learn, kind)(data, target, interval=interval, progress=progress, **given)
    result = replace(result, notes=tuple(map(use_option_names, result.notes)))
    output.show_result(result, () if output.format == "table" else LearningTaskText(result).notes())
    if plot is not None:
        save_figure(result.plot(show=show), plot, output.quiet)
        print_saved(plot, output.quiet)
    if report is not None:
        result.report(report)


def _task(name: str, help: str, examples: str, *options: Decorator) -> click.Command:
    """Return the command of a task."""

    @click.argument("data", metavar="TABLE")
    @combine_options(*options)
    @ALWAYS
    def run(output: TableOutput, **given: Any) -> None:
        """Run the task."""
        _show_task(name, output, given)

    run.__doc__ = help
    lines = "\n".join(f"  assay learn {name} {each}" for each in examples.splitlines())
    head = "Examples" if "\n" in examples else "Example"
    return click.command(name, epilog=f"\b\n{head}:\n{lines}\n")(run)


def _read_pairs(
    ctx: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> dict[str, str] | None:
    """Return names and patterns from words such as umap=u*."""
    for word in given:
        if "=" not in word:
            raise click.BadParameter(f"'{word}': write a name and its columns, as umap=u*")
    return dict(word.split("=", 1) for word in given) or None


TASKS = (
    _task(
        "missing",
        "Evaluate learners on missing input.\n\n"
        "By the share of values that is missing, and by feature.",
        "wine.csv --target class --shares 0,0.2,0.4 --plot missing.svg\n"
        "letor.csv --target grade --query query --report missing.html",
        target_option(),
        FEATURES,
        TASK,
        column_option("--query", help="Column of queries: documents are ranked by the target."),
        names_option("--learners", "integrate, impute-mean, impute-neighbors, drop"),
        numbers_option(
            *("--shares", "0,0.2,0.4"),
            help="Shares of missing values. [default: 0,0.1,0.2,0.3,0.5,0.7]",
        ),
        MEASURES,
        BY,
        share_option(),
        seed_option,
        show_option("shares, features"),
    ),
    _task(
        "semisupervised",
        "Evaluate learners that see few labels.\n\n"
        "Induction and transduction, by the share of labeled items.",
        "points.csv --target topic --shares 0.02,0.1,0.5 --plot shares.svg\n"
        "points.csv --target topic --labeled known --show labels --plot labels.png",
        target_option(help="Column of the labels; items may have none."),
        FEATURES,
        names_option("--learners", "induction, partitioning, label-propagation, self-training"),
        numbers_option(
            *("--shares", "0.02,0.1"),
            help="Shares of labeled items. [default: 0.02,0.05,0.1,0.2,0.5]",
        ),
        column_option(
            "--labeled",
            help="Column of yes and no: the labels that learners see, instead of --shares.",
        ),
        count_option("--rounds", default=10, show_default=True, help="Draws of labeled items."),
        MEASURES,
        BY,
        seed_option,
        show_option("shares, labels or the name of a learner"),
    ),
    _task(
        "density",
        "Evaluate models of a distribution.\n\n"
        "Histograms, kernels, mixtures and families, by the likelihood of held-out items.",
        "ages.csv --features age --bins 8,40 --plot models.svg\n"
        "orders.csv --features items --discrete --show pit --plot pit.svg",
        FEATURES,
        names_option("--models", "histogram, kernel, mixture, normal and others"),
        numbers_option("--bins", "8,40", help="Two numbers of bins to draw side by side."),
        click.option("--discrete", is_flag=True, help="The column has counts: 0, 1, 2 and so on."),
        BY,
        share_option(),
        seed_option,
        show_option("models, few-bins, many-bins, likelihood, pit or items"),
    ),
    _task(
        "reduction",
        "Evaluate embeddings in few dimensions.\n\n"
        "What they keep of neighbors, distances, variance and classes.",
        "digits.csv --target digit --methods pca,tsne --plot pca.svg\n"
        'digits.csv --target digit --embedding "umap=u*" --report reduction.html',
        target_option(required=False, help="Column of the classes."),
        FEATURES,
        names_option("--methods", "pca, random, isomap, tsne"),
        count_option(
            "--dimensions", default=2, show_default=True, help="Dimensions of the embeddings."
        ),
        click.option(
            *("--embedding", "embeddings"),
            multiple=True,
            callback=_read_pairs,
            metavar="NAME=COLUMNS",
            help="An embedding in columns of the table, as umap=u*; repeatable.",
        ),
        count_option("--neighbors", default=5, show_default=True, help="Size of neighborhoods."),
        BY,
        seed_option,
        show_option("the name of a method, components, contrast, accuracy"),
    ),
    _task(
        "outliers",
        "Evaluate detectors of outliers.\n\n"
        "Trained on normal items, and with outliers among the training items.",
        "payments.csv --target fraud --positive yes --plot roc.svg\n"
        "payments.csv --target fraud --positive yes --contamination 0,0.05 --report o.html",
        target_option(help="Column of outliers; unless --positive names them, the rarer class."),
        positive_option,
        FEATURES,
        names_option(
            "--detectors",
            "isolation-forest, local-outlier-factor, neighbors, covariance, one-class-svm",
        ),
        numbers_option(
            *("--contamination", "0,0.05"),
            help="Shares of outliers in training. [default: 0,0.02,0.05,0.1]",
        ),
        BY,
        share_option(0.5),
        seed_option,
        show_option("roc, precision-recall, contamination, scores"),
    ),
    _task(
        "som",
        "Evaluate a self-organizing map.\n\n"
        "By its errors on held-out items, beside its start and k-means.",
        "digits.csv --target digit --rows 10 --columns 10 --plot u-matrix.svg",
        target_option(required=False, help="Column of the classes."),
        FEATURES,
        count_option("--rows", default=8, show_default=True, help="Rows of units."),
        count_option("--columns", default=8, show_default=True, help="Columns of units."),
        count_option("--epochs", default=10, show_default=True, help="How often items are seen."),
        BY,
        share_option(),
        seed_option,
        show_option("u-matrix, hits, learning"),
    ),
    _task(
        "clusters",
        "Choose the number of clusters.\n\nBy silhouette, elbow, gap statistic and stability.",
        'points.csv --features "x*" --counts 1,2,3,4,5,6 --plot silhouette.svg\n'
        "points.csv --target topic --show gap --plot gap.svg",
        target_option(required=False, help="Column of the true classes, to compare with."),
        FEATURES,
        numbers_option("--counts", "2,3,4", help="Numbers of clusters. [default: up to 10]"),
        count_option("--rounds", default=20, show_default=True, help="Samples of each count."),
        BY,
        seed_option,
        show_option("silhouette, elbow, gap, stability, clusters"),
    ),
    _task(
        "preparation",
        "Show the effect of data preparation.\n\n"
        "The change in a measure when features are left out, normalized or cleansed.",
        "wine.csv --target class --learner neighbors --plot changes.svg\n"
        "houses.csv --target price --learner linear --report preparation.html",
        target_option(),
        FEATURES,
        TASK,
        click.option(
            "--learner",
            default="neighbors",
            show_default=True,
            metavar="NAME",
            help="neighbors, linear, tree or bayes.",
        ),
        count_option("--folds", default=5, show_default=True, help="Number of folds."),
        MEASURES,
        BY,
        seed_option,
        show_option("changes, values"),
    ),
    _task(
        "regression",
        "Compare least squares and gradient descent.\n\n"
        "Linear regression on the same loss, with the loss by iteration.",
        "houses.csv --target price --iterations 100 --plot loss.svg\n"
        "two.csv --target y --plain --rate 0.1 --iterations 3 --test-share 0 --steps",
        target_option(),
        FEATURES,
        count_option("--iterations", default=200, show_default=True, help="Steps of the descent."),
        click.option("--rate", type=float, help="Step of the descent. [default: by the data]"),
        click.option(
            "--plain",
            is_flag=True,
            help="Features as they are and no constant: the prediction is θᵀx.",
        ),
        click.option("--steps", is_flag=True, help="List loss and weights of every iteration."),
        MEASURES,
        BY,
        share_option(more=", 0 to train on all"),
        seed_option,
        show_option("loss, predictions"),
    ),
)
"""The command of each task."""
