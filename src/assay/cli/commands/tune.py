"""``assay tune``: values of parameters, chosen on validation data."""

from __future__ import annotations

import click

from assay.cli.options import count_option, output_option
from assay.cli.output import TableOutput, table_options

GROUP = "models"


@click.command(
    "tune",
    epilog="""\b
Examples:
  assay tune bm25.toml --folder trials --workers 2
  assay tune bm25.toml --cache runs --report tuning.html
\b
bm25.toml:
  command = ["./rank", "--k1", "{k1}", "--b", "{b}", "--topics", "{topics}", "-o", "{run}"]
  method = "random"            # grid, random or optuna
  trials = 24
  simpler = ["-k1"]            # a lower k1 is simpler
  nested = 5                   # folds of queries, each chosen without
  [parameters]
  k1 = {low = 0.4, high = 2.0}
  b = [0.3, 0.5, 0.75]
  [inputs]
  topics = "topics.tsv"
  [evaluation]
  qrels = "qrels.txt"
  splits = "splits.csv"        # of assay split queries
  validation = "dev"
  test = "eval"
  measure = "nDCG@10"
""",
)
@click.argument("spec", metavar="SPEC")
@click.option("--folder", help="Keep the trials here; the next call goes on where this one ends.")
@click.option("--cache", help="Keep the runs here, by digest; searches may share the folder.")
@count_option("--workers", default=1, show_default=True, help="Trials at the same time.")
@output_option("--report", help="Write a page with the search, its curves and the choice.")
@table_options
def command(
    spec: str,
    folder: str | None,
    cache: str | None,
    workers: int,
    report: str | None,
    output: TableOutput,
) -> None:
    """Tune parameters on validation data; report on test data.

    The command of the spec is run as a list of arguments, without a shell, in a fresh folder for
    each trial. A spec is code: use only specs whose programs you would run yourself.
    """
    from assay.cli.click_model_options import show_progress
    from assay.selection.tuning.tune import tune

    with show_progress(output.quiet) as progress:
        found = tune(spec, folder, cache=cache, workers=workers, progress=progress)
    output.show_result(found)
    if report is not None:
        from assay.cli.behavior_output import write_page

        write_page(found, report, output.quiet)
