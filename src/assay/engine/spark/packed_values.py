"""Formula values as bytes, on their way from the executors to the driver."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

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
