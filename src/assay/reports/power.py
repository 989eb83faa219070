"""What units can show, as text."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from assay.reports.comparison import markdown_table, written
from assay.reports.tables import Layout, Rows, number, text
from assay.tasks.power import RELIABILITY, TABLES, Power

MOST_UNITS = 40
NOTES = {
    "design": "difference_sd: pooled over the pairs of systems; smallest_difference: found with"
    " power {power:g} at level {level:g} by a paired t-test; units_anova: for the best and worst of"
    " the systems so far apart; units_width: for intervals that reach no farther",
    "reliability": f"E_rho2: of the order of systems; Phi: of their scores; units_…: for"
    f" {RELIABILITY:g}",
    "measures": "discriminative_power: share of pairs that a paired t-test tells apart at level"
    " {level:g}; swap_rate: how often two halves of the units disagree on a pair;"
    " difference_5_swaps: from which on at most 5 % do; tau: with leaderboards of resampled units",
    "units": "spread: of the systems; agreement: correlation with the mean of all other units;"
    " alike: all systems are answered alike",
    "leaderboard": "rank_low, rank_high: 95 % of the ranks over resampled units; first: how often"
    " it comes first",
}
"""What the columns mean."""


def terminal(power: Power, show: str, layout: Layout) -> str:
    """A table, and what its columns mean."""
    frame = TABLES[show](power)
    table = text(_rows(frame.head(_most(show)), layout))
    more = len(frame) - _most(show)
    said = [f"… and {more} more; --format csv has all"] if more > 0 else []
    return "\n".join([table, *said, "", NOTES[show].format(power=power.power, level=power.level)])


def _most(show: str) -> int:
    return MOST_UNITS if show == "units" else 1000


def _rows(frame: pl.DataFrame, layout: Layout) -> Rows:
    return [frame.columns, *([_cell(c, layout) for c in row] for row in frame.iter_rows())]


def _cell(cell: object, layout: Layout) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else ""
    return number(cell, layout.digits) if isinstance(cell, float) else str(cell)


FORMATS: dict[str, Callable[[Power, str, Layout], str]] = {
    "table": terminal,
    "json": lambda power, show, layout: power.to_json(),
    "csv": lambda power, show, layout: written(TABLES[show](power), ","),
    "tsv": lambda power, show, layout: written(TABLES[show](power), "\t"),
    "markdown": lambda power, show, layout: markdown_table(_rows(TABLES[show](power), layout)),
}
