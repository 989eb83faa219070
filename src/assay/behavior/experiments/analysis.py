"""The analysis of an A/B test: the sample ratio first, then every measure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.experiments.arm_differences import (
    Difference,
    arm_summaries,
    compare_means,
    compare_shares,
)
from assay.behavior.experiments.arm_values import UserValues, user_values
from assay.behavior.experiments.days import (
    DAILY,
    Course,
    daily_effects,
    day_names,
    sequential_looks,
)
from assay.behavior.experiments.experiment_result import ExperimentResult
from assay.behavior.experiments.outcome_expressions import Outcome, parse_outcomes
from assay.behavior.experiments.outliers import outlier_notes
from assay.behavior.experiments.read_experiment import ArmSettings, join_arms, read_users
from assay.behavior.experiments.sample_ratio import (
    expected_shares,
    sample_ratio_notes,
    sample_ratio_table,
)
from assay.behavior.experiments.sequential import TUNED, compare_sequentially
from assay.behavior.experiments.slice_effects import slice_effects
from assay.behavior.experiments.user_table import UserColumns, UserTable, only_numbers
from assay.core.errors import DataError, UsageError, missing_column, unknown_name
from assay.core.phrases import quantity
from assay.formats.containers import to_frame
from assay.statistics.significance_tests import CORRECTIONS, adjust_p_values
from assay.version import VERSION


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


def analyze_experiment(
    data: Any,
    measures: str | Sequence[str] = (),
    *,
    arms: Any = None,
    user: str = "user",
    arm: str = "arm",
    control: str | None = None,
    shares: Mapping[str, float] | None = None,
    guardrails: str | Sequence[str] = (),
    margin: float = 0.0,
    lower: str | Sequence[str] = (),
    covariates: Mapping[str, str] | None = None,
    trigger: str | None = None,
    by: str | Sequence[str] = (),
    time: str | None = None,
    day: str | None = None,
    zone: str | None = None,
    missing: str = "error",
    confidence: float = 0.95,
    correction: str = "holm",
    sequential: bool = False,
    tuned: int = TUNED,
    ignore_sample_ratio: bool = False,
) -> ExperimentResult:
    """Compare the arms of an experiment, with the user as the unit.

    ``data`` has one row or several for each user, with the columns ``user`` and ``arm`` (or a table
    of ``arms`` with these two). A measure is a column, ``clicks/queries``, ``share(x)``,
    ``quantile(x, 0.95)`` or ``winsorized(x, 0.99)``; ``lower`` names those of which less is better.
    ``covariates`` is a dict of measure to a column from before the experiment (CUPED). Guardrails
    must not lose more than ``margin``, a share of the control. ``trigger`` names a column of users
    who could have seen a difference; ``by`` columns that define slices; ``time`` or ``day`` the
    days. Results are hidden if the sample ratio is broken (p < 0.001), unless that is ignored.
    """
    settings = AnalysisSettings(confidence, correction, sequential, tuned, margin)
    settings.check()
    columns = UserColumns(user, arm, time, day, trigger, tuple(_listed(by)), zone)
    table, outcomes, notes = _read(
        (data, arms),
        columns,
        (_listed(measures), _listed(guardrails), _listed(lower), dict(covariates or {})),
        ArmSettings(control, shares),
        missing,
    )
    table, diluted, more = _triggered(table, columns)
    ratio = sample_ratio_table(table, expected_shares(table, shares))
    conventions = _conventions(table, outcomes, settings, shares, columns)
    notes = [*notes, *table.notes, *more, *sample_ratio_notes(ratio)]
    hidden = bool((ratio["status"] == "broken").any()) and not ignore_sample_ratio
    result = ExperimentResult(conventions, ratio, hidden=hidden, warnings=tuple(notes))
    return result if hidden else _complete(result, table, outcomes, settings, diluted)


def _listed(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _read(
    given: tuple[Any, Any],
    columns: UserColumns,
    named: tuple[list[str], list[str], list[str], dict[str, str]],
    arms: ArmSettings,
    missing: str,
) -> tuple[UserTable, list[Outcome], list[str]]:
    data, assignment = given
    notes = []
    if assignment is None:
        frame, source = to_frame(data, "the data")
    else:
        frame, source, note = join_arms(data, assignment, columns)
        notes = [note] if note else []
    if not named[0] and not named[1]:
        free = [c for c in only_numbers(frame) if c not in (columns.user, columns.arm)]
        raise UsageError(
            f"name the `measures` of the experiment; {source.name} has the numbers"
            f" {', '.join(free) or '(none)'}"
        )
    outcomes = parse_outcomes(*named, (frame, source))
    return read_users((frame, source), columns, outcomes, arms, missing), outcomes, notes


def _triggered(table: UserTable, columns: UserColumns) -> tuple[UserTable, float | None, list[str]]:
    """Return the triggered users, their share, and a note; all users without a trigger."""
    if columns.trigger is None:
        return table, None, []
    if columns.trigger not in table.frame.columns:
        raise missing_column(
            table.source.name, columns.trigger, table.frame.columns, "for `trigger`"
        )
    chosen = _trigger_rows(table, columns.trigger)
    inside = np.bincount(table.row_user, chosen, len(table)) > 0
    part = table.rows_of(inside)
    if len(set(part.arm.tolist())) < len(table.arms):
        raise DataError(f"{table.source.name}: an arm has no triggered users")
    share = len(part) / len(table)
    said = f"{quantity(len(part), 'triggered user')} of {len(table):,} are compared"
    return part, share, [said]


def _trigger_rows(table: UserTable, column: str) -> np.ndarray:
    from assay.behavior.experiments.user_table import number_column

    return number_column(table.frame, column, table.source, "error").to_numpy() > 0


def _conventions(
    table: UserTable,
    outcomes: Sequence[Outcome],
    settings: AnalysisSettings,
    shares: Mapping[str, float] | None,
    columns: UserColumns,
) -> dict[str, Any]:
    counts = np.bincount(table.arm, minlength=len(table.arms)).tolist()
    return {
        "assay": VERSION,
        "unit": columns.user,
        "control": table.arms[0],
        "arms": dict(zip(table.arms, counts, strict=True)),
        "shares": dict(shares) if shares else "equal",
        "measures": [each.name for each in outcomes if not each.guardrail],
        "guardrails": [each.name for each in outcomes if each.guardrail],
        "lower_is_better": [each.name for each in outcomes if each.better == "lower"],
        "margin": settings.margin,
        "confidence": settings.confidence,
        "correction": settings.correction,
        "sequential": settings.sequential,
        "tuned": settings.tuned if settings.sequential else None,
        "trigger": columns.trigger,
    }


def _complete(
    result: ExperimentResult,
    table: UserTable,
    outcomes: Sequence[Outcome],
    settings: AnalysisSettings,
    diluted: float | None,
) -> ExperimentResult:
    """Return the result with the tables of measures, guardrails, days, looks and slices."""
    found = {each.name: user_values(table, each) for each in outcomes}
    notes = [note for each in found.values() for note in (*each.notes, *outlier_notes(table, each))]
    guardrails = {each.name for each in outcomes if each.guardrail}
    rows = [row for each in found.values() for row in _rows(table, each, settings, diluted)]
    main = [row for row in rows if row["measure"] not in guardrails]
    guarded = [row for row in rows if row["measure"] in guardrails]
    course = _over_days(table, outcomes, settings)
    if course.looks.height:
        _take_smallest_p(rows, course.looks)
    slices = [
        slice_effects(table, each, arm, column, settings.confidence)
        for each in outcomes
        for arm in range(1, len(table.arms))
        for column in table.segments
    ]
    undefined = [
        f"{row['measure']} of {row['arm']}: {reason}"
        for row in rows
        if (reason := row.pop("reason"))
    ]
    return replace(
        result,
        results=_corrected(main, settings.correction),
        guardrails=_guardrail_table(guarded, settings.margin),
        slices=pl.concat(slices) if slices else pl.DataFrame(),
        warnings=(*result.warnings, *notes, *undefined),
        days=course.days,
        trends=course.trends,
        looks=course.looks,
    )


def _rows(
    table: UserTable, found: UserValues, settings: AnalysisSettings, diluted: float | None
) -> Iterator[dict[str, Any]]:
    """Yield a row for each arm beside the control."""
    outcome = found.outcome
    arms = arm_summaries(found.values, table.arm, len(table.arms))
    for number, name in enumerate(table.arms[1:], 1):
        difference = _compare(outcome, arms[0], arms[number], settings)
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


def _compare(outcome: Outcome, control: Any, arm: Any, settings: AnalysisSettings) -> Difference:
    if settings.sequential:
        return compare_sequentially(control, arm, settings.confidence, settings.tuned)
    if outcome.kind == "share" and outcome.covariate is None:
        return compare_shares(control, arm, settings.confidence)
    return compare_means(control, arm, settings.confidence)


def _corrected(rows: list[dict[str, Any]], correction: str) -> pl.DataFrame:
    if not rows:
        return pl.DataFrame()
    frame = pl.DataFrame(rows)
    corrected = pl.Series("p_corrected", adjust_p_values(frame["p"].to_numpy(), correction))
    return frame.insert_column(frame.columns.index("p") + 1, corrected)


def _guardrail_table(rows: list[dict[str, Any]], margin: float) -> pl.DataFrame:
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


def _over_days(table: UserTable, outcomes: Sequence[Outcome], settings: AnalysisSettings) -> Course:
    """Return the tables of days, trends and looks; empty without several days."""
    if len(day_names(table)) < 2:
        return Course()
    days, trends, looks = [], [], []
    for outcome in outcomes:
        for arm in range(1, len(table.arms)):
            if outcome.kind in DAILY:
                frame, trend = daily_effects(table, outcome, arm, settings.confidence)
                days.append(frame)
                trends.append({"measure": outcome.name, "arm": table.arms[arm], **trend})
            if settings.sequential:
                looks.append(
                    sequential_looks(table, outcome, arm, settings.confidence, settings.tuned)
                )
    return Course(
        pl.concat(days) if days else pl.DataFrame(),
        pl.DataFrame(trends),
        pl.concat(looks) if looks else pl.DataFrame(),
    )


def _take_smallest_p(rows: list[dict[str, Any]], looks: pl.DataFrame) -> None:
    """Put the smallest p-value of all looks into the rows: each of them was valid."""
    last = looks.group_by("measure", "arm").agg(pl.col("p").min())
    smallest = {(measure, arm): p for measure, arm, p in last.iter_rows()}
    for row in rows:
        row["p"] = smallest.get((row["measure"], row["arm"]), row["p"])
