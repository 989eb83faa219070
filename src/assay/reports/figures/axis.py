"""An axis: a range of numbers, its ticks, and how wide its labels are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import combining, east_asian_width


@dataclass(frozen=True)
class Axis:
    """The numbers from low to high, under a title."""

    title: str
    low: float = 0.0
    high: float = 1.0
    names: tuple[str, ...] = ()
    """Names in place of numbers: the first is at 0, the second at 1, and so on."""
    whole: bool = False
    """Whether only whole numbers are written, as of things that are counted."""

    @classmethod
    def around(
        cls, title: str, values: Iterable[float], zero: bool = False, whole: bool = False
    ) -> Axis:
        """An axis on which all the values find room, between round numbers."""
        kept = [float(value) for value in values if math.isfinite(value)]
        if zero:
            kept.append(0.0)
        low, high = (min(kept), max(kept)) if kept else (0.0, 1.0)
        if low == high:
            low, high = low - 0.5, high + 0.5
        step = step_for(high - low)
        ends = math.floor(low / step) * step, math.ceil(high / step) * step
        return cls(title, *ends, whole=whole)

    def share(self, value: float) -> float:
        """Where a number stands, from 0 at the low end to 1 at the high end."""
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        """Where ticks stand, and what is written there."""
        if self.names:
            return [(float(place), name) for place, name in enumerate(self.names)]
        step = max(step_for(self.high - self.low), 1.0 if self.whole else 0.0)
        digits = max(0, -math.floor(math.log10(step)))
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [(n * step, f"{n * step + 0.0:.{digits}f}") for n in range(first, last + 1)]


def step_for(span: float) -> float:
    """A round step (1, 2 or 5 times a power of ten) that makes four to ten ticks of a span."""
    power = 10.0 ** math.floor(math.log10(span / 5))
    return next(power * each for each in (1, 2, 5, 10) if span / (power * each) <= 6)


NARROW = frozenset("iljtfrI.,:;'|!()[]{}- /\\")
WIDE = frozenset("mwMW%@—…")
BOLD = 1.1


def text_width(words: str, size: float = 11.5, bold: bool = False) -> float:
    """At least as wide as the usual fonts without serifs draw the words at that size."""
    return sum(map(_letter_width, words)) * size * (BOLD if bold else 1)


def _letter_width(letter: str) -> float:
    """The width of a letter as a share of the size."""
    if combining(letter):
        return 0.0
    if letter in NARROW:
        return 0.41
    if letter in WIDE or east_asian_width(letter) in "WF":
        return 1.02
    return 0.79 if letter.isupper() or letter in "&+=<>~#" or not letter.isascii() else 0.64
