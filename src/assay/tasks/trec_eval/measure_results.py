"""What trec_eval has to say under one label: numbers, words, or the name of the run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from assay.core.arrays import Floats
from assay.core.definition import GEOMETRIC_FLOOR
from assay.formats.zscores import References

NO_REFERENCE = -1_000_000.0
"""What trec_eval gives as the z-score of a value for which the file has no mean."""


@dataclass(frozen=True)
class MeasureValues:
    """The values of one measure.

    ``absent`` topics count in an average although they have no value. Values are added from left
    to right as trec_eval does, so that even the last bit, and the rounding of a half, are its own.
    """

    name: str
    values: Floats
    aggregate: str = "mean"
    absent: int = 0
    fixed: float | None = None
    """The summary, where it does not follow from the values."""
    per_topic: bool = True
    standardized: bool = False

    @property
    def whole(self) -> bool:
        """Whether these are counts."""
        return self.aggregate == "sum" and not self.standardized

    @property
    def overall(self) -> float:
        """The sum of counts; the geometric or the arithmetic mean of everything else."""
        if self.fixed is not None:
            return self.fixed
        total = float(np.cumsum(self.values)[-1])
        counted = len(self.values) + self.absent
        if self.aggregate == "sum":
            return total
        if self.aggregate == "geometric":
            total += self.absent * math.log(GEOMETRIC_FLOOR)
            return math.exp(total / counted)
        return total / counted

    def zscores(self, topics: Sequence[str], references: References) -> MeasureValues:
        """The same values as deviations from the reference, in standard deviations."""
        scores = [
            _zscore(float(value), references.get((topic, self.name)))
            for topic, value in zip(topics, self.values, strict=True)
        ]
        return replace(self, values=np.asarray(scores, dtype=np.float64), standardized=True)


def _zscore(value: float, reference: tuple[float, float] | None) -> float:
    if reference is None:
        return NO_REFERENCE
    mean, deviation = reference
    if deviation != 0:
        return (value - mean) / deviation
    return 0.0 if value == mean else NO_REFERENCE


@dataclass(frozen=True)
class MeasureTexts:
    """A word for each topic; nothing for all of them."""

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class RunName:
    """The name of the run, which stands above the summary."""

    run: str
    name: str = "runid"


MeasureOutput: TypeAlias = MeasureValues | MeasureTexts | RunName
