"""The gaps of fairness criteria between slices as intervals."""

from __future__ import annotations

from assay.core.errors import unknown_name
from assay.reports.figures.effect_figures import Effect, intervals_figure
from assay.reports.figures.figure import Figure
from assay.tasks.classification.fairness import FairnessReport


def fairness_figure(report: FairnessReport, system: str | None = None) -> Figure:
    """Draw the gap of each criterion with its interval, of all systems or of one."""
    systems = report.gaps["system"].unique(maintain_order=True).to_list()
    if system not in (None, *systems):
        raise unknown_name("system", str(system), systems)
    several = len(systems) > 1 and system is None
    effects = [
        Effect(
            f"{row['system']}, " * several + f"{row['by']}: {row['criterion']}",
            row["gap"],
            row["low"],
            row["high"],
            better="lower",
        )
        for row in report.gaps.iter_rows(named=True)
        if system in (None, row["system"])
    ]
    title = "Largest gap between two slices by each criterion; 0 is the same rate in all"
    return intervals_figure(effects, title, "gap")
