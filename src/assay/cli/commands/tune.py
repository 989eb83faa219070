"""``assay tune``: values of parameters, chosen on validation data."""

from __future__ import annotations

import click

from assay.cli.options import count_option
from assay.cli.output import TableOutput, table_options

GROUP = "models"


@click.command(
    "tune",
    epilog="""\b
Example:
  assay tune bm25.toml --folder trials --workers 2
\b
bm25.toml:
  command = ["./rank", "--k1", "{k1}", "--b", "{b}", "--topics", "{topics}", "-o", "{run}"]
  method = "random"            # grid, random or optuna
  trials = 24
  simpler = ["-k1"]            # a lower k1 is simpler
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
@count_option("--workers", default=1, show_default=True, help="Trials at the same time.")
@table_options
def command(spec: str, folder: str | None, workers: int, output: TableOutput) -> None:
    """Tune parameters on validation data; report on test data.

    The command of the spec is run as a list of arguments, without a shell, in a fresh folder for
    each trial. A spec is code: use only specs whose programs you would run yourself.
    """
    from assay.cli.click_model_options import show_progress
    from assay.selection.tuning.tune import tune

    with show_progress(output.quiet) as progress:
        found = tune(spec, folder, workers=workers, progress=progress)
    output.show_result(found)
