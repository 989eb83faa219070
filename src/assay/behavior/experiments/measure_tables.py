"""The tables of an experiment: a row for each measure and arm, guardrails, days and looks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from assay.behavior.experiments.arm_differences import (
    ArmSummary,
    Difference,
    arm_summaries,
    compare_means,
    compare_shares,
)
from assay.behavior.experiments.arm_values import UserValues
from assay.behavior.experiments.days import (
    Course,
    daily_effects,
    day_names,
    sequential_looks,
)
from assay.behavior.experiments.outcome_expressions import Outcome
from assay.behavior.experiments.sequential import TUNED, compare_sequentially
from assay.behavior.experiments.user_table import UserTable
from assay.core.errors import UsageError, unknown_name
from assay.statistics.corrections import CORRECTIONS, adjust_p_values


@dataclass(frozen=True)
class AnalysisSettings:
    """How arms are compared."""

    confidence: float = 0.95
    correction: str = "holm"
    sequential: bool = False
    tuned: int = TUNED
    margin: float = 0.0
    """The largest relative loss of a guardrail that is acceptable."""

    def check(self) -> None:
        """Raise an error for settings that make no sense."""
        if self.correction not in CORRECTIONS:
            raise unknown_name("correction", self.correction, CORRECTIONS)
        if not 0 < self.confidence < 1:
            raise UsageError(f"`confidence` is {self.confidence:g}: between 0 and 1 is expected")
        if self.margin < 0:
            raise UsageError(f"`margin` is {self.margin:g}: a share from 0 on is expected")
        if self.tuned < 1:
            raise UsageError(f"`tuned` is {self.tuned}: a number of users is expected")

    def describe(self, outcomes: Sequence[Outcome]) -> dict[str, Any]:
        """Return the measures and how they are tested, for the conventions of a result."""
        return {
            "measures": [each.name for each in outcomes if not each.guardrail],
            "guardrails": [each.name for each in outcomes if each.guardrail],
            "lower_is_better": [each.name for each in outcomes if each.better == "lower"],
            "margin": self.margin,
            "confidence": self.confidence,
            "correction": self.correction,
            "sequential": self.sequential,
            "tuned": self.tuned if self.sequential else None,
        }


def measure_rows(
    table: UserTable, found: UserValues, settings: AnalysisSettings, diluted: float | None
) -> Iterator[dict[str, Any]]:
    """Yield a row for each arm beside the control."""
    arms = arm_summaries(found.values, table.arm, len(table.arms))
    yield from arm_rows(found.outcome, dict(zip(table.arms, arms, strict=True)), settings, diluted)


def arm_rows(
    outcome: Outcome,
    summaries: Mapping[str, ArmSummary],
    settings: AnalysisSettings,
    diluted: float | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield a row for each arm beside the control, which is the first."""
    arms = list(summaries.values())
    for number, name in enumerate(list(summaries)[1:], 1):
        difference = compare_arms(outcome, arms[0], arms[number], settings)
        row: dict[str, Any] = {
            "measure": outcome.name,
            "kind": outcome.kind,
            "better": outcome.better,
            "arm": name,
            "users_control": arms[0].users,
            "users": arms[number].users,
            "control": arms[0].mean,
            "value": arms[number].mean,
            "difference": difference.value,
            "low": difference.low,
            "high": difference.high,
            "relative": difference.relative,
            "relative_low": difference.relative_low,
            "relative_high": difference.relative_high,
            "effect_size": difference.effect_size,
            "p": difference.p,
            "reason": difference.reason,
        }
        if diluted is not None:
            row["difference_all_users"] = difference.value * diluted
        yield row


def compare_arms(
    outcome: Outcome, control: ArmSummary, arm: ArmSummary, settings: AnalysisSettings
) -> Difference:
    """Return the difference of two arms by the test of the measure."""
    if settings.sequential:
        return compare_sequentially(control, arm, settings.confidence, settings.tuned)
    if outcome.kind == "share" and outcome.covariate is None:
        return compare_shares(control, arm, settings.confidence)
    return compare_means(control, arm, settings.confidence)


def corrected_table(rows: list[dict[str, Any]], correction: str) -> pl.DataFrame:
    """Return the rows with corrected p-values."""
    if not rows:
        return pl.DataFrame()
    frame = pl.DataFrame(rows)
    corrected = pl.Series("p_corrected", adjust_p_values(frame["p"].to_numpy(), correction))
    return frame.insert_column(frame.columns.index("p") + 1, corrected)


def guardrail_table(rows: list[dict[str, Any]], margin: float) -> pl.DataFrame:
    """Return the guardrails with their margins, and whether they hold."""
    for row in rows:
        row["margin"] = margin * abs(row["control"])
        row["status"] = _guardrail_status(row)
    return pl.DataFrame(rows)


def _guardrail_status(row: dict[str, Any]) -> str:
    """Return whether a guardrail holds: by the interval of the loss."""
    if math.isnan(row["low"]):
        return "undefined"
    worst = -row["low"] if row["better"] == "higher" else row["high"]
    least = -row["high"] if row["better"] == "higher" else row["low"]
    if least > row["margin"]:
        return "harmed"
    if worst <= row["margin"]:
        return "safe"
    return "undecided" if row["margin"] else "no harm found"


def course_of_days(
    table: UserTable, outcomes: Sequence[Outcome], settings: AnalysisSettings
) -> Course:
    """Return the tables of days, trends and looks; empty without several days."""
    if len(day_names(table)) < 2:
        return Course()
    days, trends, looks = [], [], []
    for outcome in outcomes:
        for arm in range(1, len(table.arms)):
            frame, trend = daily_effects(table, outcome, arm, settings.confidence)
            days.append(frame)
            trends.append({"measure": outcome.name, "arm": table.arms[arm], **trend})
            if settings.sequential:
                looks.append(
                    sequential_looks(table, outcome, arm, settings.confidence, settings.tuned)
                )
    return Course(
        pl.concat(days),
        pl.DataFrame(trends),
        pl.concat(looks) if looks else pl.DataFrame(),
    )


def take_smallest_p(rows: list[dict[str, Any]], looks: pl.DataFrame) -> None:
    """Put the smallest p-value of all looks into the rows: each of them was valid."""
    last = looks.group_by("measure", "arm").agg(pl.col("p").min())
    smallest = {(measure, arm): p for measure, arm, p in last.iter_rows()}
    for row in rows:
        row["p"] = smallest.get((row["measure"], row["arm"]), row["p"])
