"""``assay compare``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from assay.cli.messages import (
    READER_FORMATS,
    alias_note,
    print_notes,
    print_result,
    show_frame,
    terminal_width,
)
from assay.cli.options import (
    Decorator,
    choice_option,
    column_option,
    confidence_option,
    count_option,
    digits_option,
    file_option,
    format_option,
    interval_option,
    missing_units_option,
    quiet_option,
    resamples_option,
    seed_option,
)
from assay.cli.scored import ScoreSource, UnitTable, scored_command, unit_options
from assay.reports.text.result_text import Layout, write
from assay.reports.text.table_text import UNBOUNDED

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


def options() -> list[Decorator]:
    """Return the options; tests and corrections are those that the library has."""
    from assay.statistics.significance_tests import (
        CORRECTIONS,
        DEFAULT_TEST,
        FAMILIES,
        joint_tests,
        paired_tests,
    )

    tests = f"{', '.join(paired_tests())}; or for all pairs at once {', '.join(joint_tests())}."
    return [
        file_option(
            "--baseline",
            "baselines",
            multiple=True,
            metavar="NAME",
            help="A system, or the file of one more; may be repeated. All pairs if left out.",
        ),
        click.option("--test", metavar="NAME", help=f"{tests} [default: {DEFAULT_TEST}]"),
        click.option(
            "--correct", metavar="NAME", help=f"{', '.join(CORRECTIONS)}. [default: holm]"
        ),
        choice_option("--family", FAMILIES, default="systems", help="What is corrected over."),
        *_difference_options(),
        choice_option(
            "--show",
            ["differences", "gains", "correlations"],
            help="Differences of systems, units with the largest ones, or how measures agree.",
        ),
        count_option("--most", default=10, help="Number of gains to show."),
        format_option("Comparison"),
    ]


def _difference_options() -> list[Decorator]:
    """Return the options on how a difference is tested, and on its units."""
    from assay.statistics.significance_tests import ALTERNATIVES

    return [
        choice_option(
            "--alternative",
            ALTERNATIVES,
            default="two-sided",
            help="Alternative hypothesis on the difference, system minus baseline.",
        ),
        click.option(
            "--margin",
            type=float,
            help="The smallest difference that matters, to test equivalence.",
        ),
        confidence_option(),
        interval_option,
        resamples_option(least=1),
        count_option(
            "--permutations",
            help="Permutations at most. [default: 10,000, or what the correction needs]",
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
            help="For folds: items tested over items learnt from, as in corrected-t.",
        ),
        missing_units_option,
        *unit_options,
        column_option("--cluster-by", help="Units that belong together, as one."),
        digits_option,
        quiet_option,
    ]


@contextmanager
def _progress_bar(quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on a terminal while permutations are drawn."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, of: None
        return
    with click.progressbar(length=1000, label="comparing", file=sys.stderr) as bar:

        def update(done: int, of: int) -> None:
            place = 1000 * done // max(of, 1)
            bar.pos = 0 if place < bar.pos else bar.pos
            bar.update(place - bar.pos)

        yield update


@scored_command("compare", options, EPILOG)
def command(
    source: ScoreSource, show: str, most: int, format: str, digits: int, quiet: bool, **given: Any
) -> None:
    """Show which systems differ, by how much, and how surely."""
    from assay.reports.text.unit_gain_tables import gain_tables, measure_correlations
    from assay.tasks.comparison.comparison import compare
    from assay.tasks.retrieval.costs import COST, measures_with_cost, quality_and_cost

    settings = _comparison_settings(given)
    scores, baselines = source.read_with_baselines(*settings.pop("baselines"))
    measures = measures_with_cost(scores, source.measures)
    with _progress_bar(quiet) as progress:
        found = compare(scores, measures, baseline=baselines, progress=progress, **settings)
    print_notes([*alias_note(source.measures or (), scores.task), *found.warnings], quiet)
    if show == "gains":
        show_frame(gain_tables(found, most), format, digits, signs=True)
    elif show == "correlations":
        show_frame(measure_correlations(found), format, digits, signs=True)
    else:
        print_result(write(found, format, Layout(digits, terminal_width(UNBOUNDED))))
        if COST in scores.conventions and format in READER_FORMATS:
            click.echo()
            show_frame(quality_and_cost(scores, list(found.samples)), format, digits)


def _comparison_settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of ``assay.compare``, with the facts of the units from their table."""
    from assay.statistics.intervals.unit_intervals import Bootstrap

    table = UnitTable.from_options(given)
    clusters = table.labels(table.cluster_by)
    level, resamples, method = (given.pop(name) for name in ("confidence", "resamples", "interval"))
    return given | {
        "interval": Bootstrap(level, resamples, given["seed"], method, clusters),
        "missing": given.pop("missing_units"),
        "weights": table.weights(),
        "slices": table.labels(table.slice_by),
    }
