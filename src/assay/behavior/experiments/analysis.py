"""The analysis of an A/B test: the sample ratio first, then every measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.experiments.arm_values import user_values
from assay.behavior.experiments.count_analysis import CountColumns, analyze_counts
from assay.behavior.experiments.experiment_result import ExperimentResult
from assay.behavior.experiments.measure_tables import (
    AnalysisSettings,
    corrected_table,
    course_of_days,
    guardrail_table,
    measure_rows,
    take_smallest_p,
)
from assay.behavior.experiments.outcome_expressions import Outcome, parse_outcomes, require_measures
from assay.behavior.experiments.outliers import outlier_notes
from assay.behavior.experiments.read_experiment import ArmSettings, join_arms, read_users
from assay.behavior.experiments.sample_ratio import (
    expected_shares,
    sample_ratio_notes,
    sample_ratio_table,
)
from assay.behavior.experiments.sequential import TUNED
from assay.behavior.experiments.slice_effects import slice_effects
from assay.behavior.experiments.user_table import CROSSED, UserColumns, UserTable
from assay.core.errors import DataError, UsageError, missing_column
from assay.core.phrases import quantity
from assay.formats.containers import to_frame
from assay.formats.decimal_commas import with_decimal_commas
from assay.version import VERSION


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
    crossed: str = "error",
    users: str | None = None,
    confidence: float = 0.95,
    correction: str = "holm",
    sequential: bool = False,
    tuned: int = TUNED,
    ignore_sample_ratio: bool = False,
    decimal_comma: bool = False,
) -> ExperimentResult:
    """Compare the arms of an experiment, with the user as the unit.

    ``data`` has one row or several for each user, with the columns ``user`` and ``arm`` (or a table
    of ``arms`` with these two). A measure is a column, ``clicks/queries``, ``share(x)``,
    ``quantile(x, 0.95)`` or ``winsorized(x, 0.99)``; ``lower`` names those of which less is better.
    ``covariates`` is a dict of measure to a column from before the experiment (CUPED). Guardrails
    must not lose more than ``margin``, a share of the control. ``trigger`` names a column of users
    who could have seen a difference; ``by`` columns that define slices; ``time`` or ``day`` the
    days. Without a column ``user`` each row is a user. ``crossed="drop"`` leaves out users in more
    than one arm. ``users`` names a column of counts: a row then has so many users, and measures
    are counts of them. Results are hidden if the sample ratio is broken (p < 0.001), unless that is
    ignored. ``decimal_comma`` reads numbers such as 0,25.
    """
    data = with_decimal_commas(data, decimal_comma)
    settings = AnalysisSettings(confidence, correction, sequential, tuned, margin)
    settings.check()
    if crossed not in CROSSED:
        raise UsageError(f"`crossed={crossed}` is not one of {', '.join(CROSSED)}")
    columns = UserColumns(user, arm, time, day, trigger, tuple(_listed(by)), zone)
    named = (_listed(measures), _listed(guardrails), _listed(lower), dict(covariates or {}))
    chosen = ArmSettings(control, shares, crossed)
    if users is not None:
        refused = {"arms": arms, "covariates": covariates, "trigger": trigger, "by": by}
        _refuse_with_counts(refused)
        counted = CountColumns(users, columns, missing)
        return analyze_counts(data, named[:3], counted, chosen, settings, ignore_sample_ratio)
    table, outcomes, notes = _read((data, arms), columns, named, chosen, missing)
    table, diluted, more = _triggered(table, columns)
    ratio = sample_ratio_table(table, expected_shares(table, shares))
    conventions = _conventions(table, outcomes, settings, shares, columns)
    hidden = bool((ratio["status"] == "broken").any()) and not ignore_sample_ratio
    notes = [*notes, *table.notes, *more, *sample_ratio_notes(ratio, hidden)]
    result = ExperimentResult(conventions, ratio, hidden=hidden, warnings=tuple(notes))
    return result if hidden else _complete(result, table, outcomes, settings, diluted)


def _refuse_with_counts(given: Mapping[str, Any]) -> None:
    for name, value in given.items():
        if value:
            raise UsageError(
                f"`{name}` needs a row for each user; with counts of `users` it is not possible"
            )


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
    require_measures(named, frame, source, (columns.user, columns.arm))
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
        **settings.describe(outcomes),
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
    rows = [row for each in found.values() for row in measure_rows(table, each, settings, diluted)]
    main = [row for row in rows if row["measure"] not in guardrails]
    guarded = [row for row in rows if row["measure"] in guardrails]
    course = course_of_days(table, outcomes, settings)
    if course.looks.height:
        take_smallest_p(rows, course.looks)
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
        results=corrected_table(main, settings.correction),
        guardrails=guardrail_table(guarded, settings.margin),
        slices=pl.concat(slices) if slices else pl.DataFrame(),
        warnings=(*result.warnings, *notes, *undefined),
        days=course.days,
        trends=course.trends,
        looks=course.looks,
    )
