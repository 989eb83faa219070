"""What trec_eval prints under one label: a line for each topic, and one for all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from assay.core.arrays import Floats
from assay.engine.local import GEOMETRIC_FLOOR
from assay.formats.zscores import References

NO_REFERENCE = -1_000_000.0
"""What trec_eval prints as the z-score of a value for which the file has no mean."""


class Printed(Protocol):
    """Something with a label, and a text for each topic, for all of them, or for both."""

    @property
    def label(self) -> str:
        """What stands in the first column."""

    def topic(self, number: int) -> str | None:
        """The text for one topic, if there is any."""

    def summary(self) -> str | None:
        """The text for all topics, if there is any."""


@dataclass(frozen=True)
class Numbers:
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
    standardised: bool = False

    @property
    def label(self) -> str:
        """The name, with a Z before it where the values are z-scores."""
        return f"Z{self.name:<22}" if self.standardised else f"{self.name:<22}"

    def topic(self, number: int) -> str | None:
        """The value for one topic."""
        return self._text(float(self.values[number])) if self.per_topic else None

    def summary(self) -> str | None:
        """The sum of counts; the geometric or the arithmetic mean of everything else."""
        return self._text(self._overall() if self.fixed is None else self.fixed)

    def _overall(self) -> float:
        total = float(np.cumsum(self.values)[-1])
        counted = len(self.values) + self.absent
        if self.aggregate == "sum":
            return total
        if self.aggregate == "geometric":
            total += self.absent * math.log(GEOMETRIC_FLOOR)
            return math.exp(total / counted)
        return total / counted

    def _text(self, value: float) -> str:
        whole = self.aggregate == "sum" and not self.standardised
        return str(int(value)) if whole else f"{value:6.4f}"

    def zscores(self, topics: Sequence[str], references: References) -> Numbers:
        """The same values as deviations from the reference, in standard deviations."""
        scores = [
            _zscore(float(value), references.get((topic, self.name)))
            for topic, value in zip(topics, self.values, strict=True)
        ]
        return replace(self, values=np.asarray(scores, dtype=np.float64), standardised=True)


def _zscore(value: float, reference: tuple[float, float] | None) -> float:
    if reference is None:
        return NO_REFERENCE
    mean, deviation = reference
    if deviation != 0:
        return (value - mean) / deviation
    return 0.0 if value == mean else NO_REFERENCE


@dataclass(frozen=True)
class Texts:
    """A word for each topic, in quotes; nothing for all of them."""

    name: str
    words: tuple[str, ...]

    @property
    def label(self) -> str:
        """The name."""
        return f"{self.name:<22}"

    def topic(self, number: int) -> str | None:
        """The word for one topic."""
        return f"'{self.words[number]}'"

    def summary(self) -> str | None:
        """Nothing."""
        return None


@dataclass(frozen=True)
class RunName:
    """The name of the run, which stands above the summary."""

    run: str
    label: str = f"{'runid':<22}"

    def topic(self, number: int) -> str | None:
        """Nothing."""
        return None

    def summary(self) -> str | None:
        """The name."""
        return self.run


def output(
    printed: Sequence[Printed], topics: Sequence[str], per_topic: bool, summary: bool
) -> str:
    """All lines: topic by topic if asked for, and the summary unless it is not wanted."""
    lines = []
    if per_topic:
        for number, topic in enumerate(topics):
            cells = ((each.label, each.topic(number)) for each in printed)
            lines += [f"{label}\t{topic}\t{text}\n" for label, text in cells if text is not None]
    if summary:
        cells = ((each.label, each.summary()) for each in printed)
        lines += [f"{label}\tall\t{text}\n" for label, text in cells if text is not None]
    return "".join(lines)
