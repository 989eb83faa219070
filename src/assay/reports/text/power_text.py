"""What units can show, as text."""

from __future__ import annotations

import re

from assay.reports.output_formats import FRAME_WRITERS
from assay.reports.text.line_wrapping import wrap_sentence
from assay.reports.text.table_text import UNBOUNDED, FrameLayout, align_columns
from assay.tasks.power import RELIABILITY, TABLES, Power

MOST_UNITS = 40
NOTES = {
    "design": (
        "difference_sd: pooled over the pairs of systems",
        "smallest_difference: found with power {power:g} at level {level:g} by a paired t-test",
        "units_anova: for the best and worst of the systems so far apart",
        "units_width: for intervals that reach no farther",
    ),
    "reliability": (
        "E_rho2: of the order of systems; Phi: of their scores",
        f"units_…: for {RELIABILITY:g}",
    ),
    "measures": (
        "discriminative_power: share of pairs that a paired t-test tells apart at level {level:g}",
        "swap_rate: how often two halves of the units disagree on a pair",
        "difference_5_swaps: from which on at most 5 % do",
        "tau: with leaderboards of resampled units",
    ),
    "units": (
        "spread: of the systems",
        "agreement: correlation with the mean of all other units",
        "alike: all systems are answered alike",
    ),
    "leaderboard": (
        "rank_low, rank_high: 95 % of the ranks over resampled units",
        "first: how often it comes first",
    ),
}
"""What the columns mean."""


def write_power_table(
    power: Power, show: str, form: str, digits: int, width: int = UNBOUNDED
) -> str:
    """One of the tables in a format; for a terminal with what its columns mean, as JSON all."""
    if form == "table":
        return _terminal(power, show, digits, width)
    if form == "json":
        return power.to_json()
    return FRAME_WRITERS[form](FrameLayout(TABLES[show](power), digits, unknown="–"))


def _terminal(power: Power, show: str, digits: int, width: int) -> str:
    """A table, and what its columns mean."""
    frame = TABLES[show](power)
    table = align_columns(
        FrameLayout(frame.head(_limit_text(show)), digits, unknown="–").rows(), width=width
    )
    more = len(frame) - _limit_text(show)
    said = [f"… and {more} more; --format csv has all"] if more > 0 else []
    legend = [
        wrap_sentence(note.format(power=power.power, level=power.level), width)
        for note in NOTES[show]
        if re.split("[:,]", note)[0] in (*frame.columns, "units_…")
    ]
    return "\n".join([table, *said, "", *legend])


def _limit_text(show: str) -> int:
    return MOST_UNITS if show == "units" else 1000
