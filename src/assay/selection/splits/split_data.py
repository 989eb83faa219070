"""Training and test data with the same columns, and what these are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import UsageError, missing_column, no_rows
from assay.formats.containers import to_frame

SEVERAL_WORDS = 3


@dataclass(frozen=True)
class SplitColumns:
    """What the columns of training and test data are; all others are features."""

    item: str | None = None
    label: str | None = None
    group: str | None = None
    time: str | None = None

    @property
    def named(self) -> dict[str, str]:
        """The columns that are not features, by what they are."""
        given = {"item": self.item, "label": self.label, "group": self.group, "time": self.time}
        return {purpose: name for purpose, name in given.items() if name is not None}


@dataclass(frozen=True)
class SplitData:
    """Training and test data with the same columns."""

    train: pl.DataFrame
    test: pl.DataFrame
    columns: SplitColumns

    @property
    def features(self) -> list[str]:
        """The columns that are not named."""
        other = set(self.columns.named.values())
        return [name for name in self.train.columns if name not in other]

    @property
    def numbers(self) -> list[str]:
        """The features that are numbers in both files."""
        return [
            name
            for name in self.features
            if self.train[name].dtype.is_numeric() and self.test[name].dtype.is_numeric()
        ]

    @property
    def mixed(self) -> list[str]:
        """The features that are numbers in one file only."""
        return [
            name
            for name in self.features
            if self.train[name].dtype.is_numeric() != self.test[name].dtype.is_numeric()
        ]

    @property
    def words(self) -> list[str]:
        """The features that are categories: text with few different values."""
        other = (*self.numbers, *self.mixed)
        names = [name for name in self.features if name not in other]
        return [name for name in names if self.train[name].n_unique() <= self.train.height**0.5]

    @property
    def texts(self) -> list[str]:
        """The features that are free text: mostly different values of several words."""
        other = (*self.numbers, *self.mixed, *self.words)
        return [
            name
            for name in self.features
            if name not in other
            and self.train[name].dtype == self.test[name].dtype == pl.String
            and self.is_distinct(name)
            and _is_wordy(self.train[name])
        ]

    @property
    def unchecked(self) -> list[str]:
        """The features that are neither numbers nor categories nor free text, such as dates."""
        known = (*self.numbers, *self.mixed, *self.words, *self.texts)
        return [name for name in self.features if name not in known]

    def is_distinct(self, name: str) -> bool:
        """Return whether most training rows have a value of their own."""
        return self.train[name].n_unique() > 0.5 * self.train.height

    def row_keys(self, frame: pl.DataFrame) -> pl.Series:
        """Return a hash of the features of each row; 1 and 1.0 are the same."""
        others = [name for name in self.features if name not in self.numbers]
        kinds = [pl.col(self.numbers).cast(pl.Float64), pl.col(others).cast(pl.String)]
        return frame.select(kinds).hash_rows(seed=1)

    def matrix(self, frame: pl.DataFrame) -> Floats:
        """Return the numbers of a file; others are the mean of the training data."""
        filled = [
            finite_values(frame[name])
            .fill_null(pl.lit(finite_values(self.train[name]).mean(), pl.Float64))
            .fill_null(0.0)
            for name in self.numbers
        ]
        return pl.DataFrame(filled).to_numpy()


def finite_values(column: pl.Series) -> pl.Series:
    """Return numbers with a null in place of NaN and infinite ones."""
    numbers = column.cast(pl.Float64)
    return numbers.set(~numbers.is_finite().fill_null(value=True), None)


def _is_wordy(column: pl.Series) -> bool:
    """Return whether texts usually have several words."""
    usual = column.drop_nulls().str.count_matches(r"\S+").median()
    return isinstance(usual, int | float) and usual >= SEVERAL_WORDS


def read_data(train: Any, test: Any, columns: SplitColumns) -> SplitData:
    """Read both files, which must have the same columns."""
    frames = []
    for given, what in ((train, "training data"), (test, "test data")):
        frame, source = to_frame(given, what)
        if not frame.height:
            raise no_rows(source.name)
        for purpose, name in columns.named.items():
            if name not in frame.columns:
                raise missing_column(source.name, name, frame.columns, f"for `{purpose}`")
        frames.append((frame, source.name))
    (one, where), (two, other) = frames
    for name in one.columns:
        if name not in two.columns:
            raise missing_column(other, name, two.columns, f"of {where}")
    extra = [name for name in two.columns if name not in one.columns]
    if extra:
        raise UsageError(f"{where}: there is no column '{extra[0]}', which {other} has")
    return SplitData(one, two.select(one.columns), columns)
