"""The data of an experiment: rows of users, checked and summed for each user."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from assay.behavior.experiments.outcome_expressions import Outcome
from assay.core.arrays import Bools, Floats, Ints, sum_at
from assay.core.errors import DataError, UsageError, missing_column
from assay.core.phrases import decimal_comma_hint, quantity
from assay.core.tables import Source, ids_as_text

CROSSED = ("error", "drop")
MISSING = ("error", "drop", "zero")
_LIKELY_USER = re.compile(
    r"^(user|customer|client|visitor|session|player|participant|subject|account|member|device)s?"
    r"[\s_.-]*(id|name|number|uuid)?$|^(u?uid|id)$",
    re.IGNORECASE,
)
_LIKELY_ARM = re.compile(
    r"^(test|experiment|treatment|ab)?[\s_.-]*"
    r"(arm|version|variant|variation|group|treatment|condition|bucket)[\s_.-]*(id|name)?$",
    re.IGNORECASE,
)
"""Columns that may hold users, if none is called user."""


@dataclass(frozen=True)
class UserColumns:
    """The columns of a table of an experiment."""

    user: str = "user"
    arm: str = "arm"
    time: str | None = None
    """Times with a zone."""
    day: str | None = None
    """Days, in place of times."""
    trigger: str | None = None
    by: tuple[str, ...] = ()
    zone: str | None = None
    """The zone of times that have none, and of days."""


@dataclass(frozen=True)
class UserTable:
    """Rows by user: the users in the order of their names, and the user of each row."""

    frame: pl.DataFrame
    source: Source
    users: tuple[str, ...]
    arms: tuple[str, ...]
    """All arms, the control first."""
    arm: Ints
    """The arm of each user."""
    row_user: Ints
    """The user of each row."""
    row_day: pl.Series | None = None
    segments: dict[str, pl.Series] = field(default_factory=dict)
    """The value of each user in columns that define slices."""
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.users)

    def rows_of(self, chosen: Bools) -> UserTable:
        """Return the table with some users alone."""
        kept = np.flatnonzero(chosen)
        number = np.cumsum(chosen) - 1
        rows = chosen[self.row_user]
        return UserTable(
            self.frame.filter(rows),
            self.source.of(pl.Series(np.flatnonzero(rows))),
            tuple(self.users[n] for n in kept.tolist()),
            self.arms,
            self.arm[kept],
            number[self.row_user[rows]],
            None if self.row_day is None else self.row_day.filter(pl.Series(rows)),
            {name: column.gather(kept) for name, column in self.segments.items()},
            self.notes,
        )

    def only_rows(self, rows: Bools) -> UserTable:
        """Return the table with some rows, and the users that have any of them."""
        part = UserTable(
            self.frame.filter(rows),
            self.source.of(pl.Series(np.flatnonzero(rows))),
            self.users,
            self.arms,
            self.arm,
            self.row_user[rows],
            None if self.row_day is None else self.row_day.filter(pl.Series(rows)),
            self.segments,
            self.notes,
        )
        present = np.bincount(part.row_user, minlength=len(self.users)) > 0
        return part.rows_of(present)

    def values(self, column: str) -> Floats:
        """Return the numbers of a column, row by row."""
        return self.frame[column].to_numpy().astype(np.float64)

    def sums(self, column: str | None) -> Floats:
        """Return the sum of each user, the same bits in any order of rows; 1 without a column."""
        if column is None:
            return np.ones(len(self.users))
        values = self.values(column)
        order = np.lexsort((values, self.row_user))
        return sum_at(self.row_user[order], values[order], len(self.users))

    def any_row(self, column: str) -> Bools:
        """Return whether a user has a row with a value above 0."""
        positive = self.values(column) > 0
        return sum_at(self.row_user, positive, len(self.users)) > 0

    def first_days(self) -> pl.Series | None:
        """Return the first day of each user."""
        if self.row_day is None:
            return None
        rows = pl.DataFrame({"user": self.row_user, "day": self.row_day})
        return rows.group_by("user").agg(pl.col("day").min()).sort("user")["day"]


def number_column(
    frame: pl.DataFrame, column: str, source: Source, missing: str, covariate: bool = False
) -> pl.Series:
    """Return a column as numbers; text true and false count as 1 and 0."""
    given = frame[column]
    if given.dtype == pl.String:
        lowered = given.str.to_lowercase()
        given = lowered.replace({"true": "1", "false": "0", "": None})
    cast = given.cast(pl.Float64, strict=False)
    bad = (cast.is_null() & given.is_not_null()).arg_true()
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"{source.place(row)}: the {column} '{frame[column][row]}' is not a number"
            + decimal_comma_hint(frame[column][row])
        )
    cast = cast.fill_nan(None)
    infinite = cast.is_infinite().fill_null(False).arg_true()
    if len(infinite):
        row = int(infinite[0])
        raise DataError(f"{source.place(row)}: the {column} is infinite; write a finite number")
    empty = cast.is_null()
    if empty.any() and not covariate and missing == "error":
        row = int(empty.arg_true()[0])
        raise DataError(
            f"{source.place(row)}: there is no {column} ({quantity(int(empty.sum()), 'row')} of"
            f" {frame.height:,}); `missing=drop` leaves such rows out, `missing=zero` takes 0"
        )
    return cast.fill_null(0.0) if missing == "zero" and not covariate else cast


def refuse_negative_counts(
    frame: pl.DataFrame, given: pl.DataFrame, outcome: Outcome, source: Source
) -> None:
    """Refuse negative numbers in a ratio of counts: the denominator, and a whole numerator."""
    if outcome.kind != "ratio":
        return
    for column in (outcome.column, outcome.denominator):
        whole = column == outcome.denominator or given[str(column)].dtype.is_integer()
        bad = (frame[str(column)] < 0).arg_true()
        if whole and len(bad):
            row = int(bad[0])
            raise DataError(
                f"{source.place(row)}: the {column} {given[str(column)][row]} is negative, but"
                f" '{outcome.name}' is a ratio of counts; fix the row"
            )


def note_negative_values(given: pl.DataFrame, outcome: Outcome, source: Source) -> list[str]:
    """Return a note of negative whole numbers in a mean: they are no counts."""
    column = given[outcome.column]
    if outcome.kind == "ratio" or not column.dtype.is_integer():
        return []
    bad = (column < 0).arg_true()
    if not len(bad):
        return []
    row = int(bad[0])
    return [
        f"{source.place(row)}: {quantity(len(bad), 'value')} of {outcome.column} below 0, the first"
        f" {column[row]}, used as given; a count is not negative"
    ]


def check_missing(missing: str) -> None:
    """Raise an error unless it is a policy for missing values."""
    if missing not in MISSING:
        raise UsageError(f"`missing={missing}` is not one of {', '.join(MISSING)}")


def id_column(frame: pl.DataFrame, source: Source, name: str, option: str) -> pl.Series:
    """Return a column of names as text; refuse one that is empty somewhere."""
    if name not in frame.columns:
        likely = [each for each in frame.columns if _LIKELY_ARM.search(each)]
        if name == option == "arm" and likely:
            raise UsageError(
                f"{source.name}: there is no column 'arm'; the arms may be in '{likely[0]}': name"
                f" the column with `arm={likely[0]}`"
            )
        raise missing_column(source.name, name, frame.columns, f"for `{option}`")
    column = ids_as_text(frame[name]).alias(option)
    empty = (column.is_null() | (column.str.strip_chars() == "")).arg_true()
    if len(empty):
        raise DataError(f"{source.place(int(empty[0]))}: there is no {name}; name it in every row")
    return column


def user_column(frame: pl.DataFrame, source: Source, name: str) -> tuple[pl.Series, list[str]]:
    """Return the user of each row, and a note if rows are users because none are named."""
    if name in frame.columns or name != "user":
        return id_column(frame, source, name, "user"), []
    likely = [each for each in frame.columns if _LIKELY_USER.search(each)]
    if likely:
        raise UsageError(
            f"{source.name}: there is no column 'user'; the users may be in '{likely[0]}': name"
            f" the column with `user={likely[0]}`"
        )
    numbers = pl.Series("user", np.arange(1, frame.height + 1)).cast(pl.String)
    note = (
        "there is no column 'user': each row counts as a user of its own, which makes p-values too"
        " small if users have several rows"
    )
    return numbers.str.zfill(len(str(frame.height))), [note]


def unit_arms(user: pl.Series, arm: pl.Series, source: Source) -> pl.DataFrame:
    """Return the arm of each user in the order of names; refuse a user in two arms."""
    rows = pl.DataFrame({"user": user, "arm": arm}).with_row_index("row")
    first = rows.unique(["user", "arm"], keep="first", maintain_order=True)
    twice = first.filter(pl.col("user").is_duplicated()).sort("row")
    if twice.height:
        name = twice["user"][0]
        own = twice.filter(pl.col("user") == name)
        some = twice["user"].n_unique()
        raise DataError(
            f"{source.place(int(own['row'][1]))}: the user '{name}' is in arm '{own['arm'][1]}',"
            f" but in '{own['arm'][0]}' at {source.place(int(own['row'][0]))}"
            f" ({quantity(some, 'user')} in more than one arm); a user stays in one arm: fix"
            " the rows, or leave these users out with `crossed=drop`"
        )
    return first.select("user", "arm").sort("user")
