"""The tables of evidence: thin, frozen wrappers over a Polars frame with declared columns.

Ids are text and compare bytewise. A table knows its source, so that a complaint can say where.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Self

import polars as pl

from assay.core.errors import DataError, did_you_mean


@dataclass(frozen=True)
class Source:
    """Where a table came from: a name to show, and the line of each row if it was a file."""

    name: str
    lines: pl.Series | None = None
    digest: str | None = None

    def place(self, row: int) -> str:
        """The row as ``file:line``, or as the row of a table in memory."""
        if self.lines is None:
            return f"{self.name}, row {row + 1}"
        return f"{self.name}:{self.lines[row]}"


@dataclass(frozen=True)
class Table:
    """Declared columns over a frame; the base of all tables."""

    columns: ClassVar[dict[str, pl.DataType]] = {}
    optional: ClassVar[dict[str, pl.DataType]] = {}

    frame: pl.DataFrame
    source: Source = field(default_factory=lambda: Source("a table in memory"))

    @classmethod
    def of(cls, frame: pl.DataFrame, source: Source | None = None) -> Self:
        """The table, with its columns checked and cast to their declared types."""
        origin = source or Source("a table in memory")
        for column in cls.columns:
            if column not in frame.columns:
                raise DataError(
                    f"{origin.name}: there is no column '{column}'"
                    f" among {', '.join(frame.columns)}." + did_you_mean(column, frame.columns)
                )
        declared = cls.columns | {k: v for k, v in cls.optional.items() if k in frame.columns}
        casts = [as_type(frame, column, dtype, origin) for column, dtype in declared.items()]
        return cls(frame.select(casts), origin)

    def __len__(self) -> int:
        return self.frame.height

    def digest(self) -> str:
        """A fingerprint of the input: of the file's bytes, or of the rows of a table in memory."""
        if self.source.digest is not None:
            return self.source.digest
        rows = self.frame.select(sorted(self.frame.columns)).hash_rows(seed=1).to_numpy()
        return f"rows:{int(rows.sum(dtype='u8')):016x}"


def as_type(frame: pl.DataFrame, column: str, dtype: pl.DataType, source: Source) -> pl.Series:
    """A column in its declared type, or a complaint about the first value that does not fit."""
    given = frame[column]
    if given.dtype == dtype:
        return _no_gaps(given, source)
    if dtype == pl.String:
        return _no_gaps(as_text(given), source)
    cast = given.cast(dtype, strict=False)
    bad = (cast.is_null() & given.is_not_null()).arg_true()
    if len(bad):
        row = int(bad[0])
        raise DataError(f"{source.place(row)}: the {column} '{given[row]}' is not a number")
    return _no_gaps(cast, source)


def as_text(given: pl.Series) -> pl.Series:
    """Ids and labels as text: a whole number is its decimal text, true and false are words."""
    if given.dtype.is_float() and bool((given.drop_nulls() % 1 == 0).all()):
        given = given.cast(pl.Int64)
    return given.cast(pl.String)


def _no_gaps(column: pl.Series, source: Source) -> pl.Series:
    if column.null_count():
        row = int(column.is_null().arg_true()[0])
        raise DataError(
            f"{source.place(row)}: the {column.name} is missing; fill it in or leave the row out"
        )
    return column


_TEXT = pl.String()
_NUMBER = pl.Float64()


class Judgments(Table):
    """What assessors said of documents: query, doc, grade; a subtopic where there are any."""

    columns: ClassVar[dict[str, pl.DataType]] = {"query": _TEXT, "doc": _TEXT, "grade": _NUMBER}
    optional: ClassVar[dict[str, pl.DataType]] = {"subtopic": _TEXT}


@dataclass(frozen=True)
class Run(Table):
    """What a system answered: query, doc, score; a rank where the file gives one."""

    columns: ClassVar[dict[str, pl.DataType]] = {"query": _TEXT, "doc": _TEXT, "score": _NUMBER}
    optional: ClassVar[dict[str, pl.DataType]] = {"rank": pl.Int64()}
    name: str = "run"


class Decisions(Table):
    """What a classifier decided: truth, and a prediction, a score or both; perhaps a weight."""

    columns: ClassVar[dict[str, pl.DataType]] = {"truth": _TEXT}
    optional: ClassVar[dict[str, pl.DataType]] = {
        "item": _TEXT,
        "predicted": _TEXT,
        "score": _NUMBER,
        "weight": _NUMBER,
    }


class Values(Table):
    """Numbers with their predictions, or with the density that a model gave to each."""

    optional: ClassVar[dict[str, pl.DataType]] = {
        "truth": _NUMBER,
        "predicted": _NUMBER,
        "density": _NUMBER,
        "item": _TEXT,
        "weight": _NUMBER,
    }


class Assignments(Table):
    """Items, the cluster that each was put in, and the class to which it belongs."""

    columns: ClassVar[dict[str, pl.DataType]] = {"cluster": _TEXT, "class": _TEXT}
    optional: ClassVar[dict[str, pl.DataType]] = {"item": _TEXT}


class Orders(Table):
    """Two orders of the same things: item, first and second, each a number to sort by."""

    columns: ClassVar[dict[str, pl.DataType]] = {"item": _TEXT, "first": _NUMBER, "second": _NUMBER}
    optional: ClassVar[dict[str, pl.DataType]] = {"group": _TEXT}


class Ratings(Table):
    """Labels that assessors gave to items: item, assessor, label."""

    columns: ClassVar[dict[str, pl.DataType]] = {"item": _TEXT, "assessor": _TEXT, "label": _TEXT}
