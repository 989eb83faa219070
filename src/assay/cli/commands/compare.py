"""``assay compare``."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import (
    choice_option,
    column_option,
    confidence_option,
    count_option,
    file_option,
    interval_option,
    missing_units_option,
    resamples_option,
    seed_option,
)
from assay.cli.output import READER_FORMATS, TableOutput, alias_note, progress_bar, result_options
from assay.cli.parameters import Decorator
from assay.cli.task_inputs import ScoreSource, scored_command
from assay.cli.unit_table import UnitTable, unit_options

GROUP = "decide"

EPILOG = """\b
Examples:
  assay compare retrieval qrels.txt bm25.run dense.run -m "nDCG@10 AP" --baseline bm25
  assay compare retrieval qrels.txt *.run -m nDCG@10 --test tukey
  assay compare retrieval qrels.txt bm25.csv dense.csv -m nDCG@10 --cost time
  assay compare scores.parquet --baseline bm25 --correct bh --family measures
  assay compare scores.parquet --units topics.csv --by type --weight-by traffic
  assay compare scores.parquet --baseline bm25 --show gains
  assay compare classification a.csv b.csv --item id --predicted guess -m "MCC ACC"
  assay compare classification all.csv --score p_a --score p_b --positive yes -m AUC
  assay compare scores.csv --baseline bm25   # columns query, system, AP, nDCG …
  assay compare benchmark.csv --system-column model --unit-column dataset
  assay compare folds.csv --test 5x2-t   # columns system, repetition, fold, value"""


BASELINES = file_option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="NAME",
    help="A system, or the file of one more; may be repeated. All pairs if left out.",
)
TESTED = [
    click.option(
        "--margin", type=float, help="The smallest difference that matters, to test equivalence."
    ),
    confidence_option(),
    interval_option,
    resamples_option(least=1),
    count_option(
        "--permutations",
        help="Maximum number of permutations. [default: 10,000, or what the correction needs]",
    ),
    seed_option,
    click.option(
        "--tie-width",
        type=click.FloatRange(0),
        default=0.0,
        help="Differences up to this size are ties.",
    ),
    click.option(
        "--test-share",
        type=float,
        help="For folds: items tested over items trained on, as in corrected-t.",
    ),
]
"""How a difference is tested."""
SHOWN = [
    *unit_options,
    column_option("--cluster-by", help="Units that belong together, as one."),
    choice_option(
        "--show",
        ["differences", "gains", "correlations"],
        help="Differences of systems, units with the largest ones, or how measures agree.",
    ),
    count_option("--most", default=10, help="Number of gains to show."),
    result_options("Comparison"),
]
"""The units, and what is shown."""


def options() -> list[Decorator]:
    """Return the options; tests and corrections are those that the library has."""
    from assay.statistics.corrections import CORRECTIONS
    from assay.statistics.significance_tests import (
        ALTERNATIVES,
        DEFAULT_TEST,
        FAMILIES,
        joint_tests,
        paired_tests,
    )

    tests = f"{', '.join(paired_tests())}; or for all pairs at once {', '.join(joint_tests())}."
    names = ", ".join(CORRECTIONS)
    return [
        BASELINES,
        click.option("--test", metavar="NAME", help=f"{tests} [default: {DEFAULT_TEST}]"),
        click.option("--correct", metavar="NAME", help=f"{names}. [default: holm]"),
        choice_option(
            "--family", FAMILIES, default="systems", help="Tests that are corrected together."
        ),
        choice_option(
            "--alternative",
            ALTERNATIVES,
            default="two-sided",
            help="Alternative hypothesis on the difference, system minus baseline.",
        ),
        *TESTED,
        missing_units_option(),
        *SHOWN,
    ]


@scored_command("compare", options, EPILOG)
def command(source: ScoreSource, show: str, most: int, output: TableOutput, **given: Any) -> None:
    """Show which systems differ and by how much, with tests and intervals."""
    from assay.core.progress import no_progress
    from assay.reports.text.unit_gain_tables import gain_tables, measure_correlations
    from assay.tasks.comparison.comparison import compare
    from assay.tasks.retrieval.costs import COST, measures_with_cost, quality_and_cost

    settings = _comparison_settings(given)
    scores, baselines = source.read_with_baselines(*settings.pop("baselines"))
    measures = source.measures
    if COST in scores.conventions:
        measures = measures_with_cost(scores, measures)
    with progress_bar("comparing", output.quiet) as update:
        settings["progress"] = update or no_progress
        found = compare(scores, measures, baseline=baselines, **settings)
    notes = [*alias_note(source.measures or (), scores), *found.warnings]
    if show == "gains":
        output.show_result(gain_tables(found, most=most), notes, signs=True)
    elif show == "correlations":
        output.show_result(measure_correlations(found), notes, signs=True)
    else:
        output.show_result(found, notes)
        if COST in scores.conventions and output.format in READER_FORMATS:
            click.echo()
            output.show_result(quality_and_cost(scores, list(found.samples)))


def _comparison_settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of ``assay.compare``, with the facts of the units from their table."""
    from assay.statistics.intervals.unit_intervals import Bootstrap

    table = UnitTable.from_options(given)
    weights, slices = table.weights(), table.slices()
    clusters = table.clusters()
    level, resamples, method = (given.pop(name) for name in ("confidence", "resamples", "interval"))
    return given | {
        "interval": Bootstrap(level, resamples, given["seed"], method, clusters),
        "missing": given.pop("missing_units"),
        "weights": weights,
        "by": slices,
    }
