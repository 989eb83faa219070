"""``assay clicks``: click models, from fitting to relevance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.click_model_options import (
    fixed_parameters,
    list_depth_option,
    prior_option,
    show_progress,
)
from assay.cli.log_options import (
    LOG_OPTIONS,
    beside_file_options,
    log_argument,
    open_with_options,
)
from assay.cli.options import (
    choice_option,
    confidence_option,
    count_option,
    file_option,
    files_argument,
    output_option,
    seed_option,
)
from assay.cli.output import (
    TableOutput,
    print_notes,
    print_saved,
    table_options,
)
from assay.cli.standard_output import print_result
from assay.core.output_files import is_standard_output

if TYPE_CHECKING:
    from assay.behavior.logs.click_log import ClickLog

GROUP = "users"
MODELS = "global-ctr, rank-ctr, doc-ctr, pbm, ubm, cascade, dcm, sdbn, dbn or ccm"


@click.group(
    "clicks",
    epilog="""\b
Examples:
  assay clicks fit log.csv --model dbn -o model.json
  assay clicks compare log.csv --model pbm --model dbn
  assay clicks judgments model.json --qrels qrels.txt -o clicks.qrels
  assay clicks counterfactual log.csv new.run""",
)
def command() -> None:
    """Fit and compare click models; estimate relevance from clicks."""


@command.command(
    epilog="""\b
Examples:
  assay clicks fit log.csv --model dbn -o model.json
  assay clicks fit train.gz --log-format yandex --model ubm --depth 10 --format json
  assay clicks fit log.parquet --model dbn --fix continuation=0.9 --prior 0,0"""
)
@log_argument()
@click.option("--model", default="dbn", metavar="NAME", help=f"One of {MODELS}.")
@prior_option
@count_option("--starts", default=3, help="Starts of the iteration; the best is taken.")
@count_option("--iterations", default=500, help="Maximum number of iterations of a start.")
@click.option(
    "--tolerance",
    type=click.FloatRange(0),
    default=1e-8,
    help="Relative change of the objective at which a start ends.",
)
@list_depth_option
@click.option(
    "--fix",
    multiple=True,
    metavar="NAME=VALUE",
    callback=fixed_parameters,
    help="Set a parameter, such as continuation=1; may be repeated.",
)
@click.option(
    "--errors/--no-errors",
    default=None,
    help="Compute standard errors. [default: unless it takes long]",
)
@seed_option
@output_option("-o", "--output", "path", help="Keep the model in a JSON file.")
@beside_file_options
def fit(log: ClickLog, model: str, path: str | None, output: TableOutput, **settings: Any) -> None:
    """Fit a click model to a log by maximum likelihood.

    The parameters are found by expectation maximization, with standard errors from the observed
    information. Shown are the shared parameters, and the documents with the most impressions.
    """
    from assay.behavior.clicks.fit_clicks import fit_clicks

    with show_progress(output.quiet) as progress:
        fitted = fit_clicks(log, model, progress=progress, **settings)
    if path:
        fitted.save(path)
        print_saved(path, output.quiet)
        if is_standard_output(path):
            return
    if output.format == "json":
        print_result(fitted.to_json())
        return
    from assay.reports.text.click_text import ClickModelText

    output.show(ClickModelText(fitted).frames(), fitted.notes)


@command.command(
    epilog="""\b
Examples:
  assay clicks compare log.csv
  assay clicks compare march.csv --test april.csv --model pbm --model ubm --model dbn
  assay clicks compare log.csv --test-share 0.2 --split random -o perplexity.svg"""
)
@log_argument()
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="NAME",
    help=f"{MODELS}; may be repeated. [default: all but global-ctr]",
)
@file_option("--test", help="A log to test on; otherwise a part of the log is held out.")
@click.option(
    "--test-share",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.25,
    help="Share of the sessions that is held out.",
)
@choice_option(
    "--split",
    ["time", "random"],
    default=None,
    help="Hold out the latest sessions, or random ones. [default: time if it is known]",
)
@prior_option
@count_option("--starts", default=1, help="Starts of the iteration; the best is taken.")
@list_depth_option
@confidence_option()
@seed_option
@click.option("--ranks", is_flag=True, help="Also show the perplexity of each rank.")
@output_option("-o", "--output", "path", help="Draw the perplexity by rank: x.svg, x.png or x.pdf.")
@beside_file_options
def compare(
    log: ClickLog,
    models: tuple[str, ...],
    ranks: bool,
    path: str | None,
    output: TableOutput,
    **settings: Any,
) -> None:
    """Compare click models on held-out sessions.

    Shown are the mean log-likelihood of a list and the perplexity, of clicks and of clicks given
    those above, with intervals over sessions.
    """
    from assay.behavior.clicks.model_comparison import compare_click_models

    with show_progress(output.quiet) as progress:
        found = compare_click_models(log, models or None, progress=progress, **settings)
    frames = {"models": found.models} | ({"ranks": found.ranks} if ranks else {})
    legend = [
        "log_likelihood: mean of a list; perplexity: mean over ranks, 1 is perfect, 2 a coin;"
        " conditional: given the clicks above; [low, high]: over sessions",
        "known: share of impressions whose document was in the fitted part; impossible: lists with"
        " clicks that the model rules out",
    ]
    if path:
        from assay.reports.figures.plot import plot

        plot("click-models", found).save(path)
        print_saved(path, output.quiet)
    output.show(frames, found.notes, legend=legend)


@command.command(
    epilog="""\b
Examples:
  assay clicks judgments model.json -o clicks.qrels
  assay clicks judgments model.json --qrels qrels.txt --least 20 --format csv
  assay clicks judgments model.json --qrels qrels.txt --plot relevance.svg
  assay clicks judgments model.json --by coec --map quantiles --levels 3"""
)
@click.argument("model", metavar="MODEL")
@file_option("--qrels", help="Human judgments: the agreement with them is reported.")
@choice_option("--by", ["relevance", "coec"], help="Estimate that becomes a grade.")
@choice_option(
    "--map",
    ["err", "quantiles", "isotonic"],
    default=None,
    help="How it becomes a grade. [default: isotonic with human judgments, else err]",
)
@count_option("--levels", default=4, help="Highest grade of the maps err and quantiles.")
@count_option("--least", 0, default=10, help="Minimum number of impressions of a document.")
@confidence_option()
@output_option(
    "-o", "--output", "path", help="File of the judgments; its extension determines the format."
)
@output_option("--plot", "picture", help="Draw relevance by human grade: x.svg, x.png or x.pdf.")
@beside_file_options
def judgments(
    model: str, path: str | None, picture: str | None, output: TableOutput, **settings: Any
) -> None:
    """Estimate judgments from a fitted click model.

    The relevance of a document is the probability that it satisfies, with an interval. Judgments
    from clicks are of their own kind: they are always shown with their agreement with human
    judgments, where there are any.
    """
    from assay.behavior.clicks.click_judgments import click_judgments

    found = click_judgments(model, **settings)
    if path:
        found.save(path)
        print_saved(path, output.quiet)
        if is_standard_output(path):
            print_notes(found.notes, output.quiet)
            return
    frames = {"judgments": found.judgments}
    if found.agreement.height:
        frames |= {"agreement": found.agreement, "by_grade": found.by_grade}
    if picture is not None:
        from assay.reports.figures.plot import plot

        plot("click-relevance", found).save(picture)
        print_saved(picture, output.quiet)
    output.show(frames, found.notes)


@command.command(
    epilog="""\b
Examples:
  assay clicks counterfactual log.csv new.run
  assay clicks counterfactual log.csv bm25.run dense.run --method position --model model.json
  assay clicks counterfactual log.csv new.run --propensities shown.csv --clip 10"""
)
@click.argument("log_file", metavar="LOG")
@files_argument("runs", "RUN...")
@LOG_OPTIONS
@click.option(
    "--method",
    "methods",
    multiple=True,
    type=click.Choice(["ips", "snips", "dr", "position"]),
    help="Estimator; may be repeated. [default: position]",
)
@count_option("--depth", default=10, help="Results of the new ranking whose clicks count.")
@file_option("--propensities", help="How likely results were shown: query, doc, rank, probability.")
@file_option("--model", help="A position-based model. [default: fitted to the log]")
@click.option("--clip", type=click.FloatRange(0, min_open=True), help="Largest weight.")
@click.option(
    "--missing",
    type=click.FloatRange(0, 1),
    default=0.05,
    help="Largest share of new results that the log never shows.",
)
@confidence_option()
@click.option("--sensitivity", is_flag=True, help="Also show the values under other limits.")
@table_options
def counterfactual(
    log_file: str,
    runs: tuple[str, ...],
    methods: tuple[str, ...],
    sensitivity: bool,
    output: TableOutput,
    **settings: Any,
) -> None:
    """Estimate the clicks of a new ranking from a log.

    ips, snips and dr need a log that shows documents at their new ranks at random; position weighs
    clicks by the examination of the new and the logged rank. The estimate is refused if too many
    results of the new ranking were never shown.
    """
    from assay.behavior.counterfactual.counterfactual_value import counterfactual as estimate

    log = open_with_options([log_file], settings)
    found = estimate(log, list(runs), methods or ("position",), **settings)
    frames = {"values": found.values}
    if sensitivity:
        frames["sensitivity"] = found.sensitivity
    legend = [
        "value: clicks per list; effective: effective sample size of the weights; never_shown:"
        " share of the new results of which the log says nothing",
    ]
    output.show(frames, found.notes, legend=legend)
