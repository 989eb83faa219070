"""``assay compare``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from assay.cli.comparison_options import (
    ComparisonOptions,
    UnitTable,
    comparison_options,
    comparison_progress,
)
from assay.cli.file_options import INPUT_FILE
from assay.cli.measure_aliases import alias_note
from assay.cli.options import COST_SIDE_OPTIONS, format_option, print_notes
from assay.cli.scored import Options, ScoreSource, scored_command
from assay.cli.table_output import show_frame
from assay.cli.terminal import print_result, terminal_width
from assay.reports.text.result_text import write

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
  assay compare folds.csv --test 5x2-t   # columns system, repetition, fold, value"""


def options() -> Options:
    """The options; tests and corrections are those that the library has."""
    from assay.statistics.comparison_settings import DEFAULT_TEST, FAMILIES
    from assay.statistics.corrections import CORRECTIONS
    from assay.statistics.significance_tests import joint_tests, paired_tests

    tests = f"{', '.join(paired_tests())}; or for all pairs at once {', '.join(joint_tests())}."
    return [
        click.option(
            "--baseline",
            "baselines",
            type=INPUT_FILE,
            multiple=True,
            metavar="NAME",
            help="A system, or the file of one more; may be repeated. All pairs if left out.",
        ),
        click.option("--test", metavar="NAME", help=f"{tests} [default: {DEFAULT_TEST}]"),
        click.option(
            "--correct", metavar="NAME", help=f"{', '.join(CORRECTIONS)}. [default: holm]"
        ),
        click.option(
            "--family",
            type=click.Choice(FAMILIES),
            default="systems",
            show_default=True,
            help="What is corrected over.",
        ),
        *comparison_options(),
        click.option(
            "--show",
            type=click.Choice(["differences", "gains", "correlations"]),
            default="differences",
            show_default=True,
            help="Differences of systems, units with the largest ones, or how measures agree.",
        ),
        click.option(
            "--most", type=click.IntRange(1), default=10, show_default=True, help="Of gains."
        ),
        format_option("Comparison"),
    ]


@scored_command("compare", options, EPILOG)
def command(
    source: ScoreSource,
    baselines: tuple[str, ...],
    test: str | None,
    correct: str | None,
    family: Any,
    show: str,
    most: int,
    format: str,
    **given: Any,
) -> None:
    """Show which systems differ, by how much, and how surely."""
    from assay.reports.text.table_text import UNBOUNDED
    from assay.reports.text.unit_gain_tables import gain_tables, measure_correlations
    from assay.tasks.comparison.comparison import compare
    from assay.tasks.retrieval.costs import COST, measures_with_cost, quality_and_cost

    settings, facts = ComparisonOptions.from_options(given), UnitTable.from_options(given)
    scores, known = source.read_with_baselines(*baselines)
    with comparison_progress(settings) as progress:
        found = compare(
            scores,
            measures_with_cost(scores, source.measures),
            baseline=known,
            test=test,
            correct=correct,
            family=family,
            progress=progress,
            **settings.arguments(facts),
        )
    print_notes([*alias_note(source.measures or (), scores.task), *found.warnings], settings.quiet)
    layout = replace(settings.layout(), width=terminal_width(UNBOUNDED))
    if show == "gains":
        show_frame(gain_tables(found, most), format, layout.digits, signs=True)
    elif show == "correlations":
        show_frame(measure_correlations(found), format, layout.digits, signs=True)
    else:
        print_result(write(found, format, layout))
        if COST in scores.conventions and format in COST_SIDE_OPTIONS:
            click.echo()
            show_frame(quality_and_cost(scores, list(found.samples)), format, layout.digits)
