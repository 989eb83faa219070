"""The tables of evidence: thin, frozen wrappers over a Polars frame with declared columns.

Ids are text and compare bytewise. A table knows its source, so that an error can say where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
import polars as pl

from assay.core.errors import DataError, FormatError, missing_column
from assay.core.frozen_dataclass import dataclass, field, replace
from assay.core.phrases import decimal_comma_hint
from assay.core.printable import Exported
from assay.core.row_hashes import fingerprint, row_hash


@dataclass(frozen=True)
class Source:
    """Where a table came from: a name to show, and the line of each row if it was a file."""

    name: str
    lines: pl.Series | Callable[[int], int] | None = None
    """The line of each row, or a function that finds it: only errors need it."""
    digest: str | Callable[[], str] | None = None
    rows: pl.Series | None = None
    """The row of the input for each row here, if they are not the same."""
    is_part: bool = False
    """Whether the table is one part of an input that is read in parts."""

    def of(self, rows: pl.Series) -> Source:
        """Return the source of a table with these rows of the input."""
        return replace(self, rows=rows if self.rows is None else self.rows.gather(rows))

    def place(self, row: int) -> str:
        """Return the row as ``file:line``, or as the row of a table in memory."""
        if self.rows is not None:
            row = int(self.rows[row])
        if self.lines is None:
            return f"{self.name}, row {row + 1}"
        line = self.lines(row) if callable(self.lines) else self.lines[row]
        return f"{self.name}:{line}"


@dataclass(frozen=True, repr=False)
class Table(Exported):
    """Declared columns over a frame; the base of all tables."""

    columns: ClassVar[dict[str, pl.DataType]] = {}
    optional: ClassVar[dict[str, pl.DataType]] = {}

    frame: pl.DataFrame
    source: Source = field(default_factory=lambda: Source("a table in memory"))

    @classmethod
    def of(cls, frame: pl.DataFrame, source: Source | None = None) -> Self:
        """Return a table, with its columns checked and cast to their declared types."""
        origin = source or Source("a table in memory")
        for column in cls.columns:
            if column not in frame.columns:
                raise missing_column(origin.name, column, frame.columns, error=DataError)
        declared = cls.columns | {k: v for k, v in cls.optional.items() if k in frame.columns}
        casts = [convert_column(frame, column, dtype, origin) for column, dtype in declared.items()]
        return cls(pl.DataFrame(casts), origin)

    def __len__(self) -> int:
        return self.frame.height

    def __repr__(self) -> str:
        return f"{type(self).__name__} ({self.source.name})\n{self.frame}"

    def digest(self) -> str:
        """Return a digest of the bytes of the file, or of the rows of a table in memory."""
        if (known := self.source.digest) is not None:
            return known() if callable(known) else known
        return fingerprint(row_hash(self.frame))


def convert_column(
    frame: pl.DataFrame,
    column: str,
    dtype: pl.DataType,
    source: Source,
    nullable: bool = False,
) -> pl.Series:
    """Return a column in its declared type; refuse the first value that does not fit."""
    given = frame[column]
    cast = given if dtype in (given.dtype, pl.Unknown) else cast_column(given, dtype, source)
    if dtype.is_numeric():
        cast = cast.rechunk()  # once: NumPy copies the numbers of a column in parts each time
    if cast.null_count() <= (given.null_count() if nullable else 0):
        return cast
    bad = (cast.is_null() & given.is_not_null()).arg_true()
    row = int((bad if len(bad) else cast.is_null().arg_true())[0])
    shows_query = "query" in frame.columns and column != "query"
    query = f" (query {frame['query'][row]})" if shows_query else ""
    problem = f"{query} is missing; fill it in or leave the row out"
    if len(bad):
        problem = f" '{given[row]}'{query} is not a number{decimal_comma_hint(given[row])}"
    raise DataError(f"{source.place(row)}: the {column}{problem}")


def cast_column(given: pl.Series, dtype: pl.DataType, source: Source) -> pl.Series:
    """Return a column in another type; refuse one whose type has no such values, as lists."""
    failure: Exception | None = None
    try:
        if dtype == pl.String or isinstance(given.dtype, pl.Categorical | pl.Enum):
            return ids_as_text(given).cast(dtype, strict=False)
        cast = given.cast(dtype, strict=False)
        if cast.dtype == dtype and not given.dtype.is_temporal():
            return cast
    except pl.exceptions.PolarsError as refused:
        failure = refused
    place = source.place(0) if len(given) else source.name
    expected = "text is" if dtype == pl.String else "numbers are"
    what = f"values of type {given.dtype}; {expected} expected"
    if isinstance(given.dtype, pl.Struct):
        what = f'objects; {expected} expected (of pandas, to_json(orient="records"))'
    raise DataError(f"{place}: the column '{given.name}' has {what}") from failure


def ids_as_text(given: pl.Series) -> pl.Series:
    """Return ids and labels as text; a whole number has no decimals."""
    if given.dtype.is_float():
        known = given.drop_nulls()
        if bool(((known % 1 == 0) & (known.abs() < 2**63)).all()):
            given = given.cast(pl.Int64)
    return given.cast(pl.String)


_TEXT = pl.String()
_NUMBER = pl.Float64()
_UNCHANGED = pl.Unknown()
_ROWS = 1 << 16
"""Rows of a piece, which then fit the processor's cache; up to 8 times as many of a long table."""
LARGEST_GRADE = 1e100
"""Sums of larger grades, and of their squares, may overflow."""
NO_SUBTOPIC = ("0", "Q0", "q0")
"""What files have in place of a subtopic if there is none."""


@dataclass(frozen=True, repr=False)
class Judgments(Table):
    """Relevance judgments: query, doc, grade; perhaps a subtopic.

    ``stratum`` and ``probability`` describe how the judged documents were sampled;
    ``stratum_size`` is the number of documents of the stratum, so that it can be checked.
    """

    columns: ClassVar[dict[str, pl.DataType]] = {"query": _TEXT, "doc": _TEXT, "grade": _NUMBER}
    optional: ClassVar[dict[str, pl.DataType]] = {
        **dict.fromkeys(("subtopic", "stratum"), _TEXT),
        **dict.fromkeys(("probability", "stratum_size"), _NUMBER),
    }
    empty: tuple[str, ...] = ()
    """Queries of the input without any judgment."""
    notes: tuple[str, ...] = ()
    """Assumptions about the input."""

    @classmethod
    def of(cls, frame: pl.DataFrame, source: Source | None = None) -> Self:
        """Return judgments with finite grades.

        Subtopics are left out if all are 0 or Q0, or if some are rounds of judging, such as 0.5.
        """
        judgments = super().of(frame, source)
        grades = judgments.frame["grade"]
        numbers = grades.to_numpy()
        if not max(numbers.max(initial=0), -numbers.min(initial=0)) <= LARGEST_GRADE:
            wrong, text = ~grades.is_finite(), ", but a finite number is expected"
            if not wrong.any():
                wrong = grades.abs() > LARGEST_GRADE
                text = f"; at most {LARGEST_GRADE:g} can be added up"
            row = int(wrong.arg_true()[0])
            raise FormatError(f"the grade is {grades[row]:g}{text}", judgments.source.place(row))
        if "subtopic" not in (checked := judgments.frame).columns:
            return judgments
        if checked["subtopic"].is_in(NO_SUBTOPIC).all():
            return replace(judgments, frame=checked.drop("subtopic"))
        if not len(decimals := checked["subtopic"].str.contains(r"^\d*\.\d+$").arg_true()):
            return judgments
        note = (
            f"{judgments.source.place(int(decimals[0]))}: '{checked['subtopic'][decimals[0]]}' is"
            " not a subtopic but a round of judging; the column is ignored"
        )
        return replace(judgments, frame=checked.drop("subtopic"), notes=(note,))


@dataclass(frozen=True, repr=False)
class Run(Table):
    """The documents that a system retrieved: query, doc, score; perhaps a rank."""

    columns: ClassVar[dict[str, pl.DataType]] = {"query": _TEXT, "doc": _TEXT, "score": _NUMBER}
    optional: ClassVar[dict[str, pl.DataType]] = {"rank": pl.Int64()}
    name: str = "run"
    empty: tuple[str, ...] = ()
    """Queries with an empty list."""
    whole_queries: ClassVar[bool] = True
    """Whether pieces end where a query ends."""

    def with_name(self, name: str) -> Run:
        """Return the run under another name."""
        renamed = copy(self)
        renamed.__dict__["name"] = name
        return renamed

    def unhashed(self, small_pieces: bool = False) -> Run:
        """Return the run for readers without use for its digest, or for more than its start."""
        return self

    def prefetch(self, rank: bool = False) -> None:
        """Begin to read the rows, if that takes long; they are asked for next."""

    def pieces(self, rank: bool = False) -> Iterator[pl.DataFrame]:
        """Yield the rows in order, some at a time: query, doc, score, and the rank if wanted."""
        wanted = [*self.columns, *(["rank"] if rank and "rank" in self.frame.columns else [])]
        return query_slices(self.frame[wanted])


def query_slices(frame: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Yield the rows in pieces that end where a query ends."""
    queries = frame["query"]
    size = min(max(len(queries) >> 3, _ROWS), 8 * _ROWS)
    ends = np.append(np.flatnonzero((queries[1:] != queries[:-1]).to_numpy()) + 1, len(queries))
    first = 0
    while first < len(queries):
        last = int(ends[min(int(np.searchsorted(ends, first + size)), len(ends) - 1)])
        yield frame[first:last]
        first = last


class StreamedRun(Run):
    """A run that is read in pieces when it is needed; only ``frame`` holds all of it.

    A subclass sets the fields of a run but ``frame``, and yields the rows again each time.
    """

    whole_queries: ClassVar[bool] = False

    @cached_property
    def frame(self) -> pl.DataFrame:
        """All rows at once."""
        parts = list(self.pieces(rank=True))
        return pl.concat(parts) if parts else pl.DataFrame(schema=self.columns)


class Decisions(Table):
    """The output of a classifier: truth, and a prediction, a score or both; perhaps a weight."""

    columns: ClassVar[dict[str, pl.DataType]] = {"truth": _TEXT}
    optional: ClassVar[dict[str, pl.DataType]] = {
        **dict.fromkeys(("item", "predicted"), _TEXT),
        **dict.fromkeys(("score", "weight"), _NUMBER),
    }

    @classmethod
    def of(cls, frame: pl.DataFrame, source: Source | None = None) -> Self:
        """Return decisions; classes that are truth values are 0 and 1 if others are numbers."""
        classes = [frame[name] for name in ("truth", "predicted") if name in frame.columns]
        if any(each.dtype.is_numeric() for each in classes):
            booleans = [each for each in classes if each.dtype == pl.Boolean]
            frame = frame.with_columns(each.cast(pl.Int64) for each in booleans)
        return super().of(frame, source)


class Values(Table):
    """Numbers with their predictions, or with the density of each under a model."""

    optional: ClassVar[dict[str, pl.DataType]] = {
        **dict.fromkeys(("truth", "predicted", "density"), _NUMBER),
        **{"item": _TEXT, "weight": _NUMBER},
    }


class Assignments(Table):
    """Items with their cluster and class.

    Both labels keep their type: they become text after they are counted, which is much cheaper for
    millions of items.
    """

    columns: ClassVar[dict[str, pl.DataType]] = {"cluster": _UNCHANGED, "class": _UNCHANGED}
    optional: ClassVar[dict[str, pl.DataType]] = {"item": _TEXT}


class Ratings(Table):
    """Labels that assessors gave to items: item, assessor, label."""

    columns: ClassVar[dict[str, pl.DataType]] = {"item": _TEXT, "assessor": _TEXT, "label": _TEXT}
