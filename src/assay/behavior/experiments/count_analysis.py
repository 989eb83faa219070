"""The analysis of an A/B test from counts: a row has many users, by arm and perhaps by day."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.experiments.arm_differences import ArmSummary
from assay.behavior.experiments.experiment_result import ExperimentResult
from assay.behavior.experiments.measure_tables import (
    AnalysisSettings,
    arm_rows,
    corrected_table,
    guardrail_table,
)
from assay.behavior.experiments.outcome_expressions import (
    Outcome,
    parse_outcomes,
    require_measures,
)
from assay.behavior.experiments.read_experiment import ArmSettings, order_arms
from assay.behavior.experiments.sample_ratio import (
    correct_family,
    planned_shares,
    sample_ratio_notes,
    sample_ratio_p,
)
from assay.behavior.experiments.times import day_column
from assay.behavior.experiments.user_table import (
    UserColumns,
    check_missing,
    id_column,
    number_column,
)
from assay.core.errors import DataError, UsageError, missing_column
from assay.core.phrases import quantity
from assay.core.tables import Source
from assay.formats.containers import to_frame
from assay.version import VERSION


@dataclass(frozen=True)
class CountColumns:
    """The columns of a table of counts."""

    users: str
    columns: UserColumns
    missing: str = "error"


@dataclass(frozen=True)
class _CountTable:
    """Rows of counts, with the arm of each."""

    frame: pl.DataFrame
    source: Source
    arms: tuple[str, ...]
    arm: pl.Series
    day: pl.Series | None


def analyze_counts(
    data: Any,
    named: tuple[list[str], list[str], list[str]],
    counted: CountColumns,
    arms: ArmSettings,
    settings: AnalysisSettings,
    ignore_sample_ratio: bool,
) -> ExperimentResult:
    """Return the result from counts: shares of users, or of another count such as clicks."""
    check_missing(counted.missing)
    frame, source = to_frame(data, "the data")
    if not frame.height:
        raise DataError(f"{source.name}: there are no rows to analyze")
    columns = counted.columns
    if counted.users not in frame.columns:
        raise missing_column(source.name, counted.users, frame.columns, "for `users`")
    require_measures(named, frame, source, (counted.users, columns.arm))
    outcomes = [
        _as_share(each, counted.users) for each in parse_outcomes(*named, {}, (frame, source))
    ]
    arm = id_column(frame, source, columns.arm, "arm")
    names, notes = order_arms(arm.unique().sort().to_list(), arms, source)
    day = day_column(frame, source, columns.time, columns.day, columns.zone)
    table = _CountTable(frame, source, names, arm, day)
    ratio = _sample_ratio(table, counted.users, planned_shares(names, arms.shares))
    hidden = bool((ratio["status"] == "broken").any()) and not ignore_sample_ratio
    notes += sample_ratio_notes(ratio, hidden)
    counts = {name: int(ratio[f"users:{name}"][0]) for name in names}
    conventions = _conventions(counts, outcomes, settings, arms, counted.users)
    result = ExperimentResult(conventions, ratio, hidden=hidden, warnings=tuple(notes))
    if hidden:
        return result
    result = replace(result, warnings=(*result.warnings, *_ratio_notes(outcomes, counted.users)))
    return _complete(result, table, outcomes, settings, counted.missing)


def _ratio_notes(outcomes: Sequence[Outcome], users: str) -> list[str]:
    """Return a note on each share whose denominator is not the unit of randomization."""
    return [
        f"{each.name}: p is too small if a user has several {each.denominator}; a row for each user"
        " corrects that"
        for each in outcomes
        if each.denominator != users
    ]


def _as_share(outcome: Outcome, users: str) -> Outcome:
    """Return a measure as the share of a count; the default is that of the users."""
    if outcome.kind not in ("mean", "share", "ratio"):
        raise UsageError(
            f"'{outcome.name}' needs a value of each user; counts have shares only, such as"
            f" {outcome.column}/{users}"
        )
    return replace(outcome, kind="share", denominator=outcome.denominator or users)


def _counts(table: _CountTable, column: str, missing: str = "error") -> pl.Series:
    """Return a column of counts; refuse what is not one."""
    numbers = number_column(table.frame, column, table.source, missing)
    bad = ((numbers < 0) | (numbers % 1 != 0)).fill_null(False).arg_true()
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"{table.source.place(row)}: the {column} {numbers[row]:g} is not a count; counts are"
            " whole numbers from 0 on"
        )
    return numbers


def _sample_ratio(table: _CountTable, users: str, shares: np.ndarray) -> pl.DataFrame:
    """Return the test of all users, and of each day."""
    numbers = _counts(table, users)
    families = {"all": pl.Series(["all users"] * len(numbers))}
    if table.day is not None:
        families["day"] = table.day
    parts = []
    for family, values in families.items():
        rows = []
        for value in values.unique().sort().to_list():
            inside = values == value
            counts = np.array(
                [int(numbers.filter(inside & (table.arm == name)).sum()) for name in table.arms]
            )
            fits = counts.sum() > 0
            p = sample_ratio_p(counts, shares) if fits else math.nan
            by_arm = {
                f"users:{name}": n for name, n in zip(table.arms, counts.tolist(), strict=True)
            }
            rows.append({"family": family, "slice": value, **by_arm, "p": p})
        parts.append(correct_family(pl.DataFrame(rows)))
    return pl.concat(parts)


def _complete(
    result: ExperimentResult,
    table: _CountTable,
    outcomes: Sequence[Outcome],
    settings: AnalysisSettings,
    missing: str,
) -> ExperimentResult:
    rows: list[dict[str, Any]] = []
    guarded: list[dict[str, Any]] = []
    notes: list[str] = []
    for outcome in outcomes:
        summaries, said = _summaries(table, outcome, missing)
        notes += said
        (guarded if outcome.guardrail else rows).extend(arm_rows(outcome, summaries, settings))
    undefined = [
        f"{row['measure']} of {row['arm']}: {reason}"
        for row in (*rows, *guarded)
        if (reason := row.pop("reason"))
    ]
    return replace(
        result,
        results=corrected_table(rows, settings.correction),
        guardrails=guardrail_table(guarded, settings.margin),
        warnings=(*result.warnings, *dict.fromkeys(notes), *undefined),
    )


def _summaries(
    table: _CountTable, outcome: Outcome, missing: str
) -> tuple[dict[str, ArmSummary], list[str]]:
    """Return the share of each arm, and notes."""
    top = _counts(table, outcome.column, missing)
    bottom = _counts(table, str(outcome.denominator), missing)
    kept = top.is_not_null() & bottom.is_not_null()
    notes = []
    if not kept.all():
        lost = quantity(int((~kept).sum()), "row")
        notes.append(f"{outcome.name}: {lost} without a value left out")
    above = (top > bottom).fill_null(False).arg_true()
    if len(above):
        row = int(above[0])
        raise DataError(
            f"{table.source.place(row)}: the {outcome.column} {top[row]:g} is more than the"
            f" {outcome.denominator} {bottom[row]:g}; counts give shares only"
        )
    summaries = {}
    for name in table.arms:
        inside = kept & (table.arm == name)
        total = int(bottom.filter(inside).sum())
        share = int(top.filter(inside).sum()) / total if total else math.nan
        spread = share * (1 - share) * total / (total - 1) if total > 1 else math.nan
        summaries[name] = ArmSummary(total, share, spread)
    return summaries, notes


def _conventions(
    counts: dict[str, int],
    outcomes: Sequence[Outcome],
    settings: AnalysisSettings,
    arms: ArmSettings,
    users: str,
) -> dict[str, Any]:
    return {
        "assay": VERSION,
        "unit": users,
        "counted": True,
        "control": next(iter(counts)),
        "arms": counts,
        "shares": dict(arms.shares) if arms.shares else "equal",
        **settings.describe(outcomes),
        "trigger": None,
    }
