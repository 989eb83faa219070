"""Densities of a score as text, functions or distributions, in one form."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import UsageError

STEPS = 4001
TAIL = 1e-6
"""A distribution without bounds is tabulated between the quantiles with this share outside."""
SLACK = 0.02
"""A density whose area differs from 1 by more is scaled with a note."""
_NORMAL = re.compile(r"\s*normal\(\s*([^,()]+?)\s*,\s*([^,()]+?)\s*\)\s*")


@dataclass(frozen=True)
class Density:
    """The density of a score, the area below each threshold, and the range that is drawn."""

    height: Callable[[Floats], Floats]
    below: Callable[[Floats], Floats]
    low: float
    high: float


def read_normal(name: str, text: str | None) -> tuple[float, float]:
    """Return the mean and standard deviation of text such as ``normal(90, 12)``."""
    found = _NORMAL.fullmatch(text or "")
    try:
        mean, spread = (float(part) for part in found.groups()) if found else (np.nan, np.nan)
    except ValueError:
        mean, spread = np.nan, np.nan
    if not (np.isfinite(mean) and np.isfinite(spread) and spread > 0):
        said = "is missing" if text is None else f"is '{text}'"
        raise UsageError(
            f"`{name}` {said}; write a mean and a standard deviation above 0, such as"
            ' "normal(90, 12)", or give a table with the columns score, f_n and f_p'
        )
    return mean, spread


def read_density(
    name: str, given: Any, support: Sequence[float] | None, notes: list[str]
) -> Density:
    """Return a density: text, a frozen distribution of scipy, or a function over ``support``."""
    if given is None or isinstance(given, str):
        from scipy.stats import norm

        given = norm(*read_normal(name, given))
    if all(callable(getattr(given, each, None)) for each in ("pdf", "cdf", "ppf")):
        low, high = support or map(float, given.ppf([TAIL, 1 - TAIL]))
        return Density(given.pdf, given.cdf, low, high)
    if not callable(given):
        raise UsageError(
            f'`{name}` is a {type(given).__name__}; write "normal(90, 12)", a function, a'
            " distribution such as scipy.stats.beta(2, 5), or give a table with the columns score,"
            ' f_n and f_p, such as {"score": x, "f_n": f(x), …}'
        )
    if support is None:
        raise UsageError(
            f"`{name}` is a function: say over which scores it is above 0, such as"
            " `support=(0, 1)`, or give a distribution such as scipy.stats.beta(2, 5)"
        )
    return _tabulate(name, given, support, notes)


def _tabulate(name: str, given: Any, support: Sequence[float], notes: list[str]) -> Density:
    """Return a function as a density that is linear between the points of a grid."""
    low, high = support
    score = np.linspace(low, high, STEPS)
    try:
        values = np.asarray(given(score), np.float64)
    except (TypeError, ValueError):  # A function of one number.
        values = np.asarray([given(each) for each in score.tolist()], np.float64)
    values = np.broadcast_to(values, score.shape)
    bad = ~np.isfinite(values) | (values < 0)
    if bad.any():
        place = int(np.flatnonzero(bad)[0])
        raise UsageError(
            f"`{name}` is {values[place]:g} at {score[place]:g}; a finite number of at least 0 is"
            " expected"
        )
    sums = np.concatenate([[0.0], np.cumsum((values[1:] + values[:-1]) / 2 * np.diff(score))])
    area = float(sums[-1])
    if not area:
        raise UsageError(f"the area under `{name}` is 0 from {low:g} to {high:g}")
    if abs(area - 1) > SLACK:
        notes.append(f"the area under {name} is {area:.4g}; it was scaled to 1")

    def height(at: Floats) -> Floats:
        """Return the density at scores; 0 outside the support."""
        return np.asarray(np.interp(at, score, values / area, left=0.0, right=0.0))

    def below(at: Floats) -> Floats:
        """Return the area below scores: that of whole steps, and of a part of the next one."""
        inside = np.clip(at, low, high)
        step = np.clip(np.searchsorted(score, inside, side="right") - 1, 0, STEPS - 1)
        part = (values[step] + np.interp(inside, score, values)) / 2 * (inside - score[step])
        return np.asarray((sums[step] + part) / area)

    return Density(height, below, low, high)


def check_support(support: Sequence[float] | None) -> None:
    """Raise an error for a range of scores that is none."""
    if support is None:
        return
    if len(support) != 2 or not np.isfinite(support).all() or not support[0] < support[1]:
        raise UsageError("`support` is the least and the greatest score, such as `support=(0, 1)`")
