"""Slices of the units: the difference within each, and whether they agree with the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Bools
from assay.statistics.pairing import Sample

NO_SLICE = "(no slice)"


@dataclass(frozen=True)
class Part:
    """The units of one slice."""

    name: str
    kept: Bools


def parts(sample: Sample, labels: Mapping[str, str]) -> list[Part]:
    """The slices by name; units without a label are a slice of their own."""
    names = np.asarray([labels.get(unit, NO_SLICE) for unit in sample.units])
    return [Part(name, names == name) for name in sorted(set(names.tolist()))]


def reversal(whole: float, within: Sequence[tuple[str, float]], what: str) -> str | None:
    """A warning when slices and whole disagree in direction; None when they agree."""
    if not whole or not within:
        return None
    against = [name for name, difference in within if difference * whole < 0]
    if not against:
        return None
    agree = [name for name, difference in within if difference * whole > 0]
    direction = "higher" if whole > 0 else "lower"
    if not agree:
        return (
            f"{what} is {direction} over all units, but not in any slice: the slices differ in size"
            " or difficulty between the two (Simpson's paradox); trust the slices"
        )
    return (
        f"{what} is {direction} over all units, but the other way round in"
        f" {len(against)} of {len(within)} slices: {', '.join(against)}"
    )
