"""What units can show, as text."""

from __future__ import annotations

import re

import polars as pl

from assay.core.phrases import wrap_sentence
from assay.reports.text.result_text import ResultText
from assay.reports.text.table_text import align_columns
from assay.tasks.power import RELIABILITY, TABLES, Power

MOST_UNITS = 40
MOST_ROWS = 1000
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
        "discriminative_power: share of pairs that differ in a paired t-test at level {level:g}",
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


class PowerText(ResultText):
    """What units can show, in all output formats; ``show`` names the table."""

    result: Power
    unknown = "–"
    wrapped = True

    @property
    def show(self) -> str:
        """The table that was requested."""
        return self.layout.show or "design"

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the requested table."""
        return {self.show: TABLES[self.show](self.result)}

    def notes(self) -> list[str]:
        """Return what the columns mean."""
        return [
            note.format(power=self.result.power, level=self.result.level)
            for note in NOTES[self.show]
            if re.split("[:,]", note)[0] in (*self.frames()[self.show].columns, "units_…")
        ]

    def table(self) -> str:
        """Return the table, cut if it is long, and what its columns mean."""
        frame = self.frames()[self.show]
        most = MOST_UNITS if self.show == "units" else MOST_ROWS
        rows = self._text_table(frame.head(most)).rows
        table = align_columns(rows, width=self.layout.width)
        if len(frame) > most:
            table += f"\n… and {len(frame) - most} more; --format csv has all"
        notes = [wrap_sentence(note, self.layout.width) for note in self.notes()]
        return "\n".join([table, "", *notes])
