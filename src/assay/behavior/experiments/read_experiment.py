"""Reading the table of an experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.experiments.outcome_expressions import Outcome
from assay.behavior.experiments.times import day_column
from assay.behavior.experiments.user_table import (
    UserColumns,
    UserTable,
    check_missing,
    id_column,
    note_negative_values,
    number_column,
    refuse_negative_counts,
    unit_arms,
    user_column,
)
from assay.core.errors import DataError, UsageError, missing_column, unknown_name
from assay.core.phrases import quantity
from assay.core.tables import Source
from assay.formats.containers import to_frame

CONTROL_NAMES = ("control", "baseline", "a", "old")
"""Names of arms that are taken as the control if none is named."""


@dataclass(frozen=True)
class ArmSettings:
    """The arms: which is the control, and the share of the users that each was to get."""

    control: str | None = None
    shares: Mapping[str, float] | None = None
    crossed: str = "error"
    """What is done with users in more than one arm: error, or drop."""


def read_users(
    data: tuple[pl.DataFrame, Source],
    columns: UserColumns,
    outcomes: Sequence[Outcome],
    arms: ArmSettings,
    missing: str = "error",
) -> UserTable:
    """Return the rows by user, after all checks of the data."""
    check_missing(missing)
    frame, source = data
    if not frame.height:
        raise DataError(f"{source.name}: there are no rows to analyze")
    frame, source, notes = _number_columns(frame, source, outcomes, missing)
    user, unnamed = user_column(frame, source, columns.user)
    arm = id_column(frame, source, columns.arm, "arm")
    notes += unnamed
    if arms.crossed == "drop":
        kept, left_out = _single_arm(user, arm)
        notes += left_out
        frame, source = frame.filter(kept), source.of(kept.arg_true())
        user, arm = user.filter(kept), arm.filter(kept)
    own = unit_arms(user, arm, source)
    names, said = order_arms(own["arm"].unique().sort().to_list(), arms, source)
    numbers = {name: n for n, name in enumerate(names)}
    users = own["user"].to_list()
    number = pl.DataFrame({"user": users, "n": np.arange(len(users))})
    row_user = pl.DataFrame({"user": user}).join(number, on="user", maintain_order="left")["n"]
    table = UserTable(
        frame,
        source,
        tuple(users),
        names,
        np.array([numbers[each] for each in own["arm"].to_list()], dtype=np.int64),
        row_user.to_numpy(),
        day_column(frame, source, columns.time, columns.day, columns.zone),
        notes=(*notes, *said),
    )
    return _with_segments(table, columns)


def _single_arm(user: pl.Series, arm: pl.Series) -> tuple[pl.Series, list[str]]:
    """Return which rows are of users in one arm, and a note of the others."""
    rows = pl.DataFrame({"user": user, "arm": arm})
    kept = rows.select(pl.col("arm").n_unique().over("user") == 1).to_series()
    if kept.all():
        return kept, []
    lost = rows.filter(~kept)
    users, size = quantity(lost["user"].n_unique(), "user"), quantity(lost.height, "row")
    return kept, [f"{users} in more than one arm left out ({size}), such as '{lost['user'][0]}'"]


def _number_columns(
    frame: pl.DataFrame, source: Source, outcomes: Sequence[Outcome], missing: str
) -> tuple[pl.DataFrame, Source, list[str]]:
    """Return the frame with numbers in the columns of the measures, complete by the policy."""
    before = {name for each in outcomes for name in each.covariate or () if name}
    measured = {name for each in outcomes for name in each.columns} - before
    made = [number_column(frame, name, source, missing) for name in sorted(measured)]
    made += [number_column(frame, name, source, missing, covariate=True) for name in sorted(before)]
    given, frame = frame, frame.with_columns(made)
    for outcome in outcomes:
        refuse_negative_counts(frame, given, outcome, source)
    said = [note for outcome in outcomes for note in note_negative_values(given, outcome, source)]
    notes = list(dict.fromkeys(said))
    kept = pl.select(pl.lit(True).repeat_by(frame.height).explode()).to_series()
    if measured and missing == "drop":
        kept = frame.select(pl.all_horizontal(pl.col(sorted(measured)).is_not_null())).to_series()
    if not kept.all():
        lost = frame.height - int(kept.sum())
        notes.append(f"{quantity(lost, 'row')} without a value left out")
        source, frame = source.of(kept.arg_true()), frame.filter(kept)
    return frame, source, notes


def order_arms(
    found: Sequence[str], arms: ArmSettings, source: Source
) -> tuple[tuple[str, ...], list[str]]:
    """Return the arms, the control first, and a note if the control was not named."""
    planned = list(arms.shares or {})
    for name in planned:
        if name not in found:
            raise DataError(
                f"{source.name}: the arm '{name}' has no users (there are {', '.join(found)})"
            )
    if planned and (other := [name for name in found if name not in planned]):
        raise UsageError(f"`shares` gives no share to the arm '{other[0]}' of {source.name}")
    if len(found) < 2:
        raise DataError(
            f"{source.name}: all users are in the arm '{found[0]}'; an experiment has two arms or"
            " more, and none of them is empty"
        )
    control, notes = arms.control, []
    if control is None:
        known = [name for name in found if name.casefold() in CONTROL_NAMES]
        control = known[0] if known else found[0]
        notes = [f"the control is '{control}'; `control=…` names another arm"]
    if control not in found:
        raise unknown_name("arm", control, found)
    return (control, *(name for name in found if name != control)), notes


def _with_segments(table: UserTable, columns: UserColumns) -> UserTable:
    """Return the table with the value of each user in the columns that define slices."""
    notes = list(table.notes)
    segments = {}
    for name in columns.by:
        if name not in table.frame.columns:
            raise missing_column(table.source.name, name, table.frame.columns, "to slice by")
        values = table.frame[name].cast(pl.String).fill_null("(none)")
        order = pl.Series(np.arange(len(values))) if table.row_day is None else table.row_day
        rows = pl.DataFrame({"user": table.row_user, "value": values, "order": order})
        first = (
            rows.sort("user", "order", "value")
            .group_by("user", maintain_order=True)
            .agg(pl.col("value").first(), pl.col("value").n_unique().alias("n"))
        )
        segments[name] = first["value"]
        changed = int((first["n"] > 1).sum())
        if changed:
            notes.append(
                f"{quantity(changed, 'user')} with more than one {name}: the first one counts"
            )
    return UserTable(
        table.frame,
        table.source,
        table.users,
        table.arms,
        table.arm,
        table.row_user,
        table.row_day,
        segments,
        tuple(notes),
    )


def join_arms(data: Any, assignment: Any, columns: UserColumns) -> tuple[pl.DataFrame, Source, str]:
    """Return the data with the arm of each user from a table of assignments, and a note."""
    frame, source = to_frame(data, "the data")
    given, origin = to_frame(assignment, "the assignment")
    if columns.arm in given.columns:  # Users outside the experiment have no arm.
        given = given.filter(pl.col(columns.arm).cast(pl.String).fill_null("") != "")
    user = id_column(frame, source, columns.user, "user")
    own = unit_arms(
        id_column(given, origin, columns.user, "user"),
        id_column(given, origin, columns.arm, "arm"),
        origin,
    )
    joined = pl.DataFrame({"user": user}).join(own, on="user", how="left", maintain_order="left")
    lost = joined["arm"].is_null().arg_true()
    if len(lost):
        raise DataError(
            f"{source.place(int(lost[0]))}: the user '{user[int(lost[0])]}' has no arm in"
            f" {origin.name}; leave the rows of users outside the experiment out"
        )
    absent = own.height - joined["user"].n_unique()
    note = f"{quantity(absent, 'assigned user')} without a row in {source.name}: not counted"
    arms = joined["arm"].alias(columns.arm)
    return frame.with_columns(arms), source, note if absent else ""
