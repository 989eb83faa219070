"""``assay learn``: capacity, curve, bias-variance, bootstrap, loss."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.learning_tasks import TASKS
from assay.cli.options import (
    choice_option,
    column_option,
    count_option,
    numbers_option,
    output_option,
    seed_option,
)
from assay.cli.output import TableOutput, print_saved, table_options
from assay.cli.parameters import combine_options

GROUP = "models"


@click.group(
    epilog="""\b
Examples:
  assay learn capacity data.csv --target y --learner polynomial
  assay learn curve data.csv --target class --learner tree:4
  assay learn bias-variance train.csv --test test.csv --target y --features x --learner tree:4
  assay learn bootstrap data.csv --target class --learner neighbors:1
  assay learn loss losses.csv --plot loss.svg
  assay learn ranker qrels.txt -- ./train --queries {queries} -o {run}
  assay learn missing items.csv --target class --report missing.html
\b
Learners: polynomial, tree, neighbors, ridge, logistic, bayes.
"""
)
def command() -> None:
    """Evaluate learners and learning tasks.

    How learners fit: capacity, data size, bias and variance. Learning tasks: missing input, few
    labels, densities, outliers, embeddings, maps, clusters, preparation and regression.
    """


DATA = combine_options(
    click.argument("data", metavar="TABLE"),
    column_option("--target", required=True, help="Column to predict."),
    column_option(
        "--features", multiple=True, help='Columns or patterns such as "x*". [default: all others]'
    ),
    choice_option(
        "--task",
        ("classification", "regression"),
        default=None,
        help="What the target is. [default: by its values]",
    ),
    choice_option("--loss", ("squared", "0-1"), default=None, help="[default: by the task]"),
    seed_option,
)
FOLDS = click.option("--folds", type=int, default=5, show_default=True, help="Number of folds.")
ROUNDS = count_option("--rounds", default=200, show_default=True, help="Training sets drawn.")
PLOT = output_option("--plot", help="Write the figure to x.svg, x.png or x.pdf.")
LEARNER = click.option(
    "--learner", required=True, metavar="NAME", help="A learner with its capacity, as tree:4."
)


def _show(kind: str, plot: str | None, output: TableOutput, options: dict[str, Any]) -> Any:
    """Call the function of ``assay.learn``, show its result, and draw it on request."""
    from assay.cli.click_model_options import show_progress
    from assay.selection import learn

    options["features"] = list(options["features"]) or None
    learner, data, target = (options.pop(name) for name in ("learner", "data", "target"))
    with show_progress(output.quiet) as progress:
        result = getattr(learn, kind)(learner, data, target, progress=progress, **options)
    _show_figure(result, plot, output)
    return result


def _show_figure(result: Any, plot: str | None, output: TableOutput) -> None:
    """Show a result, and draw it on request."""
    output.show_result(result)
    if plot is not None:
        _draw("learning", result, plot, output.quiet)


def _draw(kind: str, result: Any, path: str, quiet: bool) -> None:
    from assay.reports.figures.plot import plot as draw

    draw(kind, result).save(path)
    print_saved(path, quiet)


@command.command(
    "capacity",
    epilog="""\b
Examples:
  assay learn capacity data.csv --target y --learner polynomial --plot capacity.svg
  assay learn capacity data.csv --target class --learner tree --values 1,2,4,8,16
  assay learn capacity data.csv --target y --features x --learner polynomial --functions fits.svg
""",
)
@DATA
@click.option("--learner", required=True, metavar="NAME", help="A learner, as polynomial.")
@numbers_option("--values", "1,2,5,10", help="Capacities, from the simplest.")
@FOLDS
@PLOT
@output_option("--functions", help="Draw the fitted functions through the points, of one feature.")
@table_options
def capacity(plot: str | None, functions: str | None, output: TableOutput, **options: Any) -> None:
    """Training and validation error against capacity, and where it under- and overfits."""
    result = _show("capacity", plot, output, options)
    if functions is not None:
        _draw("functions", result, functions, output.quiet)


@command.command(
    "curve",
    epilog="""\b
Examples:
  assay learn curve data.csv --target class --learner tree:4 --plot curve.svg
  assay learn curve data.csv --target y --learner ridge:1 --sizes 20,50,100,200
""",
)
@DATA
@LEARNER
@numbers_option("--sizes", "1,2,5,10", help="Numbers of training items.")
@FOLDS
@PLOT
@table_options
def curve(plot: str | None, output: TableOutput, **options: Any) -> None:
    """Error against the number of training items, and what more data would bring."""
    _show("curve", plot, output, options)


@command.command(
    "ranker",
    epilog="""\b
Examples:
  assay learn ranker qrels.txt -- ./train --queries {queries} -o {run}
  assay learn ranker qrels.txt --values 0,0.3,0.75,1 -m AP -- ./rank --b {value} -o {run}
\b
{queries} is a file of the training queries, one in a line; {run} the run to write, of all queries;
{value} one of --values. The command is a list of arguments, never a shell.
""",
)
@click.argument("qrels", metavar="QRELS")
@click.argument("words", metavar="-- COMMAND...", nargs=-1, required=True)
@click.option(
    "-m",
    "--measure",
    default="nDCG@10",
    show_default=True,
    help="Measure of the error: 1 minus its value is shown.",
)
@numbers_option("--sizes", "1,2,5,10", help="Numbers of training queries.")
@numbers_option("--values", "1,2,5,10", help="Values in place of sizes, from the simplest.")
@click.option("--timeout", type=float, default=600, show_default=True, help="Seconds of a run.")
@FOLDS
@seed_option
@PLOT
@table_options
def ranker(
    qrels: str,
    words: tuple[str, ...],
    values: list[float] | None,
    sizes: list[float] | None,
    timeout: float,
    plot: str | None,
    output: TableOutput,
    **options: Any,
) -> None:
    """Error of a ranker against its training queries, or against a parameter."""
    from assay.cli.click_model_options import show_progress
    from assay.selection import learn
    from assay.selection.curves.ranker_command import command_ranker

    if values is not None and sizes is not None:
        raise click.UsageError("--sizes and --values are two kinds of curve; give one of them")
    train = command_ranker(words, timeout, has_value=values is not None)
    with show_progress(output.quiet) as progress:
        options["progress"] = progress
        if values is None:
            result: Any = learn.ranker_curve(train, qrels, sizes=sizes, **options)
        else:
            result = learn.ranker_capacity(train, qrels, values, **options)
    _show_figure(result, plot, output)


@command.command(
    "bias-variance",
    epilog="""\b
Example:
  assay learn bias-variance train.csv --test test.csv --target y --features x \\
    --learner polynomial:9
""",
)
@DATA
@LEARNER
@click.option("--test", required=True, metavar="TABLE", help="Test items with the same columns.")
@ROUNDS
@table_options
def bias_variance(output: TableOutput, **options: Any) -> None:
    """Decompose the error on test items into bias, variance and noise."""
    _show("bias_variance", None, output, options)


@command.command(
    "bootstrap",
    epilog="""\b
Example:
  assay learn bootstrap data.csv --target class --learner neighbors:1
""",
)
@DATA
@LEARNER
@ROUNDS
@table_options
def bootstrap(output: TableOutput, **options: Any) -> None:
    """Estimate the error by the bootstrap: out-of-bag, .632 and .632+."""
    _show("bootstrap", None, output, options)


@command.command(
    "loss",
    epilog="""\b
Example:
  assay learn loss losses.csv --plot loss.svg
\b
losses.csv:
  iteration,train,validation
  1,0.69,0.70
""",
)
@click.argument("data", metavar="TABLE")
@PLOT
@table_options
def loss(data: str, plot: str | None, output: TableOutput) -> None:
    """Training and validation loss against iterations, and where it overfits."""
    from assay.selection import learn

    _show_figure(learn.loss(data), plot, output)


for task in TASKS:
    command.add_command(task)
