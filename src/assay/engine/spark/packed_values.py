"""Formula values as bytes, on their way from the executors to the driver."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import Bools, Floats, Ints
from assay.core.definition import Ratio
from assay.core.names import Measure
from assay.engine.formula_values import FormulaValues

COLUMNS = {
    "run": "string",
    "queries": "array<string>",
    **dict.fromkeys(("places", "missing", "values", "flags"), "binary"),
    "notes": "string",
}
"""What executors return: a row for each run of a part.

Queries are named, or given by their places among the judged ones: names of ten million lists would
fill the memory of the driver.
"""
EMPTY: Mapping[str, Any] = {
    "queries": [],
    **dict.fromkeys(("places", "missing", "values", "flags"), b""),
}
"""The columns of a row without values."""
MARK = "\0"
"""How the names begin that stand in place of a run in rows that are not of one."""
IDEAL, UNDEFINED = 1, 2
"""Flags of a value: a perfect system has none, and a ratio that only counts when pooled."""
Flags = NDArray[np.uint8]


def pack_values(values: Sequence[FormulaValues]) -> tuple[bytes, bytes, list[bool]]:
    """Return the numbers, their flags, and which measures are ratios."""
    numbers, flags, ratios = [], [], []
    for each in values:
        parts = each.parts
        bits = each.undefined_for_ideal * np.uint8(IDEAL)
        if isinstance(parts, Ratio):
            numbers += [parts.numerator, parts.denominator]
            if parts.undefined is not None:
                bits = bits | (parts.undefined * np.uint8(UNDEFINED))
        else:
            numbers.append(parts)
        flags.append(bits)
        ratios.append(isinstance(parts, Ratio))
    texts = [np.asarray(each, dtype=np.float64).tobytes() for each in numbers]
    return b"".join(texts), b"".join(each.astype(np.uint8).tobytes() for each in flags), ratios


@dataclass(frozen=True)
class PackedValues(Mapping[Measure, FormulaValues]):
    """The values of each measure for some queries; unpacked when a measure is asked for."""

    measures: tuple[Measure, ...]
    ratios: Sequence[bool]
    overflow: Sequence[bool]
    numbers: Floats
    """Number × query: a row for each measure, two for a ratio."""
    flags: Flags
    """Measure × query."""

    @classmethod
    def of_state(
        cls, measures: Sequence[Measure], notes: Mapping[str, Any], values: bytes, flags: bytes
    ) -> PackedValues:
        """Return the values of a row that an executor packed."""
        bits = np.frombuffer(flags, dtype=np.uint8).reshape(len(measures), -1)
        numbers = np.frombuffer(values, dtype=np.float64).reshape(-1, bits.shape[1])
        return cls(tuple(measures), notes["ratios"], notes["overflow"], numbers, bits)

    @classmethod
    def of(cls, measures: Sequence[Measure], values: Sequence[FormulaValues]) -> PackedValues:
        """Return values that are packed here."""
        numbers, flags, ratios = pack_values(values)
        notes = {"ratios": ratios, "overflow": [each.overflow for each in values]}
        return cls.of_state(measures, notes, numbers, flags)

    def __getitem__(self, measure: Measure) -> FormulaValues:
        if measure not in self.measures:
            raise KeyError(measure)
        at = self.measures.index(measure)
        first, bits = at + sum(self.ratios[:at]), self.flags[at]
        parts: Floats | Ratio = self.numbers[first]
        if self.ratios[at]:
            both = self.numbers[first], self.numbers[first + 1]
            parts = Ratio(*both, (bits & UNDEFINED) > 0)
        return FormulaValues(parts, (bits & IDEAL) > 0, self.overflow[at])

    def __iter__(self) -> Iterator[Measure]:
        return iter(self.measures)

    def __len__(self) -> int:
        return len(self.measures)


@dataclass(frozen=True)
class States:
    """What executors returned, row by row; ids and values stay packed until a run needs them."""

    frame: pl.DataFrame

    @cached_property
    def notes(self) -> list[dict[str, Any]]:
        """The notes of each row."""
        return [json.loads(each) for each in self.frame["notes"]]

    def __add__(self, other: States) -> States:
        """Return the rows of both."""
        return States(pl.concat([self.frame, other.frame]))

    def divide(self) -> tuple[States, States]:
        """Return the rows that are not of a run, and the others."""
        marked = self.frame["run"].str.starts_with(MARK)
        return States(self.frame.filter(marked)), States(self.frame.filter(~marked))

    def of(self, run: str) -> States:
        """Return the rows of one run."""
        return States(self.frame.filter(pl.col("run") == run))

    def queries(self) -> pl.Series:
        """Return the queries that are named, one after the other."""
        return self.frame["queries"].explode().drop_nulls()

    def places(self, row: int, judged: pl.Enum) -> Ints:
        """Return the places of the queries of a row among all that are judged."""
        packed = self.frame["places"][row]
        if packed:
            return np.frombuffer(packed, dtype=np.int32).astype(np.int64)
        return self.frame["queries"][row].cast(judged).to_physical().to_numpy().astype(np.int64)

    def missing(self, row: int) -> Bools:
        """Return which queries count as not answered."""
        return np.frombuffer(self.frame["missing"][row], dtype=bool)

    def values(self, row: int, measures: Sequence[Measure]) -> PackedValues:
        """Return the values of each measure."""
        packed = self.frame["values"][row], self.frame["flags"][row]
        return PackedValues.of_state(measures, self.notes[row], *packed)
