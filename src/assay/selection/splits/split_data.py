"""Training and test data with the same columns, and what these are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import UsageError, missing_column, no_rows
from assay.formats.containers import to_frame


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
    def words(self) -> list[str]:
        """The features that are categories: text with few different values."""
        names = [name for name in self.features if name not in self.numbers]
        return [name for name in names if self.train[name].n_unique() <= self.train.height**0.5]

    @property
    def texts(self) -> list[str]:
        """The features that are free text."""
        return [
            name
            for name in self.features
            if name not in (*self.numbers, *self.words) and self.train[name].dtype == pl.String
        ]

    def matrix(self, frame: pl.DataFrame) -> Floats:
        """Return the numbers of a file; missing values are the mean of the training data."""
        means = [pl.lit(self.train[name].cast(pl.Float64).mean()) for name in self.numbers]
        filled = [
            pl.col(name).cast(pl.Float64).fill_nan(None).fill_null(mean).fill_null(0.0)
            for name, mean in zip(self.numbers, means, strict=True)
        ]
        return frame.select(filled).to_numpy()


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
