"""Formula values as bytes, on their way from the executors to the driver."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Bools
from assay.core.definition import Ratio
from assay.engine.formula_values import FormulaValues

COLUMNS = {
    "run": "string",
    "queries": "array<string>",
    **dict.fromkeys(("missing", "values", "flags"), "binary"),
    "notes": "string",
}
"""What executors return: a row for each run of a part."""
IDEAL, UNDEFINED = 1, 2
"""Flags of a value: a perfect system has none, and a ratio that only counts when pooled."""


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


def unpack_values(
    size: int, values: bytes, flags: bytes, ratios: Sequence[bool], overflow: Sequence[bool]
) -> list[FormulaValues]:
    """Return the values of each measure for so many queries."""
    numbers = iter(np.frombuffer(values, dtype=np.float64).reshape(-1, size))
    bits = np.frombuffer(flags, dtype=np.uint8).reshape(-1, size)
    return [
        FormulaValues(
            Ratio(next(numbers), next(numbers), (own & UNDEFINED) > 0)
            if is_ratio
            else next(numbers),
            (own & IDEAL) > 0,
            large,
        )
        for own, is_ratio, large in zip(bits, ratios, overflow, strict=True)
    ]


@dataclass(frozen=True)
class States:
    """What executors returned, row by row; ids and values stay packed until a run needs them."""

    frame: pl.DataFrame

    @cached_property
    def notes(self) -> list[dict[str, Any]]:
        """The notes of each row."""
        return [json.loads(each) for each in self.frame["notes"]]

    def by_run(self) -> dict[str, list[int]]:
        """Return the rows of each run."""
        rows: dict[str, list[int]] = {}
        for row, name in enumerate(self.frame["run"].to_list()):
            rows.setdefault(name, []).append(row)
        return rows

    def queries(self, rows: Sequence[int]) -> pl.Series:
        """Return the queries of some rows, one after the other."""
        return self.frame["queries"].gather(list(rows)).explode()

    def missing(self, row: int) -> Bools:
        """Return which queries count as not answered."""
        return np.frombuffer(self.frame["missing"][row], dtype=bool)

    def values(self, row: int) -> list[FormulaValues]:
        """Return the values of each measure."""
        notes, size = self.notes[row], len(self.missing(row))
        packed = self.frame["values"][row], self.frame["flags"][row]
        return unpack_values(size, *packed, notes["ratios"], notes["overflow"])
