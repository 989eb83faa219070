"""Figures of experiments with users: differences with their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from assay.behavior.experiments.experiment_result import ExperimentResult
from assay.behavior.interleaving.analysis import InterleavingResult
from assay.behavior.laboratory.lab_result import LabResult
from assay.behavior.online_comparison import OnlineComparison
from assay.core.errors import UsageError
from assay.reports.figures.effect_figures import Effect, intervals_figure, pair_name
from assay.reports.figures.figure import Figure


def interleaving_figure(result: InterleavingResult) -> Figure:
    """Draw the preference of each pair of systems."""
    return preferences_figure(result.pairs)


def preferences_figure(frame: pl.DataFrame) -> Figure:
    """Draw the preferences of a table of pairs, perhaps within slices."""
    effects = [
        Effect(_pair_name(row), row["preference"], row["low"], row["high"])
        for row in frame.iter_rows(named=True)
    ]
    words = "Preference per impression; above 0 the first system of a pair is preferred"
    return intervals_figure(effects, words, "preference")


def _pair_name(row: dict[str, object]) -> str:
    pair = pair_name(str(row["system"]), str(row["baseline"]))
    return f"{row['slice']}: {pair}" if "slice" in row else pair


def experiment_figure(result: ExperimentResult) -> Figure:
    """Draw the relative differences of the measures; without any, those of the guardrails."""
    found = relative_figure(result.results if result.results.height else result.guardrails)
    if found is None:
        raise UsageError("there are no relative differences to draw")
    return found


def relative_figure(frame: pl.DataFrame) -> Figure | None:
    """Draw the differences from the control in percent; None where no measure has one."""
    several = frame.height > 0 and frame["arm"].n_unique() > 1
    effects = [
        Effect(
            f"{row['measure']} ({row['arm']})" if several else row["measure"],
            100 * row["relative"],
            100 * row["relative_low"],
            100 * row["relative_high"],
            row["better"],
        )
        for row in frame.iter_rows(named=True)
        if row["relative"] == row["relative"]
    ]
    words = "Difference from the control in percent, with its interval"
    return intervals_figure(effects, words, "difference in %") if effects else None


def trials_figure(result: LabResult, outcome: str | None = None) -> Figure:
    """Draw the differences of systems in an outcome, the first by default."""
    named = outcome or str(result.pairs["outcome"][0])
    effects = [
        Effect(_pair_name(row), row["difference"], row["low"], row["high"], better="")
        for row in result.pairs.filter(pl.col("outcome") == named).iter_rows(named=True)
    ]
    words = f"{named}: differences of systems"
    scale = " on a log scale" if named in result.conventions["log_scale"] else ""
    return intervals_figure(effects, words + scale, f"difference in {named}{scale}")


def online_figure(result: OnlineComparison, evidence: str | None = None) -> Figure:
    """Draw the differences that all kinds of evidence show, or one kind."""
    kinds = result.evidence["evidence"].unique().to_list() if evidence is None else [evidence]
    effects = [
        Effect(
            row["measure"] if evidence else f"{row['evidence']}: {row['measure']}",
            row["difference"],
            row["low"],
            row["high"],
            _better(row, result),
        )
        for row in result.evidence.iter_rows(named=True)
        if row["evidence"] in kinds
    ]
    words = f"{result.system} minus {result.baseline}, with intervals"
    return intervals_figure(effects, words, "difference")


def _better(row: Mapping[str, Any], result: OnlineComparison) -> str:
    """Return the better direction by the system that a row favors; empty where it favors none."""
    if row["favors"] not in (result.system, result.baseline):
        return ""
    return "higher" if (row["favors"] == result.system) == (row["difference"] > 0) else "lower"
