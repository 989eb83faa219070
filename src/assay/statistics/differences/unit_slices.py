"""Slices of the units: the difference within each, and whether they agree with the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Bools

NO_SLICE = "(no slice)"


@dataclass(frozen=True)
class UnitSlice:
    """The units of one slice."""

    name: str
    kept: Bools


def units_by_slice(units: Sequence[str], labels: Mapping[str, str]) -> list[UnitSlice]:
    """The slices by name; units without a label are a slice of their own."""
    names = np.asarray([labels.get(unit, NO_SLICE) for unit in units])
    return [UnitSlice(name, names == name) for name in sorted(set(names.tolist()))]


def reversal_warning(whole: float, within: Sequence[tuple[str, float]], what: str) -> str | None:
    """A warning when slices and whole disagree in direction; None when they agree.

    Over the same units the whole is a mean of its slices, so some slice always agrees with it.
    """
    against = [name for name, difference in within if difference * whole < 0]
    if not against:
        return None
    direction = "higher" if whole > 0 else "lower"
    return (
        f"{what} is {direction} over all units, but the other way round in"
        f" {len(against)} of {len(within)} slices: {', '.join(against)}"
    )


def missing_units_warning(own: float, shared: float, what: str) -> str | None:
    """A warning when the means over each system's own units disagree with the units they share.

    Different units, not quality, then make the difference: Simpson's paradox.
    """
    if not own * shared < 0:  # Where one of them is unknown nothing is turned.
        return None
    direction = "higher" if own > 0 else "lower"
    return (
        f"{what} is {direction} by the means over each system's own units, but the other way round"
        " over the units that both have (Simpson's paradox): trust the latter"
    )
